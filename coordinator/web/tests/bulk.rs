//! Queries for many positions at once: lines of JSON to and from `/api/v1/positions`.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::api::check;
use crate::browser::{Page, ask, get};
use sproutnet_testkit::cluster::{Cluster, soon};

const PATH: &str = "/api/v1/positions?within_ms=0";
const NDJSON: (&str, &str) = ("Content-Type", "application/x-ndjson");

/// The maximum number of lines of a request.
const MOST: usize = 10_000;

/// The number of requests whose answers are made at a time.
const AT_ONCE: usize = 4;

async fn sent(cluster: &Cluster, path: &str, body: &str) -> Page {
    soon(ask(cluster.http(), "POST", path, &[NDJSON], body)).await
}

/// The answers to an accepted request.
async fn told(cluster: &Cluster, path: &str, body: &str) -> Vec<Value> {
    let page = sent(cluster, path, body).await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert_eq!(page.header("content-type"), Some("application/x-ndjson"));
    lines(&page.text)
}

/// The lines of a chunked body (RFC 9112, section 7.1), which must be whole.
#[track_caller]
fn lines(mut chunked: &str) -> Vec<Value> {
    let mut text = String::new();
    loop {
        let (size, rest) = chunked.split_once("\r\n").expect("a size");
        let size = usize::from_str_radix(size, 16).expect("a size");
        if size == 0 {
            break;
        }
        text.push_str(&rest[..size]);
        chunked = rest[size..].strip_prefix("\r\n").expect("a chunk ends");
    }
    let read = |line| serde_json::from_str(line).expect("a line is JSON");
    text.lines().map(read).collect()
}

/// Different positions, as many as a request may have, and their lines.
fn many() -> (Vec<String>, String) {
    let number = |of: usize| (of / 100 + 1, of % 100 + 1);
    let sum = |of| format!("kayles:{}+{}", number(of).0, number(of).1);
    let positions: Vec<String> = (0..MOST).map(sum).collect();
    let line = |position: &String| json!({ "position": position }).to_string() + "\n";
    let body = positions.iter().map(line).collect();
    (positions, body)
}

#[track_caller]
fn check_order(answers: &[Value], positions: &[String]) {
    let told: Vec<_> = answers.iter().map(|answer| &answer["position"]).collect();
    assert_eq!(told, positions.iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn an_answer_is_that_to_a_single_question() {
    let cluster = Cluster::start().await;
    let positions = ["0*3", "0*2+1a1a", "!", "0*3.AB|0.AB", "kayles:5+3", "0*6"];
    let line = |position| json!({ "position": position, "play": "misere" }).to_string();
    // The last line needs no end, and a line may end as on Windows.
    let body = positions.map(line).join("\r\n");
    let answers = told(&cluster, PATH, &body).await;
    assert_eq!(answers.len(), positions.len());
    for (position, mut answer) in positions.into_iter().zip(answers) {
        let number = answer.as_object_mut().expect("an object").remove("line");
        assert!(number.is_some_and(|number| number.is_u64()), "{position}");
        let path = position.replace('+', "%2B").replace('|', "%7C");
        let path = format!("/api/v1/positions/{path}?within_ms=0");
        let single = soon(get(cluster.http(), &path, None)).await;
        assert_eq!(answer, single.json(), "{position}");
    }
    assert!(told(&cluster, PATH, "").await.is_empty());
}

#[tokio::test]
async fn wrong_lines_have_errors_in_their_places() {
    let cluster = Cluster::start().await;
    let long = json!({ "position": "0*1+".repeat(20_000) }).to_string();
    let wrong = [
        (r#"{"position":"0*x"}"#, "", json!(3), "invalid-position"),
        (
            r#"{"position":"21"}"#,
            "misread",
            json!(1),
            "invalid-position",
        ),
        (
            r#"{"position":"chess:e4"}"#,
            "chess",
            Value::Null,
            "invalid-position",
        ),
        (
            r#"{"position":5}"#,
            "column 13",
            Value::Null,
            "invalid-body",
        ),
        (
            r#"{"position":"0*8","play":"both"}"#,
            "both",
            Value::Null,
            "invalid-body",
        ),
        (
            r#"{"position":"0*8","x":1}"#,
            "unknown field `x`",
            Value::Null,
            "invalid-body",
        ),
        (
            r#"{"play":"normal"}"#,
            "missing field",
            Value::Null,
            "invalid-body",
        ),
        (
            r#"{"position":"0*8"} {"#,
            "column 20",
            Value::Null,
            "invalid-body",
        ),
        (
            r#"["0*8",null,null]"#,
            "an object",
            Value::Null,
            "invalid-body",
        ),
        (
            r#"{"position":"0*8","id":1.5}"#,
            "`id`",
            Value::Null,
            "invalid-body",
        ),
        ("", "line is invalid", Value::Null, "invalid-body"),
        ("0*8", "line is invalid", Value::Null, "invalid-body"),
        (&long, "65536 bytes", Value::Null, "too-large"),
    ];
    let right = r#"{"position":"0*8"}"#;
    let body: String = wrong
        .iter()
        .map(|(line, ..)| format!("{line}\n{right}\n"))
        .collect();
    let answers = told(&cluster, PATH, &body).await;
    assert_eq!(answers.len(), 2 * wrong.len());
    let numbers: Vec<_> = answers.iter().map(|answer| &answer["line"]).collect();
    assert_eq!(
        json!(numbers),
        json!((1..=answers.len()).collect::<Vec<_>>())
    );
    for ((line, part, column, code), answers) in wrong.iter().zip(answers.chunks(2)) {
        let error = answers[0]["error"].as_str().expect("an error");
        assert!(
            error.contains(part) && error.len() < 250,
            "{line:.80}: {error}"
        );
        assert_eq!(&answers[0]["column"], column, "{line:.80}: {error}");
        assert_eq!(answers[0]["code"], *code, "{line:.80}: {error}");
        assert_eq!(answers[1]["position"], "0*8");
    }
}

#[tokio::test]
async fn an_id_of_ones_own_comes_back() {
    let cluster = Cluster::start().await;
    let body = r#"{"position":"0*3","id":"first"}
{"id":-2,"position":"0*x"}
{"id":"wrong","position":5}
{"position":"0*3"}
{"id":true,"position":"0*3"}
{"id":"#;
    let answers = told(&cluster, PATH, body).await;
    let told: Vec<_> = answers
        .iter()
        .map(|answer| (&answer["id"], answer["error"].is_string()))
        .collect();
    let expected = json!([
        ["first", false],
        [-2, true],
        ["wrong", true],
        [null, false],
        [null, true],
        [null, true]
    ]);
    assert_eq!(json!(told), expected);
}

#[tokio::test]
async fn stalled_requests_keep_nobody_out() {
    let cluster = Cluster::start().await;
    let mut stalled = Vec::new();
    for _ in 0..2 * AT_ONCE {
        let mut connection = TcpStream::connect(cluster.http()).await.expect("connected");
        let head = format!(
            "POST {PATH} HTTP/1.1\r\nHost: {}\r\nContent-Type: {}\r\nContent-Length: 99\r\n\r\n{{\"position\"",
            cluster.http(),
            NDJSON.1
        );
        soon(connection.write_all(head.as_bytes()))
            .await
            .expect("sent");
        stalled.push(connection);
    }
    let answers = told(&cluster, PATH, r#"{"position":"0*3"}"#).await;
    assert_eq!(answers[0]["position"], "0*3");
}

#[tokio::test]
async fn what_is_too_much_or_no_lines_at_all_is_refused() {
    let cluster = Cluster::start().await;
    let (positions, mut body) = many();
    check_order(&told(&cluster, PATH, &body).await, &positions);
    body.push_str("{}");
    let large = " ".repeat(4 * 1024 * 1024 + 1);
    for (body, part) in [
        (&body, "10000 lines at most"),
        (&large, "4194304 bytes at most"),
    ] {
        let refused = sent(&cluster, PATH, body).await;
        assert_eq!(refused.status, 413, "{}", refused.text);
        let error = refused.json()["error"].to_string();
        assert!(error.contains(part), "{error}");
    }
    let path = "/api/v1/positions?within_ms=10001";
    assert_eq!(sent(&cluster, path, "").await.status, 400);
    for kind in ["application/json", "text/plain", ""] {
        let headers = [("Content-Type", kind)];
        let refused = soon(ask(cluster.http(), "POST", PATH, &headers, "")).await;
        assert_eq!(refused.status, 415, "{kind}");
        assert!(refused.text.contains(NDJSON.1), "{}", refused.text);
    }
    let encoded = [NDJSON, ("Content-Encoding", "gzip")];
    let refused = soon(ask(cluster.http(), "POST", PATH, &encoded, "\u{1f}")).await;
    assert_eq!(refused.status, 415);
    assert_eq!(refused.json()["code"], "unsupported-encoding");
    // It only reads, so pages of other sites may ask.
    let elsewhere = [NDJSON, ("Sec-Fetch-Site", "cross-site")];
    let read = soon(ask(cluster.http(), "POST", PATH, &elsewhere, "")).await;
    assert_eq!(read.status, 200);
    assert_eq!(read.header("access-control-allow-origin"), Some("*"));
}

#[tokio::test]
async fn searches_keep_to_the_convention_and_the_time() {
    let cluster = Cluster::start().await;
    let body = r#"{"position":"0*4.1a1a","play":"misere"}"#;
    let outcomes = |answers: &[Value]| {
        let outcome = |play: &str| answers[0][play]["outcome"].clone();
        (outcome("normal"), outcome("misere"))
    };
    let unknown = (json!("unknown"), json!("unknown"));
    assert_eq!(outcomes(&told(&cluster, PATH, body).await), unknown);
    let searched = told(&cluster, "/api/v1/positions?within_ms=10000", body).await;
    let (normal, misere) = outcomes(&searched);
    assert_eq!(normal, "unknown", "only misère was asked for");
    assert_ne!(misere, "unknown");
    let both = r#"{"position":"0*4.1a1a"}"#;
    let searched = told(&cluster, "/api/v1/positions?within_ms=10000", both).await;
    assert_ne!(outcomes(&searched).0, "unknown");
}

#[tokio::test]
async fn the_document_describes_the_lines() {
    let cluster = Cluster::start().await;
    let document = soon(get(cluster.http(), "/api/v1/openapi.json", None))
        .await
        .json();
    let operation = &document["paths"]["/positions"]["post"];
    let schema = |of: &Value| of["content"][NDJSON.1]["schema"]["$ref"].clone();
    assert_eq!(
        schema(&operation["requestBody"]),
        "#/components/schemas/Question"
    );
    let question = &document["components"]["schemas"]["Question"];
    assert_eq!(question["required"], json!(["position"]));
    assert!(question["properties"]["play"].is_object());
    let responses = operation["responses"].as_object().expect("responses");
    let statuses: Vec<_> = responses.keys().map(String::as_str).collect();
    assert_eq!(
        statuses,
        [
            "200", "400", "401", "403", "405", "408", "413", "415", "500", "503"
        ]
    );
    assert_eq!(schema(&responses["200"]), "#/components/schemas/BulkAnswer");
    let choices = document["components"]["schemas"]["BulkAnswer"]["oneOf"].as_array();
    let body = "{\"position\":\"0*5\"}\n{\"position\":\"0*x\"}\n";
    let answers = told(&cluster, PATH, body).await;
    for (schema, answer) in choices.expect("choices").iter().zip(&answers) {
        check(&document, schema, answer);
    }
}

/// A request that is sent whole, and whose answer is not read yet.
async fn unread(cluster: &Cluster, body: &str) -> TcpStream {
    let address = cluster.http();
    let mut connection = TcpStream::connect(address).await.expect("a connection");
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: {}\r\nContent-Length: {}\r\n\r\n",
        NDJSON.1,
        body.len()
    );
    let request = head + body;
    soon(connection.write_all(request.as_bytes()))
        .await
        .expect("sent");
    // The request is accepted once its answer begins.
    let mut begin = [0; 12];
    soon(connection.peek(&mut begin)).await.expect("an answer");
    assert_eq!(&begin, b"HTTP/1.1 200");
    connection
}

#[tokio::test]
async fn no_more_is_answered_than_is_read_and_who_reads_nothing_keeps_nobody_out() {
    let cluster = Cluster::start().await;
    let (positions, body) = many();
    // The answers are longer than the buffers of the system at both ends.
    let mut readers = Vec::new();
    for _ in 0..2 * AT_ONCE {
        readers.push(unread(&cluster, &body).await);
    }
    let answers = told(&cluster, PATH, r#"{"position":"0*3"}"#).await;
    assert_eq!(answers[0]["position"], "0*3", "others are not held up");
    // A slow reader gets the whole answer.
    let mut slow = readers.pop().expect("a reader");
    let (mut answer, mut part) = (Vec::new(), vec![0; 100_000]);
    soon(async {
        loop {
            let count = slow.read(&mut part).await.expect("read");
            if count == 0 {
                break;
            }
            answer.extend_from_slice(&part[..count]);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await;
    let answer = String::from_utf8(answer).expect("text");
    let (_, chunked) = answer.split_once("\r\n\r\n").expect("headers end");
    check_order(&lines(chunked), &positions);
}
