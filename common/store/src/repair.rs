//! Repairing a store: damaged parts are quarantined, and their records restored from an export.

use super::{
    Rules, Store, StoreError, Watch,
    database::{Database, Lock, sync_entries},
    documents::{REPAIR, json},
    high_water_mark::{self, HighWaterMark},
    leftovers::QUARANTINE,
    open::{self, ID_KEY, NUMBERING_KEY, readable},
    swap,
    transfer::{Import, Imported, verify},
};
use serde::{Deserialize, Serialize, Serializer};
use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};
use xxhash_rust::xxh3::xxh3_64;

/// The damaged parts of a store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Damage {
    /// The numbers of readable blocks with faults.
    pub(super) blocks: Vec<u64>,
    /// The names of documents with faults.
    pub(super) documents: Vec<String>,
    /// Whether parts of the database cannot be read.
    pub(super) has_unreadable: bool,
}

impl Damage {
    pub(super) fn is_none(&self) -> bool {
        self.blocks.is_empty() && !self.has_unreadable
    }
}

/// The result of a repair.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Repaired {
    /// The files that hold the damaged blocks and documents.
    #[serde(rename = "set_aside")]
    pub quarantined: Vec<PathBuf>,
    /// The number of lost keys, if known.
    pub lost: Option<u64>,
    /// The number of keys that the import added.
    pub restored: u64,
    /// The least number of keys that could not be restored, if known.
    pub missing: Option<u64>,
    /// The result of the import.
    #[serde(rename = "new", serialize_with = "serialize_new")]
    pub imported: Imported,
}

fn serialize_new<S: Serializer>(imported: &Imported, serializer: S) -> Result<S::Ok, S::Error> {
    imported.new.serialize(serializer)
}

/// The content of the document [`REPAIR`].
#[derive(Default, Serialize, Deserialize)]
struct State {
    /// The number of keys before the damage, if known.
    keys: Option<u64>,
    /// The number of keys without the damaged blocks, once known.
    left: Option<u64>,
}

impl Rules<'_> {
    /// Quarantines damaged blocks and documents of the store in `dir`, and restores their records from
    /// an export. The store gets a new id, since block numbers change. After a kill or a stop, the same
    /// call resumes. `None` if the store has no faults; it is then unchanged.
    ///
    /// # Errors
    /// As [`check`](Rules::check) and [`Import::file`]; [`StoreError::Corrupt`] if the database itself is
    /// damaged and cannot be repaired.
    pub fn repair(
        &self,
        dir: &Path,
        export: &Path,
        now: u64,
        watch: Watch<'_>,
    ) -> Result<Option<Repaired>, StoreError> {
        // Without a sound export, the store stays unchanged.
        verify(export, watch)?;
        let lock = Arc::new(Lock::take(dir)?);
        swap::finish(dir)?;
        let (checkup, damage) = self.examine(&lock, dir, watch)?;
        if checkup.count == 0 {
            return Ok(None);
        }
        if damage.has_unreadable {
            let problem = "parts of its database cannot be read, so it cannot be repaired";
            return Err(StoreError::Corrupt(problem.to_owned()));
        }
        let quarantined = readable(dir, || quarantine(dir, &damage))?;
        let store = Store::open_locked(&lock, dir, self.encodings)?;
        let State { keys, left } = store.progress(REPAIR)?.unwrap_or_default();
        let left = match left {
            Some(left) => left,
            None => {
                let left = store.len() as u64;
                let state = State {
                    keys,
                    left: Some(left),
                };
                store.put_document(REPAIR, &json(&state)?)?;
                left
            }
        };
        let (rules, store) = (*self, &store);
        let imported = Import { store, rules, now }.file(export, watch)?;
        store.remove_document(REPAIR)?;
        // An import that adds nothing writes no mark.
        store.writer().mark.set(store.cursor(), store.len() as u64);
        let restored = (store.len() as u64).saturating_sub(left);
        let lost = keys.map(|keys| keys.saturating_sub(left));
        Ok(Some(Repaired {
            quarantined,
            lost,
            restored,
            missing: lost.map(|lost| lost.saturating_sub(restored)),
            imported,
        }))
    }
}

/// Moves damaged parts into files, so that the store opens again.
fn quarantine(dir: &Path, damage: &Damage) -> Result<Vec<PathBuf>, StoreError> {
    let folder = dir.join(QUARANTINE);
    let db = Database::open(dir)?;
    let mut kept = Vec::new();
    for number in &damage.blocks {
        if let Some(bytes) = db.blocks.get(number.to_be_bytes())? {
            let name = format!("block-{number}-{:016x}", xxh3_64(&bytes));
            kept.push(keep(&folder, &name, &bytes)?);
        }
    }
    for name in &damage.documents {
        if let Some(bytes) = db.documents.get(name)? {
            let bytes = [name.as_bytes(), b"\n", &bytes].concat();
            let file = format!("document-{:016x}", xxh3_64(&bytes));
            kept.push(keep(&folder, &file, &bytes)?);
        }
    }
    db.write(|| {
        let keys = HighWaterMark::open(dir)?.read().map(|(_, keys)| keys);
        if !db.documents.contains_key(REPAIR)? {
            db.documents
                .insert(REPAIR, json(&State { keys, left: None })?)?;
            db.flush()?;
        }
        for number in &damage.blocks {
            db.blocks.remove(number.to_be_bytes())?;
        }
        for name in &damage.documents {
            db.documents.remove(name)?;
        }
        for key in [ID_KEY, NUMBERING_KEY] {
            db.meta.insert(key, &open::random_id().to_be_bytes())?;
        }
        db.flush()?;
        // The mark demands more keys than are left.
        Ok(fs::remove_file(dir.join(high_water_mark::FILE))?)
    })?;
    Ok(kept)
}

/// Writes a durable file.
fn keep(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    fs::create_dir_all(dir)?;
    let path = dir.join(name);
    let mut file = File::create(&path)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    sync_entries(dir)?;
    Ok(path)
}
