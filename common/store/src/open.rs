//! Opening: the database, the versions in it, and the index made from its blocks.

use super::{
    Batch, Content, Disk, Inner, Store, StoreError, Writer,
    disk::FILE,
    index::Index,
    lock::{Lock, PATIENCE, PAUSE},
    lookup::{self, Sought},
    mark::Mark,
    recent::Recent,
    retain::EPOCH_KEY,
    swap,
};
use sled::IVec;
use std::{
    any::Any,
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{Arc, Mutex, RwLock, atomic::AtomicU64},
    thread,
    time::{Instant, SystemTime, UNIX_EPOCH},
};

/// Version of the layout: which trees there are and what they hold.
pub(super) const FORMAT_VERSION: u32 = 2;

/// Page cache of the database, in bytes. The blocks in use fit many times; the rest is left to the
/// system's cache.
const CACHE: u64 = 64 << 20;

const FORMAT_KEY: &str = "format";
pub(super) const ID_KEY: &str = "id";
pub(super) const CREATED_KEY: &str = "created";
const ENCODING_PREFIX: &str = "encoding/";

impl Store {
    /// Opens the store in the folder `dir`, or creates it there. Reads every block once.
    ///
    /// `encodings` are the names and versions of the canonical encodings the keys are made with. A
    /// name the store does not know yet is added; names it knows beyond these are left alone.
    ///
    /// # Errors
    /// [`StoreError::Folder`], [`StoreError::InUse`] (after a second of waiting),
    /// [`StoreError::Unreadable`], [`StoreError::FormatVersion`], [`StoreError::EncodingVersion`],
    /// [`StoreError::CorruptBlock`], [`StoreError::Corrupt`].
    pub fn open(dir: &Path, encodings: &[(&str, u32)]) -> Result<Self, StoreError> {
        Self::open_locked(&Arc::new(Lock::take(dir)?), dir, encodings)
    }

    /// Opens the store in a folder that is locked.
    pub(super) fn open_locked(
        lock: &Arc<Lock>,
        dir: &Path,
        encodings: &[(&str, u32)],
    ) -> Result<Self, StoreError> {
        swap::finish(dir)?;
        readable(dir, || open_content(lock, dir, encodings))
    }

    /// Whether there is a store in a folder.
    pub fn is_in(dir: &Path) -> bool {
        dir.join(FILE).is_file() || swap::is_under_way(dir)
    }
}

/// Reads a database in `dir` that may be damaged: on some such sled panics.
pub(super) fn readable<T>(
    dir: &Path,
    read: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let unreadable = |source| StoreError::Unreadable {
        dir: dir.into(),
        source,
    };
    // What was being read is given up with the error.
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Err(StoreError::Database(source))) => Err(unreadable(source)),
        Ok(result) => result,
        Err(panic) => Err(unreadable(panic_text(&*panic).into())),
    }
}

fn open_content(
    lock: &Arc<Lock>,
    dir: &Path,
    encodings: &[(&str, u32)],
) -> Result<Store, StoreError> {
    let db = open_database(dir)?;
    let meta = db.open_tree("meta")?;
    let blocks = db.open_tree("blocks")?;
    let documents = db.open_tree("documents")?;
    if meta.get(FORMAT_KEY)?.is_none() && !(blocks.is_empty() && documents.is_empty()) {
        return Err(StoreError::Corrupt("it has no format version".into()));
    }
    let id = settle_meta(&meta, encodings)?;
    let epoch = match meta.get(EPOCH_KEY)? {
        Some(epoch) => u64::from_be_bytes(number(EPOCH_KEY, &epoch)?),
        None => 0,
    };
    let content = read_blocks(&blocks, u64::MAX)?;
    let mark = Mark::check(dir, &content)?;
    Ok(Store {
        inner: Arc::new(Inner {
            id,
            epoch: AtomicU64::new(epoch),
            writer: Mutex::new(Writer::new(content.cursor, mark)),
            recent: Mutex::new(Recent::new(content.cursor)),
            content: RwLock::new(content),
            meta,
            blocks,
            documents,
            disk: Disk::new(db, dir)?,
            _lock: Arc::clone(lock),
        }),
    })
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or(panic.downcast_ref::<&str>().copied());
    format!("the database panicked: {}", text.unwrap_or("no text"))
}

pub(super) fn open_database(dir: &Path) -> Result<sled::Db, StoreError> {
    let config = sled::Config::new()
        .path(dir)
        .cache_capacity(CACHE)
        .flush_every_ms(None);
    let deadline = Instant::now() + PATIENCE;
    loop {
        match config.open() {
            Ok(db) => return Ok(db),
            Err(error) if !is_lock_held(&error) => {
                return Err(StoreError::Unreadable {
                    dir: dir.into(),
                    source: Box::new(error),
                });
            }
            Err(_) if Instant::now() >= deadline => {
                return Err(StoreError::InUse { dir: dir.into() });
            }
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

/// sled wraps the refusal of the lock in an error of kind `Other`; only its text tells.
fn is_lock_held(error: &sled::Error) -> bool {
    match error {
        sled::Error::Io(error) => {
            error.kind() == io::ErrorKind::WouldBlock
                || error.to_string().starts_with("could not acquire lock")
        }
        _ => false,
    }
}

/// Compares the versions in `meta` with ours, adds what is missing, and returns the store's id.
pub(super) fn settle_meta(meta: &sled::Tree, encodings: &[(&str, u32)]) -> Result<u64, StoreError> {
    let mut missing = sled::Batch::default();
    let mut complete = true;
    match meta.get(FORMAT_KEY)? {
        None => {
            complete = false;
            missing.insert(FORMAT_KEY, &FORMAT_VERSION.to_be_bytes());
            if let Ok(now) = SystemTime::now().duration_since(UNIX_EPOCH) {
                missing.insert(CREATED_KEY, &now.as_secs().to_be_bytes());
            }
        }
        Some(found) => match u32::from_be_bytes(number(FORMAT_KEY, &found)?) {
            FORMAT_VERSION => {}
            found => {
                return Err(StoreError::FormatVersion {
                    found,
                    expected: FORMAT_VERSION,
                });
            }
        },
    }
    for &(encoding, expected) in encodings {
        let key = format!("{ENCODING_PREFIX}{encoding}");
        match meta.get(&key)? {
            None => {
                complete = false;
                missing.insert(key.as_str(), &expected.to_be_bytes());
            }
            Some(found) => {
                let found = u32::from_be_bytes(number(&key, &found)?);
                if found != expected {
                    return Err(StoreError::EncodingVersion {
                        encoding: encoding.into(),
                        found,
                        expected,
                    });
                }
            }
        }
    }
    let id = match meta.get(ID_KEY)? {
        Some(id) => u64::from_be_bytes(number(ID_KEY, &id)?),
        None => {
            complete = false;
            let id = RandomState::new().build_hasher().finish();
            missing.insert(ID_KEY, &id.to_be_bytes());
            id
        }
    };
    if !complete {
        meta.apply_batch(missing)?;
        meta.flush()?;
    }
    Ok(id)
}

pub(super) fn number<const N: usize>(key: &str, bytes: &IVec) -> Result<[u8; N], StoreError> {
    bytes
        .as_ref()
        .try_into()
        .map_err(|_| StoreError::Corrupt(format!("its entry `{key}` is malformed")))
}

/// What is in the blocks up to that number.
pub(super) fn read_blocks(blocks: &sled::Tree, last: u64) -> Result<Content, StoreError> {
    let mut content = Content {
        index: Index::default(),
        cursor: 0,
        blocks: 0,
        copies: 0,
    };
    let mut batch = Batch::default();
    for entry in blocks.range(..=last.to_be_bytes()) {
        let (key, bytes) = entry?;
        let number = super::block_number(&key)?;
        batch.clear();
        let count = batch
            .push_block(&bytes, |source| source)
            .map_err(|reason| StoreError::CorruptBlock { number, reason })?;
        let records = batch.range(0..count);
        let mut keys: Vec<_> = records.map(|record| Sought::new(record.key)).collect();
        lookup::find_all(blocks, &content, &mut keys)?;
        for Sought { hash, found, .. } in keys {
            content
                .index
                .place(hash, found.map(|(older, _)| older), number);
        }
        content.count_block(number, count);
    }
    Ok(content)
}
