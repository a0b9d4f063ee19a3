//! The API over HTTP: JSON under `/api/v1`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sproutnet_proto::v1;
use sproutnet_solver::play::Outcome;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::browser::{Page, ask, get, post_json};
use sproutnet_testkit::cluster::hand::outcome;
use sproutnet_testkit::cluster::{Cluster, end, query, soon, start};

pub(crate) const COMPUTATIONS: &str = "/api/v1/computations";

pub(crate) async fn got(cluster: &Cluster, path: &str) -> Page {
    soon(get(cluster.http(), &format!("/api/v1{path}"), None)).await
}

/// The JSON at a path that exists.
pub(crate) async fn told(cluster: &Cluster, path: &str) -> Value {
    let page = got(cluster, path).await;
    assert_eq!(page.status, 200, "{path}: {}", page.text);
    page.json()
}

/// Asks for a computation.
pub(crate) async fn sent(cluster: &Cluster, body: &Value) -> Page {
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
    let contract = told(&cluster, "/openapi.json").await;
    for path in ["/fleet", "/positions/0*8", "/openapi.json"] {
        let page = soon(post_json(cluster.http(), &format!("/api/v1{path}"), "{}")).await;
        assert_eq!(page.status, 405, "{path}");
        assert!(page.header("allow").is_some(), "{path}");
        let named = path.replace("0*8", "{position}");
        let told = &contract["paths"][&named]["get"]["responses"]["405"];
        assert!(told["headers"]["Allow"].is_object(), "{path}: {told}");
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
            let may_fail = operation["responses"]["500"].is_object();
            assert_eq!(may_fail, path != "/openapi.json", "{path}");
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
        ("/certificates", "/certificates"),
        ("/games", "/games"),
        ("/games/{game}", "/games/octal"),
        ("/sequences/{name}", "/sequences/kayles"),
        ("/quotients/{name}", "/quotients/bash/2?within_ms=10000"),
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
        let varies = plain.headers.contains("vary: accept-encoding");
        assert!(varies, "{path}: {}", plain.headers);
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
