//! `sproutnet export`, `import`, `merge` and `store`, and the input that they refuse.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::Command;

use crate::command::{Content, Ended, LONG, Running, run, sproutnet};
use serde_json::Value;
use sproutnet_game as game;
use sproutnet_store::{Sourced, Store, Worth};
use tempfile::{TempDir, tempdir};

/// A folder with a store of solved start positions.
fn solved(range: &str) -> TempDir {
    let dir = tempdir().expect("a folder");
    let data = dir.path().join("store");
    run(&data, &["solve", range, "--play", "both", "--cores", "1"]).with_code(0);
    dir
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a text")
}

fn one(ended: &Ended) -> Value {
    let [line] = &ended.json()[..] else {
        panic!("{ended:#?}")
    };
    line.clone()
}

/// Puts a record into a store without the program and its checks.
fn put(data: &Path, key: &[u8], value: u64) {
    let store = Store::open(data, &game::encodings()).expect("a store");
    let record = Sourced {
        key,
        value,
        worth: Worth::LEAST,
        source: 0,
    };
    let merged = store.merge(&[record], |_, _, new| Some(new));
    assert_eq!(merged.expect("it is stored").new, 1);
}

/// A small export of what took work: the rest is proved again.
#[test]
fn facts_of_much_work_travel_alone() {
    let dir = solved("0..=9");
    let [store, other] = ["store", "other"].map(|name| dir.path().join(name));
    let file = dir.path().join("x.export");
    let export = |least: &str| {
        let asked = [
            "export",
            "-o",
            text(&file),
            "--least-visits",
            least,
            "--json",
        ];
        run(&store, &asked)
    };
    let counts = ["1", "3", "4", "4000000000"].map(|least| {
        let written = one(&export(least).with_code(0));
        assert_eq!(written["resumed_at"], Value::Null);
        written["records"].as_u64().expect("a count")
    });
    assert_eq!(counts[0], Content::read(&store).records.len() as u64);
    assert!(counts[0] > counts[1] && counts[1] > counts[3], "{counts:?}");
    // The visits of a record are known as a power of two.
    assert_eq!(counts[1], counts[2]);

    export("16").with_code(0);
    run(&other, &["import", text(&file)]).with_code(0);
    // The results are there, whatever their work.
    let table = run(&other, &["table", "--json"]).with_code(0).json();
    assert_eq!(table, run(&store, &["table", "--json"]).with_code(0).json());
    for least in ["0", "-1", "x"] {
        export(least).with_code(2);
    }
}

#[test]
fn records_travel_and_answer_there() {
    let dir = solved("0..=7");
    let [store, other, third, file] =
        ["store", "other", "third", "x.export"].map(|n| dir.path().join(n));
    let before = Content::read(&store).records;
    let written = run(&store, &["export", "-o", text(&file), "--json"]).with_code(0);
    let written = one(&written);
    assert_eq!(written["records"], before.len());
    assert_eq!(written["results"], 16);
    assert_eq!(written["bytes"], file.metadata().expect("a file").len());
    assert_eq!(written["resumed_at"], Value::Null);

    let taken = one(&run(&other, &["import", text(&file), "--json"]).with_code(0));
    assert_eq!(
        (&taken["new"], &taken["store"]),
        (&before.len().into(), &written["store"])
    );
    assert_eq!(Content::read(&other).records, before);
    let again = one(&run(&other, &["import", text(&file), "--json"]).with_code(0));
    assert_eq!(
        (&again["new"], &again["new_results"]),
        (&0.into(), &0.into())
    );
    let answers = run(&other, &["solve", "0..=7", "--play", "both", "--json"]).with_code(0);
    assert!(
        answers
            .json()
            .iter()
            .all(|answer| answer["source"] == "store")
    );

    run(&third, &["merge", text(&other), text(&file)]).with_code(0);
    assert_eq!(Content::read(&third).records, before);
    let stats = one(&run(&third, &["store", "stats", "--json"]).with_code(0));
    assert_eq!(stats["records"], before.len());
    assert_eq!(stats["results"], 16);
    assert!(
        stats["created_at"].as_u64() > Some(1_700_000_000),
        "{stats}"
    );
    let sum = |field: &str| {
        let kinds = stats["kinds"].as_array().expect("kinds");
        kinds
            .iter()
            .map(|kind| kind[field].as_u64().expect("a count"))
            .sum::<u64>()
    };
    assert_eq!(sum("records"), before.len() as u64);
    let from = stats["sources"][0]["source"].as_str().expect("a source");
    assert!(from.starts_with("imported from store "), "{stats}");
    let table = run(&third, &["store", "stats"]).with_code(0).stdout;
    assert!(
        table.contains("sprouts  misere") && table.contains(from),
        "{table}"
    );

    let compacted = one(&run(&third, &["store", "compact", "--json"]).with_code(0));
    assert_eq!(compacted["after"]["superseded"], 0);
    assert_eq!(Content::read(&third).records, before);
    let checked = one(&run(&third, &["store", "check", "--json"]).with_code(0));
    assert_eq!(
        (&checked["fault_count"], &checked["records"]),
        (&0.into(), &before.len().into())
    );
}

#[test]
fn one_convention_alone() {
    let dir = solved("0..=6");
    let [store, other, file] = ["store", "other", "x.export"].map(|name| dir.path().join(name));
    run(&store, &["export", "-o", text(&file), "--play", "misere"]).with_code(0);
    run(&other, &["import", text(&file)]).with_code(0);
    let records = Content::read(&other).records;
    assert!(!records.is_empty() && records.keys().all(|key| key[1] == b'm'));
}

#[test]
fn where_there_is_no_store_none_is_made() {
    let dir = tempdir().expect("a folder");
    let none = dir.path().join("none");
    let commands: [&[&str]; 5] = [
        &["export"],
        &["store", "check"],
        &["store", "stats"],
        &["store", "compact"],
        &["merge", text(&none)],
    ];
    for command in commands {
        let refused = run(&none, command).with_code(2);
        assert!(refused.stderr.contains(text(&none)), "{refused:?}");
        assert!(!none.exists(), "{command:?}");
    }
}

#[test]
fn files_that_are_no_exports() {
    let dir = solved("0..=4");
    let [store, other, file, bad] =
        ["store", "other", "x.export", "bad"].map(|n| dir.path().join(n));
    run(&store, &["export", "-o", text(&file)]).with_code(0);
    let bytes = fs::read(&file).expect("it was written");
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 4;
    let mut newer = bytes.clone();
    newer[12] = 7;
    let cases = [
        (&b"{}"[..], "not an export"),
        (&bytes[..bytes.len() - 9], "cut short"),
        (&flipped, "damaged at byte"),
        (&newer, "format 7"),
    ];
    for (bytes, problem) in cases {
        fs::write(&bad, bytes).expect("it is written");
        let refused = run(&other, &["import", text(&bad)]).with_code(2);
        assert!(refused.stderr.contains(problem), "{refused:?}");
        assert!(refused.stderr.contains(text(&bad)), "{refused:?}");
    }
    assert!(Content::read(&other).records.is_empty());
    let refused = run(&other, &["import", text(&store)]).with_code(2);
    assert!(refused.stderr.contains("sproutnet merge"), "{refused:?}");
}

#[test]
fn an_export_replaces_nothing_but_an_export() {
    let dir = solved("0..=4");
    let [store, file, notes, pipe] =
        ["store", "x.export", "notes", "pipe"].map(|n| dir.path().join(n));
    fs::write(&notes, "my notes").expect("it is written");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("there is a `mkfifo`").success());
    for kept in [&notes, &pipe] {
        let refused = run(&store, &["export", "-o", text(kept)]).with_code(2);
        assert!(refused.stderr.contains(text(kept)), "{refused:?}");
        assert!(refused.stderr.contains("left as it is"), "{refused:?}");
    }
    assert_eq!(fs::read(&notes).expect("it is there"), b"my notes");
    let found = fs::metadata(&pipe).expect("it is there");
    assert!(found.file_type().is_fifo());
    // First the file is empty, as from `mktemp`; then it is an export.
    fs::write(&file, "").expect("it is written");
    for _ in 0..2 {
        run(&store, &["export", "-o", text(&file)]).with_code(0);
    }
}

#[test]
fn a_contradiction_is_told_as_a_position() {
    let dir = solved("0..=6");
    let [store, other, file] = ["store", "other", "x.export"].map(|name| dir.path().join(name));
    run(&store, &["export", "-o", text(&file)]).with_code(0);
    let known = Content::read(&store).records;
    let (key, value) = known
        .iter()
        .find(|(key, _)| key[1] == b'm')
        .expect("a record");
    put(&other, key, 1 - value);
    let stopped = run(&other, &["import", text(&file)]).with_code(1);
    let told = &stopped.stderr;
    assert!(told.contains("contradiction about 0"), "{told}");
    assert!(
        told.contains("misere") && told.contains("win") && told.contains("loss"),
        "{told}"
    );
    assert!(told.contains("imported from store"), "{told}");
    assert_eq!(Content::read(&other).records[key], 1 - value);
}

#[test]
fn a_store_in_use() {
    let dir = tempdir().expect("a folder");
    let data = dir.path().join("store");
    let mut command = sproutnet(&data, &["solve", "0*30", "--cores", "1"]);
    command.env("RUST_LOG", "sproutnet_coordinator=info");
    let mut running = Running::start(command);
    running.error_line_where(|line| line.contains("store opened"));
    let new = dir.path().join("new");
    let commands: [&[&str]; 3] = [
        &["store", "check"],
        &["store", "compact"],
        &["store", "salvage", new.to_str().expect("a text")],
    ];
    for command in commands {
        let refused = run(&data, command).with_code(1);
        assert!(
            refused.stderr.contains("in use by another process"),
            "{refused:?}"
        );
        assert!(refused.stderr.contains("stop it first"), "{refused:?}");
    }
    running.interrupt();
    running.end_with_open_input(LONG);
}

#[test]
fn what_is_wrong_is_found_and_repaired() {
    let dir = solved("0..=7");
    let [store, file] = ["store", "x.export"].map(|name| dir.path().join(name));
    let before = Content::read(&store).records;
    run(&store, &["export", "-o", text(&file)]).with_code(0);
    put(&store, b"!nonsense", 1);
    let checked = one(&run(&store, &["store", "check", "--json"]).with_code(1));
    assert_eq!(checked["fault_count"], 1);
    let block = checked["faults"][0]["block"].as_u64().expect("a block");
    let told = run(&store, &["store", "check"]).with_code(1).stdout;
    assert!(told.contains(&format!("block {block}: ")), "{told}");

    // The invalid record cannot be restored.
    let arguments = ["store", "check", "--repair", text(&file), "--json"];
    let repaired = one(&run(&store, &arguments).with_code(3));
    assert_eq!(repaired["missing"], 1);
    let aside = repaired["set_aside"][0].as_str().expect("a file");
    assert!(Path::new(aside).is_file());
    assert_eq!(Content::read(&store).records, before);
    run(&store, &["store", "check"]).with_code(0);
    let nothing = run(&store, &["store", "check", "--repair", text(&file)]).with_code(0);
    assert!(nothing.stdout.contains("no faults found"), "{nothing:?}");
}
