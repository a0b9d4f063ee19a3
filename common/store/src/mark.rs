//! How far the store had come when it last answered: a file of 24 bytes beside the database.
//!
//! A damaged database file can lose its end, or all of it, when sled opens it, and sled says
//! nothing. The mark turns such a loss into an error. It is written after the flush and is not
//! flushed itself, so it is never ahead of the database; after a power cut it may lag behind, which
//! does no harm.

use super::{Content, StoreError};
use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Seek, Write},
    path::Path,
};
use xxhash_rust::xxh3::xxh3_64;

pub(super) const FILE: &str = "acknowledged";

pub(super) struct Mark {
    file: File,
}

impl Mark {
    /// Opens the mark in the folder `dir`, or creates it, and compares what is in the store with
    /// it.
    pub(super) fn check(dir: &Path, content: &Content) -> Result<Self, StoreError> {
        let path = dir.join(FILE);
        let mut mark = Self::open(dir)?;
        match mark.read() {
            Some((cursor, keys)) => {
                let (found, found_keys) = (content.cursor, content.index.len() as u64);
                if found < cursor || found_keys < keys {
                    return Err(StoreError::Corrupt(format!(
                        "it ends at block {found} with {found_keys} keys, \
                         but had block {cursor} and {keys} keys"
                    )));
                }
            }
            None if content.cursor > 0 => {
                tracing::warn!(path = %path.display(), "no readable mark; a loss would go unseen");
            }
            None => {}
        }
        Ok(mark)
    }

    /// Opens the mark in the folder `dir`, or creates it.
    pub(super) fn open(dir: &Path) -> Result<Self, StoreError> {
        let open = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(dir.join(FILE));
        open.map(|file| Self { file })
            .map_err(|error| StoreError::Database(Box::new(error)))
    }

    /// Notes what is now durable. A failure only makes the next check weaker.
    pub(super) fn set(&mut self, cursor: u64, keys: u64) {
        if let Err(error) = self.write(cursor, keys) {
            tracing::warn!(%error, "cannot write the mark; a loss may go unseen");
        }
    }

    /// Notes, on disk when it returns, that from now on so little may be there.
    pub(super) fn lower(&mut self, cursor: u64, keys: u64) -> Result<(), StoreError> {
        let noted = self
            .write(cursor, keys)
            .and_then(|()| self.file.sync_data());
        noted.map_err(|error| StoreError::Database(Box::new(error)))
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

    /// The cursor and the number of keys noted last; `None` when there is no sound mark.
    pub(super) fn read(&mut self) -> Option<(u64, u64)> {
        let mut bytes = [0; 24];
        self.file.rewind().ok()?;
        self.file.read_exact(&mut bytes).ok()?;
        let number = |at: usize| bytes[at..at + 8].try_into().ok().map(u64::from_be_bytes);
        (number(16)? == xxh3_64(&bytes[..16])).then_some((number(0)?, number(8)?))
    }
}
