//! A cluster of honest workers around a [`Scheduler`], in simulated time, and a mirror: the expected state of the
//! scheduler after each step.

pub(crate) mod search;
mod steps;
pub(crate) mod truth;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_coordinator::scheduler::computation::Status;
use sproutnet_coordinator::scheduler::job_size::JobSize;
use sproutnet_coordinator::scheduler::leases::WorkerSlot;
use sproutnet_coordinator::scheduler::{Deadline, Grant, JobCounts, Scheduler};
use sproutnet_model::Solved;
use sproutnet_notation::{ComputationId, LeaseId, WorkerId};
use sproutnet_solver::search::Found;

use search::{Records, Searcher, knowledge_over};
use truth::Known;

/// The number of workers, and of slots of each.
pub(crate) const WORKERS: usize = 3;
pub(crate) const SLOTS: u32 = 2;

/// Small jobs, so that there are many.
const JOB_SIZE: JobSize = JobSize {
    slice: Duration::from_secs(2),
    least: 4,
};

/// The silence after which a worker is removed.
const REMEMBERED: Duration = Duration::from_mins(10);

/// A step. Numbers that choose an item count from the newest, modulo the number of items.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// A worker registers, or registers again.
    Register { worker: usize },
    /// A client starts a computation, or joins one.
    Start {
        known: usize,
        priority: i32,
        deadline: Option<Duration>,
    },
    /// A slot asks for a job.
    Lease { worker: usize, slot: u32 },
    /// The result of a job after `visits` visits is reported, even if its lease has ended.
    Report { grant: usize, visits: u64 },
    /// An earlier report is repeated.
    Repeat { report: usize },
    /// A worker reports a fault.
    Fault { grant: usize },
    /// A worker tries to end the lease of another.
    Steal {
        grant: usize,
        by: usize,
        releases: bool,
    },
    /// A job is returned without a result.
    Release { grant: usize },
    /// A worker renews all leases ever granted.
    Renew { worker: usize },
    /// A worker learns all reported records.
    Feed { worker: usize },
    /// Time passes.
    Pass { time: Duration, ticks: bool },
    /// A computation is paused.
    Pause { computation: usize },
    /// A computation is resumed.
    Resume { computation: usize },
    /// A computation is cancelled.
    Cancel { computation: usize },
    /// Reached results become durable.
    Conclude,
    /// A worker exchanges news.
    Exchange { worker: usize },
    /// The proofs are reset, as if memory ran short.
    Reset,
}

/// The scheduler, its workers, and its mirror.
pub(crate) struct Model {
    scheduler: Scheduler,
    lease: Duration,
    now: Instant,
    records: Arc<Records>,
    searchers: Vec<Searcher>,
    /// The latest numbers of the workers.
    numbers: Vec<Option<WorkerId>>,
    /// All jobs ever leased, each with its slot.
    grants: Vec<(WorkerSlot, Grant)>,
    /// All reports ever made, with their leases and workers.
    reports: Vec<(LeaseId, WorkerId, Found)>,
    /// Results that are not durable yet.
    pending: Vec<(ComputationId, Solved)>,
    mirror: Mirror,
}

/// The expected state of the scheduler.
#[derive(Default)]
struct Mirror {
    /// The time of each worker's last call.
    heard: BTreeMap<WorkerId, Instant>,
    out: BTreeMap<LeaseId, Held>,
    computations: BTreeMap<ComputationId, Mirrored>,
    jobs: JobCounts,
}

/// A lease that is out.
struct Held {
    slot: WorkerSlot,
    computation: ComputationId,
    expires: Instant,
}

/// A computation.
struct Mirrored {
    known: &'static Known,
    priority: i32,
    status: Status,
    /// Whether its result is reached, but not durable.
    reached: bool,
    expansions: u64,
    spent: Duration,
    since: Option<Instant>,
    deadline: Option<Duration>,
}

impl Mirrored {
    fn spent(&self, now: Instant) -> Duration {
        self.spent + self.since.map_or(Duration::ZERO, |since| now - since)
    }

    fn wants_jobs(&self) -> bool {
        self.status == Status::Running && !self.reached
    }

    fn stop(&mut self, status: Status, now: Instant) {
        self.spent = self.spent(now);
        self.since = None;
        self.status = status;
    }
}

impl Mirror {
    /// Ends the leases that satisfy a condition; returns their number.
    fn end(&mut self, ends: impl Fn(&Held) -> bool) -> u64 {
        let before = self.out.len();
        self.out.retain(|_, held| !ends(held));
        (before - self.out.len()) as u64
    }

    /// The number of leases of a computation.
    fn out_of(&self, computation: ComputationId) -> usize {
        let held = self.out.values();
        held.filter(|held| held.computation == computation).count()
    }

    /// A computation that wants jobs and has none out. It must have a job to give.
    fn hungry(&self, is_eligible: impl Fn(ComputationId) -> bool) -> Option<ComputationId> {
        let mut all = self.computations.iter();
        let hungry = all.find(|&(&id, computation)| {
            is_eligible(id) && computation.wants_jobs() && self.out_of(id) == 0
        });
        hungry.map(|(&id, _)| id)
    }
}

impl Model {
    /// A cluster with leases of this duration.
    pub(crate) fn new(lease: Duration) -> Self {
        let records = Arc::<Records>::default();
        let knowledge = knowledge_over(&records);
        Self {
            scheduler: Scheduler::new(knowledge, JOB_SIZE, lease, 1 << 40),
            lease,
            now: Instant::now(),
            records,
            searchers: (0..WORKERS).map(|_| Searcher::new()).collect(),
            numbers: vec![None; WORKERS],
            grants: Vec::new(),
            reports: Vec::new(),
            pending: Vec::new(),
            mirror: Mirror::default(),
        }
    }

    /// Takes a step, then compares the scheduler with its mirror.
    pub(crate) fn step(&mut self, step: &Step) {
        self.act(step);
        self.collect();
        self.compare();
    }

    /// Takes the reached results, and checks them.
    fn collect(&mut self) {
        for (id, solved) in self.scheduler.take_reached() {
            let mirrored = self.mirror.computations.get_mut(&id).expect("known");
            assert!(
                mirrored.wants_jobs(),
                "{id} is reached twice, or while it does not run"
            );
            mirrored.reached = true;
            assert_eq!(solved.outcome, mirrored.known.outcome, "{solved:?}");
            if mirrored.known.request.nimber || solved.nimber.is_some() {
                assert_eq!(solved.nimber, mirrored.known.nimber, "{solved:?}");
            }
            assert_eq!(solved.expansions, mirrored.expansions);
            self.pending.push((id, solved));
        }
        let own = self.scheduler.knowledge().take_records();
        self.records.merge(&own);
    }

    fn compare(&self) {
        let Mirror {
            heard,
            out,
            computations,
            jobs,
        } = &self.mirror;
        let (scheduler, now) = (&self.scheduler, self.now);
        let counts = scheduler.jobs();
        assert_eq!(counts, *jobs);
        let ended = counts.finished + counts.expired + counts.released;
        assert_eq!(counts.leased, ended + out.len() as u64, "{counts:?}");
        assert_eq!(scheduler.leases().len(), out.len());
        let mut slots = BTreeSet::new();
        for (&lease, held) in out {
            let Held {
                slot, computation, ..
            } = *held;
            let there = scheduler.leases().held(lease, slot.worker).expect("held");
            assert_eq!((there.slot, there.computation), (slot, computation));
            assert!(slots.insert(slot), "{slot:?} holds two jobs");
            assert!(
                heard.contains_key(&slot.worker),
                "held by a worker that is forgotten"
            );
        }
        for &worker in heard.keys() {
            let held = slots.iter().filter(|slot| slot.worker == worker).count();
            assert_eq!(scheduler.leases().of_worker(worker).count(), held);
            assert!(scheduler.fleet().get(worker).is_some());
        }
        assert_eq!(scheduler.computations().len(), computations.len());
        for (&id, mirrored) in computations {
            let there = &scheduler.computations()[&id];
            let progress = there.progress();
            assert_eq!(progress.status, mirrored.status, "{id}");
            assert_eq!(there.priority(), mirrored.priority);
            assert_eq!(progress.expansions, mirrored.expansions);
            let left = mirrored
                .deadline
                .map(|end| end.saturating_sub(mirrored.spent(now)));
            assert_eq!(there.time_left(now), left, "{id}");
            match mirrored.status {
                Status::Solved => {
                    assert_eq!(progress.outcome.outcome(), Some(mirrored.known.outcome));
                }
                _ => {
                    assert_eq!(progress.jobs as usize, self.mirror.out_of(id), "{id}");
                    assert_eq!(progress.outcome.outcome(), None);
                }
            }
        }
    }

    /// Resumes all computations, and lets one worker search and report jobs. All computations ever started have to be
    /// solved.
    pub(crate) fn finish(&mut self) {
        self.step(&Step::Conclude);
        let ids: Vec<ComputationId> = self.mirror.computations.keys().copied().collect();
        for id in ids {
            self.resume(id, Deadline::After(None));
        }
        self.step(&Step::Register { worker: 0 });
        let solved = |model: &Self| {
            let mut all = model.mirror.computations.values();
            all.all(|computation| computation.status == Status::Solved)
        };
        for visits in 20.. {
            self.step(&Step::Conclude);
            if solved(self) {
                return;
            }
            assert!(visits < 20_000, "this does not end");
            let before = self.grants.len();
            self.step(&Step::Lease { worker: 0, slot: 0 });
            if self.grants.len() > before {
                self.step(&Step::Report {
                    grant: 0,
                    visits: visits / 4,
                });
            } else {
                // The jobs that matter are leased to slots that never report.
                let anything = !self.mirror.out.is_empty() || !self.pending.is_empty();
                assert!(anything, "no job, although none is out");
                let time = self.lease;
                self.step(&Step::Pass { time, ticks: true });
                self.step(&Step::Register { worker: 0 });
            }
        }
    }
}
