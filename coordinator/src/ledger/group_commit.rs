//! Group commit: the requests of several callers go to disk in one write.
//!
//! A flush to disk takes milliseconds, and a report must not be acknowledged before it. So callers wait while a write
//! is under way, and the first of them then writes for all.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Serialize;
use sproutnet_notation::Epoch;
use sproutnet_solver::play::{Knowledge, Record};
use sproutnet_store::{Batch, Conflict, OWN, Sourced, Store, StoreError};
use sproutnet_system::disk::DiskFull;

use crate::CoordinatorError;
use crate::locks::{Lock, Rank};

/// The changes of one caller.
#[derive(Default)]
pub(crate) struct WriteRequest {
    /// The epoch of the store on which its records and results rest. If this epoch has ended, the whole request is
    /// dropped.
    pub(crate) epoch: Option<Epoch>,
    /// Records of a worker, already checked.
    pub(crate) records: Arc<Batch>,
    /// Records proved in this process.
    pub(crate) own: Vec<Record>,
    /// Documents to write, each with its name.
    pub(crate) documents: Vec<(String, Vec<u8>)>,
    /// Names of documents to remove.
    pub(crate) removed: Vec<String>,
    /// Documents of contradictions. They survive a full disk, since nobody sends them again.
    pub(crate) contradictions: Vec<(String, Vec<u8>)>,
}

impl WriteRequest {
    /// Adds a document, written as JSON.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn document(
        &mut self,
        name: String,
        document: &impl Serialize,
    ) -> Result<(), CoordinatorError> {
        let bytes = super::write(&name, document)?;
        self.documents.push((name, bytes));
        Ok(())
    }

    /// Whether there is nothing to write.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { records, own, .. } = self;
        let says_nothing = records.is_empty() && own.is_empty();
        let changes_nothing = self.documents.is_empty() && self.removed.is_empty();
        says_nothing && changes_nothing && self.contradictions.is_empty()
    }

    /// The part of it that waits while the disk is full.
    fn kept(self) -> Self {
        Self {
            epoch: self.epoch,
            own: self.own,
            contradictions: self.contradictions,
            ..Self::default()
        }
    }
}

/// The result of a request.
#[derive(Debug, Default)]
pub(crate) struct Committed {
    /// The number of its records that were new to the store.
    pub(crate) new: u64,
    /// The positions of its new records, each with the value known before. Worker records come first, then own ones.
    pub(crate) news: Vec<(usize, Option<u64>)>,
    /// The request was dropped, because its epoch has ended.
    pub(crate) is_void: bool,
    /// Its records that contradicted known ones. The others are durable.
    pub(crate) conflicts: Vec<Conflict>,
    /// The store's cursor after it.
    pub(crate) cursor: u64,
}

/// Why a request was not written.
#[derive(Clone, Debug)]
pub(crate) enum NotWritten {
    /// The disk is full.
    Full(DiskFull),
    /// The store failed; the request may be durable or not.
    Failed(Arc<StoreError>),
}

impl From<NotWritten> for CoordinatorError {
    fn from(error: NotWritten) -> Self {
        match error {
            NotWritten::Full(full) => full.into(),
            NotWritten::Failed(error) => Self::Store(error),
        }
    }
}

type CommitResult = Result<Committed, NotWritten>;

/// A request that waits to be written.
pub(crate) struct Queued {
    pub(super) request: WriteRequest,
    /// Whether a caller waits for its outcome.
    is_awaited: bool,
}

/// The number of a request, in the order in which requests are written.
#[must_use = "what is pushed with a ticket is to be waited for"]
pub(crate) struct Ticket(u64);

/// The waiting requests, and the outcomes of the written ones.
pub(crate) struct GroupCommit {
    waiting: Lock<Waiting>,
    /// Held while writing.
    turn: Lock<()>,
}

#[derive(Default)]
struct Waiting {
    /// The number of the first waiting request.
    first: u64,
    requests: Vec<Queued>,
    /// The outcomes not yet collected by their callers, by request number.
    outcomes: HashMap<u64, CommitResult>,
}

impl Default for GroupCommit {
    fn default() -> Self {
        Self {
            waiting: Lock::new(Rank::WriteQueue, Waiting::default()),
            turn: Lock::new(Rank::Write, ()),
        }
    }
}

impl GroupCommit {
    /// Runs `act` while nothing is written.
    pub(crate) fn meanwhile<T>(&self, act: impl FnOnce() -> T) -> T {
        let _turn = self.turn.lock();
        act()
    }

    /// Queues a request, in the order of calls. Does not block for long, so it may be called under the lock of the
    /// state that it writes.
    pub(crate) fn push(&self, request: WriteRequest) -> Ticket {
        Ticket(self.add(request, true))
    }

    /// Resolves a ticket: when this returns, the request and all before it are durable. `write` writes requests, and
    /// returns the outcome of each.
    ///
    /// # Errors
    /// The disk is full, or the store failed. While the disk is full, records proved in this process and
    /// contradictions keep waiting.
    pub(crate) fn wait(
        &self,
        Ticket(number): Ticket,
        write: impl FnOnce(&[Queued]) -> Result<Vec<Committed>, NotWritten>,
    ) -> CommitResult {
        let _turn = self.turn.lock();
        if let Some(outcome) = self.waiting.lock().outcomes.remove(&number) {
            return outcome;
        }
        self.write_all(write);
        let outcome = self.waiting.lock().outcomes.remove(&number);
        outcome.expect("all requests that waited are written now")
    }

    /// Queues a request for the next commit without waiting.
    pub(crate) fn leave(&self, request: WriteRequest) {
        if !request.is_empty() {
            self.add(request, false);
        }
    }

    /// Whether there are queued requests.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.waiting.lock().requests.is_empty()
    }

    fn add(&self, request: WriteRequest, is_awaited: bool) -> u64 {
        let mut waiting = self.waiting.lock();
        waiting.requests.push(Queued {
            request,
            is_awaited,
        });
        waiting.first + waiting.requests.len() as u64 - 1
    }

    /// Writes all queued requests.
    fn write_all(&self, write: impl FnOnce(&[Queued]) -> Result<Vec<Committed>, NotWritten>) {
        let (first, requests) = {
            let mut waiting = self.waiting.lock();
            let requests = std::mem::take(&mut waiting.requests);
            let first = waiting.first;
            waiting.first += requests.len() as u64;
            (first, requests)
        };
        let outcomes: Vec<CommitResult> = match write(&requests) {
            Ok(all) => all.into_iter().map(Ok).collect(),
            Err(error) => requests.iter().map(|_| Err(error.clone())).collect(),
        };
        let mut waiting = self.waiting.lock();
        for ((number, outcome), queued) in (first..).zip(outcomes).zip(requests) {
            let Queued {
                request,
                is_awaited,
            } = queued;
            let outcome = match outcome {
                Err(NotWritten::Full(_)) if request.is_empty() => Ok(Committed::default()),
                outcome => outcome,
            };
            if let Err(NotWritten::Full(_)) = &outcome {
                let kept = request.kept();
                if !kept.is_empty() {
                    waiting.requests.push(Queued {
                        request: kept,
                        is_awaited: false,
                    });
                }
            }
            if is_awaited {
                waiting.outcomes.insert(number, outcome);
            }
        }
    }
}

/// Writes requests as one; returns the result of each.
pub(crate) fn write<'r>(
    store: &Store,
    rules: &Knowledge,
    requests: &'r [Queued],
) -> Result<Vec<Committed>, StoreError> {
    let requests = requests.iter().map(|queued| &queued.request);
    let epoch = store.epoch();
    let is_void = |request: &WriteRequest| request.epoch.is_some_and(|known| known != epoch);
    let count = |request: &WriteRequest| request.records.len() + request.own.len();
    let mut records = Vec::with_capacity(requests.clone().map(count).sum());
    let mut ends = Vec::new();
    let mut documents = Vec::new();
    for request in requests.clone() {
        if is_void(request) {
            ends.push(records.len());
            continue;
        }
        records.extend(request.records.iter());
        records.extend(request.own.iter().map(|record| Sourced::of(record, OWN)));
        ends.push(records.len());
        let bytes = |(name, bytes): &'r (String, Vec<u8>)| (name.as_str(), Some(bytes.as_slice()));
        let kept = request.documents.iter().chain(&request.contradictions);
        documents.extend(kept.map(bytes));
        documents.extend(request.removed.iter().map(|name| (name.as_str(), None)));
    }
    let rule = |key: &[u8], known, new| rules.both(key, known, new);
    let merged = store.merge_with(&records, rule, &documents)?;
    let empty = |request| Committed {
        is_void: is_void(request),
        cursor: merged.cursor,
        ..Committed::default()
    };
    let mut committed: Vec<Committed> = requests.clone().map(empty).collect();
    // The records of a request end where those of the next begin.
    let request_of = |position| ends.partition_point(|&end| end <= position);
    let begin_of = |request: usize| request.checked_sub(1).map_or(0, |before| ends[before]);
    for (position, known) in merged.which {
        let request = request_of(position);
        committed[request].new += 1;
        committed[request]
            .news
            .push((position - begin_of(request), known));
    }
    for conflict in merged.conflicts {
        committed[request_of(conflict.position)]
            .conflicts
            .push(conflict);
    }
    Ok(committed)
}
