//! The checker accepts proofs made by the prover, with and without the records of a store.
//!
//! `SPROUTNET_PROOF_SPOTS` is the largest start position under normal play, `SPROUTNET_MISERE_PROOF_SPOTS` under
//! misère play. With `SPROUTNET_FULL_TESTS=1`, the certificate that comes with the program is checked, otherwise
//! only read.

use std::collections::HashMap;
use std::fs;
use std::sync::Arc;

use sproutnet_certificate::format::{Fact, Reader, Ruleset};
use sproutnet_certificate::{Options, verify};
use sproutnet_game::{Sprouts, encodings, parse_stored};
use sproutnet_prover::{Limits, Proof, ProveError, prove};
use sproutnet_solver::play::{
    Archive, Convention, Fact as RecordFact, Misere, Normal, Outcome, Play, Record, merge,
};
use sproutnet_store::{OWN, Sourced, Store, Worth};

use sproutnet_testkit::solver::{Shelf, Solver};

/// Losing couples in the minimized proofs of the solver GLOP, by the number of spots.
const GLOP: [(u64, usize); 16] = [
    (6, 43),
    (7, 65),
    (8, 137),
    (9, 58),
    (10, 110),
    (11, 113),
    (16, 669),
    (17, 329),
    (18, 1997),
    (19, 1736),
    (20, 1831),
    (21, 5312),
    (22, 1581),
    (23, 1058),
    (24, 5327),
    (25, 2497),
];

const OPTIONS: Options = Options {
    cores: 2,
    memory: 1 << 30,
};

/// Enough for small start positions.
const EFFORT: u64 = 2;

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{variable}: {text}")))
}

fn is_full() -> bool {
    std::env::var_os("SPROUTNET_FULL_TESTS").is_some_and(|value| value == "1")
}

fn limits(effort: u64) -> Limits {
    Limits {
        cores: 1,
        memory: 2 << 30,
        effort,
        seed: 0,
    }
}

fn try_to_prove(
    text: &str,
    play: Play,
    archive: Option<Arc<dyn Archive>>,
    effort: u64,
) -> Result<Proof, ProveError> {
    let (game, position) = parse_stored(text).expect("a position");
    prove(game, &position, play, archive, &limits(effort), &|_| ())
}

/// Makes a proof, and checks it.
fn proved(text: &str, play: Play, archive: Option<Arc<dyn Archive>>, effort: u64) -> Proof {
    let proof = try_to_prove(text, play, archive, effort);
    let proof = proof.unwrap_or_else(|error| panic!("{text} {play}: {error}"));
    accepted(&proof).unwrap_or_else(|error| panic!("{text} {play}: {error}"));
    proof
}

fn accepted(proof: &Proof) -> Result<(), String> {
    let mut file = Vec::new();
    proof.write(&mut file).expect("memory");
    let verified = verify(&file[..], &OPTIONS);
    let verified = verified.map_err(|error| error.to_string())?;
    assert_eq!(verified.header.claim, proof.claim);
    assert_eq!(verified.header.facts, proof.facts.len() as u64);
    Ok(())
}

/// All records of the searches that solve these positions.
fn records<C: Convention>(positions: &[&str]) -> Vec<Record> {
    let solver: Solver<C> = Solver::new(Sprouts);
    for position in positions {
        solver.outcome(position);
    }
    solver.convention.take_records()
}

#[test]
fn starts_under_normal_play_in_no_more_facts_than_published() {
    let last = number("SPROUTNET_PROOF_SPOTS");
    for spots in 1..=last.unwrap_or(12) {
        let effort = if spots > 12 { 60 } else { EFFORT };
        let proof = proved(&format!("0*{spots}"), Play::Normal, None, effort);
        let facts = proof.facts.len();
        println!("normal 0*{spots}: {facts}");
        if let Some((_, published)) = GLOP.iter().find(|&&(of, _)| of == spots) {
            assert!(facts <= *published, "0*{spots}: {facts} facts");
        }
        assert_eq!(proof.claim.outcome, Outcome::win_if(spots % 6 > 2));
    }
}

#[test]
fn starts_under_misere_play() {
    let last = number("SPROUTNET_MISERE_PROOF_SPOTS");
    for spots in 1..=last.unwrap_or(11) {
        let proof = proved(&format!("0*{spots}"), Play::Misere, None, EFFORT);
        let facts = proof.facts.len();
        println!("misere 0*{spots}: {facts}");
        // If lands with more moves are proved to be heaps, it takes several times as many.
        assert!(spots > 10 || facts < 400, "0*{spots}: {facts} facts");
        let is_won = match spots {
            1 => true,
            4 => false,
            _ => matches!(spots % 6, 0 | 4 | 5),
        };
        assert_eq!(proof.claim.outcome, Outcome::win_if(is_won), "0*{spots}");
    }
}

#[test]
fn the_certificate_that_comes_with_the_program() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../atlas/misere-21.sprout");
    let file = fs::read(file).expect("a file");
    let mut reader = Reader::new(&file[..]).expect("a header");
    while reader.next_fact().expect("a fact, or the end").is_some() {}
    let claim = &reader.header().claim;
    assert_eq!(
        (claim.play, &claim.position[..], claim.outcome),
        (Play::Misere, "0*21", Outcome::Loss)
    );
    if is_full() {
        verify(&file[..], &OPTIONS).expect("it is true");
    }
}

#[test]
fn sums_and_what_needs_no_facts() {
    for (text, facts) in [
        ("!", 0),
        ("0*3+0*3", 0),
        ("0*4.1a1a+0*4.1a1a", 0),
        ("1+1", 0),
    ] {
        let proof = proved(text, Play::Normal, None, EFFORT);
        assert_eq!(
            (proof.facts.len(), proof.claim.outcome),
            (facts, Outcome::Loss)
        );
    }
    for text in ["0*3+0*4", "0*2+0*2+0*5", "0*3.AB|0.AB+0*3", "1+0*2"] {
        for play in Play::ALL {
            proved(text, play, None, EFFORT);
        }
    }
    proved("!", Play::Misere, None, EFFORT);
}

#[test]
fn with_little_memory_the_first_search_has_to_do() {
    let facts = |text: &str, memory, seed| {
        let (game, position) = parse_stored(text).expect("a position");
        let limits = Limits {
            memory,
            seed,
            ..limits(0)
        };
        let proof = prove(game, &position, Play::Normal, None, &limits, &|_| ());
        let proof = proof.unwrap_or_else(|error| panic!("{text}: {error}"));
        accepted(&proof).unwrap_or_else(|error| panic!("{text}: {error}"));
        proof.facts
    };
    for text in ["0*10", "0*12"] {
        // The seed concerns the guided search, not the first.
        let [little, ample] = [4 << 20, 1 << 30];
        assert_eq!(facts(text, little, 0), facts(text, little, 1), "{text}");
        assert_ne!(facts(text, ample, 0), facts(text, ample, 1), "{text}");
    }
}

#[test]
fn proofs_from_a_store_on_disk_that_forgot_a_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = [
        records::<Normal>(&["0*7", "0*9"]),
        records::<Misere>(&["0*7"]),
    ]
    .concat();
    for part in [1, 3] {
        let folder = folder.path().join(part.to_string());
        let store = Store::open(&folder, &encodings()).expect("a store");
        let records: Vec<&Record> = all.iter().step_by(part).collect();
        let sourced: Vec<Sourced<'_>> = records
            .iter()
            .map(|Record { key, value, .. }| Sourced {
                key,
                value: *value,
                worth: Worth::LEAST,
                source: OWN,
            })
            .collect();
        let rule = |key: &[u8], known, new| merge(key, known, new).ok();
        store.merge(&sourced, rule).expect("a disk");
        drop(store);
        let store = Store::open(&folder, &encodings()).expect("the store");
        let cursor = store.cursor();
        for (text, play) in [
            ("0*7", Play::Normal),
            ("0*9", Play::Normal),
            ("0*7", Play::Misere),
            ("0*6", Play::Misere),
        ] {
            let archive: Arc<dyn Archive> = Arc::new(store.clone());
            proved(text, play, Some(archive), EFFORT);
        }
        assert_eq!(store.cursor(), cursor, "nothing is written to the store");
    }
}

#[test]
fn the_same_archive_and_seed_give_the_same_proof() {
    let normal = Shelf::of(&records::<Normal>(&["0*8"]));
    let misere = Shelf::of(&records::<Misere>(&["0*7"]));
    for (text, play, shelf) in [("0*8", Play::Normal, normal), ("0*7", Play::Misere, misere)] {
        let prove = || {
            let archive: Arc<dyn Archive> = shelf.clone();
            let proof = try_to_prove(text, play, Some(archive), EFFORT).expect("a proof");
            let facts = proof.facts.iter().map(Fact::to_string);
            facts.collect::<Vec<_>>()
        };
        assert!(prove() == prove(), "{text} {play}");
    }
}

/// An archive with some changed records.
struct Changed(HashMap<Box<[u8]>, u64>);

impl Archive for Changed {
    fn value(&self, key: &[u8]) -> Option<u64> {
        self.0.get(key).copied()
    }
}

#[test]
fn nothing_false_is_proved_from_wrong_records() {
    let normal = [
        (Play::Normal, "0*5", records::<Normal>(&["0*5"])),
        (Play::Normal, "0*7", records::<Normal>(&["0*7"])),
        (Play::Normal, "0*3+0*4", records::<Normal>(&["0*3+0*4"])),
    ];
    let misere = [
        (Play::Misere, "0*5", records::<Misere>(&["0*5"])),
        (Play::Misere, "0*6", records::<Misere>(&["0*6"])),
    ];
    let part = if is_full() { 1 } else { 3 };
    let (mut proofs, mut refusals) = (0, 0);
    for (play, text, records) in normal.iter().chain(&misere) {
        let known = |record: &Record| (record.key.clone(), record.value);
        let known: HashMap<_, _> = records.iter().map(known).collect();
        for (place, record) in records.iter().enumerate().step_by(part) {
            // Mostly in one pass, which is quick.
            let most = u64::from(place % 8 == 0);
            let values = wrong_values(*play, record.value).into_iter();
            for (value, effort) in
                values.flat_map(|value| (0..=most).map(move |effort| (value, effort)))
            {
                let mut all = known.clone();
                all.insert(record.key.clone(), value);
                match try_to_prove(text, *play, Some(Arc::new(Changed(all))), effort) {
                    // The proof does not use the wrong record.
                    Ok(proof) => match accepted(&proof) {
                        Ok(()) => proofs += 1,
                        Err(error) => panic!("{text} {play}, {record:?} as {value}: {error}"),
                    },
                    Err(ProveError::Unfounded(_) | ProveError::Contradiction(_)) => refusals += 1,
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
    println!("{proofs} proofs, {refusals} refusals");
    assert!(proofs > 0 && refusals > 0);
}

/// A store may say that a land does not have a nimber without the reason: its nimber may be smaller.
#[test]
fn a_land_without_a_nimber_may_have_a_smaller_one() {
    let larger = |record: &Record| {
        let nimber = RecordFact::of_land(record.value).nimber()?;
        let larger = (nimber + 1..8).fold(0, |mask, larger| mask | 2 << larger);
        Some((record.key.clone(), larger))
    };
    for text in ["0*7", "0*8", "0*12"] {
        let records = records::<Normal>(&[text]);
        for part in 1..8 {
            let known = records.iter().enumerate().map(|(place, record)| {
                let replaced = (place % part == 0).then(|| larger(record)).flatten();
                replaced.unwrap_or_else(|| (record.key.clone(), record.value))
            });
            let archive = Changed(known.collect());
            proved(text, Play::Normal, Some(Arc::new(archive)), 0);
        }
    }
}

/// Values of records that are not true.
fn wrong_values(play: Play, value: u64) -> Vec<u64> {
    match play {
        Play::Normal => {
            let truth = RecordFact::of_land(value);
            let nimbers = (0..4).map(RecordFact::Nimber);
            // The true nimber as one that the land does not have.
            let excluded = truth
                .nimber()
                .map(|nimber| RecordFact::of_land(2 << nimber));
            let others = nimbers.chain(excluded);
            let wrong = others.filter(|&other| truth.merge(other).is_none());
            wrong.map(RecordFact::value).collect()
        }
        Play::Misere => vec![value ^ 1],
    }
}

#[test]
fn starts_of_mixed_sprouts_are_proved_and_verified() {
    for text in ["x", "0.x", "x*2", "0*2", "0*2.x", "0.x*2", "x*3"] {
        for play in [Play::Normal, Play::Misere] {
            let text = format!("mixed:{text}");
            let proof = proved(&text, play, None, 0);
            // One that claims the opposite is refused, and so is one of another game.
            let mut wrong = proof.clone();
            wrong.claim.outcome = proof.claim.outcome.reversed();
            assert!(accepted(&wrong).is_err(), "{text} {play}");
        }
    }
    let nim = try_to_prove("nim:3+5", Play::Normal, None, 0).expect_err("no certificates");
    assert!(nim.to_string().contains("nim has no certificates"), "{nim}");
}

/// `0*2` under normal play is a loss with dots alone, and a win if a move may put a cross.
#[test]
fn a_certificate_proves_nothing_of_another_game() {
    for text in ["0*2", "mixed:0*2"] {
        let mut proof = proved(text, Play::Normal, None, 0);
        proof.claim.game = match proof.claim.game {
            Ruleset::Sprouts => Ruleset::Mixed,
            Ruleset::Mixed => Ruleset::Sprouts,
        };
        assert!(accepted(&proof).is_err(), "{text}");
    }
}
