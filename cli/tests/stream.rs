//! `sproutnet query -`: answers to positions from standard input, in order.

use crate::command::{LONG, json};
use crate::command::{Running, column, run, run_with_input, sproutnet};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::process::Stdio;
use std::time::Duration;
use tempfile::tempdir;

#[test]
fn an_answer_for_each_line_in_order() {
    let data = tempdir().expect("a folder");
    let solve = ["solve", "kayles:0..=59", "--nimber", "--play", "normal"];
    run(data.path(), &solve).with_code(0);
    let mut input = String::new();
    for n in 0..60 {
        writeln!(input, "kayles:{n}").expect("a text");
    }
    // Enough time for the misère quotient of Kayles.
    let within = ["--within", "10s"];
    let query = [&["query", "-", "--json"][..], &within].concat();
    let ended = run_with_input(data.path(), &query, &input).with_code(0);
    let lines = ended.json();
    let positions: Vec<Value> = input.lines().map(Value::from).collect();
    assert_eq!(column(&lines, "position"), positions);
    // A single query gets the same answer.
    let query = [&["query", "kayles:57", "--json"][..], &within].concat();
    let one = run(data.path(), &query);
    assert_eq!(lines[57], one.with_code(0).json()[0]);

    let query = ["query", "-", "--play", "normal"];
    let text = run_with_input(data.path(), &query, &input).with_code(0);
    let rows: Vec<&str> = text.stdout.lines().collect();
    assert_eq!(rows.len(), 61);
    assert!(rows[0].starts_with("position"), "{}", rows[0]);
    assert!(rows[58].starts_with("kayles:57 "), "{}", rows[58]);
}

#[test]
fn answers_come_while_the_input_is_open() {
    let data = tempdir().expect("a folder");
    let mut stream = Running::start(sproutnet(data.path(), &["query", "-", "--json"]));
    for position in ["kayles:5", "0*2", "kayles:3"] {
        stream.write(&format!("{position}\n"));
        assert_eq!(json(&stream.line())["position"], position);
    }
    assert!(stream.runs_for(Duration::from_millis(200)));
    stream.end(LONG).with_code(0);
}

#[test]
fn a_comment_ends_a_line() {
    let data = tempdir().expect("a folder");
    let input = "# two starts\nkayles:5 # five pins\n\t# none\n0*2\t#\n0*2#\n";
    let ended = run_with_input(data.path(), &["query", "-", "--json"], input).with_code(2);
    let lines = ended.json();
    assert_eq!(column(&lines[..2], "position"), ["kayles:5", "0*2"]);
    assert_eq!(lines[2]["input"], "0*2#");
}

#[test]
fn a_bad_line_is_answered_and_the_rest_too() {
    let data = tempdir().expect("a folder");
    let input = "kayles:5\n0*x\n\nchess:1\n  kayles:3  \n";
    let ended = run_with_input(data.path(), &["query", "-", "--json"], input).with_code(2);
    let lines = ended.json();
    assert_eq!(lines.len(), 4, "{ended:?}");
    let is_error = column(&lines, "error");
    let is_error: Vec<bool> = is_error.iter().map(Value::is_string).collect();
    assert_eq!(is_error, [false, true, true, false]);
    assert_eq!(lines[3]["position"], "kayles:3");

    let ended = run_with_input(data.path(), &["query", "-"], input).with_code(2);
    assert_eq!(ended.stdout.lines().count(), 3, "{ended:?}");
    assert_eq!(ended.stderr.matches("error: ").count(), 2, "{ended:?}");
}

#[test]
fn a_line_that_is_no_text() {
    let data = tempdir().expect("a folder");
    let path = data.path().join("positions");
    fs::write(&path, b"kayles:5\n\xff\xfe\nkayles:3\n").expect("it can be written");
    let input = Stdio::from(fs::File::open(path).expect("it is there"));
    let store = data.path().join("store");
    let command = sproutnet(&store, &["query", "-", "--json"]);
    let ended = Running::start_between(input, command, Stdio::piped())
        .end_with_open_input(LONG)
        .with_code(2);
    assert_eq!(
        column(&ended.json(), "nimber"),
        [4.into(), Value::Null, 3.into()]
    );
}

#[test]
fn the_exit_code_tells_the_worst() {
    let data = tempdir().expect("a folder");
    let query = |input, play| run_with_input(data.path(), &["query", "-", "--play", play], input);
    query("", "both").with_code(0);
    query("kayles:5\n", "normal").with_code(0);
    query("kayles:5\n0*40.1a1a\nkayles:5\n", "normal").with_code(3);
    query("0*40.1a1a\n0*x\n", "normal").with_code(2);
}
