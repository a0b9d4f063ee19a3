//! The lock of a folder: a file that is locked while a store is open.
//!
//! sled locks its own file, but [compacting](fn@super::compact) replaces that file. The folder must
//! stay locked meanwhile.

use super::StoreError;
use std::{
    fs::{self, File, OpenOptions, TryLockError},
    path::Path,
    thread,
    time::{Duration, Instant},
};

const FILE: &str = "lock";

/// How long to wait for a lock. A store that is being closed releases it with some delay.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);
pub(super) const PAUSE: Duration = Duration::from_millis(10);

/// The right to use a folder, until it is dropped.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "it is the open file that is locked")] File);

impl Lock {
    /// Creates the folder if there is none, and takes the lock.
    pub(super) fn take(dir: &Path) -> Result<Self, StoreError> {
        let unusable = |source| StoreError::Folder {
            dir: dir.into(),
            source,
        };
        fs::create_dir_all(dir).map_err(unusable)?;
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(false);
        let file = options.open(dir.join(FILE)).map_err(unusable)?;
        Self::wait(&file, dir)?;
        Ok(Self(file))
    }

    /// Locks a file that belongs to the folder `dir` until it is closed.
    pub(super) fn wait(file: &File, dir: &Path) -> Result<(), StoreError> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::Error(error)) => return Err(error.into()),
                Err(TryLockError::WouldBlock) if Instant::now() >= deadline => {
                    return Err(StoreError::InUse { dir: dir.into() });
                }
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            }
        }
    }
}
