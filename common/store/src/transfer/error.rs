//! Errors of a transfer.

use super::FORMAT;
use crate::StoreError;
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why an export or import failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransferError {
    /// A file cannot be read or written.
    #[error("cannot use {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another process is writing the file.
    #[error("{} is being written by another process", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file does not begin like an export.
    #[error("{} is not an export of sproutnet: byte 0 does not begin one", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// This program does not know the format of the file.
    #[error(
        "{} is an export of format {found}, this program knows format {FORMAT}: \
         import it with a newer program",
        path.display()
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// The keys use another version of a canonical encoding.
    #[error(
        "{} holds version {found} of the encoding `{encoding}`, this program {}",
        path.display(),
        match expected { Some(expected) => format!("uses {expected}"), None => "does not know it".to_owned() }
    )]
    Encoding {
        /// The file or folder.
        path: PathBuf,
        /// The name of the encoding.
        encoding: String,
        /// The version in the file.
        found: u32,
        /// The version of this program.
        expected: Option<u32>,
    },
    /// The file is incomplete.
    #[error(
        "{} is cut short: the part that begins at byte {offset} is incomplete. Nothing was imported",
        path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// The offset of the incomplete part.
        offset: u64,
    },
    /// The file was changed or damaged.
    #[error("{} is damaged at byte {offset}: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The offset of the damaged part.
        offset: u64,
        /// What is wrong.
        problem: String,
    },
    /// A record or result is not possible in a store.
    #[error("{}, {place}: {problem}", path.display())]
    Malformed {
        /// The file or folder.
        path: PathBuf,
        /// The place in it.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// Records contradict known ones.
    #[error("{0}")]
    Contradiction(Box<Clash>),
    /// The folder to import from holds no store.
    #[error("there is no store in {}", dir.display())]
    NoStore {
        /// The folder.
        dir: PathBuf,
    },
    /// One of the stores failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The transfer was stopped by its [`Watch`](crate::Watch).
    #[error("the transfer was stopped")]
    Stopped,
}

impl TransferError {
    /// Turns an error of the system into that of a file.
    pub(super) fn file(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::File {
            path: path.into(),
            source,
        }
    }
}

/// The first of the imported records that contradict known ones.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "contradiction about {about}: {known}, from {known_from}, is known; {new}, from {new_from}, was to \
     be imported{}. Both are kept as a contradiction, and the known value stays",
    further(*more)
)]
pub struct Clash {
    /// The key, as text.
    pub about: String,
    /// The value that was known, and stays.
    pub known: String,
    /// Its source.
    pub known_from: String,
    /// The rejected value.
    pub new: String,
    /// The source of the rejected value.
    pub new_from: String,
    /// The number of further contradictions.
    pub more: usize,
}

fn further(more: usize) -> String {
    match more {
        0 => String::new(),
        more => format!(", and {more} more"),
    }
}
