//! Relays that do what they should.

use super::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_coordinator_sends_each_block_to_few() {
    let cluster = cluster(2).await;
    let mut workers = Vec::new();
    for _ in 0..9 {
        workers.push(RelayingWorker::of(&cluster).await);
    }
    until_children(&cluster, 7).await;
    solve_some(&cluster, 8..13).await;
    let by_relays = |state: &sproutnet_coordinator::State| {
        state.workers.iter().map(|worker| worker.feed_lag).max() == Some(0)
    };
    until(&cluster, "all are sent to all", by_relays).await;
    let FeedCounts {
        blocks,
        digests,
        fetched,
        ..
    } = cluster.state().feed;
    for worker in &workers {
        worker.has_all(&cluster).await;
    }
    // Nine feeds of the same blocks: two with the blocks, seven with digests.
    let each = digests / 7;
    assert!(each >= 5, "{digests} digests");
    assert!(
        blocks + fetched <= 4 * each,
        "{blocks} blocks and {fetched} fetched for {digests} digests"
    );
    for RelayingWorker { running, .. } in workers {
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_comes_late_gets_old_blocks_and_then_follows() {
    let cluster = cluster(1).await;
    let first = RelayingWorker::of(&cluster).await;
    solve_some(&cluster, 8..10).await;
    let second = RelayingWorker::of(&cluster).await;
    until_children(&cluster, 1).await;
    second.has_all(&cluster).await;
    solve_some(&cluster, 10..13).await;
    second.has_all(&cluster).await;
    assert!(cluster.state().feed.digests > 0);
    first.running.stop().await;
    // Its child follows the coordinator now.
    until_children(&cluster, 0).await;
    solve_some(&cluster, 13..14).await;
    second.has_all(&cluster).await;
    second.running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_coordinator_that_comes_back_builds_the_tree_again() {
    let mut cluster = cluster(1).await;
    let mut workers = Vec::new();
    for _ in 0..3 {
        workers.push(RelayingWorker::of(&cluster).await);
    }
    until_children(&cluster, 2).await;
    solve_some(&cluster, 8..10).await;
    cluster.kill().await;
    cluster.revive().await;
    until_children(&cluster, 2).await;
    solve_some(&cluster, 10..12).await;
    for worker in &workers {
        worker.has_all(&cluster).await;
    }
    for RelayingWorker { running, .. } in workers {
        running.stop().await;
    }
}
