//! A store tells whether it still has the state that a reader knows.

use super::{ENCODINGS, append, folder, open, records};
use crate::{History, Mark, Store, Timeline, compact};
use sproutnet_testkit::folder::{copy, put_back};
use std::ops::ControlFlow;

/// Adds records and returns the new state.
fn grow(store: &Store, keys: std::ops::Range<u64>) -> Mark {
    store.mark(append(store, &records(keys, 1))).unwrap()
}

fn has(store: &Store, mark: Mark) -> bool {
    store.history().has(mark)
}

#[test]
fn a_store_has_all_states_that_it_had() {
    let dir = folder();
    assert_eq!(open(dir.path()).mark(0), None);
    let mut marks = Vec::new();
    for round in 0..5 {
        let store = open(dir.path());
        for part in 0..3 {
            let first = 1_000 * round + 300 * part;
            marks.push(grow(&store, first..first + 300));
            assert!(marks.iter().all(|&mark| has(&store, mark)));
        }
        assert_eq!(store.history().timelines.len(), round as usize + 1);
    }
    // It is only read.
    drop(open(dir.path()));
    assert_eq!(open(dir.path()).history().timelines.len(), 5);
    compact(dir.path(), ENCODINGS, &mut |_| ControlFlow::Continue(())).unwrap();
    let store = open(dir.path());
    marks.push(grow(&store, 9_000..9_001));
    assert!(marks.iter().all(|&mark| has(&store, mark)));
}

#[test]
fn a_copy_that_is_put_back_lacks_what_came_after_it() {
    let dir = folder();
    let [used, copied] = ["used", "copied"].map(|name| dir.path().join(name));
    let before = grow(&open(&used), 0..500);
    copy(&used, &copied);
    let lost = {
        let store = open(&used);
        [0, 1].map(|part| grow(&store, 1_000 * (part + 1)..1_000 * (part + 1) + 700))
    };
    put_back(&copied, &used);
    let (id, after) = {
        let store = open(&used);
        assert!(has(&store, before));
        assert!(!lost.iter().any(|&mark| has(&store, mark)));
        // It goes on, beyond the numbers of the lost blocks.
        let mut after = grow(&store, 5_000..5_500);
        while after.cursor <= lost[1].cursor {
            after = grow(
                &store,
                7_000 + after.cursor * 1_000..7_500 + after.cursor * 1_000,
            );
        }
        (store.id(), after)
    };
    let store = open(&used);
    assert_eq!((store.id(), store.epoch().0), (id, 0));
    assert!(has(&store, before) && has(&store, after));
    assert!(!lost.iter().any(|&mark| has(&store, mark)));
}

#[test]
fn a_copy_made_in_the_middle_of_a_timeline_lacks_its_end() {
    let dir = folder();
    let [used, copied] = ["used", "copied"].map(|name| dir.path().join(name));
    let store = open(&used);
    let before = grow(&store, 0..500);
    let copy_in_use = crate::Copy::of(&used).unwrap();
    copy(copy_in_use.path(), &copied);
    let lost = grow(&store, 1_000..1_700);
    drop(store);
    assert_eq!(before.timeline, lost.timeline);
    put_back(&copied, &used);
    for round in 0..2 {
        let store = open(&used);
        assert!(has(&store, before) && !has(&store, lost), "{round}");
        grow(&store, 5_000 + round * 3_000..8_000 + round * 3_000);
        assert!(has(&store, before) && !has(&store, lost), "{round}");
    }
}

#[test]
fn a_revocation_leaves_later_states() {
    let dir = folder();
    let later = {
        let store = open(dir.path());
        let kept = grow(&store, 0..500);
        grow(&store, 1_000..3_000);
        store.revoke_after(kept.cursor).unwrap();
        grow(&store, 3_000..3_100)
    };
    let store = open(dir.path());
    assert!(has(&store, later));
    assert!(has(&store, grow(&store, 4_000..4_100)) && has(&store, later));
}

#[test]
fn what_is_not_known_is_lost() {
    let [first, second] = [(1, 0), (2, 10)].map(|(id, after)| Timeline { id, after });
    let history = History {
        timelines: vec![first, second],
        cursor: 15,
    };
    let mark = |(timeline, cursor)| Mark { timeline, cursor };
    for known in [(1, 1), (1, 10), (2, 11), (2, 15)] {
        assert!(history.has(mark(known)), "{known:?}");
    }
    for lost in [(1, 11), (2, 16), (3, 1)] {
        assert!(!history.has(mark(lost)), "{lost:?}");
    }
    assert!(!History::default().has(mark((1, 0))));
}

#[test]
fn only_the_newest_timelines_are_kept() {
    let dir = folder();
    let marks: Vec<Mark> = (0..70)
        .map(|round| grow(&open(dir.path()), 10 * round..10 * round + 5))
        .collect();
    let store = open(dir.path());
    assert_eq!(store.history().timelines.len(), 64);
    assert!(!has(&store, marks[0]) && has(&store, marks[69]));
    assert_eq!(store.mark(1), None);
}
