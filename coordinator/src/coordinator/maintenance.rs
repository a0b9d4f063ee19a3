//! What has to be done from time to time: what has run out, checkpoints, and the bound on memory.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_notation::ComputationId;

use super::Coordinator;
use crate::{CoordinatorError, Health};

/// Checkpoints take at most this share of the time.
const CHECKPOINT_SHARE: u32 = 20;

/// How often the log says that the disk is full.
const BETWEEN_NOTICES: Duration = Duration::from_mins(1);

/// When it is time for what.
#[derive(Debug)]
pub(super) struct Due {
    checkpoint: Instant,
    /// Memory that may be used before the proofs are reset; above the configured bound if that
    /// turned out too small.
    memory: usize,
    /// When the log last said that the disk is full, while it is.
    logged_full: Option<Instant>,
}

impl Due {
    /// A coordinator that began then.
    pub(super) fn from(now: Instant) -> Self {
        Self {
            checkpoint: now,
            memory: 0,
            logged_full: None,
        }
    }
}

impl Coordinator {
    /// Does what is due by now. To be called some times a second.
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
        // Also while no worker asks for it.
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

    /// Whether the store can be written. Logs that the disk is full and that it is no longer full, and then
    /// writes what had to wait and wakes workers.
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

    /// Makes all computations that run durable as they are, with a checkpoint of what guides their proofs. Returns how
    /// long that took.
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

    /// Lets the proofs go on with nothing known but what they need, if what is known for them takes more memory than it
    /// may. Says whether it did.
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
