//! The high-water mark: a file of 24 bytes beside the database that records the durable cursor and number of keys.
//!
//! When sled opens a damaged file it may silently drop the end of it, or everything. The mark turns
//! such a loss into an error. It is written after the flush and is not flushed itself, so it is
//! never ahead of the database. After a power failure it may lag behind, which is harmless.

use super::{StoreError, index::Extent};
use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, Write},
    path::Path,
};
use xxhash_rust::xxh3::xxh3_64;

pub(super) const FILE: &str = "acknowledged";

pub(super) struct HighWaterMark {
    file: File,
}

impl HighWaterMark {
    /// Opens the mark in the folder `dir`, or creates it, and compares the store with it.
    pub(super) fn check(dir: &Path, extent: Extent) -> Result<Self, StoreError> {
        let mut mark = Self::open(dir)?;
        let (found, found_keys) = (extent.cursor, extent.keys);
        match mark.read() {
            Some((cursor, keys)) if found < cursor || found_keys < keys => {
                Err(StoreError::Corrupt(format!(
                    "it ends at block {found} with {found_keys} keys, \
                     but had block {cursor} and {keys} keys"
                )))
            }
            None if found > 0 => {
                let dir = dir.display();
                tracing::warn!(%dir, "no readable high-water mark; lost records would go unnoticed");
                Ok(mark)
            }
            None => {
                mark.set(found, found_keys);
                Ok(mark)
            }
            Some(_) => Ok(mark),
        }
    }

    /// Whether the folder `dir` has a readable mark.
    pub(super) fn is_in(dir: &Path) -> bool {
        let file = File::open(dir.join(FILE));
        file.is_ok_and(|file| Self { file }.read().is_some())
    }

    /// Opens the mark in the folder `dir`, or creates it.
    pub(super) fn open(dir: &Path) -> Result<Self, StoreError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(dir.join(FILE))?;
        Ok(Self { file })
    }

    /// Records the durable cursor and number of keys. A failure only weakens the next check.
    pub(super) fn set(&mut self, cursor: u64, keys: u64) {
        if let Err(error) = self.write(cursor, keys) {
            tracing::warn!(%error, "cannot write the high-water mark; lost records may go unnoticed");
        }
    }

    /// Lowers the mark. The change is on disk when this returns.
    pub(super) fn lower(&mut self, cursor: u64, keys: u64) -> Result<(), StoreError> {
        self.write(cursor, keys)?;
        Ok(self.file.sync_data()?)
    }

    fn write(&mut self, cursor: u64, keys: u64) -> io::Result<()> {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&cursor.to_be_bytes());
        bytes[8..16].copy_from_slice(&keys.to_be_bytes());
        let checksum = xxh3_64(&bytes[..16]);
        bytes[16..].copy_from_slice(&checksum.to_be_bytes());
        self.file.rewind()?;
        self.file.write_all(&bytes)
    }

    /// The recorded cursor and number of keys; `None` if there is no sound mark.
    pub(super) fn read(&mut self) -> Option<(u64, u64)> {
        let mut bytes = [0; 24];
        self.file.rewind().ok()?;
        self.file.read_exact(&mut bytes).ok()?;
        let number = |at: usize| bytes[at..at + 8].try_into().ok().map(u64::from_be_bytes);
        (number(16)? == xxh3_64(&bytes[..16])).then_some((number(0)?, number(8)?))
    }
}
