//! All games through every command, and `sproutnet games`.

use std::fs;

use crate::command::{column, run, run_with_input};
use serde_json::{Value, json};
use sproutnet_game::{self as game, Game};
use tempfile::tempdir;

/// The examples of a game, with its name.
fn examples(game: &dyn Game) -> Vec<String> {
    let examples = game.info().examples.iter();
    examples.map(|text| game::qualified(game, text)).collect()
}

#[test]
fn every_game_is_solved_asked_played_and_carried() {
    for game in game::all() {
        let dir = tempdir().expect("a folder");
        let [data, other, file] = ["store", "other", "x.export"].map(|name| dir.path().join(name));
        let examples = examples(&*game);
        let arguments: Vec<&str> = ["solve", "--play", "both", "--json"]
            .into_iter()
            .chain(examples.iter().map(String::as_str))
            .collect();
        let solved = run(&data, &arguments).with_code(0).json();
        assert_eq!(solved.len(), 2 * examples.len(), "{solved:?}");
        for answer in &solved {
            assert!(
                ["win", "loss"]
                    .map(Value::from)
                    .contains(&answer["outcome"]),
                "{answer}"
            );
        }
        for (example, answers) in examples.iter().zip(solved.chunks(2)) {
            let query = run(&data, &["query", example, "--json"])
                .with_code(0)
                .json()
                .remove(0);
            assert_eq!(query["game"], game.name(), "{query}");
            for (play, answer) in ["normal", "misere"].into_iter().zip(answers) {
                assert_eq!(query[play]["outcome"], answer["outcome"], "{query}");
                let moves = run(&data, &["moves", example, "--play", play, "--json"]);
                let moves = moves.with_code(0).json();
                let best = moves.iter().any(|made| made[play] == "win");
                assert_eq!(best, answer["outcome"] == "win", "{example}: {moves:?}");
                let line = run(&data, &["line", example, "--play", play, "--json"]);
                let line = line.with_code(0).json().remove(0);
                assert_eq!(line["complete"], true, "{line}");
                let steps = line["steps"].as_array().expect("steps");
                assert_eq!(steps[0]["canonical"], answer["canonical"], "{line}");
                for step in steps {
                    let text = step["canonical"].as_str().expect("a text");
                    let (read, position) = game::parse(text).expect("a position");
                    assert_eq!(game::qualified(&*read, &read.print(&position)), text);
                    assert_eq!(read.name(), game.name(), "{text}");
                }
            }
        }
        let path = file.to_str().expect("a text");
        run(&data, &["export", "-o", path]).with_code(0);
        run(&other, &["import", path]).with_code(0);
        let again = run(&other, &arguments).with_code(0).json();
        for field in ["canonical", "play", "outcome"] {
            assert_eq!(
                column(&again, field),
                column(&solved, field),
                "{}",
                game.name()
            );
        }
        for answer in &again {
            // The number of moves tells who wins from the crosses alone, without the store.
            let text = answer["canonical"].as_str().expect("a text");
            let crosses = text.strip_prefix("brussels:x*").map(str::parse::<u32>);
            let is_told = text == "brussels:x" || matches!(crosses, Some(Ok(_)));
            let source = if is_told { "derived" } else { "store" };
            assert_eq!(answer["source"], source, "{answer}");
        }
    }
}

#[test]
fn games_are_listed() {
    let data = tempdir().expect("a folder");
    let listed = run(data.path(), &["games", "--json"]).with_code(0).json();
    let names: Vec<Value> = game::all().iter().map(|game| game.name().into()).collect();
    assert_eq!(column(&listed, "game"), names);
    for one in &listed {
        for example in one["examples"].as_array().expect("a list") {
            assert!(
                game::parse(example.as_str().expect("a text")).is_ok(),
                "{example}"
            );
        }
    }
    let octal = listed
        .iter()
        .find(|one| one["game"] == "octal")
        .expect("it is there");
    assert_eq!(
        octal["other_names"][0],
        json!({"name": "dawson", "means": "octal(0.137)"})
    );
    let text = run(data.path(), &["games"]).with_code(0).stdout;
    for word in [
        "kayles:5+3",
        "octal(CODE):SIZE",
        "dawson is octal(0.137)",
        "sprouts alone",
    ] {
        assert!(text.contains(word), "{text}");
    }
    assert_eq!(fs::read_dir(data.path()).expect("a folder").count(), 0);
}

#[test]
fn unknown_games_are_told_with_the_nearest() {
    let data = tempdir().expect("a folder");
    for arguments in [
        &["query", "kales:5"][..],
        &["solve", "kales:0-5"],
        &["table", "kales"],
        &["sequence", "kales"],
    ] {
        let refused = run(data.path(), arguments).with_code(2);
        assert!(
            refused.stderr.contains("did you mean `kayles`?"),
            "{}",
            refused.stderr
        );
    }
}

#[test]
fn every_game_has_a_table() {
    let data = tempdir().expect("a folder");
    for game in game::all() {
        let arguments = ["table", game.name(), "--within", "10s", "--json"];
        let table = run(data.path(), &arguments).with_code(0).json();
        assert!(table.len() > 10, "{}", game.name());
        let starts = game.starts();
        for entry in &table {
            let (read, position) =
                game::parse(entry["position"].as_str().expect("a text")).expect("a position");
            let place = entry["size"].as_u64().expect("a number") as usize;
            assert_eq!(read.name(), game.name());
            assert_eq!(Ok(position), game.parse(&starts[place]), "{entry}");
        }
    }
    let table = run(data.path(), &["table", "cram", "--json"]).with_code(0);
    let is_it = |entry: &&Value| entry["position"] == "cram:3x3" && entry["play"] == "normal";
    let table = table.json();
    let board = table.iter().find(is_it).expect("it is small");
    assert_eq!(board["outcome"], "loss");
    let text = run(data.path(), &["table", "node-kayles"])
        .with_code(0)
        .stdout;
    assert!(text.contains("node-kayles:cycle(5)"), "{text}");
}

#[test]
fn ranges_have_parameters() {
    let data = tempdir().expect("a folder");
    let solve = ["solve", "octal(0.77):0-11", "dawson:0..=5", "--json"];
    let solved = run(data.path(), &solve).with_code(0).json();
    let expected = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 0, 1, 1, 2, 0, 3];
    assert_eq!(column(&solved, "nimber"), expected);
    assert_eq!(column(&solved, "canonical")[17], "octal(0.137):5");
}

#[test]
fn games_of_ones_own_are_answered() {
    let data = tempdir().expect("a folder");
    let json = run(data.path(), &["query", "{{*2},*1,0,*1}", "--json"])
        .with_code(0)
        .json();
    let answer = &json[0];
    assert_eq!(answer["canonical"], "explicit:{0,*1,{*2}}");
    // Its options have the nimbers 0, 1 and 0; the last one is lost under misère play, as is *1.
    assert_eq!(
        (&answer["nimber"], &answer["normal"]["outcome"]),
        (&2.into(), &"win".into())
    );
    assert_eq!(answer["misere"]["outcome"], "win");
    let moves = run(data.path(), &["moves", "explicit:{0,*1,{*2}}"])
        .with_code(0)
        .stdout;
    for row in [
        "explicit:{*2}  win ",
        "explicit:*1    loss ",
        "explicit:0     win ",
    ] {
        assert!(moves.contains(row), "{moves}");
    }
    let form = run(data.path(), &["canonical", "kayles:5", "--json"])
        .with_code(0)
        .json()
        .remove(0);
    let form = form["form"].as_str().expect("a form").to_owned();
    let of = |text: &str| {
        let genus = run(data.path(), &["genus", text, "--json"])
            .with_code(0)
            .json()
            .remove(0);
        genus["genus"].clone()
    };
    assert_eq!(of(&form), of("kayles:5"));
    let sum = run(data.path(), &["query", "0*5+{0,{*2}}+kayles:3", "--json"]).json();
    assert_eq!(sum[0]["canonical"], "0*5+kayles:3+explicit:{0,{*2}}");
    let heap = ["query", "take-and-break{1..|1..|1..}:9", "--json"];
    let heap = run(data.path(), &heap).with_code(0).json();
    assert_eq!(heap[0]["normal"]["basis"], "sequence");
}

#[test]
fn a_game_in_a_file_is_written_by_its_options() {
    let data = tempdir().expect("a folder");
    let file = data.path().join("own.game");
    std::fs::write(
        &file,
        "start: left right *2\nleft: end\nright: end left\nend:\n",
    )
    .expect("a file");
    let file = file.to_string_lossy();
    let written = run(data.path(), &["explicit", &file]).with_code(0).stdout;
    assert_eq!(written, "explicit:{*1,*2}\n");
    let asked = ["explicit", &file, "left", "end", "--json"];
    let json = run(data.path(), &asked).with_code(0).json();
    assert_eq!(json[0], json!({"name": "left", "canonical": "explicit:*1"}));
    assert_eq!(json[1]["canonical"], "explicit:0");
    let genus = run(data.path(), &["genus", written.trim(), "--json"])
        .with_code(0)
        .json();
    assert_eq!(genus[0]["nimber"], 0);
    let unknown = run(data.path(), &["explicit", &file, "nowhere"]).with_code(2);
    assert!(
        unknown.stderr.contains("no line names `nowhere`"),
        "{}",
        unknown.stderr
    );
    let cyclic = run_with_input(data.path(), &["explicit", "-"], "a: b\nb: a\n").with_code(2);
    assert!(
        cyclic
            .stderr
            .contains("line 2, column 4: play may never end: a → b → a"),
        "{}",
        cyclic.stderr
    );
}
