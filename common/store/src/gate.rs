//! The gate: one write at a time, and none after a failed one. While another process copies the files, a write waits,
//! for ten seconds at most.

use super::{StoreError, high_water_mark, unpoisoned};
use std::{
    fs::{File, OpenOptions, TryLockError},
    io,
    path::Path,
    sync::{Mutex, MutexGuard},
    thread,
    time::{Duration, Instant},
};

/// The maximum duration of a copy. A longer one is abandoned.
pub(super) const LONGEST_COPY: Duration = Duration::from_secs(5);

/// The longest wait of a write for the lock. It exceeds the duration of a copy. Then the write goes ahead.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// The wait between two attempts to take the lock.
const PAUSE: Duration = Duration::from_millis(1);

/// Whether writes are possible, and the file that is locked during each: that of the high-water mark.
pub(super) struct Gate(Mutex<Way>);

struct Way {
    file: File,
    /// Whether a write failed or panicked. The database may then hold blocks that are not in the index.
    failed: bool,
}

/// A write. The gate opens for others when it is dropped.
struct Passing<'a>(MutexGuard<'a, Way>);

impl Drop for Passing<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.0.file.unlock() {
            tracing::warn!(%error, "the files stay locked against copies");
        }
    }
}

impl Gate {
    /// The gate of the folder `dir`.
    pub(super) fn of(dir: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let file = options.open(dir.join(high_water_mark::FILE))?;
        Ok(Self(Mutex::new(Way {
            file,
            failed: false,
        })))
    }

    /// Runs a write. After a write that failed or panicked, the result is [`StoreError::WriteFailed`].
    pub(super) fn pass<T>(
        &self,
        write: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut way = unpoisoned(self.0.lock());
        if way.failed {
            return Err(StoreError::WriteFailed);
        }
        wait(|| way.file.try_lock(), LONGEST_WAIT)?;
        way.failed = true;
        let mut passing = Passing(way);
        let written = write()?;
        passing.0.failed = false;
        Ok(written)
    }

    pub(super) fn has_failed(&self) -> bool {
        unpoisoned(self.0.lock()).failed
    }
}

/// Tries to take a lock for some time; returns whether it was taken.
pub(super) fn wait(
    mut take: impl FnMut() -> Result<(), TryLockError>,
    longest: Duration,
) -> io::Result<bool> {
    let began = Instant::now();
    loop {
        match take() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) if began.elapsed() < longest => thread::sleep(PAUSE),
            Err(TryLockError::WouldBlock) => return Ok(false),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}
