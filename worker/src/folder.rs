//! The folders of workers' own stores. Each worker of a machine takes a free one.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use sproutnet_game as game;
use sproutnet_store::{Store, StoreError};

/// The limit on workers per machine.
const MAX_WORKERS: usize = 4096;

const LOCK: &str = "worker.lock";

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
    /// Locked while the store is open. The store's own lock waits for a second.
    _lock: File,
}

/// Opens the first free folder of `above/0`, `above/1`, ….
///
/// # Errors
/// [`FolderError`]. An unreadable store is not skipped.
pub(crate) fn open(above: &Path) -> Result<OwnStore, FolderError> {
    for number in 0..MAX_WORKERS {
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
#[path = "folder_tests.rs"]
mod tests;
