//! Relays that die, wait, or lie: nothing is lost.

use std::pin::Pin;
use std::sync::{Arc, Mutex};

use sproutnet_proto::v1::relay_service_server::{RelayService, RelayServiceServer};
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::*;
use crate::program::Program;

/// What a bad relay does with the blocks that it got.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Does {
    /// Sends each so much later.
    Waits(Duration),
    /// Changes a byte of each.
    Lies,
    /// Sends long blocks that there are not, before all others.
    Floods,
    /// Sends nothing.
    Nothing,
    /// Ends the stream.
    Ends,
}

/// A worker without threads that relays badly.
struct BadRelay {
    does: Does,
    served: Served,
    reading: JoinHandle<()>,
}

impl Drop for BadRelay {
    fn drop(&mut self) {
        self.reading.abort();
    }
}

#[derive(Clone)]
struct Bad {
    does: Does,
    blocks: Arc<Mutex<Vec<v1::RelayResponse>>>,
}

impl BadRelay {
    async fn of(cluster: &Cluster, does: Does) -> Self {
        let bad = Bad {
            does,
            blocks: Arc::default(),
        };
        let routes = Routes::new(RelayServiceServer::new(bad.clone()));
        let served = Served::on(listener().await, routes);
        let (mut calls, registered) = cluster.registered_as(77).await;
        let request = v1::FeedRequest {
            worker: registered.worker,
            cursor: 0,
            follows: true,
            relay: served.url(),
        };
        let mut feed = soon(calls.feed(request))
            .await
            .expect("a feed")
            .into_inner();
        let worker = registered.worker;
        let reading = tokio::spawn(async move {
            let mut renewing = tokio::time::interval(Duration::from_secs(1));
            loop {
                tokio::select! {
                    response = feed.next() => {
                        let Some(Ok(v1::FeedResponse { block, cursor, .. })) = response else {
                            return;
                        };
                        let mut blocks = bad.blocks.lock().expect("no panic");
                        if !block.is_empty() {
                            blocks.push(v1::RelayResponse { cursor, block });
                        }
                    }
                    _ = renewing.tick() => {
                        let request = v1::RenewRequest { worker, ..v1::RenewRequest::default() };
                        if calls.renew(request).await.is_err() {
                            return;
                        }
                    }
                }
            }
        });
        Self {
            does,
            served,
            reading,
        }
    }
}

#[tonic::async_trait]
impl RelayService for Bad {
    type RelayStream = Pin<Box<dyn Stream<Item = Result<v1::RelayResponse, Status>> + Send>>;

    async fn relay(
        &self,
        _: Request<v1::RelayRequest>,
    ) -> Result<Response<Self::RelayStream>, Status> {
        let (sender, receiver) = mpsc::channel(8);
        let Self { does, blocks } = self.clone();
        tokio::spawn(async move {
            let mut next = 0;
            if does == Does::Floods {
                for cursor in 1_000_000..1_000_100 {
                    let block = vec![0; 1 << 20];
                    // The child may be gone.
                    let _ = sender.send(Ok(v1::RelayResponse { cursor, block })).await;
                }
            }
            while !sender.is_closed() {
                let block = blocks.lock().expect("no panic").get(next).cloned();
                let Some(mut block) = block else {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                    continue;
                };
                next += 1;
                match does {
                    Does::Waits(time) => tokio::time::sleep(time).await,
                    Does::Lies => *block.block.last_mut().expect("a byte") ^= 1,
                    Does::Nothing => continue,
                    Does::Ends => return,
                    Does::Floods => {}
                }
                let _ = sender.send(Ok(block)).await;
            }
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }
}

/// The relay is the parent of a worker that then searches.
async fn endure(does: Does) {
    let cluster = cluster(1).await;
    let relay = BadRelay::of(&cluster, does).await;
    let worker = RelayingWorker::of(&cluster).await;
    until_children(&cluster, 1).await;
    solve_some(&cluster, 8..13).await;
    worker.has_all(&cluster).await;
    let state = cluster.state();
    assert!(state.feed.digests > 0, "{:?}", relay.does);
    if does != Does::Waits(Duration::from_millis(30)) {
        until(&cluster, "it has another parent", |state| {
            state.complaints == 1
        })
        .await;
        until_children(&cluster, 0).await;
    }
    // All is well without it.
    solve_some(&cluster, 13..14).await;
    worker.has_all(&cluster).await;
    worker.running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relay_that_sends_wrong_blocks_is_replaced() {
    endure(Does::Lies).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relay_that_sends_blocks_that_there_are_not_is_replaced() {
    endure(Does::Floods).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relay_that_ends_the_stream_is_replaced() {
    endure(Does::Ends).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relay_that_sends_nothing_or_late_changes_no_outcome() {
    for does in [Does::Nothing, Does::Waits(Duration::from_secs(5))] {
        let cluster = cluster(1).await;
        let _relay = BadRelay::of(&cluster, does).await;
        let worker = RelayingWorker::of(&cluster).await;
        until_children(&cluster, 1).await;
        solve_some(&cluster, 8..13).await;
        worker.has_all(&cluster).await;
        assert!(cluster.state().feed.fetched > 0);
        worker.running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relay_that_nobody_reaches_is_replaced() {
    let cluster = cluster(1).await;
    let relay = BadRelay::of(&cluster, Does::Nothing).await;
    relay.served.task.abort();
    let worker = RelayingWorker::of(&cluster).await;
    until(&cluster, "a complaint", |state| state.complaints == 1).await;
    solve_some(&cluster, 8..11).await;
    worker.has_all(&cluster).await;
    worker.running.stop().await;
}

/// A relay as a program of its own, above a worker in this process.
async fn program(cluster: &Cluster, folder: &std::path::Path) -> Program {
    let relay = ["--relay-listen", "127.0.0.1:0", "--memory", "256M"];
    let program = Program::start(cluster.address, folder, &relay);
    until(cluster, "the program", |state| {
        state.workers.iter().any(|worker| worker.offers_relay)
    })
    .await;
    program
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relay_that_is_suspended_or_killed_is_replaced() {
    for signal in ["STOP", "KILL"] {
        let cluster = cluster(1).await;
        let folder = tempfile::tempdir().expect("a folder");
        let relay = program(&cluster, folder.path()).await;
        let worker = RelayingWorker::of(&cluster).await;
        until_children(&cluster, 1).await;
        solve_some(&cluster, 8..10).await;
        let mut client = cluster.client().await;
        // Its outcome is known: 11 leaves 5 on division by six.
        let computation = start(&mut client, "0*17", v1::Play::Normal).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        relay.signal(signal);
        let ended = end(&mut client, computation).await;
        assert_eq!(
            ended.outcome,
            v1::Outcome::Win as i32,
            "{signal}: {ended:?}"
        );
        worker.has_all(&cluster).await;
        until_children(&cluster, 0).await;
        solve_some(&cluster, 10..13).await;
        worker.has_all(&cluster).await;
        worker.running.stop().await;
        relay.signal("KILL");
    }
}
