//! Imports exports into the store while it is in use.

use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sproutnet_certificate::Progress;
use sproutnet_store::transfer::{self, Imported, Target, Written};
use sproutnet_store::{
    Batch, Conflict, KeptContradiction, Origin, Quarantine, Sources, Store, StoreError,
};
use tempfile::NamedTempFile;

use super::core::Core;
use crate::ledger::WriteRequest;
use crate::locks::Lock;
use crate::{CoordinatorError, audit_log, with_rules};

/// The folder of arriving files, beside the database.
const FOLDER: &str = "incoming";

/// The number of bytes between two looks at the disk.
const AT_A_TIME: u64 = 16 << 20;

/// Imports exports.
pub struct Imports {
    pub(super) core: Arc<Core>,
    /// Where files are kept while they are imported.
    pub(super) folder: PathBuf,
    /// Held while a file is imported.
    pub(super) importing: Lock<()>,
}

impl Imports {
    /// The folder of arriving files in that of the store. What an earlier process left there is removed.
    pub(super) fn folder(data: &Path) -> PathBuf {
        let folder = data.join(FOLDER);
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    /// Imports an export. The whole file arrives and is checked before anything of it is imported. [`Progress::stop`]
    /// ends the import; the records that were imported by then stay.
    ///
    /// # Errors
    /// [`CoordinatorError::Full`] while another file is imported; [`CoordinatorError::Invalid`] if the file cannot be
    /// imported; [`CoordinatorError::NotNow`] if it contradicts the store, which keeps both sides;
    /// [`CoordinatorError::Stopped`]; [`CoordinatorError::DiskFull`], or the store failed.
    pub fn import(
        &self,
        file: impl BufRead,
        progress: &Progress,
    ) -> Result<Imported, CoordinatorError> {
        let Some(_turn) = self.importing.try_lock() else {
            return Err(CoordinatorError::Full("another file is being imported"));
        };
        let arrived = self.receive(file, progress)?;
        let mut watch = |_| {
            if progress.is_stopped() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let now = crate::seconds_since_1970();
        let imported = with_rules(|rules| {
            transfer::import_file(&*self.core, rules, now, arrived.path(), &mut watch)
        });
        let imported = imported.map_err(told)?;
        self.core.log(audit_log::imported(&imported));
        Ok(imported)
    }

    /// Writes the file to the disk.
    fn receive(
        &self,
        mut file: impl BufRead,
        progress: &Progress,
    ) -> Result<NamedTempFile, CoordinatorError> {
        let failed = |source| StoreError::File {
            path: self.folder.clone(),
            source,
        };
        fs::create_dir_all(&self.folder).map_err(failed)?;
        let mut arrived = NamedTempFile::new_in(&self.folder).map_err(failed)?;
        loop {
            self.core.ledger.check_disk()?;
            let copied = io::copy(&mut file.by_ref().take(AT_A_TIME), &mut arrived);
            if progress.is_stopped() {
                return Err(CoordinatorError::Stopped);
            }
            if copied.map_err(failed)? == 0 {
                arrived.flush().map_err(failed)?;
                return Ok(arrived);
            }
        }
    }
}

/// The error of an import as its sender sees it, who does not know the file by the name that it has here.
fn told(error: CoordinatorError) -> CoordinatorError {
    let CoordinatorError::Store(error) = error else {
        return error;
    };
    match &*error {
        StoreError::Unusable { reason, .. } => {
            CoordinatorError::Invalid(format!("the file{reason}"))
        }
        StoreError::Contradiction(text) => CoordinatorError::NotNow(text.clone()),
        StoreError::Stopped => CoordinatorError::Stopped,
        _ => CoordinatorError::Store(error),
    }
}

/// A store in use.
impl Target for Core {
    type Error = CoordinatorError;

    fn store(&self) -> &Store {
        self.ledger.store()
    }

    fn source(&self, origin: Origin, theirs: &Sources) -> Result<u32, CoordinatorError> {
        Ok(self.ledger.imported_source(origin, theirs)?.0)
    }

    fn quarantine(&self, source: u32) -> Option<Quarantine> {
        self.ledger.quarantine(source.into())
    }

    fn write(
        &self,
        records: Batch,
        documents: Vec<(String, Vec<u8>)>,
    ) -> Result<Written, CoordinatorError> {
        let records = Arc::new(records);
        let committed = self.ledger.commit(WriteRequest {
            records: Arc::clone(&records),
            documents,
            ..WriteRequest::default()
        })?;
        self.keep_contradictions(&committed.conflicts)?;
        let knowledge = self.knowledge();
        for record in records.iter() {
            let is_conflict = |conflict: &Conflict| *conflict.key == *record.key;
            if !committed.conflicts.iter().any(is_conflict) {
                // Only what a computation has met is kept in memory.
                let _ = knowledge.learn(record.key, record.value);
            }
        }
        Ok(Written {
            new: committed.new,
            conflicts: committed.conflicts,
        })
    }

    fn alone(
        &self,
        change: &mut dyn FnMut(&Store) -> Result<(), StoreError>,
    ) -> Result<(), CoordinatorError> {
        self.ledger.alone(change)
    }

    fn contradicted(&self, conflict: &Conflict, now: u64) -> KeptContradiction {
        self.ledger.contradicted(conflict, now)
    }
}
