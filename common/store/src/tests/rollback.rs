//! A rollback removes later records and keeps earlier ones.

use super::{Model, append, assert_index, collect, folder, merge_with, of, open, records, value};
use crate::Sourced;

#[test]
fn all_that_came_in_since_is_gone_and_what_was_there_before_is_as_it_was() {
    let dir = folder();
    let store = open(dir.path());
    append(&store, &records(0..1000, 1));
    let earlier = collect(store.iter());
    let cursor = append(&store, &records(0..10, 2));
    let before = collect(store.iter());
    append(&store, &records(500..1500, 3));
    merge_with(&store, &records(2000..2003, 4), &[("kept", Some(b"yes"))]).unwrap();
    let (epoch, id) = (store.epoch().0, store.id());
    store.revoke_after(cursor).unwrap();
    assert_eq!(store.epoch().0, epoch + 1);
    let mut opened = Some(store);
    for _ in 0..2 {
        // Then after it is opened again.
        let store = opened.take().unwrap_or_else(|| open(dir.path()));
        // The last small block may have been merged with what came later; it goes with that, and what it
        // had superseded counts again.
        let after = collect(store.iter());
        assert!(after.len() >= 700, "{}", after.len());
        for (key, stored) in &after {
            let is_as_before = before.get(key) == Some(stored);
            assert!(is_as_before || earlier.get(key) == Some(stored));
        }
        assert_eq!(store.len(), after.len());
        assert_eq!(value(&store, 1400), None);
        assert_eq!(value(&store, 2001), None);
        assert!(store.cursor() <= cursor);
        assert_eq!((store.epoch().0, store.id()), (epoch + 1, id));
        assert_eq!(store.get_document("kept").unwrap(), Some(b"yes".to_vec()));
    }
    let store = open(dir.path());
    assert_eq!(store.stats().unwrap().records, store.len() as u64);
    append(&store, &records(5000..5001, 5));
    assert_eq!(value(&store, 5000), Some(5));
}

#[test]
fn everything_can_be_revoked_and_the_store_goes_on() {
    let dir = folder();
    let store = open(dir.path());
    let last = append(&store, &records(0..600, 1));
    assert_eq!(store.revoke_after(0).unwrap(), 600);
    assert!(store.is_empty());
    // Numbers are not used twice while the store is open, so no reader takes new for old.
    assert!(append(&store, &records(0..3, 2)) > last);
    assert_eq!(store.blocks_after(last).count(), 1);
    assert_eq!(value(&store, 1), Some(2));
    drop(store);
    assert_eq!(open(dir.path()).len(), 3);
}

/// For reports of any sizes in any order: the records up to a cursor were there before.
#[test]
fn nothing_that_came_later_stands_before_a_cursor() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..20 {
        let dir = folder();
        let store = open(dir.path());
        let mut cursors: Vec<(u64, Model)> = Vec::new();
        for round in 0..30 {
            let count = [1, 3, 40, 300, 700][random.usize(..5)];
            let keys: Vec<_> = (0..count).map(|_| random.u64(..3000)).collect();
            let batch: Vec<_> = keys
                .iter()
                .map(|key| of(key.to_be_bytes().to_vec(), round * 10_000 + key))
                .collect();
            let borrowed: Vec<Sourced<'_>> = batch.iter().map(|record| record.borrow()).collect();
            store.merge(&borrowed, |_, _, new| Some(new)).unwrap();
            cursors.push((store.cursor(), collect(store.iter())));
        }
        while !cursors.is_empty() {
            let (cursor, then) = cursors.swap_remove(random.usize(..cursors.len()));
            store.revoke_after(cursor).unwrap();
            cursors.retain(|(other, _)| *other < cursor);
            assert_index(&store);
            for (key, (value, _)) in collect(store.iter()) {
                let (newest, _) = then[&key];
                // An older value of the key may come to light again.
                assert!(value <= newest, "{value} came after {newest}");
            }
        }
    }
}

#[test]
fn what_is_kept_apart_stays_to_the_last_record() {
    let dir = folder();
    let store = open(dir.path());
    append(&store, &records(0..5, 1));
    let cursor = append(&store, &records(5..9, 1));
    store.keep_apart(cursor);
    let before = collect(store.iter());
    for key in 9..30 {
        append(&store, &records(key..key + 1, 2));
    }
    assert_eq!(collect(store.iter()).len(), 30);
    assert_eq!(store.revoke_after(cursor).unwrap(), 21);
    assert_eq!(collect(store.iter()), before);
    drop(store);
    assert_eq!(collect(open(dir.path()).iter()), before);
}
