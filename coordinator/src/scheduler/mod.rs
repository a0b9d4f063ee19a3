//! The computations, their jobs that are out, and the workers that hold these.
//!
//! A state machine: the caller passes the time. It writes nothing and waits for no caller, but its proofs may read
//! records from the store. The [`Coordinator`](crate::Coordinator) makes its decisions durable and serves them.
//!
//! - [`computation`]: a position, and the proofs that lead to its outcome.
//! - [`leases`]: which slot holds which job.
//! - [`fleet`]: the workers.
//! - [`history`]: the progress of a computation over time.
//! - [`job_size`]: the size of jobs.
//! - [`shares`]: how computations share the machine time of the workers; [`quotas`]: limits on the share of an owner.
//! - [`exchange`]: the news that workers share while they search.
//! - [`waits`]: why a computation has no job out.
//! - [`workers`]: leases and reports; [`remembered`]: finding and forgetting computations; the rest is in this file.

pub mod computation;
pub mod exchange;
pub mod fleet;
pub mod history;
pub mod job_size;
pub mod leases;
mod proof;
pub mod quotas;
mod remembered;
pub mod shares;
pub(crate) mod waits;
mod workers;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_model::{Branches, Solved, Source};
use sproutnet_notation::{ComputationId, Epoch};
use sproutnet_solver::play::{Contradiction, Knowledge, Play, ProvedOutcomes};

use computation::{Computation, Request};
use exchange::Exchange;
use fleet::Fleet;
use job_size::JobSize;
use leases::{Lease, Leases};
use quotas::Quotas;
use shares::Weight;
pub use workers::{Grant, NoSearch, UnknownWorker};

/// The numbers of jobs since the coordinator started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JobCounts {
    /// Leased.
    pub leased: u64,
    /// Ended by a report.
    pub finished: u64,
    /// Expired, or taken back: from a slot that asked for another job, from a worker that registered again or was
    /// silent for long, or at a reset or revocation.
    pub expired: u64,
    /// Returned without a result.
    pub released: u64,
}

/// The deadline to set for a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deadline {
    /// Keeps the current deadline.
    AsItIs,
    /// This time of work from now on; `None` for no deadline.
    After(Option<Duration>),
}

/// Computations, leases and workers.
pub struct Scheduler {
    knowledge: Arc<Knowledge>,
    /// The epoch of the store behind this knowledge.
    epoch: Epoch,
    job_size: JobSize,
    quotas: Quotas,
    computations: BTreeMap<ComputationId, Computation>,
    /// The running computations.
    running: BTreeSet<ComputationId>,
    leases: Leases,
    fleet: Fleet,
    exchange: Exchange,
    jobs: JobCounts,
    /// Results to be made durable, then [concluded](Self::conclude).
    reached: Vec<(ComputationId, Solved)>,
    /// Computations that failed since the last [tick](Self::tick) because their jobs failed too often.
    given_up: Vec<ComputationId>,
    next_computation: u64,
    next_worker: u64,
}

impl Scheduler {
    /// No computations. Leases last `lease` without a renewal; they and workers are numbered from
    /// `first`, which should be random: numbers from before a restart must not come up again.
    pub fn new(knowledge: Arc<Knowledge>, job_size: JobSize, lease: Duration, first: u64) -> Self {
        Self {
            knowledge,
            epoch: Epoch(0),
            job_size,
            quotas: Quotas::default(),
            computations: BTreeMap::new(),
            running: BTreeSet::new(),
            leases: Leases::new(lease, first),
            fleet: Fleet::default(),
            exchange: Exchange::default(),
            jobs: JobCounts::default(),
            reached: Vec::new(),
            given_up: Vec::new(),
            next_computation: 1,
            next_worker: first,
        }
    }

    /// The knowledge of the proofs.
    pub fn knowledge(&self) -> &Arc<Knowledge> {
        &self.knowledge
    }

    /// The epoch of the store behind this knowledge.
    pub fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// This scheduler, with another epoch.
    #[must_use]
    pub fn in_epoch(self, epoch: Epoch) -> Self {
        Self { epoch, ..self }
    }

    /// This scheduler, with quotas of owners.
    #[must_use]
    pub fn with_quotas(self, quotas: Quotas) -> Self {
        Self { quotas, ..self }
    }

    /// The computations by their numbers.
    pub fn computations(&self) -> &BTreeMap<ComputationId, Computation> {
        &self.computations
    }

    /// The running computations, oldest first.
    pub fn running(&self) -> Vec<ComputationId> {
        self.running.iter().copied().collect()
    }

    /// The workers.
    pub fn fleet(&self) -> &Fleet {
        &self.fleet
    }

    /// The leases that are out.
    pub fn leases(&self) -> &Leases {
        &self.leases
    }

    /// The numbers of jobs since the coordinator started.
    pub fn jobs(&self) -> JobCounts {
        self.jobs
    }

    /// The news that workers share.
    pub fn exchange(&self) -> &Exchange {
        &self.exchange
    }

    /// The exchange, for changes.
    pub fn exchange_mut(&mut self) -> &mut Exchange {
        &mut self.exchange
    }

    /// Adds a computation under the next number.
    pub fn add(&mut self, computation: Computation) -> ComputationId {
        let id = ComputationId(self.next_computation);
        self.add_as(id, computation);
        id
    }

    /// Adds a computation with the number that it had before a restart.
    pub fn add_as(&mut self, id: ComputationId, computation: Computation) {
        self.next_computation = self.next_computation.max(id.0 + 1);
        self.computations.insert(id, computation);
        self.sort_in(id);
    }

    /// Changes a computation. `None` if there is no such computation.
    pub fn change<T>(
        &mut self,
        id: ComputationId,
        change: impl FnOnce(&mut Computation) -> T,
    ) -> Option<T> {
        let computation = self.computations.get_mut(&id)?;
        let changed = change(computation);
        self.sort_in(id);
        Some(changed)
    }

    fn sort_in(&mut self, id: ComputationId) {
        let Some(computation) = self.computations.get_mut(&id) else {
            return;
        };
        if !computation.is_running() {
            computation.account.leave();
            self.running.remove(&id);
        } else if self.running.insert(id) {
            self.enter(id);
        }
    }

    /// Makes a running computation active among those of its priority. No effect if it is.
    fn enter(&mut self, id: ComputationId) {
        let Some(computation) = self.computations.get(&id) else {
            return;
        };
        let (mut account, priority) = (computation.account, computation.priority);
        if account.is_active() {
            return;
        }
        let others = self.computations.values_mut();
        let active = others.filter(|other| other.priority == priority && other.account.is_active());
        let mut active: Vec<_> = active.map(|other| &mut other.account).collect();
        account.enter(&mut active, self.fleet.cores());
        if let Some(computation) = self.computations.get_mut(&id) {
            computation.account = account;
        }
    }

    /// The running computations in the order in which they get jobs: the highest priority first; then those that are
    /// not active, in case they have a job by now; then the one that is [due](shares::Account::due) first; then the
    /// oldest.
    fn in_order(&self) -> impl Iterator<Item = ComputationId> + use<> {
        let place = |&id: &ComputationId| {
            let computation = self.computations.get(&id)?;
            let account = &computation.account;
            let turn = (account.is_active(), account.due());
            Some((Reverse(computation.priority), turn, id))
        };
        let mut order: Vec<_> = self.running.iter().filter_map(place).collect();
        order.sort_unstable();
        order.into_iter().map(|(.., id)| id)
    }

    /// Changes the weight of a computation. `Some(false)` if it has that weight, or if it is solved.
    pub fn set_weight(&mut self, id: ComputationId, weight: Weight) -> Option<bool> {
        let computation = self.computations.get_mut(&id)?;
        let changes = computation.account.weight() != weight
            && computation.status() != computation::Status::Solved;
        if changes {
            computation.account.set_weight(weight);
        }
        Some(changes)
    }

    /// Sets the priority and the deadline of a computation, and resumes it. `Some(false)` if it is running or solved.
    pub fn resume(
        &mut self,
        id: ComputationId,
        priority: Option<i32>,
        deadline: Deadline,
        now: Instant,
    ) -> Option<bool> {
        let resumed = self.change(id, |computation| {
            computation.set_priority(priority.unwrap_or(computation.priority));
            match deadline {
                Deadline::AsItIs => {}
                Deadline::After(left) => computation.set_deadline(left, now),
            }
            computation.resume()
        });
        if self.running.contains(&id) {
            self.enter(id);
        }
        resumed
    }

    /// Sets the weight of a computation, if one is given, and its label, unless it is empty.
    pub fn describe(&mut self, id: ComputationId, weight: Option<Weight>, label: &str) {
        let Some(computation) = self.computations.get_mut(&id) else {
            return;
        };
        if let Some(weight) = weight {
            computation.account.set_weight(weight);
        }
        if !label.is_empty() {
            label.clone_into(&mut computation.label);
        }
    }

    /// Hands out no more jobs of a computation until it is resumed. `by` is who wanted this, if known. `Some(false)` if
    /// it is not running.
    pub fn pause(&mut self, id: ComputationId, by: Option<String>, now: Instant) -> Option<bool> {
        self.change(id, |computation| {
            let is_new = computation.pause(now);
            if is_new {
                computation.paused_by = by;
            }
            is_new
        })
    }

    /// Ends a computation. `Some(false)` if it has already ended.
    pub fn cancel(&mut self, id: ComputationId, now: Instant) -> Option<bool> {
        self.change(id, |computation| computation.cancel(now))
    }

    /// Fails a computation.
    pub fn fail(&mut self, id: ComputationId, fault: String, now: Instant) {
        self.change(id, |computation| computation.fail(fault, now));
    }

    /// Shows a durable result.
    pub fn conclude(&mut self, id: ComputationId, solved: &Solved) {
        self.change(id, |computation| {
            if !computation.status().has_ended() {
                computation.conclude(solved, Source::Search);
            }
        });
    }

    /// Whether there are results to [take](Self::take_reached).
    pub fn has_reached(&self) -> bool {
        !self.reached.is_empty()
    }

    /// The results reached since the last call, each with its computation. Their `solved_at` is not set yet.
    pub fn take_reached(&mut self) -> Vec<(ComputationId, Solved)> {
        std::mem::take(&mut self.reached)
    }

    /// Puts back results that could not be made durable yet.
    pub fn put_back(&mut self, reached: Vec<(ComputationId, Solved)>) {
        self.reached.extend(reached);
    }

    /// Advances a computation without a search: facts from elsewhere may have solved it.
    pub fn look_at(&mut self, id: ComputationId, now: Instant) {
        let Some(computation) = self.computations.get_mut(&id) else {
            return;
        };
        let entries = self.exchange.entries();
        if let Some(solved) = computation.look(&self.knowledge, entries, now) {
            self.reached.push((id, solved));
        }
        computation.show(entries, now);
    }

    /// Counts the time of all running computations towards their deadlines, even if they get no jobs.
    pub fn count_time(&mut self, now: Instant) {
        for id in &self.running {
            if let Some(computation) = self.computations.get_mut(id) {
                computation.count_time(now);
            }
        }
    }

    /// The open states directly below the root of a computation's proof. `None` if there is no such computation, or no
    /// proof under way.
    pub fn branches(&self, id: ComputationId) -> Option<Branches> {
        let computation = self.computations.get(&id)?;
        computation.branches(self.exchange.entries())
    }

    /// The contradiction in the knowledge of a computation's game and convention, if any.
    pub fn contradiction(&self, id: ComputationId) -> Option<&Contradiction> {
        let Request { game, play, .. } = self.computations.get(&id)?.request();
        let known = self.knowledge.game(game)?;
        match play {
            Play::Normal => known.normal.contradiction(),
            Play::Misere => known.misere.contradiction(),
        }
    }

    /// Ends expired leases and computations past their deadlines, and removes silent workers. Returns the expired
    /// leases and the ended computations.
    pub fn tick(&mut self, now: Instant) -> (Vec<Lease>, Vec<ComputationId>) {
        let late = self.leases.expire(now);
        // A search may have crashed its worker.
        for lease in &late {
            self.count_failure(lease, now);
        }
        self.expire(late.iter().cloned());
        for worker in self.fleet.forget_silent(now) {
            let held = self.leases.take_back_all(worker);
            self.expire(held);
        }
        self.exchange.expire(self.leases.duration(), now);
        let running = self.running.clone();
        let mut ended = std::mem::take(&mut self.given_up);
        for id in running {
            let expires = |computation: &mut Computation| {
                computation.sample(now);
                computation.expire(now)
            };
            if self.change(id, expires) == Some(true) {
                ended.push(id);
            }
        }
        (late, ended)
    }

    /// Restarts all proofs with other knowledge. All leases end; only the records of their reports still count.
    pub fn reset(&mut self, knowledge: Arc<Knowledge>) {
        for computation in self.computations.values_mut() {
            computation.reset();
        }
        let held = self.leases.take_back_everything();
        self.expire(held);
        self.knowledge = knowledge;
    }

    /// Restarts with the knowledge of a new epoch of the store: drops all proofs, leases, workers, shared entries and
    /// results not concluded. Failed computations, and solved ones for which `is_solved` is false, run again. Returns
    /// these.
    pub fn revoke(
        &mut self,
        knowledge: Arc<Knowledge>,
        epoch: Epoch,
        is_solved: impl Fn(&Request) -> bool,
    ) -> Vec<ComputationId> {
        let held = self.leases.take_back_everything();
        self.expire(held);
        self.fleet.forget_all();
        self.exchange.clear();
        self.reached.clear();
        self.knowledge = knowledge;
        self.epoch = epoch;
        let all: Vec<ComputationId> = self.computations.keys().copied().collect();
        let revoke = |computation: &mut Computation| {
            let is_solved = is_solved(computation.request());
            computation.revoke(is_solved)
        };
        let goes_on = |&id: &ComputationId| self.change(id, revoke) == Some(true);
        all.into_iter().filter(goes_on).collect()
    }

    /// Counts leases that ended without a report from their workers, and takes their jobs back.
    fn expire(&mut self, leases: impl IntoIterator<Item = Lease>) {
        for lease in leases {
            self.jobs.expired += 1;
            self.settle(&lease, lease.presumed_time());
            self.withdraw(&lease);
        }
    }

    /// Replaces the charge for a job that ended by the machine time that it used.
    fn settle(&mut self, lease: &Lease, used: Duration) {
        if let Some(computation) = self.computations.get_mut(&lease.computation) {
            computation.account.settle(lease.terms.charge, used);
        }
    }

    /// Counts a job that ended without a report.
    fn count_failure(&mut self, lease: &Lease, now: Instant) {
        let id = lease.computation;
        let count = |computation: &mut Computation| computation.count_failure(lease.job);
        if let Some(fault) = self.computations.get_mut(&id).and_then(count) {
            self.fail(id, fault, now);
            self.given_up.push(id);
        }
    }

    fn withdraw(&mut self, lease: &Lease) {
        if let Some(computation) = self.computations.get_mut(&lease.computation) {
            computation.withdraw(lease.job);
        }
    }
}
