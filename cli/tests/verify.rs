//! Certificates, accepted and refused.

use std::path::{Path, PathBuf};

use std::time::Duration;

use crate::command::{LONG, Running, Terminal, bare, run};
use serde_json::Value as Json;
use sproutnet_certificate::format::{self as proof, Claim, Fact, Ruleset};
use sproutnet_solver::play::{Outcome, Play};
use tempfile::tempdir;

fn write(folder: &Path, name: &str, play: Play, outcome: Outcome, facts: &[&str]) -> PathBuf {
    let facts: Vec<Fact> = facts.iter().map(|fact| fact.parse().expect(fact)).collect();
    let claim = Claim {
        game: Ruleset::Sprouts,
        play,
        position: "0*1".to_owned(),
        outcome,
        small: 0,
        tool: "test".to_owned(),
    };
    let path = folder.join(name);
    let file = std::fs::File::create(&path).expect("a file");
    proof::write(claim, &facts, file).expect("a file");
    path
}

#[test]
fn each_file_is_told_of_and_the_worst_counts() {
    let data = tempdir().expect("a folder");
    let file = |name: &str, play, outcome, facts: &[&str]| {
        let path = write(data.path(), name, play, outcome, facts);
        path.to_string_lossy().into_owned()
    };
    let normal = file("normal.sprout", Play::Normal, Outcome::Loss, &["0 = 0"]);
    let misere = file("misere.sprout", Play::Misere, Outcome::Win, &["1 lost"]);
    let lie = file(
        "lie.sprout",
        Play::Normal,
        Outcome::Loss,
        &["1 = 1", "0 = 1"],
    );
    let unshown = file("unshown.sprout", Play::Normal, Outcome::Win, &["0 = 0"]);

    let fine = run(data.path(), &["verify", &normal, &misere, "--cores", "2"]).with_code(0);
    let lines: Vec<&str> = fine.stdout.lines().collect();
    assert!(
        lines[0].starts_with("position      play    outcome"),
        "{fine:?}"
    );
    assert!(
        lines[1].starts_with("0*1           normal  loss     accepted             1"),
        "{fine:?}"
    );
    assert!(
        lines[2].starts_with("0*1           misere  win      accepted             1"),
        "{fine:?}"
    );
    assert!(
        lines[1].ends_with(&normal) && lines[2].ends_with(&misere),
        "{fine:?}"
    );
    assert_eq!((lines.len(), fine.stderr.as_str()), (3, ""));

    let refused = run(data.path(), &["verify", &lie, &normal, &unshown]).with_code(4);
    assert_eq!(refused.stdout.lines().count(), 2, "{refused:?}");
    let errors: Vec<&str> = refused.stderr.lines().collect();
    assert!(
        errors[0].ends_with("lie.sprout: line 12: 0 = 1: the option 1 also has nimber 1"),
        "{refused:?}"
    );
    assert!(
        errors[1]
            .ends_with("unshown.sprout: line 5: 0*1 is a win: this does not follow from the facts"),
        "{refused:?}"
    );

    let json = run(data.path(), &["verify", "--json", &normal, &lie]).with_code(4);
    let lines = json.stdout.lines();
    let lines: Vec<Json> = lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines[0]["verified"], true);
    assert_eq!(lines[0]["outcome"], "loss");
    assert_eq!(lines[0]["facts"], 1);
    assert_eq!(lines[1]["verified"], false);
    assert_eq!(
        lines[1]["error"],
        "line 12: 0 = 1: the option 1 also has nimber 1"
    );

    let nowhere = data.path().join("nowhere").to_string_lossy().into_owned();
    let bad = run(data.path(), &["verify", &lie, &nowhere]).with_code(2);
    assert!(
        bad.stderr.contains("nowhere: there is no such file"),
        "{bad:?}"
    );
    let small = run(data.path(), &["verify", &normal, "--memory", "100"]).with_code(1);
    assert!(small.stderr.contains("more memory"), "{small:?}");
    // The folder has only the certificates: no store was made.
    assert_eq!(std::fs::read_dir(data.path()).expect("a folder").count(), 4);
}

#[test]
fn what_is_no_certificate_is_refused() {
    let data = tempdir().expect("a folder");
    let path = data.path().join("x");
    for content in [&b""[..], b"0*5", &[0x1f, 0x8b, 8, 0, 0]] {
        std::fs::write(&path, content).expect("a file");
        let refused = run(data.path(), &["verify", &path.to_string_lossy()]).with_code(4);
        assert!(refused.stderr.contains("x: line 1: "), "{refused:?}");
    }
}

/// A certificate whose check takes minutes.
const LARGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../atlas/misere-21.sprout");

#[test]
fn progress_is_shown_on_a_terminal() {
    let terminal = Terminal::start(10, 200, bare(&["verify", LARGE]));
    terminal.wait_until(|text| text.contains(" of 478,570 facts (") && text.contains(" left"));
}

#[test]
fn an_interrupt_ends_it_at_once() {
    let mut running = Running::start(bare(&["verify", LARGE]));
    assert!(running.runs_for(Duration::from_secs(3)));
    running.interrupt();
    let ended = running.end(LONG).with_code(3);
    assert!(ended.took < Duration::from_secs(1), "{ended:?}");
    assert!(ended.stderr.starts_with("interrupted; "), "{ended:?}");
    assert_eq!(ended.stdout, "");
}

#[test]
fn the_conformance_files_are_decided_as_the_specification_says() {
    let data = tempdir().expect("a folder");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../checkers/conformance");
    let table = std::fs::read_to_string(folder.join("cases.tsv")).expect("the table");
    let cases: Vec<Vec<&str>> = table
        .lines()
        .skip(1)
        .map(|row| row.split('\t').collect())
        .collect();
    let files: Vec<String> = cases
        .iter()
        .map(|columns| folder.join(columns[0]).to_string_lossy().into_owned())
        .collect();
    let mut arguments = vec!["verify", "--json", "--cores", "1"];
    arguments.extend(files.iter().map(String::as_str));
    let output = run(data.path(), &arguments).with_code(4);
    let verdicts: Vec<Json> = output
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(verdicts.len(), cases.len());
    for (columns, verdict) in cases.iter().zip(&verdicts) {
        let is_accepted = columns[1] == "accept";
        assert_eq!(verdict["verified"], is_accepted, "{columns:?}: {verdict}");
    }
}
