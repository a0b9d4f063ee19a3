//! Certificates made by hand.

use sproutnet_certificate::format::{Claim, Fact, Ruleset, write};
use sproutnet_notation::{Outcome, Play};

/// A certificate with these facts. They need not be true, or prove its claim.
pub fn certificate(
    play: Play,
    position: &str,
    outcome: Outcome,
    small: u32,
    facts: &[&str],
) -> Vec<u8> {
    let claim = Claim {
        game: Ruleset::Sprouts,
        play,
        position: position.to_owned(),
        outcome,
        small,
        tool: "test".to_owned(),
    };
    let facts = facts.iter().map(|fact| fact.parse::<Fact>().expect(fact));
    let facts: Vec<Fact> = facts.collect();
    let mut file = Vec::new();
    write(claim, &facts, &mut file).expect("memory");
    file
}

/// An accepted certificate with a single fact.
pub fn good() -> Vec<u8> {
    certificate(Play::Normal, "0*1", Outcome::Loss, 0, &["0 = 0"])
}

/// A certificate whose check would take for ever.
pub fn endless() -> Vec<u8> {
    let fact = format!("{} = 0", endless_land());
    certificate(Play::Normal, "0*1", Outcome::Loss, 0, &[&fact])
}

/// A land whose boundaries a curve can part in more ways than anyone can count.
pub fn endless_land() -> String {
    let kinds: Vec<String> = (1..=20).map(|ends| "1".repeat(ends)).collect();
    kinds.join(".")
}
