//! Records that pass the check do no harm: they can be learned, and the search continues.

use proptest::prelude::*;
use proptest::sample::Index;

use sproutnet_game::{Game, Sprouts};
use sproutnet_solver::play::{
    Convention, Knowledge, Misere, Normal, Outcome, Record, RecordError, State, Worth,
};
use sproutnet_solver::search::Control;

use sproutnet_testkit::solver::{Shelf, Solver, cases};

fn records_of<C: Convention>(position: &str) -> Vec<Record> {
    let solver = Solver::<C>::new(Sprouts);
    let outcome = solver.outcome(position);
    solver.convention.settle(&solver.state(position), outcome);
    solver.convention.take_records()
}

/// True records with some bytes of the key and perhaps the value replaced.
fn damaged(records: Vec<Record>) -> impl Strategy<Value = Record> {
    let byte = prop_oneof![6 => 0..8_u8, 1 => 0xEE..=0xF2_u8, 1 => any::<u8>()];
    let damage = prop::collection::vec((any::<Index>(), byte), 0..3);
    let value = prop_oneof![2 => Just(None), 1 => (0..40_u64).prop_map(Some)];
    let record = any::<Index>().prop_map(move |i| i.get(&records).clone());
    (record, damage, value).prop_map(|(record, damage, value)| {
        let mut key = record.key.to_vec();
        for (at, byte) in damage {
            // The game and the convention stay.
            let at = 2 + at.index(key.len() - 2);
            key[at] = byte;
        }
        Record {
            key: key.into(),
            value: value.unwrap_or(record.value),
            worth: Worth::LEAST,
        }
    })
}

/// Whether a record is about an existing subject, so that it may mislead.
fn is_about_something(record: &Record) -> bool {
    let known = Knowledge::default();
    let known = known.game("sprouts").expect("sprouts");
    let [_, play, subject @ ..] = &record.key[..] else {
        return false;
    };
    match play {
        b'n' => Sprouts.land(subject).is_ok(),
        _ => State::decode(subject, &*known.misere).is_ok(),
    }
}

/// Learns a record that passes the check. It may be wrong, but not malformed.
fn learn<C: Convention>(convention: &C, record: &Record) -> Result<bool, TestCaseError> {
    let checked = convention.check(&record.key, record.value);
    match convention.learn(&record.key, record.value) {
        Ok(()) | Err(RecordError::Contradiction(_)) => prop_assert!(checked.is_ok()),
        Err(RecordError::Malformed(_) | RecordError::Impossible(_)) => {
            prop_assert!(checked.is_err());
        }
    }
    Ok(checked.is_ok())
}

/// Learns damaged records, in memory and over an archive that has them, then searches.
fn does_no_harm<C: Convention>(
    position: &str,
    outcome: Outcome,
    records: &[Record],
) -> Result<(), TestCaseError> {
    let learned = Solver::<C>::new(Sprouts);
    let mut taken = Vec::new();
    for record in records {
        if learn(&learned.convention, record)? {
            taken.push(record.clone());
        }
    }
    // Of two about one key the archive would refuse one.
    taken.sort_by(|a, b| a.key.cmp(&b.key));
    taken.dedup_by(|a, b| a.key == b.key);
    let archived = Solver::<C>::over(Sprouts, &Shelf::of(&taken));
    for record in &taken {
        learn(&archived.convention, record)?;
    }
    let harmless = records.iter().all(|record| !is_about_something(record));
    for solver in [&learned, &archived] {
        let control = if harmless {
            Control::until(None)
        } else {
            Control::with_visits(300)
        };
        let found = solver.search(&solver.state(position), &control).outcome();
        if harmless {
            prop_assert_eq!(found, Some(outcome));
            prop_assert_eq!(solver.convention.contradiction(), None);
        }
        solver.convention.take_records();
        prop_assert!(solver.convention.bytes() > 0);
    }
    Ok(())
}

/// Damaged records; if `harmless`, none is about an existing subject.
fn several(records: Vec<Record>, harmless: bool) -> impl Strategy<Value = Vec<Record>> {
    let one = damaged(records);
    let one = one.prop_filter("true or misleading", move |record| {
        !harmless || !is_about_something(record)
    });
    prop::collection::vec(one, 1..40)
}

#[test]
fn normal_play() {
    let records = records_of::<Normal>("0*8");
    for harmless in [true, false] {
        let several = several(records.clone(), harmless);
        proptest!(cases(24), |(records in several)| {
            does_no_harm::<Normal>("0*6", Outcome::Loss, &records)?;
        });
    }
}

#[test]
fn misere_play() {
    let records = records_of::<Misere>("0*9");
    for harmless in [true, false] {
        let several = several(records.clone(), harmless);
        proptest!(cases(24), |(records in several)| {
            does_no_harm::<Misere>("0*6", Outcome::Win, &records)?;
        });
    }
}
