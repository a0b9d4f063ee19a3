//! Refusals of the store, and its reaction to damage.

use super::{ENCODINGS, append, collect, folder, merge, of, open, record, records, value};
use crate::{Store, StoreError, block, database::LOCK};
use std::{
    fs::{self, File},
    path::Path,
    thread,
    time::Duration,
};

#[test]
fn a_long_key_is_refused_before_anything_is_written() {
    let dir = folder();
    let store = open(dir.path());
    let key = vec![0; block::MAX_KEY + 1];
    let error = merge(&store, &[record(1, 1), of(key, 1)]);
    assert!(matches!(error, Err(StoreError::KeyTooLong(65_536))));
    assert!(store.is_empty());
    append(&store, &[record(1, 1)]);
}

#[test]
fn other_versions_are_refused_by_name() {
    let dir = folder();
    drop(open(dir.path()));
    let error = Store::open(dir.path(), &[("sprouts", 1), ("kayles", 3)]).unwrap_err();
    let text = error.to_string();
    assert!(matches!(
        error,
        StoreError::Version {
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
    let text = error.to_string();
    assert!(matches!(
        error,
        StoreError::Version {
            found: 9,
            expected: 3,
            ..
        }
    ));
    assert!(text.contains("version 9 of the format"), "{text}");
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
fn a_store_opens_when_the_copies_of_it_are_complete() {
    let dir = folder();
    drop(open(dir.path()));
    let copy = || {
        let lock = File::open(dir.path().join(LOCK)).unwrap();
        lock.try_lock_shared().unwrap();
        lock
    };
    let copies = [copy(), copy()];
    thread::scope(|scope| {
        scope.spawn(|| {
            for copy in copies {
                thread::sleep(Duration::from_millis(1_200));
                drop(copy);
            }
        });
        drop(open(dir.path()));
    });
}

#[test]
fn a_corrupt_block_is_named() {
    let dir = folder();
    let store = open(dir.path());
    append(&store, &records(0..1_500, 1));
    drop(store);
    damage(dir.path(), "blocks", &2u64.to_be_bytes(), &[1; 100]);
    let error = Store::open(dir.path(), ENCODINGS).unwrap_err();
    assert!(matches!(error, StoreError::CorruptBlock { number: 2, .. }));
    let text = error.to_string();
    assert!(
        text.contains("block 2") && text.contains("sproutnet store salvage"),
        "{text}"
    );
}

#[test]
fn a_block_replaced_but_not_removed_does_no_harm() {
    let dir = folder();
    let store = open(dir.path());
    append(&store, &records(0..10, 1));
    let (_, old) = store.blocks_after(0).next().unwrap().unwrap();
    append(&store, &records(5..1_200, 2));
    drop(store);
    damage(dir.path(), "blocks", &1u64.to_be_bytes(), &old);
    let store = open(dir.path());
    assert_eq!(store.len(), 1_200);
    assert_eq!(value(&store, 7), Some(2));
    assert_eq!(value(&store, 3), Some(1));
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
    assert!(error.to_string().contains("sproutnet store salvage"));
}

/// Whatever happens to sled's file, the store opens whole or not at all, and does not panic.
#[test]
fn a_damaged_database_is_an_error_or_harmless() {
    let whole = folder();
    let store = open(whole.path());
    for start in (0..10_000).step_by(1_000) {
        append(&store, &records(start..start + 1_000, 1));
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
pub(super) fn damage(dir: &Path, tree: &str, key: &[u8], value: &[u8]) {
    let db = crate::database::open(dir).unwrap();
    db.open_tree(tree).unwrap().insert(key, value).unwrap();
    db.flush().unwrap();
}
