//! The API over HTTP: JSON under `/api/v1`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sproutnet_coordinator::Config;
use sproutnet_proto::v1;
use sproutnet_solver::play::Outcome;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::browser::{Page, ask, get, post_json};
use crate::cluster::hand::outcome;
use crate::cluster::{Cluster, end, query, soon, start};

const COMPUTATIONS: &str = "/api/v1/computations";

async fn got(cluster: &Cluster, path: &str) -> Page {
    soon(get(cluster.http(), &format!("/api/v1{path}"), None)).await
}

/// The JSON at a path that exists.
async fn told(cluster: &Cluster, path: &str) -> Value {
    let page = got(cluster, path).await;
    assert_eq!(page.status, 200, "{path}: {}", page.text);
    page.json()
}

/// Asks for a computation.
async fn sent(cluster: &Cluster, body: &Value) -> Page {
    soon(post_json(cluster.http(), COMPUTATIONS, &body.to_string())).await
}

#[tokio::test]
async fn what_is_no_position_is_refused_with_the_column() {
    let cluster = Cluster::start().await;
    for (path, column) in [
        ("/positions/0*x", 3),
        ("/positions/0*6%2B%3F/moves", 5),
        ("/positions/kayles:5%2Bx/line", 10),
        ("/positions/1a1A", 2),
        ("/positions/12%20spots", 3),
        ("/positions/0*3%2B12", 5),
        (&format!("/positions/{}", "x".repeat(30_000)), 3),
        (&format!("/positions/{}", "1".repeat(30_000)), 1),
        // No drawing in the plane has these regions.
        ("/positions/0.abcabc", 3),
        ("/positions/ABC%7C0*2.A.B%7C0.1aCa/moves", 2),
    ] {
        let page = got(&cluster, path).await;
        assert_eq!(page.status, 400, "{path}");
        let refusal = page.json();
        assert_eq!(refusal["column"], column, "{refusal}");
        let error = refusal["error"].as_str().expect("a text");
        assert!(error.chars().count() < 250, "{error}");
    }
    let page = sent(&cluster, &json!({ "position": "0*x", "play": "normal" })).await;
    assert_eq!((page.status, &page.json()["column"]), (400, &json!(3)));
    for position in ["21", "0", "1"] {
        let page = got(&cluster, &format!("/positions/{position}")).await;
        assert_eq!(page.status, 400);
        assert!(page.text.contains("can be misread"), "{}", page.text);
        let page = sent(&cluster, &json!({ "position": position, "play": "normal" })).await;
        assert_eq!(page.status, 400);
        assert!(page.text.contains("can be misread"), "{}", page.text);
    }
    let field = json!({ "position": "0*9", "play": "normal", "x".repeat(60_000): 1 });
    let error = sent(&cluster, &field).await.json()["error"].to_string();
    assert!(error.chars().count() < 250, "{error}");
    let refusal = got(&cluster, "/positions/chess:e4").await;
    assert_eq!(refusal.status, 400);
    assert!(refusal.json()["column"].is_null());
}

#[tokio::test]
async fn moves_and_lines_of_small_positions_are_found_on_the_spot() {
    let cluster = Cluster::start().await;
    let unsearched = told(&cluster, "/positions/0*5/moves?within_ms=0").await;
    let unknown = |moves: &Value| {
        let moves = moves["items"].as_array().expect("moves").iter();
        let is_unknown = |of: &&Value| of["normal"] == "unknown" || of["misere"] == "unknown";
        moves.filter(is_unknown).count()
    };
    assert!(unknown(&unsearched) > 0, "{unsearched}");
    let line = told(&cluster, "/positions/0*5/line?within_ms=10000").await;
    assert_eq!(line["complete"], true, "{line}");
    let searched = told(&cluster, "/positions/0*5/moves?within_ms=10000").await;
    assert_eq!(unknown(&searched), 0, "{searched}");
    assert_eq!(searched["items"][0]["normal"], "win", "{searched}");
}

#[tokio::test]
async fn parameters_out_of_bounds_are_named() {
    let cluster = Cluster::start().await;
    for (path, name) in [
        ("/positions/0*8?within_ms=10001", "within_ms"),
        ("/positions/0*8/line?within_ms=10001", "within_ms"),
        ("/positions/0*8/moves?within_ms=10001", "within_ms"),
        ("/positions/0*8/moves?limit=0", "limit"),
        ("/tables/normal?limit=1001", "limit"),
        ("/tables/normal?offset=9007199254740992", "offset"),
        ("/computations?offset=9007199254740992", "offset"),
        ("/computations?offset=-1", "offset"),
        ("/positions/0*8/line?play=both", "play"),
    ] {
        let page = got(&cluster, path).await;
        assert_eq!(page.status, 400, "{path}: {}", page.text);
        let error = page.json()["error"].to_string();
        assert!(error.contains(name), "{path}: {error}");
    }
    told(&cluster, "/tables/normal?offset=9007199254740991").await;
    let late = json!({ "position": "0*9", "play": "normal", "deadline_ms": 1_u64 << 53 });
    let page = sent(&cluster, &late).await;
    assert_eq!(page.status, 400);
    assert!(page.text.contains("deadline_ms"), "{}", page.text);
}

#[tokio::test]
async fn what_there_is_not_is_told_as_json() {
    let cluster = Cluster::start().await;
    for path in [
        "",
        "/",
        "/nothing",
        "/computations/7",
        "/computations/x",
        "/computations/7/events",
        "/tables/chess",
        "/tables/normal?game=chess",
    ] {
        let page = got(&cluster, path).await;
        assert_eq!(page.status, 404, "{path}");
        assert!(page.json()["error"].is_string(), "{path}");
    }
    for path in ["/computations/7/pause", "/computations/7/explode"] {
        let page = soon(post_json(cluster.http(), &format!("/api/v1{path}"), "")).await;
        assert_eq!(page.status, 404, "{path}");
    }
    for path in ["/fleet", "/positions/0*8", "/openapi.json"] {
        let page = soon(post_json(cluster.http(), &format!("/api/v1{path}"), "{}")).await;
        assert_eq!(page.status, 405, "{path}");
        assert!(page.header("allow").is_some(), "{path}");
    }
}

#[tokio::test]
async fn bodies_that_cannot_be_read_are_refused() {
    let cluster = Cluster::start().await;
    let address = cluster.http();
    let form = "position=0*9&play=normal";
    let page = soon(ask(address, "POST", COMPUTATIONS, &[], form)).await;
    assert_eq!(page.status, 415);
    let long = json!({ "position": "0".repeat(65 * 1024), "play": "normal" });
    assert_eq!(sent(&cluster, &long).await.status, 413);
    for body in [
        json!({ "position": "0*9" }),
        json!({ "position": "0*9", "play": "both" }),
        json!({ "position": "0*9", "play": "normal", "pirority": 3 }),
        json!({ "position": "0*9", "play": "misere", "nimber": true }),
        json!(["0*9"]),
    ] {
        assert_eq!(sent(&cluster, &body).await.status, 400, "{body}");
    }
    assert_eq!(told(&cluster, "/computations").await["total"], 0);
}

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
async fn pages_of_other_sites_read_and_change_nothing() {
    let cluster = Cluster::start().await;
    let address = cluster.http();
    let elsewhere = [
        ("Origin", "http://example.org"),
        ("Sec-Fetch-Site", "cross-site"),
    ];
    let read = soon(ask(address, "GET", "/api/v1/fleet", &elsewhere, "")).await;
    assert_eq!(read.status, 200);
    assert_eq!(read.header("access-control-allow-origin"), Some("*"));
    let preflight = [
        ("Origin", "http://example.org"),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "content-type"),
    ];
    let permission = soon(ask(address, "OPTIONS", COMPUTATIONS, &preflight, "")).await;
    let methods = permission.header("access-control-allow-methods");
    assert!(methods.is_none_or(|methods| !methods.contains("post")));
    let body = json!({ "position": "0*9", "play": "normal" }).to_string();
    let mut headers = elsewhere.to_vec();
    headers.push(("Content-Type", "application/json"));
    let refused = soon(ask(address, "POST", COMPUTATIONS, &headers, &body)).await;
    assert_eq!(refused.status, 403);
    assert_eq!(told(&cluster, "/computations").await["total"], 0);
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
async fn small_positions_are_searched_for_as_long_as_one_says() {
    let cluster = Cluster::start().await;
    let outcome = |answer: &Value| answer["normal"]["outcome"].clone();
    let small = "/positions/0*4.1a1a";
    let at_once = told(&cluster, &format!("{small}?within_ms=0")).await;
    assert_eq!(outcome(&at_once), "unknown", "{at_once}");
    assert_eq!(at_once["links"]["compute"], COMPUTATIONS);
    let found = told(&cluster, &format!("{small}?within_ms=10000")).await;
    assert_ne!(outcome(&found), "unknown", "{found}");
}

#[tokio::test]
async fn answers_are_those_of_the_calls() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let mut worker = cluster.worker("one").await;
    let solved = start(&mut client, "0*6").await;
    let lease = worker.job().await.lease;
    let report = outcome(lease, Outcome::Loss);
    worker.report(report).await.expect("taken");
    end(&mut client, solved).await;
    start(&mut client, "0*66").await;
    for position in [
        "0*6",
        "0*66",
        "0*30",
        "0*63",
        "0*2+1a1a",
        "!",
        "0*3.AB|0.AB",
        "kayles:5+3",
        "12}+0*1",
    ] {
        let path = position.replace('+', "%2B").replace('|', "%7C");
        let json = told(&cluster, &format!("/positions/{path}?within_ms=0")).await;
        let called = query(&mut client, position).await;
        assert_eq!(json["position"], position);
        assert_eq!(json["canonical"], called.canonical, "{position}");
        assert_eq!(json["game"], called.game, "{position}");
        assert_eq!(json["most_moves"], called.most_moves, "{position}");
        assert_eq!(json["nimber"], json!(called.nimber), "{position}");
        assert_eq!(json["genus"], json!(called.genus), "{position}");
        check_standing(&json["normal"], &called.normal.expect("told"));
        check_standing(&json["misere"], &called.misere.expect("told"));
        let lands = json["lands"].as_array().expect("a list").iter();
        let lands: Vec<_> = lands.map(|land| &land["canonical"]).collect();
        let called: Vec<_> = called.lands.iter().map(|land| &land.canonical).collect();
        assert_eq!(json!(lands), json!(called), "{position}");
    }
}

#[track_caller]
fn check_standing(json: &Value, called: &v1::Standing) {
    let outcome = match called.outcome() {
        v1::Outcome::Win => "win",
        v1::Outcome::Loss => "loss",
        v1::Outcome::Unspecified if called.computation.is_some() => "in progress",
        v1::Outcome::Unspecified => "unknown",
    };
    assert_eq!(json["outcome"], outcome, "{json}");
    let source = called.source().as_str_name().to_lowercase();
    match json["source"].as_str() {
        Some(name) => assert_eq!(source, format!("source_{name}"), "{json}"),
        None => assert_eq!(source, "source_unspecified", "{json}"),
    }
    let citation = json["citation"].as_str().unwrap_or_default();
    assert_eq!(citation, called.citation, "{json}");
    assert_eq!(json["computation"], json!(called.computation), "{json}");
    assert_eq!(json["verified"], called.verified, "{json}");
    let solved = called.solved.as_ref();
    assert_eq!(json["solved"].is_null(), solved.is_none(), "{json}");
    if let Some(solved) = solved {
        assert_eq!(json["solved"]["records"], solved.records, "{json}");
        assert_eq!(json["solved"]["solved_at"], solved.solved_at, "{json}");
    }
}

/// Checks that an answer, and each object in it, has the properties of its schema that are required, and none that it lacks.
pub(crate) fn check(document: &Value, schema: &Value, answer: &Value) {
    let named = schema["$ref"].as_str().map(|path| {
        let found = document.pointer(path.trim_start_matches('#'));
        found.unwrap_or_else(|| panic!("{path} is missing"))
    });
    let schema = named.unwrap_or(schema);
    if let Some(choices) = schema["oneOf"].as_array() {
        let some = choices.iter().find(|choice| choice["type"] != "null");
        if !answer.is_null() {
            check(document, some.expect("a choice"), answer);
        }
    } else if let Some(properties) = schema["properties"].as_object() {
        let answer = answer.as_object().expect("an object");
        let names = |of: &serde_json::Map<String, Value>| -> BTreeSet<String> {
            of.keys().cloned().collect()
        };
        let (known, told) = (names(properties), names(answer));
        assert!(told.is_subset(&known), "{told:?} {known:?}");
        let required = schema["required"].as_array().expect("names").iter();
        let mut required = required.filter_map(Value::as_str);
        assert!(
            required.all(|name| told.contains(name)),
            "{told:?} {schema}"
        );
        assert!(schema["additionalProperties"].is_null(), "answers may grow");
        for (name, value) in answer {
            check(document, &properties[name], value);
        }
    } else if let Some(entries) = answer.as_array() {
        for entry in entries {
            check(document, &schema["items"], entry);
        }
    } else if let Some(values) = ["enum", "x-extensible-enum"]
        .into_iter()
        .find_map(|words| schema[words].as_array())
    {
        assert!(values.contains(answer), "{answer} {values:?}");
    }
}

#[tokio::test]
async fn the_document_describes_the_answers() {
    let cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    cluster.worker("one").await;
    start(&mut client, "0*7").await;
    let document = told(&cluster, "/openapi.json").await;
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for operation in operations.as_object().expect("operations").values() {
            assert!(
                operation
                    .as_object()
                    .is_some_and(|parts| parts.values().all(|part| !part.is_null())),
                "{path}"
            );
            for (status, response) in operation["responses"].as_object().expect("responses") {
                assert!(response["description"].is_string(), "{path} {status}");
            }
        }
    }
    let text = document.to_string();
    let schemas = &document["components"]["schemas"];
    for (name, is_closed) in [("ToSolve", true), ("Question", true), ("Position", false)] {
        let closed = schemas[name]["additionalProperties"] == false;
        assert_eq!(closed, is_closed, "{name}");
    }
    assert!(schemas["Known"]["enum"].is_array());
    assert!(schemas["Source"]["x-extensible-enum"].is_array());
    for part in text.split("\"$ref\":\"#").skip(1) {
        let path = part.split('"').next().expect("a path");
        assert!(document.pointer(path).is_some(), "{path}");
    }
    for (described, path) in [
        ("/positions/{position}", "/positions/0*5+1AB|1AB"),
        ("/positions/{position}/moves", "/positions/0*5/moves"),
        ("/positions/{position}/line", "/positions/0*5/line"),
        ("/positions", "/positions?position=0*5"),
        ("/moves", "/moves?position=0*5"),
        ("/line", "/line?position=0*5"),
        ("/tables/{play}", "/tables/misere"),
        ("/fleet", "/fleet"),
        ("/computations", "/computations"),
        ("/computations/{id}", "/computations/1"),
    ] {
        let response = &document["paths"][described]["get"]["responses"]["200"];
        let schema = &response["content"]["application/json"]["schema"];
        assert!(schema["$ref"].is_string(), "{described}");
        check(&document, schema, &told(&cluster, path).await);
    }
}

#[tokio::test]
async fn the_token_is_asked_for_where_there_is_one() {
    const TOKEN: &str = "abcdefghijklmnopqrstuvwxyz";
    let cluster = Cluster::with(Config::default(), Some(TOKEN)).await;
    let address = cluster.http();
    for path in ["/openapi.json", "/fleet", "/positions/0*8", "/nothing"] {
        let path = format!("/api/v1{path}");
        for token in [None, Some("wrong-wrong-wrong")] {
            let page = soon(get(address, &path, token)).await;
            assert_eq!(page.status, 401, "{path}");
            assert_eq!(page.header("www-authenticate"), Some("bearer"));
        }
    }
    let page = soon(get(address, "/api/v1/fleet", Some(TOKEN))).await;
    assert_eq!(page.status, 200);
    let body = json!({ "position": "0*9", "play": "normal" }).to_string();
    let refused = soon(post_json(address, COMPUTATIONS, &body)).await;
    assert_eq!(refused.status, 401);
    let token = format!("Bearer {TOKEN}");
    let headers = [
        ("Content-Type", "application/json"),
        ("Authorization", &*token),
    ];
    let started = soon(ask(address, "POST", COMPUTATIONS, &headers, &body)).await;
    assert_eq!(started.status, 201);
}

#[tokio::test]
async fn one_learns_what_came_of_the_search() {
    let cluster = Cluster::start().await;
    for (path, searched) in [
        ("/positions/0*5?within_ms=10000", "yes"),
        ("/positions/0*40?within_ms=1000", "too large"),
        ("/positions/0*40?within_ms=0", "no"),
        ("/positions/0*4.1a1a?within_ms=0", "no"),
        ("/positions/0*12?within_ms=1", "out of time"),
    ] {
        let answer = told(&cluster, path).await;
        assert_eq!(answer["searched"], searched, "{path}: {answer}");
    }
}

#[tokio::test]
async fn a_position_may_be_given_in_the_query_and_with_slashes() {
    let cluster = Cluster::start().await;
    for (position, path) in [
        ("cram:oo-/ooo", "cram:oo-/ooo"),
        ("kayles:5+3", "kayles:5%2B3"),
    ] {
        for what in ["", "/moves", "/line"] {
            let in_path = format!("/positions/{path}{what}?within_ms=10000");
            let in_path = told(&cluster, &in_path).await;
            let address = match what {
                "" => "/positions",
                what => what,
            };
            let in_query = path.replace('/', "%2F");
            let in_query = format!("{address}?position={in_query}&within_ms=10000");
            let in_query = told(&cluster, &in_query).await;
            // What was found by a search is known from then on.
            let fixed = |answer: &Value| match what {
                "" => json!([answer["position"], answer["canonical"], answer["lands"]]),
                "/moves" => answer["items"].clone(),
                _ => answer["steps"].clone(),
            };
            assert_eq!(fixed(&in_path), fixed(&in_query), "{position}{what}");
            if what.is_empty() {
                assert_eq!(in_path["position"], position);
            }
        }
    }
    let page = got(&cluster, "/moves").await;
    assert_eq!(page.status, 400, "{}", page.text);
    assert!(page.text.contains("`position`"), "{}", page.text);
}

#[tokio::test]
async fn unknown_parameters_are_refused_by_name() {
    let cluster = Cluster::start().await;
    for path in [
        "/positions/0*8?limits=2",
        "/positions/0*8/moves?limits=2",
        "/positions/node-kayles:D?limits",
        "/positions?position=0*8&limits=2",
        "/computations?limits=2",
        "/fleet?limits",
        "/openapi.json?limits=2",
    ] {
        let page = got(&cluster, path).await;
        assert_eq!(page.status, 400, "{path}");
        let refusal = page.json();
        assert_eq!(refusal["code"], "invalid-parameter", "{path}");
        let error = refusal["error"].as_str().expect("a text");
        assert!(error.contains("`limits`"), "{path}: {error}");
    }
    let page = soon(post_json(
        cluster.http(),
        "/api/v1/computations?limits=2",
        "{}",
    ))
    .await;
    assert_eq!(page.json()["code"], "invalid-parameter");
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
async fn errors_have_a_word_for_programs() {
    let cluster = Cluster::start().await;
    for (path, status, code) in [
        ("/positions/0*x", 400, "invalid-position"),
        ("/positions/0*8?within_ms=x", 400, "invalid-parameter"),
        ("/positions/0*8?within_ms=10001", 400, "invalid-parameter"),
        ("/computations/7", 404, "not-found"),
        ("/nothing", 404, "not-found"),
    ] {
        let page = got(&cluster, path).await;
        let error = page.json();
        assert_eq!(
            (page.status, &error["code"]),
            (status, &json!(code)),
            "{path}"
        );
    }
    let document = told(&cluster, "/openapi.json").await;
    let words = &document["components"]["schemas"]["Code"]["x-extensible-enum"];
    let words = words.as_array().expect("words");
    // The page of errors lists all of them.
    let page = include_str!("../../../docs/reference/errors.md");
    for word in words {
        let word = word.as_str().expect("a word");
        assert!(page.contains(&format!("`{word}`")), "{word}");
    }
    let misere = json!({ "position": "0*9", "play": "misere", "nimber": true });
    assert_eq!(
        sent(&cluster, &misere).await.json()["code"],
        "invalid-request"
    );
    let wrong = json!({ "position": "0*9", "play": 5 });
    assert_eq!(sent(&cluster, &wrong).await.json()["code"], "invalid-body");
}

/// What a page of another site asks before it sends its own request.
async fn preflight(cluster: &Cluster, path: &str, method: &str) -> Page {
    let headers = [
        ("Origin", "http://example.org"),
        ("Access-Control-Request-Method", method),
        (
            "Access-Control-Request-Headers",
            "authorization,content-type",
        ),
    ];
    soon(ask(cluster.http(), "OPTIONS", path, &headers, "")).await
}

#[tokio::test]
async fn pages_of_other_sites_find_out_what_they_may_without_the_token() {
    const TOKEN: &str = "abcdefghijklmnopqrstuvwxyz";
    let cluster = Cluster::with(Config::default(), Some(TOKEN)).await;
    for (path, may_post) in [
        ("/api/v1/positions/0*8", false),
        ("/api/v1/positions", true),
        (COMPUTATIONS, false),
    ] {
        let permission = preflight(&cluster, path, "POST").await;
        assert_eq!(permission.status, 204, "{path}");
        let header = |name| permission.header(name).unwrap_or_default();
        assert_eq!(header("access-control-allow-origin"), "*");
        assert!(header("access-control-allow-headers").contains("authorization"));
        let methods = header("access-control-allow-methods");
        assert!(methods.contains("get"), "{path}: {methods}");
        assert_eq!(methods.contains("post"), may_post, "{path}: {methods}");
    }
    // Nothing else passes without the token, and a page may see why.
    let address = cluster.http();
    let refused = soon(get(address, "/api/v1/fleet", None)).await;
    assert_eq!(refused.status, 401);
    assert_eq!(refused.json()["code"], "token-missing");
    assert!(
        refused.text.contains("Authorization: Bearer"),
        "{}",
        refused.text
    );
    assert_eq!(refused.header("access-control-allow-origin"), Some("*"));
    let refused = soon(get(address, "/api/v1/fleet", Some("wrong-wrong-wrong"))).await;
    assert_eq!(refused.json()["code"], "token-wrong");
    let options = soon(ask(address, "OPTIONS", "/api/v1/fleet", &[], "")).await;
    assert_eq!(options.status, 401, "no method is asked about");
    let pages = preflight(&cluster, "/positions/0*8", "GET").await;
    assert_eq!(pages.status, 401, "only the API is open to other sites");
}

/// The headers of an answer to someone who takes gzip, in lower case, and its body.
async fn zipped(cluster: &Cluster, path: &str, more: &str) -> (String, Vec<u8>) {
    let address = cluster.http();
    let mut connection = TcpStream::connect(address).await.expect("connected");
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAccept-Encoding: gzip\r\n{more}\r\n"
    );
    connection
        .write_all(request.as_bytes())
        .await
        .expect("sent");
    let mut answer = Vec::new();
    soon(connection.read_to_end(&mut answer))
        .await
        .expect("read");
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.expect("headers end");
    let head = String::from_utf8(answer[..end].to_vec()).expect("text");
    (head.to_lowercase(), answer[end + 4..].to_vec())
}

#[tokio::test]
async fn answers_are_compressed_for_those_who_take_it() {
    let cluster = Cluster::start().await;
    for path in ["/api/v1/tables/misere", "/api/v1/openapi.json", "/help"] {
        let plain = soon(get(cluster.http(), path, None)).await;
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        assert_eq!(plain.header("vary"), Some("accept-encoding"), "{path}");
        let server = plain.header("server").expect("a version").to_owned();
        assert_eq!(server, format!("sproutnet/{}", env!("CARGO_PKG_VERSION")));
        let (head, body) = zipped(&cluster, path, "").await;
        assert!(
            head.contains("\r\ncontent-encoding: gzip"),
            "{path}: {head}"
        );
        assert!(body.len() < plain.text.len() / 2, "{path}: {}", body.len());
        let Some(tag) = plain.header("etag") else {
            continue;
        };
        assert!(head.contains(&format!("\r\netag: {tag}")), "{path}: {head}");
        let known = format!("If-None-Match: {}\r\n", plain.tag().expect("a tag"));
        let (head, body) = zipped(&cluster, path, &known).await;
        assert!(head.starts_with("http/1.1 304"), "{path}: {head}");
        assert!(!head.contains("content-encoding"), "{path}: {head}");
        assert!(body.is_empty(), "{path}");
    }
}
