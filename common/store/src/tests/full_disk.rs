//! A disk that is full harms nothing: the test runs itself as a child that merges on a small disk of its
//! own until that is full, opens the store again and again, and is killed at a random moment. Once there
//! is room, the store opens, and everything acknowledged is there.
//!
//! A plain run tries 30 moments, one with `SPROUTNET_FULL_TESTS=1` tries 600. `SPROUTNET_TEST_KILLS` overrides
//! that.

use super::{
    assert_index,
    crash::{
        FOLDER, check_documents, check_records, merge_for_ever, number, open, random, run_and_kill,
    },
};
use crate::{Store, StoreError};
use sproutnet_testkit::disk::Disk;
use std::{collections::BTreeMap, env, fs, path::Path, sync::mpsc, thread, time::Duration};

/// The size of the disk in MiB, and the size in bytes at which a store is given up for a new one.
const DISK: u64 = 20;
const LARGE: u64 = 5 << 20;

/// The bytes of disk that the files of a folder take.
fn size(dir: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    let Ok(entries) = fs::read_dir(dir) else {
        return 0;
    };
    let sizes = entries.map(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            size(&path)
        } else {
            fs::metadata(path).map_or(0, |metadata| metadata.blocks() * 512)
        }
    });
    sizes.sum()
}

/// Merges, and opens the store again after each error.
fn merge_on_a_full_disk(dir: &Path) {
    loop {
        match Store::open(dir, &[("crash", 1)]) {
            Ok(store) => {
                let error = merge_for_ever(&store);
                println!("\nfailed {error:?}");
            }
            Err(error) => {
                println!("\nrefused {error:?}");
                thread::sleep(Duration::from_millis(2));
            }
        }
    }
}

fn moments() -> u64 {
    let given = env::var("SPROUTNET_TEST_KILLS").ok();
    let given = given.map(|kills| kills.parse().unwrap());
    given.unwrap_or(match env::var_os("SPROUTNET_FULL_TESTS") {
        Some(_) => 600,
        None => 30,
    })
}

#[test]
fn acknowledged_records_survive_a_full_disk() {
    if let Some(dir) = env::var_os(FOLDER) {
        return merge_on_a_full_disk(Path::new(&dir));
    }
    let Some(disk) = Disk::mount(DISK) else {
        return;
    };
    let dir = disk.path().join("store");
    let mut acknowledged = None;
    let mut masks = BTreeMap::new();
    let mut stored = 0;
    for moment in 0..moments() {
        if size(&dir) > LARGE {
            fs::remove_dir_all(&dir).unwrap();
            acknowledged = None;
            masks.clear();
        }
        disk.fill_but(random() % (3 << 20));
        let life = Duration::from_millis(20 + random() % 400);
        let test = "tests::full_disk::acknowledged_records_survive_a_full_disk";
        let last = run_and_kill(test, &dir, life);
        stored += u64::from(last.is_some());
        acknowledged = last.or(acknowledged);
        disk.clear();

        let store = open(&dir);
        let latest = number(&store, "latest");
        assert!(
            latest >= acknowledged,
            "{moment}: {latest:?} < {acknowledged:?}"
        );
        check_documents(&store, latest);
        check_records(
            &store,
            latest.map_or(0, |latest| latest + 1),
            |_| false,
            &mut masks,
        );
        assert_index(&store);
    }
    assert!(stored > 0, "the child never stored anything");
}

/// A write that does not fit is an error, and then the store can be closed: some of these batches have
/// documents in files of their own, whose place sled would wait for.
#[test]
fn a_full_disk_ends_in_an_error() {
    let Some(disk) = Disk::mount(DISK) else {
        return;
    };
    let mut opened = 0;
    for round in 0..8 {
        disk.fill_but((1 << 20) + random() % (1 << 20));
        let dir = disk.path().join(format!("store-{round}"));
        // Stores that failed in earlier rounds keep their files open, and the room that these take.
        let store = match Store::open(&dir, &[("crash", 1)]) {
            Ok(store) => store,
            Err(StoreError::Unwritable { .. }) => {
                disk.clear();
                continue;
            }
            Err(error) => panic!("{error:?}"),
        };
        opened += 1;
        let error = merge_for_ever(&store);
        let is_known = matches!(error, StoreError::Database(_) | StoreError::WriteFailed);
        assert!(is_known, "{error:?}");
        let refused = store.put_document("one", b"more");
        assert!(
            matches!(refused, Err(StoreError::WriteFailed)),
            "{refused:?}"
        );
        let (closed, wait) = mpsc::channel();
        thread::spawn(move || {
            drop(store);
            closed.send(()).unwrap();
        });
        let is_closed = wait.recv_timeout(Duration::from_secs(20));
        assert!(is_closed.is_ok(), "{round}: it does not close");
        match Store::open(&dir, &[("crash", 1)]) {
            Err(StoreError::Unwritable { .. } | StoreError::InUse { .. }) | Ok(_) => {}
            Err(error) => panic!("{error:?}"),
        }
        disk.clear();
        fs::remove_dir_all(&dir).unwrap();
    }
    assert!(opened > 0, "no store had room to open");
}
