//! The store after a run.

use std::collections::BTreeMap;
use std::path::Path;

use sproutnet_game as game;
use sproutnet_solver::play;
use sproutnet_store::Store;
use sproutnet_testkit::folder;
use tempfile::tempdir;

/// The content of a store.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// The number of its newest block.
    pub(crate) cursor: u64,
    /// The values of its records, by key.
    pub(crate) records: BTreeMap<Box<[u8]>, u64>,
}

impl Content {
    /// Reads a store. No process may have it open.
    pub(crate) fn read(data: &Path) -> Self {
        let store = Store::open(data, &game::encodings()).expect("the store opens");
        let records = store.iter().map(|stored| {
            let record = stored.expect("it can be read").record;
            (record.key, record.value)
        });
        Self {
            cursor: store.cursor(),
            records: records.collect(),
        }
    }

    /// Reads a copy of a store. The original stays as the kill left it, so its next opening must repair it.
    pub(crate) fn read_copy(data: &Path) -> Self {
        let copy = tempdir().expect("a folder");
        folder::copy(data, copy.path());
        Self::read(copy.path())
    }

    /// Checks that `later` has lost nothing: every record is unchanged or has more information.
    #[track_caller]
    pub(crate) fn check_kept_in(&self, later: &Self) {
        assert!(self.cursor <= later.cursor);
        for (key, &old) in &self.records {
            let new = later.records.get(key).copied();
            let new = new.unwrap_or_else(|| panic!("the record {key:02x?} is gone"));
            assert_eq!(play::merge(key, old, new), Ok(new), "from {old} to {new}");
        }
    }
}
