//! `sproutnet serve`: a coordinator, a worker and the pages in one process.

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use sproutnet_proto::v1;
use tempfile::tempdir;

use crate::command::{LONG, Running, bare, json, run, sproutnet};
use crate::fake::{Fake, running};

/// A process that serves a folder on free ports.
struct Serving {
    running: Running,
    pages: String,
    coordinator: String,
}

impl Serving {
    fn start(data: &Path) -> Self {
        let options = [
            "serve",
            "--json",
            "--http",
            "127.0.0.1:0",
            "--listen",
            "127.0.0.1:0",
        ];
        let mut command = sproutnet(data, &options);
        command.args(["--cores", "1", "--memory", "512MiB"]);
        let mut running = Running::start(command);
        let addresses = json(&running.line());
        let address = |name: &str| addresses[name].as_str().expect(name).to_owned();
        Self {
            pages: address("pages"),
            coordinator: address("coordinator"),
            running,
        }
    }

    fn address(&self) -> &str {
        self.pages
            .trim_start_matches("http://")
            .trim_end_matches('/')
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(self.address()).expect("a connection");
        stream.set_read_timeout(Some(LONG)).expect("set");
        let kind = "content-type: application/json";
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.0\r\nhost: localhost\r\n{kind}\r\n");
        let request = format!("{head}content-length: {length}\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    /// The known facts about a position, without a search.
    fn known(&self, position: &str) -> Value {
        let answer = self.ask(
            "GET",
            &format!("/api/v1/positions/{position}?within_ms=0"),
            "",
        );
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        json(body)["normal"].clone()
    }
}

#[test]
fn what_is_asked_for_is_solved_and_kept() {
    let data = tempdir().expect("a folder");
    let serving = Serving::start(data.path());
    let front = serving.ask("GET", "/", "");
    assert!(
        front.starts_with("HTTP/1.0 200") && front.contains("Sproutnet"),
        "{front}"
    );
    assert_eq!(serving.known("0*13")["source"], "atlas");
    let asked = r#"{"position":"0*13","play":"normal"}"#;
    let begun = serving.ask("POST", "/api/v1/computations", asked);
    assert!(begun.starts_with("HTTP/1.0 2"), "{begun}");
    eventually(|| match serving.known("0*13") {
        known if known["source"] == "store" => Ok(()),
        known => Err(known),
    });
    // Other commands reach it.
    let mut query = bare(&["query", "0*13", "--play", "normal", "--within", "0s"]);
    query.args(["--coordinator", &serving.coordinator]);
    let queried = Running::start(query).end(LONG).with_code(0);
    assert!(queried.stdout.contains("solved here"), "{queried:?}");
    serving.running.kill();

    let mut serving = Serving::start(data.path());
    let known = serving.known("0*13");
    assert_eq!(
        (&known["source"], &known["outcome"]),
        (&"store".into(), &"loss".into())
    );
    serving.running.interrupt();
    let ended = serving.running.end_with_open_input(LONG).with_code(0);
    assert_eq!(ended.stderr, "");
    run(data.path(), &["store", "check"]).with_code(0);
}

#[test]
fn what_cannot_be_served_is_said() {
    let [data, other] = [(); 2].map(|()| tempdir().expect("a folder"));
    let serving = Serving::start(data.path());
    let fails = |data: &Path, options: &[&str], code: i32, part: &str| {
        let ended = run(data, &[&["serve"], options].concat()).with_code(code);
        assert!(ended.stderr.contains(part), "{ended:?}");
        assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    };
    let free = ["--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"];
    fails(data.path(), &free, 1, "in use by another process");
    let taken = ["--listen", "127.0.0.1:0", "--http", serving.address()];
    fails(
        other.path(),
        &taken,
        1,
        "name another address with --http or --listen: cannot listen on",
    );
    let open = ["--http", "0.0.0.0:0", "--listen", "127.0.0.1:0"];
    fails(other.path(), &open, 2, "can be reached from other machines");
    let tls = [&free[..], &["--tls-ca", "ca.pem"]].concat();
    fails(other.path(), &tls, 2, "does not speak TLS");
    let file = other.path().join("file");
    fs::write(&file, "").expect("written");
    fails(&file.join("data"), &free, 1, "cannot use the store in");
}

#[test]
fn a_browser_is_opened_if_asked() {
    let [data, programs] = [(); 2].map(|()| tempdir().expect("a folder"));
    let (opener, opened) = (
        programs.path().join("xdg-open"),
        programs.path().join("opened"),
    );
    let script = format!("#!/bin/sh\necho \"$1\" > {}\n", opened.display());
    fs::write(&opener, script).expect("written");
    fs::set_permissions(&opener, Permissions::from_mode(0o755)).expect("it is ours");
    let free = [
        "serve",
        "--open",
        "--listen",
        "127.0.0.1:0",
        "--http",
        "127.0.0.1:0",
    ];
    let mut command = sproutnet(data.path(), &free);
    command.env("PATH", programs.path());
    let mut running = Running::start(command);
    let line = running.line();
    let page = line.strip_prefix("pages").expect("the first line").trim();
    eventually(|| match fs::read_to_string(&opened) {
        Ok(text) if text.trim() == page => Ok(()),
        other => Err(other),
    });
}

#[test]
fn a_fleet_without_workers_is_told() {
    let mut fake = Fake::with(vec![running(7, "0*16", v1::Play::Normal)]);
    let url = fake.url();
    let solve = ["solve", "0*16", "--coordinator", &url];
    let mut waiting = Running::start(bare(&solve));
    let told = waiting.error_line_where(|line| line.starts_with("note: "));
    let start = format!("sproutnet-worker --coordinator {url}");
    assert!(
        told.contains("no workers") && told.contains(&start),
        "{told}"
    );
    let detached = Running::start(bare(&[&solve[..], &["--detach"]].concat()));
    let detached = detached.end(LONG).with_code(0);
    assert!(detached.stderr.starts_with("note: "), "{detached:?}");
    assert_eq!(detached.stderr.lines().count(), 1, "{detached:?}");
    fake.stop();
}

/// Repeats `look` until it succeeds; after [`LONG`], fails with its last error.
#[track_caller]
fn eventually<T: std::fmt::Debug>(mut look: impl FnMut() -> Result<(), T>) {
    let deadline = Instant::now() + LONG;
    while let Err(seen) = look() {
        assert!(Instant::now() < deadline, "{seen:#?}");
        thread::sleep(Duration::from_millis(50));
    }
}
