//! Records that are wrong: contradictions and noise are refused and change nothing.

use proptest::prelude::*;

use sproutnet_game::{Game, Kayles, Sprouts};
use sproutnet_solver::play::{
    Convention, Exchange, Misere, NimberStep, Normal, Outcome, Play, ProvedOutcomes, Record,
    RecordError, Rules, State, Worth, merge,
};

use sproutnet_testkit::solver::{Shelf, Solver, cases};

/// A record about the only land of a position.
fn normal_record(text: &str, value: u64) -> Record {
    let position = Sprouts.parse(text).expect("a position");
    Record::new(
        Sprouts.code(),
        Play::Normal,
        position.lands()[0].as_bytes(),
        value,
    )
}

fn exact(nimber: u64) -> u64 {
    2 * nimber + 1
}

fn excluded(nimbers: &[u64]) -> u64 {
    nimbers.iter().map(|nimber| 2 << nimber).sum()
}

/// A record about the state of a position.
fn misere_record(text: &str, value: u64) -> Record {
    let solver = Solver::<Misere>::new(Sprouts);
    let subject = solver.state(text).encode(&solver.convention);
    let subject = subject.expect("the value of nothing is short");
    Record::new(Sprouts.code(), Play::Misere, &subject, value)
}

#[test]
fn contradicting_nimbers_are_refused() {
    // The nimber of 0*3 is 1.
    let cases = [
        (exact(1), exact(0)),
        (exact(1), exact(2)),
        (exact(1), excluded(&[1])),
        (exact(1), excluded(&[0, 1, 3])),
        (excluded(&[0]), exact(0)),
        (excluded(&[0, 2, 3]), exact(3)),
    ];
    for (known, new) in cases {
        let solver = Solver::<Normal>::new(Sprouts);
        let land = solver.land("0*3");
        let nimber = || match solver.convention.nimber(land) {
            Some(NimberStep::Known(nimber)) => (nimber, true),
            Some(NimberStep::Next(probe)) => (probe.value, false),
            None => panic!("normal play has nimbers"),
        };
        solver.learn(&normal_record("0*3", known));
        let before = nimber();
        let record = normal_record("0*3", new);
        match solver.convention.learn(&record.key, record.value) {
            Err(RecordError::Contradiction(found)) => {
                assert_eq!(
                    (found.key, found.known, found.new),
                    (record.key, known, new)
                );
            }
            other => panic!("{known} then {new}: {other:?}"),
        }
        assert_eq!(nimber(), before, "{known} then {new}");
        assert!(
            solver.convention.contradiction().is_none(),
            "nothing wrong was proved here"
        );
        assert_eq!(solver.nimber("0*3"), 1, "{known} then {new}");
    }
}

/// A wrong record about a land that was not met is found out when the land is.
fn found_out_when_met(text: &str, known: u64, wrong: u64) {
    let solver = Solver::<Normal>::new(Sprouts);
    let record = normal_record(text, wrong);
    solver.learn(&record);
    assert_eq!(solver.convention.contradiction(), None, "{text}");
    let over = Solver::<Normal>::over(Sprouts, &Shelf::of(std::slice::from_ref(&record)));
    for solver in [solver, over] {
        let land = solver.land(text);
        if solver.convention.lands().max_moves(land) > 5 {
            // Proved before it was requested.
            let lands = [land].into_iter().collect();
            let value = (known >> 1) as u32;
            let state = State { lands, value };
            solver.convention.settle(&state, Outcome::Loss);
        }
        let nimber = solver.convention.nimber(land);
        assert_eq!(
            nimber,
            Some(NimberStep::Known((known >> 1) as u32)),
            "{text}"
        );
        let found = solver.convention.contradiction().expect("one is wrong");
        assert_eq!(
            (&found.key, found.known, found.new),
            (&record.key, known, wrong)
        );
    }
}

#[test]
fn what_was_told_agrees_with_what_is_found() {
    found_out_when_met("0*3", exact(1), exact(2));
    found_out_when_met("0*3", exact(1), excluded(&[1]));
}

#[test]
fn what_is_seen_at_once_is_not_told_otherwise() {
    let solver = Solver::<Normal>::new(Sprouts);
    // 0*2 has at most 5 moves, and is valued at sight.
    for value in [exact(1), excluded(&[0, 4])] {
        let Record { key, value, .. } = normal_record("0*2", value);
        let learned = solver.convention.learn(&key, value);
        assert!(
            matches!(learned, Err(RecordError::Malformed(_))),
            "{learned:?}"
        );
    }
    for value in [exact(0), excluded(&[1, 4])] {
        solver.learn(&normal_record("0*2", value));
    }
    assert_eq!(solver.nimber("0*2"), 0);
    assert!(solver.convention.contradiction().is_none());
}

#[test]
fn some_nimber_is_left() {
    let solver = Solver::<Normal>::new(Sprouts);
    // 0*3 has 9 lives, hence 8 moves and a nimber of 8 at most.
    let none_left = normal_record("0*3", excluded(&[0, 1, 2, 3, 4, 5, 6, 7, 8]));
    assert!(
        solver
            .convention
            .learn(&none_left.key, none_left.value)
            .is_err()
    );
    assert_eq!(solver.nimber("0*3"), 1);
}

#[test]
fn contradicting_misere_outcomes_are_refused() {
    for (known, outcome) in [(0, Outcome::Loss), (1, Outcome::Win)] {
        let solver = Solver::<Misere>::new(Sprouts);
        solver.learn(&misere_record("0*9", known));
        for _ in 0..2 {
            let record = misere_record("0*9", 1 - known);
            match solver.convention.learn(&record.key, record.value) {
                Err(RecordError::Contradiction(found)) => {
                    assert_eq!((found.known, found.new), (known, 1 - known));
                }
                other => panic!("{known}: {other:?}"),
            }
            assert_eq!(solver.known("0*9"), Some(outcome));
        }
        solver.learn(&misere_record("0*9", known));
        assert!(solver.convention.contradiction().is_none());
    }
}

#[test]
fn malformed_records_are_refused() {
    let normal = Solver::<Normal>::new(Sprouts);
    let misere = Solver::<Misere>::new(Sprouts);
    let row = Kayles.parse("9").expect("a row");
    let row = row.lands()[0].as_bytes();
    let about_nimber = normal_record("0*5", exact(2));
    let about_outcome = misere_record("0*9", 1);
    let mut records = vec![
        Record::new(Kayles.code(), Play::Normal, row, exact(4)),
        Record::new(Sprouts.code(), Play::Normal, row, exact(4)),
        // 0*3 has 9 lives, hence 8 moves at most.
        normal_record("0*3", exact(9)),
        normal_record("0*3", u64::MAX),
        misere_record("0*9", 2),
        misere_record("0*9", u64::MAX),
    ];
    for record in [&about_nimber, &about_outcome] {
        let key = &record.key;
        let cut_short = (0..key.len()).map(|end| key[..end].to_vec());
        let longer = (0..=u8::MAX).map(|byte| [key, &[byte][..]].concat());
        let keys = cut_short.chain(longer).map(Box::from);
        records.extend(keys.map(|key| Record {
            key,
            value: record.value,
            worth: Worth::LEAST,
        }));
    }
    for record in &records {
        for learned in [
            normal.convention.learn(&record.key, record.value),
            misere.convention.learn(&record.key, record.value),
        ] {
            assert!(
                matches!(learned, Err(RecordError::Malformed(_))),
                "{record:?}: {learned:?}"
            );
        }
    }
    let other_play = [
        normal
            .convention
            .learn(&about_outcome.key, about_outcome.value),
        misere
            .convention
            .learn(&about_nimber.key, about_nimber.value),
    ];
    assert!(other_play.iter().all(Result::is_err));
    assert_eq!((normal.known("0*3"), misere.known("0*9")), (None, None));
    assert_eq!(
        (normal.nimber("0*3"), misere.outcome("0*9")),
        (1, Outcome::Loss)
    );
}

#[test]
fn random_bytes_are_no_records() {
    let normal = Solver::<Normal>::new(Sprouts);
    let misere = Solver::<Misere>::new(Sprouts);
    let prefix = prop_oneof![
        Just(&b""[..]),
        Just(&b"Sn"[..]),
        Just(&b"Sm"[..]),
        Just(&b"Kn"[..])
    ];
    let byte = prop_oneof![4 => 0..8_u8, 1 => any::<u8>()];
    let bytes = prop::collection::vec(byte, 0..24);
    proptest!(cases(20_000), |(prefix in prefix, bytes in bytes, value: u64)| {
        let key = [prefix, &bytes].concat();
        if normal.convention.learn(&key, value).is_ok() {
            // By chance it was one, or looks like one.
            prop_assert_eq!(prefix, b"Sn");
            prop_assert!(Sprouts.check(&bytes).is_ok());
        }
        if misere.convention.learn(&key, value).is_ok() {
            prop_assert_eq!(prefix, b"Sm");
            prop_assert!(value < 2);
        }
    });
}

proptest! {
    #![proptest_config(cases(256))]

    /// All that is true of one land fits together in any order, and nothing else does.
    #[test]
    fn merging_keeps_all_that_is_said(
        nimber in 0..40_u64,
        masks in prop::collection::vec(any::<u64>(), 1..6),
        told in any::<bool>(),
    ) {
        let key = normal_record("0*20", 0).key;
        let masks = masks.iter().map(|mask| mask & !1 & !(2 << nimber));
        let all = masks.clone().fold(0, |all, mask| all | mask);
        let mut facts: Vec<u64> = masks.collect();
        if told {
            facts.insert(facts.len() / 2, exact(nimber));
        }
        let add = |known, &fact: &u64| merge(&key, known, fact);
        let forwards = facts.iter().try_fold(0, add);
        prop_assert_eq!(&facts.iter().rev().try_fold(0, add), &forwards);
        let known = forwards.expect("all of it is true");
        prop_assert_eq!(known, if told { exact(nimber) } else { all });
        prop_assert_eq!(merge(&key, known, known), Ok(known));

        prop_assert_eq!(merge(&key, known, exact(nimber)), Ok(exact(nimber)));
        prop_assert!(merge(&key, exact(nimber), excluded(&[nimber])).is_err());
        prop_assert!(merge(&key, excluded(&[nimber]), exact(nimber)).is_err());
        prop_assert!(merge(&key, exact(nimber), exact(nimber + 1)).is_err());
    }
}
