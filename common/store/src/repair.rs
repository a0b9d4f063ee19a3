//! Mending a store: what is damaged is set aside, and what was in it restored from an export.

use super::{
    Rules, Store, StoreError, Watch,
    disk::{Disk, failed},
    lock::Lock,
    mark::{self, Mark},
    open::{ID_KEY, open_database, readable},
    swap,
    travel::{Import, Imported, TravelError, verify},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::hash_map::RandomState,
    fs::{self, File},
    hash::{BuildHasher, Hasher},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
};
use xxhash_rust::xxh3::xxh3_64;

/// The document that is there while a store is being repaired.
pub(super) const UNDER_WAY: &str = "repair";

/// The folder, inside the store's, for what is set aside.
const ASIDE: &str = "set-aside";

/// What has to be mended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Damage {
    /// The numbers of blocks that can be read and are wrong.
    pub(super) blocks: Vec<u64>,
    /// The names of documents that are wrong.
    pub(super) documents: Vec<String>,
    /// The database under the store fails when it is read.
    pub(super) has_unreadable: bool,
}

impl Damage {
    pub(super) fn is_none(&self) -> bool {
        self.blocks.is_empty() && !self.has_unreadable
    }
}

/// What came of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// The files in which blocks and documents that were damaged are kept.
    pub set_aside: Vec<PathBuf>,
    /// How many keys were gone with them, if that was noted.
    pub lost: Option<u64>,
    /// How many keys the export brought back, or brought for the first time.
    pub restored: u64,
    /// How many keys at least could not be restored, if that can be told.
    pub missing: Option<u64>,
    /// What came of the export.
    pub imported: Imported,
}

/// What is kept while a repair is under way.
#[derive(Serialize, Deserialize)]
struct Begun {
    /// How many keys there have been, if that was noted.
    keys: Option<u64>,
    /// How many there are without the damaged blocks, once that is known.
    left: Option<u64>,
}

impl Rules<'_> {
    /// Sets damaged blocks and documents of the store in `dir` aside, and restores what was in them
    /// from an export. The store gets a new id, for what comes back has other block numbers. Killed
    /// or stopped, it goes on when it is repeated. `None` if nothing is wrong with the store, which is
    /// then not touched.
    ///
    /// # Errors
    /// As [`check`](Rules::check) and [`Import::file`]; [`StoreError::Corrupt`] if the database itself is
    /// damaged, so that nothing can be mended in it.
    pub fn repair(
        &self,
        dir: &Path,
        export: &Path,
        now: u64,
        watch: Watch<'_>,
    ) -> Result<Option<Repaired>, TravelError> {
        // Nothing is touched unless there is something to restore from.
        verify(export, watch)?;
        let lock = Arc::new(Lock::take(dir)?);
        swap::finish(dir)?;
        let examined = self.examine(&lock, dir, watch)?;
        let (checkup, damage) = examined.ok_or(TravelError::Stopped)?;
        if checkup.count == 0 {
            return Ok(None);
        }
        if damage.has_unreadable {
            let problem = "its database cannot be read in places, and so cannot be mended";
            return Err(StoreError::Corrupt(problem.to_owned()).into());
        }
        let set_aside = readable(dir, || set_aside(dir, &damage))?;
        let store = Store::open_locked(&lock, dir, self.encodings)?;
        let begun = store.get_document(UNDER_WAY)?;
        let begun = begun.and_then(|bytes| serde_json::from_slice::<Begun>(&bytes).ok());
        let keys = begun.as_ref().and_then(|begun| begun.keys);
        let left = match begun.and_then(|begun| begun.left) {
            Some(left) => left,
            None => {
                let left = Some(store.len() as u64);
                store.put_document(UNDER_WAY, &json(&Begun { keys, left })?)?;
                store.len() as u64
            }
        };
        let import = Import::new(&store, self.records, self.encodings, self.results, now);
        let imported = import?.file(export, watch)?;
        store.remove_document(UNDER_WAY)?;
        let restored = (store.len() as u64).saturating_sub(left);
        let lost = keys.map(|keys| keys.saturating_sub(left));
        Ok(Some(Repaired {
            set_aside,
            lost,
            restored,
            missing: lost.map(|lost| lost.saturating_sub(restored)),
            imported,
        }))
    }
}

/// Moves what is damaged into files, and lets the store open again.
fn set_aside(dir: &Path, damage: &Damage) -> Result<Vec<PathBuf>, StoreError> {
    let aside = dir.join(ASIDE);
    let db = open_database(dir)?;
    let [meta, blocks, documents] = ["meta", "blocks", "documents"].map(|tree| db.open_tree(tree));
    let (meta, blocks, documents) = (meta?, blocks?, documents?);
    let disk = Disk::new(db, dir)?;
    let mut kept = Vec::new();
    for number in &damage.blocks {
        if let Some(bytes) = blocks.get(number.to_be_bytes())? {
            let name = format!("block-{number}-{:016x}", xxh3_64(&bytes));
            kept.push(keep(&aside, &name, &bytes).map_err(failed)?);
        }
    }
    for name in &damage.documents {
        if let Some(bytes) = documents.get(name)? {
            let bytes = [name.as_bytes(), b"\n", &bytes].concat();
            let file = format!("document-{:016x}", xxh3_64(&bytes));
            kept.push(keep(&aside, &file, &bytes).map_err(failed)?);
        }
    }
    let keys = Mark::open(dir)?.read().map(|(_, keys)| keys);
    if !documents.contains_key(UNDER_WAY)? {
        documents.insert(UNDER_WAY, json(&Begun { keys, left: None })?)?;
        disk.flush()?;
    }
    for number in &damage.blocks {
        blocks.remove(number.to_be_bytes())?;
    }
    for name in &damage.documents {
        documents.remove(name)?;
    }
    let id = RandomState::new().build_hasher().finish();
    meta.insert(ID_KEY, &id.to_be_bytes())?;
    disk.flush()?;
    // It tells of more keys than there are now.
    fs::remove_file(dir.join(mark::FILE)).map_err(failed)?;
    Ok(kept)
}

/// Writes a file that stays.
fn keep(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    fs::create_dir_all(dir)?;
    let path = dir.join(name);
    let mut file = File::create(&path)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    File::open(dir)?.sync_all()?;
    Ok(path)
}

fn json(begun: &Begun) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(begun).map_err(|error| StoreError::Database(Box::new(error)))
}
