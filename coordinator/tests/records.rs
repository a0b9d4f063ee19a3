//! The records of workers: stored, fed to other workers, and checked.

use sproutnet_proto::v1;
use tokio_stream::StreamExt;

use sproutnet_testkit::cluster::facts::{exact, excluded, land_key};
use sproutnet_testkit::cluster::hand::{fault, records};
use sproutnet_testkit::cluster::wire::{FAILED, LOSS, RUNNING};
use sproutnet_testkit::cluster::{Cluster, end, now, query, soon, start};

#[tokio::test]
async fn records_are_durable_and_come_out_of_the_feed() {
    let mut cluster = Cluster::start().await;
    let mut one = cluster.worker("one").await;
    let mut open = one.feed(0).await;
    let first = soon(open.next()).await.expect("open").expect("no error");
    assert!(first.caught_up && first.block.is_empty(), "{first:?}");
    let told = vec![exact("0*4", 1), exact("0*6", 0)];
    one.hand_over(told).await.expect("taken");
    let fed = soon(open.next()).await.expect("open").expect("no error");
    assert_eq!(records(&fed).count(), 2, "as they come");
    assert!(fed.cursor > first.cursor);

    let (known, cursor) = cluster.worker("late").await.known(0).await;
    assert_eq!(known.len(), 2, "for a late subscriber");
    assert_eq!(known.get(&land_key("0*6")), Some(&1));
    one.hand_over(vec![exact("0*5", 1)]).await.expect("taken");
    let (since, newest) = one.known(cursor).await;
    assert_eq!(since.get(&land_key("0*5")), Some(&3), "from a cursor");
    assert!(newest > cursor);
    let (since, _) = one.known(newest).await;
    assert!(since.is_empty(), "nothing is above the newest");

    cluster.restart().await;
    let (known, cursor) = cluster.worker("after").await.known(0).await;
    assert_eq!((known.len(), cursor), (3, newest));
    // A cursor from a later state of the store, which was restored from a backup.
    let (known, cursor) = cluster.worker("ahead").await.known(newest + 100).await;
    assert_eq!((known.len(), cursor), (3, newest));
    let answer = query(&mut cluster.client().await, "0*6").await;
    let outcome = answer.normal.expect("told").outcome;
    assert_eq!((outcome, answer.nimber), (LOSS, Some(0)));
}

#[tokio::test]
async fn facts_about_one_land_reported_at_once_are_all_kept() {
    let mut cluster = Cluster::start().await;
    // No row of Kayles has any of these nimbers.
    let absent = [0, 10, 11, 12, 13, 14, 15, 16];
    let mut workers = Vec::new();
    for _ in absent {
        workers.push(cluster.worker("one of many").await);
    }
    for pins in 30..40 {
        let row = format!("kayles:{pins}");
        let mut calls = tokio::task::JoinSet::new();
        for (mut worker, nimber) in workers.drain(..).zip(absent) {
            let record = excluded(&row, nimber);
            calls.spawn(async move { (worker.hand_over(vec![record]).await, worker) });
        }
        for (taken, worker) in soon(calls.join_all()).await {
            taken.expect("taken");
            workers.push(worker);
        }
    }
    cluster.restart().await;
    let (known, _) = cluster.worker("after").await.known(0).await;
    let all = absent.iter().fold(0, |mask, nimber| mask | 2 << nimber);
    for pins in 30..40 {
        let kept = known.get(&land_key(&format!("kayles:{pins}")));
        assert_eq!(kept, Some(&all), "kayles:{pins}");
    }
}

#[tokio::test]
async fn a_fault_fails_the_computation() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("broken").await);
    let computation = start(&mut client, "0*6").await;
    let lease = worker.job().await.lease;
    worker
        .report(fault(lease, "two and two are five"))
        .await
        .expect("taken");
    let ended = end(&mut client, computation).await;
    assert_eq!(ended.status, FAILED);
    for part in ["two and two are five", "broken"] {
        assert!(ended.fault.contains(part), "{}", ended.fault);
    }
    let (known, _) = worker.known(0).await;
    assert!(known.is_empty(), "{known:?}");
}

#[tokio::test]
async fn a_fault_without_a_lease_fails_no_computation() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("broken").await);
    let computation = start(&mut client, "0*6").await;
    let lease = worker.job().await.lease;
    let report = v1::Fault {
        lease: None,
        ..fault(lease, "again")
    };
    worker.report(report).await.expect("taken");
    assert!(worker.renew(lease).await, "still held");
    assert_eq!(now(&mut client, computation).await.status, RUNNING);
}
