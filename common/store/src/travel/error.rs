//! What can go wrong on the way.

use super::FORMAT;
use crate::StoreError;
use std::{fmt, io, path::PathBuf};

/// Why an export was not written, or not taken in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TravelError {
    /// A file cannot be read or written.
    #[error("cannot use {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process writes the file.
    #[error("{} is being written by another process", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file does not begin as exports do.
    #[error("{} is no export of sproutnet: byte 0 is not where one begins", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file has a format that this program does not know.
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
    /// Its keys were made with another version of a canonical encoding.
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
    /// It ends too early.
    #[error(
        "{} is cut short: it ends inside what begins at byte {offset}. Nothing of it was imported",
        path.display()
    )]
    Truncated {
        /// The file.
        path: PathBuf,
        /// Where the part begins that does not end.
        offset: u64,
    },
    /// It is not what was written.
    #[error("{} is damaged at byte {offset}: {problem}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the part begins that is wrong.
        offset: u64,
        /// What is wrong.
        problem: String,
    },
    /// What was written is not what a store can hold.
    #[error("{}, {place}: {problem}", path.display())]
    Malformed {
        /// The file or folder.
        path: PathBuf,
        /// Where in it.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// Records contradict what is known.
    #[error("{0}")]
    Contradiction(Box<Clash>),
    /// There is no store to take from.
    #[error("there is no store in {}", dir.display())]
    NoStore {
        /// The folder.
        dir: PathBuf,
    },
    /// The store that is taken from failed, or the one that is added to.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Whoever watched stopped it.
    #[error("it was stopped")]
    Stopped,
}

/// The first of several records that contradict what is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// What both are about, as people read it.
    pub about: String,
    /// The value that was known, and stays.
    pub known: String,
    /// Who proved it.
    pub known_from: String,
    /// The value that was not taken.
    pub new: String,
    /// Who says so.
    pub new_from: String,
    /// How many more came with it.
    pub more: usize,
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            about,
            known,
            known_from,
            new,
            new_from,
            more,
        } = self;
        write!(
            f,
            "contradiction about {about}: {known}, from {known_from}, is known; \
             {new}, from {new_from}, was to be imported"
        )?;
        match more {
            0 => {}
            more => write!(f, ", and {more} more")?,
        }
        f.write_str(". Both are kept as a contradiction, and what was known stays")
    }
}
