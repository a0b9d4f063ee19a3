//! The database as files: what it takes to be sure that something is on disk.

use super::StoreError;
use std::{
    collections::HashSet,
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

/// sled's name for its file.
pub(super) const FILE: &str = "db";

/// sled's folder for values and pages above 128 KiB, a file each.
pub(super) const BLOBS: &str = "blobs";

pub(super) struct Disk {
    db: sled::Db,
    file: File,
    blobs: PathBuf,
    /// The files in `blobs` that are on disk.
    synced: Mutex<HashSet<OsString>>,
}

impl Disk {
    pub(super) fn new(db: sled::Db, dir: &Path) -> Result<Self, StoreError> {
        // The folder has to know the new files, too.
        File::open(dir)
            .and_then(|folder| folder.sync_all())
            .map_err(failed)?;
        Ok(Self {
            db,
            file: File::open(dir.join(FILE)).map_err(failed)?,
            blobs: dir.join(BLOBS),
            synced: Mutex::default(),
        })
    }

    /// Waits until everything written to any tree is on disk.
    ///
    /// sled waits for the bytes of its file, not for its length nor for the disk's own cache, and
    /// not for large values at all: after a power cut they could be gone.
    pub(super) fn flush(&self) -> Result<(), StoreError> {
        self.db.flush()?;
        self.sync_blobs().map_err(failed)?;
        self.file.sync_data().map_err(failed)
    }

    /// The bytes the database takes.
    pub(super) fn size(&self) -> Result<u64, StoreError> {
        Ok(self.db.size_on_disk()?)
    }

    fn sync_blobs(&self) -> io::Result<()> {
        let mut synced = self.synced.lock().unwrap_or_else(PoisonError::into_inner);
        let entries = fs::read_dir(&self.blobs)?.map(|entry| entry.map(|entry| entry.file_name()));
        let present: HashSet<OsString> = entries.collect::<Result<_, _>>()?;
        synced.retain(|name| present.contains(name));
        if synced.len() == present.len() {
            return Ok(());
        }
        for name in present {
            if synced.contains(&name) {
                continue;
            }
            match File::open(self.blobs.join(&name)) {
                Ok(file) => file.sync_all()?,
                // It was of no use any more.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            }
            synced.insert(name);
        }
        File::open(&self.blobs)?.sync_all()
    }
}

/// Makes sure that what a folder holds is on disk, and that it holds it.
pub(super) fn sync_folder(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => sync_folder(&entry.path())?,
            false => File::open(entry.path())?.sync_all()?,
        }
    }
    File::open(dir)?.sync_all()
}

pub(super) fn failed(error: io::Error) -> StoreError {
    StoreError::Database(Box::new(error))
}
