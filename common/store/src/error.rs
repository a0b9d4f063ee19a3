//! Errors of a store.

use super::block::BlockError;
use std::{io, path::PathBuf};

/// Why a store did not open, or a request to it failed. Errors delete nothing. Records that stay
/// unreadable can be restored from an export into another folder with `sproutnet import`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The folder cannot be created.
    #[error("cannot create the folder {} for the store", dir.display())]
    Folder {
        /// The folder.
        dir: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another process, or another [`Store`](super::Store) of this process, has it open.
    #[error("the store in {} is in use by another process", dir.display())]
    InUse {
        /// The folder of the store.
        dir: PathBuf,
    },
    /// The database does not open: it is damaged, foreign, or not readable for this user.
    #[error(
        "the store in {} cannot be read. If it is damaged, keep it and rebuild the records \
         from an export into a new folder with `sproutnet import`",
        dir.display()
    )]
    Unreadable {
        /// The folder of the store.
        dir: PathBuf,
        /// The error of the database.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The store has the layout of another version of the program.
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
    /// The keys in the store use another version of a canonical encoding.
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
    /// The key of a record is too long. Nothing of the call was written.
    #[error("a key of {0} bytes is too long for the store")]
    KeyTooLong(usize),
    /// A read or write of the database failed.
    #[error("the database under the store failed")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// An earlier write failed, so the state on disk is uncertain. Open the store again.
    #[error("an earlier write to the store failed; open the store again")]
    WriteFailed,
}

macro_rules! from_database_error {
    ($($error:ty),*) => {
        $(impl From<$error> for StoreError {
            fn from(error: $error) -> Self {
                Self::Database(Box::new(error))
            }
        })*
    };
}

from_database_error!(sled::Error, io::Error, serde_json::Error);
