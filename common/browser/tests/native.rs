//! What the module answers, on this machine.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use sproutnet_browser::{Board, Verdict, board, check, look_up, moves, query};
use sproutnet_model::{Basis, Known, Searched, Source, published};
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
fn programs_are_told_where_an_outcome_comes_from() {
    let seven = query("0*7", 1_000_000).expect("an answer");
    assert_eq!(seven.answer.normal.outcome, Known::Loss);
    assert_eq!(seven.answer.normal.source, Some(Source::Search));
    assert_eq!(
        (seven.answer.nimber, seven.searched),
        (Some(0), Searched::Yes)
    );
    // Each land is small, and the sum is not.
    let sum = query("0*8+0*9", 1_000_000).expect("an answer");
    assert_eq!(sum.answer.normal.outcome, Known::Win);
    assert_eq!(sum.answer.normal.basis, Some(Basis::Sum));
    assert_eq!(
        (sum.answer.lands.len(), sum.searched),
        (2, Searched::TooLarge)
    );
    let across = query("0*2+nim:2", 1_000_000).expect("an answer");
    assert_eq!(
        (&*across.answer.game, across.answer.nimber),
        ("sum", Some(2))
    );
}

#[test]
fn programs_set_the_bound() {
    let searched = |most_visits| query("0*9.1a1a", most_visits).expect("an answer").searched;
    assert_eq!(searched(0), Searched::No);
    assert_eq!(searched(20), Searched::OutOfTime);
    assert_eq!(searched(1_000_000), Searched::Yes);
    let wrong = query("0*3.x", 20).expect_err("no position");
    assert_eq!((wrong.code, wrong.column), ("invalid-position", Some(5)));
}

#[test]
fn moves_that_win_come_first() {
    for play in Play::ALL {
        let moves = moves("kayles:3+4", play, 1_000_000).expect("moves");
        let outcomes: Vec<Known> = moves.iter().map(|of| of.outcome(play)).collect();
        assert!(
            outcomes.is_sorted() && outcomes.contains(&Known::Win),
            "{play}"
        );
        assert_eq!(moves.len(), 7);
    }
    // Without a search, there are moves, too.
    let large = moves("0*25", Play::Misere, 0).expect("moves");
    assert_eq!(large.len(), 14);
    assert!(moves("0*3.x", Play::Normal, 20).is_err());
}

#[test]
fn certificates_are_accepted_and_damaged_ones_refused() {
    static TOLD: AtomicU64 = AtomicU64::new(0);
    let good = certificate("misere-8");
    let checked = check(&good, |begun, _| TOLD.store(begun, Ordering::Relaxed));
    assert_eq!(checked.verdict, Verdict::Accepted, "{}", checked.text);
    assert!(checked.certificate.verified);
    let facts = checked.certificate.facts.expect("a number");
    assert_eq!(facts, TOLD.load(Ordering::Relaxed));
    let listed = sproutnet_model::proofs().iter();
    let listed = listed.filter(|proof| proof.name == "misere-8");
    assert!(listed.map(|proof| proof.sha256).eq([&*checked.sha256]));
    for bad in [&good[..good.len() - 20], b"", b"sproutnet-period 1\n"] {
        let checked = check(bad, |_, _| {});
        assert_eq!(checked.verdict, Verdict::Refused, "{}", checked.text);
        assert_eq!(checked.certificate.error, Some(checked.text));
    }
}

#[test]
fn a_match_is_played_to_its_end() {
    // Three spots are a win for the player who begins, and each hint is a winning move.
    let mut address = "/board?spots=3".to_owned();
    let mut seen = Vec::new();
    let end = loop {
        match board(&address, 41) {
            Board::To { to } => {
                seen.push(to.clone());
                address = to;
            }
            Board::Page { title, content } if title == "Your move" => {
                let find = |begin: &str| {
                    let (_, rest) = content.split_once(begin)?;
                    Some(rest.split_once('"')?.0.replace("&amp;", "&"))
                };
                let hint = find("id=\"hint\" href=\"");
                address = hint.unwrap_or_else(|| address.clone() + "&show=hint");
            }
            Board::Page { title, .. } => break title,
            Board::Problem { problem, .. } => panic!("{address}: {problem}"),
        }
        assert!(seen.len() < 20, "{address}");
    };
    assert_eq!(end, "You won");
    assert!(seen[0].ends_with("&seed=42"), "{}", seen[0]);
}
