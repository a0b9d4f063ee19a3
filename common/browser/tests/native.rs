//! What the module answers, on this machine.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use sproutnet_browser::{Verdict, check, look_up};
use sproutnet_model::published;
use sproutnet_notation::Play;

fn answer(text: &str) -> Value {
    serde_json::to_value(look_up(text)).expect("JSON")
}

fn certificate(name: &str) -> Vec<u8> {
    let atlas = concat!(env!("CARGO_MANIFEST_DIR"), "/../../atlas");
    fs::read(format!("{atlas}/{name}.sprout")).expect("a certificate")
}

#[test]
fn starts_have_their_published_outcomes() {
    for play in Play::ALL {
        for known in published(play).filter(|known| known.spots <= 8) {
            let answer = answer(&known.spots.to_string());
            let found = &answer[play.name()];
            assert_eq!(found, known.outcome.name(), "{} {play}", known.spots);
        }
    }
}

#[test]
fn an_answer_has_moves_values_and_a_picture() {
    let five = answer("kayles:3+4");
    assert_eq!(five["nimber"], 2);
    assert_eq!(five["genus"], "2^20");
    assert_eq!(five["note"], Value::Null);
    let moves = five["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 7);
    // A move is won if it leads to a loss.
    assert_eq!(moves[0]["canonical"], "kayles:3+3");
    assert_eq!(moves[0]["normal"], "win");
    let picture = five["picture"].as_str().expect("a picture");
    assert!(picture.starts_with("<svg ") && !picture.contains("<style"));
}

#[test]
fn what_is_too_large_comes_from_the_literature_or_stays_unknown() {
    let large = answer("0*40");
    assert_eq!(large["normal"], "win");
    assert!(large["citations"][0].is_string());
    assert_eq!(large["misere"], "unknown");
    assert_eq!(large["moves"], json!([]));
    assert!(large["note"].is_string());
    assert!(answer("0*x").get("problem").is_some());
}

#[test]
fn certificates_are_accepted_and_damaged_ones_refused() {
    static TOLD: AtomicU64 = AtomicU64::new(0);
    let good = certificate("misere-8");
    let checked = check(&good, |begun, _| TOLD.store(begun, Ordering::Relaxed));
    assert_eq!(checked.verdict, Verdict::Accepted, "{}", checked.text);
    let facts = checked.facts.expect("a certificate of a game");
    assert_eq!(facts, TOLD.load(Ordering::Relaxed));
    let listed = sproutnet_model::proofs().iter();
    let listed = listed.filter(|proof| proof.name == "misere-8");
    assert!(listed.map(|proof| proof.sha256).eq([&*checked.sha256]));
    for bad in [&good[..good.len() - 20], b"", b"sproutnet-period 1\n"] {
        let checked = check(bad, |_, _| {});
        assert_eq!(checked.verdict, Verdict::Refused, "{}", checked.text);
    }
}
