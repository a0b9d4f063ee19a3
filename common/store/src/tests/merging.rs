//! Records that meet others of their key: the kept value, its source, and conflicts.

use super::{folder, open, record};
use crate::{Batch, BlockError, Conflict, Merged, Sourced, Store, Stored, VERIFIED, Worth, block};
use xxhash_rust::xxh3::xxh3_64;

/// As nimbers are merged: an odd value is exact, an even one a mask that excludes bits.
fn rule(_: &[u8], known: u64, new: u64) -> Option<u64> {
    match (known % 2, new % 2) {
        (1, 1) => (known == new).then_some(known),
        (1, _) => (known & new == 0).then_some(known),
        (_, 1) => (known & new == 0).then_some(new),
        _ => Some(known | new),
    }
}

fn from(key: &str, value: u64, source: u32) -> Sourced<'_> {
    Sourced {
        worth: Worth::LEAST,
        key: key.as_bytes(),
        value,
        source,
    }
}

fn merge(store: &Store, records: &[Sourced<'_>]) -> Merged {
    store.merge(records, rule).unwrap()
}

fn stored(store: &Store, key: &str) -> Option<(u64, u32)> {
    let found = store.get(key.as_bytes()).unwrap();
    found.map(|Stored { value, source, .. }| (value, source))
}

#[test]
fn values_add_up_and_the_last_to_add_is_the_source() {
    let dir = folder();
    let store = open(dir.path());
    assert_eq!(merge(&store, &[from("a", 2, 7), from("b", 2, 7)]).new, 2);
    let merged = merge(&store, &[from("a", 4, 8), from("b", 2, 8)]);
    assert_eq!((merged.new, merged.conflicts.len()), (1, 0));
    assert_eq!(stored(&store, "a"), Some((6, 8)));
    assert_eq!(stored(&store, "b"), Some((2, 7)));
    drop(store);
    let store = open(dir.path());
    assert_eq!(stored(&store, "a"), Some((6, 8)));
    assert_eq!(stored(&store, "b"), Some((2, 7)));
}

#[test]
fn records_of_one_key_in_one_call_add_up_in_their_order() {
    let dir = folder();
    let store = open(dir.path());
    merge(&store, &[from("b", 2, 1)]);
    let records = [
        from("b", 4, 2),
        from("a", 4, 3),
        from("b", 6, 4),
        from("a", 2, 5),
        from("b", 8, 6),
    ];
    assert_eq!(merge(&store, &records).new, 4);
    assert_eq!(stored(&store, "a"), Some((6, 5)));
    assert_eq!(stored(&store, "b"), Some((14, 6)));
    assert_eq!(store.len(), 2);
}

#[test]
fn what_says_nothing_new_is_not_written() {
    let dir = folder();
    let store = open(dir.path());
    let cursor = merge(&store, &[from("a", 9, 1)]).cursor;
    let repeated = merge(&store, &[from("a", 9, 2), from("a", 2, 3)]);
    let nothing = Merged {
        cursor,
        new: 0,
        which: Vec::new(),
        conflicts: Vec::new(),
    };
    assert_eq!(repeated, nothing);
    assert_eq!(stored(&store, "a"), Some((9, 1)));
    assert_eq!(merge(&store, &[from("b", 1, 1)]).cursor, cursor + 1);
}

#[test]
fn what_is_verified_keeps_its_source_until_more_is_known() {
    let dir = folder();
    let store = open(dir.path());
    merge(&store, &[from("a", 9, 1), from("b", 2, 1), from("c", 2, 1)]);
    let verified = [
        from("a", 9, VERIFIED),
        from("b", 5, VERIFIED),
        from("d", 3, VERIFIED),
    ];
    assert_eq!(merge(&store, &verified).new, 3);
    let cursor = store.cursor();
    let again = [from("a", 9, VERIFIED), from("b", 5, 7), from("d", 3, 2)];
    assert_eq!(merge(&store, &again).new, 0);
    assert_eq!(store.cursor(), cursor);
    drop(store);
    let store = open(dir.path());
    let all = ["a", "b", "c", "d"].map(|key| stored(&store, key).unwrap());
    assert_eq!(
        all,
        [(9, 1 | VERIFIED), (5, VERIFIED), (2, 1), (3, VERIFIED)]
    );
    // An unverified record may add to a verified exclusion.
    merge(&store, &[from("c", 2, VERIFIED)]);
    assert_eq!(stored(&store, "c"), Some((2, 1 | VERIFIED)));
    merge(&store, &[from("c", 4, 8)]);
    assert_eq!(stored(&store, "c"), Some((6, 8)));
}

#[test]
fn of_two_that_contradict_the_known_stays_and_the_rest_is_taken() {
    let dir = folder();
    let store = open(dir.path());
    merge(&store, &[from("b", 5, 1), from("d", 4, 2)]);
    let records = [
        from("e", 1, 9),
        from("d", 5, 3),
        from("b", 7, 4),
        from("c", 3, 5),
        from("c", 2, 6),
        from("d", 8, 7),
        from("a", 2, 8),
    ];
    let merged = merge(&store, &records);
    let conflict = |position: usize, (known, known_source)| Conflict {
        key: records[position].key.into(),
        known,
        known_source,
        new: records[position].value,
        new_source: records[position].source,
        position,
    };
    let conflicts = [
        conflict(2, (5, 1)),
        conflict(4, (3, 5)),
        conflict(1, (4, 2)),
    ];
    assert_eq!((merged.new, &merged.conflicts[..]), (4, &conflicts[..]));
    let all = ["a", "b", "c", "d", "e"].map(|key| stored(&store, key));
    let expected = [(2, 8), (5, 1), (3, 5), (12, 7), (1, 9)];
    assert_eq!(all, expected.map(Some));
}

#[test]
fn a_panicking_rule_leaves_the_store_as_it_was() {
    let dir = folder();
    let store = open(dir.path());
    merge(&store, &[from("a", 2, 1)]);
    let clone = store.clone();
    let panicked = std::thread::spawn(move || {
        let rule = |_: &[u8], _, _| panic!("this rule always panics");
        clone.merge(&[from("a", 4, 1)], rule)
    });
    assert!(panicked.join().is_err());
    assert_eq!(merge(&store, &[from("a", 8, 2)]).new, 1);
    assert_eq!(stored(&store, "a"), Some((10, 2)));
}

#[test]
fn threads_that_add_to_one_key_lose_nothing() {
    let dir = folder();
    let store = open(dir.path());
    std::thread::scope(|scope| {
        for source in 1..=8 {
            let store = &store;
            scope.spawn(move || {
                for shift in 0..4 {
                    let bit = 1 << (4 * source + shift);
                    assert_eq!(merge(store, &[from("a", bit, source)]).new, 1);
                }
            });
        }
    });
    assert_eq!(stored(&store, "a").unwrap().0, (1 << 36) - (1 << 4));
}

#[test]
fn long_keys_make_small_blocks() {
    let dir = folder();
    let store = open(dir.path());
    let keys: Vec<_> = (0..2_000)
        .map(|n| format!("{n:04}{}", "x".repeat(200)))
        .collect();
    let records: Vec<_> = keys.iter().map(|key| from(key, 1, 1)).collect();
    for some in records.chunks(130) {
        merge(&store, some);
    }
    for block in store.blocks_after(0) {
        let (number, bytes) = block.unwrap();
        assert!(
            bytes.len() < 8_000,
            "block {number} has {} bytes",
            bytes.len()
        );
    }
    let blobs = dir.path().join("blobs").read_dir().unwrap().count();
    assert_eq!(blobs, 0, "sled put pages in files of their own");
    assert_eq!(store.iter().count(), 2_000);
    assert_eq!(merge(&store, &records).new, 0);
}

#[test]
fn a_batch_takes_blocks_whole_or_not_at_all() {
    let keys = ["a", "ab", "b"];
    let sound = block::encode(keys.map(|key| from(key, 3, 0))).unwrap();
    // Two records out of order, and a checksum that fits.
    let mut damaged = vec![block::FORMAT, 2, 1, 0, 0, 1, b'b', 0, 0, 1, b'a', 0];
    damaged.extend(xxh3_64(&damaged).to_le_bytes());
    let mut batch = Batch::default();
    batch.push(from("first", 1, 7));
    assert_eq!(batch.push_block(&sound, |source| source + 5), Ok(3));
    assert_eq!(
        batch.push_block(&damaged, |_| 9),
        Err(BlockError::OutOfOrder(1))
    );
    batch.push(from("last", 2, 8));
    let expected = [
        from("first", 1, 7),
        from("a", 3, 5),
        from("ab", 3, 5),
        from("b", 3, 5),
        from("last", 2, 8),
    ];
    assert_eq!(batch.records(), expected);
    batch.clear();
    assert!(batch.is_empty());
    batch.push(record(1, 2).borrow());
    assert_eq!(batch.records(), [record(1, 2).borrow()]);
}
