//! Checkpoints of proofs, each a file beside the store.
//!
//! Not in the store, because a checkpoint is large, is written again and again, and may be lost: without
//! it a proof starts over, with all records.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sproutnet_notation::ComputationId;

/// The folder of the checkpoints.
pub(crate) struct Checkpoints {
    folder: PathBuf,
    /// Held while a checkpoint is written, which takes long.
    writing: Mutex<()>,
    /// Held while a checkpoint takes its place or is removed.
    placing: Mutex<()>,
}

impl Checkpoints {
    /// The checkpoints beside a store.
    pub(crate) fn beside(store: &Path) -> io::Result<Self> {
        let folder = store.join("images");
        fs::create_dir_all(&folder)?;
        Ok(Self {
            folder,
            writing: Mutex::default(),
            placing: Mutex::default(),
        })
    }

    /// Keeps the checkpoint of a computation's proof in place of the last; one or the other is there
    /// whatever happens. Once it is written, `is_wanted` says whether to keep it.
    pub(crate) fn put(
        &self,
        computation: ComputationId,
        checkpoint: &[u8],
        is_wanted: impl FnOnce() -> bool,
    ) -> io::Result<()> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.path(computation);
        let fresh = path.with_extension("new");
        let write = || {
            let mut file = File::create(&fresh)?;
            file.write_all(checkpoint)?;
            file.sync_all()
        };
        write().inspect_err(|_| {
            // On a full disk, half a checkpoint would only waste room.
            let _ = fs::remove_file(&fresh);
        })?;
        {
            // Who ends the computation meanwhile removes its checkpoint after this.
            let _placing = self.placing.lock().unwrap_or_else(PoisonError::into_inner);
            if !is_wanted() {
                return fs::remove_file(&fresh);
            }
            fs::rename(&fresh, &path)?;
        }
        File::open(&self.folder)?.sync_all()
    }

    /// The checkpoint of a computation's proof, if there is one that can be read.
    pub(crate) fn get(&self, computation: ComputationId) -> Option<Vec<u8>> {
        let path = self.path(computation);
        match fs::read(&path) {
            Ok(checkpoint) => Some(checkpoint),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!(%error, path = %path.display(), "a checkpoint cannot be read");
                None
            }
        }
    }

    /// Removes the checkpoint of a computation's proof if there is one.
    pub(crate) fn remove(&self, computation: ComputationId) {
        let _placing = self.placing.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.path(computation);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(%error, path = %path.display(), "a checkpoint was not removed");
            }
            _ => {}
        }
    }

    /// Removes all checkpoints.
    pub(crate) fn remove_all(&self) {
        let _placing = self.placing.lock().unwrap_or_else(PoisonError::into_inner);
        let removed = fs::read_dir(&self.folder)
            .and_then(|mut entries| entries.try_for_each(|entry| fs::remove_file(entry?.path())));
        if let Err(error) = removed {
            tracing::warn!(%error, folder = %self.folder.display(), "checkpoints were not removed");
        }
    }

    fn path(&self, computation: ComputationId) -> PathBuf {
        self.folder.join(format!("{computation}.dag"))
    }
}
