//! A coordinator behind real sockets, and the calls of tests.

pub(crate) mod facts;
pub(crate) mod forged;
pub(crate) mod hand;
pub(crate) mod raw;
pub(crate) mod wire;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_coordinator::{Config, Coordinator, rpc};
use sproutnet_game as game;
use sproutnet_model::Solved;
use sproutnet_proto::v1;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use sproutnet_store::Store;
use sproutnet_transport::listen::Protection;
use sproutnet_transport::tokens::Tokens;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::{Channel, Endpoint};
use tonic::{Status, Streaming};

use hand::Hand;

/// Calls of clients.
pub(crate) type Client = ClientServiceClient<Channel>;

/// The time limit for everything that is tested.
const PATIENCE: Duration = Duration::from_secs(20);

/// Awaits a future, within the time limit.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    let ended = tokio::time::timeout(PATIENCE, future).await;
    ended.expect("this should have ended long ago")
}

/// A coordinator with its own store and runtime, so that it can be killed with everything under way.
pub(crate) struct Cluster {
    data: TempDir,
    config: Config,
    tokens: Option<Tokens>,
    address: SocketAddr,
    running: Option<Running>,
}

struct Running {
    runtime: Runtime,
    /// Requests an end in order.
    end: oneshot::Sender<()>,
    served: JoinHandle<()>,
    /// The address where more is served, if there is more.
    #[allow(dead_code, reason = "only some of the test programs serve more")]
    beside: Option<SocketAddr>,
}

impl Cluster {
    /// An empty coordinator.
    pub(crate) async fn start() -> Self {
        Self::with(Config::default(), None).await
    }

    /// An empty coordinator with this configuration, which requires a token, if any are given.
    pub(crate) async fn with(config: Config, token: Option<&str>) -> Self {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut cluster = Self {
            data: tempfile::tempdir().expect("a folder"),
            config,
            tokens: token.map(|text| Tokens::parse(text.as_bytes()).expect("tokens")),
            address: any,
            running: None,
        };
        cluster.run().await;
        cluster
    }

    /// Starts the coordinator that was ended or killed: same port, same data.
    pub(crate) async fn run(&mut self) {
        let (data, config) = (self.data.path().to_owned(), self.config.clone());
        let protection = Protection {
            tokens: self.tokens.clone(),
            tls: None,
        };
        let (running, address) = soon(serve(data, config, protection, self.address)).await;
        self.running = Some(running);
        self.address = address;
    }

    /// The same with another configuration.
    pub(crate) async fn run_with(&mut self, config: Config) {
        self.config = config;
        self.run().await;
    }

    /// Ends the coordinator at once, with everything under way.
    pub(crate) async fn kill(&mut self) {
        let runtime = self.running.take().expect("it runs").runtime;
        let killed = tokio::task::spawn_blocking(move || runtime.shutdown_timeout(PATIENCE));
        soon(killed).await.expect("no panic");
    }

    /// Puts a result into the store of a coordinator that was killed or has ended.
    #[allow(dead_code, reason = "only some of the test programs plant results")]
    pub(crate) fn plant(&self, solved: &Solved) {
        let store = Store::open(self.data.path(), &game::encodings()).expect("the store opens");
        let name = Solved::name(&solved.game, solved.play, &solved.position);
        let written = serde_json::to_vec(solved).expect("it can be written");
        store.put_document(&name, &written).expect("it is kept");
    }

    /// Lets the coordinator end in order.
    pub(crate) async fn end(&mut self) {
        let running = self.running.take().expect("it runs");
        running.end.send(()).expect("it serves");
        soon(running.served).await.expect("no panic");
        let runtime = running.runtime;
        let ended = tokio::task::spawn_blocking(move || runtime.shutdown_timeout(PATIENCE));
        soon(ended).await.expect("no panic");
    }

    /// Kills the coordinator and starts it anew.
    pub(crate) async fn restart(&mut self) {
        self.kill().await;
        self.run().await;
    }

    /// The folder of its data.
    pub(crate) fn data(&self) -> &Path {
        self.data.path()
    }

    /// The documents with this prefix in the store of a coordinator that is not running.
    pub(crate) fn documents(&self, prefix: &str) -> Vec<(String, String)> {
        assert!(self.running.is_none(), "the store is in use");
        let store = Store::open(self.data(), &game::encodings()).expect("a store");
        let documents = store.scan_documents(prefix).map(|document| {
            let (name, bytes) = document.expect("a document");
            (name, String::from_utf8(bytes).expect("text"))
        });
        documents.collect()
    }

    /// The address for gRPC.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address for HTTP.
    #[allow(dead_code, reason = "only some of the test programs serve it")]
    pub(crate) fn http(&self) -> SocketAddr {
        let beside = self.running.as_ref().expect("it runs").beside;
        beside.expect("HTTP is served")
    }

    /// A connection with default settings.
    pub(crate) async fn channel(&self) -> Channel {
        self.channel_with(|endpoint| endpoint).await
    }

    /// A connection with its own settings.
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

    /// A registered worker whose calls the test makes.
    pub(crate) async fn worker(&self, name: &str) -> Hand {
        Hand::register(self.worker_calls().await, name).await
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.runtime.shutdown_background();
        }
    }
}

async fn serve(
    data: PathBuf,
    config: Config,
    protection: Protection,
    address: SocketAddr,
) -> (Running, SocketAddr) {
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let (end, ends) = oneshot::channel();
    let started = runtime.spawn(async move {
        let open = move || Coordinator::open(&data, config, Instant::now());
        let opened = tokio::task::spawn_blocking(open).await;
        let coordinator = Arc::new(opened.expect("no panic").expect("a store"));
        let listener = TcpListener::bind(address).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let beside = crate::beside::serve(&coordinator, &protection).await;
        let served = tokio::spawn(async move {
            let incoming = TcpListenerStream::new(listener);
            let shutdown = async {
                // A sender that is gone means the same.
                let _ = ends.await;
            };
            let served = rpc::serve(coordinator, &protection, incoming, shutdown, |routes| {
                routes
            })
            .await;
            served.expect("it serves");
        });
        (address, beside, served)
    });
    let (address, beside, served) = started.await.expect("it starts");
    let running = Running {
        runtime,
        end,
        served,
        beside,
    };
    (running, address)
}

/// Starts a computation; returns its number.
pub(crate) async fn start(client: &mut Client, position: &str) -> u64 {
    start_as(client, start_request(position)).await
}

/// Starts the requested computation; returns its number.
pub(crate) async fn start_as(client: &mut Client, request: v1::StartRequest) -> u64 {
    let response = soon(client.start(request)).await.expect("it starts");
    response.into_inner().computation
}

/// The start of a computation under normal play, without a deadline.
pub(crate) fn start_request(position: &str) -> v1::StartRequest {
    v1::StartRequest {
        position: position.to_owned(),
        play: v1::Play::Normal.into(),
        ..v1::StartRequest::default()
    }
}

/// Pauses a computation.
pub(crate) async fn pause(client: &mut Client, computation: u64) {
    let request = v1::PauseRequest { computation };
    soon(client.pause(request)).await.expect("paused");
}

/// Changes the weight of a computation.
pub(crate) async fn set_weight(client: &mut Client, computation: u64, weight: u32) {
    let request = v1::SetWeightRequest {
        computation,
        weight,
    };
    soon(client.set_weight(request)).await.expect("changed");
}

/// Resumes a computation.
pub(crate) async fn resume(client: &mut Client, computation: u64) {
    let request = v1::ResumeRequest { computation };
    soon(client.resume(request)).await.expect("resumed");
}

/// Ends a computation.
pub(crate) async fn cancel(client: &mut Client, computation: u64) {
    let request = v1::CancelRequest { computation };
    soon(client.cancel(request)).await.expect("cancelled");
}

/// All computations, oldest first.
pub(crate) async fn list(client: &mut Client) -> Vec<v1::Computation> {
    let response = soon(client.list(v1::ListRequest {})).await;
    response.expect("a list").into_inner().computations
}

/// The state of the coordinator and its workers.
pub(crate) async fn fleet(client: &mut Client) -> v1::FleetResponse {
    let response = soon(client.fleet(v1::FleetRequest {})).await;
    response.expect("a status").into_inner()
}

/// A computation's progress from now on.
pub(crate) async fn watch(client: &mut Client, computation: u64) -> Streaming<v1::Progress> {
    let request = v1::WatchRequest { computation };
    let response = soon(client.watch(request)).await;
    response.expect("such a computation").into_inner()
}

/// The last progress of a computation.
pub(crate) async fn end(client: &mut Client, computation: u64) -> v1::Progress {
    let progress = watch(client, computation).await;
    let all: Result<Vec<_>, Status> = soon(progress.collect()).await;
    let last = all.expect("no error").pop();
    last.expect("a last response")
}

/// The current progress of a computation.
pub(crate) async fn now(client: &mut Client, computation: u64) -> v1::Progress {
    let mut progress = watch(client, computation).await;
    let first = soon(progress.next()).await;
    first.expect("a response").expect("no error")
}

/// Whether nothing is known here of a position under normal play, so that the atlas answers.
pub(crate) fn is_of_the_atlas(answer: &v1::QueryResponse) -> bool {
    let normal = answer.normal.as_ref();
    normal.is_some_and(|normal| normal.source == v1::Source::Atlas as i32)
}

/// The answer about a position.
pub(crate) async fn query(client: &mut Client, position: &str) -> v1::QueryResponse {
    let request = v1::QueryRequest {
        position: position.to_owned(),
        ..v1::QueryRequest::default()
    };
    let response = soon(client.query(request)).await.expect("an answer");
    response.into_inner()
}
