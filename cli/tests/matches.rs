//! `sproutnet match`: records of matches.

use crate::command::{column, run, run_with_input};
use serde_json::{Value, json};
use sproutnet_game::sprouts::replay::{self, ReplayError};
use sproutnet_game::{Game, Sprouts};
use sproutnet_notation::matches::{self, Player, Record};
use tempfile::tempdir;

/// Published matches, which one player resigned.
const PUBLISHED: &str = include_str!("../../common/game/src/sprouts/replay/published.txt");

#[test]
fn the_player_who_resigned_is_lost() {
    let data = tempdir().expect("a folder");
    let records = matches::read(PUBLISHED).expect("records");
    assert_eq!(records.len(), 13);
    let mut ambiguous = 0;
    for record in records {
        let readings = readings(&record);
        ambiguous += usize::from(readings.len() > 1);
        let texts: Vec<String> = readings.iter().map(Record::to_string).collect();
        // The last positions are too large for a search on the spot, and are solved.
        let asked = ["match", "-", "--json", "--within", "0s"];
        let reviews = run_with_input(data.path(), &asked, &texts.join("\n")).json();
        assert_eq!(reviews.len(), readings.len());
        let is_lost = |review: &Value| {
            let steps = review["steps"].as_array().expect("steps");
            let to_move = Player::of_move(steps.len() - 1);
            let wins = record.winner == Some(to_move);
            let last = steps[steps.len() - 1]["canonical"]
                .as_str()
                .expect("a text");
            let solve = ["solve", last, "--play", record.play.name(), "--json"];
            let solved = run(data.path(), &solve).with_code(0).json().remove(0);
            solved["outcome"] == if wins { "win" } else { "loss" }
        };
        assert!(reviews.iter().any(is_lost), "{record}: {reviews:?}");
    }
    assert_eq!(ambiguous, 1);
}

/// The readings of a match; in each, every ambiguous move is replaced by one that is not.
fn readings(record: &Record) -> Vec<Record> {
    match replay::replay(record) {
        Ok(_) => vec![record.clone()],
        Err(ReplayError::Ambiguous {
            number,
            readings: exact,
            ..
        }) => {
            let exact = exact.into_iter().flat_map(|(_, made)| {
                let mut record = record.clone();
                record.moves[number - 1] = made;
                readings(&record)
            });
            exact.collect()
        }
        Err(error) => panic!("{record}: {error}"),
    }
}

#[test]
fn a_mistake_is_marked() {
    let data = tempdir().expect("a folder");
    // The first player wins with three spots: by joining two, but not by a loop around nothing.
    let records = "3+ (a - b) 1(4)1 II\n3+ 1(4)2";
    let reviews = run_with_input(data.path(), &["match", "-", "--json"], records);
    let reviews = reviews.with_code(0).json();
    let after = Sprouts.parse("AB|0*2.AB").expect("a position");
    assert_eq!(
        reviews[0],
        json!({
            "record": "3+ (a - b) 1(4)1 II", "spots": 3, "play": "normal", "players": "a - b", "winner": "II",
            "steps": [
                {
                    "move": 0, "player": null, "written": null, "canonical": "0*3",
                    "outcome": "win", "mistake": null,
                },
                {
                    "move": 1, "player": "I", "written": "1(4)1", "canonical": Sprouts.print(&after),
                    "outcome": "win", "mistake": true,
                },
            ],
        })
    );
    assert_eq!(reviews[1]["steps"][1]["mistake"], false);
    let text = run_with_input(data.path(), &["match", "-"], records).with_code(0);
    let lines: Vec<&str> = text.stdout.lines().collect();
    assert_eq!(lines[0], "3 spots, normal play, a - b");
    assert!(lines[3].ends_with("mistake"), "{}", text.stdout);
    assert_eq!(lines[4], "II won, as the last position says");
}

#[test]
fn bad_matches_are_refused_with_the_move() {
    let data = tempdir().expect("a folder");
    for (record, problem) in [
        ("", "there is no match"),
        ("8+ 1(9", "line 1, column 7: expected `)`"),
        (
            "3+ 1(4)2 1(9)3",
            "3+: move 2, 1(9)3: the new spot has the number 5",
        ),
        (
            "4+ (a - b) 1(5)1[2] 2(6)3",
            "4+ (a - b): move 2, 2(6)3: spots 2 and 3 share no region",
        ),
        (
            "4+ 1(5)1[2] 1(6)5",
            "move 2, 1(6)5, is ambiguous\n  1(6)5[3,4] leads to 0*1+0*2.2\n  1(6)5[2] leads to 0.2+0*2",
        ),
    ] {
        let refused = run_with_input(data.path(), &["match", "-"], record).with_code(2);
        assert_eq!(refused.stdout, "");
        assert!(
            refused.stderr.contains(problem),
            "{record}: {}",
            refused.stderr
        );
    }
    let missing = run(data.path(), &["match", "/no/such/file"]).with_code(2);
    assert!(
        missing.stderr.contains("/no/such/file"),
        "{}",
        missing.stderr
    );
}

#[test]
fn matches_are_written() {
    let data = tempdir().expect("a folder");
    let record = "5- (a - b) 1(6)1[3-5] 2(7)2 I";
    let written = run_with_input(data.path(), &["match", "-", "--write"], record).with_code(0);
    let again = run_with_input(data.path(), &["match", "-", "--write"], &written.stdout);
    assert_eq!(again.with_code(0).stdout, written.stdout);
    // A line of play is a match, too.
    let line = run(data.path(), &["line", "0*4", "--json"])
        .with_code(0)
        .json();
    let steps = line[0]["steps"].as_array().expect("steps").clone();
    let positions = column(&steps, "canonical");
    let texts: Vec<&str> = positions
        .iter()
        .map(|text| text.as_str().expect("a text"))
        .collect();
    let asked = ["match", "-", "--positions", "normal", "--write"];
    let written = run_with_input(data.path(), &asked, &texts.join("\n")).with_code(0);
    assert!(written.stdout.starts_with("4+ "), "{}", written.stdout);
    let review = run_with_input(data.path(), &["match", "-", "--json"], &written.stdout);
    let review = review.with_code(0).json();
    let steps = review[0]["steps"].as_array().expect("steps");
    assert_eq!(column(steps, "canonical"), positions);
}
