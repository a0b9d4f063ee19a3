//! Tests of the delivery queue: the records that it sends, to which store, and when.

use std::collections::BTreeSet;
use std::path::Path;

use sproutnet_solver::play::{Archive, Record};
use sproutnet_store::{Batch, Sourced, Worth, block};

use sproutnet_notation::Epoch;

use crate::client::StoreEpoch;
use crate::delivery_queue::{DeliveryQueue, FED};
use crate::message::Message;
use crate::own_store;

mod rolled_back;

const STORE: StoreEpoch = StoreEpoch {
    store: 7,
    epoch: Epoch(0),
    rollbacks: 0,
};
const OTHER_STORE: StoreEpoch = StoreEpoch {
    store: 8,
    epoch: Epoch(3),
    rollbacks: 0,
};

/// Records with invalid lands, since the queue does not check them.
fn records(numbers: std::ops::Range<u32>) -> Vec<Record> {
    let record = |n: u32| {
        // Noise, so that blocks have the size of real ones.
        let mut key = [b"Sm".as_slice(), &n.to_be_bytes(), &[0; 40]].concat();
        fastrand::Rng::with_seed(n.into()).fill(&mut key[6..]);
        Record {
            key: key.into(),
            value: u64::from(n % 2),
            worth: Worth::LEAST,
        }
    };
    numbers.map(record).collect()
}

fn in_store(dir: &Path) -> DeliveryQueue {
    let own = own_store::open(dir, None, None).expect("a store");
    DeliveryQueue::new(Some(own)).expect("sound documents")
}

fn in_memory() -> DeliveryQueue {
    DeliveryQueue::new(None).expect("nothing to read")
}

fn contents(message: &Message) -> Vec<Record> {
    let decoded = |bytes: &Vec<u8>| block::decode(bytes).expect("a block");
    let records = message.blocks.iter().flat_map(decoded);
    records.map(|sourced| sourced.record).collect()
}

fn is_delivered(queue: &DeliveryQueue) -> bool {
    let progress = queue.progress();
    progress.is_empty && progress.newest == progress.taken
}

fn id_of(queue: &DeliveryQueue) -> Option<u64> {
    queue.own.as_ref().map(|own| own.store.id())
}

/// Acknowledges messages until the queue is empty; returns all their records.
fn deliver(queue: &mut DeliveryQueue, at: StoreEpoch) -> Vec<Record> {
    let mut sent = Vec::new();
    while let Some(batch) = queue.next(at).expect("a sound store") {
        sent.extend(contents(&batch));
        queue.acknowledge(&batch);
    }
    assert!(queue.progress().is_empty);
    queue.note().expect("a sound store");
    sent
}

fn keep(queue: &mut DeliveryQueue, records: Vec<Record>) {
    let contradictions = queue.push(STORE, records).expect("a sound store");
    assert!(contradictions.is_empty(), "{contradictions:?}");
}

#[test]
fn what_is_kept_is_sent_once() {
    let dir = tempfile::tempdir().expect("a folder");
    for mut queue in [in_memory(), in_store(dir.path())] {
        assert!(deliver(&mut queue, STORE).is_empty());
        for new in [0..1000, 1000..1001] {
            keep(&mut queue, records(new.clone()));
            assert!(!queue.progress().is_empty);
            assert!(deliver(&mut queue, STORE) == records(new));
        }
        assert!(queue.next(STORE).expect("a sound store").is_none());
        assert!(is_delivered(&queue));
    }
}

#[test]
fn it_says_how_many_messages_wait() {
    let mut queue = in_memory();
    assert_eq!(queue.progress().messages, 0);
    queue.meet(STORE).expect("nothing to read");
    keep(&mut queue, records(0..1));
    assert_eq!(queue.progress().messages, 1);
    keep(&mut queue, records(1..300_000));
    let all = queue.progress().messages;
    assert!(all > 1);
    for left in (0..all).rev() {
        let batch = queue.next(STORE).expect("a sound store");
        queue.acknowledge(&batch.expect("it has records"));
        assert_eq!(queue.progress().messages, left);
    }
}

#[test]
fn what_was_not_acknowledged_is_sent_after_a_restart_and_again_to_another() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut queue = in_store(dir.path());
    keep(&mut queue, records(0..300));
    deliver(&mut queue, STORE);
    keep(&mut queue, records(300..700));
    let lost = queue.next(STORE).expect("a sound store");
    assert!(lost.is_some(), "sent, and never acknowledged");
    drop(queue);

    let mut queue = in_store(dir.path());
    let sent: BTreeSet<_> = deliver(&mut queue, STORE).into_iter().collect();
    assert!(sent.is_superset(&records(300..700).into_iter().collect()));
    drop(queue);

    let mut queue = in_store(dir.path());
    assert!(deliver(&mut queue, STORE).is_empty(), "it has all");
    let sent: BTreeSet<_> = deliver(&mut queue, OTHER_STORE).into_iter().collect();
    assert_eq!(sent, records(0..700).into_iter().collect());
    assert!(deliver(&mut queue, STORE).is_empty(), "it still has all");
}

#[test]
fn new_records_do_not_wait_for_the_backlog_and_none_is_forgotten() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut queue = in_store(dir.path());
    keep(&mut queue, records(0..50_000));
    drop(queue);

    let mut queue = in_store(dir.path());
    let mut sent = BTreeSet::new();
    for round in 0..3 {
        let backlog = queue
            .next(STORE)
            .expect("a sound store")
            .expect("a backlog");
        sent.extend(contents(&backlog));
        queue.acknowledge(&backlog);
        // Few records: their block takes in the last, small block of the backlog.
        let new = records(50_000 + round..50_001 + round);
        keep(&mut queue, new.clone());
        let first = queue
            .next(STORE)
            .expect("a sound store")
            .expect("new records");
        assert_eq!(contents(&first), new);
        sent.extend(new);
        queue.acknowledge(&first);
    }
    sent.extend(deliver(&mut queue, STORE));
    let all: BTreeSet<_> = records(0..50_003).into_iter().collect();
    assert!(sent == all, "{} of {}", sent.len(), all.len());
    drop(queue);
    assert!(deliver(&mut in_store(dir.path()), STORE).is_empty());
}

#[test]
fn what_is_known_already_but_not_there_yet_is_new_all_the_same() {
    let dir = tempfile::tempdir().expect("a folder");
    keep(&mut in_store(dir.path()), records(0..100_000));
    let mut queue = in_store(dir.path());
    assert!(queue.next(STORE).expect("a sound store").is_some());
    // A finding may rest on it, and does not wait for the backlog.
    keep(&mut queue, records(99_000..99_001));
    let first = queue.next(STORE).expect("a sound store").expect("a record");
    assert_eq!(contents(&first), records(99_000..99_001));
}

#[test]
fn messages_are_small() {
    let mut queue = in_memory();
    let long = |n: u32| Record {
        worth: Worth::LEAST,
        key: [b"Sm".as_slice(), &n.to_be_bytes(), &[n as u8; 4000]]
            .concat()
            .into(),
        value: 1,
    };
    let many: Vec<Record> = (0..5000).map(long).collect();
    keep(&mut queue, many.clone());
    let mut sent = Vec::new();
    while let Some(batch) = queue.next(STORE).expect("sound") {
        let bytes: usize = batch.blocks.iter().map(Vec::len).sum();
        assert!(bytes < 6 << 20, "{bytes}");
        sent.extend(contents(&batch));
        queue.acknowledge(&batch);
    }
    assert!(sent == many);
}

#[test]
fn a_block_that_is_rejected_holds_up_no_other() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut queue = in_store(dir.path());
    deliver(&mut queue, STORE);
    keep(&mut queue, records(0..1000));
    let bad = records(300..301);
    let mut sent = Vec::new();
    while let Some(batch) = queue.next(STORE).expect("a sound store") {
        if contents(&batch).contains(&bad[0]) {
            queue.reject(&batch, "not that one");
        } else {
            sent.extend(contents(&batch));
            queue.acknowledge(&batch);
        }
    }
    assert_eq!(sent.len(), 1000 - block::RECORDS);
    assert!(queue.progress().is_empty);
}

/// A nimber record: the land has that nimber.
fn nimber(land: &[u8], value: u64) -> Record {
    Record {
        worth: Worth::LEAST,
        key: [b"Sn", land].concat().into(),
        value,
    }
}

#[test]
fn facts_become_more_precise_and_never_less() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut queue = in_store(dir.path());
    // Not 0, not 1; then: it is 2. Afterwards a search finds again that it is not 0.
    let (not_0, not_1, is_2) = (2, 4, 5);
    deliver(&mut queue, STORE);
    keep(&mut queue, vec![nimber(b"x", not_0), nimber(b"x", not_1)]);
    assert_eq!(deliver(&mut queue, STORE), [nimber(b"x", not_0 | not_1)]);
    keep(&mut queue, vec![nimber(b"x", is_2)]);
    keep(&mut queue, vec![nimber(b"x", not_0)]);
    drop(queue);
    let sent = deliver(&mut in_store(dir.path()), OTHER_STORE);
    assert_eq!(sent, [nimber(b"x", is_2)]);
}

#[test]
fn a_contradiction_is_not_kept_and_its_key_not_sent() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut queue = in_store(dir.path());
    deliver(&mut queue, STORE);
    keep(&mut queue, vec![nimber(b"x", 5), nimber(b"y", 1)]);
    let contradictions = queue.push(STORE, vec![nimber(b"x", 7), nimber(b"z", 3)]);
    let contradictions = contradictions.expect("a sound store");
    let [contradiction] = &contradictions[..] else {
        panic!("{contradictions:?}");
    };
    assert_eq!((contradiction.known, contradiction.new), (5, 7));
    queue.dispute(&contradiction.key).expect("a sound store");
    let sent = [nimber(b"y", 1), nimber(b"z", 3)];
    assert_eq!(deliver(&mut queue, STORE), sent);
    drop(queue);
    let mut queue = in_store(dir.path());
    assert_eq!(
        deliver(&mut queue, OTHER_STORE),
        sent,
        "after a restart too"
    );
    keep(&mut queue, vec![nimber(b"x", 7)]);
    assert!(deliver(&mut queue, OTHER_STORE).is_empty());
}

/// The same store after records were revoked.
const LATER: StoreEpoch = StoreEpoch {
    store: 7,
    epoch: Epoch(1),
    rollbacks: 0,
};

#[test]
fn what_was_proved_before_a_revocation_is_never_sent_again() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, mut queue) in [("memory", in_memory()), ("store", in_store(dir.path()))] {
        queue.meet(STORE).expect("a sound store");
        keep(&mut queue, records(0..500));
        assert!(
            queue.next(STORE).expect("a sound store").is_some(),
            "{name}"
        );
        assert!(
            queue.next(LATER).expect("a sound store").is_none(),
            "{name}"
        );
        assert!(is_delivered(&queue), "{name}");
        // Records of a search that began before the revocation.
        keep(&mut queue, records(500..600));
        assert!(
            queue.next(LATER).expect("a sound store").is_none(),
            "{name}"
        );
        let since = queue.push(LATER, records(600..700)).expect("a sound store");
        assert!(since.is_empty());
        assert!(deliver(&mut queue, LATER) == records(600..700), "{name}");
    }
}

#[test]
fn a_worker_that_was_away_meanwhile_forgets_when_it_comes_back() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut queue = in_store(dir.path());
    queue.meet(STORE).expect("a sound store");
    keep(&mut queue, records(0..500));
    let identity = id_of(&queue);
    drop(queue);
    // It was killed before it sent anything.
    let mut queue = in_store(dir.path());
    assert!(queue.next(LATER).expect("a sound store").is_none());
    assert_eq!(id_of(&queue), identity);
    drop(queue);
    let mut queue = in_store(dir.path());
    assert!(
        deliver(&mut queue, OTHER_STORE).is_empty(),
        "nothing is left"
    );
}

#[test]
fn the_epochs_of_one_store_say_nothing_of_another() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut queue = in_store(dir.path());
    queue.meet(STORE).expect("a sound store");
    keep(&mut queue, records(0..100));
    deliver(&mut queue, STORE);
    assert_eq!(deliver(&mut queue, OTHER_STORE).len(), 100);
    assert!(deliver(&mut queue, STORE).is_empty(), "it has all");
    drop(queue);
    let mut queue = in_store(dir.path());
    assert!(deliver(&mut queue, STORE).is_empty(), "it still has all");
}

/// Records as from a feed.
fn fed(records: &[Record]) -> Batch {
    let mut batch = Batch::default();
    for record in records {
        batch.push(Sourced {
            key: &record.key,
            value: record.value,
            worth: record.worth,
            source: FED,
        });
    }
    batch
}

/// Takes records in from the feed of [`STORE`], up to its block `cursor`.
fn feed(queue: &mut DeliveryQueue, records: &[Record], cursor: u64) {
    let contradictions = queue.keep_fed(STORE, &fed(records), cursor);
    assert!(contradictions.expect("a sound store").is_empty());
}

fn cursor_of(queue: &mut DeliveryQueue) -> Option<u64> {
    let copy = queue.copy().expect("sound documents");
    copy.map(|(_, cursor)| cursor)
}

#[test]
fn what_the_feed_brought_is_there_after_a_restart_and_never_sent() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut queue = in_store(dir.path());
    assert!(cursor_of(&mut queue).is_none(), "no coordinator yet");
    queue.meet(STORE).expect("a sound store");
    assert_eq!(cursor_of(&mut queue), Some(0));
    // Mixed with records proved here, acknowledged or not.
    keep(&mut queue, records(0..10));
    feed(&mut queue, &records(100..400), 7);
    deliver(&mut queue, STORE);
    feed(&mut queue, &records(400..900), 9);
    keep(&mut queue, records(10..20));
    feed(&mut queue, &records(900..1000), 11);
    drop(queue);

    let mut queue = in_store(dir.path());
    queue.meet(STORE).expect("a sound store");
    let (copy, cursor) = queue.copy().expect("sound").expect("a store");
    assert_eq!(cursor, 11);
    for record in records(0..20).into_iter().chain(records(100..1000)) {
        assert_eq!(copy.value(&record.key), Some(record.value));
    }
    drop(copy);
    let sent: BTreeSet<_> = deliver(&mut queue, STORE).into_iter().collect();
    let proved: BTreeSet<_> = records(0..20).into_iter().collect();
    assert!(sent.is_superset(&records(10..20).into_iter().collect()));
    assert!(sent.is_subset(&proved));
    feed(&mut queue, &records(1000..1100), 12);
    drop(queue);

    // The records of the feed are not scanned again, and another coordinator gets those proved here.
    let mut queue = in_store(dir.path());
    assert!(queue.next(STORE).expect("a sound store").is_none());
    queue.meet(OTHER_STORE).expect("a sound store");
    assert!(cursor_of(&mut queue).is_none(), "it has another's feed");
    let sent: BTreeSet<_> = deliver(&mut queue, OTHER_STORE).into_iter().collect();
    assert_eq!(sent, proved);
    // Then the feed of the other one takes its place, here and after a restart. What was proved here stays.
    for _ in 0..2 {
        assert_eq!(cursor_of(&mut queue), Some(0));
        assert_eq!(kept(&queue), proved);
        drop(queue);
        queue = in_store(dir.path());
        queue.meet(OTHER_STORE).expect("a sound store");
    }
    assert!(is_delivered(&queue));
    // So a third one gets it as well.
    let third = StoreEpoch {
        store: 9,
        ..OTHER_STORE
    };
    let sent: BTreeSet<_> = deliver(&mut queue, third).into_iter().collect();
    assert_eq!(sent, proved);
}

/// The records in the own store.
fn kept(queue: &DeliveryQueue) -> BTreeSet<Record> {
    let own = queue.own.as_ref().expect("a store");
    let records = own.store.iter();
    records.map(|kept| kept.expect("sound").record).collect()
}

#[test]
fn a_feed_that_contradicts_what_was_proved_here_is_no_archive() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut queue = in_store(dir.path());
    queue.meet(STORE).expect("a sound store");
    keep(&mut queue, vec![nimber(b"a", 1), nimber(b"b", 2)]);
    let batch = fed(&[nimber(b"a", 3), nimber(b"c", 4)]);
    let contradictions = queue.keep_fed(STORE, &batch, 5).expect("a sound store");
    let [contradiction] = &contradictions[..] else {
        panic!("{contradictions:?}");
    };
    queue.dispute(&contradiction.key).expect("a sound store");
    assert!(cursor_of(&mut queue).is_none());
    assert_eq!(deliver(&mut queue, STORE), [nimber(b"b", 2)]);
    // Nor after a restart, until the coordinator revoked records.
    drop(queue);
    let mut queue = in_store(dir.path());
    queue.meet(STORE).expect("a sound store");
    assert!(cursor_of(&mut queue).is_none());
    let revoked = StoreEpoch {
        epoch: Epoch(1),
        ..STORE
    };
    queue.meet(revoked).expect("a sound store");
    let (copy, cursor) = queue.copy().expect("sound").expect("a store");
    assert_eq!(cursor, 0);
    assert_eq!(copy.value(&nimber(b"c", 4).key), None);
}

#[test]
fn the_feed_of_another_epoch_is_not_kept() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut queue = in_store(dir.path());
    queue.meet(STORE).expect("a sound store");
    let before = StoreEpoch {
        epoch: Epoch(9),
        ..STORE
    };
    let kept = queue.keep_fed(before, &fed(&records(0..10)), 3);
    assert!(kept.expect("nothing to do").is_empty());
    assert_eq!(cursor_of(&mut queue), Some(0));
    assert!(queue.own.as_ref().is_some_and(|own| own.store.is_empty()));
}
