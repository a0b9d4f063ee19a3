//! Workers' own stores: their folders, and the documents in them about coordinators and contradictions. Each worker of
//! a machine takes a free folder.
//!
//! A store holds the records proved here, and a copy of the coordinator's feed. Searches look up facts in it, so that of
//! all that the fleet has solved, only the index of the store and what a search met take memory.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sproutnet_game as game;
use sproutnet_notation::Epoch;
use sproutnet_solver::play::merge;
use sproutnet_store::{
    Budget, Mark, Merged, OWN, Sourced, SourcedRecord, Step, Store, StoreError, number_of,
};
use sproutnet_system::disk::Disk;

use crate::client::StoreEpoch;

/// The limit on workers per machine.
const MAX_WORKERS: usize = 4096;

const LOCK: &str = "worker.lock";

/// The block of this store up to which a coordinator has all records, by the coordinator's store.
pub(crate) const ACKNOWLEDGED: &str = "acknowledged/";
/// The newest known state of a coordinator's store, with its epoch, by that store.
const MARK: &str = "mark/";
/// The epoch in which this worker last registered, by the coordinator's store.
pub(crate) const EPOCH: &str = "epoch/";
/// The block of a coordinator's store up to which its feed is in this store, by the coordinator's store.
const FED: &str = "fed/";
/// What follows the store in the name of the document about the feed of a state that the store lost.
const LOST: &str = "/lost";
/// The keys of contradictions, in hex.
const DISPUTED: &str = "disputed/";

/// Why a worker's own store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A folder cannot be used.
    #[error("cannot use the folder {}", dir.display())]
    Folder {
        /// The folder.
        dir: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The store in a folder does not open.
    #[error("cannot use the worker's own store in {}", dir.display())]
    Store {
        /// The folder.
        dir: PathBuf,
        /// The store's error.
        source: StoreError,
    },
    /// All folders are in use.
    #[error("all {MAX_WORKERS} folders in {} are in use", dir.display())]
    Full {
        /// Their parent folder.
        dir: PathBuf,
    },
}

/// A store that only this worker uses.
#[derive(Debug)]
pub(crate) struct OwnStore {
    pub(crate) store: Store,
    pub(crate) dir: PathBuf,
    pub(crate) disk: Disk,
    pub(crate) budget: Option<Budget>,
    /// Locked while the store is open. The store's own lock waits for a second.
    _lock: File,
}

impl FolderError {
    /// Whether the cause is a full disk.
    pub(crate) fn is_disk_full(&self) -> bool {
        match self {
            Self::Folder { source, .. } => sproutnet_store::is_disk_full(source),
            Self::Store { source, .. } => source.is_disk_full(),
            Self::Full { .. } => false,
        }
    }
}

/// Opens the first free folder of `above/0`, `above/1`, …. `reserve` bytes of its disk are kept free, and the store
/// takes at most `budget` bytes.
///
/// # Errors
/// [`FolderError`]. An unreadable store is not skipped.
pub(crate) fn open(
    above: &Path,
    reserve: Option<u64>,
    budget: Option<u64>,
) -> Result<OwnStore, FolderError> {
    for number in 0..MAX_WORKERS {
        let dir = above.join(number.to_string());
        let folder = |source| FolderError::Folder {
            dir: dir.clone(),
            source,
        };
        fs::create_dir_all(&dir).map_err(folder)?;
        let mut options = File::options();
        let options = options.write(true).create(true).truncate(false);
        let lock = options.open(dir.join(LOCK)).map_err(folder)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => continue,
            Err(TryLockError::Error(source)) => return Err(folder(source)),
        }
        match Store::open(&dir, &game::encodings()) {
            Ok(store) => {
                return Ok(OwnStore {
                    store,
                    disk: Disk::of(&dir, reserve),
                    budget: budget.map(Budget::new),
                    dir,
                    _lock: lock,
                });
            }
            Err(StoreError::InUse { .. }) => {}
            Err(source) => return Err(FolderError::Store { dir, source }),
        }
    }
    Err(FolderError::Full { dir: above.into() })
}

/// The name of a document about the coordinator with this store.
fn of_store(prefix: &str, store: u64) -> String {
    format!("{prefix}{store:016x}")
}

/// The document about the newest known state of a coordinator's store.
fn mark_document(at: StoreEpoch, mark: Mark) -> (String, Vec<u8>) {
    let numbers = [at.epoch.0, mark.timeline, mark.cursor];
    let bytes = numbers.map(u64::to_be_bytes).concat();
    (of_store(MARK, at.store), bytes)
}

impl OwnStore {
    /// A number stored about the coordinator with this store.
    pub(crate) fn get(&self, prefix: &str, store: u64) -> Result<Option<u64>, StoreError> {
        let bytes = self.store.get_document(&of_store(prefix, store))?;
        Ok(bytes.and_then(|bytes| Some(u64::from_be_bytes(bytes.try_into().ok()?))))
    }

    /// Stores a number about the coordinator with this store.
    pub(crate) fn put(&self, prefix: &str, store: u64, number: u64) -> Result<(), StoreError> {
        let name = of_store(prefix, store);
        self.store.put_document(&name, &number.to_be_bytes())
    }

    /// The newest known states of coordinators' stores, with their epochs. Unreadable ones are left out.
    pub(crate) fn marks(&self) -> Result<BTreeMap<u64, (Epoch, Mark)>, StoreError> {
        let mut marks = BTreeMap::new();
        for document in self.store.scan_documents(MARK) {
            let (name, bytes) = document?;
            let store = name
                .strip_prefix(MARK)
                .and_then(|name| u64::from_str_radix(name, 16).ok());
            if let (Some(store), ([epoch, timeline, cursor], [])) = (store, bytes.as_chunks::<8>())
            {
                let mark = Mark {
                    timeline: u64::from_be_bytes(*timeline),
                    cursor: u64::from_be_bytes(*cursor),
                };
                marks.insert(store, (Epoch(u64::from_be_bytes(*epoch)), mark));
            }
        }
        Ok(marks)
    }

    /// Stores the block up to which a coordinator has all records, and a state of its store that has them, if known.
    pub(crate) fn acknowledge(
        &self,
        at: StoreEpoch,
        block: u64,
        mark: Option<Mark>,
    ) -> Result<(), StoreError> {
        let (name, block) = (of_store(ACKNOWLEDGED, at.store), block.to_be_bytes());
        let mark = mark.map(|mark| mark_document(at, mark));
        let mut changes = vec![(&*name, Some(&block[..]))];
        changes.extend(mark.iter().map(|(name, bytes)| (&**name, Some(&**bytes))));
        self.store.change_documents(&changes)
    }

    /// The block of the coordinator's store up to which its feed is in this one; 0 for none.
    pub(crate) fn fed(&self, store: u64) -> Result<u64, StoreError> {
        Ok(self.get(FED, store)?.unwrap_or(0))
    }

    /// Whether the feed of a coordinator with another store is in this one, or of a state that the store lost.
    pub(crate) fn is_fed_by_another(&self, store: u64) -> Result<bool, StoreError> {
        let own = of_store(FED, store);
        let mut names = self.store.scan_documents(FED);
        names.try_fold(false, |found, document| Ok(found || document?.0 != own))
    }

    /// Adds records from a feed. With `noted`, its block up to which the whole feed is then in this store, and a state of
    /// the coordinator's store that has it, if known.
    pub(crate) fn keep_fed(
        &self,
        at: StoreEpoch,
        records: &[Sourced<'_>],
        noted: Option<(u64, Option<Mark>)>,
    ) -> Result<Merged, StoreError> {
        let rule = |key: &[u8], known, new| merge(key, known, new).ok();
        let documents = noted.map(|(fed, mark)| {
            let fed = (of_store(FED, at.store), fed.to_be_bytes().to_vec());
            let mark = mark.map(|mark| mark_document(at, mark));
            [Some(fed), mark].into_iter().flatten()
        });
        let documents: Vec<(String, Vec<u8>)> = documents.into_iter().flatten().collect();
        let changes = documents
            .iter()
            .map(|(name, bytes)| (&**name, Some(&**bytes)));
        let changes: Vec<_> = changes.collect();
        self.store.merge_with(records, rule, &changes)
    }

    /// Notes that the coordinator's store was rolled back: records proved here may be missing in it, and so may those of
    /// its feed.
    pub(crate) fn start_over(&self, store: u64) -> Result<(), StoreError> {
        let [acknowledged, mark, fed] =
            [ACKNOWLEDGED, MARK, FED].map(|prefix| of_store(prefix, store));
        let lost = format!("{fed}{LOST}");
        self.store.change_documents(&[
            (&*acknowledged, None),
            (&*mark, None),
            (&*fed, None),
            (&*lost, Some(&[][..])),
        ])
    }

    /// Removes the records of all feeds. Returns false if some have to stay for now.
    pub(crate) fn drop_fed(&self) -> Result<bool, StoreError> {
        let is_own = |record: &SourcedRecord| number_of(record.source) == OWN;
        let mut go_on = |_: Step| ControlFlow::Continue(());
        let is_done = self.store.keep_only(is_own, &mut go_on)?;
        if is_done {
            self.remove_documents(FED)?;
        }
        Ok(is_done)
    }

    fn remove_documents(&self, prefix: &str) -> Result<(), StoreError> {
        for document in self.store.scan_documents(prefix) {
            self.store.remove_document(&document?.0)?;
        }
        Ok(())
    }

    /// The keys of contradictions.
    pub(crate) fn disputed(&self) -> Result<BTreeSet<Box<[u8]>>, StoreError> {
        let documents = self.store.scan_documents(DISPUTED);
        documents.map(|document| Ok(document?.1.into())).collect()
    }

    pub(crate) fn put_disputed(&self, key: &[u8]) -> Result<(), StoreError> {
        let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        self.store.put_document(&format!("{DISPUTED}{hex}"), key)
    }

    /// Removes all records, and the documents that depend on them.
    pub(crate) fn forget(&self) -> Result<(), StoreError> {
        for prefix in [ACKNOWLEDGED, MARK, FED, DISPUTED] {
            self.remove_documents(prefix)?;
        }
        self.store.revoke_after(0)?;
        Ok(())
    }
}

#[cfg(test)]
#[path = "own_store_tests.rs"]
mod tests;
