//! The files of the database, and how to make writes durable.

use super::{StoreError, unpoisoned};
use std::{
    collections::HashSet,
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Mutex,
};

/// sled's name for its file.
pub(super) const FILE: &str = "db";

/// sled's folder for values and pages above 128 KiB, one file each.
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
        // The entries of new files must be durable, too.
        sync_entries(dir)?;
        Ok(Self {
            db,
            file: File::open(dir.join(FILE))?,
            blobs: dir.join(BLOBS),
            synced: Mutex::default(),
        })
    }

    /// Waits until everything written to any tree is on disk.
    ///
    /// sled waits for the bytes of its file, but not for the file's length, the disk's own cache or
    /// large values. A power failure could lose those.
    pub(super) fn flush(&self) -> Result<(), StoreError> {
        self.db.flush()?;
        self.sync_blobs()?;
        Ok(self.file.sync_data()?)
    }

    /// The size of the database, in bytes.
    pub(super) fn size(&self) -> Result<u64, StoreError> {
        Ok(self.db.size_on_disk()?)
    }

    fn sync_blobs(&self) -> io::Result<()> {
        let mut synced = unpoisoned(self.synced.lock());
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
                // sled has removed it meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            }
            synced.insert(name);
        }
        sync_entries(&self.blobs)
    }
}

/// Makes a folder and everything in it durable.
pub(super) fn sync_folder(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => sync_folder(&entry.path())?,
            false => File::open(entry.path())?.sync_all()?,
        }
    }
    sync_entries(dir)
}

/// Makes the entries of a folder durable, not the files behind them.
pub(super) fn sync_entries(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}
