//! A worker whose coordinator starts late, ends or returns.

use std::time::Duration;

use sproutnet_proto::v1;
use tokio::net::TcpListener;
use tokio::time::sleep;
use tokio_stream::StreamExt;

use sproutnet_testkit::cluster::{Client, Cluster, Running, end, fleet, soon, start, watch};

/// Takes a second or more under normal play; the player to move loses.
const LONG: &str = "0*25";

/// Not solved while a test runs.
const HARD: &str = "0*40";

const RUNNING: i32 = v1::Status::Running as i32;
const SOLVED: i32 = v1::Status::Solved as i32;
const LOSS: i32 = v1::Outcome::Loss as i32;

async fn start_long(client: &mut Client) -> u64 {
    start(client, LONG).await
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
    let computation = start(&mut client, "0*8").await;
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
    // Connections are accepted, but never answered.
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let worker = Running::at(listener.local_addr().expect("an address"), 1);
    sleep(Duration::from_millis(200)).await;
    worker.stop().await;
}

#[tokio::test]
async fn a_worker_that_ends_is_no_longer_listed() {
    let cluster = Cluster::start().await;
    let worker = cluster.run_worker(2);
    let mut client = cluster.client().await;
    start(&mut client, HARD).await;
    let listed = async |client: &mut Client| fleet(client).await.workers;
    while listed(&mut client)
        .await
        .iter()
        .all(|worker| worker.expansions == 0)
    {
        sleep(Duration::from_millis(20)).await;
    }
    worker.stop().await;
    let state = fleet(&mut client).await;
    assert!(state.workers.is_empty(), "{state:?}");
}

#[tokio::test]
async fn a_worker_outlives_its_coordinator() {
    let mut cluster = Cluster::start().await;
    let worker = cluster.run_worker(2);
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

    cluster.run().await;
    assert!(cluster.records().await.is_superset(&before), "lost");
    let mut client = cluster.client().await;
    let computation = start_long(&mut client).await;
    let ended = end(&mut client, computation).await;
    assert_eq!((ended.status, ended.outcome), (SOLVED, LOSS), "{ended:?}");
    assert!(cluster.records().await.is_superset(&before), "lost");
    worker.stop().await;
}

#[tokio::test]
async fn a_stopped_worker_hands_over_what_it_found_and_its_job() {
    let cluster = Cluster::start().await;
    let worker = cluster.run_worker(2);
    let mut client = cluster.client().await;
    let computation = start(&mut client, HARD).await;
    sleep(Duration::from_millis(400)).await;
    let before = cluster.records().await;
    // Long enough to find new records even on a busy machine.
    sleep(Duration::from_millis(500)).await;
    worker.stop().await;
    let after = cluster.records().await;
    assert!(after.len() > before.len(), "nothing handed over");

    let mut progress = watch(&mut client, computation).await;
    let now = soon(progress.next()).await.expect("open");
    assert_eq!(now.expect("no error").status, RUNNING);
    let job = cluster.worker("by hand").await.lease().await;
    assert!(job.is_some(), "its job is free again");
}
