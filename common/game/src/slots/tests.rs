//! Slots are distinct, and few are made.

use std::sync::atomic::AtomicU32;

use super::*;

#[test]
fn slots_are_distinct_and_stay_where_they_are() {
    let slots = Slots::<AtomicU32>::default();
    let first = slots.at(0);
    for index in 0..200_000 {
        assert_eq!(slots.at(index).swap(index + 1, Ordering::Relaxed), 0);
    }
    for index in 0..200_000 {
        assert_eq!(slots.at(index).load(Ordering::Relaxed), index + 1);
    }
    assert!(std::ptr::eq(first, slots.at(0)));
}

#[test]
fn blocks_fill_the_tiers_without_gaps() {
    assert_eq!(locate(0), (0, 0, 0));
    assert_eq!(locate(1023), (0, 0, 1023));
    assert_eq!(locate(1024), (1, 0, 0));
    assert_eq!(locate(3 * 1024 - 1), (1, 1, 1023));
    assert_eq!(locate(3 * 1024), (2, 0, 0));
    assert!(locate(u32::MAX).0 < TIERS);
}

#[test]
fn takes_little_more_memory_than_is_used() {
    let slots = Slots::<AtomicU32>::default();
    for index in 0..100 * BLOCK as u32 {
        slots.at(index);
    }
    assert!(slots.bytes() < 110 * BLOCK * size_of::<AtomicU32>());
}

#[test]
fn values_that_threads_add_have_numbers_of_their_own() {
    let values = Numbered::<(u32, u32)>::default();
    let add = |thread| (0..5_000).map(move |value| (thread, value));
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let values = &values;
            scope.spawn(move || {
                for value in add(thread) {
                    let number = values.add(value);
                    assert_eq!(*values.get(number), value);
                }
            });
        }
    });
    let mut all: Vec<_> = (0..20_000).map(|number| *values.get(number)).collect();
    all.sort_unstable();
    assert!(all.into_iter().eq((0..4).flat_map(add)));
}
