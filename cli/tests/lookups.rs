//! `sproutnet query`, `moves` and `line`: lookups of known facts.

use std::path::Path;

use crate::command::{column, run};
use serde_json::{Value, json};
use sproutnet_game as game;
use sproutnet_model::{Known, Source, Standing};
use tempfile::tempdir;

fn one(data: &Path, arguments: &[&str], code: i32) -> Value {
    let mut lines = run(data, arguments).with_code(code).json();
    assert_eq!(lines.len(), 1, "{lines:?}");
    lines.remove(0)
}

#[test]
fn a_query_tells_what_is_known() {
    let data = tempdir().expect("a folder");
    let published = one(
        data.path(),
        &["query", "0*7", "--within", "0s", "--json"],
        0,
    );
    assert_eq!(published["normal"]["source"], "atlas");
    let citation = "proved by Sproutnet, certificate normal-7";
    assert_eq!(published["normal"]["citation"], citation);
    let open = one(
        data.path(),
        &["query", "0*7+0*7", "--within", "0s", "--json"],
        3,
    );
    let nobody_knows = json!({
        "outcome": "unknown", "source": null, "basis": null, "citation": null, "solved": null,
        "computation": null, "verified": false,
    });
    let land = json!({
        "canonical": "0*7", "normal": "loss", "misere": "unknown", "nimber": 0, "genus": null,
        "verified": [],
    });
    let expected = json!({
        "position": "0*7+0*7", "canonical": "0*7+0*7", "game": "sprouts", "most_moves": 40,
        "normal": Standing::known(Known::Loss, Source::Derived), "misere": nobody_knows,
        "nimber": 0, "genus": null, "lands": [land, land],
    });
    assert_eq!(open, expected);

    run(data.path(), &["solve", "0*7", "--nimber"]).with_code(0);
    let known = one(
        data.path(),
        &["query", "0*7", "--play", "normal", "--json"],
        0,
    );
    assert_eq!(
        (&known["normal"]["outcome"], &known["nimber"]),
        (&"loss".into(), &0.into())
    );
    let solved = &known["normal"]["solved"];
    assert_eq!(solved["computation"], 1);
    assert!(
        solved["solved_at"].as_u64() > Some(1_700_000_000),
        "{solved}"
    );
    // By default both conventions matter.
    run(data.path(), &["solve", "0*7", "--play", "misere"]).with_code(0);
    let known = one(data.path(), &["query", "0*7", "--json"], 0);
    assert_eq!(known["misere"]["outcome"], "loss");
    let text = run(data.path(), &["query", "0*7"]).with_code(0).stdout;
    assert!(
        text.contains("misere: solved here by computation 2 at 2"),
        "{text}"
    );
}

#[test]
fn a_small_position_is_searched_on_the_spot_and_stays_known() {
    let data = tempdir().expect("a folder");
    let position = "0*5.1a1a";
    let none = ["query", position, "--within", "0s", "--json"];
    assert_eq!(one(data.path(), &none, 3)["normal"]["outcome"], "unknown");
    let text = run(data.path(), &["query", position, "--within", "0"])
        .with_code(3)
        .stdout;
    assert!(
        text.contains("sproutnet solve \"0*5.1a1a\" --play normal"),
        "{text}"
    );
    let found = one(
        data.path(),
        &["query", position, "--within", "10s", "--json"],
        0,
    );
    for play in ["normal", "misere"] {
        assert_eq!(found[play]["source"], "search", "{found}");
    }
    let kept = one(data.path(), &none, 0);
    for play in ["normal", "misere"] {
        assert_eq!(kept[play]["source"], "derived", "{kept}");
        assert_eq!(kept[play]["outcome"], found[play]["outcome"], "{kept}");
    }
}

#[test]
fn a_missing_nimber_comes_with_the_way_to_it() {
    let data = tempdir().expect("a folder");
    let told = |position: &str| {
        let asked = ["query", position, "--within", "0s"];
        run(data.path(), &asked).stdout
    };
    let way = "nimber: `sproutnet solve \"0*5\" --nimber` finds it";
    assert!(told("0*5").lines().any(|line| line == way));
    // It is known, there is none, or a search would take long.
    for position in ["0*8", "switching:gale(2)/cut", "0*40"] {
        assert!(!told(position).contains("nimber: "), "{position}");
    }
}

#[test]
fn a_line_leads_from_move_to_move_to_the_end() {
    let data = tempdir().expect("a folder");
    let line = one(
        data.path(),
        &["line", "0*5+0*40", "--within", "10s", "--json"],
        3,
    );
    assert_eq!(
        line["steps"].as_array().map(Vec::len),
        Some(1),
        "nobody knows who wins"
    );
    let line = one(
        data.path(),
        &["line", "0*5", "--within", "10s", "--json"],
        0,
    );
    let steps = line["steps"].as_array().expect("a list");
    let texts = column(steps, "canonical");
    assert_eq!(
        (&texts[0], &texts[texts.len() - 1]),
        (&json!("0*5"), &json!("!"))
    );
    // The first player wins, so the winner's move is the last one.
    assert_eq!(steps.len() % 2, 0, "{line}");
    let text = run(data.path(), &["line", "0*5"]).with_code(0).stdout;
    assert_eq!(text.lines().count(), steps.len() + 1, "{text}");
}

#[test]
fn small_positions_are_solved_on_the_spot_by_every_command() {
    let play_of = |row: &Value, play: &str| row[play].as_str().expect("an outcome").to_owned();
    for (position, normal, misere) in [("0*5", "win", "win"), ("0*8", "loss", "loss")] {
        let data = tempdir().expect("a folder");
        let in_time = ["moves", position, "--within", "10s", "--json"];
        let moves = run(data.path(), &in_time).with_code(0).json();
        for (play, outcome) in [("normal", normal), ("misere", misere)] {
            let won = moves.iter().filter(|row| play_of(row, play) == "win");
            let lost = moves.iter().filter(|row| play_of(row, play) == "loss");
            let (won, lost) = (won.count(), lost.count());
            assert_eq!(won + lost, moves.len(), "{moves:?}");
            assert_eq!(won > 0, outcome == "win", "{moves:?}");
        }
        for play in ["normal", "misere"] {
            let data = tempdir().expect("a folder");
            let line = ["line", position, "--play", play, "--within", "10s"];
            run(data.path(), &line).with_code(0);
        }
    }
    let data = tempdir().expect("a folder");
    let not_at_sight = ["moves", "0*5", "--within", "0s", "--json"];
    let moves = run(data.path(), &not_at_sight).with_code(0).json();
    assert!(moves.iter().any(|row| row["normal"] == "unknown"));
    let sum = ["query", "0*5+0*40", "--within", "10s", "--json"];
    let lands = one(data.path(), &sum, 3)["lands"].clone();
    assert_eq!(lands[0]["normal"], "win", "{lands}");
    assert_eq!(lands[0]["misere"], "win", "{lands}");
}

#[test]
fn all_moves_of_a_position_that_is_told_to_be_lost_are_told_to_lose() {
    let data = tempdir().expect("a folder");
    // The first outcome is published, the second one is proved by the atlas.
    for (start, play, source) in [
        ("0*38", "normal", "literature"),
        ("0*20", "misere", "atlas"),
    ] {
        let query = ["query", start, "--play", play, "--json"];
        let known = one(data.path(), &query, 0);
        assert_eq!(known[play]["source"], source);
        assert_eq!(known[play]["outcome"], "loss");
        let moves = ["moves", start, "--play", play, "--json"];
        let moves = run(data.path(), &moves).with_code(0).json();
        assert!(column(&moves, play).iter().all(|outcome| outcome == "loss"));
    }
}

#[test]
fn a_query_of_one_convention_needs_only_that() {
    let data = tempdir().expect("a folder");
    run(data.path(), &["solve", "0*7.1a1a"]).with_code(0);
    for (play, code) in [("normal", 0), ("misere", 3), ("both", 3)] {
        let text = "0*7.1a1a";
        run(
            data.path(),
            &["query", text, "--within", "0s", "--play", play],
        )
        .with_code(code);
    }
}

#[test]
fn a_query_of_a_sum_tells_of_each_land() {
    let data = tempdir().expect("a folder");
    let sum = one(data.path(), &["query", "kayles:5+3", "--json"], 0);
    let normal = &sum["normal"]["outcome"];
    assert_eq!((normal, &sum["nimber"]), (&"win".into(), &7.into()));
    let lands = sum["lands"].as_array().expect("a list");
    assert_eq!(column(lands, "nimber"), [3, 4]);

    let text = run(data.path(), &["query", "0*2+0*60"]).with_code(3).stdout;
    let mut lines = text.lines().map(|line| line.split_whitespace().collect());
    let mut next = || -> Vec<&str> { lines.next().expect("a line") };
    assert_eq!(next(), ["position", "normal", "nimber", "misere", "genus"]);
    assert_eq!(next()[1..], ["loss", "0", "unknown", "-"]);
    assert_eq!(next(), ["land", "0*2", "loss", "0", "loss", "0^02"]);
    assert_eq!(next(), ["land", "0*60", "loss", "0", "unknown", "-"]);
    assert!(
        text.contains("not solved here: the nimbers of its lands ("),
        "{text}"
    );
}

#[test]
fn moves_are_told_for_the_player_who_makes_them() {
    let data = tempdir().expect("a folder");
    // With several threads, the recorded facts would depend on timing.
    let solve = ["solve", "0..=6", "--play", "both", "--cores", "1"];
    run(data.path(), &solve).with_code(0);
    for (spots, normal, misere) in [(3, "win", "loss"), (5, "win", "win"), (6, "loss", "win")] {
        let position = format!("0*{spots}");
        for (play, outcome) in [("normal", normal), ("misere", misere)] {
            let arguments = ["moves", &position, "--play", play, "--json"];
            let moves = run(data.path(), &arguments).with_code(0).json();
            assert!(!moves.is_empty());
            let outcomes = column(&moves, play);
            let rank = |outcome: &Value| {
                ["win", "unknown", "loss"]
                    .map(Value::from)
                    .iter()
                    .position(|known| known == outcome)
            };
            assert!(
                outcomes.is_sorted_by_key(|outcome| rank(outcome).expect("an outcome")),
                "{outcomes:?}"
            );
            // A winner has a winning move; a loser has none.
            assert_eq!(outcomes[0] == "win", outcome == "win", "{position} {play}");
            for line in &moves {
                check_move(data.path(), line);
            }
        }
    }
}

/// Checks a move: the text of the position after it is canonical, and the position's outcome is the opposite one.
fn check_move(data: &Path, line: &Value) {
    let text = line["canonical"].as_str().expect("a text");
    let (game, position) = game::parse(text).expect("a position");
    assert_eq!(game.print(&position), text);
    let faced = run(data, &["query", text, "--within", "0s", "--json"])
        .json()
        .remove(0);
    for play in ["normal", "misere"] {
        let reversed = match line[play].as_str() {
            Some("win") => "loss",
            Some("loss") => "win",
            unknown => unknown.expect("an outcome"),
        };
        // Outcomes from the literature or the atlas are not applied to moves.
        if faced[play]["source"] != "literature" && faced[play]["source"] != "atlas" {
            assert_eq!(faced[play]["outcome"], reversed, "{text} {play}");
        }
    }
    assert_eq!(faced["nimber"], line["nimber"]);
}

#[test]
fn texts_of_other_games_name_their_game() {
    let data = tempdir().expect("a folder");
    let row = one(data.path(), &["query", "kayles:5", "--json"], 0);
    let moves = run(data.path(), &["moves", "kayles:5", "--json"])
        .with_code(0)
        .json();
    assert_eq!(moves.len(), 5);
    for line in moves.iter().chain([&row]) {
        let text = line["canonical"].as_str().expect("a text");
        let (game, _) = game::parse(text).expect("a position");
        assert_eq!(game.name(), "kayles", "`{text}` reads as another game");
    }
}

#[test]
fn moves_as_text() {
    let data = tempdir().expect("a folder");
    let text = run(data.path(), &["moves", "0*2"]).with_code(0).stdout;
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(
        rows[0].join(" "),
        "move to normal nimber misere genus verified"
    );
    // Two spots are a loss under both conventions, so no move wins.
    assert!(
        rows.len() > 1
            && rows[1..]
                .iter()
                .all(|row| row[1] == "loss" && row[3] == "loss"),
        "{text}"
    );
    let over = run(data.path(), &["moves", "!"]).with_code(0).stdout;
    assert!(over.contains("no moves"), "{over}");
    assert_eq!(
        run(data.path(), &["moves", "!", "--json"])
            .with_code(0)
            .stdout,
        ""
    );
}

#[test]
fn a_position_keeps_the_name_under_which_it_was_asked() {
    let data = tempdir().expect("a folder");
    let petersen = "node-kayles:complement(complement(petersen))";
    let asked = ["query", petersen, "--within", "0s"];
    let one = run(data.path(), &asked).stdout;
    let told = format!("\n{petersen}  win ");
    assert!(one.contains(&told), "{one}");
    assert!(
        one.contains("\ncanonical form: node-kayles:petersen\n"),
        "{one}"
    );
    let several = run(data.path(), &["query", petersen, "2"])
        .with_code(0)
        .stdout;
    assert!(several.contains(&told), "{several}");
    let grid = "node-kayles:grid(5,5)";
    let unknown = run(data.path(), &["query", grid, "--within", "0s"])
        .with_code(3)
        .stdout;
    let solve = format!("`sproutnet solve \"{grid}\" --play normal` finds out");
    assert!(unknown.contains(&solve), "{unknown}");
}
