//! Why a computation has no job out.

use std::time::Instant;

use sproutnet_model::{Status, WaitsFor};

use super::Scheduler;
use super::computation::Computation;

/// What decides why computations wait.
pub(crate) struct Waits {
    has_workers: bool,
    is_disk_full: bool,
    /// The highest priority of the computations with jobs.
    served: Option<i32>,
}

impl Waits {
    /// What decides it now.
    pub(crate) fn of(scheduler: &Scheduler, is_disk_full: bool, now: Instant) -> Self {
        let running = scheduler.running.iter();
        let running = running.filter_map(|id| scheduler.computations.get(id));
        let served = running.filter(|computation| computation.jobs() > 0);
        Self {
            has_workers: scheduler.fleet.present(now).next().is_some(),
            is_disk_full,
            served: served.map(|computation| computation.priority).max(),
        }
    }

    /// Why a computation has no job out. `None` if it has one, has ended, or is about to get one.
    pub(crate) fn why(&self, computation: &Computation) -> Option<WaitsFor> {
        match computation.status() {
            Status::Paused => return Some(WaitsFor::Resumption),
            Status::Running if computation.jobs() == 0 && !computation.is_reached() => {}
            _ => return None,
        }
        if self.is_disk_full {
            return Some(WaitsFor::Disk);
        }
        if !self.has_workers {
            return Some(WaitsFor::Worker);
        }
        match self.served {
            Some(served) if served > computation.priority => Some(WaitsFor::Priority),
            _ if !computation.account().is_active() => Some(WaitsFor::Job),
            Some(served) if served == computation.priority => Some(WaitsFor::Turn),
            _ => None,
        }
    }
}
