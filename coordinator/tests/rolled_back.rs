//! An older copy of the store's folder in the place of the folder.

use sproutnet_proto::v1;
use sproutnet_store::{History, Mark, Timeline};
use sproutnet_testkit::cluster::facts::{blocks, exact};
use sproutnet_testkit::cluster::hand::registration;
use sproutnet_testkit::cluster::{Cluster, soon};
use sproutnet_testkit::folder;
use tokio_stream::StreamExt;

/// Delivers a fact; returns the state of the store that has it.
async fn hand_over(cluster: &Cluster, position: &str, nimber: u64) -> Mark {
    let mut worker = cluster.worker("one").await;
    let blocks = blocks(vec![exact(position, nimber)]);
    let report = v1::ReportRequest {
        worker: worker.id,
        content: Some(v1::Delivery { blocks }.into()),
    };
    let response = soon(worker.calls.report(report)).await.expect("taken");
    let v1::Mark { timeline, cursor } = response.into_inner().mark.expect("a state");
    Mark { timeline, cursor }
}

/// The states of the store that a registration tells.
async fn history(cluster: &Cluster) -> History {
    let request = registration("asking", 7);
    let response = soon(cluster.worker_calls().await.register(request)).await;
    let told = response.expect("accepted").into_inner().history;
    let v1::History { timelines, cursor } = told.expect("states");
    let timeline = |v1::Timeline { id, after }| Timeline { id, after };
    History {
        timelines: timelines.into_iter().map(timeline).collect(),
        cursor,
    }
}

#[tokio::test]
async fn a_registration_tells_which_states_are_lost() {
    let mut cluster = Cluster::start().await;
    assert_eq!(history(&cluster).await, History::default());
    let before = hand_over(&cluster, "0*4", 1).await;
    cluster.end().await;
    let copied = tempfile::tempdir().expect("a folder");
    folder::copy(cluster.data(), copied.path());
    cluster.run().await;
    let lost = hand_over(&cluster, "0*6", 0).await;
    let then = history(&cluster).await;
    assert!(then.has(before) && then.has(lost), "{then:?}");
    cluster.end().await;
    folder::put_back(copied.path(), cluster.data());
    cluster.run().await;

    let now = history(&cluster).await;
    assert!(now.has(before) && !now.has(lost), "{now:?}");
    // Now another block has its number.
    let after = hand_over(&cluster, "0*5", 1).await;
    assert_eq!(after.cursor, lost.cursor);
    let now = history(&cluster).await;
    assert!(now.has(before) && now.has(after), "{now:?}");
    assert!(!now.has(lost), "{now:?}");
    // The feed tells the same.
    let mut feed = cluster.worker("reader").await.feed(0).await;
    loop {
        let response = soon(feed.next()).await.expect("a response");
        let v1::FeedResponse {
            timeline,
            cursor,
            caught_up,
            ..
        } = response.expect("no error");
        if caught_up {
            assert_eq!(Mark { timeline, cursor }, after);
            return;
        }
        assert!(now.has(Mark { timeline, cursor }));
    }
}
