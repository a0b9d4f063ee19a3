//! The store against a map.

use super::{Model, append, assert_index, collect, folder, merge, open, record, records, value};
use crate::{SourcedRecord, Store, Stored, Worth, block};
use proptest::{collection, prelude::*};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

/// A reader that remembers a cursor and applies later blocks.
#[derive(Default)]
struct Follower {
    cursor: u64,
    known: Model,
}

impl Follower {
    fn follow(&mut self, store: &Store) {
        for block in store.blocks_after(self.cursor) {
            let (number, bytes) = block.unwrap();
            assert!(number > self.cursor);
            self.cursor = number;
            let records = block::decode(&bytes).unwrap().into_iter();
            self.known
                .extend(records.map(|r| (r.record.key, (r.record.value, r.source))));
        }
    }
}

/// The worth of the record of a key.
fn worth(key: &[u8]) -> Worth {
    Worth::from_log2(key.last().unwrap() % 8).unwrap()
}

fn blocks(store: &Store) -> Vec<usize> {
    let blocks = store.blocks_after(0);
    let count = |bytes: Vec<u8>| block::Reader::new(&bytes).unwrap().count();
    blocks.map(|block| count(block.unwrap().1)).collect()
}

#[derive(Clone, Debug)]
enum Step {
    Append(Vec<(u64, u64, u32)>),
    Shed(u8),
    Reopen,
    Follow,
}

fn step() -> impl Strategy<Value = Step> {
    let batch = |keys, size| {
        let record = (0..keys, 0..3u64, 0..5u32);
        collection::vec(record, size).prop_map(Step::Append)
    };
    prop_oneof![
        4 => batch(5_000u64, 0..40usize),
        2 => batch(5_000, 0..3_000),
        1 => batch(100_000, 900..1_200),
        1 => Just(Step::Reopen),
        1 => (0..8u8).prop_map(Step::Shed),
        2 => Just(Step::Follow),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn like_a_map(steps in collection::vec(step(), 1..25)) {
        let dir = folder();
        let mut store = open(dir.path());
        let mut model = Model::new();
        let mut follower = Follower::default();
        let mut has_shed = false;
        for step in steps {
            match step {
                Step::Append(batch) => {
                    let sourced = |(key, value, source)| {
                        let mut record = record(key, value).record;
                        record.worth = worth(&record.key);
                        SourcedRecord { record, source }
                    };
                    let batch: Vec<_> = batch.into_iter().map(sourced).collect();
                    let before = store.iter();
                    let old = model.clone();
                    let merged = merge(&store, &batch).unwrap();
                    prop_assert_eq!(merged.cursor, store.cursor());
                    prop_assert_eq!(merged.conflicts, []);
                    let mut new = 0;
                    for SourcedRecord { record, source } in batch {
                        let known = model.get(&record.key);
                        if known.is_none_or(|&(value, _)| value != record.value) {
                            model.insert(record.key, (record.value, source));
                            new += 1;
                        }
                    }
                    prop_assert_eq!(merged.new, new);
                    // A scan begun before shows the keys of then, with the values of then or now.
                    let before = collect(before);
                    prop_assert_eq!(before.len(), old.len());
                    for (key, value) in before {
                        prop_assert!(old[&key] == value || model[&key] == value);
                    }
                }
                Step::Shed(least) => {
                    let least = Worth::from_log2(least).unwrap();
                    let shed = store.shed_below(least).unwrap();
                    let left = collect(store.iter());
                    prop_assert_eq!(left.len() as u64 + shed.keys, model.len() as u64);
                    for (key, value) in &model {
                        match left.get(key) {
                            Some(found) => prop_assert_eq!(found, value),
                            None => prop_assert!(worth(key) < least),
                        }
                    }
                    has_shed |= shed.keys > 0;
                    model = left;
                }
                Step::Reopen => {
                    drop(store);
                    store = open(dir.path());
                }
                Step::Follow => {
                    follower.follow(&store);
                    prop_assert_eq!(follower.cursor, store.cursor());
                    // The reader may have removed records.
                    for (key, value) in &model {
                        prop_assert_eq!(follower.known.get(key), Some(value));
                    }
                    prop_assert!(has_shed || follower.known.len() == model.len());
                }
            }
            prop_assert_eq!(store.len(), model.len());
            assert_index(&store);
        }
        for (key, &(value, source)) in &model {
            prop_assert_eq!(store.get(key).unwrap(), Some(Stored { value, worth: worth(key), source }));
        }
        for absent in 100_000..100_100 {
            prop_assert_eq!(value(&store, absent), None);
        }
        let stats = store.stats().unwrap();
        let sizes = blocks(&store);
        prop_assert_eq!(stats.records, model.len() as u64);
        prop_assert_eq!(stats.blocks, sizes.len() as u64);
        let copies = sizes.into_iter().sum::<usize>() as u64;
        prop_assert_eq!(stats.superseded, copies - stats.records);
        prop_assert_eq!(collect(store.iter()), model);
    }
}

#[test]
fn new_folders_are_made_and_empty_stores_answer() {
    let dir = folder();
    let store = open(&dir.path().join("deep/down"));
    assert!(store.is_empty());
    assert_eq!(store.cursor(), 0);
    assert_eq!(store.get(b"0*3").unwrap(), None);
    assert_eq!(append(&store, &[]), 0);
    assert_eq!(store.iter().count(), 0);
    assert_eq!(store.blocks_after(0).count(), 0);
    assert_eq!(store.blocks_after(7).count(), 0);
    assert!(store.stats().unwrap().disk_bytes < 1 << 20);
}

#[test]
fn the_last_of_equal_keys_wins_and_repeats_cost_nothing() {
    let dir = folder();
    let store = open(dir.path());
    let cursor = append(&store, &[record(1, 5), record(1, 6)]);
    assert_eq!(value(&store, 1), Some(6));
    assert_eq!(append(&store, &[record(1, 6)]), cursor);
    assert_eq!(append(&store, &[record(1, 7)]), cursor + 1);
    assert_eq!(value(&store, 1), Some(7));
    assert_eq!(store.len(), 1);
}

#[test]
fn small_appends_leave_few_blocks() {
    let dir = folder();
    let store = open(dir.path());
    for key in 0..1_000 {
        append(&store, &[record(key, 1)]);
    }
    let sizes = blocks(&store);
    assert_eq!(sizes.iter().sum::<usize>(), 1_000);
    let full = 1_000 / block::RECORDS;
    assert!(
        sizes[..full].iter().all(|&size| size == block::RECORDS),
        "{sizes:?}"
    );
    assert!(sizes.len() <= full + 9, "{sizes:?}");
    append(&store, &records(1_000..4_000, 1));
    assert_eq!(blocks(&store).len(), 4_000usize.div_ceil(block::RECORDS));
}

#[test]
fn a_scan_during_changes_shows_each_key_once() {
    let dir = folder();
    let store = open(dir.path());
    append(&store, &records(0..3_000, 1));
    append(&store, &records(500..5_500, 2));
    let mut scan = store.iter();
    let mut seen: Vec<_> = scan.by_ref().take(1_000).map(Result::unwrap).collect();
    append(&store, &records(0..5_500, 3));
    seen.extend(scan.by_ref().take(1_000).map(Result::unwrap));
    append(&store, &records(0..7_000, 4));
    seen.extend(scan.map(Result::unwrap));
    assert_eq!(collect(seen.into_iter().map(Ok)).len(), 5_500);
}

#[test]
fn readers_and_a_follower_keep_up_with_a_writer() {
    let dir = folder();
    let store = open(dir.path());
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let follower = scope.spawn(|| {
            let mut follower = Follower::default();
            while !done.load(Ordering::Acquire) {
                follower.follow(&store);
            }
            follower.follow(&store);
            follower
        });
        scope.spawn(|| {
            while !done.load(Ordering::Acquire) {
                let len = store.len() as u64;
                for key in (0..len).step_by(97) {
                    assert_eq!(value(&store, key), Some(key));
                }
                assert!(collect(store.iter()).len() as u64 >= len);
            }
        });
        let mut key = 0;
        for size in (0..400).map(|n| n * n % 61) {
            let batch: Vec<_> = (key..key + size).map(|key| record(key, key)).collect();
            key += size;
            append(&store, &batch);
        }
        done.store(true, Ordering::Release);
        let follower = follower.join().unwrap();
        assert_eq!(follower.known.len() as u64, key);
        assert_eq!(follower.known, collect(store.iter()));
    });
}
