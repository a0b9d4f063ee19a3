//! An older copy of the store's folder in the place of the folder.

use sproutnet_proto::v1;
use sproutnet_proto::v1::export_response::Part;
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

/// Exports what came after a place. Returns where the export began, and the place of its end.
async fn export(cluster: &Cluster, from: v1::ExportRequest) -> (u64, v1::ExportRequest) {
    let mut client = cluster.client().await;
    let mut parts = soon(client.export(from))
        .await
        .expect("a stream")
        .into_inner();
    let (mut begun, mut at) = (None, from);
    while let Some(response) = soon(parts.next()).await {
        match response.expect("no error").part.expect("a part") {
            Part::Begin(begin) => {
                begun = Some(begin.cursor);
                if begin.cursor != from.cursor {
                    at = v1::ExportRequest::default();
                }
                (at.store, at.epoch) = (begin.store, begin.epoch);
            }
            Part::Block(block) => (at.cursor, at.timeline) = (block.number, block.timeline),
            Part::Document(_) | Part::End(_) => {}
        }
    }
    (begun.expect("a begin"), at)
}

#[tokio::test]
async fn an_export_goes_on_only_from_a_state_that_the_store_has() {
    let mut cluster = Cluster::start().await;
    hand_over(&cluster, "0*4", 1).await;
    cluster.end().await;
    let copied = tempfile::tempdir().expect("a folder");
    folder::copy(cluster.data(), copied.path());
    cluster.run().await;
    let (begun, before) = export(&cluster, v1::ExportRequest::default()).await;
    assert!(begun == 0 && before.timeline != 0, "{before:?}");
    hand_over(&cluster, "0*6", 0).await;
    let (begun, lost) = export(&cluster, before).await;
    assert_eq!(begun, before.cursor);
    assert_ne!(lost, before);
    cluster.end().await;
    folder::put_back(copied.path(), cluster.data());
    cluster.run().await;

    // Now another block has the number of the lost one.
    let after = hand_over(&cluster, "0*5", 1).await;
    assert_eq!(after.cursor, lost.cursor);
    assert_eq!(export(&cluster, before).await.0, before.cursor);
    let (begun, now) = export(&cluster, lost).await;
    assert_eq!(begun, 0);
    assert_eq!((now.timeline, now.cursor), (after.timeline, after.cursor));
    // An earlier program does not tell the timeline.
    let earlier = v1::ExportRequest {
        timeline: 0,
        ..lost
    };
    assert_eq!(export(&cluster, earlier).await.0, lost.cursor);
}
