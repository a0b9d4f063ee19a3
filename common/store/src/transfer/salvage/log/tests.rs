//! What is whole in a log is found, and nothing else.

use super::each_entry;
use crate::{Store, database::BLOBS, tests::folder};
use std::{fs, path::Path};

/// How often a value is in the log.
fn count(dir: &Path, value: &[u8]) -> usize {
    let mut count = 0;
    each_entry(dir, &mut |_, _| Ok(()), &mut |entry| {
        count += usize::from(entry.value == value);
        Ok(())
    })
    .unwrap();
    count
}

#[test]
fn values_are_found_while_they_are_whole() {
    let dir = folder();
    let (small, large) = (b"a small value", vec![7; 300 << 10]);
    {
        let store = Store::open(dir.path(), &[]).unwrap();
        store.put_document("small", small).unwrap();
        store.put_document("large", &large).unwrap();
    }
    assert!(count(dir.path(), small) > 0);
    assert!(count(dir.path(), &large) > 0);
    for entry in fs::read_dir(dir.path().join(BLOBS)).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        bytes[1_000] ^= 1;
        fs::write(path, bytes).unwrap();
    }
    assert_eq!(count(dir.path(), &large), 0);
    assert!(count(dir.path(), small) > 0);
    let db = dir.path().join("db");
    let mut bytes = fs::read(&db).unwrap();
    bytes[4] ^= 1;
    fs::write(db, bytes).unwrap();
    assert_eq!(count(dir.path(), small), 0);
}
