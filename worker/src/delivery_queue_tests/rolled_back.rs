//! Tests of the delivery queue when the coordinator's store was rolled back.

use sproutnet_store::{History, Mark, Timeline};

use super::*;

/// The history of a store with one timeline, and a state of it.
fn history(cursor: u64) -> History {
    History {
        timelines: vec![Timeline { id: 1, after: 0 }],
        cursor,
    }
}

fn mark(cursor: u64) -> Mark {
    Mark {
        timeline: 1,
        cursor,
    }
}

#[test]
fn what_a_store_lost_is_sent_again() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut queue = in_store(dir.path());
    queue.meet(STORE).expect("a sound store");
    keep(&mut queue, records(0..500));
    queue.marks.note(STORE, Some(mark(10)));
    deliver(&mut queue, STORE);
    queue.marks.note(STORE, Some(mark(11)));
    feed(&mut queue, &records(500..600), 11);
    queue.note().expect("a sound store");
    drop(queue);

    let mut queue = in_store(dir.path());
    let compare = |queue: &DeliveryQueue, cursor| {
        let (StoreEpoch { store, epoch, .. }, history) = (STORE, history(cursor));
        queue.marks.compare(store, epoch, Some(&history))
    };
    assert_eq!(compare(&queue, 11), STORE);
    assert!(deliver(&mut queue, STORE).is_empty(), "it has all");
    assert_eq!(cursor_of(&mut queue), Some(11));

    // While the worker runs, and when it was away.
    for round in 0..2 {
        let at = compare(&queue, 9);
        assert_eq!(at.rollbacks, 1, "{round}");
        queue.meet(at).expect("a sound store");
        assert!(cursor_of(&mut queue).is_none(), "the feed is not its own");
        let sent: BTreeSet<_> = deliver(&mut queue, at).into_iter().collect();
        assert_eq!(sent, records(0..500).into_iter().collect(), "{round}");
        assert_eq!(cursor_of(&mut queue), Some(0));
        assert_eq!(kept(&queue), sent);
        queue.marks.note(at, Some(mark(12)));
        queue
            .keep_fed(at, &fed(&records(600..700)), 12)
            .expect("a sound store");
        drop(queue);
        queue = in_store(dir.path());
    }
}

#[test]
fn what_came_after_a_revocation_is_sent_to_a_store_from_before() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut queue = in_store(dir.path());
    queue.meet(LATER).expect("a sound store");
    assert!(
        queue
            .push(LATER, records(0..500))
            .expect("a sound store")
            .is_empty()
    );
    deliver(&mut queue, LATER);
    drop(queue);
    let mut queue = in_store(dir.path());
    let sent: BTreeSet<_> = deliver(&mut queue, STORE).into_iter().collect();
    assert_eq!(sent, records(0..500).into_iter().collect());
}
