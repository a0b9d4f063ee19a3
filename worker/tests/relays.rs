//! Workers relay the feed to each other; some of them die, wait, or lie.

mod bad;
mod good;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use sproutnet_coordinator::{Config, FeedCounts};
use sproutnet_proto::v1;
use sproutnet_proto::v1::relay_service_client::RelayServiceClient;
use sproutnet_store::block;
use sproutnet_transport::credentials::Credentials;
use sproutnet_transport::listen::Protection;
use sproutnet_transport::serve::{self, Limits, tcp};
use sproutnet_worker::Relaying;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_stream::StreamExt;
use tonic::service::Routes;

use crate::cluster::{Cluster, Running, config, end, endpoint, soon, start};

/// A coordinator whose tree has that fan-out, and whose leases end soon if a worker does not renew them.
async fn cluster(fan_out: usize) -> Cluster {
    let config = Config {
        fan_out,
        lease: Duration::from_secs(2),
        ..Config::default()
    };
    Cluster::with(config).await
}

/// Services on a port of their own, until dropped.
struct Served {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Served {
    fn on(listener: TcpListener, routes: Routes) -> Self {
        let address = listener.local_addr().expect("an address");
        let task = tokio::spawn(async move {
            let limits = Limits::default();
            let (incoming, open) = (tcp(listener, &limits), Protection::default());
            let for_ever = std::future::pending();
            let served = serve::serve(routes, &open, &limits, incoming, for_ever);
            served.await.expect("it serves");
        });
        Self { address, task }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn listener() -> TcpListener {
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    TcpListener::bind(any).await.expect("a free port")
}

/// A worker that relays the feed.
struct RelayingWorker {
    running: Running,
    served: Served,
}

impl RelayingWorker {
    async fn of(cluster: &Cluster) -> Self {
        let listener = listener().await;
        let port = listener.local_addr().expect("an address").port();
        // Its address is left open.
        let url = format!("http://0.0.0.0:{port}");
        let relaying = Relaying::following(Credentials::default()).at(&url);
        let served = Served::on(listener, relaying.routes());
        let running = Running::relaying(cluster.address, config(), relaying);
        Self { running, served }
    }

    /// The keys of what it has passed on, or would: all that came to it in the feed.
    async fn records(&self, cluster: &Cluster) -> BTreeSet<Vec<u8>> {
        records_of(self.served.address, cluster).await
    }

    /// Waits until all the coordinator's records came to it, one of them after the other.
    async fn has_all(&self, cluster: &Cluster) {
        let by = Instant::now() + Duration::from_secs(30);
        loop {
            let (all, here) = (cluster.records().await, self.records(cluster).await);
            if all.is_subset(&here) {
                return;
            }
            let missing = all.difference(&here).count();
            assert!(
                Instant::now() < by,
                "{missing} of {} are missing",
                all.len()
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// The keys of what a relay has.
async fn records_of(relay: SocketAddr, cluster: &Cluster) -> BTreeSet<Vec<u8>> {
    let (_, registered) = cluster.registered().await;
    let connection = soon(endpoint(relay).connect()).await.expect("a connection");
    let request = v1::RelayRequest {
        store: registered.store,
        epoch: registered.epoch,
        cursor: 0,
    };
    let mut keys = BTreeSet::new();
    let Ok(blocks) = soon(RelayServiceClient::new(connection).relay(request)).await else {
        // It has not registered yet.
        return keys;
    };
    let mut blocks = blocks.into_inner();
    let quiet = Duration::from_millis(200);
    while let Ok(Some(response)) = tokio::time::timeout(quiet, blocks.next()).await {
        let v1::RelayResponse { block, .. } = response.expect("no error");
        let records = block::decode(&block).expect("a block");
        keys.extend(records.into_iter().map(|of| of.record.key.into_vec()));
    }
    keys
}

/// Waits until something holds of what the coordinator's feeds sent.
async fn until(
    cluster: &Cluster,
    what: &str,
    holds: impl Fn(&sproutnet_coordinator::State) -> bool,
) {
    let by = Instant::now() + Duration::from_secs(30);
    loop {
        let state = cluster.state();
        if holds(&state) {
            return;
        }
        assert!(Instant::now() < by, "{what}: {state:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until so many workers get new blocks from others.
async fn until_children(cluster: &Cluster, children: usize) {
    until(cluster, "children of relays", |state| {
        let below = |worker: &&_| {
            let worker: &sproutnet_coordinator::WorkerState = worker;
            matches!(worker.feed_parent, Some(Some(_)))
        };
        state.workers.iter().filter(below).count() == children
    })
    .await;
}

/// Positions whose outcomes are known: who moves wins normal play of 0*n if n leaves 3, 4 or 5 on
/// division by six.
async fn solve_some(cluster: &Cluster, spots: std::ops::Range<u32>) {
    let mut client = cluster.client().await;
    let mut started = Vec::new();
    for spots in spots {
        let position = format!("0*{spots}");
        started.push((spots, start(&mut client, &position, v1::Play::Normal).await));
    }
    for (spots, computation) in started {
        let ended = end(&mut client, computation).await;
        let outcome = match spots % 6 < 3 {
            true => v1::Outcome::Loss,
            false => v1::Outcome::Win,
        };
        assert_eq!(ended.outcome, outcome as i32, "0*{spots}: {ended:?}");
    }
}
