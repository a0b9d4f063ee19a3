//! The cost of the values of a fact is bounded, in any form of the fact.

use std::time::{Duration, Instant};

use sproutnet_certificate::format::{Fact, MAX_VALUES, Value};
use sproutnet_certificate::{Options, verify};
use sproutnet_notation::{Outcome, Play};
use sproutnet_testkit::certificates::certificate;

/// The time limit, on a busy machine too.
const SOON: Duration = Duration::from_secs(20);

/// Checks a certificate with one fact under misère play, and returns the reason if it is refused.
fn refusal(fact: &str) -> Option<String> {
    let file = certificate(Play::Misere, "0*1", Outcome::Win, 0, &[fact]);
    let start = Instant::now();
    let options = Options {
        cores: 1,
        memory: 1 << 30,
    };
    let checked = verify(&file[..], &options);
    let took = start.elapsed();
    println!("{fact:.60}… {took:?}");
    assert!(took < SOON, "{fact}: {took:?}");
    checked.err().map(|error| error.to_string())
}

/// A sum of the games `(2)`, `(3)` and so on, up to this one.
fn sum(largest: usize) -> String {
    let values: Vec<String> = (2..=largest).map(|k| format!("({k})")).collect();
    format!("! & {} lost", values.join(" & "))
}

#[test]
fn the_largest_values_take_seconds() {
    let heaps = format!("! & ({}) lost", vec!["99"; 1_300].join(" "));
    let many = format!("! {}lost", "& (99) ".repeat(9));
    for fact in ["! & (99) lost", "! & (98 99) lost", &heaps, &many, &sum(8)] {
        refusal(fact);
    }
}

#[test]
fn nothing_is_known_of_a_sum_with_too_many_followers() {
    // 4 · 5 · … · 11 is more than a million.
    let why = refusal(&sum(20)).expect("refused");
    assert!(why.contains("is not shown to be won"), "{why}");
}

#[test]
fn longer_values_are_not_read() {
    let why = "100".parse::<Value>().expect_err("too large");
    assert_eq!(
        why.to_string(),
        "column 1: a heap is a number up to 99 without leading zeros"
    );
    let long = format!("0 = ({})", vec!["1"; MAX_VALUES / 2].join(" "));
    let why = long.parse::<Fact>().expect_err("too long");
    assert_eq!(
        why.to_string(),
        "column 2: more than 4096 bytes follow the position"
    );
}
