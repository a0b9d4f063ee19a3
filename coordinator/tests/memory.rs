//! The bound on memory: proofs are reset, and computations go on.

use std::time::{Duration, Instant};

use sproutnet_coordinator::scheduler::Grant;
use sproutnet_coordinator::scheduler::computation::Status;
use sproutnet_coordinator::scheduler::leases::WorkerSlot;
use sproutnet_coordinator::{
    Config, Coordinator, Finding, Introduction, Report, ReportContent, Start,
};
use sproutnet_notation::{ComputationId, LeaseId, WorkerId};
use sproutnet_solver::play::{Outcome, Play};
use sproutnet_solver::search::Found;
use tempfile::TempDir;

use sproutnet_testkit::cluster::facts::{blocks, exact, true_outcome};

/// A coordinator that may use no memory at all, with a worker.
struct Tight {
    coordinator: Coordinator,
    worker: WorkerId,
    now: Instant,
    _data: TempDir,
}

impl Tight {
    fn new() -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let config = Config {
            memory: 0,
            ..Config::default()
        };
        let now = Instant::now();
        let coordinator = Coordinator::open(data.path(), config, now).expect("a store");
        let who = Introduction {
            peer: Some("nowhere".to_owned()),
            cores: 1,
            ..Introduction::default()
        };
        let worker = coordinator.jobs.register(who, now);
        Self {
            worker: worker.expect("accepted").0,
            coordinator,
            now,
            _data: data,
        }
    }

    fn start(&self, position: &str) -> ComputationId {
        let start = Start {
            position,
            play: Play::Normal,
            nimber: true,
            deadline: None,
            priority: None,
            weight: None,
            owner: "",
            label: "",
        };
        self.coordinator
            .computations
            .start(&start, self.now)
            .expect("it starts")
            .0
    }

    fn lease(&self) -> Option<Grant> {
        let slot = WorkerSlot {
            worker: self.worker,
            number: 0,
        };
        self.coordinator
            .jobs
            .lease(slot, self.now)
            .expect("a known worker")
    }

    fn report(&self, lease: LeaseId, outcome: Outcome) {
        let report = Report {
            worker: self.worker,
            content: ReportContent::Finding(Finding {
                lease,
                found: Found::Solved(outcome),
                blocks: Vec::new(),
                visits: 1,
                expansions: 1,
            }),
        };
        self.coordinator
            .jobs
            .report(report, self.now)
            .expect("taken");
    }

    fn tick(&mut self) {
        self.now += Duration::from_millis(100);
        self.coordinator.tick(self.now).expect("kept");
    }

    /// Whether a worker that waits for a job would be woken.
    async fn wakes(&self) -> bool {
        let woken = self.coordinator.jobs.work().notified();
        tokio::time::timeout(Duration::from_millis(10), woken)
            .await
            .is_ok()
    }
}

#[tokio::test]
async fn jobs_that_are_taken_back_wake_those_who_wait() {
    let mut tight = Tight::new();
    tight.start("0*7");
    let held = tight.lease().expect("a job");
    while tight.wakes().await {}
    tight.tick();
    let state = tight.coordinator.state(tight.now).expect("a state");
    assert_eq!((state.leases, state.jobs.expired), (0, 1));
    assert!(tight.wakes().await);
    assert_eq!(tight.lease().expect("a job").state, held.state);
}

#[tokio::test]
async fn a_result_that_shows_when_proofs_reset_is_kept() {
    let mut tight = Tight::new();
    let computation = tight.start("0*6");
    let progress = tight
        .coordinator
        .computations
        .watch(computation)
        .expect("it was started");
    let lease = tight.lease().expect("a job").lease;
    // Only the store has it: the worker delivered it before its report.
    let report = Report {
        worker: tight.worker,
        content: ReportContent::Delivery(blocks(vec![exact("0*6", 0)])),
    };
    tight
        .coordinator
        .jobs
        .report(report, tight.now)
        .expect("taken");
    tight.tick();
    assert_eq!(progress.borrow().status, Status::Solved);
    assert_eq!(progress.borrow().outcome.outcome(), Some(Outcome::Loss));
    tight.report(lease, Outcome::Loss);
    assert_eq!(progress.borrow().status, Status::Solved);
}

#[tokio::test]
async fn a_computation_ends_right_however_often_it_begins_anew() {
    let mut tight = Tight::new();
    let computation = tight.start("0*7");
    let progress = tight
        .coordinator
        .computations
        .watch(computation)
        .expect("it was started");
    for _ in 0..50 {
        if progress.borrow().status == Status::Solved {
            break;
        }
        let job = tight.lease().expect("a job");
        tight.report(job.lease, true_outcome(&job.state));
        tight.tick();
    }
    let progress = progress.borrow();
    assert_eq!(progress.status, Status::Solved);
    assert_eq!(
        (progress.outcome.outcome(), progress.nimber),
        (Some(Outcome::Loss), Some(0))
    );
}
