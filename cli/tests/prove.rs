//! `sproutnet prove`: certificates are made and checked.

use std::fs;

use crate::command::{LONG, Running, bare, json, run};
use tempfile::tempdir;

/// A low effort, so that tests are short.
const LITTLE: [&str; 2] = ["--effort", "1"];

#[test]
fn what_is_proved_from_a_store_is_verified() {
    let data = tempdir().expect("a folder");
    let store = data.path().join("store");
    run(&store, &["solve", "0*6", "0*5", "--play", "both"]).with_code(0);
    for (position, play, outcome) in [
        ("0*6", "normal", "loss"),
        ("0*6", "misere", "win"),
        ("0*5", "normal", "win"),
        ("0*3.1a1a+0*2", "misere", "win"),
    ] {
        let file = data.path().join("p.sprout");
        let name = file.to_string_lossy();
        // This replaces the previous certificate.
        let prove = ["prove", position, "--play", play, "-o", &name, "--json"];
        let proved = run(&store, &[&prove[..], &LITTLE].concat()).with_code(0);
        let told = json(&proved.stdout);
        assert_eq!(told["play"], play);
        assert_eq!(told["bytes"], fs::metadata(&file).expect("a file").len());
        let verified = run(&store, &["verify", &name, "--json"]).with_code(0);
        let verified = json(&verified.stdout);
        assert_eq!(verified["verified"], true);
        for field in ["position", "play", "outcome", "facts"] {
            assert_eq!(verified[field], told[field], "{field}");
        }
        if !position.contains('+') {
            assert_eq!(told["outcome"], outcome, "{position} {play}");
        }
    }
    // The store and the last certificate, without any temporary file.
    assert_eq!(fs::read_dir(data.path()).expect("a folder").count(), 2);
}

#[test]
fn without_a_store_all_is_searched_and_none_is_made() {
    let data = tempdir().expect("a folder");
    let store = data.path().join("store");
    let proved = Running::start({
        let mut command = bare(&["prove", "0*7", "-o", "p.sprout", "--data", "store"]);
        command.args(LITTLE).current_dir(data.path());
        command
    });
    let proved = proved.end(LONG).with_code(0);
    assert!(proved.stdout.contains("p.sprout"), "{}", proved.stdout);
    let file = data.path().join("p.sprout").to_string_lossy().into_owned();
    run(&store, &["verify", &file]).with_code(0);
    assert!(!store.exists());
}

#[test]
fn what_is_no_certificate_is_not_written_over() {
    let data = tempdir().expect("a folder");
    let file = data.path().join("notes.txt");
    fs::write(&file, "dear diary").expect("a file");
    let folder = data.path().join("folder");
    fs::create_dir(&folder).expect("a folder");
    for path in [&file, &folder] {
        let name = path.to_string_lossy();
        let refused = run(data.path(), &["prove", "0*3", "-o", &name]).with_code(2);
        assert!(
            refused.stderr.contains("is not a certificate"),
            "{refused:?}"
        );
    }
    assert_eq!(fs::read_to_string(&file).expect("a file"), "dear diary");
}

#[test]
fn what_cannot_be_proved() {
    let data = tempdir().expect("a folder");
    let file = data.path().join("p.sprout");
    let name = file.to_string_lossy();
    let nowhere = data.path().join("no/p.sprout");
    let nowhere = nowhere.to_string_lossy();
    for (arguments, problem) in [
        (&["prove", "0*3.x-", "-o", &name][..], "column "),
        (
            &["prove", "kayles:5", "-o", &name],
            "kayles has no certificates; sprouts and mixed have",
        ),
        (&["prove", "0*3", "-o", &nowhere], "no such folder"),
        (
            &[
                "prove",
                "0*3",
                "-o",
                &name,
                "--coordinator",
                "http://[::1]:1",
            ],
            "does not use a coordinator",
        ),
    ] {
        let refused = run(&data.path().join("store"), arguments).with_code(2);
        assert_eq!(refused.stdout, "");
        assert!(refused.stderr.contains(problem), "{refused:?}");
    }
    assert_eq!(fs::read_dir(data.path()).expect("a folder").count(), 0);
}
