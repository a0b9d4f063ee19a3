//! The metrics over HTTP.

#![allow(clippy::float_cmp, reason = "counts are whole numbers")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use sproutnet_coordinator::Config;
use sproutnet_proto::v1;
use sproutnet_solver::play::Outcome;

use crate::browser::get;
use crate::browser::openmetrics::Metrics;
use sproutnet_testkit::cluster::facts::{blocks, children, exact};
use sproutnet_testkit::cluster::hand::{Hand, outcome, registration, unsolved};
use sproutnet_testkit::cluster::{Cluster, cancel, end, query, soon, start};
use sproutnet_testkit::page;
use tokio_stream::StreamExt;

const TOKEN: &str = "abcdefghijklmnopqrstuvwxyz";

/// All metrics, by kind.
const COUNTERS: [&str; 18] = [
    "jobs_leased",
    "jobs_finished",
    "jobs_expired",
    "jobs_released",
    "expansions",
    "visits",
    "records_received",
    "records_received_bytes",
    "contradictions",
    "audits_confirmed",
    "audits_contradicted",
    "audits_undecided",
    "audits_given_up",
    "audits_skipped",
    "revocations",
    "feed_blocks",
    "feed_bytes",
    "tls_handshakes_refused",
];
const GAUGES: [&str; 26] = [
    "leases",
    "workers",
    "slots",
    "queue",
    "workers_quarantined",
    "audits_waiting",
    "least_worth_visits",
    "worker_audit_share",
    "records",
    "store_bytes",
    "disk_free_bytes",
    "disk_reserve_bytes",
    "disk_full",
    "backup_timestamp_seconds",
    "shared_states",
    "shared_states_bytes",
    "shared_from_visits",
    "knowledge_bytes",
    "worker_info",
    "worker_expansions_per_second",
    "feed_lag_blocks",
    "computations",
    "root_proof_number",
    "root_disproof_number",
    "build_info",
    "tls_certificate_expiry_timestamp_seconds",
];
const HISTOGRAMS: [&str; 2] = ["lease_seconds", "report_seconds"];

/// The metrics of the process, without the prefix of the others.
const OF_PROCESS: [(&str, &str); 4] = [
    ("process_resident_memory_bytes", "gauge"),
    ("process_cpu_seconds", "counter"),
    ("process_open_fds", "gauge"),
    ("process_start_time_seconds", "gauge"),
];

async fn metrics(cluster: &Cluster) -> Metrics {
    let page = soon(get(cluster.http(), "/metrics", None)).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let kind = "content-type: application/openmetrics-text; version=1.0.0; charset=utf-8";
    assert!(page.headers.contains(kind), "{}", page.headers);
    Metrics::read(&page.text).unwrap_or_else(|problem| panic!("{problem}\n{}", page.text))
}

#[tokio::test]
async fn an_idle_coordinator_tells_all_its_metrics() {
    let cluster = Cluster::start().await;
    let metrics = metrics(&cluster).await;
    let kinds = [
        ("counter", &COUNTERS[..]),
        ("gauge", &GAUGES[..]),
        ("histogram", &HISTOGRAMS[..]),
    ];
    let mut expected = BTreeSet::new();
    for (kind, names) in kinds {
        for name in names {
            let name = format!("sproutnet_{name}");
            assert_eq!(metrics.kind(&name), kind, "{name}");
            expected.insert(name);
        }
    }
    for (name, kind) in OF_PROCESS {
        assert_eq!(metrics.kind(name), kind, "{name}");
        // The processor time may still be less than a tick.
        assert!(metrics.value(name) > 0.0 || name.contains("cpu"), "{name}");
        expected.insert(name.to_owned());
    }
    let builds = metrics.samples("sproutnet_build_info");
    assert_eq!(builds[0].0["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((builds.len(), builds[0].1), (1, 1.0));
    let names: BTreeSet<String> = metrics.names().into_iter().map(str::to_owned).collect();
    assert_eq!(names, expected);
    for name in COUNTERS {
        assert_eq!(metrics.value(&format!("sproutnet_{name}")), 0.0, "{name}");
    }
    assert!(
        metrics
            .samples("sproutnet_worker_expansions_per_second")
            .is_empty()
    );
    assert!(metrics.value("sproutnet_store_bytes") > 0.0);
}

/// The rows of a table of all metrics: the name of the samples, the type, and the help text.
fn table(text: &str) -> String {
    let mut table = String::from("| metric | type | meaning |\n|---|---|---|\n");
    let about = |line: &str, what: &str| {
        let (name, said) = line.strip_prefix(what)?.split_once(' ')?;
        Some((name.to_owned(), said.to_owned()))
    };
    let mut helps = text.lines().filter_map(|line| about(line, "# HELP "));
    for (name, kind) in text.lines().filter_map(|line| about(line, "# TYPE ")) {
        let (_, help) = helps
            .find(|(helped, _)| *helped == name)
            .expect("a help text");
        let end = if kind == "counter" { "_total" } else { "" };
        table += &format!(
            "| `{name}{end}` | {kind} | {} |\n",
            help.trim_end_matches('.')
        );
    }
    table
}

#[tokio::test]
async fn generated_table_of_metrics_is_current() {
    let cluster = Cluster::start().await;
    let printed = soon(get(cluster.http(), "/metrics", None)).await;
    let table = table(&printed.text);
    assert_eq!(
        table.lines().count(),
        2 + COUNTERS.len() + GAUGES.len() + HISTOGRAMS.len() + OF_PROCESS.len()
    );
    page::check("docs/reference/metrics.md", "metrics", &table);
}

#[tokio::test]
async fn metrics_count_what_happens() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let name = "the \"best\"\\\nof all";
    let mut worker = cluster.worker(name).await;
    let solved = start(&mut client, "0*6").await;
    let lease = worker.job().await.lease;
    let report = v1::Finding {
        blocks: blocks(vec![exact("0*5", 1), exact("0*4", 1)]),
        ..outcome(lease, Outcome::Loss)
    };
    worker.report(report).await.expect("taken");
    end(&mut client, solved).await;
    let cancelled = start(&mut client, "0*9").await;
    cancel(&mut client, cancelled).await;
    start(&mut client, "0*7").await;
    let root = worker.job().await;
    worker
        .report(unsolved(root.lease, children(&root)))
        .await
        .expect("taken");
    let released = worker.job().await.lease;
    worker.release(released).await;
    worker
        .lease_in(900)
        .await
        .expect("a response")
        .expect("a job");
    worker
        .lease_in(900)
        .await
        .expect("a response")
        .expect("a job");
    // The store and the knowledge of the proofs both notice the contradiction: it counts once.
    query(&mut client, "0*5").await;
    worker
        .hand_over(vec![exact("0*5", 2)])
        .await
        .expect("no error of the call");
    let told = v1::RenewRequest {
        expansions: 70,
        visits: 500,
        ..v1::RenewRequest::default()
    };
    worker.tell(told).await;

    let metrics = metrics(&cluster).await;
    let value = |name: &str| metrics.value(&format!("sproutnet_{name}"));
    let counts = [
        ("jobs_leased", 5.0),
        ("jobs_finished", 2.0),
        ("jobs_expired", 1.0),
        ("jobs_released", 1.0),
        ("leases", 1.0),
        ("expansions", 70.0),
        ("visits", 500.0),
        ("records_received", 3.0),
        ("contradictions", 1.0),
        ("workers", 1.0),
        ("slots", 1024.0),
        ("queue", 0.0),
    ];
    for (name, expected) in counts {
        assert_eq!(value(name), expected, "{name}");
    }
    assert!(value("records") >= 3.0 && value("shared_states") > 5.0);
    assert!(value("shared_states_bytes") > 0.0 && value("knowledge_bytes") > 0.0);
    assert!(metrics.count("sproutnet_lease_seconds") >= 5.0);
    assert_eq!(metrics.count("sproutnet_report_seconds"), 3.0);
    let rates = metrics.samples("sproutnet_worker_expansions_per_second");
    let [(labels, rate)] = rates[..] else {
        panic!("one worker is expected: {rates:?}");
    };
    assert_eq!(labels["name"], name);
    assert_eq!(labels["worker"], format!("{:x}", worker.id));
    assert!(rate > 0.0);
    let versions = metrics.samples("sproutnet_worker_info");
    let [(labels, one)] = versions[..] else {
        panic!("one worker is expected: {versions:?}");
    };
    assert_eq!((&*labels["name"], &*labels["version"]), (name, "unknown"));
    assert_eq!(labels["worker"], format!("{:x}", worker.id));
    assert_eq!(one, 1.0);
    for (labels, count) in metrics.samples("sproutnet_computations") {
        let expected = match &*labels["status"] {
            "running" | "solved" | "cancelled" => 1.0,
            _ => 0.0,
        };
        assert_eq!(count, expected, "{labels:?}");
    }
    let roots = metrics.samples("sproutnet_root_proof_number");
    let [(labels, number)] = roots[..] else {
        panic!("one runs: {roots:?}");
    };
    assert_eq!((&*labels["position"], &*labels["play"]), ("0*7", "normal"));
    assert!(number > 0.0);
}

/// The ends of backups, by the names of the tokens.
async fn backups(cluster: &Cluster, token: Option<&str>) -> BTreeMap<String, f64> {
    let page = soon(get(cluster.http(), "/metrics", token)).await;
    let metrics = Metrics::read(&page.text).expect("metrics");
    let told = metrics.samples("sproutnet_backup_timestamp_seconds");
    let told = told
        .iter()
        .map(|(labels, end)| (labels["by"].clone(), *end));
    told.collect()
}

/// Reads a backup, or an export, to its end.
async fn read_all(
    call: impl Future<
        Output = Result<tonic::Response<tonic::Streaming<v1::ExportResponse>>, tonic::Status>,
    >,
) {
    let stream = soon(call).await.expect("a stream").into_inner();
    let parts: Vec<_> = soon(stream.collect()).await;
    assert!(parts.iter().all(Result::is_ok), "{parts:?}");
}

/// Waits until a backup in this name ended at this time or later.
async fn until_backed_up(cluster: &Cluster, token: Option<&str>, by: &str, began: f64) {
    soon(async {
        while backups(cluster, token).await.get(by) < Some(&began) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
}

fn seconds_since_1970() -> f64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.expect("a clock").as_secs() as f64
}

#[tokio::test]
async fn the_end_of_a_whole_backup_is_told() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let all = v1::ExportRequest::default();
    // An export has less.
    read_all(client.export(all)).await;
    assert_eq!(backups(&cluster, None).await, BTreeMap::new());

    let began = seconds_since_1970();
    read_all(client.backup(all)).await;
    until_backed_up(&cluster, None, "local", began).await;
    assert_eq!(backups(&cluster, None).await.len(), 1);
}

#[tokio::test]
async fn backups_are_told_by_the_names_of_their_tokens() {
    let [hourly, standby] = ["hourly", "standby"].map(|name| format!("{name}-{TOKEN}"));
    let tokens = format!("hourly admin {hourly}\nstandby admin {standby}\n");
    let cluster = Cluster::with(Config::default(), Some(&tokens)).await;
    let mut client = cluster.client().await;
    let asked = |token: &str| {
        let mut request = tonic::Request::new(v1::ExportRequest::default());
        let value = format!("Bearer {token}").parse().expect("a header");
        request.metadata_mut().insert("authorization", value);
        request
    };
    let began = seconds_since_1970();
    read_all(client.backup(asked(&hourly))).await;
    until_backed_up(&cluster, Some(&standby), "hourly", began).await;
    let first = backups(&cluster, Some(&standby)).await;
    assert_eq!(first.keys().collect::<Vec<_>>(), ["hourly"]);

    tokio::time::sleep(Duration::from_secs(1)).await;
    let began = seconds_since_1970();
    read_all(client.backup(asked(&standby))).await;
    until_backed_up(&cluster, Some(&hourly), "standby", began).await;
    let both = backups(&cluster, Some(&hourly)).await;
    assert_eq!(both.keys().collect::<Vec<_>>(), ["hourly", "standby"]);
    assert_eq!(both["hourly"], first["hourly"], "it stays as it was");
    assert!(both["standby"] > both["hourly"], "{both:?}");
}

#[tokio::test]
async fn the_queue_is_known_when_every_search_has_a_job() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let mut calls = cluster.worker_calls().await;
    let two_cores = v1::RegisterRequest {
        cores: 2,
        slots: 2,
        ..registration("small", 5)
    };
    let registered = soon(calls.register(two_cores)).await.expect("accepted");
    let mut worker = Hand::known_as(calls, registered.into_inner().worker, 5);
    start(&mut client, "0*7").await;
    start(&mut client, "0*8").await;
    worker.job().await;
    let one_waits = metrics(&cluster).await;
    assert_eq!(one_waits.value("sproutnet_queue"), 0.0);
    worker.job().await;
    let all_busy = metrics(&cluster).await;
    assert_eq!(all_busy.value("sproutnet_leases"), 2.0);
    assert_eq!(all_busy.value("sproutnet_queue"), 2.0);
}

#[tokio::test]
async fn metrics_ask_for_the_token_and_health_does_not() {
    let cluster = Cluster::with(Config::default(), Some(TOKEN)).await;
    for token in [
        None,
        Some("wrong-wrong-wrong-wrong-wr"),
        Some(""),
        Some(&TOKEN[1..]),
    ] {
        let page = soon(get(cluster.http(), "/metrics", token)).await;
        assert_eq!(page.status, 401, "{token:?}");
        assert!(
            page.headers.contains("www-authenticate: bearer"),
            "{}",
            page.headers
        );
        assert!(!page.text.contains("sproutnet_"), "{}", page.text);
        let page = soon(get(cluster.http(), "/healthz", token)).await;
        assert_eq!((page.status, &*page.text), (200, "ok\n"));
    }
    let page = soon(get(cluster.http(), "/metrics", Some(TOKEN))).await;
    assert_eq!(page.status, 200);
    Metrics::read(&page.text).expect("metrics");
    let page = soon(get(cluster.http(), "/nothing", Some(TOKEN))).await;
    assert_eq!(page.status, 404);
}

#[test]
fn the_reader_of_metrics_is_strict() {
    let good = "# HELP a_b Some.\n# TYPE a_b counter\na_b_total{x=\"1\\n\"} 3\n# EOF\n";
    let metrics = Metrics::read(good).expect("metrics");
    assert_eq!(metrics.samples("a_b")[0].0["x"], "1\n");
    for (from, to) in [
        ("# EOF\n", ""),
        ("_total", ""),
        ("# TYPE a_b counter\n", ""),
        ("# HELP a_b Some.\n", ""),
        (" 3", " three"),
        ("\\n", "\\t"),
        ("\"}", "}"),
        ("a_b_total{x=\"1\\n\"} 3\n", "a_b_total 3\na_b_total 4\n"),
        (
            " 3\n",
            " 3\n# HELP c d\n# TYPE c gauge\nc 1\n# HELP a_b e\n",
        ),
    ] {
        let bad = good.replace(from, to);
        assert!(Metrics::read(&bad).is_err(), "{bad}");
    }
}
