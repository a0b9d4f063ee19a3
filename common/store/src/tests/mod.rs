//! The store as a whole, and shared parts of its tests.

mod checking;
mod compacting;
mod copying;
mod crash;
mod documents;
mod full_disk;
mod indexing;
mod map;
mod merging;
mod refusals;
mod rollback;
mod salvaging;
mod shedding;
mod timeline;

use super::{
    DocumentChange, Merged, OWN, Record, SourcedRecord, Store, StoreError, Worth, block,
    index::{Entry, KeyHash},
};
use std::{collections::HashMap, path::Path};

pub(super) const ENCODINGS: &[(&str, u32)] = &[("sprouts", 1), ("kayles", 2)];

pub(super) fn open(dir: &Path) -> Store {
    Store::open(dir, ENCODINGS).unwrap()
}

pub(super) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A record of this process.
fn of(key: impl Into<Box<[u8]>>, value: u64) -> SourcedRecord {
    let key = key.into();
    SourcedRecord {
        record: Record {
            key,
            value,
            worth: Worth::LEAST,
        },
        source: OWN,
    }
}

fn record(key: u64, value: u64) -> SourcedRecord {
    of(format!("{}/{key}", key % 7).into_bytes(), value)
}

pub(super) fn records(keys: std::ops::Range<u64>, value: u64) -> Vec<SourcedRecord> {
    keys.map(|key| record(key, value)).collect()
}

/// Merges by the rule that the last value counts.
fn merge(store: &Store, records: &[SourcedRecord]) -> Result<Merged, StoreError> {
    merge_with(store, records, &[])
}

fn merge_with(
    store: &Store,
    records: &[SourcedRecord],
    documents: &[DocumentChange<'_>],
) -> Result<Merged, StoreError> {
    let records: Vec<_> = records.iter().map(SourcedRecord::borrow).collect();
    store.merge_with(&records, |_, _, new| Some(new), documents)
}

/// Merges and returns the cursor.
pub(super) fn append(store: &Store, records: &[SourcedRecord]) -> u64 {
    merge(store, records).unwrap().cursor
}

fn value(store: &Store, key: u64) -> Option<u64> {
    let stored = store.get(&record(key, 0).record.key).unwrap();
    stored.map(|stored| stored.value)
}

/// The index has an entry for each record of each block, and no other.
pub(super) fn assert_index(store: &Store) {
    let mut sum = 0u128;
    for block in store.blocks_after(0) {
        let (block, bytes) = block.unwrap();
        for record in block::decode(&bytes).unwrap() {
            let hash = KeyHash::of(&record.record.key);
            sum = sum.wrapping_add(Entry { hash, block }.digest());
        }
    }
    let entries = store.content().index.snapshot();
    assert_eq!(entries.digest().unwrap(), sum, "the index lies");
}

/// Values and sources by key.
pub(super) type Model = HashMap<Box<[u8]>, (u64, u32)>;

pub(super) fn collect(records: impl Iterator<Item = Result<SourcedRecord, StoreError>>) -> Model {
    let mut model = Model::new();
    for record in records {
        let SourcedRecord { record, source } = record.unwrap();
        let before = model.insert(record.key, (record.value, source));
        assert_eq!(before, None, "a key came twice");
    }
    model
}
