//! What all roles share, and how they change it: in transactions.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use sproutnet_model::Solved;
use sproutnet_notation::{ComputationId, Epoch, SourceId};
use sproutnet_solver::play::Knowledge;
use sproutnet_store::{Budget, Conflict, number_of};
use tokio::sync::Notify;

use super::Config;
use crate::CoordinatorError;
use crate::audit::{AuditPlan, Claim};
use crate::ledger::{Ledger, Saved, Ticket, WriteRequest, encode_checkpoint};
use crate::locks::{Held, Lock, Rank};
use crate::scheduler::Scheduler;
use crate::scheduler::computation::Computation;

/// The state that all roles share.
pub(super) struct Core {
    pub(super) config: Config,
    pub(super) ledger: Ledger,
    scheduler: Lock<Scheduler>,
    pub(super) contradictions: AtomicU64,
    pub(super) plan: AuditPlan,
    /// What keeps the store small enough, if it is to be.
    pub(super) store_budget: Option<Budget>,
    /// Held while records are revoked.
    pub(super) revoking: Lock<()>,
    /// Wakes one slot that waits for a job.
    pub(super) work: Notify,
}

/// What a transaction leaves to be written, beside results.
#[derive(Default)]
pub(super) struct Changes {
    /// Computations to be made durable as they are.
    pub(super) saved: Vec<ComputationId>,
    /// Computations that are forgotten; their results stay.
    pub(super) forgotten: Vec<ComputationId>,
}

impl Changes {
    /// Makes it durable that a computation failed.
    pub(super) fn fail(&mut self, failed: Option<ComputationId>) {
        self.saved.extend(failed);
    }
}

/// What a transaction pushed to be written.
struct Pushed {
    documents: Option<Ticket>,
    results: Option<Ticket>,
    reached: Vec<(ComputationId, Solved)>,
    epoch: Epoch,
}

impl Core {
    pub(super) fn new(config: Config, ledger: Ledger, scheduler: Scheduler, seed: u64) -> Self {
        Self {
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

    /// Looks at a computation.
    pub(super) fn computation<T>(
        &self,
        id: ComputationId,
        look: impl FnOnce(&Computation) -> T,
    ) -> Result<T, CoordinatorError> {
        let scheduler = self.scheduler();
        let found = scheduler.computations().get(&id).map(look);
        found.ok_or(CoordinatorError::Unknown("computation"))
    }

    /// A transaction: makes a change under the lock, then what it leaves to be written durable, with
    /// the results reached by now; then lets these be seen. What was proved on the way is written
    /// with the next write.
    ///
    /// # Errors
    /// Those of the change, which then leaves nothing to be written. Or the disk is full: the results
    /// wait for room. Or the store failed: the computations whose results were reached have failed then.
    pub(super) fn transact<T>(
        &self,
        now: Instant,
        change: impl FnOnce(&mut Scheduler, &mut Changes) -> Result<T, CoordinatorError>,
    ) -> Result<T, CoordinatorError> {
        let (changed, pushed) = {
            let mut scheduler = self.scheduler();
            let mut changes = Changes::default();
            let changed = change(&mut scheduler, &mut changes)?;
            (changed, self.push(&mut scheduler, &changes, now)?)
        };
        self.finish(pushed, now)?;
        Ok(changed)
    }

    /// Makes results reached by now durable, then lets them be seen.
    pub(super) fn conclude(&self, now: Instant) -> Result<(), CoordinatorError> {
        self.transact(now, |_, _| Ok(()))
    }

    /// Pushed under the lock: what is written last is what was true last.
    fn push(
        &self,
        scheduler: &mut Scheduler,
        changes: &Changes,
        now: Instant,
    ) -> Result<Pushed, CoordinatorError> {
        let epoch = scheduler.epoch();
        let mut reached = scheduler.take_reached();
        let mut results = WriteRequest {
            epoch: Some(epoch),
            own: scheduler.knowledge().take_records(),
            ..WriteRequest::default()
        };
        // They rest on how workers split their jobs.
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
        let results = match reached.is_empty() {
            true => {
                self.ledger.leave(results);
                None
            }
            false => Some(self.ledger.push(results)),
        };
        Ok(Pushed {
            documents,
            results,
            reached,
            epoch,
        })
    }

    /// Waits for the writes of a transaction, then lets its results be seen.
    fn finish(&self, pushed: Pushed, now: Instant) -> Result<(), CoordinatorError> {
        let saved = pushed.documents.map(|ticket| self.ledger.wait(ticket));
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
                // It rests on what was revoked meanwhile.
                Ok(written) if written.is_void || scheduler.epoch() != pushed.epoch => {}
                Ok(_) => {
                    for (id, solved) in &pushed.reached {
                        scheduler.conclude(*id, solved);
                    }
                    drop(scheduler);
                    for (_, solved) in &pushed.reached {
                        self.estimate_behind(solved);
                    }
                }
            }
        }
        saved.transpose().map(drop)
    }

    /// Makes a computation durable as it is.
    pub(super) fn save(&self, id: ComputationId, now: Instant) -> Result<(), CoordinatorError> {
        self.transact(now, |_, changes| {
            changes.saved.push(id);
            Ok(())
        })
    }

    /// The same, with a checkpoint: somebody may go on with it after a restart.
    pub(super) fn save_with_checkpoint(
        &self,
        id: ComputationId,
        now: Instant,
    ) -> Result<(), CoordinatorError> {
        self.keep_checkpoint();
        self.save(id, now)
    }

    /// Keeps a checkpoint of what guides the proofs, if there is room for it.
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

    /// Doubts what is in the store of a key.
    pub(super) fn doubt_stored(&self, key: &[u8]) -> Result<(), CoordinatorError> {
        let stored = self.ledger.store().get(key)?;
        let claim = stored.map(|stored| Claim::new(source_of(stored.source), key, stored.value));
        self.plan.doubt(claim);
        Ok(())
    }

    /// Keeps both sides of contradictions; returns the first.
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

/// The source of a record, as the store keeps it beside the record.
pub(super) fn source_of(kept: u32) -> SourceId {
    SourceId(number_of(kept))
}
