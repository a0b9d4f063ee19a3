//! What is written to runs comes back, or an error.

use super::*;
use crate::{SourcedRecord, VERIFIED, Worth};

const RECORDS: usize = 40;

fn records() -> Vec<SourcedRecord> {
    let record = |number: usize| {
        let key = format!("{}/{number:03}", number % 2);
        let record = Sourced {
            key: key.as_bytes(),
            value: number as u64,
            worth: Worth::of_visits(number as u64),
            source: (number % 5) as u32
                | if number.is_multiple_of(3) {
                    VERIFIED
                } else {
                    0
                },
        };
        record.to_owned()
    };
    let mut records: Vec<_> = (0..RECORDS).map(record).collect();
    records.sort_by(|a, b| a.record.key.cmp(&b.record.key));
    records
}

/// Each record in one of three runs, in turn.
fn runs(folder: &Path) -> Runs {
    let place = Place {
        folder,
        keep_free: 0,
    };
    let mut runs = Runs::begin(place).unwrap();
    let records = records();
    for first in 0..3 {
        let some = records.iter().skip(first).step_by(3);
        let some: Vec<_> = some.map(SourcedRecord::borrow).collect();
        runs.add(&some).unwrap();
    }
    runs
}

fn merged(runs: Runs) -> Result<Vec<SourcedRecord>, StoreError> {
    let mut merged = Vec::new();
    runs.merge(0, |record| {
        merged.push(record.to_owned());
        Ok(())
    })?;
    Ok(merged)
}

#[test]
fn all_records_come_in_the_order_of_their_keys() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(merged(runs(folder.path())).unwrap(), records());
}

#[test]
fn every_changed_byte_and_every_truncation_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let length = runs(folder.path()).ends[2];
    for position in 0..length {
        let [changed, cut] = [(); 2].map(|()| runs(folder.path()));
        let (file, mut byte) = (changed.file.get_ref(), [0]);
        file.read_exact_at(&mut byte, position).unwrap();
        file.write_all_at(&[!byte[0]], position).unwrap();
        cut.file.get_ref().set_len(position).unwrap();
        for runs in [changed, cut] {
            let ended = merged(runs);
            assert!(matches!(ended, Err(StoreError::Sort { .. })), "{position}");
        }
    }
}

#[test]
fn an_error_of_the_receiver_ends_the_merge() {
    let folder = tempfile::tempdir().unwrap();
    let mut taken = 0;
    let ended = runs(folder.path()).merge(0, |_| {
        taken += 1;
        if taken < 10 {
            Ok(())
        } else {
            Err(StoreError::Stopped)
        }
    });
    assert!(matches!(ended, Err(StoreError::Stopped)));
    assert_eq!(taken, 10);
}
