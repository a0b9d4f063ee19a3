//! Computations over the API: started, changed, followed, listed.

use std::time::Duration;

use serde_json::{Value, json};
use sproutnet_solver::play::Outcome;

use crate::api::{COMPUTATIONS, got, sent, told};
use crate::browser::{ask, get, post_json};
use sproutnet_testkit::cluster::facts::{children, exact};
use sproutnet_testkit::cluster::hand::{outcome, unsolved};
use sproutnet_testkit::cluster::{Cluster, pause, soon, start};

#[tokio::test]
async fn a_computation_is_started_changed_and_followed_to_its_end() {
    let cluster = Cluster::start().await;
    let mut worker = cluster.worker("one").await;
    let asked = json!({ "position": "0*6", "play": "normal", "priority": 3 });
    let started = sent(&cluster, &asked).await;
    assert_eq!(started.status, 201, "{}", started.text);
    let path = started.header("location").expect("a way on").to_owned();
    assert_eq!(path, "/api/v1/computations/1");
    let computation = started.json();
    assert_eq!(computation["status"], "running");
    assert_eq!(computation["priority"], 3);
    assert_eq!(computation["outcome"], "in progress");
    let again = sent(&cluster, &asked).await;
    assert_eq!(again.status, 200, "it is joined");
    assert_eq!(again.header("location"), Some(&*path));

    for (change, status, is) in [
        ("pause", 200, "paused"),
        ("resume", 200, "running"),
        ("cancel", 200, "cancelled"),
        ("pause", 409, ""),
        ("resume", 200, "running"),
    ] {
        let path = format!("{path}/{change}");
        let changed = soon(post_json(cluster.http(), &path, "")).await;
        assert_eq!(changed.status, status, "{change}: {}", changed.text);
        if status == 200 {
            let changed = changed.json();
            assert_eq!(changed["status"], is, "{change}");
            let outcome = match is {
                "running" => "in progress",
                _ => "unknown",
            };
            assert_eq!(changed["outcome"], outcome, "{change}");
        }
    }

    // The stream is open until the computation ends.
    let address = cluster.http();
    let events = format!("{path}/events");
    let events = tokio::spawn(async move { get(address, &events, None).await });
    let lease = worker.job().await.lease;
    let report = outcome(lease, Outcome::Loss);
    worker.report(report).await.expect("taken");
    let events = soon(events).await.expect("no panic");
    assert_eq!(events.status, 200);
    assert_eq!(events.header("content-type"), Some("text/event-stream"));
    let last = events.text.lines().rfind(|line| line.starts_with("data:"));
    let last: Value =
        serde_json::from_str(&last.expect("an event")["data:".len()..]).expect("an event is JSON");
    assert_eq!(last["status"], "solved", "{last}");
    assert_eq!(last["outcome"], "loss", "{last}");
    assert_eq!((&last["id"], &last["position"]), (&json!(1), &json!("0*6")));
    let fields = |name: &str| -> Vec<String> {
        let lines = events.text.lines();
        let values = lines.filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        values.map(str::to_owned).collect()
    };
    assert_eq!(fields("event"), ["end"], "only the last event has a name");
    // The computation may end before it is followed.
    let ids = fields("id");
    let (last, before) = ids.split_last().expect("an event");
    let numbers = (1..=before.len()).map(|number| number.to_string());
    assert_eq!(
        (last.as_str(), before),
        ("end", &*numbers.collect::<Vec<_>>())
    );
    // A browser that connects again is told that this was all.
    let path_of_events = format!("{path}/events");
    for (last, status) in [("end", 204), ("1", 200)] {
        let headers = [("Last-Event-ID", last)];
        let page = soon(ask(address, "GET", &path_of_events, &headers, "")).await;
        assert_eq!(page.status, status, "{last}");
        assert_eq!(page.text.contains("event: end"), status == 200, "{last}");
    }

    // What is solved is not made again.
    for _ in 0..3 {
        let solved = sent(&cluster, &asked).await;
        assert_eq!(solved.status, 200, "{}", solved.text);
        assert_eq!(solved.header("location"), Some(&*path));
        assert_eq!(solved.json()["status"], "solved");
    }
    assert_eq!(told(&cluster, "/computations").await["total"], 1);

    let resume = format!("{path}/resume");
    let resumed = soon(post_json(address, &resume, "")).await;
    assert_eq!(resumed.status, 409, "it is solved: {}", resumed.text);
    assert!(resumed.json()["error"].is_string());
}

#[tokio::test]
async fn a_computation_is_explained() {
    let cluster = Cluster::start().await;
    let mut worker = cluster.worker("one").await;
    let mut client = cluster.client().await;
    let id = start(&mut client, "0*6").await;
    let path = format!("/computations/{id}/explanation");
    let job = worker.job().await;
    // The same records twice; the expansions of a job that is wanted.
    for _ in 0..2 {
        let records = vec![exact("0*2", 0), exact("0*3", 1)];
        worker.hand_over(records).await.expect("taken");
    }
    let report = unsolved(job.lease, children(&job));
    worker.report(report).await.expect("taken");
    let explained = told(&cluster, &path).await;
    assert_eq!(explained["computation"]["outcome"], "in progress");
    let open = explained["branches"]["open"].as_array().expect("a list");
    assert!(!open.is_empty() && open[0]["proof"].is_u64(), "{explained}");
    let expected = json!({
        "expansions": 1, "unwanted_expansions": 0, "new_records": 2, "repeated_records": 2,
    });
    assert_eq!(explained["effort"], expected);

    // Time passes, although nothing is reported.
    let seconds = |of: &Value| of["seconds"].as_f64().expect("a time");
    let before = seconds(&explained["computation"]);
    tokio::time::sleep(Duration::from_millis(500)).await;
    let explained = told(&cluster, &path).await;
    let all = seconds(&explained["computation"]);
    assert!(all >= before + 0.5, "{before} {explained}");
    let paces = explained["paces"].as_array().expect("a list");
    assert!(paces.iter().any(|pace| seconds(pace) >= all), "{explained}");

    // The expansions of a job that is no longer wanted.
    let late = worker.job().await;
    pause(&mut client, id).await;
    let report = unsolved(late.lease, Vec::new());
    worker.report(report).await.expect("taken");
    let explained = told(&cluster, &path).await;
    assert_eq!(explained["effort"]["unwanted_expansions"], 1, "{explained}");
    let missing = got(&cluster, "/computations/99/explanation").await;
    assert_eq!(missing.status, 404, "{}", missing.text);
}

#[tokio::test]
async fn an_outcome_is_in_progress_as_long_as_its_computation_runs() {
    let cluster = Cluster::start().await;
    let position = "0*6.1a1a";
    let started = sent(&cluster, &json!({ "position": position, "play": "misere" })).await;
    assert_eq!(started.json()["outcome"], "in progress");
    for (change, outcome) in [
        ("pause", "unknown"),
        ("resume", "in progress"),
        ("cancel", "unknown"),
    ] {
        let path = format!("{COMPUTATIONS}/1/{change}");
        let changed = soon(post_json(cluster.http(), &path, "")).await;
        assert_eq!(changed.json()["outcome"], outcome, "{change}");
        let listed = told(&cluster, "/computations").await;
        assert_eq!(listed["items"][0]["outcome"], outcome, "{change}");
        let answer = told(&cluster, &format!("/positions/{position}?within_ms=0")).await;
        assert_eq!(answer["misere"]["outcome"], outcome, "{change}");
        assert_eq!(answer["normal"]["outcome"], "unknown", "{change}");
    }
}

#[tokio::test]
async fn who_has_an_answer_is_told_so() {
    let cluster = Cluster::start().await;
    let address = cluster.http();
    for path in [
        "/tables/misere",
        "/positions/0*3?within_ms=0",
        "/computations",
    ] {
        let tag = got(&cluster, path).await;
        let tag = tag.tag().expect("a tag");
        let path = format!("/api/v1{path}");
        for (known, status) in [(&*tag, 304), ("\"other\"", 200), ("*", 304)] {
            let headers = [("If-None-Match", known)];
            let page = soon(ask(address, "GET", &path, &headers, "")).await;
            assert_eq!(page.status, status, "{path} {known}");
            assert_eq!(page.text.is_empty(), status == 304, "{path} {known}");
            assert_eq!(page.tag().as_deref(), Some(&*tag), "{path} {known}");
        }
    }
    let tag = got(&cluster, "/computations").await;
    let mut client = cluster.client().await;
    start(&mut client, "0*9").await;
    let tag = tag.tag().expect("a tag");
    let headers = [("If-None-Match", &*tag)];
    let fresh = soon(ask(address, "GET", COMPUTATIONS, &headers, "")).await;
    assert_eq!(fresh.status, 200, "it changed");
}

#[tokio::test]
async fn lists_are_told_page_by_page() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    for spots in 20..27 {
        start(&mut client, &format!("0*{spots}")).await;
    }
    let (mut offset, mut ids) = (Some(0), Vec::new());
    while let Some(from) = offset {
        let page = told(&cluster, &format!("/computations?offset={from}&limit=3")).await;
        assert_eq!((&page["total"], &page["offset"]), (&json!(7), &json!(from)));
        let items = page["items"].as_array().expect("a list");
        ids.extend(items.iter().filter_map(|item| item["id"].as_u64()));
        offset = page["next"].as_u64();
    }
    assert_eq!(ids, [7, 6, 5, 4, 3, 2, 1], "the newest first");
    let table = told(&cluster, "/tables/misere?offset=1&limit=2").await;
    let sizes: Vec<_> = table["items"].as_array().expect("a list").iter().collect();
    assert_eq!(sizes.len(), 2);
    assert!(sizes.iter().all(|entry| entry["play"] == "misere"));
    let moves = told(&cluster, "/positions/0*5/moves?limit=2").await;
    assert_eq!((&moves["total"], &moves["next"]), (&json!(4), &json!(2)));
}

#[tokio::test]
async fn without_workers_nothing_is_expanded() {
    let cluster = Cluster::start().await;
    let fleet = got(&cluster, "/fleet").await;
    assert!(
        fleet.text.contains("\"expansions_per_second\":0.0,"),
        "{}",
        fleet.text
    );
}

#[tokio::test]
async fn a_weight_an_owner_and_a_label_are_given_shown_and_changed() {
    let cluster = Cluster::start().await;
    let label = "<b>misère & co</b>";
    let asked = json!({
        "position": "0*9", "play": "normal", "weight": 3, "owner": "alice", "label": label,
    });
    let started = sent(&cluster, &asked).await.json();
    assert_eq!(
        (&started["weight"], &started["owner"]),
        (&json!(3), &json!("alice"))
    );
    assert_eq!(started["label"], label);
    assert_eq!(started["waits_for"], "worker");
    let path = format!("{COMPUTATIONS}/1/weight");
    for (body, status) in [
        (r#"{"weight": 7}"#, 200),
        (r#"{"weight": 0}"#, 400),
        (r#"{"weight": 1001}"#, 400),
        (r#"{"weight": -1}"#, 400),
        (r#"{"weight": 1, "more": 2}"#, 400),
        ("{}", 400),
    ] {
        let changed = soon(post_json(cluster.http(), &path, body)).await;
        assert_eq!(changed.status, status, "{body}: {}", changed.text);
        if status == 200 {
            assert_eq!(changed.json()["weight"], 7);
        }
    }
    let nowhere = format!("{COMPUTATIONS}/9/weight");
    let missing = soon(post_json(cluster.http(), &nowhere, r#"{"weight": 7}"#)).await;
    assert_eq!(missing.status, 404);
    for page in ["/", "/computations/1"] {
        let page = soon(get(cluster.http(), page, None)).await.text;
        assert!(page.contains("&lt;b&gt;misère &amp; co&lt;/b&gt; · for alice · weight 7"));
        assert!(!page.contains("<b>mis"), "{page}");
        assert!(page.contains("It waits: no worker is connected."), "{page}");
    }
}
