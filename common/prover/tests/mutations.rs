//! Certificates of small start positions are accepted. Changed ones are refused, unless they still prove a true
//! claim.
//!
//! A plain run tries 3,000 changes, one with `SPROUTNET_FULL_TESTS=1` tries 10,000. `SPROUTNET_MUTATIONS`
//! overrides the number. `SPROUTNET_SPOTS` is the largest start with a certificate.

mod certificates;

use std::collections::BTreeMap;

use fastrand::Rng;
use sproutnet_certificate::format::{Claim, Fact};
use sproutnet_solver::play::{Outcome, Play};

use crate::certificates::misere::{Limits, Values};
use crate::certificates::normal::Nimbers;
use crate::certificates::{check, sealed, unzipped};

/// The number of changes of a plain run, and of a full one.
const MUTATIONS: u64 = 3_000;
const FULL_MUTATIONS: u64 = 10_000;

/// The default of `SPROUTNET_SPOTS`.
const SPOTS: u64 = 7;

/// Whether tests run at full length.
fn is_full() -> bool {
    std::env::var_os("SPROUTNET_FULL_TESTS").is_some_and(|value| value == "1")
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable}: {text}")),
    )
}

/// Values by the checker alone, by facts alone, by both, and none at all.
const LIMITS: [Limits; 4] = [
    Limits {
        small: 9,
        valued: 0,
    },
    Limits {
        small: 0,
        valued: 12,
    },
    Limits {
        small: 5,
        valued: 9,
    },
    Limits {
        small: 0,
        valued: 0,
    },
];

#[test]
fn certificates_of_starts_are_accepted_under_normal_play() {
    let mut nimbers = Nimbers::new();
    for spots in 1..=number("SPROUTNET_SPOTS").unwrap_or(SPOTS) {
        let file = nimbers.certificate(&format!("0*{spots}"));
        let clock = std::time::Instant::now();
        let verified = check(&file, 2).unwrap_or_else(|error| panic!("0*{spots}: {error}"));
        println!(
            "normal 0*{spots}: {} facts, {} positions, {:?}",
            verified.facts.len(),
            verified.positions,
            clock.elapsed()
        );
        assert_eq!(verified.header.facts, verified.facts.len() as u64);
    }
}

#[test]
fn certificates_of_starts_are_accepted_under_misere_play() {
    let mut values = Values::new();
    for spots in 1..=number("SPROUTNET_SPOTS").unwrap_or(SPOTS) {
        for limits in LIMITS {
            let Limits { small, valued } = limits;
            // Most games are too large to write, and there are many states without values.
            if spots > 4 && valued > 9 || spots > 5 && small < 9 {
                continue;
            }
            let file = values.certificate(&format!("0*{spots}"), limits);
            let clock = std::time::Instant::now();
            let verified = check(&file, 2)
                .unwrap_or_else(|error| panic!("0*{spots} {small} {valued}: {error}"));
            println!(
                "misere 0*{spots}, {small}, {valued}: {} facts, {} positions, {:?}",
                verified.facts.len(),
                verified.positions,
                clock.elapsed()
            );
            assert_eq!(verified.header.facts, verified.facts.len() as u64);
        }
    }
}

#[test]
fn sums_are_proved_as_well() {
    let mut nimbers = Nimbers::new();
    let mut values = Values::new();
    for root in ["!", "0", "0*2+0*2", "0*3+0*2", "0*2.AB|0.AB+1a1a", "1+1+1"] {
        for mut limits in LIMITS {
            limits.valued = limits.valued.min(9);
            let file = values.certificate(root, limits);
            check(&file, 1).unwrap_or_else(|error| panic!("{root}: {error}"));
        }
        let file = nimbers.certificate(root);
        check(&file, 1).unwrap_or_else(|error| panic!("{root}: {error}"));
    }
}

fn choose<T: Copy>(random: &mut Rng, from: &[T]) -> T {
    from[random.usize(..from.len())]
}

/// The kind of change. All changes but the first update the count and the checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    FlipInFile,
    FlipInText,
    Letter,
    Drop,
    Duplicate,
    Swap,
    Value,
    Header,
}

const CHANGES: [Change; 8] = [
    Change::FlipInFile,
    Change::FlipInText,
    Change::Letter,
    Change::Drop,
    Change::Duplicate,
    Change::Swap,
    Change::Value,
    Change::Header,
];

/// The header lines that are part of the claim: convention, position, outcome, small.
const CLAIM_LINES: [usize; 4] = [2, 3, 4, 5];

fn changed(file: &[u8], change: Change, random: &mut Rng) -> Vec<u8> {
    if change == Change::FlipInFile {
        let mut file = file.to_vec();
        let at = random.usize(..file.len());
        file[at] ^= 1 << random.usize(..8);
        return file;
    }
    let mut text = unzipped(file);
    if change == Change::FlipInText {
        let at = random.usize(..text.len());
        text[at] ^= 1 << random.usize(..8);
        return sealed(&text);
    }
    if change == Change::Letter {
        let at = random.usize(..text.len());
        text[at] = choose(random, b"0123ABCab*.|+&()= lost");
        return sealed(&text);
    }
    let text = String::from_utf8(text).expect("ASCII");
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let facts = 10..lines.len();
    if change == Change::Header || facts.is_empty() {
        let line = &mut lines[choose(random, &CLAIM_LINES)];
        let (name, value) = line.split_once(": ").expect("a header");
        let other = match name {
            "play" => choose(random, &["normal", "misere"]).to_owned(),
            "outcome" => choose(random, &["win", "loss"]).to_owned(),
            "small" => random.usize(..14).to_string(),
            _ => choose(
                random,
                &[
                    "0*2", "0*3", "0*4", "0*5", "0*6", "0*3.1a1a", "0*2+0*2", "!", "1",
                ],
            )
            .to_owned(),
        };
        let _ = value;
        *line = format!("{name}: {other}");
        return sealed(&(lines.join("\n") + "\n").into_bytes());
    }
    let at = facts.start + random.usize(..facts.len());
    let other = facts.start + random.usize(..facts.len());
    match change {
        Change::Drop => {
            lines.remove(at);
        }
        Change::Duplicate => lines.insert(at, lines[at].clone()),
        Change::Swap => lines.swap(at, other),
        _ => {
            let value = choose(
                random,
                &["0", "1", "2", "3", "4", "(2)", "(2 3)", "(2)+1", "(3 2)+1"],
            );
            lines[at] = match lines[at].split_once(" = ") {
                Some((land, _)) => format!("{land} = {value}"),
                None => match random.usize(..3) {
                    0 => lines[at].replace(" lost", &format!(" & {value} lost")),
                    1 => {
                        let position = lines[at].split(' ').next().unwrap_or_default();
                        format!("{position} lost")
                    }
                    _ => {
                        let position = lines[at].split(' ').next().unwrap_or_default();
                        format!("{position} = {value}")
                    }
                },
            };
        }
    }
    sealed(&(lines.join("\n") + "\n").into_bytes())
}

/// The true facts.
struct Truth {
    nimbers: Nimbers,
    values: Values,
}

impl Truth {
    fn assert_claim(&self, claim: &Claim) {
        let root = &claim.position;
        let outcome = match claim.play {
            Play::Normal => Outcome::win_if(self.nimbers.of(&self.nimbers.position(root)) != 0),
            Play::Misere => self.values.outcome(root),
        };
        assert_eq!(claim.outcome, outcome, "{} {root}", claim.play);
    }

    fn assert_fact(&mut self, play: Play, fact: &Fact) {
        match fact {
            Fact::Equals { land, value } if play == Play::Normal => {
                let nimber = self.nimbers.of(&self.nimbers.position(land));
                assert_eq!(value.to_string(), nimber.to_string(), "{fact}");
            }
            Fact::Equals { land, value } => {
                let position = self.values.position(land);
                let [land] = position.lands() else {
                    panic!("{fact}: not one land")
                };
                assert_eq!(self.values.value(land), self.values.read(value), "{fact}");
            }
            Fact::Lost { position, values } => {
                let position = self.values.position(position);
                let values: Vec<_> = values.iter().map(|value| self.values.read(value)).collect();
                assert!(self.values.is_lost(&position, &values), "{fact}");
            }
        }
    }
}

#[test]
fn no_change_makes_a_certificate_of_what_is_not_true() {
    let mut truth = Truth {
        nimbers: Nimbers::new(),
        values: Values::new(),
    };
    let mut files: Vec<Vec<u8>> = ["0*3", "0*4", "0*5", "0*3+0*2", "0*6"]
        .into_iter()
        .map(|root| truth.nimbers.certificate(root))
        .collect();
    for (root, limits) in [
        ("0*3", LIMITS[3]),
        ("0*3", LIMITS[1]),
        ("0*4", LIMITS[2]),
        ("0*4", LIMITS[3]),
        ("0*3+0*2", LIMITS[2]),
    ] {
        files.push(truth.values.certificate(root, limits));
    }
    for file in &files {
        check(file, 1).expect("a certificate as it was made");
    }
    let mut counts: BTreeMap<Change, [u64; 2]> = BTreeMap::new();
    let mutations = if is_full() { FULL_MUTATIONS } else { MUTATIONS };
    for seed in 0..number("SPROUTNET_MUTATIONS").unwrap_or(mutations) {
        let mut random = Rng::with_seed(seed);
        let file = &files[random.usize(..files.len())];
        let change = choose(&mut random, &CHANGES);
        let mutant = changed(file, change, &mut random);
        let count = counts.entry(change).or_default();
        match check(&mutant, 1) {
            Err(error) => {
                assert!(error.is_refusal(), "seed {seed}: {error}");
                count[0] += 1;
            }
            Ok(verified) => {
                count[1] += 1;
                let claim = &verified.header.claim;
                truth.assert_claim(claim);
                for fact in &verified.facts {
                    truth.assert_fact(claim.play, fact);
                }
            }
        }
    }
    for (change, [refused, accepted]) in &counts {
        println!("{change:?}: {refused} refused, {accepted} accepted, and true");
    }
    let total = counts
        .values()
        .fold([0, 0], |a, b| [a[0] + b[0], a[1] + b[1]]);
    println!("{} refused, {} accepted", total[0], total[1]);
    assert!(total[0] > total[1], "most changes do harm");
}
