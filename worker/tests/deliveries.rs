//! The records of a worker reach the coordinator in spite of faults.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use sproutnet_game as game;
use sproutnet_proto::v1;
use sproutnet_solver::play::Record;
use sproutnet_store::Store;
use tempfile::TempDir;
use tonic::Status;
use v1::Play::{Misere, Normal};

use crate::fake::{Asked, Fake, Script, job, records_of};
use crate::program::Program;
use sproutnet_testkit::cluster::Running;

const MINUTE: Duration = Duration::from_secs(60);
const QUIET: Duration = Duration::from_secs(4);

/// A coordinator with one hard job. It refuses all reports unless `takes` is true.
fn hard_job(takes: bool) -> Script {
    let script = Script::with_jobs([job(1, "0*24", Misere, MINUTE)]);
    if !takes {
        script.answer(100_000, None, &Status::unavailable("not now"));
    }
    script
}

fn with_store(store: u64) -> Script {
    Script {
        store,
        ..Script::default()
    }
}

/// All records in the store of the only worker of a folder.
fn stored(folder: &Path) -> BTreeSet<Record> {
    let store = Store::open(&folder.join("0"), &game::encodings()).expect("a store");
    let records = store.iter();
    let records = records.map(|sourced| sourced.expect("a sound store").record);
    records.collect()
}

async fn reported(fake: &mut Fake) -> Vec<Record> {
    let some = |asked: Asked| Some(records_of(&asked)).filter(|records| !records.is_empty());
    fake.until(some).await
}

/// A folder in which a worker left undelivered records.
async fn folder_with_undelivered_records() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut fake = Fake::serve(hard_job(false)).await;
    let worker = Running::in_folder(fake.address, folder.path());
    reported(&mut fake).await;
    // Killed: the task is dropped at any point.
    worker.task.abort();
    let ended = worker.task.await;
    assert!(ended.is_err_and(|error| error.is_cancelled()));
    assert!(!stored(folder.path()).is_empty());
    folder
}

#[tokio::test]
async fn a_long_job_shares_what_it_finds_before_it_ends() {
    let mut fake = Fake::serve(hard_job(true)).await;
    let folder = tempfile::tempdir().expect("a folder");
    let worker = Running::in_folder(fake.address, folder.path());
    for round in 0..2 {
        let delivery = fake
            .until(|asked| match asked {
                Asked::Delivered(delivery) => Some(delivery),
                Asked::Found(_) | Asked::Faulted(_) => panic!("the job ends in round {round}"),
                _ => None,
            })
            .await;
        assert!(!delivery.blocks.is_empty(), "{delivery:?}");
    }
    worker.stop().await;
}

#[tokio::test]
async fn all_records_arrive_in_the_end_though_messages_take_long() {
    let mut fake = Fake::serve(Script {
        delay: Duration::from_millis(1200),
        ..hard_job(true)
    })
    .await;
    let folder = tempfile::tempdir().expect("a folder");
    let worker = Running::in_folder(fake.address, folder.path());
    let mut sent = BTreeSet::from_iter(reported(&mut fake).await);
    let at_first = sent.len();
    // Each of them doubles the least worth.
    for _ in 0..2 {
        sent.extend(reported(&mut fake).await);
    }
    worker.stop().await;
    sent.extend(fake.records_within(Duration::from_secs(3)).await);
    assert!(sent.len() > at_first);
    let stored = stored(folder.path());
    assert!(sent == stored, "{} of {}", sent.len(), stored.len());
}

#[tokio::test]
async fn undelivered_records_are_sent_after_a_restart_and_once() {
    let folder = folder_with_undelivered_records().await;
    let undelivered = stored(folder.path());
    let mut fake = Fake::serve(with_store(7)).await;
    let worker = Running::in_folder(fake.address, folder.path());
    let sent: BTreeSet<Record> = fake.records_within(QUIET).await.into_iter().collect();
    assert!(
        sent == undelivered,
        "{} of {}",
        sent.len(),
        undelivered.len()
    );
    worker.stop().await;

    let mut same = Fake::serve(with_store(7)).await;
    let worker = Running::in_folder(same.address, folder.path());
    let again = same.records_within(QUIET).await;
    assert!(again.is_empty(), "{} again", again.len());
    worker.stop().await;

    let mut other = Fake::serve(with_store(8)).await;
    let worker = Running::in_folder(other.address, folder.path());
    let sent: BTreeSet<Record> = other.records_within(QUIET).await.into_iter().collect();
    assert!(
        sent == undelivered,
        "{} of {} to another",
        sent.len(),
        undelivered.len()
    );
    worker.stop().await;
}

#[tokio::test]
async fn a_worker_keeps_its_identity_and_two_have_two() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut fake = Fake::serve(Script::default()).await;
    let mut identities = Vec::new();
    let registered = |asked| match asked {
        Asked::Registered(request) => Some(request.identity),
        _ => None,
    };
    let first = Running::in_folder(fake.address, folder.path());
    identities.push(fake.until(registered).await);
    let second = Running::in_folder(fake.address, folder.path());
    identities.push(fake.until(registered).await);
    first.stop().await;
    let again = Running::in_folder(fake.address, folder.path());
    identities.push(fake.until(registered).await);
    second.stop().await;
    again.stop().await;
    assert_eq!(identities[0], identities[2]);
    assert_ne!(identities[0], identities[1]);
}

#[tokio::test]
async fn a_killed_program_starts_again_and_sends_all_that_it_had_stored() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut sent = BTreeSet::new();
    for round in 0..4u64 {
        // Every second coordinator refuses all reports.
        let mut fake = Fake::serve(hard_job(round % 2 == 1)).await;
        let program = Program::start(fake.address, folder.path(), &[]);
        let before = reported(&mut fake).await;
        tokio::time::sleep(Duration::from_millis(900 * round)).await;
        drop(program);
        let after = fake.records_within(Duration::from_millis(100)).await;
        if round % 2 == 1 {
            sent.extend(before.into_iter().chain(after));
        }
    }
    let stored = stored(folder.path());
    assert!(!stored.is_empty());
    let mut fake = Fake::serve(Script::default()).await;
    let program = Program::start(fake.address, folder.path(), &[]);
    sent.extend(fake.records_within(QUIET).await);
    drop(program);
    assert!(
        sent.is_superset(&stored),
        "{} of {}",
        sent.len(),
        stored.len()
    );
}

#[tokio::test]
async fn a_worker_that_starts_again_reads_only_what_is_new_in_the_feed() {
    // Records of another worker.
    let small = || job(1, "0*12", Normal, MINUTE);
    let mut fake = Fake::serve(Script::with_jobs([small()])).await;
    let worker = Running::at(fake.address, 1);
    let mut blocks = Vec::new();
    let found = |asked: Asked, blocks: &mut Vec<Vec<u8>>| match asked {
        Asked::Delivered(delivery) => {
            blocks.extend(delivery.blocks);
            None
        }
        Asked::Found(finding) => {
            blocks.extend(finding.blocks);
            Some(finding.expansions)
        }
        _ => None,
    };
    let alone = fake.until(|asked| found(asked, &mut blocks)).await;
    worker.stop().await;
    assert!(!blocks.is_empty() && alone > 100, "{alone} expansions");

    // A worker leases once it has read the feed.
    let folder = tempfile::tempdir().expect("a folder");
    let script = || {
        let script = with_store(7);
        script.feed.send_replace(blocks.clone());
        script
    };
    let mut fake = Fake::serve(script()).await;
    for begins_at in [0, blocks.len() as u64] {
        let worker = Running::in_folder(fake.address, folder.path());
        let mut cursors = Vec::new();
        fake.until(|asked| {
            if let Asked::Fed(cursor) = asked {
                cursors.push(cursor);
            }
            matches!(asked, Asked::Leased(_)).then_some(())
        })
        .await;
        assert_eq!(cursors, [begins_at]);
        worker.stop().await;
        // The records of the feed are not sent back.
        assert!(fake.records_within(Duration::ZERO).await.is_empty());
    }
    assert!(!stored(folder.path()).is_empty());

    // Its search knows the records of the first feed.
    let with_job = script();
    with_job.jobs.lock().expect("no panic").push_back(small());
    let mut fake = Fake::serve(with_job).await;
    let worker = Running::in_folder(fake.address, folder.path());
    let again = fake.until(|asked| found(asked, &mut Vec::new())).await;
    assert!(again < alone / 10, "{again} of {alone} expansions");
    worker.stop().await;
}
