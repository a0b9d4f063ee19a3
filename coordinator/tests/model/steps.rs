//! The effects of steps on the scheduler and on its mirror.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use sproutnet_coordinator::scheduler::computation::{Computation, Request, Status};
use sproutnet_coordinator::scheduler::fleet::{Games, Registration, Totals};
use sproutnet_coordinator::scheduler::leases::WorkerSlot;
use sproutnet_coordinator::scheduler::{Deadline, Grant, NoSearch, UnknownWorker};
use sproutnet_notation::{ComputationId, LeaseId, SourceId, WorkerId};
use sproutnet_solver::search::{Found, Numbers};

use super::search::{Searcher, knowledge_over};
use super::{Held, Mirrored, Model, REMEMBERED, SLOTS, Step, WORKERS, truth};

/// Lands expanded for each job, as reported.
const EXPANSIONS: u64 = 3000;

impl Model {
    pub(super) fn act(&mut self, step: &Step) {
        match *step {
            Step::Register { worker } => self.register(worker % WORKERS),
            Step::Start {
                known,
                priority,
                deadline,
            } => self.start(
                &truth::all()[known % truth::all().len()],
                priority,
                deadline,
            ),
            Step::Lease { worker, slot } => {
                if let Some(worker) = self.numbers[worker % WORKERS] {
                    let number = slot % SLOTS;
                    self.lease(WorkerSlot { worker, number });
                }
            }
            Step::Report { grant, visits } => {
                if let Some((slot, grant)) = pick(&self.grants, grant).cloned() {
                    self.search(slot, &grant, visits);
                }
            }
            Step::Repeat { report } => {
                if let Some((lease, worker, found)) = pick(&self.reports, report).cloned() {
                    self.report(lease, worker, found);
                }
            }
            Step::Fault { grant } => {
                if let Some((slot, grant)) = pick(&self.grants, grant).cloned() {
                    self.fault(grant.lease, slot.worker);
                }
            }
            Step::Steal {
                grant,
                by,
                releases,
            } => {
                let thief = self.numbers[by % WORKERS];
                let grant = pick(&self.grants, grant).cloned();
                if let (Some(thief), Some((slot, grant))) = (thief, grant)
                    && thief != slot.worker
                {
                    self.steal(&grant, thief, releases);
                }
            }
            Step::Release { grant } => {
                if let Some((slot, grant)) = pick(&self.grants, grant).cloned() {
                    self.release(grant.lease, slot.worker);
                }
            }
            Step::Renew { worker } => {
                if let Some(worker) = self.numbers[worker % WORKERS] {
                    self.renew(worker);
                }
            }
            Step::Feed { worker } => {
                self.searchers[worker % WORKERS].learn(&self.records.all());
            }
            Step::Pass { time, ticks } => {
                self.now += time;
                if ticks {
                    self.tick();
                }
            }
            Step::Pause { computation } => self.pause(computation),
            Step::Resume { computation } => {
                if let Some(id) = self.id(computation) {
                    self.resume(id, Deadline::AsItIs);
                }
            }
            Step::Cancel { computation } => self.cancel(computation),
            Step::Conclude => self.conclude(),
            Step::Exchange { worker } => self.exchange(worker % WORKERS),
            Step::Reset => self.reset(),
        }
    }

    fn register(&mut self, worker: usize) {
        self.searchers[worker] = Searcher::new();
        let registration = Registration {
            name: format!("worker {worker}"),
            peer: "nowhere".to_owned(),
            version: String::new(),
            cores: SLOTS,
            slots: SLOTS,
            identity: worker as u64,
            source: SourceId(worker as u32 + 1),
            games: Games::All,
        };
        let number = self
            .scheduler
            .register(registration, self.now)
            .expect("few workers");
        let before = self.numbers[worker].replace(number);
        assert!(
            before.is_none_or(|before| before < number),
            "numbers are given once"
        );
        if let Some(before) = before.filter(|before| self.mirror.heard.remove(before).is_some()) {
            self.mirror.jobs.expired += self.mirror.end(|held| held.slot.worker == before);
        }
        self.mirror.heard.insert(number, self.now);
    }

    fn start(&mut self, known: &'static truth::Known, priority: i32, left: Option<Duration>) {
        let request: &Request = &known.request;
        let same = |mirrored: &Mirrored| {
            mirrored.known.request == *request && mirrored.status != Status::Solved
        };
        let mut all = self.mirror.computations.iter();
        let expected = all.find(|(_, mirrored)| same(mirrored)).map(|(&id, _)| id);
        assert_eq!(self.scheduler.find(request), expected);
        let id = expected.unwrap_or_else(|| {
            let id = self.scheduler.add(Computation::new(request.clone(), 0));
            let mirrored = Mirrored {
                known,
                priority,
                status: Status::Running,
                reached: false,
                expansions: 0,
                spent: Duration::ZERO,
                since: None,
                deadline: None,
            };
            let before = self.mirror.computations.insert(id, mirrored);
            assert!(before.is_none(), "a number given twice");
            id
        });
        let now = self.now;
        let mirrored = self.mirror.computations.get_mut(&id).expect("known");
        let runs = matches!(mirrored.status, Status::Running | Status::Solved);
        let resumed = self
            .scheduler
            .resume(id, Some(priority), Deadline::After(left), now);
        assert_eq!(resumed, Some(!runs));
        mirrored.priority = priority;
        mirrored.deadline = left.map(|left| mirrored.spent(now) + left);
        mirrored.status = Status::Running;
        self.scheduler.look_at(id, now);
    }

    /// Where each computation stands in the order in which they get jobs.
    fn places(&self) -> BTreeMap<ComputationId, (Reverse<i32>, bool, Duration)> {
        let place = |found: &Computation| {
            let account = found.account();
            (
                Reverse(found.priority()),
                account.is_active(),
                account.due(),
            )
        };
        let computations = self.scheduler.computations().iter();
        computations
            .map(|(&id, found)| (id, place(found)))
            .collect()
    }

    fn lease(&mut self, slot: WorkerSlot) {
        let places = self.places();
        // The charge of its job is replaced before the next one is chosen.
        let held = self.mirror.out.values().find(|held| held.slot == slot);
        let ended = held.map(|held| held.computation);
        let grant = self.scheduler.lease(slot, self.now);
        if !self.is_known(slot.worker) {
            assert_eq!(grant.err(), Some(NoSearch::UnknownWorker));
            return;
        }
        let grant = grant.expect("a known worker");
        self.hear(slot.worker);
        self.mirror.jobs.expired += self.mirror.end(|held| held.slot == slot);
        self.collect();
        let Some(grant) = grant else {
            let hungry = self.mirror.hungry(|_| true);
            assert_eq!(hungry, None, "it has no job out, and none was given");
            return;
        };
        let id = grant.computation;
        if ended != Some(id) {
            let comes_before =
                |other| ended != Some(other) && (places[&other], other) < (places[&id], id);
            let hungry = self.mirror.hungry(comes_before);
            assert_eq!(hungry, None, "it comes before {id}");
        }
        let mirrored = self.mirror.computations.get_mut(&id).expect("known");
        assert!(mirrored.wants_jobs());
        mirrored.since.get_or_insert(self.now);
        let left = mirrored
            .deadline
            .map(|end| end.saturating_sub(mirrored.spent(self.now)));
        assert!(left.is_none_or(|left| grant.slice <= left), "{grant:?}");
        let request = &mirrored.known.request;
        assert_eq!((grant.game, grant.play), (request.game, request.play));
        assert_eq!(grant.expires, self.lease);
        let last = self.grants.last().map(|(_, grant)| grant.lease);
        assert!(
            last.is_none_or(|last| last < grant.lease),
            "leases are numbered once"
        );
        let held = Held {
            slot,
            computation: id,
            expires: self.now + self.lease,
        };
        self.mirror.out.insert(grant.lease, held);
        self.mirror.jobs.leased += 1;
        self.grants.push((slot, grant));
    }

    fn search(&mut self, slot: WorkerSlot, grant: &Grant, visits: u64) {
        // Any searcher will do: a worker that registered again has lost its facts.
        let searcher = &self.searchers[grant.lease.0 as usize % WORKERS];
        let (found, records) = searcher.search(grant, visits);
        if self.is_known(slot.worker) {
            self.records.merge(&records);
            for record in &records {
                let learned = self.scheduler.knowledge().learn(&record.key, record.value);
                learned.expect("honest workers do not contradict each other");
            }
        }
        self.reports.push((grant.lease, slot.worker, found.clone()));
        self.report(grant.lease, slot.worker, found);
    }

    fn report(&mut self, lease: LeaseId, worker: WorkerId, found: Found) {
        if !self.is_known(worker) {
            assert_eq!(
                self.scheduler.hear(worker, self.now).err(),
                Some(UnknownWorker)
            );
            return;
        }
        assert_eq!(self.scheduler.hear(worker, self.now).err(), None);
        self.hear(worker);
        let ends = self.take_out(lease, worker);
        let of = self
            .scheduler
            .report(lease, worker, found, EXPANSIONS, self.now);
        assert_eq!(of, ends, "a lease ends once, by its holder");
        if let Some(id) = ends {
            self.mirror.jobs.finished += 1;
            let mirrored = self.mirror.computations.get_mut(&id).expect("known");
            mirrored.expansions += EXPANSIONS;
        }
    }

    fn fault(&mut self, lease: LeaseId, worker: WorkerId) {
        let fault = "two and two are five".to_owned();
        self.scheduler.report_fault(lease, worker, fault, self.now);
        if let Some(id) = self.take_out(lease, worker) {
            self.mirror.jobs.finished += 1;
            let mirrored = self.mirror.computations.get_mut(&id).expect("known");
            if !mirrored.status.has_ended() {
                mirrored.stop(Status::Failed, self.now);
                mirrored.reached = false;
            }
        }
    }

    fn steal(&mut self, grant: &Grant, thief: WorkerId, releases: bool) {
        if releases {
            let released = self.scheduler.release(grant.lease, thief, false, self.now);
            assert_eq!(released.is_ok(), self.is_known(thief));
            self.hear(thief);
            return;
        }
        // The content of its report does not matter.
        let found = Found::Open {
            numbers: Numbers {
                proof: 1,
                disproof: 1,
            },
            visits: 1,
            children: Vec::new(),
        };
        let of = self
            .scheduler
            .report(grant.lease, thief, found, 1, self.now);
        assert_eq!(of, None);
        self.scheduler
            .report_fault(grant.lease, thief, String::new(), self.now);
    }

    fn release(&mut self, lease: LeaseId, worker: WorkerId) {
        let released = self.scheduler.release(lease, worker, false, self.now);
        assert_eq!(released.is_ok(), self.is_known(worker));
        self.hear(worker);
        if self.is_known(worker) && self.take_out(lease, worker).is_some() {
            self.mirror.jobs.released += 1;
        }
    }

    fn renew(&mut self, worker: WorkerId) {
        let leases: Vec<LeaseId> = self.grants.iter().map(|(_, grant)| grant.lease).collect();
        let unwanted = self
            .scheduler
            .renew(worker, &leases, Totals::default(), self.now);
        if !self.is_known(worker) {
            assert_eq!(unwanted, Err(UnknownWorker));
            return;
        }
        self.hear(worker);
        let unwanted = unwanted.expect("the worker is known");
        let (expires, computations) = (self.now + self.lease, &self.mirror.computations);
        for lease in leases {
            let held = self.mirror.out.get_mut(&lease);
            let held = held.filter(|held| held.slot.worker == worker);
            let may_be_wanted = held.is_some_and(|held| {
                held.expires = expires;
                computations[&held.computation].status == Status::Running
            });
            // A proof may no longer depend on a leaf that is out.
            assert!(may_be_wanted || unwanted.contains(&lease));
        }
    }

    fn tick(&mut self) {
        let now = self.now;
        let (late, ended) = self.scheduler.tick(now);
        let expired = self.mirror.end(|held| held.expires <= now);
        assert_eq!(late.len() as u64, expired);
        let silent = |heard: Instant| now - heard > REMEMBERED;
        let heard = &self.mirror.heard;
        let gone: Vec<WorkerId> = heard
            .iter()
            .filter_map(|(&worker, &heard)| silent(heard).then_some(worker))
            .collect();
        for worker in &gone {
            self.mirror.heard.remove(worker);
        }
        let taken_back = self.mirror.end(|held| gone.contains(&held.slot.worker));
        self.mirror.jobs.expired += expired + taken_back;
        let mut expected = Vec::new();
        for (&id, mirrored) in &mut self.mirror.computations {
            let is_late = mirrored
                .deadline
                .is_some_and(|end| mirrored.spent(now) >= end);
            if is_late && mirrored.wants_jobs() {
                mirrored.stop(Status::Expired, now);
                mirrored.deadline = None;
                expected.push(id);
            }
        }
        let mut ended = ended;
        ended.sort_unstable();
        assert_eq!(ended, expected);
    }

    fn pause(&mut self, computation: usize) {
        let Some(id) = self.id(computation) else {
            return;
        };
        let paused = self.scheduler.pause(id, None, self.now);
        let mirrored = self.mirror.computations.get_mut(&id).expect("known");
        assert_eq!(paused, Some(mirrored.wants_jobs()));
        if mirrored.wants_jobs() {
            mirrored.stop(Status::Paused, self.now);
        }
    }

    fn cancel(&mut self, computation: usize) {
        let Some(id) = self.id(computation) else {
            return;
        };
        let cancelled = self.scheduler.cancel(id, self.now);
        let mirrored = self.mirror.computations.get_mut(&id).expect("known");
        let goes_on = !mirrored.status.has_ended() && !mirrored.reached;
        assert_eq!(cancelled, Some(goes_on));
        if goes_on {
            mirrored.stop(Status::Cancelled, self.now);
        }
    }

    /// Resumes a computation, with another deadline if one is given.
    pub(super) fn resume(&mut self, id: ComputationId, deadline: Deadline) {
        let resumed = self.scheduler.resume(id, None, deadline, self.now);
        let now = self.now;
        let mirrored = self.mirror.computations.get_mut(&id).expect("known");
        let can = !matches!(mirrored.status, Status::Running | Status::Solved);
        assert_eq!(resumed, Some(can));
        if can {
            mirrored.status = Status::Running;
        }
        if let Deadline::After(left) = deadline {
            mirrored.deadline = left.map(|left| mirrored.spent(now) + left);
        }
    }

    fn conclude(&mut self) {
        for (id, solved) in std::mem::take(&mut self.pending) {
            self.scheduler.conclude(id, &solved);
            let mirrored = self.mirror.computations.get_mut(&id).expect("known");
            // A computation that failed meanwhile stays failed.
            if !mirrored.status.has_ended() {
                mirrored.status = Status::Solved;
                mirrored.expansions = solved.expansions;
            }
        }
    }

    fn exchange(&mut self, worker: usize) {
        let Some(id) = self.numbers[worker] else {
            return;
        };
        let (cursor, news) = self.searchers[worker].news();
        let told = self.scheduler.exchange_with(id, cursor, news, self.now);
        assert_eq!(told.is_ok(), self.is_known(id));
        self.hear(id);
        if let Ok(told) = told {
            self.searchers[worker].hear(&told);
        }
    }

    fn reset(&mut self) {
        let knowledge = knowledge_over(&self.records);
        self.scheduler.reset(knowledge);
        self.mirror.jobs.expired += self.mirror.end(|_| true);
        let ids: Vec<ComputationId> = self.mirror.computations.keys().copied().collect();
        for id in ids {
            self.scheduler.look_at(id, self.now);
        }
    }

    fn id(&self, computation: usize) -> Option<ComputationId> {
        let ids: Vec<ComputationId> = self.mirror.computations.keys().copied().collect();
        pick(&ids, computation).copied()
    }

    /// Ends a lease in the mirror, if the worker holds it; returns its computation.
    fn take_out(&mut self, lease: LeaseId, worker: WorkerId) -> Option<ComputationId> {
        let held = self.mirror.out.get(&lease);
        held.filter(|held| held.slot.worker == worker)?;
        self.mirror.out.remove(&lease).map(|held| held.computation)
    }

    fn is_known(&self, worker: WorkerId) -> bool {
        self.mirror.heard.contains_key(&worker)
    }

    /// Notes a call of a worker, if it is known.
    fn hear(&mut self, worker: WorkerId) {
        if let Some(heard) = self.mirror.heard.get_mut(&worker) {
            *heard = self.now;
        }
    }
}

/// An item, counted from the last, modulo their number.
fn pick<T>(all: &[T], number: usize) -> Option<&T> {
    all.iter().rev().nth(number.checked_rem(all.len())?)
}
