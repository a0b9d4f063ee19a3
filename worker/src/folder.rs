//! The folders of the workers of a machine: each worker takes one that no other has.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use sproutnet_game as game;
use sproutnet_store::{Store, StoreError};

/// More workers than that on one machine are a mistake.
const MOST: usize = 4096;

const LOCK: &str = "worker.lock";

/// Why no store of a worker's own could be opened.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A folder cannot be used.
    #[error("cannot use the folder {}", dir.display())]
    Folder {
        /// The folder.
        dir: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The store in a folder does not open.
    #[error("cannot use the worker's own store in {}", dir.display())]
    Store {
        /// The folder.
        dir: PathBuf,
        /// What the store said.
        source: StoreError,
    },
    /// All folders are in use.
    #[error("all {MOST} folders in {} are in use", dir.display())]
    Full {
        /// The folder above them.
        dir: PathBuf,
    },
}

/// A store that this worker has to itself.
#[derive(Debug)]
pub(crate) struct OwnStore {
    pub(crate) store: Store,
    pub(crate) dir: PathBuf,
    /// Locked while the store is open. The store has a lock too, but waits a second for it.
    _lock: File,
}

/// Opens the first of the folders `above/0`, `above/1`, … that no other worker has open.
///
/// # Errors
/// [`FolderError`]. A store that cannot be read is not passed over.
pub(crate) fn open(above: &Path) -> Result<OwnStore, FolderError> {
    for number in 0..MOST {
        let dir = above.join(number.to_string());
        let folder = |source| FolderError::Folder {
            dir: dir.clone(),
            source,
        };
        fs::create_dir_all(&dir).map_err(folder)?;
        let lock = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(dir.join(LOCK))
            .map_err(folder)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => continue,
            Err(TryLockError::Error(source)) => return Err(folder(source)),
        }
        match Store::open(&dir, &game::encodings()) {
            Ok(store) => {
                return Ok(OwnStore {
                    store,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_worker_takes_the_first_free_folder() {
        let above = tempfile::tempdir().expect("a folder");
        let open = || super::open(above.path()).expect("a store");
        let [zero, one, two] = [open(), open(), open()];
        let number = |own: &OwnStore| own.dir.file_name().map(ToOwned::to_owned);
        assert_eq!(number(&zero), Some("0".into()));
        assert_eq!(number(&two), Some("2".into()));
        let id = one.store.id();
        drop(one);
        let again = open();
        assert_eq!((number(&again), again.store.id()), (Some("1".into()), id));
    }

    #[test]
    fn a_store_that_cannot_be_read_is_an_error_that_names_it() {
        let above = tempfile::tempdir().expect("a folder");
        fs::write(above.path().join("0"), "in the way").expect("written");
        let error = super::open(above.path()).expect_err("no folder");
        assert!(error.to_string().ends_with("/0"), "{error}");
    }
}
