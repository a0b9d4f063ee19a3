//! Periodic work: expired leases and deadlines, checkpoints, and the bound on memory.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_notation::ComputationId;

use super::Coordinator;
use crate::{CoordinatorError, Health};

/// The reciprocal of the maximum share of time spent on checkpoints.
const CHECKPOINT_SHARE: u32 = 20;

/// The time between two log messages about a full disk.
const BETWEEN_NOTICES: Duration = Duration::from_mins(1);

/// When the periodic work is due.
#[derive(Debug)]
pub(super) struct Due {
    checkpoint: Instant,
    /// The memory above which the proofs are reset, in bytes, if it is above the configured bound: twice the memory
    /// left after the last reset.
    memory: usize,
    /// The time of the last log message about a full disk, while it is full.
    logged_full: Option<Instant>,
}

impl Due {
    /// For a coordinator that started at `now`.
    pub(super) fn from(now: Instant) -> Self {
        Self {
            checkpoint: now,
            memory: 0,
            logged_full: None,
        }
    }
}

impl Coordinator {
    /// Does the periodic work that is due. To be called several times a second.
    ///
    /// # Errors
    /// The store failed.
    pub fn tick(&self, now: Instant) -> Result<(), CoordinatorError> {
        let (late, ended) = {
            let mut scheduler = self.core.scheduler();
            let (late, ended) = scheduler.tick(now);
            for lease in &late {
                let worker = scheduler.fleet().get(lease.slot.worker);
                let name = worker.map(|worker| worker.registration.name.clone());
                tracing::warn!(worker = %lease.slot.worker, name, "a lease ran out");
            }
            (!late.is_empty(), ended)
        };
        // Brought up to date even while no worker calls.
        self.jobs.least_worth(now);
        if late {
            self.core.work.notify_one();
        }
        let mut due = self.maintenance.lock();
        if !self.can_write(&mut due, now)? {
            return Ok(());
        }
        for id in ended {
            self.core.save_with_checkpoint(id, now)?;
        }
        self.core.ledger.commit_what_was_left()?;
        if let Some(budget) = &self.core.store_budget {
            budget.tend(self.core.ledger.store(), now);
        }
        if self.bound_memory(&mut due, now) {
            self.conclude(now)?;
            // The jobs under lease can be leased again.
            self.core.work.notify_one();
        }
        if now.saturating_duration_since(due.checkpoint) >= self.core.config.checkpoint {
            let took = self.checkpoint(now)?;
            due.checkpoint = now + took * CHECKPOINT_SHARE;
        }
        Ok(())
    }

    /// Whether the store can be written. Logs when the disk is full and when there is room again; then it also writes
    /// all computations and wakes a worker.
    fn can_write(&self, due: &mut Due, now: Instant) -> Result<bool, CoordinatorError> {
        let checked = self.core.ledger.check_disk();
        let health = self.core.ledger.health().borrow().clone();
        if !health.is_well() && !self.core.config.waits_for_disk_space {
            let mut scheduler = self.core.scheduler();
            for id in scheduler.running() {
                scheduler.fail(id, health.to_string(), now);
            }
        }
        match (checked, due.logged_full) {
            (Err(full), logged) => {
                self.core.scheduler().count_time(now);
                let since = logged.map(|logged| now.saturating_duration_since(logged));
                if since.is_none_or(|since| since >= BETWEEN_NOTICES) {
                    due.logged_full = Some(now);
                    tracing::warn!("{full}; nothing is written and no jobs are handed out");
                }
                return Ok(false);
            }
            (Ok(_), Some(_)) => {
                self.core.transact(now, |scheduler, changes| {
                    changes.saved = scheduler.computations().keys().copied().collect();
                    Ok(())
                })?;
                due.logged_full = None;
                tracing::info!("the disk is no longer full");
                self.core.work.notify_one();
            }
            (Ok(_), None) => {}
        }
        Ok(!matches!(health, Health::StoreFailed { .. }))
    }

    /// Makes the current state of all running computations durable, and writes a checkpoint of the exchange's entries.
    /// Returns the time that it took.
    ///
    /// # Errors
    /// The store failed.
    pub fn checkpoint(&self, now: Instant) -> Result<Duration, CoordinatorError> {
        let began = Instant::now();
        let ids = self.core.scheduler().running();
        for id in ids {
            self.core.save(id, now)?;
        }
        self.core.keep_checkpoint();
        self.core.ledger.commit_what_was_left()?;
        Ok(began.elapsed())
    }

    /// Resets the proofs to fresh knowledge over the store if their knowledge exceeds the bound on memory. Returns
    /// whether it did.
    fn bound_memory(&self, due: &mut Due, now: Instant) -> bool {
        let mut scheduler = self.core.scheduler();
        let taken = scheduler.knowledge().bytes();
        let bound = due.memory.max(self.core.config.memory);
        if taken <= bound {
            return false;
        }
        scheduler.reset(Arc::new(self.core.ledger.knowledge()));
        let running: Vec<ComputationId> = scheduler.computations().keys().copied().collect();
        for id in running {
            scheduler.look_at(id, now);
        }
        let left = scheduler.knowledge().bytes();
        tracing::info!(taken, left, "what was known for the proofs was dropped");
        if left > self.core.config.memory / 2 {
            tracing::warn!(left, "the bound on memory is too small for the proofs");
        }
        due.memory = 2 * left;
        true
    }
}
