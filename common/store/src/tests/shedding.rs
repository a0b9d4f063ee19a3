//! Shedding: removed and kept records, and soundness at any moment.

use super::{append, assert_index, folder, of, open, records};
use crate::{Budget, SourcedRecord, Store, VERIFIED, Worth};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

/// The worth of the record of a key.
fn worth(key: u64) -> Worth {
    Worth::from_log2((key % 16) as u8).unwrap()
}

fn worthy(keys: std::ops::Range<u64>, value: u64) -> Vec<SourcedRecord> {
    let all = keys.clone().zip(records(keys, value));
    let with_worth = all.map(|(key, mut record)| {
        record.record.worth = worth(key);
        record
    });
    with_worth.collect()
}

fn content(store: &Store) -> BTreeMap<Box<[u8]>, (u64, Worth)> {
    let all = store.iter().map(|record| record.unwrap().record);
    all.map(|record| (record.key, (record.value, record.worth)))
        .collect()
}

/// Opening the store again changes no content and no count.
fn assert_sound(store: Store, dir: &std::path::Path) -> Store {
    assert_index(&store);
    let (before, stats, cursor) = (content(&store), store.stats().unwrap(), store.cursor());
    assert_eq!(stats.records as usize, before.len());
    drop(store);
    let store = open(dir);
    assert_index(&store);
    assert_eq!(content(&store), before);
    let again = store.stats().unwrap();
    assert_eq!(
        (again.records, again.blocks, again.superseded),
        (stats.records, stats.blocks, stats.superseded)
    );
    assert_eq!(store.cursor(), cursor);
    store
}

#[test]
fn what_is_worth_least_goes_first() {
    let dir = folder();
    let store = open(dir.path());
    append(&store, &worthy(0..20_000, 1));
    // These records supersede the first 4,000.
    append(&store, &worthy(0..4_000, 2));
    let before = store
        .weigh(&mut |_| std::ops::ControlFlow::Continue(()))
        .unwrap();
    assert_eq!(store.volume(), Some(before));
    let most = before * 3 / 4;
    let shed = store
        .shed(most, &mut |_| std::ops::ControlFlow::Continue(()))
        .unwrap();
    assert_eq!(shed.before, before);
    assert!(shed.after <= most + before / 8, "{shed:?}");
    assert!(shed.after > before / 3, "too much went: {shed:?}");
    assert_eq!(store.volume(), Some(shed.after));
    assert!(
        shed.least > Worth::LEAST && shed.least < worth(15),
        "{shed:?}"
    );
    let left = content(&store);
    assert_eq!(left.len() as u64 + shed.keys, 20_000);
    let mut kept = 0;
    for (key, record) in (0..).zip(worthy(0..20_000, 1)) {
        let value = if key < 4_000 { 2 } else { 1 };
        match left.get(&record.record.key) {
            Some(&found) => {
                assert_eq!(found, (value, worth(key)));
                kept += usize::from(worth(key) < shed.least);
            }
            None => assert!(worth(key) < shed.least, "{key} is gone"),
        }
    }
    assert_eq!(kept, 0, "some of little worth are still there");
    let store = assert_sound(store, dir.path());
    // Removed records can come again.
    append(&store, &worthy(0..20_000, 2));
    assert_eq!(store.len(), 20_000);
    assert_sound(store, dir.path());
}

#[test]
fn nothing_goes_that_has_room() {
    let dir = folder();
    let store = open(dir.path());
    append(&store, &worthy(0..8_000, 1));
    append(&store, &worthy(8_000..9_000, 1));
    let shed = store
        .shed(1 << 30, &mut |_| std::ops::ControlFlow::Continue(()))
        .unwrap();
    assert_eq!((shed.keys, shed.least), (0, Worth::LEAST));
    assert_eq!(shed.before, shed.after);
    assert_eq!(store.len(), 9_000);
    assert_sound(store, dir.path());
}

#[test]
fn verified_records_stay() {
    let dir = folder();
    let store = open(dir.path());
    let verified = SourcedRecord {
        source: VERIFIED,
        ..of(*b"verified", 1)
    };
    append(&store, &[verified]);
    append(&store, &worthy(0..9_000, 1));
    let shed = store.shed_below(Worth::MOST).unwrap();
    assert!(shed.keys > 5_000, "{shed:?}");
    assert!(store.get(b"verified").unwrap().is_some());
    assert_sound(store, dir.path());
}

#[test]
fn only_records_of_one_source_stay() {
    let dir = folder();
    let store = open(dir.path());
    let from = |source, mut records: Vec<SourcedRecord>| {
        for record in &mut records {
            record.source = source;
        }
        records
    };
    for part in 0..12 {
        let first = part * 1_000;
        append(&store, &from(1, worthy(first..first + 700, 1)));
        append(&store, &from(0, worthy(first + 700..first + 1_000, 1)));
    }
    // Some change their source.
    append(&store, &from(1, worthy(700..710, 2)));
    append(&store, &from(0, worthy(0..10, 2)));
    let cursor = store.cursor();
    let mut go_on = |_: crate::Step| std::ops::ControlFlow::Continue(());
    let is_own = |record: &SourcedRecord| record.source == 0;
    {
        let _walk = store.iter();
        assert!(!store.keep_only(is_own, &mut go_on).unwrap());
    }
    assert_eq!(store.len(), 12_000);
    assert!(store.keep_only(is_own, &mut go_on).unwrap());
    assert_eq!(store.cursor(), cursor);
    let store = assert_sound(store, dir.path());
    let kept = content(&store);
    for (key, record) in (0..).zip(worthy(0..12_000, 0)) {
        let is_own = (key % 1_000 >= 700 && !(700..710).contains(&key)) || key < 10;
        assert_eq!(kept.contains_key(&record.record.key), is_own, "{key}");
    }
}

#[test]
fn a_stop_leaves_a_sound_store() {
    let dir = folder();
    let mut store = open(dir.path());
    append(&store, &worthy(0..30_000, 1));
    for steps in [0, 1, 50, 170, 171, 200] {
        let mut left = steps;
        let result = store.shed(1, &mut |_| {
            left -= 1;
            if left < 0 {
                std::ops::ControlFlow::Break(())
            } else {
                std::ops::ControlFlow::Continue(())
            }
        });
        assert!(
            matches!(result, Err(crate::StoreError::Stopped) | Ok(_)),
            "{result:?}"
        );
        store = assert_sound(store, dir.path());
    }
}

#[test]
fn others_use_the_store_meanwhile() {
    let dir = folder();
    let store = open(dir.path());
    append(&store, &worthy(0..10_000, 1));
    let ended = AtomicBool::new(false);
    let rounds = thread::scope(|scope| {
        let shedding = scope.spawn(|| {
            let mut rounds = 0;
            while !ended.load(Ordering::Relaxed) {
                store.shed_below(worth(8)).unwrap();
                rounds += 1;
            }
            rounds
        });
        scope.spawn(|| {
            while !ended.load(Ordering::Relaxed) {
                // No key comes twice, and no block is missing.
                let all = store.iter().map(|record| record.unwrap().record.key);
                let mut keys: Vec<_> = all.collect();
                let count = keys.len();
                keys.sort();
                keys.dedup();
                assert_eq!(keys.len(), count);
            }
        });
        for part in 10..60 {
            append(&store, &worthy(part * 1_000..(part + 1) * 1_000, 1));
            // Newer values of some that may be gone.
            append(&store, &worthy((part - 5) * 1_000..(part - 4) * 1_000, 2));
        }
        ended.store(true, Ordering::Relaxed);
        shedding.join().unwrap()
    });
    assert!(rounds > 2, "{rounds}");
    store.shed_below(worth(8)).unwrap();
    let left = content(&store);
    for (key, record) in (0..).zip(worthy(0..60_000, 0)) {
        let value = if (5_000..55_000).contains(&key) { 2 } else { 1 };
        let found = left.get(&record.record.key).copied();
        if worth(key) >= worth(8) || found.is_some() {
            assert_eq!(found, Some((value, worth(key))), "{key}");
        }
    }
    assert!(left.len() < 45_000, "{}", left.len());
    assert_sound(store, dir.path());
}

#[test]
fn a_budget_holds_while_ten_times_as_much_comes() {
    let dir = folder();
    let mut store = open(dir.path());
    let blocks = 200_000;
    let mut budget = Budget::new(5 * blocks);
    assert_eq!(budget.least(), Worth::LEAST);
    let (mut now, mut least) = (Instant::now(), Worth::LEAST);
    for part in 0..500 {
        append(&store, &worthy(part * 400..(part + 1) * 400, 1));
        now += Duration::from_secs(61);
        budget.tend(&store, now);
        let deadline = Instant::now() + Duration::from_secs(20);
        while store.volume().is_none_or(|bytes| bytes > blocks) {
            assert!(Instant::now() < deadline, "{:?}", store.volume());
            now += Duration::from_secs(61);
            budget.tend(&store, now);
            thread::sleep(Duration::from_millis(1));
        }
        least = least.max(budget.least());
        if part % 100 == 50 {
            drop(budget);
            store = assert_sound(store, dir.path());
            budget = Budget::new(5 * blocks);
        }
    }
    assert!(least > Worth::LEAST);
    // The most worthy records are all there.
    let left = content(&store);
    assert!(left.len() < 200_000 / 5, "{}", left.len());
    for (key, record) in (0..).zip(worthy(0..200_000, 1)) {
        if worth(key) == worth(15) {
            assert!(left.contains_key(&record.record.key), "{key}");
        }
    }
    drop(budget);
    assert_sound(store, dir.path());
}
