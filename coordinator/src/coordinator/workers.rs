//! What workers ask.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use sproutnet_common::play::Contradiction;
use sproutnet_common::store::{Conflict, OWN, block};
use tokio::sync::Notify;

use super::Coordinator;
use crate::CoordinatorError;
use crate::ledger::{Part, SourceOfRecords};
use crate::scheduler::fleet::{Registration, Totals};
use crate::scheduler::leases::Slot;
use crate::scheduler::{Found, Grant, NoSearch, Scheduler, UnknownWorker};

/// The longest name of a worker, in bytes.
const LONGEST_NAME: usize = 256;

/// More searches at a time than any worker runs.
const MOST_CORES: u32 = 4096;

/// What is kept of a worker's word on why it cannot be trusted, in characters.
const LONGEST_FAULT: usize = 1000;

/// What came of a job.
#[derive(Clone, Debug)]
pub struct Report {
    /// The worker that held it.
    pub worker: u64,
    /// The number of the lease; 0 if only records are handed over.
    pub lease: u64,
    /// What the search found out about the state.
    pub found: Found,
    /// What was proved and not reported before: blocks of records.
    pub blocks: Vec<Vec<u8>>,
    /// States visited.
    pub visits: u64,
    /// Lands whose options were generated.
    pub expansions: u64,
    /// Why the search cannot be trusted, if it cannot.
    pub fault: Option<String>,
}

impl From<UnknownWorker> for CoordinatorError {
    fn from(_: UnknownWorker) -> Self {
        Self::Unknown("worker")
    }
}

impl From<NoSearch> for CoordinatorError {
    fn from(error: NoSearch) -> Self {
        match error {
            NoSearch::UnknownWorker => UnknownWorker.into(),
            NoSearch::UnknownSlot(cores) => Self::Invalid(format!(
                "there is no such slot: the worker registered with {cores} cores"
            )),
        }
    }
}

impl Coordinator {
    /// Gives a worker its number. What an earlier run of it still held is given to others. One
    /// without a peer is inside this process.
    ///
    /// # Errors
    /// Its name is too long, it has too many cores, there are too many workers, or the store failed.
    pub fn register(
        &self,
        name: String,
        peer: Option<String>,
        cores: u32,
        identity: u64,
        now: Instant,
    ) -> Result<u64, CoordinatorError> {
        if name.len() > LONGEST_NAME {
            return Err(CoordinatorError::Invalid(format!(
                "the worker's name has {} bytes, at most {LONGEST_NAME} are allowed",
                name.len()
            )));
        }
        if cores > MOST_CORES {
            return Err(CoordinatorError::Invalid(format!(
                "the worker has {cores} cores, at most {MOST_CORES} are allowed"
            )));
        }
        let full = CoordinatorError::Full("there are too many workers");
        if !self.scheduler().fleet().has_room(identity) {
            return Err(full);
        }
        let source = match &peer {
            None => OWN,
            Some(peer) => self.ledger.source(SourceOfRecords {
                identity,
                name: name.clone(),
                peer: peer.clone(),
            })?,
        };
        let registration = Registration {
            name,
            peer: peer.unwrap_or_else(|| "this process".to_owned()),
            cores,
            identity,
            source,
        };
        let worker = self.scheduler().register(registration, now);
        self.work.notify_one();
        worker.ok_or(full)
    }

    /// Where whoever sends records to a worker notes how far it has come.
    ///
    /// # Errors
    /// There is no such worker.
    pub fn feed_of(&self, worker: u64, now: Instant) -> Result<Arc<AtomicU64>, CoordinatorError> {
        let mut scheduler = self.scheduler();
        Ok(Arc::clone(&scheduler.hear_of(worker, now)?.fed))
    }

    /// A job for a worker's search. `None` if there is none now.
    ///
    /// # Errors
    /// There is no such worker or slot, or a result could not be stored.
    pub fn lease(&self, slot: Slot, now: Instant) -> Result<Option<Grant>, CoordinatorError> {
        let began = Instant::now();
        let leased = self.scheduler().lease(slot, now);
        // Whoever was woken only to be refused passes the news on.
        let grant = leased.inspect_err(|_| self.work.notify_one())?;
        self.conclude_what_was_reached(now)?;
        self.timings.lease.observe(began.elapsed().as_secs_f64());
        if grant.is_some() {
            // There may be more where this came from.
            self.work.notify_one();
        }
        Ok(grant)
    }

    /// Resolves when there may be a job that was not there before. Wakes one of those who wait; who
    /// finds a job wakes the next.
    pub fn work(&self) -> &Notify {
        &self.work
    }

    /// Takes in what came of a job. All that it contains is durable when this returns.
    ///
    /// # Errors
    /// There is no such worker, or a record or child cannot be read: nothing is taken then. Or the
    /// store failed. A record that contradicts what is known fails the computation, and is no error
    /// of the call.
    pub fn report(&self, report: Report, now: Instant) -> Result<(), CoordinatorError> {
        let Report {
            worker,
            lease,
            found,
            blocks,
            visits,
            expansions,
            fault,
        } = report;
        let began = Instant::now();
        let (source, name) = self.source_of(worker, now)?;
        self.check_children(lease, worker, &found)?;
        if let Some(fault) = fault {
            let fault: String = fault.chars().take(LONGEST_FAULT).collect();
            tracing::error!(worker, name, fault, "a worker contradicts itself");
            self.contradictions.fetch_add(1, Ordering::Relaxed);
            let fault = format!("worker {name}: {fault}");
            let failed = self.scheduler().report_fault(lease, worker, fault, now);
            return failed.map_or(Ok(()), |id| self.keep_failure(id, now));
        }
        let records = self.check_blocks(&blocks)?;
        let taken = self.take_in(&Arc::new(blocks), source)?;
        self.received.fetch_add(records, Ordering::Relaxed);
        let new = taken.new;
        let (failed, contradiction) = {
            let mut scheduler = self.scheduler();
            scheduler.hear(worker, new, now)?;
            match taken.fault {
                Some(fault) => {
                    tracing::error!(worker, name, fault, "a report contradicts what is known");
                    (scheduler.report_fault(lease, worker, fault, now), None)
                }
                None => {
                    let of = scheduler.report(lease, worker, found, expansions, new, now);
                    let fail = |id| self.fail_if_contradicted(&mut scheduler, id, &name, now);
                    let contradiction = of.and_then(fail);
                    (of.filter(|_| contradiction.is_some()), contradiction)
                }
            }
        };
        if let Some(Contradiction { key, known, new }) = contradiction {
            let stored = self.ledger.store().get(&key)?;
            self.keep_contradictions(&[Conflict {
                known,
                known_source: stored.map_or(OWN, |stored| stored.source),
                new,
                new_source: source,
                position: 0,
                key,
            }])?;
        }
        if let Some(id) = failed {
            self.keep_failure(id, now)?;
        }
        let repeated = records - new;
        tracing::debug!(worker, added = new, repeated, visits, expansions, "report");
        self.conclude_what_was_reached(now)?;
        self.timings.report.observe(began.elapsed().as_secs_f64());
        self.work.notify_one();
        Ok(())
    }

    /// Fails a computation if the last report on it contradicts what is known, and tells how. The
    /// others go on with what is in the store, where both cannot be.
    fn fail_if_contradicted(
        &self,
        scheduler: &mut Scheduler,
        id: u64,
        name: &str,
        now: Instant,
    ) -> Option<Contradiction> {
        let contradiction = scheduler.contradiction(id)?.clone();
        scheduler.fail(id, format!("worker {name}: {contradiction}"), now);
        self.ledger.leave(Part {
            own: scheduler.knowledge().take_records(),
            ..Part::default()
        });
        scheduler.begin_anew(Arc::new(self.ledger.knowledge()), usize::MAX);
        Some(contradiction)
    }

    /// Makes it durable that a computation failed. Nothing of its proof is to be taken up again.
    fn keep_failure(&self, id: u64, now: Instant) -> Result<(), CoordinatorError> {
        self.ledger.images().remove(id);
        self.save(id, now)
    }

    fn source_of(&self, worker: u64, now: Instant) -> Result<(u32, String), CoordinatorError> {
        let mut scheduler = self.scheduler();
        let worker = scheduler.hear_of(worker, now)?;
        let Registration {
            source, name, peer, ..
        } = &worker.registration;
        Ok((*source, format!("{name} ({peer})")))
    }

    /// Refuses blocks with a record that cannot be read; counts the records.
    fn check_blocks(&self, blocks: &[Vec<u8>]) -> Result<u64, CoordinatorError> {
        let mut records = 0;
        for (number, bytes) in blocks.iter().enumerate() {
            let refused = |error: &dyn std::fmt::Display| {
                CoordinatorError::Invalid(format!("block {number}: {error}"))
            };
            let mut reader = block::Reader::new(bytes).map_err(|error| refused(&error))?;
            while let Some(record) = reader.next_record().map_err(|error| refused(&error))? {
                let checked = self.ledger.check(record.key, record.value);
                checked.map_err(|error| refused(&error))?;
                records += 1;
            }
        }
        Ok(records)
    }

    /// Makes checked blocks durable, then lets the proofs know.
    fn take_in(&self, blocks: &Arc<Vec<Vec<u8>>>, source: u32) -> Result<Taken, CoordinatorError> {
        if blocks.is_empty() {
            return Ok(Taken::default());
        }
        let part = Part {
            source,
            blocks: Arc::clone(blocks),
            ..Part::default()
        };
        let committed = self.ledger.commit(part)?;
        let mut fault = self.keep_contradictions(&committed.conflicts)?;
        let knowledge = self.knowledge();
        for bytes in blocks.iter() {
            let Ok(mut reader) = block::Reader::new(bytes) else {
                continue;
            };
            while let Ok(Some(record)) = reader.next_record() {
                let conflicts = |conflict: &Conflict| *conflict.key == *record.key;
                if let Err(error) = knowledge.learn(record.key, record.value) {
                    let is_counted = committed.conflicts.iter().any(conflicts);
                    self.contradictions
                        .fetch_add(u64::from(!is_counted), Ordering::Relaxed);
                    fault = fault.or(Some(error.to_string()));
                }
            }
        }
        Ok(Taken {
            new: committed.new,
            fault,
        })
    }

    /// Keeps both sides of contradictions; tells the first.
    fn keep_contradictions(
        &self,
        conflicts: &[Conflict],
    ) -> Result<Option<String>, CoordinatorError> {
        let mut first = None;
        for conflict in conflicts {
            self.contradictions.fetch_add(1, Ordering::Relaxed);
            let told = self.ledger.keep_contradiction(conflict)?;
            tracing::error!("{told}");
            first = first.or(Some(told));
        }
        Ok(first)
    }

    /// Refuses children that cannot be read.
    fn check_children(
        &self,
        lease: u64,
        worker: u64,
        found: &Found,
    ) -> Result<(), CoordinatorError> {
        let Err(children) = found else {
            return Ok(());
        };
        let (knowledge, game, play) = {
            let scheduler = self.scheduler();
            let Some(request) = scheduler.request_of(lease, worker) else {
                return Ok(());
            };
            let knowledge = Arc::clone(scheduler.knowledge());
            (knowledge, request.game, request.play)
        };
        let known = knowledge
            .game(game)
            .ok_or(CoordinatorError::Unknown("game"))?;
        for (bytes, _) in children {
            let checked = known.check_state(play, bytes);
            checked.map_err(|error| CoordinatorError::Invalid(format!("a child: {error}")))?;
        }
        Ok(())
    }

    /// Keeps leases from running out, and notes how the worker does. Returns those of the leases
    /// whose jobs are not wanted any more.
    ///
    /// # Errors
    /// There is no such worker.
    pub fn renew(
        &self,
        worker: u64,
        leases: &[u64],
        totals: Totals,
        now: Instant,
    ) -> Result<Vec<u64>, CoordinatorError> {
        Ok(self.scheduler().renew(worker, leases, totals, now)?)
    }

    /// Takes a job back without a result.
    ///
    /// # Errors
    /// There is no such worker.
    pub fn release(&self, lease: u64, worker: u64, now: Instant) -> Result<(), CoordinatorError> {
        self.scheduler().release(lease, worker, now)?;
        self.work.notify_one();
        Ok(())
    }
}

/// What came of the records of a report.
#[derive(Default)]
struct Taken {
    /// How many said something new.
    new: u64,
    /// How they contradict what is known, if they do.
    fault: Option<String>,
}
