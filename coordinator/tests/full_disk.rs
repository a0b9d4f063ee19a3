//! A coordinator on a full disk.

use std::time::{Duration, Instant};

use sproutnet_coordinator::scheduler::leases::WorkerSlot;
use sproutnet_coordinator::{
    Config, Coordinator, CoordinatorError, Finding, Introduction, Report, ReportContent, Start,
};
use sproutnet_model::Source;
use sproutnet_solver::play::{Outcome, Play};
use sproutnet_solver::search::Found;

#[test]
fn queries_are_answered_while_a_result_waits_for_room() {
    let data = tempfile::tempdir().expect("a folder");
    let now = Instant::now();
    let open = |disk_reserve| {
        let config = Config {
            disk_reserve: Some(disk_reserve),
            ..Config::default()
        };
        Coordinator::open(data.path(), config, now).expect("a store")
    };
    let start = Start {
        position: "0*6",
        play: Play::Normal,
        nimber: false,
        deadline: None,
        priority: None,
        weight: None,
        owner: "",
        label: "",
    };
    let coordinator = open(0);
    let started = coordinator.computations.start(&start, now);
    started.expect("it starts");
    drop(coordinator);

    // No disk has this much room. The coordinator notices at the first write; until then, there are jobs.
    let coordinator = open(u64::MAX);
    let jobs = &coordinator.jobs;
    let who = Introduction {
        cores: 1,
        ..Introduction::default()
    };
    let registered = jobs.register(who, now);
    let (worker, _) = registered.expect("accepted");
    let slot = WorkerSlot { worker, number: 0 };
    let job = jobs.lease(slot, now).expect("a known worker");
    let finding = Finding {
        lease: job.expect("a job").lease,
        found: Found::Solved(Outcome::Loss),
        visits: 1,
        expansions: 1,
        blocks: Vec::new(),
    };
    let content = ReportContent::Finding(finding);
    let reported = jobs.report(Report { worker, content }, now);
    let is_full = matches!(reported, Err(CoordinatorError::DiskFull(_)));
    assert!(is_full, "{reported:?}");

    let queries = &coordinator.queries;
    let lookup = queries.lookup_text("0*5.1a1a").expect("a position");
    let until = queries.until(Duration::from_secs(10));
    let answer = queries.answer(&lookup, until).expect("an answer");
    assert_eq!(answer.normal.source, Some(Source::Search), "{answer:?}");
    let concluded = coordinator.conclude(now);
    let still_waits = matches!(concluded, Err(CoordinatorError::DiskFull(_)));
    assert!(still_waits, "{concluded:?}");
}
