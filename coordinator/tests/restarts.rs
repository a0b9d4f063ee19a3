//! The state that survives an end of the coordinator, in order or not.

use std::time::{Duration, Instant};

use sproutnet_coordinator::Config;
use sproutnet_proto::v1;
use sproutnet_solver::play::Outcome;

use sproutnet_testkit::cluster::facts::{blocks, children, exact};
use sproutnet_testkit::cluster::hand::{Hand, fault, outcome, unsolved};
use sproutnet_testkit::cluster::wire::{CANCELLED, EXPIRED, FAILED, LOSS, PAUSED, RUNNING, SOLVED};
use sproutnet_testkit::cluster::{
    Client, Cluster, cancel, end, list, now, pause, query, resume, set_weight,
};
use sproutnet_testkit::cluster::{soon, start, start_as, start_request};

/// Expands the root of the only running computation; returns its state.
async fn expand_root(worker: &mut Hand) -> Vec<u8> {
    let root = worker.job().await;
    let report = v1::Finding {
        expansions: 7,
        ..unsolved(root.lease, children(&root))
    };
    worker.report(report).await.expect("taken");
    root.state
}

/// The status of each computation, by number.
async fn statuses(client: &mut Client) -> Vec<(u64, i32)> {
    let listed = list(client).await.into_iter();
    let status = |computation: v1::Computation| computation.progress.expect("progress").status;
    listed.map(|c| (c.computation, status(c))).collect()
}

#[tokio::test]
async fn computations_go_on_where_they_were() {
    let mut cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let request = v1::StartRequest {
        priority: Some(-3),
        nimber: true,
        weight: Some(3),
        owner: "alice".to_owned(),
        label: "misère 24".to_owned(),
        ..start_request("0*7")
    };
    let first = start_as(&mut client, request).await;
    set_weight(&mut client, first, 5).await;
    let root = expand_root(&mut cluster.worker("before").await).await;
    let paused = start(&mut client, "0*8").await;
    pause(&mut client, paused).await;
    let before = list(&mut client).await;
    cluster.end().await;
    cluster.run().await;

    let mut client = cluster.client().await;
    let after = list(&mut client).await;
    assert_eq!(
        statuses(&mut client).await,
        [(first, RUNNING), (paused, PAUSED)]
    );
    for (before, after) in before.iter().zip(&after) {
        let said = |c: &v1::Computation| {
            let v1::Computation {
                canonical,
                play,
                nimber,
                priority,
                weight,
                owner,
                label,
                started_at,
                ..
            } = c.clone();
            let given = (priority, weight, owner, label);
            (canonical, play, nimber, given, started_at)
        };
        assert_eq!(said(after), said(before));
        let effort = |c: &v1::Computation| {
            let progress = c.progress.clone().expect("progress");
            (progress.expansions, progress.records, progress.seconds)
        };
        let ((expansions, records, seconds), later) = (effort(before), effort(after));
        assert_eq!((expansions, records), (later.0, later.1));
        assert!(later.2 >= seconds, "{before:?}, {after:?}");
    }
    let of_first = &after[0];
    assert_eq!((of_first.weight, &*of_first.owner), (5, "alice"));
    assert_eq!(of_first.label, "misère 24");
    assert!(of_first.machine_seconds > 0.0);
    // The paused one has a higher priority, and would come first.
    let job = cluster.worker("after").await.job().await;
    assert_eq!(job.computation, first);
    assert_ne!(job.state, root, "the proof is taken up, not begun");
}

#[tokio::test]
async fn a_checkpoint_is_what_a_killed_coordinator_goes_on_from() {
    let config = Config {
        checkpoint: Duration::ZERO,
        ..Config::default()
    };
    let mut cluster = Cluster::with(config, None).await;
    let mut client = cluster.client().await;
    let computation = start(&mut client, "0*7").await;
    let image = cluster.data().join("images/numbers");
    let length = || std::fs::metadata(&image).map_or(0, |file| file.len());
    let longer_than = async |bytes| {
        while length() <= bytes {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let mut before = cluster.worker("before").await;
    let held = before.job().await;
    soon(longer_than(0)).await;
    let alone = length();
    before.release(held.lease).await;
    let root = expand_root(&mut before).await;
    soon(longer_than(alone)).await;
    cluster.restart().await;

    let job = cluster.worker("after").await.job().await;
    assert_eq!(job.computation, computation);
    assert_ne!(job.state, root);
    let progress = now(&mut cluster.client().await, computation).await;
    assert_eq!(progress.expansions, 7);
    assert!(progress.nodes > 5, "{progress:?}");
}

#[tokio::test]
async fn a_damaged_image_costs_the_proof_but_nothing_else() {
    let mut cluster = Cluster::start().await;
    let computation = start(&mut cluster.client().await, "0*7").await;
    let root = expand_root(&mut cluster.worker("before").await).await;
    cluster.end().await;
    let image = cluster.data().join("images/numbers");
    let mut bytes = std::fs::read(&image).expect("an image");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&image, bytes).expect("written");
    cluster.run().await;

    let mut worker = cluster.worker("after").await;
    let job = worker.job().await;
    assert_eq!((job.computation, job.state), (computation, root));
    let report = outcome(job.lease, Outcome::Win);
    worker.report(report).await.expect("taken");
    let ended = end(&mut cluster.client().await, computation).await;
    assert_eq!(ended.status, SOLVED);
}

#[tokio::test]
async fn if_asked_for_nothing_goes_on_by_itself() {
    let mut cluster = Cluster::start().await;
    let computation = start(&mut cluster.client().await, "0*7").await;
    let root = expand_root(&mut cluster.worker("before").await).await;
    cluster.end().await;
    let config = Config {
        resume: false,
        ..Config::default()
    };
    cluster.run_with(config).await;

    let mut client = cluster.client().await;
    assert_eq!(now(&mut client, computation).await.status, PAUSED);
    let mut worker = cluster.worker("after").await;
    assert_eq!(worker.lease().await, None);
    resume(&mut client, computation).await;
    assert_ne!(worker.job().await.state, root);
}

#[tokio::test]
async fn a_deadline_goes_on_where_it_was() {
    let mut cluster = Cluster::start().await;
    let request = v1::StartRequest {
        deadline_ms: 2000,
        ..start_request("0*7")
    };
    let computation = start_as(&mut cluster.client().await, request).await;
    let mut worker = cluster.worker("before").await;
    let root = worker.job().await;
    tokio::time::sleep(Duration::from_millis(1200)).await;
    let report = unsolved(root.lease, children(&root));
    worker.report(report).await.expect("taken");
    cluster.end().await;
    cluster.run().await;

    let mut client = cluster.client().await;
    let progress = now(&mut client, computation).await;
    assert_eq!(progress.status, RUNNING, "time without work does not count");
    assert!((1.2..2.0).contains(&progress.seconds), "{progress:?}");
    let mut worker = cluster.worker("after").await;
    let job = worker.job().await;
    assert!(job.slice_ms <= 800, "{} ms", job.slice_ms);
    let began = Instant::now();
    let ended = end(&mut client, computation).await;
    assert_eq!(ended.status, EXPIRED);
    assert!(
        began.elapsed() < Duration::from_millis(1700),
        "{:?}",
        began.elapsed()
    );
    // The time spent is stored a moment before the time left.
    assert!((1.95..3.5).contains(&ended.seconds), "{ended:?}");
    worker.release(job.lease).await;

    // Resuming it removes the deadline.
    resume(&mut client, computation).await;
    assert_ne!(worker.job().await.state, root.state);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(now(&mut client, computation).await.status, RUNNING);
}

#[tokio::test]
async fn a_result_that_was_seen_is_there_after_a_crash() {
    let mut cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let computation = start(&mut client, "0*6").await;
    let lease = worker.job().await.lease;
    let report = outcome(lease, Outcome::Loss);
    worker.report(report).await.expect("taken");
    let seen = end(&mut client, computation).await;
    cluster.restart().await;

    let mut client = cluster.client().await;
    // There is no worker, so the result is from the store.
    let again = start(&mut client, "0*6").await;
    let found = end(&mut client, again).await;
    assert_eq!((found.status, found.outcome), (SOLVED, LOSS));
    assert_eq!(
        (found.nimber, found.expansions),
        (seen.nimber, seen.expansions)
    );
    assert_eq!(query(&mut client, "0*6").await.nimber, Some(0));
    let ended = end(&mut client, computation).await;
    assert_eq!(
        (ended.status, ended.outcome),
        (SOLVED, LOSS),
        "also for who watches"
    );
}

#[tokio::test]
async fn the_same_start_again_joins_what_is_under_way() {
    let mut cluster = Cluster::start().await;
    let computation = start(&mut cluster.client().await, "0*7").await;
    cluster.restart().await;
    let mut client = cluster.client().await;
    assert_eq!(start(&mut client, "0*7").await, computation);
    let other_play = v1::StartRequest {
        play: v1::Play::Misere.into(),
        ..start_request("0*7")
    };
    assert_ne!(start_as(&mut client, other_play).await, computation);
    pause(&mut client, computation).await;
    assert_eq!(start(&mut client, "0*7").await, computation);
    assert_eq!(now(&mut client, computation).await.status, RUNNING);
}

/// No two computations share a number, even after they were removed.
#[tokio::test]
async fn numbers_are_not_given_twice() {
    let mut cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let first = start(&mut client, "0*6").await;
    let lease = worker.job().await.lease;
    let report = outcome(lease, Outcome::Loss);
    worker.report(report).await.expect("taken");
    end(&mut client, first).await;
    let found = start(&mut client, "0*6").await;
    assert_eq!(
        end(&mut client, found).await.source,
        v1::Source::Store as i32
    );
    cluster.end().await;
    cluster.run().await;
    let mut client = cluster.client().await;
    let new = start(&mut client, "0*9").await;
    assert!(new > found, "{new} was the number of another");
}

#[tokio::test]
async fn what_was_ended_can_be_resumed_after_a_restart() {
    let mut cluster = Cluster::start().await;
    let mut client = cluster.client().await;
    let computation = start(&mut client, "0*7").await;
    let root = expand_root(&mut cluster.worker("before").await).await;
    cancel(&mut client, computation).await;
    cluster.restart().await;

    let mut client = cluster.client().await;
    assert_eq!(statuses(&mut client).await, [(computation, CANCELLED)]);
    resume(&mut client, computation).await;
    let mut worker = cluster.worker("after").await;
    let job = worker.job().await;
    assert_eq!(job.computation, computation);
    assert_ne!(job.state, root, "it begins where it was");
}

#[tokio::test]
async fn what_was_ended_can_be_resumed() {
    let cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let computation = start(&mut client, "0*7").await;
    let root = expand_root(&mut worker).await;
    let late = worker.job().await;
    cancel(&mut client, computation).await;
    resume(&mut client, computation).await;
    let job = worker.job().await;
    assert_ne!(job.state, root, "it begins where it was");
    // A lease from before the restart does not refer to a leaf from after it.
    let report = outcome(late.lease, Outcome::Loss);
    worker.report(report).await.expect("welcome");
    assert_eq!(now(&mut client, computation).await.status, RUNNING);
    worker
        .report(fault(job.lease, "broken"))
        .await
        .expect("taken");
    assert_eq!(end(&mut client, computation).await.status, FAILED);
    resume(&mut client, computation).await;
    assert_eq!(now(&mut client, computation).await.fault, "");
    assert_eq!(worker.job().await.computation, computation);
}

#[tokio::test]
async fn a_thousand_ended_computations_are_remembered() {
    let mut cluster = Cluster::start().await;
    let client = cluster.client().await;
    let mut all = tokio::task::JoinSet::new();
    for number in 0..1020 {
        let mut client = client.clone();
        all.spawn(async move {
            // Two heaps that are too large to be known without a search.
            let position = format!("wythoff:{},{}", 60 + number % 30, 100 + number / 30);
            let computation = start(&mut client, &position).await;
            cancel(&mut client, computation).await;
        });
    }
    soon(all.join_all()).await;
    let mut client = cluster.client().await;
    let running = start(&mut client, "0*7").await;
    let listed = statuses(&mut client).await;
    assert_eq!(listed.len(), 1001);
    let numbers = 21..=running;
    assert!(
        listed.iter().map(|&(id, _)| id).eq(numbers),
        "the oldest are forgotten"
    );
    cluster.restart().await;
    assert_eq!(statuses(&mut cluster.client().await).await, listed);
}

#[tokio::test]
async fn many_known_results_do_not_drive_out_what_was_computed() {
    let mut cluster = Cluster::start().await;
    let (mut client, mut worker) = (cluster.client().await, cluster.worker("one").await);
    let solved = start(&mut client, "0*6").await;
    let lease = worker.job().await.lease;
    let report = outcome(lease, Outcome::Loss);
    worker.report(report).await.expect("taken");
    end(&mut client, solved).await;
    for tokens in 0..1010 {
        let known = start(&mut client, &format!("nim:{}", tokens + 100)).await;
        assert_eq!(known, solved + 1 + tokens);
    }
    let listed = statuses(&mut client).await;
    let kept = listed.iter().map(|&(id, _)| id);
    assert!(kept.eq([solved].into_iter().chain(12..=1011)), "{listed:?}");
    // One is enough for all who ask the same.
    let known = start(&mut client, "0*6").await;
    assert_eq!(known, 1012);
    assert_eq!(start(&mut client, "0*6").await, known);
    cluster.end().await;
    let kept = cluster.documents("computation/").len();
    assert!((1001..1004).contains(&kept), "{kept}");
    cluster.run().await;
    let mut client = cluster.client().await;
    assert_eq!(start(&mut client, "0*6").await, known);
    assert_eq!(start(&mut client, "nim:5000").await, 1013);
}

#[tokio::test]
async fn sources_keep_their_numbers() {
    let mut cluster = Cluster::start().await;
    let mut one = cluster.worker("one").await;
    one.hand_over(vec![exact("0*6", 0)]).await.expect("taken");
    cluster.restart().await;
    let mut two = cluster.worker("two").await;
    let calls = cluster.worker_calls().await;
    let mut again = Hand::register_as(calls, "one", one.identity).await;
    again.hand_over(vec![exact("0*5", 1)]).await.expect("taken");
    let mut client = cluster.client().await;
    let computation = start(&mut client, "0*7").await;
    let report = v1::Finding {
        blocks: blocks(vec![exact("0*6", 2)]),
        ..unsolved(two.job().await.lease, Vec::new())
    };
    two.report(report).await.expect("no error of the call");
    let ended = end(&mut client, computation).await;
    for source in ["one (", "two ("] {
        assert!(ended.fault.contains(source), "{}", ended.fault);
    }
    cluster.end().await;
    let sources = cluster.documents("source/");
    let names = ["one", "two"].map(|name| format!("\"name\":\"{name}\""));
    assert_eq!(sources.len(), 2, "{sources:?}");
    for ((_, source), name) in sources.iter().zip(&names) {
        assert!(source.contains(name), "{sources:?}");
    }
}
