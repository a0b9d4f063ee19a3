//! The coordinator checks certificates, and marks the facts that they prove.

use crate::command::{json, run};
use serde_json::Value as Json;
use tempfile::tempdir;

#[test]
fn what_a_certificate_proves_is_told_as_verified() {
    let data = tempdir().expect("a folder");
    let store = data.path().join("store");
    let path = |name: &str| data.path().join(name).to_string_lossy().into_owned();
    run(&store, &["solve", "0*6", "0*5", "--play", "both"]).with_code(0);
    // A loss, which its own records show; a win, which only the certificate proves; and misère play.
    let certificates = [
        ("0*6", "normal"),
        ("0*5", "normal"),
        ("0*6", "misere"),
        ("0*8", "normal"),
    ];
    let files: Vec<String> = certificates
        .iter()
        .map(|(position, play)| {
            let file = path(&format!("{position}-{play}.sprout"));
            let prove = ["prove", position, "--play", play, "-o", &file];
            run(&store, &[&prove[..], &["--effort", "1"]].concat()).with_code(0);
            file
        })
        .collect();
    let verified = |position: &str, play: &str| {
        let asked = run(&store, &["query", position, "--within", "0s", "--json"]);
        json(&asked.stdout)[play]["verified"] == true
    };
    for (position, play) in certificates {
        assert!(!verified(position, play), "{position} {play}");
    }
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let marked = run(&store, &[&["mark", "--json"], &files[..]].concat()).with_code(0);
    let told: Vec<Json> = marked.stdout.lines().map(json).collect();
    for (told, (position, play)) in told.iter().zip(certificates) {
        let about = (text(&told["position"]), text(&told["play"]));
        assert_eq!(about, (position, play));
        let [facts, marked, newly] = ["facts", "marked", "newly"].map(|name| told[name].as_u64());
        assert!(
            newly <= marked && marked <= facts && marked > Some(0),
            "{told}"
        );
    }
    for (position, play) in certificates {
        assert!(verified(position, play), "{position} {play}");
    }
    assert!(!verified("0*5", "misere"));
    // Every kind of answer shows the mark.
    let table = run(&store, &["table", "--json"]).with_code(0);
    let of_table: Vec<Json> = table.stdout.lines().map(json).collect();
    let entries = of_table.iter().filter(|entry| entry["verified"] == true);
    let told: Vec<_> = entries
        .map(|entry| (text(&entry["position"]), text(&entry["play"])))
        .collect();
    let expected = [
        ("0*5", "normal"),
        ("0*6", "normal"),
        ("0*6", "misere"),
        ("0*8", "normal"),
    ];
    assert_eq!(told, expected);
    let moves = run(&store, &["moves", "0*6", "--json"]).with_code(0);
    let mut moves = moves.stdout.lines().map(json);
    assert!(moves.all(|of| {
        of["verified"]
            .as_array()
            .is_some_and(|all| all.contains(&"normal".into()))
    }));
    let line = run(&store, &["line", "0*6", "--json"]).with_code(0);
    assert_eq!(json(&line.stdout)["steps"][0]["verified"], true);
    // The same certificate again marks nothing new.
    let again = run(&store, &["mark", "--json", files[0]]).with_code(0);
    assert_eq!(json(&again.stdout)["newly"], 0);
}

fn text(value: &Json) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn what_is_no_proof_is_refused_and_marks_nothing() {
    let data = tempdir().expect("a folder");
    let store = data.path().join("store");
    let file = data.path().join("p.sprout");
    let name = file.to_string_lossy();
    run(&store, &["prove", "0*5", "-o", &name, "--effort", "1"]).with_code(0);
    let mut bytes = std::fs::read(&file).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).expect("a file");
    let refused = run(&store, &["mark", &name]);
    let by_verify = run(&store, &["verify", &name]);
    assert_eq!(refused.status.code(), by_verify.status.code());
    let missing = data.path().join("none").to_string_lossy().into_owned();
    run(&store, &["mark", &missing]).with_code(2);
    let asked = run(&store, &["query", "0*5", "--json"]);
    assert_eq!(json(&asked.stdout)["normal"]["verified"], false);
}
