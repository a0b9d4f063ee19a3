//! The state shared by all roles, and the transactions that change it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use sproutnet_model::{AuditEntry, Solved};
use sproutnet_notation::{ComputationId, Epoch, SourceId};
use sproutnet_solver::play::Knowledge;
use sproutnet_store::{Budget, Conflict, number_of};
use tokio::sync::Notify;

use super::Config;
use crate::CoordinatorError;
use crate::audit::{AuditPlan, Claim};
use crate::audit_log::{self, AuditLog};
use crate::ledger::{Ledger, Saved, Ticket, WriteRequest, encode_checkpoint};
use crate::locks::{Held, Lock, Rank};
use crate::scheduler::Scheduler;
use crate::scheduler::computation::Computation;

/// The state that all roles share.
pub(super) struct Core {
    pub(super) config: Config,
    pub(super) ledger: Ledger,
    pub(super) audit_log: AuditLog,
    scheduler: Lock<Scheduler>,
    pub(super) contradictions: AtomicU64,
    pub(super) plan: AuditPlan,
    /// Keeps the store within its size, if that is limited.
    pub(super) store_budget: Option<Budget>,
    /// Held for the whole of a revocation.
    pub(super) revoking: Lock<()>,
    /// Wakes one slot that waits for a job.
    pub(super) work: Notify,
}

/// The documents that a transaction writes, besides results.
#[derive(Default)]
pub(super) struct Changes {
    /// Computations whose current state is written.
    pub(super) saved: Vec<ComputationId>,
    /// Computations whose documents are removed; their results stay.
    pub(super) forgotten: Vec<ComputationId>,
    /// The change for the audit log, before the results that it leads to.
    pub(super) logged: Option<AuditEntry>,
}

/// The write requests of a transaction.
struct PushedChanges {
    documents: Option<Ticket>,
    results: Option<Ticket>,
    reached: Vec<(ComputationId, Solved)>,
    epoch: Epoch,
}

impl Core {
    pub(super) fn new(config: Config, ledger: Ledger, scheduler: Scheduler, seed: u64) -> Self {
        Self {
            audit_log: AuditLog::restore(&ledger),
            plan: AuditPlan::new(config.audit, seed),
            store_budget: config.store_budget.map(Budget::new),
            config,
            ledger,
            scheduler: Lock::new(Rank::Scheduler, scheduler),
            contradictions: AtomicU64::new(0),
            revoking: Lock::new(Rank::Revocation, ()),
            work: Notify::new(),
        }
    }

    /// Adds an entry to the audit log.
    pub(super) fn log(&self, entry: AuditEntry) {
        self.audit_log.add(&self.ledger, entry);
    }

    pub(super) fn scheduler(&self) -> Held<'_, Scheduler> {
        self.scheduler.lock()
    }

    /// `None` if another thread holds the lock.
    pub(super) fn try_scheduler(&self) -> Option<Held<'_, Scheduler>> {
        self.scheduler.try_lock()
    }

    pub(super) fn knowledge(&self) -> Arc<Knowledge> {
        Arc::clone(self.scheduler().knowledge())
    }

    /// Applies `look` to a computation under the scheduler's lock.
    pub(super) fn computation<T>(
        &self,
        id: ComputationId,
        look: impl FnOnce(&Computation) -> T,
    ) -> Result<T, CoordinatorError> {
        let scheduler = self.scheduler();
        let found = scheduler.computations().get(&id).map(look);
        found.ok_or(CoordinatorError::Unknown("computation"))
    }

    /// A transaction: makes a change under the lock, makes its documents and the results reached so far durable, and
    /// then shows these results. If no result was reached, the facts proved so far wait for the next commit.
    ///
    /// # Errors
    /// Those of the change; nothing is written then. Or the disk is full: the results wait for room. Or the store
    /// failed: the computations of these results fail.
    pub(super) fn transact<T>(
        &self,
        now: Instant,
        change: impl FnOnce(&mut Scheduler, &mut Changes) -> Result<T, CoordinatorError>,
    ) -> Result<T, CoordinatorError> {
        let mut changes = Changes::default();
        let (changed, pushed) = {
            let mut scheduler = self.scheduler();
            let changed = change(&mut scheduler, &mut changes)?;
            (changed, self.push(&mut scheduler, &changes, now)?)
        };
        self.finish(pushed, changes.logged, now)?;
        Ok(changed)
    }

    /// Makes the results reached so far durable, then shows them.
    pub(super) fn conclude(&self, now: Instant) -> Result<(), CoordinatorError> {
        self.transact(now, |_, _| Ok(()))
    }

    /// Pushed under the lock, so that requests are written in the order of the changes.
    fn push(
        &self,
        scheduler: &mut Scheduler,
        changes: &Changes,
        now: Instant,
    ) -> Result<PushedChanges, CoordinatorError> {
        let epoch = scheduler.epoch();
        let mut reached = scheduler.take_reached();
        let mut results = WriteRequest {
            epoch: Some(epoch),
            own: scheduler.knowledge().take_records(),
            ..WriteRequest::default()
        };
        // They rest on reports of workers, so they are audited as well.
        let own = results.own.iter().map(|own| (&*own.key, own.value));
        self.plan.draw(SourceId::OWN, own);
        let saved = |id: &ComputationId| {
            let computation = scheduler.computations().get(id)?;
            Some(Saved::of(computation, now))
        };
        let mut request = WriteRequest {
            removed: changes
                .forgotten
                .iter()
                .map(|&id| Saved::name(id))
                .collect(),
            ..WriteRequest::default()
        };
        for id in &changes.saved {
            if let Some(saved) = saved(id) {
                request.document(Saved::name(*id), &saved)?;
            }
        }
        let solved_at = crate::seconds_since_1970();
        for (id, solved) in &mut reached {
            solved.solved_at = solved_at;
            solved.computation = Some(id.0);
            let name = Solved::name(&solved.game, solved.play, &solved.position);
            results.document(name, solved)?;
            if let Some(saved) = saved(id) {
                results.document(Saved::name(*id), &saved.solved(solved))?;
            }
        }
        let documents = (!request.is_empty()).then(|| self.ledger.push(request));
        let results = if reached.is_empty() {
            self.ledger.leave(results);
            None
        } else {
            Some(self.ledger.push(results))
        };
        Ok(PushedChanges {
            documents,
            results,
            reached,
            epoch,
        })
    }

    /// Waits for the writes of a transaction, then shows its results.
    fn finish(
        &self,
        pushed: PushedChanges,
        logged: Option<AuditEntry>,
        now: Instant,
    ) -> Result<(), CoordinatorError> {
        let saved = pushed.documents.map(|ticket| self.ledger.wait(ticket));
        if let (Some(entry), None | Some(Ok(_))) = (logged, &saved) {
            self.log(entry);
        }
        if let Some(ticket) = pushed.results {
            let written = self.ledger.wait(ticket);
            let mut scheduler = self.scheduler();
            match written {
                Err(error @ CoordinatorError::DiskFull(_)) => {
                    if scheduler.epoch() == pushed.epoch {
                        scheduler.put_back(pushed.reached);
                    }
                    return Err(error);
                }
                Err(error) => {
                    for (id, _) in pushed.reached {
                        let fault = format!("its result could not be stored: {error}");
                        scheduler.fail(id, fault, now);
                    }
                    return Err(error);
                }
                // The results rest on records that were revoked meanwhile.
                Ok(written) if written.is_void || scheduler.epoch() != pushed.epoch => {}
                Ok(_) => {
                    for (id, solved) in &pushed.reached {
                        scheduler.conclude(*id, solved);
                    }
                    drop(scheduler);
                    for (id, solved) in &pushed.reached {
                        self.log(audit_log::solved(*id, solved));
                        self.estimate_behind(solved);
                    }
                }
            }
        }
        saved.transpose().map(drop)
    }

    /// Makes the current state of a computation durable.
    pub(super) fn save(&self, id: ComputationId, now: Instant) -> Result<(), CoordinatorError> {
        self.transact(now, |_, changes| {
            changes.saved.push(id);
            Ok(())
        })
    }

    /// The same, with a checkpoint: the computation may be resumed after a restart.
    pub(super) fn save_with_checkpoint(
        &self,
        id: ComputationId,
        now: Instant,
    ) -> Result<(), CoordinatorError> {
        self.keep_checkpoint();
        self.save(id, now)
    }

    /// Writes a checkpoint of the entries of the exchange, if there is room for it.
    pub(super) fn keep_checkpoint(&self) {
        // Copied under the scheduler's lock, encoded without it.
        let entries: Vec<_> = self.scheduler().exchange().entries().iter().collect();
        let checkpoint = encode_checkpoint(&entries);
        drop(entries);
        let disk = self.ledger.check_disk();
        let length = checkpoint.len() as u64;
        if disk.is_ok_and(|space| space.free - space.reserve > length)
            && let Err(error) = self.ledger.checkpoints().put(&checkpoint)
        {
            tracing::warn!(%error, "the checkpoint was not written");
        }
    }

    /// Queues the stored record of a key for an urgent audit, and resets the trust in its source.
    pub(super) fn doubt_stored(&self, key: &[u8]) -> Result<(), CoordinatorError> {
        let stored = self.ledger.store().get(key)?;
        let claim = stored.map(|stored| Claim::new(source_of(stored.source), key, stored.value));
        self.plan.doubt(claim);
        Ok(())
    }

    /// Counts contradictions, queues both sides for urgent audits, and stores them. Returns a description of the first.
    pub(super) fn keep_contradictions(
        &self,
        conflicts: &[Conflict],
    ) -> Result<Option<String>, CoordinatorError> {
        let mut first = None;
        for conflict in conflicts {
            self.contradictions.fetch_add(1, Ordering::Relaxed);
            let Conflict { key, .. } = conflict;
            self.plan.doubt([
                Claim::new(source_of(conflict.known_source), key, conflict.known),
                Claim::new(source_of(conflict.new_source), key, conflict.new),
            ]);
            let described = self.ledger.keep_contradiction(conflict)?;
            first = first.or(Some(described));
        }
        Ok(first)
    }
}

/// The source of a record, from the number that the store keeps with the record.
pub(super) fn source_of(kept: u32) -> SourceId {
    SourceId(number_of(kept))
}
