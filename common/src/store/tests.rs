//! The store against a map, and what it refuses.

use super::{Record, Store, StoreError, block};
use proptest::{collection, prelude::*};
use std::{
    collections::HashMap,
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

const ENCODINGS: &[(&str, u32)] = &[("sprouts", 1), ("kayles", 2)];

fn open(dir: &Path) -> Store {
    Store::open(dir, ENCODINGS).unwrap()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn record(key: u64, value: u64) -> Record {
    let key = format!("{}/{key}", key % 7).into_bytes().into();
    Record { key, value }
}

fn records(keys: std::ops::Range<u64>, value: u64) -> Vec<Record> {
    keys.map(|key| record(key, value)).collect()
}

type Model = HashMap<Box<[u8]>, u64>;

fn collect(records: impl Iterator<Item = Result<Record, StoreError>>) -> Model {
    let mut model = Model::new();
    for record in records {
        let Record { key, value } = record.unwrap();
        assert_eq!(model.insert(key, value), None, "a key came twice");
    }
    model
}

/// A reader who remembers a cursor and applies what comes after it.
#[derive(Default)]
struct Follower {
    cursor: u64,
    known: Model,
}

impl Follower {
    fn follow(&mut self, store: &Store) {
        for block in store.blocks_after(self.cursor) {
            let (number, records) = block.unwrap();
            assert!(number > self.cursor);
            self.cursor = number;
            self.known
                .extend(records.into_iter().map(|r| (r.key, r.value)));
        }
    }
}

fn blocks(store: &Store) -> Vec<usize> {
    let blocks = store.blocks_after(0);
    blocks.map(|block| block.unwrap().1.len()).collect()
}

#[derive(Clone, Debug)]
enum Step {
    Append(Vec<(u64, u64)>),
    Reopen,
    Follow,
}

fn step() -> impl Strategy<Value = Step> {
    let batch = |keys, size| collection::vec((0..keys, 0..3u64), size).prop_map(Step::Append);
    prop_oneof![
        4 => batch(5_000u64, 0..40usize),
        2 => batch(5_000, 0..3_000),
        1 => batch(100_000, 900..1_200),
        1 => Just(Step::Reopen),
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
        for step in steps {
            match step {
                Step::Append(batch) => {
                    let batch: Vec<_> = batch.into_iter().map(|(k, v)| record(k, v)).collect();
                    let before = store.iter();
                    let old = model.clone();
                    prop_assert_eq!(store.append(&batch).unwrap(), store.cursor());
                    model.extend(batch.into_iter().map(|r| (r.key, r.value)));
                    // A scan begun before shows the keys of then, with the values of then or now.
                    let before = collect(before);
                    prop_assert_eq!(before.len(), old.len());
                    for (key, value) in before {
                        prop_assert!(old[&key] == value || model[&key] == value);
                    }
                }
                Step::Reopen => {
                    drop(store);
                    store = open(dir.path());
                }
                Step::Follow => {
                    follower.follow(&store);
                    prop_assert_eq!(follower.cursor, store.cursor());
                    prop_assert_eq!(&follower.known, &model);
                }
            }
            prop_assert_eq!(store.len(), model.len());
        }
        for (key, value) in &model {
            prop_assert_eq!(store.get(key).unwrap(), Some(*value));
        }
        for absent in 100_000..100_100 {
            prop_assert_eq!(store.get(&record(absent, 0).key).unwrap(), None);
        }
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
    assert_eq!(store.append(&[]).unwrap(), 0);
    assert_eq!(store.iter().count(), 0);
    assert_eq!(store.blocks_after(0).count(), 0);
    assert_eq!(store.blocks_after(7).count(), 0);
    assert!(store.size_on_disk().unwrap() < 1 << 20);
}

#[test]
fn the_last_of_equal_keys_wins_and_repeats_cost_nothing() {
    let dir = folder();
    let store = open(dir.path());
    let cursor = store.append(&[record(1, 5), record(1, 6)]).unwrap();
    assert_eq!(store.get(&record(1, 0).key).unwrap(), Some(6));
    assert_eq!(store.append(&[record(1, 6)]).unwrap(), cursor);
    assert_eq!(store.append(&[record(1, 7)]).unwrap(), cursor + 1);
    assert_eq!(store.get(&record(1, 0).key).unwrap(), Some(7));
    assert_eq!(store.len(), 1);
}

#[test]
fn small_appends_leave_few_blocks() {
    let dir = folder();
    let store = open(dir.path());
    for key in 0..3_000 {
        store.append(&[record(key, 1)]).unwrap();
    }
    let sizes = blocks(&store);
    assert_eq!(sizes.iter().sum::<usize>(), 3_000);
    let full = 3_000 / block::RECORDS;
    assert!(
        sizes[..full].iter().all(|&size| size == block::RECORDS),
        "{sizes:?}"
    );
    assert!(sizes.len() <= full + 9, "{sizes:?}");
    store.append(&records(3_000..6_000, 1)).unwrap();
    assert_eq!(blocks(&store).len(), 6_000usize.div_ceil(block::RECORDS));
}

#[test]
fn a_scan_during_changes_shows_each_key_once() {
    let dir = folder();
    let store = open(dir.path());
    store.append(&records(0..3_000, 1)).unwrap();
    store.append(&records(500..5_500, 2)).unwrap();
    let mut scan = store.iter();
    let mut seen: Vec<_> = scan.by_ref().take(1_000).map(Result::unwrap).collect();
    store.append(&records(0..5_500, 3)).unwrap();
    seen.extend(scan.by_ref().take(1_000).map(Result::unwrap));
    store.append(&records(0..7_000, 4)).unwrap();
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
                    assert_eq!(store.get(&record(key, 0).key).unwrap(), Some(key));
                }
                assert!(collect(store.iter()).len() as u64 >= len);
            }
        });
        let mut key = 0;
        for size in (0..400).map(|n| n * n % 61) {
            let batch: Vec<_> = (key..key + size).map(|key| record(key, key)).collect();
            key += size;
            store.append(&batch).unwrap();
        }
        done.store(true, Ordering::Release);
        let follower = follower.join().unwrap();
        assert_eq!(follower.known.len() as u64, key);
        assert_eq!(follower.known, collect(store.iter()));
    });
}

#[test]
fn documents_are_kept_by_name() {
    let dir = folder();
    let store = open(dir.path());
    for name in ["result/2", "result/10", "results", "other"] {
        store.put_document(name, name.as_bytes()).unwrap();
    }
    let id = store.id();
    drop(store);
    let store = open(dir.path());
    assert_eq!(store.id(), id);
    let found: Result<Vec<_>, _> = store.scan_documents("result/").collect();
    let expected = ["result/10", "result/2"].map(|name| (name.to_owned(), name.into()));
    assert_eq!(found.unwrap(), expected);
    assert!(store.remove_document("other").unwrap());
    assert!(!store.remove_document("other").unwrap());
    assert_eq!(store.get_document("other").unwrap(), None);
    assert_eq!(store.get_document("results").unwrap().unwrap(), b"results");
}

#[test]
fn a_long_key_is_refused_before_anything_is_written() {
    let dir = folder();
    let store = open(dir.path());
    let key = vec![0; block::MAX_KEY + 1].into();
    let error = store.append(&[record(1, 1), Record { key, value: 1 }]);
    assert!(matches!(error, Err(StoreError::KeyTooLong(65_536))));
    assert!(store.is_empty());
    store.append(&[record(1, 1)]).unwrap();
}

#[test]
fn other_versions_are_refused_by_name() {
    let dir = folder();
    drop(open(dir.path()));
    let error = Store::open(dir.path(), &[("sprouts", 1), ("kayles", 3)]).unwrap_err();
    let text = error.to_string();
    assert!(matches!(
        error,
        StoreError::EncodingVersion {
            found: 2,
            expected: 3,
            ..
        }
    ));
    assert!(
        text.contains("version 2 of the encoding `kayles`"),
        "{text}"
    );
    // A new encoding may join, and stays.
    drop(Store::open(dir.path(), &[("dots", 4)]).unwrap());
    assert!(Store::open(dir.path(), &[("dots", 5)]).is_err());
    damage(dir.path(), "meta", b"format", &9u32.to_be_bytes());
    let error = Store::open(dir.path(), ENCODINGS).unwrap_err();
    assert!(matches!(
        error,
        StoreError::FormatVersion {
            found: 9,
            expected: 1
        }
    ));
}

#[test]
fn an_open_store_is_in_use() {
    let dir = folder();
    let store = open(dir.path());
    let error = Store::open(dir.path(), ENCODINGS).unwrap_err();
    assert!(matches!(error, StoreError::InUse { .. }), "{error:?}");
    assert!(error.to_string().contains("in use by another process"));
    drop(store);
    drop(open(dir.path()));
}

#[test]
fn a_corrupt_block_is_named() {
    let dir = folder();
    let store = open(dir.path());
    store.append(&records(0..1_500, 1)).unwrap();
    drop(store);
    damage(dir.path(), "blocks", &2u64.to_be_bytes(), &[1; 100]);
    let error = Store::open(dir.path(), ENCODINGS).unwrap_err();
    assert!(matches!(error, StoreError::CorruptBlock { number: 2, .. }));
    let text = error.to_string();
    assert!(
        text.contains("block 2") && text.contains("sproutnet import"),
        "{text}"
    );
}

#[test]
fn a_block_replaced_but_not_removed_does_no_harm() {
    let dir = folder();
    let store = open(dir.path());
    store.append(&records(0..10, 1)).unwrap();
    let (_, old) = store.blocks_after(0).next().unwrap().unwrap();
    store.append(&records(5..1_200, 2)).unwrap();
    drop(store);
    let block = block::encode(old.iter().map(|r| (&r.key[..], r.value))).unwrap();
    damage(dir.path(), "blocks", &1u64.to_be_bytes(), &block);
    let store = open(dir.path());
    assert_eq!(store.len(), 1_200);
    assert_eq!(store.get(&record(7, 0).key).unwrap(), Some(2));
    assert_eq!(store.get(&record(3, 0).key).unwrap(), Some(1));
    assert_eq!(collect(store.iter()).len(), 1_200);
}

#[test]
fn a_folder_or_database_that_cannot_be_read_is_an_error() {
    let dir = folder();
    let file = dir.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    let error = Store::open(&file, ENCODINGS).unwrap_err();
    assert!(matches!(error, StoreError::Folder { .. }), "{error:?}");

    let dir = folder();
    drop(open(dir.path()));
    let conf = dir.path().join("conf");
    let mut bytes = fs::read(&conf).unwrap();
    bytes[9] ^= 0x55;
    fs::write(&conf, bytes).unwrap();
    let error = Store::open(dir.path(), ENCODINGS).unwrap_err();
    assert!(matches!(error, StoreError::Unreadable { .. }), "{error:?}");
    assert!(error.to_string().contains("sproutnet import"));
}

/// Whatever happens to sled's file, the store opens whole or not at all, and does not panic.
#[test]
fn a_damaged_database_is_an_error_or_harmless() {
    let whole = folder();
    let store = open(whole.path());
    for start in (0..10_000).step_by(1_000) {
        store.append(&records(start..start + 1_000, 1)).unwrap();
    }
    drop(store);
    drop(open(whole.path()));
    let mark = fs::read(whole.path().join("acknowledged")).unwrap();
    let conf = fs::read(whole.path().join("conf")).unwrap();
    let sound = fs::read(whole.path().join("db")).unwrap();
    for part in 0..8 {
        let mut cut = sound.clone();
        cut.truncate(sound.len() * part / 8);
        let mut flipped = sound.clone();
        flipped[sound.len() * part / 8 + 999] ^= 0x55;
        let mut zeroed = sound.clone();
        zeroed[sound.len() * part / 8..][..4_096].fill(0);
        for damaged in [cut, flipped, zeroed] {
            let dir = folder();
            fs::write(dir.path().join("acknowledged"), &mark).unwrap();
            fs::write(dir.path().join("conf"), &conf).unwrap();
            fs::write(dir.path().join("db"), &damaged).unwrap();
            if let Ok(store) = Store::open(dir.path(), ENCODINGS) {
                assert_eq!(collect(store.iter()).len(), 10_000);
            }
        }
    }
}

/// Puts `value` behind the store's back.
fn damage(dir: &Path, tree: &str, key: &[u8], value: &[u8]) {
    let db = super::open::open_database(dir).unwrap();
    db.open_tree(tree).unwrap().insert(key, value).unwrap();
    db.flush().unwrap();
}
