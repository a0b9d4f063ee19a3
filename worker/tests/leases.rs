//! The jobs that a worker holds: one for each slot, renewed together, stopped when no longer wanted, and returned at
//! the end.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use sproutnet_proto::v1;
use sproutnet_worker::Config;
use tonic::Status;
use v1::Play::{Misere, Normal};

use crate::fake::{Asked, DELIVERIES, Fake, Script, WORKER, job, records_of};
use sproutnet_testkit::cluster::{Running, config};

const MINUTE: Duration = Duration::from_secs(60);

/// A coordinator with hard jobs.
fn hard_jobs(leases: std::ops::RangeInclusive<u64>) -> Script {
    Script::with_jobs(leases.map(|lease| job(lease, &format!("0*{}", 20 + lease), Misere, MINUTE)))
}

#[tokio::test]
async fn each_slot_asks_for_itself_and_all_leases_are_renewed_in_one_call() {
    let mut fake = Fake::serve(hard_jobs(1..=3)).await;
    let worker = Running::at(fake.address, 3);
    let mut slots = BTreeSet::new();
    let renewal = fake
        .until(|asked| match asked {
            Asked::Leased(request) => {
                assert_eq!(request.worker, WORKER);
                slots.insert(request.slot);
                None
            }
            Asked::Renewed(renewal) => (renewal.leases.len() == 3).then_some(renewal),
            _ => None,
        })
        .await;
    assert_eq!(slots, BTreeSet::from([0, 1, 2]));
    assert_eq!(renewal.leases, [1, 2, 3]);
    assert!(renewal.memory > 0, "{renewal:?}");
    let later = fake
        .until(|asked| match asked {
            Asked::Renewed(renewal) => Some(renewal),
            _ => None,
        })
        .await;
    assert!(later.visits > renewal.visits, "{later:?} {renewal:?}");
    worker.stop().await;
}

#[tokio::test]
async fn a_job_that_is_not_wanted_is_stopped_within_two_seconds_and_others_go_on() {
    let mut fake = Fake::serve(hard_jobs(1..=4)).await;
    let worker = Running::at(fake.address, 2);
    // A busy machine may delay one attempt, but not three in a row.
    let mut soonest = MINUTE;
    for unwanted in 2..=4 {
        let both = |asked| match asked {
            Asked::Renewed(renewal) => (renewal.leases == [1, unwanted]).then_some(()),
            _ => None,
        };
        fake.until(both).await;
        fake.script
            .unwanted
            .lock()
            .expect("no panic")
            .push(unwanted);
        let cancelled = Instant::now();
        assert_eq!(fake.finding().await.lease, unwanted);
        soonest = soonest.min(cancelled.elapsed());
        let renewed = fake
            .until(|asked| match asked {
                Asked::Renewed(renewal) => Some(renewal.leases),
                _ => None,
            })
            .await;
        assert_eq!(renewed[0], 1, "the other goes on");
        assert!(!renewed.contains(&unwanted), "{renewed:?}");
        if soonest < Duration::from_millis(2200) {
            break;
        }
    }
    assert!(soonest < Duration::from_millis(2200), "{soonest:?}");
    worker.stop().await;
}

#[tokio::test]
async fn a_report_whose_answer_is_lost_is_made_again_and_the_lease_kept() {
    let script = Script::with_jobs([job(5, "0*8", Normal, MINUTE)]);
    let lost = Status::unavailable("nobody will hear this");
    script.answer(2, Some(DELIVERIES), &lost);
    script.answer(2, Some(5), &lost);
    let mut fake = Fake::serve(script).await;
    let worker = Running::at(fake.address, 1);
    let (mut findings, mut deliveries) = (Vec::new(), Vec::new());
    fake.until(|asked| {
        match asked {
            Asked::Found(finding) => findings.push(finding),
            Asked::Delivered(_) => deliveries.push(asked),
            _ => {}
        }
        (findings.len() == 3).then_some(())
    })
    .await;
    worker.stop().await;
    assert!(findings.iter().all(|finding| *finding == findings[0]));
    let numbers = findings[0].numbers.expect("numbers");
    assert_eq!((numbers.proof, numbers.disproof), (u32::MAX, 0));
    // The records of a report with a lost answer are sent again, perhaps with more.
    let sent = |number: usize| -> BTreeSet<_> {
        let records = records_of(&deliveries[number]);
        records.into_iter().collect()
    };
    let [first, second, third] = [0, 1, 2].map(sent);
    assert!(!first.is_empty());
    assert!(second.is_superset(&first) && third.is_superset(&second));
}

#[tokio::test]
async fn a_busy_coordinator_is_asked_again() {
    let script = Script::with_jobs([job(5, "0*8", Normal, MINUTE)]);
    script.answer(2, None, &Status::resource_exhausted("later, please"));
    let mut fake = Fake::serve(script).await;
    let worker = Running::at(fake.address, 1);
    let report = fake.finding().await;
    assert_eq!(report.lease, 5);
    worker.stop().await;
}

#[tokio::test]
async fn a_finding_that_is_rejected_is_given_up_and_the_job_handed_back() {
    let jobs = [(1, "0*8"), (2, "0*9")];
    let script =
        Script::with_jobs(jobs.map(|(lease, position)| job(lease, position, Normal, MINUTE)));
    let rejected = Status::invalid_argument("that is no such child");
    script.answer(1, Some(1), &rejected);
    let mut fake = Fake::serve(script).await;
    let worker = Running::at(fake.address, 1);
    let released = fake
        .until(|asked| match asked {
            Asked::Released(lease) => Some(lease),
            _ => None,
        })
        .await;
    assert_eq!(released, 1);
    assert_eq!(fake.finding().await.lease, 2, "it goes on");
    worker.stop().await;
}

#[tokio::test]
async fn a_stopped_worker_hands_back_all_jobs_and_asks_for_none() {
    let mut fake = Fake::serve(hard_jobs(1..=3)).await;
    let worker = Running::at(fake.address, 2);
    let both = |asked| match asked {
        Asked::Renewed(renewal) => (renewal.leases.len() == 2).then_some(()),
        _ => None,
    };
    fake.until(both).await;
    worker.stop().await;
    let mut ended = BTreeSet::new();
    fake.until(|asked| {
        match asked {
            Asked::Found(finding) => {
                ended.insert(finding.lease);
            }
            Asked::Released(lease) => {
                ended.insert(lease);
            }
            Asked::Leased(_) => panic!("it asks for a job: {ended:?}"),
            _ => {}
        }
        (ended.len() == 2).then_some(())
    })
    .await;
    assert_eq!(ended, BTreeSet::from([1, 2]));
}

#[tokio::test]
async fn grace_is_a_hard_limit() {
    let script = hard_jobs(1..=1);
    script.answer(10_000, None, &Status::unavailable("for ever"));
    let mut fake = Fake::serve(script).await;
    let grace = Duration::from_secs(1);
    let worker = Running::with(fake.address, Config { grace, ..config() });
    let held = |asked| match asked {
        Asked::Renewed(renewal) => (!renewal.leases.is_empty()).then_some(()),
        _ => None,
    };
    fake.until(held).await;
    let asked = Instant::now();
    worker.ask_to_stop();
    let ended = tokio::time::timeout(Duration::from_secs(3), worker.task).await;
    ended
        .expect("in time")
        .expect("no panic")
        .expect("no error");
    let took = asked.elapsed();
    assert!(took >= grace, "it tried as long as it may: {took:?}");
}
