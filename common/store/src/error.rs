//! Why a request to a store failed.

use super::{block::BlockError, transfer::FORMAT};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a store did not open, or a request to it failed. Errors delete nothing. The sound part of a damaged store can be
/// [salvaged](crate::transfer::Import::salvage); the rest comes back from an export.
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
    /// The store does not open because its folder or files cannot be written: they are read-only, this user
    /// has no permission, or the disk is full.
    #[error("the store in {} cannot be written", dir.display())]
    Unwritable {
        /// The folder of the store.
        dir: PathBuf,
        /// The error of the system.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another process, or another [`Store`](super::Store) of this process, has it open.
    #[error("the store in {} is in use by another process", dir.display())]
    InUse {
        /// The folder of the store.
        dir: PathBuf,
    },
    /// The system clock is set to before 1970. The database does not open then.
    #[error("the system clock is set to before 1970; correct it")]
    Clock,
    /// The database does not open: it is damaged or foreign, or the system cannot read it. A missing permission
    /// is [`Unwritable`](Self::Unwritable).
    #[error(
        "the store in {} cannot be read. If it is damaged, \
         `sproutnet store salvage NEW-FOLDER` saves what is good in it",
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
         `sproutnet store salvage NEW-FOLDER` saves what is good"
    )]
    CorruptBlock {
        /// The sequence number of the block.
        number: u64,
        /// The problem with it.
        reason: BlockError,
    },
    /// A file of the index is damaged. It was removed, and is rebuilt when the store is opened.
    #[error(
        "the index file {} is damaged and was removed: open the store again, which makes it anew",
        path.display()
    )]
    Index {
        /// The file.
        path: PathBuf,
    },
    /// Something other than a block is damaged or missing.
    #[error("the store is corrupt: {0}. `sproutnet store salvage NEW-FOLDER` saves what is good")]
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
    /// The records of an export do not fit in memory, and the temporary file in which they are sorted cannot be written
    /// or read.
    #[error("cannot use a temporary file in {} to sort the export", dir.display())]
    Sort {
        /// The folder of the temporary file.
        dir: PathBuf,
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

/// The errors of a full disk, and of a place where nothing may be written.
const FULL: [io::ErrorKind; 2] = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
const READ_ONLY: [io::ErrorKind; 2] = [
    io::ErrorKind::ReadOnlyFilesystem,
    io::ErrorKind::PermissionDenied,
];

/// Whether the error means a full disk or an exceeded quota.
pub fn is_disk_full(error: &io::Error) -> bool {
    FULL.contains(&error.kind())
}

impl StoreError {
    /// Whether a write failed because the disk is full. Then the store has to be opened again.
    pub fn is_disk_full(&self) -> bool {
        let error = match self {
            Self::Folder { source, .. } | Self::File { source, .. } | Self::Sort { source, .. } => {
                Some(source)
            }
            Self::Database(source)
            | Self::Unreadable { source, .. }
            | Self::Unwritable { source, .. } => io_error(&**source),
            _ => None,
        };
        error.is_some_and(is_disk_full)
    }

    /// The error of a store that does not open.
    pub(super) fn unusable(dir: &Path, source: Box<dyn std::error::Error + Send + Sync>) -> Self {
        let dir = dir.into();
        let kind = io_error(&*source).map(io::Error::kind);
        if kind.is_some_and(|kind| FULL.contains(&kind) || READ_ONLY.contains(&kind)) {
            Self::Unwritable { dir, source }
        } else {
            Self::Unreadable { dir, source }
        }
    }

    /// Whether another process has the store open, its folder is read-only, or it is a backup. Then a
    /// [`Copy`](super::Copy) of it can be read.
    pub fn is_of_place(&self) -> bool {
        match self {
            Self::InUse { .. } => true,
            Self::Unusable { reason, .. } => matches!(reason, Unusable::Backup),
            Self::Unwritable { source, .. } => {
                io_error(&**source).is_some_and(|error| READ_ONLY.contains(&error.kind()))
            }
            _ => false,
        }
    }

    /// Turns an error of the system into that of a file.
    pub(super) fn file(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::File {
            path: path.into(),
            source,
        }
    }
}

/// The error of the system in an error of the database.
fn io_error<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a io::Error> {
    match error.downcast_ref() {
        Some(sled::Error::Io(error)) => Some(error),
        _ => error.downcast_ref(),
    }
}

/// Why an export or a folder cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// The folder holds no store.
    #[error(" is not the folder of a store")]
    NoStore,
    /// The folder holds a store that is not a [`Mirror`](crate::transfer::Mirror).
    #[error(" is the folder of a store; name another")]
    NoMirror,
    /// The folder holds a file or folder of this name, which is not part of a store.
    #[error(" holds `{0}`, which is not part of a store; name another folder, or a new one")]
    OtherFiles(String),
    /// The folder is where a disk is mounted, so that it cannot be renamed.
    #[error(" is a mount point; name a folder in it")]
    MountPoint,
    /// The folder holds a backup of the first store, the other one was to be backed up.
    #[error(" is a backup of the store {0:016x}, not of {1:016x}; name another folder")]
    OtherBackup(u64, u64),
    /// The folder holds a backup of a state that the store to be backed up no longer has.
    #[error(
        " has what the coordinator's store lost: the store was rolled back to an older copy. Name a new folder, and \
         keep this one until nothing of it is needed"
    )]
    RolledBack,
    /// The folder holds a backup, which a question does not make an ordinary store.
    #[error(" is a backup: copy it to look into it, or start a coordinator from it")]
    Backup,
    /// The folder holds a backup whose first pass was interrupted, so it lacks what the store had besides records.
    #[error(
        " is an unfinished backup: continue it with `sproutnet backup`, or take its records with `sproutnet merge`"
    )]
    UnfinishedBackup,
    /// The file to be replaced is not an export.
    #[error(" is not an export and is left as it is; name another file to write")]
    Kept,
    /// The file does not begin like an export.
    #[error(" is not an export of sproutnet: byte 0 does not begin one")]
    Foreign,
    /// This program does not know the format of the file, given here.
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
    /// The part of the file at this offset was changed or damaged; the text is the problem.
    #[error(" is damaged at byte {0}: {1}")]
    Damaged(u64, String),
    /// It has records of a source that is quarantined in the store, and others may rest on them; the second text is the
    /// reason of the quarantine.
    #[error(" has records from {0}, which is quarantined here: {1}")]
    Quarantined(String, String),
    /// The record or result at this place is not possible in a store; the second text is the problem.
    #[error(", {0}: {1}")]
    Malformed(String, String),
}
