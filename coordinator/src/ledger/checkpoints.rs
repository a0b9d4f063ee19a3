//! A checkpoint of the entries that guide the proofs under way: a file in the store's folder.
//!
//! It is not in the store because it is often rewritten, and may be lost: without it, workers search for the numbers
//! again, with all records.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sproutnet_solver::search::{Entry, Numbers};

use crate::locks::{Lock, Rank};

/// The first bytes of the file: its type, and the version of its format.
const MAGIC: [u8; 8] = *b"SPNUMB\0\x01";

/// The size of an entry in bytes: key, proof number, disproof number, work.
const ENTRY: usize = 24;

/// The least work of an entry in a checkpoint, in visits.
const LEAST_WORK: u64 = 256;

/// The folder of the checkpoint.
pub(crate) struct Checkpoints {
    folder: PathBuf,
    /// Held while the file is written.
    writing: Lock<()>,
}

impl Checkpoints {
    /// The checkpoint in a store's folder.
    pub(crate) fn beside(store: &Path) -> io::Result<Self> {
        let folder = store.join("images");
        fs::create_dir_all(&folder)?;
        Ok(Self {
            folder,
            writing: Lock::new(Rank::Checkpoint, ()),
        })
    }

    /// Replaces the checkpoint atomically.
    pub(crate) fn put(&self, checkpoint: &[u8]) -> io::Result<()> {
        let _writing = self.writing.lock();
        let path = self.path();
        let fresh = path.with_extension("new");
        let write = || {
            let mut file = File::create(&fresh)?;
            file.write_all(checkpoint)?;
            file.sync_all()
        };
        write().inspect_err(|_| {
            // On a full disk, a partial checkpoint would waste room.
            let _ = fs::remove_file(&fresh);
        })?;
        fs::rename(&fresh, &path)?;
        File::open(&self.folder)?.sync_all()
    }

    /// The entries of the checkpoint; none if it is missing or damaged.
    pub(crate) fn get(&self) -> Vec<Entry> {
        let path = self.path();
        let problem = match fs::read(&path) {
            Ok(bytes) => match decode(&bytes) {
                Some(entries) => return entries,
                None => "it is damaged".to_owned(),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => error.to_string(),
        };
        tracing::warn!(problem, path = %path.display(), "the checkpoint cannot be read");
        Vec::new()
    }

    /// Removes the checkpoint.
    pub(crate) fn remove(&self) {
        let _writing = self.writing.lock();
        let path = self.path();
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(%error, path = %path.display(), "the checkpoint was not removed");
            }
            _ => {}
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.join("numbers")
    }
}

/// The bytes of a checkpoint of these entries.
pub(crate) fn encode(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    for Entry { key, numbers, work } in entries.iter().filter(|entry| entry.work >= LEAST_WORK) {
        bytes.extend(key.to_le_bytes());
        bytes.extend(numbers.proof.to_le_bytes());
        bytes.extend(numbers.disproof.to_le_bytes());
        bytes.extend(work.to_le_bytes());
    }
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

fn decode(bytes: &[u8]) -> Option<Vec<Entry>> {
    let (bytes, checksum) = bytes.split_last_chunk()?;
    if crc32fast::hash(bytes) != u32::from_le_bytes(*checksum) {
        return None;
    }
    let (entries, []) = bytes.strip_prefix(&MAGIC)?.as_chunks::<ENTRY>() else {
        return None;
    };
    let word = |bytes: &[u8]| bytes.try_into().map(u64::from_le_bytes).unwrap_or_default();
    let number = |bytes: &[u8]| bytes.try_into().map(u32::from_le_bytes).unwrap_or_default();
    let entry = |bytes: &[u8; ENTRY]| Entry {
        key: word(&bytes[..8]),
        numbers: Numbers {
            proof: number(&bytes[8..12]),
            disproof: number(&bytes[12..16]),
        },
        work: word(&bytes[16..]),
    };
    Some(entries.iter().map(entry).collect())
}

#[cfg(test)]
mod tests;
