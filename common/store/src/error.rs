//! What can go wrong with a store.

use super::block::BlockError;
use std::{io, path::PathBuf};

/// Why a store did not open or a request to it failed. The store deletes nothing on the way to an
/// error; what stays unreadable can be rebuilt from an export, beside it, with `sproutnet import`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The folder cannot be created.
    #[error("cannot create the folder {} for the store", dir.display())]
    Folder {
        /// The folder asked for.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Someone else holds the store: another process or another open [`Store`](super::Store).
    #[error("the store in {} is in use by another process", dir.display())]
    InUse {
        /// The folder of the store.
        dir: PathBuf,
    },
    /// The database does not open: damaged, foreign, or not readable for this user.
    #[error(
        "the store in {} cannot be read. If it is damaged, keep it and rebuild the records \
         from an export into a new folder with `sproutnet import`",
        dir.display()
    )]
    Unreadable {
        /// The folder of the store.
        dir: PathBuf,
        /// What the database said.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The store was written by a program with another layout of the store.
    #[error(
        "the store has format version {found}, this program knows {expected}: \
         use the program that wrote it to export, then `sproutnet import`"
    )]
    FormatVersion {
        /// The version in the store.
        found: u32,
        /// The version of this program.
        expected: u32,
    },
    /// The keys in the store were made with another version of a canonical encoding.
    #[error(
        "the store holds version {found} of the encoding `{encoding}`, this program uses \
         {expected}: use the program that wrote it to export, then `sproutnet import`"
    )]
    EncodingVersion {
        /// The name of the encoding.
        encoding: String,
        /// The version in the store.
        found: u32,
        /// The version of this program.
        expected: u32,
    },
    /// A block of records is damaged.
    #[error(
        "block {number} of the store is corrupt: {reason}. \
         Rebuild the store from an export with `sproutnet import`"
    )]
    CorruptBlock {
        /// The sequence number of the block.
        number: u64,
        /// What is wrong with it.
        reason: BlockError,
    },
    /// Something other than a block is damaged or missing.
    #[error("the store is corrupt: {0}. Rebuild it from an export with `sproutnet import`")]
    Corrupt(String),
    /// The key of a record is too long; nothing of what came with it was written.
    #[error("a key of {0} bytes is too long for the store")]
    KeyTooLong(usize),
    /// The database failed to read or write while the store was in use.
    #[error("the database under the store failed")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A write failed earlier, so what is on disk is uncertain: open the store again.
    #[error("an earlier write to the store failed; it must be opened again")]
    WriteFailed,
}

impl From<sled::Error> for StoreError {
    fn from(error: sled::Error) -> Self {
        Self::Database(Box::new(error))
    }
}
