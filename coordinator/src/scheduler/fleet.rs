//! The registered workers and their counters. The caller passes the time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use sproutnet_notation::{SourceId, WorkerId};

/// The silence after which a worker is no longer listed.
const LISTED: Duration = Duration::from_mins(1);

/// The silence after which a worker is removed, and has to register again.
const REMEMBERED: Duration = Duration::from_mins(10);

/// The maximum number of workers. More registrations are refused.
const MOST_WORKERS: usize = 10_000;

/// The silence after which a worker counts as doing nothing. Workers report their work every second.
const AT_WORK: Duration = Duration::from_secs(10);

/// The time constant of the averaged rates, in seconds.
const RATE_WINDOW: f64 = 10.0;

/// The games of which a worker takes jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Games {
    /// All games.
    #[default]
    All,
    /// These.
    Only(BTreeSet<&'static str>),
}

impl Games {
    /// Whether jobs of a game are taken.
    pub fn has(&self, game: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.contains(game),
        }
    }
}

/// The registration of a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// A display name.
    pub name: String,
    /// The address that it called from.
    pub peer: String,
    /// The version of its program, for people.
    pub version: String,
    /// The number of threads that search at a time.
    pub cores: u32,
    /// The number of jobs that it searches at a time.
    pub slots: u32,
    /// A random number that it keeps across restarts.
    pub identity: u64,
    /// Its number as a source of records.
    pub source: SourceId,
    /// The games of which it takes jobs.
    pub games: Games,
}

/// Work done since registration, in all jobs together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Expansions, partial ones included.
    pub expansions: u64,
    /// States visited.
    pub visits: u64,
    /// Memory in use, in bytes.
    pub memory: u64,
}

/// A registered worker.
#[derive(Clone, Debug)]
pub struct Worker {
    /// Its registration.
    pub registration: Registration,
    /// Its work, by its last renewal.
    pub totals: Totals,
    /// The number of its records that were new to the store.
    pub records: u64,
    /// The cursor up to which its feed has sent records. The feed updates it.
    pub fed: Arc<AtomicU64>,
    rate: f64,
    heard: Instant,
    reported: Instant,
}

impl Worker {
    /// The time since its last call.
    pub fn silent(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.heard)
    }

    /// Recent expansions per second: none after a silence.
    pub fn rate(&self, now: Instant) -> f64 {
        if self.silent(now) <= AT_WORK {
            self.rate
        } else {
            0.0
        }
    }
}

/// All workers, by their numbers.
#[derive(Debug, Default)]
pub struct Fleet {
    workers: BTreeMap<WorkerId, Worker>,
    done: Totals,
}

impl Fleet {
    /// Adds a worker. Returns the number of an earlier registration with the same identity, which is removed. `None` if
    /// there are too many workers.
    pub fn add(
        &mut self,
        number: WorkerId,
        registration: Registration,
        now: Instant,
    ) -> Option<Option<WorkerId>> {
        let identity = registration.identity;
        let same = |worker: &Worker| worker.registration.identity == identity;
        let mut workers = self.workers.iter();
        let earlier = workers.find(|(_, worker)| same(worker)).map(|(&id, _)| id);
        if let Some(earlier) = earlier {
            self.workers.remove(&earlier);
        } else if self.workers.len() >= MOST_WORKERS {
            return None;
        }
        let worker = Worker {
            registration,
            totals: Totals::default(),
            rate: 0.0,
            records: 0,
            fed: Arc::default(),
            heard: now,
            reported: now,
        };
        self.workers.insert(number, worker);
        Some(earlier)
    }

    /// Whether the fleet can take a worker with that identity.
    pub fn has_capacity_for(&self, identity: u64) -> bool {
        let same = |worker: &Worker| worker.registration.identity == identity;
        self.workers.len() < MOST_WORKERS || self.workers.values().any(same)
    }

    /// Notes a call of a worker, and returns the worker. `None` if it is not registered.
    pub fn hear(&mut self, number: WorkerId, now: Instant) -> Option<&mut Worker> {
        let worker = self.workers.get_mut(&number)?;
        worker.heard = now;
        Some(worker)
    }

    /// A worker.
    pub fn get(&self, number: WorkerId) -> Option<&Worker> {
        self.workers.get(&number)
    }

    /// Updates the totals and the rate of a worker.
    pub fn update(&mut self, number: WorkerId, totals: Totals, now: Instant) {
        let Some(worker) = self.workers.get_mut(&number) else {
            return;
        };
        let passed = now.saturating_duration_since(worker.reported).as_secs_f64();
        if passed > 0.0 {
            let done = totals.expansions.saturating_sub(worker.totals.expansions);
            let visits = totals.visits.saturating_sub(worker.totals.visits);
            self.done.expansions = self.done.expansions.saturating_add(done);
            self.done.visits = self.done.visits.saturating_add(visits);
            let weight = 1.0 - (-passed / RATE_WINDOW).exp();
            worker.rate += weight * (done as f64 / passed - worker.rate);
            worker.reported = now;
        }
        worker.totals = totals;
    }

    /// Removes a worker that ends, and returns it. Its work still counts.
    pub fn remove(&mut self, number: WorkerId) -> Option<Worker> {
        self.workers.remove(&number)
    }

    /// The work of all workers, including removed ones. The memory is not counted.
    pub fn done(&self) -> Totals {
        self.done
    }

    /// Removes the workers without a call for ten minutes, and returns their numbers.
    pub fn forget_silent(&mut self, now: Instant) -> Vec<WorkerId> {
        let silent = self
            .workers
            .extract_if(.., |_, worker| worker.silent(now) > REMEMBERED);
        silent.map(|(number, _)| number).collect()
    }

    /// Removes all workers: they have to register again.
    pub fn forget_all(&mut self) {
        self.workers.clear();
    }

    /// The number of cores of all workers.
    pub fn cores(&self) -> u32 {
        let cores = self
            .workers
            .values()
            .map(|worker| worker.registration.cores);
        cores.fold(0, u32::saturating_add)
    }

    /// Whether a worker takes jobs of all games.
    pub fn takes_all_games(&self, number: WorkerId) -> bool {
        let worker = self.get(number);
        worker.is_none_or(|worker| worker.registration.games == Games::All)
    }

    /// The number of slots of the present workers.
    pub fn slots(&self, now: Instant) -> u64 {
        let slots = |(_, worker): (WorkerId, &Worker)| u64::from(worker.registration.slots);
        self.present(now).map(slots).sum()
    }

    /// The workers that called in the last minute.
    pub fn present(&self, now: Instant) -> impl Iterator<Item = (WorkerId, &Worker)> {
        let workers = self
            .workers
            .iter()
            .map(|(&number, worker)| (number, worker));
        workers.filter(move |(_, worker)| worker.silent(now) <= LISTED)
    }
}

#[cfg(test)]
mod tests;
