//! Calls of workers: leases and reports.

use std::time::{Duration, Instant};

use sproutnet_model::Effort;
use sproutnet_notation::{ComputationId, LeaseId, WorkerId};
use sproutnet_solver::play::Play;
use sproutnet_solver::search::{Found, Job, News, Numbers};

use super::Scheduler;
use super::computation::{Next, Request};
use super::exchange::Told;
use super::fleet::{Registration, Totals, Worker};
use super::job_size::JobSize;
use super::leases::{Terms, WorkerSlot};
use super::shares::Limited;

/// A job, as given to a worker.
#[derive(Clone, Debug)]
pub struct Grant {
    /// The number of the lease.
    pub lease: LeaseId,
    /// The computation to which the job belongs.
    pub computation: ComputationId,
    /// The game's name.
    pub game: &'static str,
    /// The convention.
    pub play: Play,
    /// The canonical bytes of the state to search.
    pub state: Vec<u8>,
    /// The numbers at which the search ends, since another state is then more proving.
    pub limit: Numbers,
    /// The maximum search time.
    pub slice: Duration,
    /// The duration of the lease without a renewal.
    pub expires: Duration,
}

/// The worker is not registered (any more).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownWorker;

/// Why a slot cannot lease a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSearch {
    /// The worker is not registered (any more).
    UnknownWorker,
    /// The worker has no such slot. The field is the number of its slots.
    UnknownSlot(u32),
}

impl From<UnknownWorker> for NoSearch {
    fn from(_: UnknownWorker) -> Self {
        Self::UnknownWorker
    }
}

impl Scheduler {
    /// Adds a worker; takes back the leases of an earlier registration with its identity. `None` if there are too many
    /// workers.
    pub fn register(&mut self, registration: Registration, now: Instant) -> Option<WorkerId> {
        let worker = WorkerId(self.next_worker);
        let earlier = self.fleet.add(worker, registration, now)?;
        self.next_worker += 1;
        if let Some(earlier) = earlier {
            self.exchange.leave(earlier);
            let held = self.leases.take_back_all(earlier);
            self.expire(held);
        }
        Some(worker)
    }

    /// A job from the first computation that has one, of a game that the worker takes: the highest priority first, and
    /// among equals the one that is due first. Takes back an earlier lease of the slot.
    ///
    /// # Errors
    /// The worker is not registered, or has no such slot.
    pub fn lease(&mut self, slot: WorkerSlot, now: Instant) -> Result<Option<Grant>, NoSearch> {
        let registration = &self.hear(slot.worker, now)?.registration;
        let (slots, cores) = (registration.slots, registration.cores);
        let games = registration.games.clone();
        let threads = cores.div_ceil(slots.max(1)).max(1);
        if slot.number >= slots {
            return Err(NoSearch::UnknownSlot(slots));
        }
        let held = self.leases.take_back(slot);
        self.expire(held);
        for id in self.in_order() {
            let Some(computation) = self.computations.get_mut(&id) else {
                continue;
            };
            if !games.has(computation.request().game) {
                continue;
            }
            let JobSize { slice, least } = self.job_size;
            let least = least.saturating_mul(threads.into());
            let entries = self.exchange.entries_mut();
            match computation.next(&self.knowledge, entries, least, slice, now) {
                Next::Nothing => computation.account.leave(),
                Next::Reached(solved) => {
                    computation.account.leave();
                    self.reached.push((id, solved));
                }
                Next::Job(job, Job { state, limit, .. }, slice) => {
                    let Request { game, play, .. } = *computation.request();
                    self.jobs.leased += 1;
                    let terms = self.charge(id, slice, threads);
                    return Ok(Some(Grant {
                        lease: self.leases.grant(slot, id, job, terms, now),
                        computation: id,
                        game,
                        play,
                        state,
                        limit,
                        slice,
                        expires: self.leases.duration(),
                    }));
                }
            }
        }
        Ok(None)
    }

    /// Charges a computation, which has a job to give, for this job.
    fn charge(&mut self, id: ComputationId, slice: Duration, threads: u32) -> Terms {
        self.enter(id);
        let limited = self.limited(id);
        let account = self
            .computations
            .get_mut(&id)
            .map(|found| &mut found.account);
        let charge = account.map(|account| account.charge(slice * threads, limited));
        Terms {
            slice,
            threads,
            charge: charge.unwrap_or_default(),
        }
    }

    /// The quota of the owner of a computation, and the weights of all their active ones of its priority.
    fn limited(&self, id: ComputationId) -> Option<Limited> {
        let charged = self.computations.get(&id)?;
        let quota = self.quotas.of(&charged.owner)?;
        let running = self
            .running
            .iter()
            .filter_map(|id| self.computations.get(id));
        let limited = running.filter(|other| {
            (&other.owner, other.priority) == (&charged.owner, charged.priority)
                && other.account.is_active()
        });
        let weights = limited.map(|other| other.account.weight().get()).sum();
        Some(Limited { quota, weights })
    }

    /// The request of the computation behind a lease that the worker holds.
    pub fn request_of(&self, lease: LeaseId, worker: WorkerId) -> Option<&Request> {
        let held = self.leases.held(lease, worker)?;
        Some(self.computations.get(&held.computation)?.request())
    }

    /// The canonical bytes of the state behind a lease that the worker holds.
    pub fn state_of(&self, lease: LeaseId, worker: WorkerId) -> Option<Vec<u8>> {
        let held = self.leases.held(lease, worker)?;
        self.computations.get(&held.computation)?.state(held.job)
    }

    /// Takes in the result of a job, with its number of expansions. Returns the computation of the lease, or `None` if
    /// the lease has already ended.
    pub fn report(
        &mut self,
        lease: LeaseId,
        worker: WorkerId,
        found: Found,
        expansions: u64,
        now: Instant,
    ) -> Option<ComputationId> {
        let lease = self.leases.end(lease, worker)?;
        self.jobs.finished += 1;
        self.settle(&lease, lease.time(now));
        let computation = self.computations.get_mut(&lease.computation)?;
        let is_wanted = computation.wants(lease.job);
        computation.report(lease.job, found, self.exchange.entries_mut());
        computation.count(Effort {
            expansions,
            unwanted_expansions: if is_wanted { 0 } else { expansions },
            ..Effort::default()
        });
        self.look_at(lease.computation, now);
        Some(lease.computation)
    }

    /// Counts records for the first running computation that the worker has a lease for: records may arrive before the
    /// result of their job.
    pub fn count_records(&mut self, worker: WorkerId, new: u64, repeated: u64) {
        // A worker may still hold jobs that are no longer wanted.
        for lease in self.leases.of_worker(worker) {
            if let Some(computation) = self.computations.get_mut(&lease.computation)
                && computation.is_running()
            {
                computation.count(Effort {
                    new_records: new,
                    repeated_records: repeated,
                    ..Effort::default()
                });
                return;
            }
        }
    }

    /// Ends a lease whose worker met a contradiction, and fails its computation, which is returned. `None` if the lease
    /// has already ended.
    pub fn report_fault(
        &mut self,
        lease: LeaseId,
        worker: WorkerId,
        fault: String,
        now: Instant,
    ) -> Option<ComputationId> {
        let lease = self.leases.end(lease, worker)?;
        self.jobs.finished += 1;
        let computation = lease.computation;
        self.settle(&lease, lease.time(now));
        self.withdraw(&lease);
        self.fail(computation, fault, now);
        Some(computation)
    }

    /// Notes a call of a worker, and returns the worker.
    ///
    /// # Errors
    /// The worker is not registered.
    pub fn hear(&mut self, worker: WorkerId, now: Instant) -> Result<&mut Worker, UnknownWorker> {
        self.fleet.hear(worker, now).ok_or(UnknownWorker)
    }

    /// Takes in the news of a worker's searches, and returns the news of others.
    ///
    /// # Errors
    /// The worker is not registered.
    pub fn exchange_with(
        &mut self,
        worker: WorkerId,
        cursor: u64,
        news: News,
        now: Instant,
    ) -> Result<Told, UnknownWorker> {
        self.hear(worker, now)?;
        Ok(self.exchange.exchange(worker, cursor, news, now))
    }

    /// Renews leases, and updates the worker's totals. Returns the leases that are not held or whose jobs are no longer
    /// wanted.
    ///
    /// # Errors
    /// The worker is not registered.
    pub fn renew(
        &mut self,
        worker: WorkerId,
        leases: &[LeaseId],
        totals: Totals,
        now: Instant,
    ) -> Result<Vec<LeaseId>, UnknownWorker> {
        self.hear(worker, now)?;
        self.fleet.update(worker, totals, now);
        let mut unwanted = Vec::new();
        for &lease in leases {
            let held = self.leases.renew(lease, worker, now);
            let is_wanted = held.is_some_and(|held| {
                let computation = self.computations.get(&held.computation);
                computation.is_some_and(|computation| computation.wants(held.job))
            });
            if !is_wanted {
                unwanted.push(lease);
            }
        }
        Ok(unwanted)
    }

    /// Removes a worker that ends, and takes back what it still holds. Returns the worker.
    ///
    /// # Errors
    /// The worker is not registered.
    pub fn leave(&mut self, worker: WorkerId) -> Result<Worker, UnknownWorker> {
        let left = self.fleet.remove(worker).ok_or(UnknownWorker)?;
        self.exchange.leave(worker);
        let held = self.leases.take_back_all(worker);
        self.expire(held);
        Ok(left)
    }

    /// Takes back a job without a result. If searches of one state `failed` many times in a row, its computation fails.
    ///
    /// # Errors
    /// The worker is not registered.
    pub fn release(
        &mut self,
        lease: LeaseId,
        worker: WorkerId,
        failed: bool,
        now: Instant,
    ) -> Result<(), UnknownWorker> {
        self.hear(worker, now)?;
        if let Some(lease) = self.leases.end(lease, worker) {
            self.jobs.released += 1;
            self.settle(&lease, lease.time(now));
            if failed {
                self.count_failure(&lease, now);
            }
            self.withdraw(&lease);
        }
        Ok(())
    }
}
