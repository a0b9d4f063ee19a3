//! The workers that registered, and how they do. The time is handed in.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use sproutnet_notation::{SourceId, WorkerId};

/// A worker that was not heard of for so long is listed no more.
const LISTED: Duration = Duration::from_mins(1);

/// A worker that was not heard of for so long is forgotten, and has to register again.
const REMEMBERED: Duration = Duration::from_mins(10);

/// Registrations beyond this many are refused.
const MOST_WORKERS: usize = 10_000;

/// Rates are averages over about so long.
const RATE_WINDOW: f64 = 10.0;

/// What a worker says of itself when it registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// A name for people to read.
    pub name: String,
    /// From where it called.
    pub peer: String,
    /// How many of its threads search at a time.
    pub cores: u32,
    /// How many jobs it searches at a time.
    pub slots: u32,
    /// A random number that it keeps across restarts.
    pub identity: u64,
    /// What stands for it in the store as the source of records.
    pub source: SourceId,
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
    /// What it said of itself.
    pub registration: Registration,
    /// Its work by its last report.
    pub totals: Totals,
    /// Expansions in each second lately.
    pub rate: f64,
    /// Records from it that said something new.
    pub records: u64,
    /// The cursor up to which it was sent records. The feed keeps it.
    pub fed: Arc<AtomicU64>,
    heard: Instant,
    reported: Instant,
}

impl Worker {
    /// How long it was not heard of.
    pub fn silent(&self, now: Instant) -> Duration {
        now.saturating_duration_since(self.heard)
    }
}

/// All workers, by their numbers.
#[derive(Debug, Default)]
pub struct Fleet {
    workers: BTreeMap<WorkerId, Worker>,
    done: Totals,
}

impl Fleet {
    /// Adds a worker. The number of the same worker's earlier registration comes back, which is
    /// forgotten. `None` if there are too many workers already.
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

    /// A worker, heard of just now. `None` if it is not registered.
    pub fn hear(&mut self, number: WorkerId, now: Instant) -> Option<&mut Worker> {
        let worker = self.workers.get_mut(&number)?;
        worker.heard = now;
        Some(worker)
    }

    /// A worker.
    pub fn get(&self, number: WorkerId) -> Option<&Worker> {
        self.workers.get(&number)
    }

    /// Takes note of the totals that a worker reports.
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

    /// Work of all workers, those that are gone too. The memory is not counted.
    pub fn done(&self) -> Totals {
        self.done
    }

    /// Forgets the workers that were silent for long, and returns their numbers.
    pub fn forget_silent(&mut self, now: Instant) -> Vec<WorkerId> {
        let silent = self
            .workers
            .extract_if(.., |_, worker| worker.silent(now) > REMEMBERED);
        silent.map(|(number, _)| number).collect()
    }

    /// Forgets everybody: they have to register again.
    pub fn forget_all(&mut self) {
        self.workers.clear();
    }

    /// How many jobs those that were heard of lately search at a time.
    pub fn slots(&self, now: Instant) -> u64 {
        let slots = |(_, worker): (WorkerId, &Worker)| u64::from(worker.registration.slots);
        self.present(now).map(slots).sum()
    }

    /// Those that were heard of lately.
    pub fn present(&self, now: Instant) -> impl Iterator<Item = (WorkerId, &Worker)> {
        let workers = self
            .workers
            .iter()
            .map(|(&number, worker)| (number, worker));
        workers.filter(move |(_, worker)| worker.silent(now) <= LISTED)
    }
}
