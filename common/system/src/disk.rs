//! The space on a disk, and the reserve that is kept free.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::figures::bytes;

/// The default reserve, in bytes,
const RESERVE: u64 = 256 << 20;
/// but at most one part in this many of the disk.
const PART: u64 = 10;

/// The disk of a folder.
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    /// The reserve, in bytes. `None` for the default.
    reserve: Option<u64>,
    /// The result of the last check.
    is_full: AtomicBool,
}

/// The space on a disk, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskSpace {
    /// The space that this process may still fill.
    pub free: u64,
    /// The part of it that is kept free.
    pub reserve: u64,
}

/// A disk has less free space than its reserve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "disk full: {} free, less than the reserve of {} (--disk-reserve)",
    bytes(.0.free),
    bytes(.0.reserve)
)]
pub struct DiskFull(pub DiskSpace);

impl Disk {
    /// The disk of a folder. `reserve` is in bytes; the default is 256 MiB, or a tenth of a smaller disk.
    pub fn of(folder: &Path, reserve: Option<u64>) -> Self {
        Self {
            folder: folder.to_owned(),
            reserve,
            is_full: AtomicBool::new(false),
        }
    }

    /// The space on the disk. `None` if unknown.
    pub fn space(&self) -> Option<DiskSpace> {
        let disk = rustix::fs::statvfs(&self.folder).ok()?;
        let default = || RESERVE.min(disk.f_blocks.saturating_mul(disk.f_frsize) / PART);
        Some(DiskSpace {
            free: disk.f_bavail.saturating_mul(disk.f_frsize),
            reserve: self.reserve.unwrap_or_else(default),
        })
    }

    /// The size of the disk without its reserve, in bytes: the most that it can hold. `None` if unknown.
    pub fn capacity(&self) -> Option<u64> {
        let reserve = self.space()?.reserve;
        let disk = rustix::fs::statvfs(&self.folder).ok()?;
        Some(
            disk.f_blocks
                .saturating_mul(disk.f_frsize)
                .saturating_sub(reserve),
        )
    }

    /// Checks whether at least the reserve is free. A disk that was full needs an eighth more, so that it is not full
    /// again at once. A disk of unknown space counts as not full.
    ///
    /// # Errors
    /// The disk is full.
    pub fn check(&self) -> Result<DiskSpace, DiskFull> {
        let space = self.space().unwrap_or(DiskSpace {
            free: u64::MAX,
            reserve: 0,
        });
        let more = if self.is_full() { space.reserve / 8 } else { 0 };
        let is_full = space.free < space.reserve.saturating_add(more);
        self.is_full.store(is_full, Ordering::Relaxed);
        if is_full {
            Err(DiskFull(space))
        } else {
            Ok(space)
        }
    }

    /// Whether the disk was full at the last [check](Self::check).
    pub fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
#[path = "disk_tests.rs"]
mod tests;
