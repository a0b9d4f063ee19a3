//! Files that are not as they were written: refused, and nothing of them is used.

use super::*;
use std::fs;

/// A small export, and its content.
fn small() -> (tempfile::TempDir, Vec<u8>, Values) {
    let dir = folder();
    let store = open(&dir.path().join("store"));
    fill(&store, &rules(), &(0..40).map(|n| (n, 1, n % 4)).collect());
    put(&store, &result(7, Outcome::Loss, None));
    let file = dir.path().join("export");
    export(&store, &file);
    let bytes = fs::read(file).unwrap();
    (dir, bytes, values(&store))
}

/// Imports damaged bytes into a store that stays empty. Returns the reason for the refusal.
fn refused(store: &Store, path: &Path, bytes: &[u8], what: &str) -> Unusable {
    fs::write(path, bytes).unwrap();
    let error = import(store, path).expect_err(what);
    assert!(store.is_empty(), "{what}: {error}");
    assert_eq!(store.scan_documents("").count(), 0, "{what}: {error}");
    match error {
        StoreError::Unusable { reason, .. } => reason,
        error => panic!("{what}: {error}"),
    }
}

#[test]
fn every_truncation_is_refused() {
    let (dir, bytes, _) = small();
    let store = open(&dir.path().join("to"));
    let path = dir.path().join("damaged");
    let (mut foreign, mut cut) = (0, 0);
    for length in 0..bytes.len() {
        match refused(&store, &path, &bytes[..length], "a part of it") {
            Unusable::Foreign => foreign += 1,
            Unusable::Truncated(offset) => {
                assert!(offset <= length as u64);
                cut += 1;
            }
            error => panic!("{length}: {error}"),
        }
    }
    assert_eq!(
        (foreign, cut),
        (1, bytes.len() - 1),
        "only no byte at all is no beginning"
    );
}

#[test]
fn every_changed_byte_is_refused() {
    let (dir, bytes, content) = small();
    let store = open(&dir.path().join("to"));
    let path = dir.path().join("damaged");
    let mut kinds = BTreeMap::new();
    for position in 0..bytes.len() {
        for flip in [0x01, 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[position] ^= flip;
            let error = refused(&store, &path, &bytes, "a changed byte");
            let kind = match error {
                Unusable::Foreign => "foreign",
                Unusable::Format(_) => "another format",
                Unusable::Truncated(_) => "cut short",
                Unusable::Damaged(offset, _) => {
                    assert!(offset <= position as u64, "{offset} {position}");
                    "damaged"
                }
                error => panic!("{position}: {error}"),
            };
            *kinds.entry(kind).or_insert(0) += 1;
        }
    }
    assert_eq!(kinds["foreign"], 3 * 12);
    assert_eq!(kinds["another format"], 3 * 4);
    assert_eq!(kinds.values().sum::<usize>(), 3 * bytes.len(), "{kinds:?}");
    // The bytes themselves are fine.
    fs::write(&path, &bytes).unwrap();
    import(&store, &path).unwrap();
    assert_eq!(values(&store), content);
}

#[test]
fn what_follows_the_end_is_refused() {
    let (dir, bytes, _) = small();
    let store = open(&dir.path().join("to"));
    let path = dir.path().join("damaged");
    for more in [&b"x"[..], &[0; 100], &bytes] {
        let more = [&bytes, more].concat();
        refused(&store, &path, &more, "something behind the end");
    }
}

#[test]
fn parts_in_another_order_are_refused() {
    let (dir, bytes, _) = small();
    let store = open(&dir.path().join("to"));
    let path = dir.path().join("damaged");
    // The frames, by their lengths.
    let mut frames = Vec::new();
    let mut rest = &bytes[16..];
    while let Some(length) = rest.get(1..5) {
        let length = 13 + u32::from_le_bytes(length.try_into().unwrap()) as usize;
        let (frame, after) = rest.split_at(length);
        frames.push(frame);
        rest = after;
    }
    assert!(frames.len() > 5);
    for without in 0..frames.len() {
        let mut fewer = frames.clone();
        fewer.remove(without);
        let fewer = [&bytes[..16], &fewer.concat()].concat();
        refused(&store, &path, &fewer, "a part left out");
    }
    for swapped in 1..frames.len() {
        let mut other = frames.clone();
        other.swap(swapped - 1, swapped);
        let other = [&bytes[..16], &other.concat()].concat();
        refused(&store, &path, &other, "two parts swapped");
    }
}

#[test]
fn other_encodings_are_refused_by_name() {
    let dir = folder();
    let store = open(&dir.path().join("from"));
    let path = dir.path().join("export");
    for (encodings, named) in [
        (
            &[("sprouts", 99)][..],
            "version 99 of the encoding `sprouts`",
        ),
        (&[("dots", 1)][..], "does not know it"),
    ] {
        let export = export_of(&Play::ALL, encodings, ROOM);
        export.write(&store, &path, &mut go_on).unwrap();
        let to = open(&dir.path().join("to"));
        let error = import(&to, &path).unwrap_err().to_string();
        assert!(error.contains(named), "{error}");
    }
}

#[test]
fn a_record_that_cannot_be_is_refused() {
    let dir = folder();
    let path = dir.path().join("export");
    let store = open(&dir.path().join("from"));
    let rules = rules();
    let record = Sourced {
        worth: crate::Worth::LEAST,
        key: &key(&rules, 1),
        value: 2,
        source: 0,
    };
    store.merge(&[record], |_, _, _| None).unwrap();
    export(&store, &path);
    let to = open(&dir.path().join("to"));
    let error = import(&to, &path).unwrap_err().to_string();
    assert!(
        error.contains("an outcome is 0 or 1") && error.contains("kayles:201"),
        "{error}"
    );
    assert!(to.is_empty());
}
