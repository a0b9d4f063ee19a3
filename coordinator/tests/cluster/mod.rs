//! A coordinator behind a real socket, and what tests ask of it.

#![allow(dead_code, reason = "every test file uses a part")]

pub(crate) mod hand;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sproutnet_coordinator::{Coordinator, rpc};
use sproutnet_proto::v1;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio_stream::StreamExt;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::{Channel, Endpoint};
use tonic::{Status, Streaming};

use hand::Hand;

/// Calls of people.
pub(crate) type Client = ClientServiceClient<Channel>;

/// Nothing that is tested takes longer.
const PATIENCE: Duration = Duration::from_secs(20);

/// Waits, but not for ever.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    let ended = tokio::time::timeout(PATIENCE, future).await;
    ended.expect("this should have ended long ago")
}

/// A coordinator with a store of its own. It has a runtime of its own too, so that it can be
/// killed with all that it has under way.
pub(crate) struct Cluster {
    data: TempDir,
    address: SocketAddr,
    runtime: Option<Runtime>,
}

impl Cluster {
    /// An empty coordinator.
    pub(crate) async fn start() -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let (runtime, address) = soon(serve(data.path().to_owned(), any)).await;
        Self {
            data,
            address,
            runtime: Some(runtime),
        }
    }

    /// Ends the coordinator at once and starts it anew: same port, same data.
    pub(crate) async fn restart(&mut self) {
        let runtime = self.runtime.take().expect("it runs");
        let killed = tokio::task::spawn_blocking(move || runtime.shutdown_timeout(PATIENCE));
        soon(killed).await.expect("no panic");
        let (runtime, _) = soon(serve(self.data.path().to_owned(), self.address)).await;
        self.runtime = Some(runtime);
    }

    /// A connection as anyone makes it.
    pub(crate) async fn channel(&self) -> Channel {
        self.channel_with(|endpoint| endpoint).await
    }

    /// A connection with settings of its own.
    pub(crate) async fn channel_with(&self, set: impl FnOnce(Endpoint) -> Endpoint) -> Channel {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.address));
        let connected = soon(set(endpoint.expect("an address")).connect()).await;
        connected.expect("a connection")
    }

    /// A client on a connection of its own.
    pub(crate) async fn client(&self) -> Client {
        ClientServiceClient::new(self.channel().await)
    }

    /// Worker calls on a connection of their own, before any registration.
    pub(crate) async fn worker_calls(&self) -> WorkerServiceClient<Channel> {
        WorkerServiceClient::new(self.channel().await)
    }

    /// A registered worker that does only what it is told to.
    pub(crate) async fn worker(&self, name: &str) -> Hand {
        Hand::register(self.worker_calls().await, name).await
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn serve(data: PathBuf, address: SocketAddr) -> (Runtime, SocketAddr) {
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let started = runtime.spawn(async move {
        let opened = tokio::task::spawn_blocking(move || Coordinator::open(&data)).await;
        let coordinator = opened.expect("no panic").expect("a store");
        let listener = TcpListener::bind(address).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let incoming = TcpListenerStream::new(listener);
        let for_ever = std::future::pending();
        tokio::spawn(rpc::serve(Arc::new(coordinator), incoming, for_ever));
        address
    });
    let address = started.await.expect("it starts");
    (runtime, address)
}

/// Starts a computation; returns its number.
pub(crate) async fn start(client: &mut Client, position: &str) -> u64 {
    let request = start_request(position);
    let response = soon(client.start(request)).await.expect("it starts");
    response.into_inner().computation
}

/// The start of a computation under normal play, without a deadline.
pub(crate) fn start_request(position: &str) -> v1::StartRequest {
    v1::StartRequest {
        position: position.to_owned(),
        play: v1::Play::Normal.into(),
        nimber: false,
        deadline_ms: 0,
    }
}

/// A computation's progress from now on.
pub(crate) async fn watch(client: &mut Client, computation: u64) -> Streaming<v1::Progress> {
    let request = v1::WatchRequest { computation };
    let response = soon(client.watch(request)).await;
    response.expect("such a computation").into_inner()
}

/// How a computation ended.
pub(crate) async fn end(client: &mut Client, computation: u64) -> v1::Progress {
    let progress = watch(client, computation).await;
    let all: Result<Vec<_>, Status> = soon(progress.collect()).await;
    let last = all.expect("no error").pop();
    last.expect("a last response")
}

/// How a computation is now.
pub(crate) async fn now(client: &mut Client, computation: u64) -> v1::Progress {
    let mut progress = watch(client, computation).await;
    let first = soon(progress.next()).await;
    first.expect("a response").expect("no error")
}

/// What is known of a position.
pub(crate) async fn query(client: &mut Client, position: &str) -> v1::Verdict {
    let request = v1::QueryRequest {
        position: position.to_owned(),
        moves: false,
    };
    let response = soon(client.query(request)).await.expect("an answer");
    response.into_inner().verdict.expect("a verdict")
}
