//! The files of a store: its lock, the database, and how to make writes durable.

use super::{StoreError, gate::Gate, leftovers, unpoisoned};
use std::{
    collections::HashSet,
    ffi::OsString,
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// How long to wait for a lock: in general, and if only copies hold it. Then the wait between two attempts.
const PATIENCE: Duration = Duration::from_secs(1);
const LONGEST_IDLE_COPY: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(10);

pub(super) const LOCK: &str = "lock";

/// Page cache of the database, in bytes: many times the blocks in use. The system caches the rest.
const CACHE: u64 = 64 << 20;

/// sled's name for its file.
pub(super) const FILE: &str = "db";

/// sled's folder for values and pages above 128 KiB, one file each.
pub(super) const BLOBS: &str = "blobs";

/// The right to use a folder until it is dropped: a locked file. sled locks its own file, but
/// [compacting](fn@super::compact) replaces that file.
#[derive(Debug)]
pub(super) struct Lock(#[expect(dead_code, reason = "it is the open file that is locked")] File);

impl Lock {
    /// Creates the folder if there is none, and takes the lock.
    pub(super) fn take(dir: &Path) -> Result<Self, StoreError> {
        fs::create_dir_all(dir).map_err(|source| StoreError::Folder {
            dir: dir.into(),
            source,
        })?;
        let mut options = OpenOptions::new();
        let options = options.write(true).create(true).truncate(false);
        let file = options.open(dir.join(LOCK));
        let file = file.map_err(|source| StoreError::unusable(dir, source.into()))?;
        Self::wait(&file, dir)?;
        Ok(Self(file))
    }

    /// Locks a file that belongs to the folder `dir` until it is closed.
    pub(super) fn wait(file: &File, dir: &Path) -> Result<(), StoreError> {
        let began = Instant::now();
        loop {
            let taken = patiently(dir, || match file.try_lock() {
                Ok(()) => Ok(Some(())),
                Err(TryLockError::WouldBlock) => Ok(None),
                Err(TryLockError::Error(error)) => Err(error.into()),
            });
            let is_in_use = matches!(taken, Err(StoreError::InUse { .. }));
            if !is_in_use || began.elapsed() > LONGEST_IDLE_COPY || !is_shared(file)? {
                return taken;
            }
        }
    }
}

/// Whether only readers ([copies](super::Copy)) hold the lock.
fn is_shared(file: &File) -> io::Result<bool> {
    match file.try_lock_shared() {
        Ok(()) => file.unlock().map(|()| true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Tries to take a lock of the folder `dir` for a limited time. A store that is being closed releases its locks with
/// some delay.
pub(super) fn patiently<T>(
    dir: &Path,
    mut take: impl FnMut() -> Result<Option<T>, StoreError>,
) -> Result<T, StoreError> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        match take()? {
            Some(taken) => return Ok(taken),
            None if Instant::now() < deadline => thread::sleep(PAUSE),
            None => return Err(StoreError::InUse { dir: dir.into() }),
        }
    }
}

/// The database, with the trees of a store.
pub(super) struct Database {
    pub(super) meta: sled::Tree,
    pub(super) blocks: sled::Tree,
    pub(super) documents: sled::Tree,
    db: sled::Db,
    gate: Gate,
    file: File,
    dir: PathBuf,
    /// The files in `blobs` that are on disk.
    synced: Mutex<HashSet<OsString>>,
}

impl Database {
    /// Opens the database in a folder, or creates it.
    pub(super) fn open(dir: &Path) -> Result<Self, StoreError> {
        let gate = Gate::of(dir)?;
        // sled writes while it opens.
        let (db, [meta, blocks, documents]) = gate.pass(|| {
            let db = open(dir)?;
            let trees = ["meta", "blocks", "documents"].map(|name| db.open_tree(name));
            let [meta, blocks, documents] = trees;
            Ok((db, [meta?, blocks?, documents?]))
        })?;
        // The entries of new files must be durable, too.
        sync_entries(dir)?;
        Ok(Self {
            meta,
            blocks,
            documents,
            db,
            gate,
            file: File::open(dir.join(FILE))?,
            dir: dir.to_owned(),
            synced: Mutex::default(),
        })
    }

    /// Runs a write through the [gate](super::gate). After a failed write, the result is [`StoreError::WriteFailed`].
    pub(super) fn write<T>(
        &self,
        write: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.gate.pass(write)
    }

    /// Its folder.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether a write failed.
    pub(super) fn has_failed(&self) -> bool {
        self.gate.has_failed()
    }

    /// Waits until all writes to all trees are on disk.
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

    /// Whether closing sled would wait forever. This happens after it could not write a large value, and sled notes no
    /// error.
    fn cannot_close(&self) -> bool {
        self.gate.has_failed() && self.db.context.global_error().is_ok()
    }

    fn sync_blobs(&self) -> io::Result<()> {
        let blobs = self.dir.join(BLOBS);
        let mut synced = unpoisoned(self.synced.lock());
        let entries = fs::read_dir(&blobs)?.map(|entry| entry.map(|entry| entry.file_name()));
        let present: HashSet<OsString> = entries.collect::<Result<_, _>>()?;
        synced.retain(|name| present.contains(name));
        if synced.len() == present.len() {
            return Ok(());
        }
        for name in present {
            if synced.contains(&name) {
                continue;
            }
            match File::open(blobs.join(&name)) {
                Ok(file) => file.sync_all()?,
                // sled has removed it meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            }
            synced.insert(name);
        }
        sync_entries(&blobs)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if self.cannot_close() {
            tracing::warn!("the database stays open until this process ends");
            std::mem::forget(self.db.clone());
        }
    }
}

/// Opens the database in a folder without its trees.
pub(super) fn open(dir: &Path) -> Result<sled::Db, StoreError> {
    // sled panics on such a clock.
    if SystemTime::now() < UNIX_EPOCH {
        return Err(StoreError::Clock);
    }
    let config = sled::Config::new()
        .path(dir)
        .cache_capacity(CACHE)
        .flush_every_ms(None);
    leftovers::clear(dir)?;
    patiently(dir, || match config.open() {
        Ok(db) => Ok(Some(db)),
        Err(error) if is_lock_held(&error) => Ok(None),
        Err(error) => Err(StoreError::unusable(dir, error.into())),
    })
}

/// sled wraps a refused lock in an error of kind `Other`, recognizable only by its text.
fn is_lock_held(error: &sled::Error) -> bool {
    match error {
        sled::Error::Io(error) => {
            error.kind() == io::ErrorKind::WouldBlock
                || error.to_string().starts_with("could not acquire lock")
        }
        _ => false,
    }
}

/// Makes a folder and everything in it durable.
pub(super) fn sync_folder(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folder(&entry.path())?;
        } else {
            File::open(entry.path())?.sync_all()?;
        }
    }
    sync_entries(dir)
}

/// Makes the entries of a folder durable, not the files behind them.
pub(super) fn sync_entries(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}
