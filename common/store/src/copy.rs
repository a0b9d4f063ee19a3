//! Copies: reading a store that cannot be opened, because its folder is read-only or another process has it
//! open.
//!
//! A database in use changes during a copy. sled moves its content between files, so a careless copy could lose some of
//! it without notice. So a copy is made between two writes: it holds a lock that each write takes. A copy that takes
//! too long is abandoned, and the writes continue.

use super::{
    StoreError,
    database::{BLOBS, FILE, LOCK},
    gate::{LONGEST_COPY, wait},
    high_water_mark,
    index::files,
    leftovers::{PARAMETERS, snapshots},
    revoked, swap,
};
use std::{
    env,
    fs::{self, File, TryLockError},
    io::{self, Read},
    os::unix::fs::MetadataExt,
    path::Path,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// The number of bytes copied between two checks of the deadline.
const AT_A_TIME: u64 = 4 << 20;

/// The prefix of the names of copies, and the age from which a copy without a process is removed.
const PREFIX: &str = "sproutnet-copy-";
const ABANDONED: Duration = Duration::from_secs(60);

/// A copy of the database of a store, in the folder for temporary files. It is removed when it is dropped, or
/// with a later copy if its process was killed.
#[derive(Debug)]
pub struct Copy {
    dir: TempDir,
    /// Locked, so that others see that the copy is in use.
    _lock: File,
    bytes: u64,
    is_of_busy: bool,
}

/// A copy in progress, and its deadline.
struct Copying {
    deadline: Option<Instant>,
    bytes: u64,
}

impl Copy {
    /// Copies the store in the folder `dir`, which may be read-only, or open in another process. The copy
    /// has everything that process has acknowledged. Its writes wait meanwhile, for at most five seconds.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if the copy would take longer; [`StoreError::File`] if a file cannot be read, or
    /// there is no room for the copy.
    pub fn of(dir: &Path) -> Result<Self, StoreError> {
        let in_use = || StoreError::InUse { dir: dir.into() };
        let idle = open(&dir.join(LOCK))?;
        let is_of_busy = match idle.as_ref().map(File::try_lock_shared) {
            None | Some(Ok(())) => false,
            Some(Err(TryLockError::WouldBlock)) => true,
            Some(Err(TryLockError::Error(error))) => return Err(error.into()),
        };
        let mark = dir.join(high_water_mark::FILE);
        let gate = open(&mark)?;
        let mut deadline = None;
        if let Some(gate) = gate.as_ref().filter(|_| is_of_busy) {
            if !wait(|| gate.try_lock_shared(), LONGEST_COPY)? {
                return Err(in_use());
            }
            deadline = Some(Instant::now() + LONGEST_COPY);
        }
        let mut copy = Self::make(dir, deadline, is_of_busy, true)?;
        copy.take_index(dir, deadline)?;
        Ok(copy)
    }

    /// Copies the files of the index until the deadline. With them, the copy opens faster. They may appear or vanish at
    /// any time.
    fn take_index(&mut self, dir: &Path, deadline: Option<Instant>) -> Result<(), StoreError> {
        let mut copying = Copying { deadline, bytes: 0 };
        let to = self.path().join(files::FOLDER);
        fs::create_dir(&to)?;
        for entry in fs::read_dir(dir.join(files::FOLDER)).into_iter().flatten() {
            copying.take(&entry?.path(), &to)?;
        }
        self.bytes += copying.bytes;
        Ok(())
    }

    /// Copies a store that no process has open. `with_snapshots` includes the snapshots of its log.
    pub(super) fn of_idle(dir: &Path, with_snapshots: bool) -> Result<Self, StoreError> {
        Self::make(dir, None, false, with_snapshots)
    }

    fn make(
        dir: &Path,
        deadline: Option<Instant>,
        is_of_busy: bool,
        with_snapshots: bool,
    ) -> Result<Self, StoreError> {
        let in_use = || StoreError::InUse { dir: dir.into() };
        if swap::is_under_way(dir) {
            return Err(in_use());
        }
        let mark = dir.join(high_water_mark::FILE);
        let before = identity(&mark)?;
        let mut copying = Copying { deadline, bytes: 0 };
        remove_abandoned(&env::temp_dir(), ABANDONED);
        let to = tempfile::Builder::new().prefix(PREFIX).tempdir()?;
        let lock = File::open(to.path())?;
        lock.lock()?;
        for path in snapshots(dir)?.iter().filter(|_| with_snapshots) {
            copying.take(path, to.path())?;
        }
        for name in [PARAMETERS, FILE, high_water_mark::FILE, revoked::FILE] {
            copying.take(&dir.join(name), to.path())?;
        }
        let blobs = to.path().join(BLOBS);
        fs::create_dir(&blobs)?;
        for entry in fs::read_dir(dir.join(BLOBS)).into_iter().flatten() {
            copying.take(&entry?.path(), &blobs)?;
        }
        // A database that was replaced meanwhile has another file.
        let is_replaced = swap::is_under_way(dir) || identity(&mark)? != before;
        if is_replaced || copying.is_late() {
            return Err(in_use());
        }
        Ok(Self {
            dir: to,
            _lock: lock,
            bytes: copying.bytes,
            is_of_busy,
        })
    }

    /// The folder of the copy.
    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Its size, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether another process had the store open.
    pub fn is_of_busy(&self) -> bool {
        self.is_of_busy
    }
}

/// Removes copies of at least that age whose processes are gone from the folder `temporary`.
fn remove_abandoned(temporary: &Path, age: Duration) {
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_copy = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let its_age = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        if is_copy
            && its_age().is_some_and(|its_age| its_age >= age)
            && File::open(&path).is_ok_and(|folder| folder.try_lock().is_ok())
            && let Err(error) = fs::remove_dir_all(&path)
        {
            tracing::warn!(path = %path.display(), %error, "an abandoned copy stays");
        }
    }
}

/// The device and inode of a file if it exists.
fn identity(path: &Path) -> Result<Option<(u64, u64)>, StoreError> {
    let file = open(path)?;
    let data = file.map(|file| file.metadata()).transpose();
    let data = data.map_err(StoreError::file(path))?;
    Ok(data.map(|data| (data.dev(), data.ino())))
}

/// Opens a file if it exists.
fn open(path: &Path) -> Result<Option<File>, StoreError> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::file(path)(error)),
    }
}

impl Copying {
    /// Copies a file into a folder, if it exists and there is time.
    fn take(&mut self, path: &Path, folder: &Path) -> Result<(), StoreError> {
        let Some(from) = open(path)? else {
            return Ok(());
        };
        let target = folder.join(path.file_name().unwrap_or_default());
        let mut to = File::create_new(&target).map_err(StoreError::file(&target))?;
        while !self.is_late() {
            let copied = io::copy(&mut (&from).take(AT_A_TIME), &mut to);
            match copied.map_err(StoreError::file(&target))? {
                0 => break,
                copied => self.bytes += copied,
            }
        }
        Ok(())
    }

    fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() > deadline)
    }
}

#[cfg(test)]
mod tests;
