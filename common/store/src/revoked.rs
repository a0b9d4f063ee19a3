//! The numbers of revoked blocks, in a file beside the database: ranges, in JSON.
//!
//! Their bytes stay in the file of the database until sled overwrites them, so they may reappear in a damaged file. A
//! salvage leaves these numbers out. They are not reused until the store is [compacted](fn@super::compact): the new
//! database never held those blocks, so the list is emptied.

use super::{StoreError, database::sync_entries};
use sproutnet_notation::Epoch;
use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

pub(super) const FILE: &str = "revoked";

/// Ranges of numbers, each with its first and last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Revoked(Vec<(u64, u64)>);

impl Revoked {
    /// The revoked numbers of the store in the folder `dir`. All blocks up to `cursor` count as revoked if the file is
    /// damaged, or is missing although the epoch is not zero: earlier versions of this program kept no file.
    pub(super) fn of(dir: &Path, epoch: Epoch, cursor: u64) -> Result<Self, StoreError> {
        match fs::read(dir.join(FILE)) {
            Ok(bytes) => match serde_json::from_slice(&bytes) {
                Ok(ranges) => Ok(Self(ranges)),
                Err(_) => Ok(Self(vec![(0, cursor)])),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => match epoch {
                Epoch(0) => Ok(Self::default()),
                Epoch(_) => Ok(Self(vec![(0, cursor)])),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// Adds the numbers after `cursor` up to `last`. The file is on disk when this returns.
    pub(super) fn add(&mut self, dir: &Path, cursor: u64, last: u64) -> Result<(), StoreError> {
        self.put(cursor, last);
        self.write(dir)
    }

    /// Adds the numbers after `cursor` up to `last`, which must be the highest.
    pub(super) fn put(&mut self, cursor: u64, last: u64) {
        self.0.retain(|&(first, _)| first <= cursor);
        self.0.push((cursor.saturating_add(1), last));
    }

    /// Writes the file as a whole or not at all. Skips an unchanged file.
    pub(super) fn write(&self, dir: &Path) -> Result<(), StoreError> {
        let (path, bytes) = (dir.join(FILE), serde_json::to_vec(&self.0)?);
        if fs::read(&path).is_ok_and(|written| written == bytes) {
            return Ok(());
        }
        let fresh = dir.join(format!("{FILE}.new"));
        let mut file = File::create(&fresh)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        fs::rename(&fresh, path)?;
        Ok(sync_entries(dir)?)
    }

    pub(super) fn contains(&self, number: u64) -> bool {
        let mut ranges = self.0.iter();
        ranges.any(|&(first, last)| (first..=last).contains(&number))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The highest revoked number, or zero.
    pub(super) fn last(&self) -> u64 {
        self.0.iter().map(|&(_, last)| last).max().unwrap_or(0)
    }
}
