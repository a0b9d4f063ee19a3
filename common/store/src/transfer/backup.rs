//! A backup of a store in use elsewhere: a folder with all of its content, from which a coordinator can start.
//!
//! Each pass copies the blocks that are new, and the documents that changed. The backup is a store of its own, with its
//! own id and numbers of blocks. A source is revoked by the cursor before its first record, so the backup keeps which of
//! its cursors corresponds to which one of the other store.

use super::{
    REVOCATION, SOURCES, UNDER_WAY,
    mirror::{self, Mirror, MirrorCursor, beside, remove_if_there},
};
use crate::{
    DocumentChange, Mark, Store, StoreError, Unusable,
    documents::{REPAIR, json},
    sources,
};
use serde::{Deserialize, Serialize};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// The name of the document with the [`State`].
const STATE: &str = "backup";

/// What a folder's name is followed by while a backup that was complete is replaced, because records were revoked.
const REPLACED: &str = ".before";

/// Whether a document is of no use in another store, because it is about the blocks or the work of one store.
pub fn is_of_one_store(name: &str) -> bool {
    [mirror::PLACE, STATE, REPAIR, REVOCATION].contains(&name) || name.starts_with(UNDER_WAY)
}

/// A complete pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Complete {
    /// The [id](Store::id) of the store that was backed up.
    pub store: u64,
    /// When it ended, in seconds since 1970.
    pub at: u64,
}

/// What a backup needs to go on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct State {
    /// The last complete pass.
    complete: Option<Complete>,
    /// Cursors of the other store, and those that the backup had when it held all records up to them, and no others.
    cursors: BTreeMap<u64, u64>,
}

impl State {
    /// The cursor of the backup for one of the other store. If it is not known exactly, this is a lower one: then a
    /// revocation removes more.
    fn translate(&self, cursor: u64) -> u64 {
        let known = self.cursors.range(..=cursor).next_back();
        known.map_or(0, |(_, &cursor)| cursor)
    }
}

/// The backup of a store in use elsewhere.
pub struct Backup {
    mirror: Mirror,
    state: State,
    /// The documents that this pass brought.
    documents: BTreeMap<String, Vec<u8>>,
    /// The cursors before the first records of sources.
    boundaries: BTreeSet<u64>,
}

impl Backup {
    /// Opens the backup in a folder, or begins one.
    ///
    /// # Errors
    /// Those of [`Mirror::open`].
    pub fn open(dir: &Path, encodings: &[(&str, u32)]) -> Result<Self, StoreError> {
        Self::of(Mirror::open(dir, encodings)?)
    }

    fn of(mirror: Mirror) -> Result<Self, StoreError> {
        let state: State = mirror.store().progress(STATE)?.unwrap_or_default();
        let newest = state.cursors.values().max();
        mirror.store().keep_apart(newest.copied().unwrap_or(0));
        Ok(Self {
            mirror,
            state,
            documents: BTreeMap::new(),
            boundaries: BTreeSet::new(),
        })
    }

    /// The current progress.
    pub fn place(&self) -> MirrorCursor {
        self.mirror.place()
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.mirror.records()
    }

    /// Starts a new backup of the same store, in which records were revoked. A complete backup stays beside it, in the
    /// folder with `.before` after its name, until the new one is complete.
    ///
    /// # Errors
    /// [`Unusable::OtherBackup`] if the place is one of another store. [`Unusable::RolledBack`] if the store lost what
    /// the backup has, but not by a revocation: then the backup may be the only copy of it. [`StoreError::File`], and
    /// those of [`Backup::open`].
    pub fn restart(
        self,
        place: MirrorCursor,
        encodings: &[(&str, u32)],
    ) -> Result<Self, StoreError> {
        let dir = self.mirror.dir().to_owned();
        let from = self.place();
        let refused = if from.store != 0 && from.store != place.store {
            Some(Unusable::OtherBackup(from.store, place.store))
        } else {
            // A revocation begins a later epoch.
            (from.cursor > 0 && from.epoch >= place.epoch).then_some(Unusable::RolledBack)
        };
        if let Some(reason) = refused {
            return Err(StoreError::Unusable { path: dir, reason });
        }
        let mirror = if self.state.complete.is_some() {
            let replaced = beside(&dir, REPLACED);
            remove_if_there(&replaced)?;
            self.mirror.rename(&replaced)?;
            Mirror::open(&dir, encodings)?
        } else {
            self.mirror
        };
        Self::of(mirror.restart(place, encodings)?)
    }

    /// Adds the next block of the other store.
    ///
    /// # Errors
    /// Those of [`Mirror::add_block`].
    pub fn add_block(&mut self, at: Mark, bytes: &[u8]) -> Result<(), StoreError> {
        let crossed = self.boundaries.range(self.place().cursor..at.cursor);
        let crossed: Vec<u64> = crossed.copied().collect();
        if !crossed.is_empty() {
            self.commit()?;
            let cursor = self.mirror.store().cursor();
            self.mirror.store().keep_apart(cursor);
            let crossed = crossed.into_iter().map(|boundary| (boundary, cursor));
            self.state.cursors.extend(crossed);
        }
        if self.mirror.push_block(at, bytes)? {
            self.commit()?;
        }
        Ok(())
    }

    /// Adds a document.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if it is malformed.
    pub fn add_document(&mut self, name: String, bytes: Vec<u8>) -> Result<(), StoreError> {
        if name.starts_with(SOURCES) {
            self.boundaries.insert(source(&name, &bytes)?.1.since);
        }
        if !is_of_one_store(&name) {
            self.documents.insert(name, bytes);
        }
        Ok(())
    }

    /// Ends a pass that was interrupted: makes the added blocks durable. The documents stay those of the last complete
    /// pass, except that all sources are there.
    ///
    /// # Errors
    /// Those of writing the store.
    pub fn interrupt(&mut self) -> Result<(), StoreError> {
        self.commit()?;
        self.documents.clear();
        Ok(())
    }

    /// Ends a complete pass at this time, in seconds since 1970: makes everything durable, and removes the documents
    /// that were not sent. Returns the number of documents that changed.
    ///
    /// # Errors
    /// Those of writing the store.
    pub fn complete(&mut self, now: u64) -> Result<usize, StoreError> {
        if self.mirror.is_pending() || self.state.complete.is_none() {
            self.commit()?;
        }
        let MirrorCursor { store, cursor, .. } = self.place();
        let here = self.mirror.store().cursor();
        self.state.cursors.insert(cursor, here);
        let boundaries = self.boundaries.iter().chain([&cursor]);
        let cursors = boundaries.map(|&of| (of, self.state.translate(of)));
        self.state.cursors = cursors.collect();
        self.state.complete = Some(Complete { store, at: now });
        let mut documents = std::mem::take(&mut self.documents);
        self.translate(&mut documents)?;
        let mut changed = Vec::new();
        for known in self.mirror.store().scan_documents("") {
            let (name, bytes) = known?;
            match documents.remove(&name) {
                Some(new) if new == bytes => {}
                Some(new) => changed.push((name, Some(new))),
                None if is_of_one_store(&name) => {}
                None => changed.push((name, None)),
            }
        }
        changed.extend(documents.into_iter().map(|(name, new)| (name, Some(new))));
        let state = json(&self.state)?;
        let mut changes: Vec<DocumentChange<'_>> = changed
            .iter()
            .map(|(name, bytes)| (&**name, bytes.as_deref()))
            .collect();
        changes.push((STATE, Some(&state)));
        self.mirror.store().change_documents(&changes)?;
        remove_if_there(&beside(self.mirror.dir(), REPLACED))?;
        Ok(changed.len())
    }

    #[cfg(test)]
    pub(super) fn mirror(&self) -> &Mirror {
        &self.mirror
    }

    /// Makes the added blocks durable, after the sources that were sent.
    fn commit(&mut self) -> Result<(), StoreError> {
        let sources = self.documents.iter();
        let mut sources: BTreeMap<String, Vec<u8>> = sources
            .filter(|(name, _)| name.starts_with(SOURCES))
            .map(|(name, bytes)| (name.clone(), bytes.clone()))
            .collect();
        self.translate(&mut sources)?;
        let state = json(&self.state)?;
        let sources = sources.iter();
        let mut changes: Vec<DocumentChange<'_>> = sources
            .map(|(name, bytes)| (&**name, Some(&**bytes)))
            .collect();
        changes.push((STATE, Some(&state)));
        self.mirror.commit_with(&changes)
    }

    /// Translates the cursors of sources to those of the backup.
    fn translate(&self, documents: &mut BTreeMap<String, Vec<u8>>) -> Result<(), StoreError> {
        for (name, bytes) in documents.range_mut(SOURCES.to_owned()..) {
            if !name.starts_with(SOURCES) {
                break;
            }
            let (_, mut source) = source(name, bytes)?;
            source.since = self.state.translate(source.since);
            *bytes = json(&source)?;
        }
        Ok(())
    }

    /// Checks that the store is not a backup.
    ///
    /// # Errors
    /// [`Unusable::Backup`]; those of reading the store.
    pub fn refuse(store: &Store) -> Result<(), StoreError> {
        if store.get_document(mirror::PLACE)?.is_none() {
            return Ok(());
        }
        let path = store.inner.db.dir().to_owned();
        let reason = Unusable::Backup;
        Err(StoreError::Unusable { path, reason })
    }

    /// Makes a backup a store like any other, if the store is one: with an id of its own, since copies of one backup may
    /// go different ways. Returns its last complete pass.
    ///
    /// # Errors
    /// [`Unusable::UnfinishedBackup`]; those of writing the store.
    pub fn take_over(store: &Store) -> Result<Option<Complete>, StoreError> {
        if store.get_document(mirror::PLACE)?.is_none() {
            return Ok(None);
        }
        let state: State = store.progress(STATE)?.unwrap_or_default();
        if state.complete.is_none() {
            let path = store.inner.db.dir().to_owned();
            let reason = Unusable::UnfinishedBackup;
            return Err(StoreError::Unusable { path, reason });
        }
        store.renew_id()?;
        store.change_documents(&[(mirror::PLACE, None), (STATE, None)])?;
        Ok(state.complete)
    }
}

fn source(name: &str, bytes: &[u8]) -> Result<(u32, crate::SourceOfRecords), StoreError> {
    sources::read(name, bytes).map_err(|problem| {
        StoreError::Corrupt(format!("its document `{name}` is malformed: {problem}"))
    })
}
