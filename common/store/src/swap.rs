//! Putting a new database in the place of an old one, such that a kill at any moment leaves one of
//! them whole.
//!
//! The new database is written to a folder inside the store's. The folder's name tells how far it is:
//!
//! 1. [`WRITING`]: not complete. Whoever opens the store removes it.
//! 2. [`COMPLETE`]: on disk as a whole. Whoever opens the store removes the old database.
//! 3. [`ALONE`]: the old database is gone. Whoever opens the store moves its files up.

use super::{
    StoreError,
    disk::{self, BLOBS, FILE, failed},
    lock::Lock,
    mark,
};
use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

const WRITING: &str = "compacting";
const COMPLETE: &str = "compacted";
const ALONE: &str = "replacing";

/// Where to write the new database of the store in `dir`; empty.
pub(super) fn begin(dir: &Path) -> Result<PathBuf, StoreError> {
    finish(dir)?;
    let new = dir.join(WRITING);
    fs::create_dir(&new).map_err(failed)?;
    Ok(new)
}

/// Gives up the new database.
pub(super) fn abandon(dir: &Path) -> Result<(), StoreError> {
    fs::remove_dir_all(dir.join(WRITING)).map_err(failed)
}

/// Puts the new database, which is complete and closed, in the place of the old, which is closed.
pub(super) fn put(dir: &Path) -> Result<(), StoreError> {
    let new = dir.join(WRITING);
    closed(dir)?;
    closed(&new)?;
    disk::sync_folder(&new)
        .and_then(|()| step(dir, WRITING, COMPLETE))
        .map_err(failed)?;
    finish(dir)
}

/// Waits until a database that was let go is closed: until then it may still write.
fn closed(dir: &Path) -> Result<(), StoreError> {
    let file = File::open(dir.join(FILE)).map_err(failed)?;
    Lock::wait(&file, dir)
}

/// Whether a new database is complete and not yet in its place.
pub(super) fn is_under_way(dir: &Path) -> bool {
    dir.join(COMPLETE).is_dir() || dir.join(ALONE).is_dir()
}

/// Ends what a kill interrupted. The folder is locked.
pub(super) fn finish(dir: &Path) -> Result<(), StoreError> {
    resume(dir).map_err(failed)
}

fn resume(dir: &Path) -> io::Result<()> {
    if dir.join(WRITING).is_dir() {
        fs::remove_dir_all(dir.join(WRITING))?;
    }
    if dir.join(COMPLETE).is_dir() {
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            let name = entry.file_name();
            let is_of_database = [FILE, "conf", BLOBS, mark::FILE]
                .iter()
                .any(|part| name == *part)
                || name.to_string_lossy().starts_with("snap.");
            match is_of_database {
                true if entry.file_type()?.is_dir() => fs::remove_dir_all(entry.path())?,
                true => fs::remove_file(entry.path())?,
                false => {}
            }
        }
        sync(dir)?;
        step(dir, COMPLETE, ALONE)?;
    }
    let alone = dir.join(ALONE);
    if alone.is_dir() {
        for entry in fs::read_dir(&alone)? {
            let entry = entry?;
            fs::rename(entry.path(), dir.join(entry.file_name()))?;
        }
        sync(dir)?;
        fs::remove_dir(&alone)?;
        sync(dir)?;
    }
    Ok(())
}

fn step(dir: &Path, from: &str, to: &str) -> io::Result<()> {
    fs::rename(dir.join(from), dir.join(to))?;
    sync(dir)
}

fn sync(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}
