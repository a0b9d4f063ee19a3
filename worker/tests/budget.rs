//! A fleet with a budget of records withholds facts of little work.

use std::collections::BTreeSet;
use std::time::Duration;

use sproutnet_coordinator::{self as coordinator, LeastWorth};
use sproutnet_proto::v1;
use v1::Outcome::Loss;
use v1::Play::Normal;

use crate::fake::{Asked, Fake, Script, job};
use sproutnet_testkit::cluster::{Cluster, Running, end, soon, start};

const SECOND: Duration = Duration::from_secs(1);

/// Waits until a worker has learned the least worth.
async fn until_renewed(cluster: &Cluster) {
    let renewed = async {
        while cluster.state().workers.is_empty() {
            tokio::time::sleep(SECOND / 50).await;
        }
        tokio::time::sleep(SECOND / 2).await;
    };
    soon(renewed).await;
}

#[tokio::test]
async fn facts_of_little_work_are_withheld_and_outcomes_are_right() {
    let mut received = Vec::new();
    for least_worth in [None, Some(LeastWorth::of_visits(64))] {
        let cluster = Cluster::with(
            coordinator::Config {
                least_worth,
                ..coordinator::Config::default()
            },
            None,
        )
        .await;
        let worker = cluster.run_worker(1);
        until_renewed(&cluster).await;
        let mut client = cluster.client().await;
        let computation = start(&mut client, "0*14").await;
        let ended = end(&mut client, computation).await;
        assert_eq!(ended.status, v1::Status::Solved as i32, "{ended:?}");
        assert_eq!(ended.outcome, Loss as i32, "{ended:?}");
        worker.stop().await;
        let state = cluster.state();
        let visits = least_worth.map_or(1, LeastWorth::visits);
        assert_eq!(state.least_worth, visits);
        // Facts of much work arrive.
        assert!(state.received > 0 && state.records > 0, "{state:?}");
        received.push(state.received_bytes);
    }
    assert!(received[1] * 3 < received[0], "{received:?}");
}

#[tokio::test]
async fn a_fleet_above_its_budget_sends_less_and_less() {
    let cluster = Cluster::with(
        coordinator::Config {
            record_budget: Some(1 << 20),
            ..coordinator::Config::default()
        },
        None,
    )
    .await;
    let worker = cluster.run_worker(1);
    until_renewed(&cluster).await;
    let mut client = cluster.client().await;
    let hard = start(&mut client, "0*40").await;
    let sent_within = async |time| {
        let before = cluster.state().received_bytes;
        tokio::time::sleep(time).await;
        cluster.state().received_bytes - before
    };
    let at_first = sent_within(4 * SECOND).await;
    let raised = async {
        while cluster.state().least_worth < 64 {
            tokio::time::sleep(SECOND / 10).await;
        }
        // Time for a worker to learn of it, and to send its queued records.
        tokio::time::sleep(3 * SECOND / 2).await;
    };
    soon(raised).await;
    let later = sent_within(4 * SECOND).await;
    assert!(later * 2 < at_first, "{later} of {at_first}");
    assert!(later > 0, "facts of much work arrive");
    let cancel = v1::CancelRequest { computation: hard };
    soon(client.cancel(cancel)).await.expect("it is cancelled");

    let computation = start(&mut client, "0*14").await;
    let ended = end(&mut client, computation).await;
    assert_eq!(ended.outcome, Loss as i32, "{ended:?}");
    worker.stop().await;
    let least = cluster.state().least_worth;
    assert!(least >= 64, "{least}");
}

#[tokio::test]
async fn a_worker_that_stops_keeps_to_what_it_was_asked() {
    let mut sent = Vec::new();
    for least_worth in [None, Some(1), Some(1 << 15)] {
        let slice = Duration::from_secs(60);
        let mut fake = Fake::serve(Script {
            least_worth,
            ..Script::with_jobs([job(1, "0*40", Normal, slice)])
        })
        .await;
        let worker = Running::at(fake.address, 1);
        fake.until(|asked| matches!(asked, Asked::Leased(_)).then_some(()))
            .await;
        tokio::time::sleep(3 * SECOND).await;
        worker.stop().await;
        let records = fake.records_within(SECOND).await;
        sent.push(BTreeSet::from_iter(records).len());
    }
    assert!(sent[2] * 10 < sent[0].min(sent[1]), "{sent:?}");
}
