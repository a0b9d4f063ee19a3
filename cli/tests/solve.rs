//! `sproutnet solve`: its answers, their order, and the sources of positions.

use std::time::Duration;

use crate::command;
use crate::command::{
    Running, answered, bare, column, json, published, run, run_with_input, sproutnet,
};
use serde_json::{Value, json};
use tempfile::tempdir;

const FIELDS: [&str; 10] = [
    "canonical",
    "estimate",
    "expansions",
    "nimber",
    "outcome",
    "play",
    "position",
    "records",
    "seconds",
    "source",
];

/// The nimbers of rows of Kayles of 0 to 40 pins (Winning Ways, chapter 4).
const KAYLES: [u32; 41] = [
    0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8, 5, 4, 7, 2,
    1, 8, 6, 7, 4, 1, 2, 3, 1,
];

#[test]
fn start_positions_as_published_then_from_the_store() {
    let data = tempdir().expect("a folder");
    let arguments = ["solve", "0..=9", "--play", "both", "--json"];
    let lines = run(data.path(), &arguments).with_code(0).json();
    assert_eq!(answered(&lines), published(9));
    for line in &lines {
        let mut fields: Vec<&String> = line.as_object().expect("an object").keys().collect();
        fields.sort_unstable();
        assert_eq!(fields, FIELDS);
        let numbers = ["seconds", "expansions", "records"];
        assert!(
            numbers.iter().all(|&field| line[field].is_number()),
            "{line}"
        );
        assert_eq!(line["source"], "search");
        let (misere, nimber) = (line["play"] == "misere", &line["nimber"]);
        assert!(nimber.is_null() || nimber.is_u64() && !misere, "{line}");
    }
    let again = run(data.path(), &arguments).with_code(0);
    assert!(again.took < Duration::from_secs(1), "{:?}", again.took);
    let again = again.json();
    assert_eq!(answered(&again), answered(&lines));
    assert!(again.iter().all(|line| line["source"] == "store"));
    for field in ["nimber", "seconds", "expansions", "records"] {
        assert_eq!(column(&again, field), column(&lines, field));
    }
}

#[test]
fn positions_of_any_kind() {
    let data = tempdir().expect("a folder");
    let arguments = ["solve", "0*3.1a1a", "--play", "misere", "--json"];
    let lines = run(data.path(), &arguments).with_code(0).json();
    assert_eq!(column(&lines, "canonical"), ["0*3.1a1a"]);
    assert_eq!(column(&lines, "outcome"), ["loss"]);

    // The store knows the same position in another notation.
    let arguments = ["solve", "1a1a.0.0.0", "--play", "misere", "--json"];
    let lines = run(data.path(), &arguments).with_code(0).json();
    assert_eq!(column(&lines, "position"), ["1a1a.0.0.0"]);
    assert_eq!(column(&lines, "canonical"), ["0*3.1a1a"]);
    assert_eq!(column(&lines, "source"), ["store"]);
}

#[test]
fn nimbers() {
    let data = tempdir().expect("a folder");
    // The published nimbers are 1 for three to five spots, and 0 for two, six and seven.
    let arguments = [
        "solve", "0*4", "0*4+0*2", "0*5+0*4", "0*7", "--nimber", "--json",
    ];
    let lines = run(data.path(), &arguments).with_code(0).json();
    assert_eq!(column(&lines, "nimber"), [1, 1, 0, 0]);
    assert_eq!(column(&lines, "outcome"), ["win", "win", "loss", "loss"]);

    let lines = run(data.path(), &["solve", "kayles:0..=40", "--json"])
        .with_code(0)
        .json();
    assert_eq!(column(&lines, "nimber"), KAYLES);
    assert_eq!(column(&lines, "position")[5], "kayles:5");

    let arguments = ["solve", "kayles:5+3+3", "kayles:40-41", "--json"];
    let lines = run(data.path(), &arguments).with_code(0).json();
    assert_eq!(column(&lines, "nimber"), [4, 1, 4]);
}

#[test]
fn nimbers_belong_to_normal_play() {
    let data = tempdir().expect("a folder");
    let alone = ["solve", "0*4", "--nimber", "--play", "misere", "--json"];
    let refused = run(data.path(), &alone).with_code(2);
    assert_eq!(refused.stdout, "");
    assert!(
        refused.stderr.contains("not supported"),
        "{}",
        refused.stderr
    );

    let both = ["solve", "0*4", "--nimber", "--play", "both", "--json"];
    let lines = run(data.path(), &both).with_code(0).json();
    assert_eq!(column(&lines, "nimber"), [json!(1), Value::Null]);
}

#[test]
fn positions_from_standard_input() {
    let data = tempdir().expect("a folder");
    let input = "0*4\n\n  kayles:5 \n0*x\r\n0*2\r\n";
    let ended = run_with_input(data.path(), &["solve", "-", "--json"], input).with_code(2);
    let lines = ended.json();
    let asked = [json!("0*4"), json!("kayles:5"), Value::Null, json!("0*2")];
    assert_eq!(column(&lines, "position"), asked);
    let error = lines[2]["error"].as_str().expect("a text");
    assert!(error.starts_with("column 3"), "{error}");
    assert_eq!(
        (&lines[2]["line"], &lines[2]["input"]),
        (&4.into(), &"0*x".into())
    );
    assert!(ended.stderr.contains("column 3"), "{}", ended.stderr);

    let ended = run_with_input(data.path(), &["solve", "-"], "0*x\n0*2").with_code(2);
    assert!(ended.stdout.contains("0*2") && !ended.stdout.contains("0*x"));
    assert_eq!(
        run_with_input(data.path(), &["solve", "-"], "")
            .with_code(0)
            .stdout,
        ""
    );
}

#[test]
fn answers_stream() {
    let data = tempdir().expect("a folder");
    let mut running = Running::start(sproutnet(data.path(), &["solve", "-", "--json"]));
    for position in ["0*5", "0*3", "kayles:7"] {
        running.write(&format!("{position}\n"));
        assert_eq!(json(&running.line())["position"], position);
    }
    running.end(command::LONG).with_code(0);
}

#[test]
fn columns_are_aligned() {
    let data = tempdir().expect("a folder");
    let arguments = ["solve", "0..=6", "kayles:8", "--play", "both"];
    let text = run(data.path(), &arguments).with_code(0).stdout;
    let mut lines = text.lines();
    let heading = lines.next().expect("a heading");
    let names: Vec<&str> = heading.split_whitespace().collect();
    let expected = [
        "position",
        "play",
        "outcome",
        "nimber",
        "source",
        "time",
        "expansions",
        "records",
    ];
    assert_eq!(names, expected);
    let (left, right) = names.split_at(5);
    let (mut answers, is_blank) = (0, |line: &str, at| line[at..].starts_with(' '));
    for line in lines {
        answers += 1;
        for name in left {
            let at = heading.find(name).expect("it is there");
            let starts = !is_blank(line, at) && (at == 0 || is_blank(line, at - 1));
            assert!(starts, "{name}:\n{heading}\n{line}");
        }
        for name in right {
            let end = heading.find(name).expect("it is there") + name.len();
            let ends = !is_blank(line, end - 1) && (end == line.len() || is_blank(line, end));
            assert!(ends, "{name}:\n{heading}\n{line}");
        }
    }
    assert_eq!(answers, 16);
}

#[test]
fn any_number_of_cores_agrees() {
    let outcomes = ["1", "2"].map(|cores| {
        let data = tempdir().expect("a folder");
        let arguments = [
            "solve", "0..=8", "--play", "both", "--nimber", "--json", "--cores", cores,
        ];
        let lines = run(data.path(), &arguments).with_code(0).json();
        (answered(&lines), column(&lines, "nimber"))
    });
    assert_eq!(outcomes[0], outcomes[1]);
    assert_eq!(outcomes[0].0, published(8));
}

#[test]
fn the_environment_in_place_of_options() {
    let data = tempdir().expect("a folder");
    let mut command = bare(&["solve", "0*5"]);
    command
        .env("SPROUTNET_DATA", data.path())
        .env("SPROUTNET_JSON", "true")
        .env("SPROUTNET_PLAY", "both")
        .env("SPROUTNET_CORES", "1");
    let ended = Running::start(command).end(command::LONG).with_code(0);
    assert_eq!(column(&ended.json(), "play"), ["normal", "misere"]);
    let lines = run(data.path(), &["solve", "0*5", "--json"]).json();
    assert_eq!(column(&lines, "source"), ["store"]);

    // An option overrides the environment.
    let mut command = sproutnet(data.path(), &["solve", "0*5", "--play", "misere"]);
    command.env("SPROUTNET_PLAY", "normal");
    let ended = Running::start(command).end(command::LONG).with_code(0);
    assert!(ended.stdout.contains("misere") && !ended.stdout.contains("normal"));

    let mut command = sproutnet(data.path(), &["solve", "0*5"]);
    command.env("SPROUTNET_CORES", "none");
    Running::start(command).end(command::LONG).with_code(2);
}
