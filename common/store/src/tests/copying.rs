//! A store that is in use, or in a read-only folder, is read from a copy.

use super::{
    ENCODINGS, append, collect,
    crash::{Child, TEST, check_documents, check_records, number, open},
    folder, records,
};
use crate::{Copy, Store, StoreError};
use sproutnet_testkit::disk::Disk;
use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

const ROUNDS: usize = 4;
const COPIES: usize = 8;

/// The maximum duration of a copy on a busy machine.
const PATIENCE: Duration = Duration::from_mins(2);

/// Copies the store of a child that has acknowledged more than this batch. Also returns the child's last acknowledged
/// batch before the copy.
fn copy_after(child: &Child, dir: &Path, before: u64) -> (u64, Copy) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(acknowledged) = child.acknowledged().filter(|&last| last > before) {
            match Copy::of(dir) {
                // The writes left no time for it.
                Err(StoreError::InUse { .. }) => {}
                copied => return (acknowledged, copied.unwrap()),
            }
        }
        assert!(Instant::now() < deadline, "nothing was copied");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_copy_of_a_store_in_use_has_all_that_was_acknowledged() {
    for _ in 0..ROUNDS {
        let dir = folder();
        let mut child = Child::start(TEST, dir.path());
        let mut copies = Vec::new();
        let mut before = 2;
        for _ in 0..COPIES {
            let (acknowledged, copy) = copy_after(&child, dir.path(), before);
            assert!(copy.is_of_busy() && copy.bytes() > 0);
            copies.push((acknowledged, copy));
            before = acknowledged;
        }
        let refused = Store::open(dir.path(), ENCODINGS).unwrap_err();
        assert!(refused.is_of_place(), "{refused:?}");
        child.kill();
        let mut masks = BTreeMap::new();
        for (acknowledged, copy) in copies {
            let path = copy.path().to_owned();
            let store = open(&path);
            let latest = number(&store, "latest").unwrap();
            assert!(latest >= acknowledged, "{latest} < {acknowledged}");
            check_documents(&store, Some(latest));
            check_records(&store, latest + 1, |_| false, &mut masks);
            drop((store, copy));
            assert!(!path.exists());
        }
    }
}

#[test]
fn a_read_only_store_is_read_from_a_copy() {
    let Some(disk) = Disk::mount(20) else {
        return;
    };
    let dir = disk.path().join("store");
    let store = super::open(&dir);
    append(&store, &records(0..2_000, 1));
    let content = collect(store.iter());
    drop(store);
    disk.freeze();
    let refused = Store::open(&dir, ENCODINGS).unwrap_err();
    assert!(
        matches!(refused, StoreError::Unwritable { .. }),
        "{refused:?}"
    );
    assert!(refused.is_of_place(), "{refused:?}");
    let copy = Copy::of(&dir).unwrap();
    assert!(!copy.is_of_busy());
    assert_eq!(collect(super::open(copy.path()).iter()), content);
    // A folder that is not there is another problem.
    let refused = Store::open(&dir.join("other"), ENCODINGS).unwrap_err();
    assert!(matches!(refused, StoreError::Folder { .. }), "{refused:?}");
    assert!(fs::read_dir(&dir).unwrap().count() > 0);
}
