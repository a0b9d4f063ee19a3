//! The API about certificates: the atlas, downloads, and checks.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sproutnet_coordinator::Config;
use sproutnet_notation::{Outcome, Play};
use sproutnet_testkit::certificates::{certificate, endless, good};
use sproutnet_testkit::cluster::{Cluster, soon};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::api::{check, got, told};

const PATH: &str = "/api/v1/certificates";
const BYTES: &str = "Content-Type: application/octet-stream\r\n";

/// The folder `atlas` of the repository.
fn atlas() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../atlas"))
}

async fn with_atlas() -> Cluster {
    let config = Config {
        atlas: Some(atlas()),
        ..Config::default()
    };
    Cluster::with(config, None).await
}

/// An answer whose body need not be text.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("JSON")
    }
}

/// Asks with these lines of a head, and a body that need not be text.
pub(crate) async fn raw(cluster: &Cluster, request: &str, lines: &str, body: &[u8]) -> Answer {
    let mut connection = TcpStream::connect(cluster.http()).await.expect("connected");
    let (host, length) = (cluster.http(), body.len());
    let head = format!(
        "{request} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n{lines}\r\n"
    );
    let _ = connection.write_all(head.as_bytes()).await;
    let _ = connection.write_all(body).await;
    let mut answer = Vec::new();
    let _ = soon(connection.read_to_end(&mut answer)).await;
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.expect("headers end");
    let head = String::from_utf8(answer[..end].to_vec()).expect("text");
    let status = head.split(' ').nth(1).expect("a status");
    Answer {
        status: status.parse().expect("a number"),
        head: head.to_lowercase(),
        body: answer[end + 4..].to_vec(),
    }
}

/// Sends a certificate to be checked.
async fn sent(cluster: &Cluster, file: &[u8]) -> Answer {
    raw(cluster, &format!("POST {PATH}"), BYTES, file).await
}

#[tokio::test]
async fn the_atlas_is_listed_and_its_files_are_sent() {
    let cluster = with_atlas().await;
    let listed = told(&cluster, "/certificates?limit=1000").await;
    let manifest = std::fs::read_to_string(atlas().join("manifest.tsv")).expect("a list");
    let rows = manifest.lines().filter(|line| line.contains("\t0.1.0"));
    assert_eq!(listed["total"], rows.count());
    let entries = listed["items"].as_array().expect("a list");
    let entry = entries.iter().find(|entry| entry["name"] == "normal-17");
    let entry = entry.expect("normal-17 is in the atlas");
    let path = entry["download"].as_str().expect("an address");
    let file = std::fs::read(atlas().join("normal-17.sprout")).expect("a file");
    assert_eq!(entry["bytes"], file.len());
    let answer = raw(&cluster, &format!("GET {path}"), "", b"").await;
    assert_eq!((answer.status, answer.body == file), (200, true));
    let tag = format!("\"{}\"", entry["sha256"].as_str().expect("digits"));
    for line in [
        "content-type: application/gzip".to_owned(),
        format!("content-length: {}", file.len()),
        format!("etag: {tag}"),
        "content-disposition: attachment; filename=\"normal-17.sprout\"".to_owned(),
    ] {
        assert!(answer.head.contains(&line), "{line}: {}", answer.head);
    }
    let head = raw(&cluster, &format!("HEAD {path}"), "", b"").await;
    assert!(
        head.body.is_empty()
            && head
                .head
                .contains(&format!("content-length: {}", file.len()))
    );
    let known = format!("If-None-Match: {tag}\r\n");
    let again = raw(&cluster, &format!("GET {path}"), &known, b"").await;
    assert_eq!((again.status, again.body.len()), (304, 0), "{}", again.head);
}

#[tokio::test]
async fn only_files_of_the_list_are_sent() {
    let cluster = with_atlas().await;
    for name in [
        "normal-1000",
        "manifest.tsv",
        "normal-5.sprout",
        "..%2Fatlas%2Fnormal-5",
        "%2Fetc%2Fpasswd",
        "../atlas/normal-5",
        "normal-5%00",
        ".",
    ] {
        let page = got(&cluster, &format!("/certificates/{name}")).await;
        assert_eq!(page.status, 404, "{name}: {}", page.text);
    }
    // Without the files there is only the list.
    let cluster = Cluster::start().await;
    assert!(told(&cluster, "/certificates").await["items"][0]["download"].is_null());
    let page = got(&cluster, "/certificates/normal-5").await;
    assert_eq!(page.status, 404);
    assert!(page.text.contains("--atlas"), "{}", page.text);
}

#[tokio::test]
async fn a_file_of_another_size_is_not_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("normal-5.sprout"), b"damaged").expect("written");
    let config = Config {
        atlas: Some(folder.path().to_owned()),
        ..Config::default()
    };
    let cluster = Cluster::with(config, None).await;
    for (name, status) in [("normal-5", 500), ("normal-6", 404)] {
        let page = got(&cluster, &format!("/certificates/{name}")).await;
        assert_eq!(page.status, status, "{}", page.text);
    }
}

#[tokio::test]
async fn certificates_are_checked() {
    let cluster = Cluster::start().await;
    let document = told(&cluster, "/openapi.json").await;
    let schema = &document["components"]["schemas"]["CheckedCertificate"];
    let normal = std::fs::read(atlas().join("normal-11.sprout")).expect("a file");
    let checked = sent(&cluster, &normal).await.json();
    check(&document, schema, &checked);
    let shown = ["verified", "kind", "position", "play", "outcome", "error"];
    let shown = shown.map(|name| checked[name].clone());
    let expected = json!([true, "outcome", "0*11", "normal", "win", null]);
    assert_eq!(json!(shown), expected, "{checked}");
    assert!(checked["facts"].as_u64() > Some(10), "{checked}");
    let theory = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../common/certificate/tests/theory"
    );
    let period = std::fs::read(format!("{theory}/kayles.period")).expect("a file");
    let checked = sent(&cluster, &period).await.json();
    let shown = ["verified", "kind", "code", "claim"].map(|name| checked[name].clone());
    assert_eq!(
        json!(shown),
        json!([true, "period", "0.77", "period 12 from 71"]),
        "{checked}"
    );
    // Nothing is kept.
    let standing = told(&cluster, "/positions/0*11?within_ms=0").await["normal"].clone();
    assert_eq!(standing["verified"], false, "{standing}");
}

#[tokio::test]
async fn what_does_not_follow_is_refused_with_the_line() {
    let cluster = Cluster::start().await;
    let wrong = certificate(Play::Normal, "0*1", Outcome::Win, 0, &["0 = 0"]);
    let malformed = b"sproutnet-period 1\ncode x\n";
    for (file, line, why) in [
        (&wrong[..], json!(5), "this does not follow from the facts"),
        (malformed, json!(2), "line 2"),
        (b"", json!(1), "the file cannot be read"),
        (b"hello", json!(1), "the file cannot be read"),
    ] {
        let answer = sent(&cluster, file).await;
        assert_eq!(answer.status, 200, "{why}");
        let checked = answer.json();
        assert_eq!(
            (&checked["verified"], &checked["line"]),
            (&json!(false), &line),
            "{checked}"
        );
        assert!(
            checked["error"].as_str().expect("a reason").contains(why),
            "{checked}"
        );
        assert!(checked["position"].is_null());
    }
    let large = raw(
        &cluster,
        &format!("POST {PATH}"),
        BYTES,
        &vec![0; (1 << 20) + 1],
    )
    .await;
    assert_eq!(
        (large.status, &large.json()["code"]),
        (413, &json!("too-large"))
    );
    let json = raw(
        &cluster,
        &format!("POST {PATH}"),
        "Content-Type: application/json\r\n",
        b"{}",
    )
    .await;
    assert_eq!(json.status, 415);
}

#[tokio::test]
async fn an_endless_check_is_stopped_and_keeps_nobody_out() {
    let config = Config {
        on_the_spot: Duration::from_millis(400),
        ..Config::default()
    };
    let cluster = Cluster::with(config, None).await;
    let begun = Instant::now();
    let file = endless();
    let (one, other) = tokio::join!(sent(&cluster, &file), sent(&cluster, &file));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    // The one waits for the other, as long as it may.
    assert!(
        statuses[0] == 422 && [422, 429, 503].contains(&statuses[1]),
        "{statuses:?}"
    );
    assert!(begun.elapsed() < Duration::from_secs(10));
    // A client that leaves ends its check.
    let mut connection = TcpStream::connect(cluster.http()).await.expect("connected");
    let head = format!(
        "POST {PATH} HTTP/1.1\r\nHost: {}\r\n{BYTES}Content-Length: {}\r\n\r\n",
        cluster.http(),
        file.len()
    );
    connection.write_all(head.as_bytes()).await.expect("sent");
    connection.write_all(&file).await.expect("sent");
    drop(connection);
    let mut checked = sent(&cluster, &good()).await;
    if checked.status == 503 {
        checked = sent(&cluster, &good()).await;
    }
    assert_eq!(checked.json()["verified"], true);
}

#[tokio::test]
async fn a_large_start_has_the_winning_move_of_its_certificate() {
    let cluster = Cluster::start().await;
    let asked = "play=misere&within_ms=0";
    let moves = told(&cluster, &format!("/positions/0*22/moves?{asked}&limit=1")).await;
    let best = &moves["items"][0];
    assert_eq!(
        (&best["canonical"], &best["misere"]),
        (&json!("0*20.1a1a"), &json!("win"))
    );
    let line = told(&cluster, &format!("/positions/0*22/line?{asked}")).await;
    assert_eq!(line["steps"][1]["canonical"], "0*20.1a1a", "{line}");
    let after = told(&cluster, "/positions/0*20.1a1a?within_ms=0").await;
    assert_eq!(after["misere"]["outcome"], "loss", "{after}");
}
