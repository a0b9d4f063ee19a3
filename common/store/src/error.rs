//! Why a request to a store failed.

use super::{block::BlockError, transfer::FORMAT};
use std::{
    io,
    path::{Path, PathBuf},
};

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
    /// The store has the layout of another version of the program, or its keys use another version of a
    /// canonical encoding.
    #[error(
        "the store holds version {found} of {of}, this program uses {expected}: \
         use the program that wrote it to export, then `sproutnet import`"
    )]
    Version {
        /// The format or an encoding, by name.
        of: String,
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
    /// An export cannot be read or written.
    #[error("cannot use {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another process is writing the export.
    #[error("{} is being written by another process", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// An export or a folder cannot be imported.
    #[error("{}{reason}", path.display())]
    Unusable {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        reason: Unusable,
    },
    /// Imported records contradict known ones, in these words.
    #[error("{0}. Both are kept as a contradiction, and the known value stays")]
    Contradiction(String),
    /// The work was stopped by its [`Watch`](super::Watch).
    #[error("the work was stopped")]
    Stopped,
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

impl StoreError {
    /// Turns an error of the system into that of a file.
    pub(super) fn file(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::File {
            path: path.into(),
            source,
        }
    }
}

/// Why an export or a folder cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// The folder holds no store.
    #[error(" is not the folder of a store")]
    NoStore,
    /// The file does not begin like an export.
    #[error(" is not an export of sproutnet: byte 0 does not begin one")]
    Foreign,
    /// This program does not know the format of the file, which is this one.
    #[error(
        " is an export of format {0}, this program knows format {FORMAT}: \
         import it with a newer program"
    )]
    Format(u32),
    /// The keys use another version of a canonical encoding.
    #[error(
        " holds version {found} of the encoding `{encoding}`, this program {}",
        expected.map_or("does not know it".to_owned(), |expected| format!("uses {expected}"))
    )]
    Encoding {
        /// The name of the encoding.
        encoding: String,
        /// The version in the file.
        found: u32,
        /// The version of this program.
        expected: Option<u32>,
    },
    /// The file is incomplete from this offset on.
    #[error(" is cut short: the part that begins at byte {0} is incomplete. Nothing was imported")]
    Truncated(u64),
    /// The part of the file at this offset was changed or damaged, with what is wrong.
    #[error(" is damaged at byte {0}: {1}")]
    Damaged(u64, String),
    /// The record or result at this place is not possible in a store, with what is wrong.
    #[error(", {0}: {1}")]
    Malformed(String, String),
}
