//! `docs/reference/results.md`: its tables are those of the program.

use std::fmt::Write;

use sproutnet_model::{Proof, proofs, published};
use sproutnet_notation::{Outcome, Play};
use sproutnet_testkit::page;

/// The conjecture: whether the first player wins. `None` for the starts to which it does not apply.
fn conjectured(play: Play, spots: u32) -> Option<Outcome> {
    let is_win = match play {
        Play::Normal => matches!(spots % 6, 3..=5),
        Play::Misere if spots < 5 => return None,
        Play::Misere => matches!(spots % 6, 0 | 4 | 5),
    };
    Some(if is_win { Outcome::Win } else { Outcome::Loss })
}

/// Who first published an outcome. The table of the program has one source for all outcomes under misère play.
fn first_published(play: Play, spots: u32, citation: &'static str) -> &'static str {
    match (play, spots) {
        (Play::Normal, _) => citation,
        (Play::Misere, 0) => "trivial",
        (Play::Misere, 1..=9) => "Applegate, Jacobson and Sleator 1991",
        (Play::Misere, 10..=12) => "Jordan and Khorkov 2007",
        (Play::Misere, 13..=16) => "Jordan and Khorkov 2009",
        (Play::Misere, 17) => "Lemoine and Viennot 2009",
        (Play::Misere, _) => "Lemoine and Viennot 2011 (SproutsWiki)",
    }
}

/// The certificate of a start in the atlas.
fn certificate(play: Play, spots: u32) -> Option<&'static Proof> {
    let position = match spots {
        0 => "!".to_owned(),
        spots => format!("0*{spots}"),
    };
    let mut all = proofs().iter();
    all.find(|proof| proof.play == play && proof.position == position)
}

/// A number with a comma before each three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A row for each start up to the largest whose outcome is known.
fn table(play: Play) -> String {
    let mut text = String::from(
        "| spots | first player | by the move | first published | certificate here |\n|--:|---|---|---|---|\n",
    );
    let known: Vec<_> = published(play).collect();
    let largest = known.iter().map(|known| known.spots).max();
    let proved = (0..).take_while(|&spots| certificate(play, spots).is_some());
    let largest = proved.max().max(largest).expect("some outcome is known");
    for spots in 0..=largest {
        let published = known.iter().find(|known| known.spots == spots);
        let certificate = certificate(play, spots);
        let proved = certificate.map(|proof| proof.outcome);
        let outcome = published.map(|known| known.outcome).or(proved);
        assert!(
            proved.is_none() || proved == outcome,
            "{spots} spots: {proved:?}"
        );
        let agrees = conjectured(play, spots).is_none_or(|expected| outcome == Some(expected));
        assert!(
            outcome.is_none() || agrees,
            "{spots} spots are a counterexample: say so in the page"
        );
        let outcome = match outcome {
            Some(Outcome::Win) => "wins",
            Some(_) => "loses",
            None => "not known",
        };
        let by = match (published, certificate) {
            (Some(known), _) => first_published(play, spots, known.citation),
            (None, Some(_)) => "**Sproutnet, new here**",
            (None, None) => "",
        };
        let first_move = certificate.and_then(|proof| proof.winning_move);
        let first_move = first_move.map(|of| format!("`{}`", of.replace('|', "\\|")));
        let first_move = first_move.unwrap_or_default();
        let link = certificate.map(|proof| format!("[{0}](../../atlas/{0}.sprout)", proof.name));
        let link = link.unwrap_or_default();
        writeln!(
            text,
            "| {spots} | {outcome} | {first_move} | {by} | {link} |"
        )
        .expect("a text");
    }
    text
}

/// A row for each certificate.
fn digests() -> String {
    let mut text = String::from("| certificate | facts | bytes | SHA-256 |\n|---|--:|--:|---|\n");
    for proof in proofs() {
        let (facts, bytes) = (grouped(proof.facts), grouped(proof.bytes));
        let (name, sha256) = (proof.name, proof.sha256);
        writeln!(text, "| {name} | {facts} | {bytes} | `{sha256}` |").expect("a text");
    }
    text
}

#[test]
fn generated_results_are_current() {
    let page = "docs/reference/results.md";
    page::check(page, "misère play", &table(Play::Misere));
    page::check(page, "normal play", &table(Play::Normal));
    page::check(page, "certificates", &digests());
}
