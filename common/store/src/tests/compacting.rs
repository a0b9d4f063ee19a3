//! Compacting keeps everything, whatever interrupts it.

use super::{ENCODINGS, Model, append, collect, folder, open, records, value};
use crate::{Step, Store, StoreError, block, compact};
use sproutnet_testkit::folder::copy;
use std::{fs, ops::ControlFlow, path::Path};

fn go_on(_: Step) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A store with superseded records and small blocks.
fn worn(dir: &Path) -> Model {
    let store = open(dir);
    for round in 0..12 {
        append(&store, &records(0..500, round));
        append(
            &store,
            &records(round * 1_000..round * 1_000 + 700, 1 + round),
        );
        append(
            &store,
            &records(20_000 + round * 40..20_000 + round * 40 + 10, 3),
        );
    }
    store.put_document("some", b"thing").unwrap();
    collect(store.iter())
}

/// The content that a reader has that began with this model at this cursor.
fn follow(store: &Store, cursor: u64, mut known: Model) -> Model {
    for block in store.blocks_after(cursor) {
        let (number, bytes) = block.unwrap();
        assert!(number > cursor);
        let records = block::decode(&bytes).unwrap().into_iter();
        known.extend(records.map(|r| (r.record.key, (r.record.value, r.source))));
    }
    known
}

#[test]
fn what_is_superseded_goes_and_all_else_stays() {
    let dir = folder();
    let content = worn(dir.path());
    let (id, cursor) = {
        let store = open(dir.path());
        (store.id(), store.cursor())
    };
    let done = compact(dir.path(), ENCODINGS, &mut go_on).unwrap();
    assert!(done.before.superseded > 3_000, "{done:?}");
    assert_eq!(done.after.superseded, 0);
    assert_eq!(done.after.records, done.before.records);
    assert!(done.after.blocks < done.before.blocks, "{done:?}");
    assert!(done.after.disk_bytes <= done.before.disk_bytes, "{done:?}");
    let store = open(dir.path());
    assert_eq!((store.id(), store.cursor()), (id, cursor));
    assert_eq!(collect(store.iter()), content);
    assert_eq!(store.get_document("some").unwrap().unwrap(), b"thing");
    let sizes = store
        .blocks_after(0)
        .map(|b| block::room(&b.unwrap().1).unwrap());
    let small: Vec<_> = sizes.flatten().collect();
    assert!(small.len() <= 1, "{small:?} are not full");
    // It still accepts records.
    append(&store, &records(7..8, 99));
    assert!(store.cursor() > cursor);
    drop(store);
    assert_eq!(value(&open(dir.path()), 7), Some(99));
    let again = compact(dir.path(), ENCODINGS, &mut go_on).unwrap();
    assert_eq!(again.after.records, content.len() as u64);
}

#[test]
fn readers_miss_nothing_wherever_they_stood() {
    let dir = folder();
    let content = worn(dir.path());
    let mut readers = vec![(0, Model::new())];
    {
        let store = open(dir.path());
        let mut known = Model::new();
        for block in store.blocks_after(0) {
            let (number, bytes) = block.unwrap();
            let records = block::decode(&bytes).unwrap().into_iter();
            known.extend(records.map(|r| (r.record.key, (r.record.value, r.source))));
            readers.push((number, known.clone()));
        }
    }
    compact(dir.path(), ENCODINGS, &mut go_on).unwrap();
    let store = open(dir.path());
    for (cursor, known) in readers {
        assert!(follow(&store, cursor, known) == content, "from {cursor}");
    }
}

#[test]
fn what_is_stopped_changes_nothing() {
    let dir = folder();
    let content = worn(dir.path());
    let before = fs::read(dir.path().join("acknowledged")).unwrap();
    let stop = &mut |step: Step| match step.done {
        10.. => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let stopped = compact(dir.path(), ENCODINGS, stop);
    assert!(matches!(stopped, Err(StoreError::Stopped)), "{stopped:?}");
    assert!(!dir.path().join("compacting").exists());
    assert_eq!(fs::read(dir.path().join("acknowledged")).unwrap(), before);
    assert_eq!(collect(open(dir.path()).iter()), content);
}

/// The files of a database, and copies of them.
const FILES: [&str; 4] = ["conf", "acknowledged", "db", "blobs"];

fn remove(path: &Path) {
    if path.is_dir() {
        fs::remove_dir_all(path).unwrap();
    } else {
        fs::remove_file(path).unwrap();
    }
}

/// Every state between the old database and the new one that a kill can leave.
#[test]
fn a_kill_at_any_step_leaves_one_of_both() {
    let (old, new) = (folder(), folder());
    let content = worn(old.path());
    copy(old.path(), new.path());
    remove(&new.path().join("lock"));
    compact(new.path(), ENCODINGS, &mut go_on).unwrap();
    remove(&new.path().join("lock"));
    let is_compacted = |dir: &Path| {
        let store = Store::open(dir, ENCODINGS).unwrap();
        assert_eq!(collect(store.iter()), content);
        assert_eq!(store.get_document("some").unwrap().unwrap(), b"thing");
        for left in ["compacting", "compacted", "replacing"] {
            assert!(!dir.join(left).exists(), "{left}");
        }
        store.stats().unwrap().superseded == 0
    };
    // While it is written.
    for written in 0..=FILES.len() {
        let dir = folder();
        copy(old.path(), dir.path());
        copy(new.path(), &dir.path().join("compacting"));
        for file in &FILES[written..] {
            remove(&dir.path().join("compacting").join(file));
        }
        assert!(!is_compacted(dir.path()));
    }
    // While the old one goes.
    for gone in 0..=FILES.len() {
        let dir = folder();
        copy(old.path(), dir.path());
        copy(new.path(), &dir.path().join("compacted"));
        for file in &FILES[..gone] {
            remove(&dir.path().join(file));
        }
        assert!(Store::is_in(dir.path()));
        assert!(is_compacted(dir.path()));
    }
    // While the new one takes its place.
    let all: Vec<_> = fs::read_dir(new.path())
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    for moved in 0..=all.len() {
        let dir = folder();
        copy(new.path(), &dir.path().join("replacing"));
        for file in &all[..moved] {
            fs::rename(
                dir.path().join("replacing").join(file),
                dir.path().join(file),
            )
            .unwrap();
        }
        assert!(Store::is_in(dir.path()));
        assert!(is_compacted(dir.path()));
    }
}
