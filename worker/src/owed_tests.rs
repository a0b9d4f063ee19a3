//! What is owed, to whom, and when it is not any more.

use std::collections::BTreeSet;
use std::path::Path;

use sproutnet_solver::play::Record;
use sproutnet_store::block;

use crate::folder;
use crate::owed::{Owed, Parcel};
use crate::stint::Home;

const HOME: Home = Home { store: 7, epoch: 0 };
const ABROAD: Home = Home { store: 8, epoch: 3 };

/// Facts about lands that are no lands: what is owed does not ask.
fn records(numbers: std::ops::Range<u32>) -> Vec<Record> {
    let record = |n: u32| {
        // Noise, so that blocks have the size of real ones.
        let mut key = [b"Sm".as_slice(), &n.to_be_bytes(), &[0; 40]].concat();
        fastrand::Rng::with_seed(n.into()).fill(&mut key[6..]);
        Record {
            key: key.into(),
            value: u64::from(n % 2),
        }
    };
    numbers.map(record).collect()
}

fn in_store(dir: &Path) -> Owed {
    let own = folder::open(dir).expect("a store");
    Owed::new(Some(own)).expect("sound documents")
}

fn in_memory() -> Owed {
    Owed::new(None).expect("nothing to read")
}

fn contents(parcel: &Parcel) -> Vec<Record> {
    let decoded = |bytes: &Vec<u8>| block::decode(bytes).expect("a block");
    let records = parcel.blocks.iter().flat_map(decoded);
    records.map(|sourced| sourced.record).collect()
}

/// All that is sent until nothing is owed.
fn deliver(owed: &mut Owed, home: Home) -> Vec<Record> {
    let mut sent = Vec::new();
    while let Some(parcel) = owed.next(home).expect("a sound store") {
        sent.extend(contents(&parcel));
        owed.settle(&parcel);
    }
    assert!(owed.is_settled());
    owed.note().expect("a sound store");
    sent
}

fn keep(owed: &mut Owed, records: Vec<Record>) {
    let contradictions = owed.keep(HOME, records).expect("a sound store");
    assert!(contradictions.is_empty(), "{contradictions:?}");
}

#[test]
fn what_is_kept_is_sent_once() {
    let dir = tempfile::tempdir().expect("a folder");
    for mut owed in [in_memory(), in_store(dir.path())] {
        assert!(deliver(&mut owed, HOME).is_empty());
        for new in [0..1000, 1000..1001] {
            keep(&mut owed, records(new.clone()));
            assert!(!owed.is_settled());
            assert!(deliver(&mut owed, HOME) == records(new));
        }
        assert!(owed.next(HOME).expect("a sound store").is_none());
        assert_eq!(owed.newest(), owed.taken());
    }
}

#[test]
fn what_was_not_acknowledged_is_sent_after_a_restart_and_again_to_another() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut owed = in_store(dir.path());
    keep(&mut owed, records(0..300));
    deliver(&mut owed, HOME);
    keep(&mut owed, records(300..700));
    let lost = owed.next(HOME).expect("a sound store");
    assert!(lost.is_some(), "sent, and never acknowledged");
    drop(owed);

    let mut owed = in_store(dir.path());
    let sent: BTreeSet<_> = deliver(&mut owed, HOME).into_iter().collect();
    assert!(sent.is_superset(&records(300..700).into_iter().collect()));
    drop(owed);

    let mut owed = in_store(dir.path());
    assert!(deliver(&mut owed, HOME).is_empty(), "it has all");
    let sent: BTreeSet<_> = deliver(&mut owed, ABROAD).into_iter().collect();
    assert_eq!(sent, records(0..700).into_iter().collect());
    assert!(deliver(&mut owed, HOME).is_empty(), "it still has all");
}

#[test]
fn new_records_do_not_wait_for_the_backlog_and_none_is_forgotten() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut owed = in_store(dir.path());
    keep(&mut owed, records(0..50_000));
    drop(owed);

    let mut owed = in_store(dir.path());
    let mut sent = BTreeSet::new();
    for round in 0..3 {
        let backlog = owed.next(HOME).expect("a sound store").expect("a backlog");
        sent.extend(contents(&backlog));
        owed.settle(&backlog);
        // Few records: their block takes in the last, small block of the backlog.
        let new = records(50_000 + round..50_001 + round);
        keep(&mut owed, new.clone());
        let first = owed
            .next(HOME)
            .expect("a sound store")
            .expect("new records");
        assert_eq!(contents(&first), new);
        sent.extend(new);
        owed.settle(&first);
    }
    sent.extend(deliver(&mut owed, HOME));
    let all: BTreeSet<_> = records(0..50_003).into_iter().collect();
    assert!(sent == all, "{} of {}", sent.len(), all.len());
    drop(owed);
    assert!(deliver(&mut in_store(dir.path()), HOME).is_empty());
}

#[test]
fn what_is_known_already_but_not_there_yet_is_new_all_the_same() {
    let dir = tempfile::tempdir().expect("a folder");
    keep(&mut in_store(dir.path()), records(0..100_000));
    let mut owed = in_store(dir.path());
    assert!(owed.next(HOME).expect("a sound store").is_some());
    // A finding may rest on it, and does not wait for the backlog.
    keep(&mut owed, records(99_000..99_001));
    let first = owed.next(HOME).expect("a sound store").expect("a record");
    assert_eq!(contents(&first), records(99_000..99_001));
}

#[test]
fn messages_are_small() {
    let mut owed = in_memory();
    let long = |n: u32| Record {
        key: [b"Sm".as_slice(), &n.to_be_bytes(), &[n as u8; 4000]]
            .concat()
            .into(),
        value: 1,
    };
    let many: Vec<Record> = (0..5000).map(long).collect();
    keep(&mut owed, many.clone());
    let mut sent = Vec::new();
    while let Some(parcel) = owed.next(HOME).expect("sound") {
        let bytes: usize = parcel.blocks.iter().map(Vec::len).sum();
        assert!(bytes < 6 << 20, "{bytes}");
        sent.extend(contents(&parcel));
        owed.settle(&parcel);
    }
    assert!(sent == many);
}

#[test]
fn a_block_that_is_rejected_holds_up_no_other() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut owed = in_store(dir.path());
    deliver(&mut owed, HOME);
    keep(&mut owed, records(0..1000));
    let bad = records(300..301);
    let mut sent = Vec::new();
    while let Some(parcel) = owed.next(HOME).expect("a sound store") {
        if contents(&parcel).contains(&bad[0]) {
            owed.reject(&parcel, "not that one");
        } else {
            sent.extend(contents(&parcel));
            owed.settle(&parcel);
        }
    }
    assert_eq!(sent.len(), 1000 - block::RECORDS);
    assert!(owed.is_settled());
}

/// A nimber record: the land has that nimber.
fn nimber(land: &[u8], value: u64) -> Record {
    Record {
        key: [b"Sn", land].concat().into(),
        value,
    }
}

#[test]
fn facts_become_more_precise_and_never_less() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut owed = in_store(dir.path());
    // Not 0, not 1; then: it is 2. Afterwards someone who forgot finds again that it is not 0.
    let (not_0, not_1, is_2) = (2, 4, 5);
    deliver(&mut owed, HOME);
    keep(&mut owed, vec![nimber(b"x", not_0), nimber(b"x", not_1)]);
    assert_eq!(deliver(&mut owed, HOME), [nimber(b"x", not_0 | not_1)]);
    keep(&mut owed, vec![nimber(b"x", is_2)]);
    keep(&mut owed, vec![nimber(b"x", not_0)]);
    drop(owed);
    let sent = deliver(&mut in_store(dir.path()), ABROAD);
    assert_eq!(sent, [nimber(b"x", is_2)]);
}

#[test]
fn a_contradiction_is_not_kept_and_its_key_not_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut owed = in_store(dir.path());
    deliver(&mut owed, HOME);
    keep(&mut owed, vec![nimber(b"x", 5), nimber(b"y", 1)]);
    let contradictions = owed.keep(HOME, vec![nimber(b"x", 7), nimber(b"z", 3)]);
    let contradictions = contradictions.expect("a sound store");
    let [contradiction] = &contradictions[..] else {
        panic!("{contradictions:?}");
    };
    assert_eq!((contradiction.known, contradiction.new), (5, 7));
    owed.dispute(&contradiction.key).expect("a sound store");
    let told = [nimber(b"y", 1), nimber(b"z", 3)];
    assert_eq!(deliver(&mut owed, HOME), told);
    drop(owed);
    let mut owed = in_store(dir.path());
    assert_eq!(deliver(&mut owed, ABROAD), told, "after a restart too");
    keep(&mut owed, vec![nimber(b"x", 7)]);
    assert!(deliver(&mut owed, ABROAD).is_empty());
}

/// As the coordinator's store is once records were withdrawn.
const LATER: Home = Home { store: 7, epoch: 1 };

#[test]
fn what_was_proved_before_a_withdrawal_is_never_told_again() {
    let dir = tempfile::tempdir().expect("a folder");
    for (name, mut owed) in [("memory", in_memory()), ("store", in_store(dir.path()))] {
        owed.meet(HOME).expect("a sound store");
        keep(&mut owed, records(0..500));
        assert!(owed.next(HOME).expect("a sound store").is_some(), "{name}");
        assert!(owed.next(LATER).expect("a sound store").is_none(), "{name}");
        assert!(owed.is_settled() && owed.newest() == owed.taken(), "{name}");
        // What a search finds that began before.
        keep(&mut owed, records(500..600));
        assert!(owed.next(LATER).expect("a sound store").is_none(), "{name}");
        let since = owed.keep(LATER, records(600..700)).expect("a sound store");
        assert!(since.is_empty());
        assert!(deliver(&mut owed, LATER) == records(600..700), "{name}");
    }
}

#[test]
fn a_worker_that_was_away_meanwhile_forgets_when_it_comes_back() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut owed = in_store(dir.path());
    owed.meet(HOME).expect("a sound store");
    keep(&mut owed, records(0..500));
    let identity = owed.identity();
    drop(owed);
    // It was killed before it told anything.
    let mut owed = in_store(dir.path());
    assert!(owed.next(LATER).expect("a sound store").is_none());
    assert_eq!(owed.identity(), identity);
    drop(owed);
    let mut owed = in_store(dir.path());
    assert!(deliver(&mut owed, ABROAD).is_empty(), "nothing is left");
}

#[test]
fn the_epochs_of_one_store_say_nothing_of_another() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut owed = in_store(dir.path());
    owed.meet(HOME).expect("a sound store");
    keep(&mut owed, records(0..100));
    deliver(&mut owed, HOME);
    assert_eq!(deliver(&mut owed, ABROAD).len(), 100);
    assert!(deliver(&mut owed, HOME).is_empty(), "it has all");
    drop(owed);
    let mut owed = in_store(dir.path());
    assert!(deliver(&mut owed, HOME).is_empty(), "it still has all");
}
