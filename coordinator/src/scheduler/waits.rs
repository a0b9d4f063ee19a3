//! Why a computation has no job out.

use std::time::Instant;

use sproutnet_model::{Status, WaitsFor};

use super::Scheduler;
use super::computation::Computation;
use super::fleet::Games;

/// What decides why computations wait.
pub(crate) struct Waits {
    /// The games of the connected workers.
    games: Vec<Games>,
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
        let present = scheduler.fleet.present(now);
        let mut games: Vec<Games> = present
            .map(|(_, worker)| worker.registration.games.clone())
            .collect();
        games.dedup();
        Self {
            games,
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
        if self.games.is_empty() {
            return Some(WaitsFor::Worker);
        }
        let game = computation.request().game;
        if !self.games.iter().any(|games| games.has(game)) {
            return Some(WaitsFor::Game);
        }
        match self.served {
            Some(served) if served > computation.priority => Some(WaitsFor::Priority),
            _ if !computation.account().is_active() => Some(WaitsFor::Job),
            Some(served) if served == computation.priority => Some(WaitsFor::Turn),
            _ => None,
        }
    }
}
