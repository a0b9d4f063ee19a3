//! Workers that report false records: the contradicted records stay, and other workers are not disturbed.

use sproutnet_proto::v1;
use sproutnet_solver::play::Outcome;

use sproutnet_testkit::cluster::facts::{
    blocks, children, exact, excluded, land_key, true_outcome,
};
use sproutnet_testkit::cluster::hand::{fault, outcome, unsolved};
use sproutnet_testkit::cluster::wire::{FAILED, LOSS, RUNNING, SOLVED, UNKNOWN};
use sproutnet_testkit::cluster::{Cluster, end, now, query, resume, soon, start};

#[tokio::test]
async fn both_records_and_both_sources_are_named_and_kept() {
    let mut cluster = Cluster::start().await;
    let (mut client, mut right) = (cluster.client().await, cluster.worker("right").await);
    let mut wrong = cluster.worker("wrong").await;
    right.hand_over(vec![exact("0*6", 0)]).await.expect("taken");
    let computation = start(&mut client, "0*7").await;
    let job = wrong.job().await;
    let report = v1::Finding {
        blocks: blocks(vec![exact("0*5", 1), exact("0*6", 1)]),
        ..unsolved(job.lease, children(&job))
    };
    wrong.report(report).await.expect("no error of the call");
    let ended = end(&mut client, computation).await;
    assert_eq!((ended.status, ended.outcome), (FAILED, UNKNOWN));
    let key: String = land_key("0*6").iter().map(|b| format!("{b:02x}")).collect();
    for part in [
        "right (127.0.0.1:",
        "wrong (127.0.0.1:",
        "proved `normal 0*6: nimber 0`",
        "says `normal 0*6: nimber 1`",
    ] {
        assert!(ended.fault.contains(part), "{part}: {}", ended.fault);
    }
    assert_eq!(
        query(&mut client, "0*6").await.nimber,
        Some(0),
        "what was known stays"
    );
    let (known, _) = right.known(0).await;
    assert_eq!(known.get(&land_key("0*6")), Some(&1));
    assert_eq!(
        known.get(&land_key("0*5")),
        Some(&3),
        "what contradicts nothing is kept"
    );

    cluster.end().await;
    let kept = cluster.documents("contradiction/");
    let [(name, text)] = &kept[..] else {
        panic!("one is expected: {kept:?}");
    };
    assert!(name.contains(&key), "{name}");
    for part in [
        &format!("\"{key}\""),
        "\"known\":1",
        "\"new\":3",
        "right (",
        "wrong (",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[tokio::test]
async fn other_computations_go_on() {
    let cluster = Cluster::start().await;
    let (mut client, mut right) = (cluster.client().await, cluster.worker("right").await);
    let mut wrong = cluster.worker("wrong").await;
    right.hand_over(vec![exact("0*6", 0)]).await.expect("taken");
    let other = start(&mut client, "0*8").await;
    let job = right.job().await;
    let lied_to = start(&mut client, "0*7").await;
    let lease = wrong.job().await.lease;
    let report = v1::Finding {
        blocks: blocks(vec![exact("0*6", 1)]),
        ..outcome(lease, Outcome::Win)
    };
    wrong.report(report).await.expect("no error of the call");
    assert_eq!(end(&mut client, lied_to).await.status, FAILED);
    assert_eq!(now(&mut client, other).await.status, RUNNING);
    let report = outcome(job.lease, Outcome::Loss);
    right.report(report).await.expect("taken");
    assert_eq!(end(&mut client, other).await.status, SOLVED);
}

#[tokio::test]
async fn an_outcome_that_contradicts_a_record_fails_its_computation_alone() {
    let mut cluster = Cluster::start().await;
    let (mut client, mut right) = (cluster.client().await, cluster.worker("right").await);
    let mut wrong = cluster.worker("wrong").await;
    let computation = start(&mut client, "0*6").await;
    let lease = wrong.job().await.lease;
    right.hand_over(vec![exact("0*6", 0)]).await.expect("taken");
    let report = outcome(lease, Outcome::Win);
    wrong.report(report).await.expect("no error of the call");
    let ended = end(&mut client, computation).await;
    assert_eq!(ended.status, FAILED, "{ended:?}");
    assert!(ended.fault.contains("wrong ("), "{}", ended.fault);

    let other = start(&mut client, "0*7").await;
    let job = right.job().await;
    let report = outcome(job.lease, true_outcome(&job.state));
    right.report(report).await.expect("taken");
    let ended = end(&mut client, other).await;
    assert_eq!(ended.status, SOLVED, "{ended:?}");

    cluster.end().await;
    let kept = cluster.documents("contradiction/");
    let [(_, text)] = &kept[..] else {
        panic!("one is expected: {kept:?}");
    };
    for part in ["\"known\":1", "\"new\":2", "right (", "wrong ("] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Simultaneous reports go to disk in one write.
#[tokio::test]
async fn among_many_reports_at_once_the_one_that_lies_is_blamed() {
    let cluster = Cluster::start().await;
    let (mut client, mut first) = (cluster.client().await, cluster.worker("first").await);
    first
        .hand_over(vec![exact("kayles:50", 2)])
        .await
        .expect("taken");
    let mut workers = Vec::new();
    for spots in 10..26 {
        let computation = start(&mut client, &format!("0*{spots}")).await;
        let mut worker = cluster.worker(&format!("worker {spots}")).await;
        let job = worker.job().await;
        assert_eq!(job.computation, computation);
        workers.push((worker, job));
    }
    let liar = workers.len() / 2;
    let mut calls = tokio::task::JoinSet::new();
    for (number, (mut worker, job)) in workers.into_iter().enumerate() {
        let record = if number == liar {
            exact("kayles:50", 3)
        } else {
            exact(&format!("kayles:{}", 60 + number), 1)
        };
        let report = v1::Finding {
            blocks: blocks(vec![record]),
            ..unsolved(job.lease, children(&job))
        };
        calls.spawn(async move {
            worker.report(report).await.expect("taken");
            (number, job.computation)
        });
    }
    for (number, computation) in soon(calls.join_all()).await {
        let progress = now(&mut client, computation).await;
        let expected = if number == liar { FAILED } else { RUNNING };
        assert_eq!(progress.status, expected, "{number} of them: {progress:?}");
        if number != liar {
            assert_eq!(progress.records, 1, "each has one new record");
        }
    }
}

#[tokio::test]
async fn a_failed_computation_stays_failed_when_the_coordinator_is_killed() {
    let mut cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("broken").await);
    let computation = start(&mut client, "0*7").await;
    let root = worker.job().await;
    let report = unsolved(root.lease, children(&root));
    worker.report(report).await.expect("taken");
    let lease = worker.job().await.lease;
    worker
        .report(fault(lease, "two and two are five"))
        .await
        .expect("taken");
    assert_eq!(end(&mut client, computation).await.status, FAILED);
    cluster.restart().await;

    let mut client = cluster.client().await;
    let after = now(&mut client, computation).await;
    assert_eq!(after.status, FAILED);
    assert!(
        after.fault.contains("two and two are five"),
        "{}",
        after.fault
    );
    // The entries that guide its proof may be lost; they prove nothing.
    resume(&mut client, computation).await;
    let mut sound = cluster.worker("sound").await;
    while now(&mut client, computation).await.status == RUNNING {
        let Some(job) = sound.lease().await else {
            continue;
        };
        let report = outcome(job.lease, true_outcome(&job.state));
        sound.report(report).await.expect("taken");
    }
    let ended = end(&mut client, computation).await;
    assert_eq!((ended.status, ended.outcome), (SOLVED, LOSS), "{ended:?}");
}

#[tokio::test]
async fn what_only_together_leaves_no_nimber_contradicts() {
    let cluster = Cluster::start().await;
    let (mut client, mut one) = (cluster.client().await, cluster.worker("one").await);
    let mut two = cluster.worker("two").await;
    // Rows of seven pins end within seven moves, so one of 0..=7 is the nimber.
    let [low, high] = [0..4, 4..8].map(|nimbers| {
        let mut record = excluded("kayles:7", 0);
        record.value = nimbers.map(|nimber| 2 << nimber).sum();
        record
    });
    one.hand_over(vec![low.clone()]).await.expect("taken");
    let computation = start(&mut client, "0*7").await;
    let report = v1::Finding {
        blocks: blocks(vec![high]),
        ..unsolved(two.job().await.lease, Vec::new())
    };
    two.report(report).await.expect("no error of the call");
    let ended = end(&mut client, computation).await;
    assert_eq!(ended.status, FAILED);
    for part in ["one (", "two ("] {
        assert!(ended.fault.contains(part), "{}", ended.fault);
    }
    let (known, _) = one.known(0).await;
    assert_eq!(known.get(&*low.key), Some(&low.value), "the first stays");
}
