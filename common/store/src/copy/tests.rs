use super::*;
use crate::{
    compact,
    tests::{ENCODINGS, append, collect, folder, open, records},
};
use std::{
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

#[test]
fn a_copy_made_during_compactions_is_whole() {
    let dir = folder();
    let store = open(dir.path());
    for part in 0..8 {
        append(&store, &records(part * 300..(part + 1) * 300, 1));
    }
    let content = collect(store.iter());
    drop(store);
    let is_done = AtomicBool::new(false);
    let copies = thread::scope(|threads| {
        let copying = threads.spawn(|| {
            let mut copies = Vec::new();
            while !is_done.load(Ordering::Relaxed) && copies.len() < 100 {
                match Copy::of(dir.path()) {
                    Ok(copy) => copies.push(copy),
                    Err(StoreError::InUse { .. } | StoreError::File { .. }) => {}
                    Err(error) => panic!("{error:?}"),
                }
            }
            copies
        });
        for _ in 0..20 {
            let compacted = compact(dir.path(), ENCODINGS, &mut |_| ControlFlow::Continue(()));
            assert!(
                !matches!(compacted, Err(StoreError::Corrupt(_))),
                "{compacted:?}"
            );
        }
        is_done.store(true, Ordering::Relaxed);
        copying.join().unwrap()
    });
    assert!(!copies.is_empty());
    for copy in copies {
        assert_eq!(collect(open(copy.path()).iter()), content);
    }
}

#[test]
fn copies_of_dead_processes_are_removed() {
    let dir = folder();
    let [abandoned, in_use, other] = [PREFIX, PREFIX, "other-"].map(|prefix| {
        let folder = tempfile::Builder::new()
            .prefix(prefix)
            .tempdir_in(dir.path());
        folder.unwrap().keep()
    });
    fs::write(abandoned.join(FILE), b"left").unwrap();
    let lock = File::open(&in_use).unwrap();
    lock.lock().unwrap();
    let are_there = || [&abandoned, &in_use, &other].map(|folder| folder.exists());
    remove_abandoned(dir.path(), ABANDONED);
    assert_eq!(are_there(), [true; 3], "they are new");
    remove_abandoned(dir.path(), Duration::ZERO);
    assert_eq!(are_there(), [false, true, true]);
}
