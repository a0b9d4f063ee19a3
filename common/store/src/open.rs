//! Opening a store: the versions in it, and the index of its blocks.

use super::{
    Batch, Content, Extent, Inner, Keeper, Store, StoreError, Writer,
    database::{Database, FILE, Lock},
    high_water_mark::HighWaterMark,
    index::{self, Sought, files::Files},
    numbered,
    recent::Recent,
    revoked::Revoked,
    rollback::EPOCH_KEY,
    shed::Volume,
    swap,
    timeline::Timelines,
};
use sproutnet_notation::Epoch;
use std::{
    any::Any,
    collections::{HashMap, hash_map::RandomState},
    hash::{BuildHasher, Hasher},
    iter,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Arc, Mutex, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

/// Version of the layout: the trees and their content, and the files beside the database.
pub(super) const FORMAT_VERSION: u32 = 3;

/// The layout that becomes this one with a [numbering](NUMBERING_KEY). A program that knows only this former layout
/// would change blocks without regard to the files of the index.
pub(super) const FORMER_VERSION: u32 = 2;

pub(super) const FORMAT_KEY: &str = "format";
pub(super) const ID_KEY: &str = "id";
pub(super) const CREATED_KEY: &str = "created";

/// A random number that changes when block numbers change. Files of the index name it.
pub(super) const NUMBERING_KEY: &str = "numbering";
pub(super) const ENCODING_PREFIX: &str = "encoding/";

impl Store {
    /// Opens the store in the folder `dir`, or creates it. Reads the blocks without a file of the index: about the
    /// newest million records, or all blocks if the files are lost.
    ///
    /// `encodings` are the names and versions of the canonical encodings of keys. Names that are new
    /// to the store are added; other names in the store are left alone.
    ///
    /// # Errors
    /// [`StoreError::Folder`], [`StoreError::InUse`] (after a second of waiting; after half a minute if
    /// another process copies the store), [`StoreError::Unwritable`], [`StoreError::Clock`],
    /// [`StoreError::Unreadable`], [`StoreError::Version`], [`StoreError::CorruptBlock`],
    /// [`StoreError::Corrupt`]; [`StoreError::Database`] if the folder cannot be locked, or
    /// [compacting](fn@super::compact) was interrupted and cannot be finished.
    pub fn open(dir: &Path, encodings: &[(&str, u32)]) -> Result<Self, StoreError> {
        Self::open_locked(&Arc::new(Lock::take(dir)?), dir, encodings)
    }

    /// Opens the store in a locked folder.
    pub(super) fn open_locked(
        lock: &Arc<Lock>,
        dir: &Path,
        encodings: &[(&str, u32)],
    ) -> Result<Self, StoreError> {
        swap::finish(dir)?;
        readable(dir, || open_content(lock, dir, encodings))
    }

    /// Whether a folder holds a store.
    pub fn is_in(dir: &Path) -> bool {
        dir.join(FILE).is_file() || swap::is_under_way(dir)
    }
}

/// Reads the database in `dir`, which may be damaged. Turns panics of sled on damage into errors.
pub(super) fn readable<T>(
    dir: &Path,
    read: impl FnOnce() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    // Nothing that `read` was working on survives the error.
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(Err(StoreError::Database(source))) => Err(StoreError::unusable(dir, source)),
        Ok(result) => result,
        Err(panic) => Err(StoreError::unusable(dir, panic_text(&*panic).into())),
    }
}

fn open_content(
    lock: &Arc<Lock>,
    dir: &Path,
    encodings: &[(&str, u32)],
) -> Result<Store, StoreError> {
    let db = Database::open(dir)?;
    let is_empty = db.blocks.is_empty() && db.documents.is_empty();
    if !is_empty && db.meta.get(FORMAT_KEY)?.is_none() {
        return Err(StoreError::Corrupt("it has no format version".into()));
    }
    let id = settle_meta(&db, encodings)?;
    let epoch = number(&db.meta, EPOCH_KEY)?.unwrap_or(0);
    let timelines = Timelines::read(&db.meta)?;
    let files = Files::of(dir, numbering(&db)?);
    // Files of the index rest on the blocks read now.
    db.write(|| db.flush())?;
    let content = load(&db.blocks, &files, u64::MAX)?;
    let Extent { cursor, .. } = content.extent;
    let mark = HighWaterMark::check(dir, content.extent)?;
    let revoked = Revoked::of(dir, Epoch(epoch), cursor)?;
    if !revoked.is_empty() {
        revoked.write(dir)?;
    }
    let last_number = cursor.max(revoked.last());
    let settled = content.index.settled();
    let content = Arc::new(RwLock::new(content));
    Ok(Store {
        inner: Arc::new(Inner {
            id: AtomicU64::new(id),
            epoch: AtomicU64::new(epoch),
            writer: Mutex::new(Writer::new(last_number, settled, mark)),
            recent: Mutex::new(Recent::new(cursor)),
            timelines: Mutex::new(timelines),
            keeper: Keeper::new(files, Arc::clone(&content)),
            shedding: Arc::default(),
            volume: Volume::default(),
            unreadable: AtomicU64::new(0),
            content,
            db,
            _lock: Arc::clone(lock),
        }),
    })
}

pub(super) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or(panic.downcast_ref::<&str>().copied());
    format!("the database panicked: {}", text.unwrap_or("no text"))
}

/// A random number for a store.
pub(super) fn random_id() -> u64 {
    RandomState::new().build_hasher().finish()
}

impl Store {
    /// Gives the store another id.
    pub(super) fn renew_id(&self) -> Result<(), StoreError> {
        let Inner { id, db, .. } = &*self.inner;
        let renewed = random_id();
        db.write(|| {
            db.meta.insert(ID_KEY, &renewed.to_be_bytes())?;
            Ok(db.meta.flush().map(drop)?)
        })?;
        id.store(renewed, Ordering::Relaxed);
        Ok(())
    }
}

/// Compares the versions in `meta` with those of this program, adds missing ones, and returns the store's id.
pub(super) fn settle_meta(db: &Database, encodings: &[(&str, u32)]) -> Result<u64, StoreError> {
    let meta = &db.meta;
    let mut missing: Vec<(String, Vec<u8>)> = Vec::new();
    let encodings = encodings.iter().map(|&(encoding, version)| {
        let of = format!("the encoding `{encoding}`");
        (format!("{ENCODING_PREFIX}{encoding}"), of, version)
    });
    let format = (
        FORMAT_KEY.to_owned(),
        "the format".to_owned(),
        FORMAT_VERSION,
    );
    for (key, of, expected) in iter::once(format).chain(encodings) {
        match entry(meta, &key)?.map(u32::from_be_bytes) {
            Some(found) if found == expected => {}
            Some(FORMER_VERSION) if key == FORMAT_KEY => {
                missing.push((NUMBERING_KEY.to_owned(), random_id().to_be_bytes().into()));
                missing.push((key, expected.to_be_bytes().into()));
            }
            Some(found) => {
                return Err(StoreError::Version {
                    of,
                    found,
                    expected,
                });
            }
            None => missing.push((key, expected.to_be_bytes().into())),
        }
    }
    let known = number(meta, ID_KEY)?;
    let id = known.unwrap_or_else(random_id);
    if known.is_none() {
        missing.push((ID_KEY.to_owned(), id.to_be_bytes().into()));
        missing.push((NUMBERING_KEY.to_owned(), random_id().to_be_bytes().into()));
    }
    if meta.get(FORMAT_KEY)?.is_none()
        && let Ok(now) = SystemTime::now().duration_since(UNIX_EPOCH)
    {
        let now = now.as_secs().to_be_bytes();
        missing.push((CREATED_KEY.to_owned(), now.into()));
    }
    if !missing.is_empty() {
        let mut batch = sled::Batch::default();
        for (key, value) in missing {
            batch.insert(&*key, value);
        }
        db.write(|| {
            meta.apply_batch(batch)?;
            Ok(meta.flush().map(drop)?)
        })?;
    }
    Ok(id)
}

/// The number under a key of `meta`.
pub(super) fn number(meta: &sled::Tree, key: &str) -> Result<Option<u64>, StoreError> {
    Ok(entry(meta, key)?.map(u64::from_be_bytes))
}

fn entry<const N: usize>(meta: &sled::Tree, key: &str) -> Result<Option<[u8; N]>, StoreError> {
    let Some(bytes) = meta.get(key)? else {
        return Ok(None);
    };
    let malformed = |_| StoreError::Corrupt(format!("its entry `{key}` is malformed"));
    bytes.as_ref().try_into().map(Some).map_err(malformed)
}

/// The numbering of the database.
fn numbering(db: &Database) -> Result<u64, StoreError> {
    let found = number(&db.meta, NUMBERING_KEY)?;
    found.ok_or_else(|| StoreError::Corrupt("it has no numbering".into()))
}

/// The content of the blocks up to `last`, from files of the index and from the blocks that they do not cover.
pub(super) fn load(blocks: &sled::Tree, files: &Files, last: u64) -> Result<Content, StoreError> {
    match read(blocks, files, last) {
        // The damaged file is gone now. If there are more, the folder is no place for an index.
        Err(StoreError::Index { .. }) => {
            files.clear();
            read(blocks, files, last)
        }
        loaded => loaded,
    }
}

fn read(blocks: &sled::Tree, files: &Files, last: u64) -> Result<Content, StoreError> {
    let (index, extent) = files.open(blocks, last);
    let mut content = Content {
        index,
        extent,
        moved: HashMap::new(),
    };
    let mut batch = Batch::default();
    let first = extent.cursor.saturating_add(1);
    for entry in blocks.range(first.to_be_bytes()..=last.to_be_bytes()) {
        let (number, bytes) = numbered(entry)?;
        batch.clear();
        let count = batch.push_stored(number, &bytes)?;
        let mut keys: Vec<_> = batch.iter().map(|record| Sought::new(record.key)).collect();
        index::find_all(blocks, &content, &mut keys)?;
        for Sought { hash, found, .. } in keys {
            content.extent.keys += u64::from(found.is_none());
            content.index.insert(hash, number);
        }
        content.extent.add(number, &bytes, count);
        if content.index.is_full()
            && let Err(error) = files.settle(&mut content.index, content.extent)
        {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "a part of the index stays in memory");
        }
    }
    Ok(content)
}
