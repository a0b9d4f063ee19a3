//! A copy of the records, sources and results of a store in use elsewhere, from which an export is written.
//!
//! The other store sends its blocks in the order of their numbers. They are written to a store of their own, with the
//! number of the last one, so that an interrupted copy resumes there.

use super::{Export, Exported, RESULTS, SOURCES};
use crate::{
    Batch, DocumentChange, Mark, Store, StoreError, Unusable, Watch,
    documents::{Document, json},
    folder::is_own,
};
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, DirBuilder},
    io, mem,
    os::unix::fs::{DirBuilderExt, MetadataExt},
    path::{Path, PathBuf},
};

/// The maximum number of records in a merge.
const AT_A_TIME: usize = 1 << 16;

/// The name of the document with the [`MirrorCursor`].
pub(super) const PLACE: &str = "mirror";

/// The progress of a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MirrorCursor {
    /// The [id](Store::id) of the other store.
    pub store: u64,
    /// Its [epoch](Store::epoch).
    pub epoch: u64,
    /// The number of the last copied block.
    pub cursor: u64,
    /// The timeline of that block; 0 if it is not known, as in copies by earlier versions.
    #[serde(default)]
    pub timeline: u64,
}

/// The copy of a store in use elsewhere.
pub struct Mirror {
    store: Store,
    dir: PathBuf,
    place: MirrorCursor,
    pending: Batch,
    documents: Vec<Document>,
}

impl Mirror {
    /// Opens the copy in a folder, or begins one.
    ///
    /// # Errors
    /// Those of [`Store::open`]; [`StoreError::Unusable`] if the folder holds another store or other files, or is a mount
    /// point.
    pub fn open(dir: &Path, encodings: &[(&str, u32)]) -> Result<Self, StoreError> {
        // A folder behind a link is renamed, and the link stays.
        let dir = &fs::canonicalize(dir).unwrap_or_else(|_| dir.components().collect());
        if !Store::is_in(dir) {
            only_own_files(dir)?;
        }
        if is_mount_point(dir) {
            let (path, reason) = (dir.into(), Unusable::MountPoint);
            return Err(StoreError::Unusable { path, reason });
        }
        remove_if_there(&discarded(dir))?;
        if !dir.exists() {
            // Documents have secrets, such as those of matches.
            let created = DirBuilder::new().recursive(true).mode(0o700).create(dir);
            created.map_err(StoreError::file(dir))?;
        }
        let store = Store::open(dir, encodings)?;
        let place = match store.progress(PLACE)? {
            Some(place) => place,
            None if store.cursor() == 0 && store.scan_documents("").next().is_none() => {
                let place = MirrorCursor::default();
                store.put_document(PLACE, &json(&place)?)?;
                place
            }
            None => {
                let (path, reason) = (dir.into(), Unusable::NoMirror);
                return Err(StoreError::Unusable { path, reason });
            }
        };
        Ok(Self {
            store,
            dir: dir.into(),
            place,
            pending: Batch::default(),
            documents: Vec::new(),
        })
    }

    /// The current progress.
    pub fn place(&self) -> MirrorCursor {
        self.place
    }

    /// The number of copied records.
    pub fn records(&self) -> u64 {
        self.store.len() as u64
    }

    /// Removes the copy, and starts a new one at a place of another store or epoch.
    ///
    /// # Errors
    /// [`StoreError::File`], and those of [`Mirror::open`].
    pub fn restart(
        self,
        place: MirrorCursor,
        encodings: &[(&str, u32)],
    ) -> Result<Self, StoreError> {
        let dir = self.dir.clone();
        self.remove()?;
        let mut restarted = Self::open(&dir, encodings)?;
        restarted.place = place;
        Ok(restarted)
    }

    /// Adds the next block of the other store, whose state up to this block has this mark. The timeline is 0 if it is
    /// not known.
    ///
    /// # Errors
    /// [`StoreError::CorruptBlock`] if the bytes are not a block; those of writing the store.
    pub fn add_block(&mut self, at: Mark, bytes: &[u8]) -> Result<(), StoreError> {
        if self.push_block(at, bytes)? {
            self.commit()
        } else {
            Ok(())
        }
    }

    /// Adds a block, and returns whether it is time to commit.
    pub(super) fn push_block(&mut self, at: Mark, bytes: &[u8]) -> Result<bool, StoreError> {
        self.pending.push_stored(at.cursor, bytes)?;
        (self.place.cursor, self.place.timeline) = (at.cursor, at.timeline);
        Ok(self.pending.len() >= AT_A_TIME)
    }

    /// Whether added blocks are not durable yet.
    pub(super) fn is_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// The store of the copy.
    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// Adds a result or a source. Other documents are ignored: they belong to the other store alone.
    pub fn add_document(&mut self, name: String, bytes: Vec<u8>) {
        if [RESULTS, SOURCES].iter().any(|kind| name.starts_with(kind)) {
            self.documents.push((name, bytes));
        }
    }

    /// Makes the added blocks and documents durable.
    ///
    /// # Errors
    /// Those of writing the store.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        let documents = mem::take(&mut self.documents);
        let changes = documents.iter();
        let changes: Vec<DocumentChange<'_>> = changes
            .map(|(name, bytes)| (&**name, Some(&**bytes)))
            .collect();
        self.commit_with(&changes)
    }

    /// Makes the added blocks and these changes durable.
    pub(super) fn commit_with(&mut self, changes: &[DocumentChange<'_>]) -> Result<(), StoreError> {
        let place = json(&self.place)?;
        let changes = [changes, &[(PLACE, Some(&*place))]].concat();
        // The highest block has the newest value of a key.
        let newest = |_: &[u8], _, new| Some(new);
        self.store
            .merge_with(&self.pending.records(), newest, &changes)?;
        self.pending.clear();
        Ok(())
    }

    /// Writes the export that the other store would write, then removes the copy. See [`Export::write`].
    ///
    /// # Errors
    /// Those of [`Export::write`]; after [`StoreError::Stopped`] the copy is still there.
    pub fn export(
        mut self,
        export: &Export<'_>,
        path: &Path,
        watch: Watch<'_>,
    ) -> Result<Exported, StoreError> {
        self.commit()?;
        let MirrorCursor { store, cursor, .. } = self.place;
        let exported = export.write_as(&self.store, store, cursor, path, watch)?;
        self.remove()?;
        Ok(exported)
    }

    /// Removes the folder. A kill at any moment leaves a whole copy, or a folder that the next [`open`](Self::open)
    /// removes.
    fn remove(self) -> Result<(), StoreError> {
        let discarded = discarded(&self.dir);
        self.rename(&discarded)?;
        remove_if_there(&discarded)
    }

    /// Closes the copy, and renames its folder, which is removed later.
    pub(super) fn rename(self, to: &Path) -> Result<(), StoreError> {
        let Self { store, dir, .. } = self;
        only_own_files(&dir)?;
        // Closed first: an open database would write its files again.
        drop(store);
        fs::rename(&dir, to).map_err(StoreError::file(&dir))
    }

    /// The folder of the copy.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }
}

/// Checks that a folder that may be removed later holds nothing but the files of a store.
fn only_own_files(dir: &Path) -> Result<(), StoreError> {
    for entry in fs::read_dir(dir).into_iter().flatten() {
        let name = entry.map_err(StoreError::file(dir))?.file_name();
        if !is_own(&name) {
            let (path, reason) = (dir.into(), Unusable::OtherFiles(name.display().to_string()));
            return Err(StoreError::Unusable { path, reason });
        }
    }
    Ok(())
}

/// Whether another disk begins at this folder.
pub(super) fn is_mount_point(dir: &Path) -> bool {
    let disk = |dir: &Path| fs::metadata(dir).map(|metadata| metadata.dev());
    let above = dir.parent().map(disk);
    matches!((disk(dir), above), (Ok(here), Some(Ok(above))) if here != above)
}

/// The name of the folder `dir` while it is removed.
fn discarded(dir: &Path) -> PathBuf {
    beside(dir, ".discarded")
}

/// The path with something after its last name.
pub(super) fn beside(dir: &Path, suffix: &str) -> PathBuf {
    let mut name = dir.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Removes a folder if it exists.
pub(super) fn remove_if_there(dir: &Path) -> Result<(), StoreError> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::file(dir)(error)),
        _ => Ok(()),
    }
}
