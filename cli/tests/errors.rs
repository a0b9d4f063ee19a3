//! Bad input and faults: exit codes, and messages that say what is wrong and where.

use std::fs::File;
use std::net::TcpListener;
use std::process::Stdio;
use std::time::Duration;

use crate::command::{LONG, Running, bare, json, run, sproutnet};
use tempfile::tempdir;

const COMMANDS: [&str; 3] = ["solve", "query", "moves"];

#[test]
fn a_caret_stands_under_what_cannot_be_read() {
    let data = tempdir().expect("a folder");
    // A text, and the column of the fault.
    let bad = [
        ("0*x", 3),
        ("0*3.x-", 6),
        ("0*3.", 5),
        ("0*3|?", 5),
        ("é", 1),
        ("0.é", 3),
        ("kayles:5+x", 10),
        ("kayles:10001", 8),
    ];
    for command in COMMANDS {
        for (text, column) in bad {
            let refused = run(data.path(), &[command, text]).with_code(2);
            assert_eq!(refused.stdout, "");
            let lines: Vec<&str> = refused.stderr.lines().collect();
            let [message, shown, caret] = lines[..] else {
                panic!("{}", refused.stderr)
            };
            let named = format!("error: column {column}: ");
            assert!(message.starts_with(&named), "{text}: {message}");
            assert_eq!(shown.trim_start(), text);
            let indent = shown.chars().count() - text.chars().count();
            let expected = format!("{}^", " ".repeat(indent + column - 1));
            assert_eq!(caret, expected, "{shown}");
        }
    }
}

#[test]
fn unknown_games() {
    let data = tempdir().expect("a folder");
    let mut asked: Vec<[&str; 2]> = COMMANDS.map(|command| [command, "chess:3"]).into();
    asked.push(["solve", "chess:0..=3"]);
    asked.push(["table", "chess"]);
    for arguments in asked {
        let refused = run(data.path(), &arguments).with_code(2);
        assert!(
            refused.stderr.contains("no game called `chess`"),
            "{refused:?}"
        );
    }
}

#[test]
fn bad_ranges() {
    let data = tempdir().expect("a folder");
    let huge = [
        "0..=4294967295",
        "0..=99999999999999999999",
        "kayles:0..=10000",
        "0..20000",
    ];
    let malformed = ["0..x", "..=3", "0..", "0..=", "-1..=3", "0...3"];
    for range in huge.into_iter().chain(malformed) {
        let refused = run(data.path(), &["solve", "--", range]).with_code(2);
        assert_eq!(refused.stdout, "");
        assert!(refused.stderr.starts_with("error: "), "{refused:?}");
    }
    // Within the number of start positions, but of more spots than can be handled.
    let refused = run(data.path(), &["solve", "0..=400"]).with_code(2);
    assert!(refused.stderr.contains("1000 lives"), "{refused:?}");
    // Nothing was begun.
    assert_eq!(std::fs::read_dir(data.path()).expect("a folder").count(), 0);
}

#[test]
fn bad_options() {
    let data = tempdir().expect("a folder");
    let bad = [
        ("--memory", "5bananas"),
        ("--memory", "-1G"),
        ("--cores", "0"),
        ("--cores", "all"),
        ("--cores", "100000"),
        ("--deadline", "0s"),
        ("--deadline", "5 weeks"),
        ("--play", "chess"),
    ];
    for (option, value) in bad {
        let argument = format!("{option}={value}");
        let refused = run(data.path(), &["solve", "0", &argument]).with_code(2);
        assert!(refused.stderr.contains(option), "{refused:?}");
        assert!(refused.stderr.contains(value), "{refused:?}");
    }
    run(data.path(), &["solve"]).with_code(2);
    run(data.path(), &["solve", "-", "0*3"]).with_code(2);
    run(data.path(), &["unsolve"]).with_code(2);
}

#[test]
fn more_memory_than_there_is() {
    let data = tempdir().expect("a folder");
    let arguments = ["solve", "0*3", "--memory", "99999999G"];
    let failed = run(data.path(), &arguments);
    let code = failed.status.code();
    assert!(code == Some(1) || code == Some(2), "{:?}", failed.status);
    assert!(failed.stderr.starts_with("error: "), "{}", failed.stderr);
}

#[test]
fn a_file_where_the_store_should_be() {
    let data = tempdir().expect("a folder");
    let file = data.path().join("file");
    std::fs::write(&file, "no store").expect("a file");
    for data in [&file, &file.join("below")] {
        let failed = run(data, &["solve", "0*3"]).with_code(1);
        assert_eq!(failed.stderr.lines().count(), 1, "{}", failed.stderr);
        let chain = [
            "error: ",
            "cannot use the store",
            "cannot create the folder",
            "os error",
        ];
        let places: Vec<_> = chain.iter().map(|part| failed.stderr.find(part)).collect();
        assert!(
            places.iter().all(Option::is_some) && places.is_sorted(),
            "{}",
            failed.stderr
        );
        assert!(
            failed.stderr.contains(&*data.to_string_lossy()),
            "{}",
            failed.stderr
        );
    }
}

#[test]
fn a_store_in_use() {
    let data = tempdir().expect("a folder");
    let mut holder = Running::start(sproutnet(data.path(), &["solve", "-", "--json"]));
    holder.write("0*3\n");
    assert_eq!(json(&holder.line())["outcome"], "win");
    for arguments in [["solve", "0*2"], ["query", "0*2"], ["table", "sprouts"]] {
        let failed = run(data.path(), &arguments).with_code(1);
        assert_eq!(failed.stderr.lines().count(), 1, "{}", failed.stderr);
        assert!(
            failed.stderr.contains("in use by another process"),
            "{failed:?}"
        );
        assert!(failed.stderr.contains("--coordinator URL"), "{failed:?}");
    }
    // The holder goes on undisturbed, and lets go of the store at its end.
    holder.write("0*2\n");
    assert_eq!(json(&holder.line())["outcome"], "loss");
    holder.end(LONG).with_code(0);
    run(data.path(), &["query", "0*2"]).with_code(0);
}

#[test]
fn a_coordinator_that_is_not_there() {
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let url = format!("http://{}", port.expect("a free port"));
    for command in COMMANDS {
        let failed = Running::start(bare(&[command, "0*3", "--coordinator", &url]));
        let failed = failed.end(LONG).with_code(1);
        assert_eq!(failed.stderr.lines().count(), 1, "{}", failed.stderr);
        let named = format!("error: cannot reach {url}: ");
        assert!(failed.stderr.starts_with(&named), "{}", failed.stderr);
        assert!(failed.stderr.contains("refused"), "{}", failed.stderr);
    }
}

#[test]
fn urls_that_are_none() {
    for url in ["not a url", "http://", "localhost:5000", "localhost"] {
        let refused = Running::start(bare(&["query", "0*3", "--coordinator", url])).end(LONG);
        assert!(refused.stderr.contains(url), "{refused:?}");
        refused.with_code(2);
    }
}

#[test]
fn nobody_reads_the_answers() {
    let data = tempdir().expect("a folder");
    for arguments in [
        &["solve", "0..=5"][..],
        &["solve", "0..=5", "--json"],
        &["table"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let command = sproutnet(data.path(), arguments);
        let ended = Running::start_between(Stdio::null(), command, writer.into()).end(LONG);
        let panicked = ended.stderr.contains("panicked");
        assert!(!panicked && ended.status.code() < Some(2), "{ended:#?}");
    }
}

#[test]
fn input_that_cannot_be_read() {
    let data = tempdir().expect("a folder");
    let folder = File::open(data.path()).expect("a folder");
    let command = sproutnet(data.path(), &["solve", "-"]);
    let mut running = Running::start_between(folder.into(), command, Stdio::piped());
    let first = running.error_line_where(|_| true);
    assert!(first.contains("standard input"), "{first}");
    assert!(
        !running.runs_for(Duration::from_secs(5)),
        "it reads on and on"
    );
    let failed = running.end(LONG);
    assert_ne!(failed.status.code(), Some(0));
    assert_eq!(failed.stderr.lines().count(), 1, "{}", failed.stderr);
}
