//! `sproutnet solve --deadline`: it ends in time, and keeps the facts found by then.

use std::time::Duration;

use crate::command::{Content, LONG, Running, column, run, sproutnet};
use tempfile::tempdir;

/// The time limit of a command: one second for the search, the rest for start and end.
const IN_TIME: Duration = Duration::from_millis(2500);

#[test]
fn unknown_in_time_and_further_each_time() {
    for (position, play) in [("0*40", "normal"), ("0*18", "misere")] {
        let data = tempdir().expect("a folder");
        let arguments = [
            "solve",
            position,
            "--play",
            play,
            "--deadline",
            "1s",
            "--json",
        ];
        let mut before = Content::default();
        for time in [1.0, 2.0, 3.0] {
            let running = Running::start(sproutnet(data.path(), &arguments));
            let ended = running.end(LONG).with_code(3);
            assert!(ended.took < IN_TIME, "{:?}", ended.took);
            assert!(ended.took > Duration::from_secs(1), "{:?}", ended.took);
            let lines = ended.json();
            assert_eq!(column(&lines, "outcome"), ["unknown"]);
            assert!(lines[0]["source"].is_null() && lines[0]["nimber"].is_null());
            let seconds = lines[0]["seconds"].as_f64().expect("a number");
            assert!((time..2.0 * time + 0.5).contains(&seconds), "{seconds}");

            let after = Content::read(data.path());
            before.check_kept_in(&after);
            assert!(
                after.records.len() > before.records.len(),
                "nothing new was found"
            );
            before = after;
        }
        let told = run(data.path(), &["query", position, "--json"]).json();
        assert!(told[0][play]["solved"].is_null(), "{told:?}");
    }
}

#[test]
fn a_later_run_without_a_deadline_finishes() {
    let data = tempdir().expect("a folder");
    let solve = ["solve", "0*10", "--play", "misere", "--json"];
    let hurried = [&solve[..], &["--deadline", "100ms"]].concat();
    let lines = run(data.path(), &hurried).with_code(3).json();
    assert_eq!(column(&lines, "outcome"), ["unknown"]);
    let before = Content::read(data.path());

    let lines = run(data.path(), &solve).with_code(0).json();
    assert_eq!(column(&lines, "outcome"), ["win"]);
    assert_eq!(column(&lines, "source"), ["search"]);
    before.check_kept_in(&Content::read(data.path()));

    // The deadline does not matter for a known position.
    let lines = run(data.path(), &hurried).with_code(0).json();
    assert_eq!(column(&lines, "source"), ["store"]);
}

#[test]
fn each_position_has_the_whole_time() {
    let data = tempdir().expect("a folder");
    let arguments = [
        "solve",
        "0*5",
        "0*40",
        "0*3",
        "0*50",
        "0*2",
        "--deadline",
        "500ms",
        "--json",
    ];
    let ended = run(data.path(), &arguments).with_code(3);
    let expected = ["win", "unknown", "win", "unknown", "loss"];
    let lines = ended.json();
    assert_eq!(column(&lines, "outcome"), expected);
    assert!(
        ended.took < Duration::from_secs(1) + IN_TIME,
        "{:?}",
        ended.took
    );
    assert!(lines[3]["expansions"].as_u64() > Some(0), "{}", lines[3]);
}
