//! What workers prove: kept, fed to others, and checked.

mod cluster;

use sproutnet_common::play::Outcome;
use sproutnet_proto::v1;
use tokio_stream::StreamExt;
use tonic::Code;

use cluster::{
    Cluster, children, end, is_invalid, land_key, now, outcome, query, soon, start, unsolved,
};

const RUNNING: i32 = v1::Status::Running as i32;
const FAILED: i32 = v1::Status::Failed as i32;
const LOSS: i32 = v1::Outcome::Loss as i32;

/// The fact that a land has that nimber.
fn exact(position: &str, nimber: u64) -> v1::Record {
    v1::Record {
        key: land_key(position),
        value: 2 * nimber + 1,
    }
}

/// The fact that a land has another nimber.
fn excluded(position: &str, nimber: u32) -> v1::Record {
    v1::Record {
        key: land_key(position),
        value: 2 << nimber,
    }
}

#[tokio::test]
async fn records_are_durable_and_come_out_of_the_feed() {
    let mut cluster = Cluster::start().await;
    let mut one = cluster.worker("one").await;
    let mut open = one.feed(0).await;
    let first = soon(open.next()).await.expect("open").expect("no error");
    assert!(first.caught_up && first.records.is_empty(), "{first:?}");
    let records = vec![exact("0*4", 1), exact("0*6", 0)];
    one.hand_over(records).await.expect("taken");
    let fed = soon(open.next()).await.expect("open").expect("no error");
    assert_eq!(fed.records.len(), 2, "as they come");
    assert!(fed.cursor > first.cursor);

    let (known, cursor) = cluster.worker("late").await.known(0).await;
    assert_eq!(known.len(), 2, "for a late subscriber");
    assert_eq!(known.get(&land_key("0*6")), Some(&1));
    let records = vec![exact("0*5", 1)];
    one.hand_over(records).await.expect("taken");
    let (since, newest) = one.known(cursor).await;
    assert_eq!(since.get(&land_key("0*5")), Some(&3), "from a cursor");
    assert!(newest > cursor);
    let (since, _) = one.known(newest).await;
    assert!(since.is_empty(), "nothing is above the newest");

    cluster.restart().await;
    let (known, cursor) = cluster.worker("after").await.known(0).await;
    assert_eq!((known.len(), cursor), (3, newest));
    let verdict = query(&mut cluster.client().await, "0*6").await;
    assert_eq!((verdict.normal, verdict.nimber), (LOSS, Some(0)));
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
async fn malformed_records_are_refused_with_the_whole_report() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let record = |key: &[u8], value| v1::Record {
        key: key.to_vec(),
        value,
    };
    // A misère sum of so many rows of one pin that it is too long for a key.
    let rows = 30_000;
    let count = [0x80 | (rows & 0x7f) as u8, 0x80 | (rows >> 7 & 0x7f) as u8];
    let count = [&count[..], &[(rows >> 14) as u8]].concat();
    let long = [&b"Km"[..], &count, &[2, 0, 1].repeat(rows), &[0, 0]].concat();
    let malformed = [
        record(b"", 1),
        record(b"?n123", 1),
        record(&land_key("0*6")[..1], 1),
        record(&land_key("0*6")[..3], 1),
        record(b"Kn\0\0", 1),
        record(&[b"Kn".as_slice(), &[9; 100]].concat(), 1),
        record(b"Km\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 1),
        exact("0*4", 1 << 40),
        record(&long, 1),
    ];
    for bad in malformed {
        let records = vec![exact("0*6", 0), bad.clone()];
        let result = worker.hand_over(records).await;
        let length = bad.key.len();
        let start = &bad.key[..length.min(20)];
        assert!(
            is_invalid(&result),
            "{start:?} of {length} bytes: {result:?}"
        );
    }
    let (known, _) = worker.known(0).await;
    assert!(known.is_empty(), "{known:?}");
    let verdict = query(&mut client, "0*6").await;
    assert_eq!(verdict.nimber, None, "known, but not stored");
}

#[tokio::test]
async fn a_record_that_contradicts_another_fails_the_computation() {
    let cluster = Cluster::start().await;
    let (mut client, mut right) = (cluster.client().await, cluster.worker("right").await);
    let mut wrong = cluster.worker("wrong").await;
    let known = vec![exact("0*6", 0)];
    right.hand_over(known).await.expect("taken");
    let computation = start(&mut client, "0*7").await;
    let job = wrong.job().await;
    let report = v1::ReportRequest {
        records: vec![exact("0*6", 1)],
        ..unsolved(job.lease, children(&job))
    };
    wrong.report(report).await.expect("no error of the call");
    let ended = end(&mut client, computation).await;
    assert_eq!(ended.status, FAILED);
    assert_eq!(ended.outcome, v1::Outcome::Unspecified as i32);
    let names = [format!("worker {}", wrong.id), "wrong".to_owned()];
    for name in names {
        assert!(ended.fault.contains(&name), "{}", ended.fault);
    }
    assert_eq!(query(&mut client, "0*6").await.nimber, Some(0));
    let (known, _) = right.known(0).await;
    assert_eq!(known.get(&land_key("0*6")), Some(&1));
}

#[tokio::test]
async fn an_outcome_that_contradicts_a_record_fails_the_computation() {
    let cluster = Cluster::start().await;
    let (mut client, mut right) = (cluster.client().await, cluster.worker("right").await);
    let mut wrong = cluster.worker("wrong").await;
    let computation = start(&mut client, "0*6").await;
    let lease = wrong.job().await.lease;
    let known = vec![exact("0*6", 0)];
    right.hand_over(known).await.expect("taken");
    let report = outcome(lease, Outcome::Win);
    wrong.report(report).await.expect("no error of the call");
    let ended = end(&mut client, computation).await;
    assert_eq!(ended.status, FAILED, "{ended:?}");
}

#[tokio::test]
async fn a_fault_fails_the_computation_and_nothing_else_of_the_report_is_used() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("broken").await);
    let computation = start(&mut client, "0*6").await;
    let lease = worker.job().await.lease;
    let report = v1::ReportRequest {
        fault: "two and two are five".to_owned(),
        records: vec![exact("0*4", 1)],
        ..outcome(lease, Outcome::Win)
    };
    worker.report(report).await.expect("taken");
    let ended = end(&mut client, computation).await;
    assert_eq!(ended.status, FAILED);
    for part in ["two and two are five", "broken"] {
        assert!(ended.fault.contains(part), "{}", ended.fault);
    }
    let (known, _) = worker.known(0).await;
    assert!(known.is_empty(), "{known:?}");

    // A fault needs nothing beside it.
    let computation = start(&mut client, "0*6").await;
    let lease = worker.job().await.lease;
    let report = v1::ReportRequest {
        fault: "again".to_owned(),
        numbers: None,
        ..unsolved(lease, Vec::new())
    };
    worker.report(report).await.expect("taken");
    assert_eq!(end(&mut client, computation).await.status, FAILED);
}

#[tokio::test]
async fn reports_that_make_no_sense_are_refused() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let computation = start(&mut client, "0*6").await;
    let job = worker.job().await;
    let zero = Some(v1::Numbers {
        proof: 0,
        disproof: 0,
    });
    for numbers in [None, zero] {
        let report = v1::ReportRequest {
            numbers,
            ..unsolved(job.lease, Vec::new())
        };
        let result = worker.report(report).await;
        assert!(is_invalid(&result), "{numbers:?}: {result:?}");
        let mut below = children(&job);
        below[1].numbers = numbers;
        let result = worker.report(unsolved(job.lease, below)).await;
        assert!(is_invalid(&result), "child {numbers:?}: {result:?}");
    }
    assert!(worker.renew(job.lease).await, "still held");
    assert_eq!(now(&mut client, computation).await.status, RUNNING);
}

#[tokio::test]
async fn children_that_cannot_be_read_are_refused() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    start(&mut client, "0*6").await;
    let job = worker.job().await;
    for garbage in [&b""[..], b"\x01\x03\xff\xff\xff\0\0\0\0", &[0xff; 64]] {
        let mut below = children(&job);
        below[0].state = garbage.to_vec();
        let result = worker.report(unsolved(job.lease, below)).await;
        assert!(is_invalid(&result), "{garbage:?}: {result:?}");
    }
}

#[tokio::test]
async fn messages_that_are_too_large_are_refused() {
    let cluster = Cluster::start().await;
    let mut worker = cluster.worker("one").await;
    let huge = v1::Record {
        key: vec![b'S'; (16 << 20) + 1],
        value: 1,
    };
    let status = worker.hand_over(vec![huge]).await.expect_err("too large");
    assert_eq!(status.code(), Code::OutOfRange, "{status}");
    let records = vec![exact("0*6", 0)];
    worker.hand_over(records).await.expect("taken");
}
