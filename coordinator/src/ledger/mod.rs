//! The content of the store: records, results, computations, sources and contradictions.
//!
//! - [`group_commit`]: the requests of several callers go to disk in one write.
//! - [`saved`]: computations on disk.
//! - [`checkpoints`]: a checkpoint of the entries that guide the proofs, in a file.
//! - [`revocation`]: removes the records and results that may rest on an untrusted source.

mod checkpoints;
mod group_commit;
mod revocation;
mod saved;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use humantime::format_rfc3339_seconds;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sproutnet_game as game;
use sproutnet_model::Solved;
use sproutnet_notation::{ComputationId, SourceId};
use sproutnet_query as answer;
use sproutnet_solver::play::{Archive, Knowledge, RecordError};
use sproutnet_store::transfer::{Backup, Complete};
use sproutnet_store::{
    Conflict, KeptContradiction, Origin, SourceOfRecords, Sources, Store, StoreError,
};
use sproutnet_system::causes::with_causes;
use sproutnet_system::disk::{Disk, DiskFull, DiskSpace};
use sproutnet_system::figures::{bytes, moment};
use tokio::sync::watch;

pub(crate) use checkpoints::{Checkpoints, encode as encode_checkpoint};
pub(crate) use group_commit::{Committed, Ticket, WriteRequest};
pub(crate) use saved::{Saved, canonical, qualified};

use crate::locks::{Lock, Rank};
use crate::scheduler::computation::Request;
use crate::{CoordinatorError, Health};
use group_commit::{GroupCommit, NotWritten, Queued};

/// The store, and the requests that wait to be written to it.
pub(crate) struct Ledger {
    store: Store,
    /// Knows only the rules of the games; decides which records are possible.
    rules: Knowledge,
    group_commit: GroupCommit,
    checkpoints: Checkpoints,
    sources: Lock<Sources>,
    /// The document names of sources that may not be durable.
    unsaved_sources: Lock<BTreeMap<u32, String>>,
    /// The store's cursor, watched by feeds.
    cursor: watch::Sender<u64>,
    disk: Disk,
    health: watch::Sender<Health>,
}

impl Ledger {
    /// Opens or creates the store in a folder. `reserve` bytes of its disk are kept free; `None` for 256 MiB, or a
    /// tenth of a smaller disk. A backup becomes a store like any other if `takes_over`, and otherwise is refused.
    pub(crate) fn open(
        data: &Path,
        reserve: Option<u64>,
        takes_over: bool,
    ) -> Result<Self, CoordinatorError> {
        let store = Store::open(data, &game::encodings())?;
        if !takes_over {
            Backup::refuse(&store)?;
        }
        if let Some(Complete { store: of, at }) = Backup::take_over(&store)? {
            tracing::warn!(
                of = format!("{of:016x}"),
                at = %format_rfc3339_seconds(moment(at)),
                "this folder was a backup; from now on it is a store of its own"
            );
        }
        let checkpoints = Checkpoints::beside(data).map_err(CoordinatorError::Checkpoints)?;
        let sources = Sources::of(&store)?;
        let (records, cursor) = (store.len(), store.cursor());
        tracing::info!(records, cursor, "store opened");
        let ledger = Self {
            cursor: watch::Sender::new(cursor),
            store,
            rules: Knowledge::default(),
            group_commit: GroupCommit::default(),
            checkpoints,
            sources: Lock::new(Rank::Sources, sources),
            unsaved_sources: Lock::new(Rank::UnsavedSources, BTreeMap::new()),
            disk: Disk::of(data, reserve),
            health: watch::Sender::default(),
        };
        ledger.finish_revocation()?;
        let newest = ledger
            .sources
            .lock()
            .iter()
            .map(|(_, source)| source.since)
            .max();
        ledger.store.keep_apart(newest.unwrap_or(0));
        Ok(ledger)
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn checkpoints(&self) -> &Checkpoints {
        &self.checkpoints
    }

    pub(crate) fn cursor(&self) -> watch::Receiver<u64> {
        self.cursor.subscribe()
    }

    /// The health of the store, now and whenever it changes.
    pub(crate) fn health(&self) -> watch::Receiver<Health> {
        self.health.subscribe()
    }

    /// Warns of a limit on the store's size, in bytes, that the disk cannot hold: it would be full before.
    pub(crate) fn check_budget(&self, budget: u64) {
        if let Some(capacity) = self.disk.capacity().filter(|&most| most < budget) {
            let (budget, capacity) = (bytes(budget), bytes(capacity));
            tracing::warn!(
                budget,
                capacity,
                "the store budget is more than the disk can hold: it will be full before records leave the store"
            );
        }
    }

    /// The space on the disk. `None` if unknown.
    pub(crate) fn disk_space(&self) -> Option<DiskSpace> {
        self.disk.space()
    }

    /// Whether the disk was full at the last check.
    pub(crate) fn is_disk_full(&self) -> bool {
        self.disk.is_full()
    }

    /// Checks whether the disk is full, and updates the health.
    pub(crate) fn check_disk(&self) -> Result<DiskSpace, DiskFull> {
        let checked = self.disk.check();
        self.health.send_if_modified(|health| {
            let now = checked.map_or_else(Health::DiskFull, |_| Health::Well);
            let was_well = health.is_well();
            if !matches!(health, Health::StoreFailed { .. }) {
                *health = now;
            }
            health.is_well() != was_well
        });
        checked
    }

    /// Knowledge that looks up lands and states in the store.
    pub(crate) fn knowledge(&self) -> Knowledge {
        Knowledge::over(self.archive())
    }

    /// The store as the archive of knowledge.
    pub(crate) fn archive(&self) -> Arc<dyn Archive> {
        Arc::new(self.store.clone())
    }

    /// Checks whether a record is possible by the rules.
    pub(crate) fn admit(&self, key: &[u8], value: u64) -> Result<(), RecordError> {
        self.rules.admit(key, value)
    }

    /// Makes a request durable, with all queued before it.
    pub(crate) fn commit(&self, request: WriteRequest) -> Result<Committed, CoordinatorError> {
        self.wait(self.push(request))
    }

    /// Queues a request for the next commit, after all queued before it. May be called under the lock of the state that
    /// it writes, so that the order of changes is kept.
    pub(crate) fn push(&self, request: WriteRequest) -> Ticket {
        self.group_commit.push(request)
    }

    /// Returns when the request is durable.
    pub(crate) fn wait(&self, ticket: Ticket) -> Result<Committed, CoordinatorError> {
        let write = |requests: &_| self.write(requests);
        let committed = self.group_commit.wait(ticket, write)?;
        self.cursor.send_if_modified(|seen| {
            let is_new = committed.cursor > *seen;
            *seen = committed.cursor.max(*seen);
            is_new
        });
        Ok(committed)
    }

    /// Writes requests unless the disk is full. Notes if the store failed.
    fn write(&self, requests: &[Queued]) -> Result<Vec<Committed>, NotWritten> {
        if requests.iter().any(|queued| !queued.request.is_empty()) {
            self.check_disk().map_err(NotWritten::Full)?;
        }
        let written = group_commit::write(&self.store, &self.rules, requests);
        self.noting(written)
            .map_err(|error| NotWritten::Failed(Arc::new(error)))
    }

    /// Updates the health if the store failed in this write.
    fn noting<T>(&self, written: Result<T, StoreError>) -> Result<T, StoreError> {
        written.inspect_err(|error| {
            if !self.store.has_failed() {
                return;
            }
            self.health.send_if_modified(|health| {
                let is_first = !matches!(health, Health::StoreFailed { .. });
                if is_first {
                    *health = Health::StoreFailed {
                        why: with_causes(error),
                        is_disk_full: error.is_disk_full() || self.disk.check().is_err(),
                    };
                }
                is_first
            });
        })
    }

    /// Makes changes that depend on what is stored, while nothing else is written.
    pub(crate) fn alone(
        &self,
        change: impl FnOnce(&Store) -> Result<(), StoreError>,
    ) -> Result<(), CoordinatorError> {
        self.check_disk()?;
        let changed = self.group_commit.meanwhile(|| change(&self.store));
        Ok(self.noting(changed)?)
    }

    /// Queues a request for the next commit without waiting.
    pub(crate) fn leave(&self, request: WriteRequest) {
        self.group_commit.leave(request);
    }

    /// Makes all queued requests durable.
    pub(crate) fn commit_what_was_left(&self) -> Result<(), CoordinatorError> {
        if self.group_commit.is_waiting() {
            self.commit(WriteRequest::default()).map(drop)
        } else {
            Ok(())
        }
    }

    /// The number of a worker as a source of records. It is durable when this returns.
    pub(crate) fn source(
        &self,
        identity: u64,
        name: &str,
        peer: &str,
    ) -> Result<SourceId, CoordinatorError> {
        let since = self.store.cursor();
        if self.sources.lock().known(identity).is_none() {
            // So that a revocation can remove the records from then on, and no earlier ones.
            self.store.keep_apart(since);
        }
        let source = SourceOfRecords {
            identity,
            name: name.to_owned(),
            peer: peer.to_owned(),
            origin: None,
            since,
            quarantine: None,
        };
        self.add_source(|sources| Ok(sources.number(source)))
    }

    /// The number of a source of another store, whose sources are given. It is durable when this returns.
    pub(crate) fn imported_source(
        &self,
        origin: Origin,
        theirs: &Sources,
    ) -> Result<SourceId, CoordinatorError> {
        let (here, since) = (self.store.id(), self.store.cursor());
        self.store.keep_apart(since);
        self.add_source(|sources| {
            let (number, document) = sources.import(here, since, origin, theirs)?;
            Ok((number, document.map(|(name, _)| name)))
        })
    }

    /// Adds a source, of which `add` returns the number, and if it is new the name of its document.
    fn add_source(
        &self,
        add: impl FnOnce(&mut Sources) -> Result<(u32, Option<String>), CoordinatorError>,
    ) -> Result<SourceId, CoordinatorError> {
        let (number, ticket) = {
            let mut sources = self.sources.lock();
            let (number, new) = add(&mut sources)?;
            let mut unsaved = self.unsaved_sources.lock();
            unsaved.extend(new.map(|name| (number, name)));
            let mut request = WriteRequest::default();
            // A full disk may have prevented an earlier write.
            if let (Some(name), Some(source)) = (unsaved.get(&number), sources.get(number)) {
                request.document(name.clone(), source)?;
            }
            (number, self.push(request))
        };
        self.wait(ticket)?;
        self.unsaved_sources.lock().remove(&number);
        Ok(SourceId(number))
    }

    /// Both sides of a contradiction, with their sources, at this time in seconds since 1970.
    pub(crate) fn contradicted(&self, conflict: &Conflict, now: u64) -> KeptContradiction {
        KeptContradiction::of(conflict, &self.sources.lock(), now)
    }

    /// Stores both sides of a contradiction as a document. The first record remains the known one. On a full disk, the
    /// document waits for room. Logs and returns a description.
    pub(crate) fn keep_contradiction(
        &self,
        conflict: &Conflict,
    ) -> Result<String, CoordinatorError> {
        let kept = self.contradicted(conflict, crate::seconds_since_1970());
        let document = (kept.name(), write(&kept.name(), &kept)?);
        let rules = Knowledge::default();
        let in_words = |value| answer::in_words(&rules, &conflict.key, value);
        let (known, new) = (in_words(conflict.known), in_words(conflict.new));
        let (known_from, new_from) = (kept.known_from, kept.new_from);
        let described =
            format!("contradiction: {known_from} proved `{known}`, {new_from} says `{new}`");
        tracing::error!("{described}");
        let written = self.commit(WriteRequest {
            contradictions: vec![document],
            ..WriteRequest::default()
        });
        match written {
            Ok(_) | Err(CoordinatorError::DiskFull(_)) => Ok(described),
            Err(error) => Err(error),
        }
    }

    /// The stored result for a request, if it is complete: a request for the nimber needs a result with one.
    pub(crate) fn result_of(&self, request: &Request) -> Result<Option<Solved>, CoordinatorError> {
        let Request { play, nimber, .. } = *request;
        let name = Solved::name(request.game, play, &canonical(request));
        let solved: Option<Solved> = self.document(&name)?;
        Ok(solved.filter(|solved| solved.nimber.is_some() || !nimber))
    }

    /// All computations in the store, with their numbers.
    pub(crate) fn computations(&self) -> Result<Vec<(ComputationId, Saved)>, CoordinatorError> {
        self.documents(saved::PREFIX)
            .filter_map(|found| match found {
                Ok((name, saved)) => Some(Ok((saved::number(&name)?, saved))),
                Err(error) => Some(Err(error)),
            })
            .collect()
    }

    /// The document with this name, if there is one.
    pub(crate) fn document<T: DeserializeOwned>(
        &self,
        name: &str,
    ) -> Result<Option<T>, CoordinatorError> {
        let bytes = self.store.get_document(name)?;
        bytes.map(|bytes| read(name, &bytes)).transpose()
    }

    /// All documents whose names begin with the prefix.
    pub(crate) fn values<T: DeserializeOwned>(
        &self,
        prefix: &str,
    ) -> Result<Vec<T>, CoordinatorError> {
        let values = self.documents(prefix);
        values.map(|found| Ok(found?.1)).collect()
    }

    /// All documents whose names begin with the prefix, with their names.
    pub(crate) fn documents<T: DeserializeOwned>(
        &self,
        prefix: &str,
    ) -> impl Iterator<Item = Result<(String, T), CoordinatorError>> + use<T> {
        self.store.scan_documents(prefix).map(|document| {
            let (name, bytes) = document?;
            let value = read(&name, &bytes)?;
            Ok((name, value))
        })
    }
}

fn read<T: DeserializeOwned>(name: &str, bytes: &[u8]) -> Result<T, CoordinatorError> {
    let read = serde_json::from_slice(bytes);
    read.map_err(|error| CoordinatorError::Document(name.to_owned(), error))
}

fn write<T: Serialize>(name: &str, value: &T) -> Result<Vec<u8>, CoordinatorError> {
    let written = serde_json::to_vec(value);
    written.map_err(|error| CoordinatorError::Document(name.to_owned(), error))
}

#[cfg(test)]
mod tests;
