//! The program accepts a good certificate, refuses a changed one, and reports a missing file.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, process};

use sproutnet_certificate::format::{Claim, Fact, Ruleset, write};
use sproutnet_notation::{Outcome, Play};

/// The first player loses a single spot: the only option has a single move left.
const FACTS: [&str; 2] = ["1 = 1", "0 = 0"];

/// Writes a certificate to a file with this name in a directory of this test run.
fn certificate(name: &str, outcome: Outcome) -> PathBuf {
    let facts = FACTS.map(|fact| fact.parse().expect("a fact"));
    let claim = Claim {
        game: Ruleset::Sprouts,
        play: Play::Normal,
        position: "0".to_owned(),
        outcome,
        small: 0,
        tool: "test".to_owned(),
    };
    written(name, claim, &facts)
}

fn written(name: &str, claim: Claim, facts: &[Fact]) -> PathBuf {
    let path = env::temp_dir().join(format!("sproutnet-{}-{name}.sprout", process::id()));
    let mut file = Vec::new();
    write(claim, facts, &mut file).expect("memory");
    fs::write(&path, file).expect("a temporary directory");
    path
}

fn run(files: &[&Path]) -> Output {
    let program = Command::new(env!("CARGO_BIN_EXE_sproutnet-certificate"))
        .args(files)
        .output();
    program.expect("the program runs")
}

#[test]
fn a_good_certificate_is_accepted() {
    let good = certificate("good", Outcome::Loss);
    let output = run(&[&good]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(text, "0 normal loss: proved by 2 facts\n");
}

#[test]
fn a_changed_certificate_is_refused() {
    let good = certificate("unchanged", Outcome::Loss);
    let wrong = certificate("wrong", Outcome::Win);
    let damaged = env::temp_dir().join(format!("sproutnet-{}-damaged.sprout", process::id()));
    let mut bytes = fs::read(&good).expect("written before");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&damaged, bytes).expect("a temporary directory");
    for file in [&wrong, &damaged] {
        // The worst of several files counts.
        let output = run(&[file, &good]);
        assert_eq!(output.status.code(), Some(4), "{output:?}");
        let name = file.display().to_string();
        assert!(String::from_utf8_lossy(&output.stderr).starts_with(&name));
    }
}

#[test]
fn a_missing_file_is_reported() {
    let output = run(&[Path::new("/nowhere/at-all.sprout")]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(run(&[]).status.code(), Some(2));
}

#[test]
fn a_position_without_a_drawing_is_refused() {
    for (name, position, why) in [
        (
            "crossing",
            "ABCD|ABDC",
            "the lines through `D` and `C` would cross",
        ),
        (
            "linked",
            "0.A.B|0.AB",
            "in region 1, the boundary with `B` is linked",
        ),
    ] {
        // The checker itself values such small lands, so that one of the two would be accepted.
        for outcome in [Outcome::Win, Outcome::Loss] {
            let claim = Claim {
                game: Ruleset::Sprouts,
                play: Play::Misere,
                position: position.to_owned(),
                outcome,
                small: 9,
                tool: "test".to_owned(),
            };
            let output = run(&[&written(name, claim, &[])]);
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(4), "{errors}");
            let line = format!("line 4: `{position}` is not a position: column ");
            assert!(errors.contains(&line) && errors.contains(why), "{errors}");
        }
    }
}
