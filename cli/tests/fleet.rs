//! `sproutnet fleet`: the state of a coordinator and its workers.

use crate::command;
use crate::command::{LONG, Running, bare, json};
use crate::fake::Fake;
use sproutnet_proto::v1::{FleetResponse, SourceStatus, WorkerStatus};

fn fleet() -> FleetResponse {
    let worker = |worker, name: &str, cores, rate| WorkerStatus {
        worker,
        name: name.to_owned(),
        peer: format!("10.0.0.{worker}:4711"),
        version: format!("0.{worker}.0 (1a2b3c4)"),
        cores,
        jobs: cores - 1,
        silent: 0.25,
        expansions: 1_234_567,
        expansions_per_second: rate,
        records: 89_012,
        memory: 3 << 29,
    };
    FleetResponse {
        workers: vec![
            worker(1, "huge", 64, 100_000.5),
            worker(2, "tiny\x1b[2J", 2, 1500.25),
        ],
        records: 7_654_321,
        store_bytes: 300 << 20,
        disk_free: Some(5 << 30),
        disk_reserve: Some(256 << 20),
        problem: None,
        least_worth: 1_024,
        nodes: 4_000,
        leased: 1_000,
        finished: 900,
        expired: 20,
        released: 14,
        uptime: 11_263.0,
        quarantined: vec![SourceStatus {
            source: 7,
            name: "wrong".to_owned(),
            peer: "10.0.0.7:4711".to_owned(),
            records: 0,
            quarantine_reason: "it told `normal 0*6: nimber 1`, which is not so".to_owned(),
            quarantined_at: 1_795_333_523,
        }],
    }
}

fn start(fake: &Fake, arguments: &[&str]) -> Running {
    let url = fake.url();
    let arguments = [&["fleet", "--coordinator", &url], arguments].concat();
    Running::start(bare(&arguments))
}

#[test]
fn totals_and_workers() {
    let fake = Fake::of_fleet(fleet());
    let text = start(&fake, &[]).end(LONG).with_code(0).stdout;
    let expected = "\
running for  3 h 07 min
workers      2 with 66 cores, 64 jobs, 101,500 expansions/s
store        7,654,321 records, 300.0 MiB (5.0 GiB free)
proofs       4,000 nodes
jobs         1,000 given out: 900 finished, 20 ran out, 14 handed back
facts sent   those of 1,024 visits or more

worker    peer           version          cores  jobs  expansions/s  expansions  records   memory     seen
huge      10.0.0.1:4711  0.1.0 (1a2b3c4)     64    63       100,000   1,234,567   89,012  1.5 GiB  0 s ago
tiny?[2J  10.0.0.2:4711  0.2.0 (1a2b3c4)      2     1         1,500   1,234,567   89,012  1.5 GiB  0 s ago

quarantined: wrong (10.0.0.7:4711, source 7): it told `normal 0*6: nimber 1`, which is not so
";
    assert_eq!(text, expected);
    let nobody = Fake::of_fleet(FleetResponse::default());
    let text = start(&nobody, &[]).end(LONG).with_code(0).stdout;
    assert!(
        text.contains("0 with 0 cores") && !text.contains("peer"),
        "{text}"
    );
}

#[test]
fn as_json() {
    let fake = Fake::of_fleet(fleet());
    let lines = start(&fake, &["--json"]).end(LONG).with_code(0).json();
    assert_eq!(lines.len(), 1);
    let line = &lines[0];
    for (field, value) in [
        ("uptime", 11_263.0),
        ("cores", 66.0),
        ("jobs", 64.0),
        ("expansions_per_second", 101_500.75),
        ("records", 7_654_321.0),
        ("store_bytes", 314_572_800.0),
        ("disk_free", 5_368_709_120.0),
        ("disk_reserve", 268_435_456.0),
        ("nodes", 4_000.0),
        ("leased", 1_000.0),
        ("finished", 900.0),
        ("expired", 20.0),
        ("released", 14.0),
        ("least_worth", 1_024.0),
    ] {
        assert_eq!(line[field].as_f64(), Some(value), "{field}");
    }
    let expected = serde_json::json!({
        "id": "1", "name": "huge", "peer": "10.0.0.1:4711", "version": "0.1.0 (1a2b3c4)",
        "cores": 64, "jobs": 63, "expansions": 1_234_567, "expansions_per_second": 100_000.5,
        "records": 89_012, "memory": 1_610_612_736, "silent": 0.25,
    });
    assert_eq!(line["workers"][0], expected);
    let expected = serde_json::json!({
        "source": 7, "name": "wrong", "peer": "10.0.0.7:4711", "records": 0,
        "quarantine": {
            "why": "it told `normal 0*6: nimber 1`, which is not so", "at": 1_795_333_523,
        },
    });
    assert_eq!(line["quarantined"][0], expected);
    assert_eq!(line["workers"][1]["name"], "tiny\u{1b}[2J");
}

#[test]
fn again_every_second_over_a_restart_until_an_interrupt() {
    let mut fake = Fake::of_fleet(fleet());
    let mut watched = [
        start(&fake, &["--watch"]),
        start(&fake, &["--watch", "--json"]),
    ];
    let summary = "2 workers, 66 cores, 64 jobs, 101,500 expansions/s, 7,654,321 records, \
                   300.0 MiB, 4,000 nodes, 900 jobs done\n";
    for _ in 0..2 {
        assert_eq!(watched[0].line(), summary);
        assert_eq!(json(&watched[1].line())["cores"], 66);
    }
    fake.stop();
    for running in &mut watched {
        running.error_line_where(|line| line.contains("trying again"));
    }
    fake.start_again();
    for running in &mut watched {
        running.error_line_where(|line| line.contains("the coordinator is back"));
        running.line();
    }
    for mut running in watched {
        running.interrupt();
        running.end(LONG).with_code(0);
    }
}

#[test]
fn a_fleet_needs_a_coordinator() {
    let data = tempfile::tempdir().expect("a folder");
    for arguments in [&["fleet"][..], &["fleet", "--watch"]] {
        let refused = command::run(data.path(), arguments).with_code(2);
        assert!(refused.stderr.contains("--coordinator URL"), "{refused:?}");
    }
}
