//! Replacing a database with a new one. A kill at any moment leaves one of them complete.
//!
//! The new database is written to a folder inside the store's. The name of this folder is its state,
//! and the next process to open the store finishes the work:
//!
//! 1. [`WRITING`]: incomplete. The folder is removed.
//! 2. [`COMPLETE`]: durable. The old database is removed.
//! 3. [`ALONE`]: the old database is gone. The files of the new one are moved up.

use super::{
    StoreError,
    database::{BLOBS, FILE, Lock, sync_entries, sync_folder},
    high_water_mark,
    index::files,
    leftovers::{PARAMETERS, SNAPSHOT},
};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

const WRITING: &str = "compacting";
const COMPLETE: &str = "compacted";
const ALONE: &str = "replacing";

/// The names of the folders above.
pub(super) const FOLDERS: [&str; 3] = [WRITING, COMPLETE, ALONE];

/// Creates the folder for the new database of the open store in `dir`.
pub(super) fn begin(dir: &Path) -> Result<PathBuf, StoreError> {
    let new = dir.join(WRITING);
    fs::create_dir(&new)?;
    Ok(new)
}

/// Replaces the old database with the complete new one. Both have been dropped.
pub(super) fn put(dir: &Path) -> Result<(), StoreError> {
    let new = dir.join(WRITING);
    closed(dir)?;
    closed(&new)?;
    sync_folder(&new)?;
    step(dir, WRITING, COMPLETE)?;
    finish(dir)
}

/// Waits until a dropped database is closed. Until then it may still write.
fn closed(dir: &Path) -> Result<(), StoreError> {
    Lock::wait(&File::open(dir.join(FILE))?, dir)
}

/// Whether a new database is complete but not yet in place.
pub(super) fn is_under_way(dir: &Path) -> bool {
    dir.join(COMPLETE).is_dir() || dir.join(ALONE).is_dir()
}

/// Finishes a replacement that was interrupted, or discards an incomplete new database. The folder is
/// locked.
pub(super) fn finish(dir: &Path) -> Result<(), StoreError> {
    if dir.join(WRITING).is_dir() {
        fs::remove_dir_all(dir.join(WRITING))?;
    }
    if dir.join(COMPLETE).is_dir() {
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            let name = entry.file_name();
            let parts = [
                FILE,
                PARAMETERS,
                BLOBS,
                high_water_mark::FILE,
                files::FOLDER,
            ];
            let is_of_database = parts.iter().any(|part| name == *part)
                || name.to_string_lossy().starts_with(SNAPSHOT);
            match is_of_database {
                true if entry.file_type()?.is_dir() => fs::remove_dir_all(entry.path())?,
                true => fs::remove_file(entry.path())?,
                false => {}
            }
        }
        sync_entries(dir)?;
        step(dir, COMPLETE, ALONE)?;
    }
    let alone = dir.join(ALONE);
    if alone.is_dir() {
        for entry in fs::read_dir(&alone)? {
            let entry = entry?;
            fs::rename(entry.path(), dir.join(entry.file_name()))?;
        }
        sync_entries(dir)?;
        fs::remove_dir(&alone)?;
        sync_entries(dir)?;
    }
    Ok(())
}

fn step(dir: &Path, from: &str, to: &str) -> io::Result<()> {
    fs::rename(dir.join(from), dir.join(to))?;
    sync_entries(dir)
}
