//! A worker through the ups and downs of its coordinator.

mod cluster;
mod fake;

use std::sync::Mutex;
use std::time::Duration;

use sproutnet_common::play::Knowledge;
use sproutnet_proto::v1;
use sproutnet_worker::WorkerError;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::sleep;
use tokio_stream::StreamExt;
use v1::Play::{Misere, Normal};

use cluster::{Client, Cluster, Running, end, soon, start, watch};
use fake::{Fake, How};

/// Takes several seconds under normal play; the player to move wins.
const LONG: &str = "0*16";

const RUNNING: i32 = v1::Status::Running as i32;
const SOLVED: i32 = v1::Status::Solved as i32;
const WIN: i32 = v1::Outcome::Win as i32;
const LOSS: i32 = v1::Outcome::Loss as i32;

async fn start_long(client: &mut Client) -> u64 {
    start(client, LONG, Normal).await
}

#[tokio::test]
async fn a_worker_waits_for_its_coordinator() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let worker = Running::at(address, 2);
    sleep(Duration::from_millis(500)).await;
    assert!(!worker.task.is_finished(), "it goes on trying");
    let cluster = Cluster::start_at(address).await;
    let mut client = cluster.client().await;
    let computation = start(&mut client, "0*8", Normal).await;
    let ended = end(&mut client, computation).await;
    assert_eq!((ended.status, ended.outcome), (SOLVED, LOSS));
    worker.stop().await;
}

#[tokio::test]
async fn a_worker_stops_while_there_is_no_coordinator() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    drop(listener);
    let worker = Running::at(address, 1);
    sleep(Duration::from_millis(200)).await;
    worker.stop().await;
}

#[tokio::test]
async fn a_worker_stops_while_its_coordinator_is_silent() {
    // Connections are taken, and nothing is ever said on them.
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let worker = Running::at(listener.local_addr().expect("an address"), 1);
    sleep(Duration::from_millis(200)).await;
    worker.stop().await;
}

#[tokio::test]
async fn a_worker_outlives_its_coordinator() {
    let mut cluster = Cluster::start().await;
    let worker = cluster.worker(2);
    let mut client = cluster.client().await;
    let computation = start_long(&mut client).await;
    let mut progress = watch(&mut client, computation).await;
    loop {
        let progress = soon(progress.next()).await.expect("open");
        let progress = progress.expect("no error");
        assert_eq!(progress.status, RUNNING, "too easy for this test");
        if progress.records > 0 {
            break;
        }
    }
    let before = cluster.records().await;
    assert!(!before.is_empty());
    cluster.kill().await;
    let broken = soon(progress.collect::<Vec<_>>()).await;
    assert!(
        broken.last().is_none_or(Result::is_err),
        "it did not end well"
    );
    sleep(Duration::from_millis(300)).await;
    assert!(!worker.task.is_finished(), "it goes on");

    cluster.revive().await;
    assert!(cluster.records().await.is_superset(&before), "lost");
    let mut client = cluster.client().await;
    let computation = start_long(&mut client).await;
    let ended = end(&mut client, computation).await;
    assert_eq!((ended.status, ended.outcome), (SOLVED, WIN), "{ended:?}");
    assert!(cluster.records().await.is_superset(&before), "lost");
    worker.stop().await;
}

#[tokio::test]
async fn a_stopped_worker_hands_over_what_it_found_and_its_job() {
    let cluster = Cluster::start().await;
    let worker = cluster.worker(2);
    let mut client = cluster.client().await;
    let computation = start_long(&mut client).await;
    // Less than a slice: nothing was reported yet.
    sleep(Duration::from_millis(400)).await;
    assert!(cluster.records().await.is_empty(), "reported already");
    worker.stop().await;
    assert!(!cluster.records().await.is_empty(), "nothing handed over");

    let mut progress = watch(&mut client, computation).await;
    let now = soon(progress.next()).await.expect("open");
    assert_eq!(now.expect("no error").status, RUNNING);
    let (mut calls, worker) = cluster.by_hand().await;
    let leased = soon(calls.lease(v1::LeaseRequest { worker })).await;
    let job = leased.expect("an answer").into_inner().job;
    assert!(job.is_some(), "its job is free again");
}

#[tokio::test]
async fn a_refused_worker_says_why_and_ends() {
    let fake = Fake {
        refusal: Some("it is too old"),
        jobs: Mutex::default(),
        ended: mpsc::unbounded_channel().0,
    };
    let worker = Running::at(fake.serve().await, 1);
    match soon(worker.task).await.expect("no panic") {
        Err(WorkerError::Refused(reason)) => assert_eq!(reason, "it is too old"),
        other => panic!("{other:?}"),
    }
}

/// A worker gets the unreadable jobs, then a good one; how each lease ends.
async fn ends_of(mut unreadable: Vec<v1::Job>) -> Vec<(u64, How)> {
    let knowledge = Knowledge::default();
    let kayles = knowledge.game("kayles").expect("a game");
    let position = kayles.game().parse("9").expect("a position");
    let state = sproutnet_common::play::Convention::state(&*kayles.normal, &position);
    let good = job(9, "kayles", Normal.into(), state.encode(&*kayles.normal));
    let count = unreadable.len() + 1;
    unreadable.reverse();
    unreadable.insert(0, good);
    let (ended, mut ends) = mpsc::unbounded_channel();
    let fake = Fake {
        refusal: None,
        jobs: Mutex::new(unreadable),
        ended,
    };
    let worker = Running::at(fake.serve().await, 1);
    let mut all = Vec::new();
    while all.len() < count {
        let next = tokio::time::timeout(Duration::from_secs(5), ends.recv()).await;
        let Ok(Some(end)) = next else {
            break;
        };
        all.push(end);
    }
    worker.stop().await;
    all
}

fn job(lease: u64, game: &str, play: i32, state: Option<Vec<u8>>) -> v1::Job {
    v1::Job {
        lease,
        game: game.to_owned(),
        play,
        state: state.expect("small"),
        slice_ms: 1000,
        expires_ms: 30_000,
    }
}

#[tokio::test]
async fn a_job_that_cannot_be_read_is_handed_back() {
    let unreadable = vec![
        job(1, "chess", Normal.into(), Some(b"\0\0\0\0\0".to_vec())),
        job(2, "sprouts", Normal.into(), Some(Vec::new())),
        job(3, "sprouts", Misere.into(), Some(vec![0xff; 40])),
    ];
    let expected = [1, 2, 3].map(|lease| (lease, How::Released));
    let ends = ends_of(unreadable).await;
    assert_eq!(ends, [&expected[..], &[(9, How::Reported)]].concat());
}

#[tokio::test]
async fn a_job_without_a_convention_is_handed_back() {
    let ends = ends_of(vec![job(1, "kayles", 0, Some(b"\0\0\0\0\0".to_vec()))]).await;
    assert_eq!(ends, [(1, How::Released), (9, How::Reported)]);
}
