//! Certificates whose check would never end: it is stopped without effect, and the next certificate is checked.

use std::time::{Duration, Instant};

use sproutnet_coordinator::Config;
use sproutnet_proto::v1::{VerifyRequest, VerifyResponse};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status};

use sproutnet_testkit::certificates::{endless, good};
use sproutnet_testkit::cluster::{Client, Cluster, soon};

const LIMIT: Duration = Duration::from_millis(500);

/// A certificate under way: it is incomplete while this has a sender.
struct Sent {
    sender: Option<mpsc::Sender<VerifyRequest>>,
    answer: JoinHandle<Result<VerifyResponse, Status>>,
}

impl Sent {
    /// Sends the first bytes of a certificate; more may follow.
    async fn part(mut client: Client, data: Vec<u8>) -> Self {
        let (sender, pieces) = mpsc::channel(1);
        sender.send(VerifyRequest { data }).await.expect("room");
        let answer = tokio::spawn(async move {
            let verified = client.verify(ReceiverStream::new(pieces)).await?;
            let answer = verified.into_inner().message().await?;
            Ok(answer.expect("an answer"))
        });
        let sender = Some(sender);
        Self { sender, answer }
    }

    async fn whole(client: Client, data: Vec<u8>) -> Self {
        let mut sent = Self::part(client, data).await;
        sent.sender = None;
        sent
    }

    async fn answer(self) -> Result<VerifyResponse, Status> {
        soon(self.answer).await.expect("no panic")
    }
}

/// Sends valid certificates until one is accepted, since the earlier check has ended.
async fn check_next_is_accepted(client: &Client) {
    soon(async {
        loop {
            match Sent::whole(client.clone(), good()).await.answer().await {
                Ok(accepted) => return assert_eq!(accepted.facts, 1),
                Err(status) => assert!(status.message().contains("another"), "{status}"),
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

fn limited() -> Config {
    Config {
        verify_limit: Some(LIMIT),
        ..Config::default()
    }
}

#[tokio::test]
async fn a_check_that_takes_too_long_is_stopped() {
    let cluster = Cluster::with(limited(), None).await;
    let client = cluster.client().await;
    let began = Instant::now();
    check_late(Sent::whole(client.clone(), endless()).await).await;
    assert!(began.elapsed() >= LIMIT);
    check_next_is_accepted(&client).await;
    // The rest is never sent.
    let first_half = good()[..20].to_vec();
    check_late(Sent::part(client.clone(), first_half).await).await;
    check_next_is_accepted(&client).await;
}

async fn check_late(sent: Sent) {
    let status = sent.answer().await.expect_err("stopped");
    assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
    for part in [
        "500ms",
        "--verify-limit",
        "sproutnet verify",
        "sproutnet mark",
    ] {
        assert!(status.message().contains(part), "{status}");
    }
}

#[tokio::test]
async fn a_sender_that_stalls_is_stopped_long_before_the_limit() {
    let config = Config {
        verify_limit: Some(Duration::from_mins(10)),
        ..Config::default()
    };
    let cluster = Cluster::with(config, None).await;
    let client = cluster.client().await;
    let began = Instant::now();
    let first_half = good()[..20].to_vec();
    let stalled = Sent::part(client.clone(), first_half).await;
    let answer = tokio::time::timeout(Duration::from_mins(2), stalled.answer).await;
    let status = answer.expect("in time").expect("no panic");
    let status = status.expect_err("stopped");
    assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
    assert!(status.message().contains("too slowly"), "{status}");
    assert!(began.elapsed() >= Duration::from_secs(30));
    check_next_is_accepted(&client).await;
}

/// An endless certificate under check: of two sent, one was refused because of the other.
async fn endless_under_way(client: &Client) -> Sent {
    let mut one = Sent::whole(client.clone(), endless()).await;
    let mut other = Sent::whole(client.clone(), endless()).await;
    let (refused, checked) = soon(async move {
        tokio::select! {
            refused = &mut one.answer => (refused, other),
            refused = &mut other.answer => (refused, one),
        }
    })
    .await;
    let status = refused.expect("no panic").expect_err("one at a time");
    assert_eq!(status.code(), Code::ResourceExhausted, "{status}");
    assert!(status.message().contains("another"), "{status}");
    checked
}

#[tokio::test]
async fn others_are_told_to_wait_until_a_check_for_nobody_is_stopped() {
    let cluster = Cluster::start().await;
    let client = cluster.client().await;
    let leaving = endless_under_way(&client).await;
    leaving.answer.abort();
    check_next_is_accepted(&client).await;
}

#[tokio::test]
async fn a_check_does_not_hold_up_the_end() {
    let mut cluster = Cluster::start().await;
    let sent = endless_under_way(&cluster.client().await).await;
    cluster.end().await;
    let status = sent.answer().await.expect_err("stopped");
    assert_eq!(status.code(), Code::Unavailable, "{status}");
}
