//! A coordinator behind real sockets, its workers, and the calls of tests.

mod calls;
pub mod facts;
pub mod forged;
pub mod hand;
pub mod raw;
pub mod wire;
mod worker;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use sproutnet_coordinator::{Config, Coordinator, State, rpc};
use sproutnet_game as game;
use sproutnet_model::Solved;
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
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::{Channel, Endpoint};

pub use calls::{
    cancel, end, fleet, is_of_the_atlas, list, now, pause, query, resume, set_weight, start,
    start_as, start_request, start_under, watch,
};
use hand::Hand;
pub use worker::{Running, config};

/// Calls of clients.
pub type Client = ClientServiceClient<Channel>;

/// The time limit for everything that is tested.
const PATIENCE: Duration = Duration::from_secs(60);

/// Awaits a future, within the time limit.
pub async fn soon<T>(future: impl Future<Output = T>) -> T {
    let ended = tokio::time::timeout(PATIENCE, future).await;
    ended.expect("this should have ended long ago")
}

/// A coordinator with its own store and runtime, so that it can be killed with everything under way.
pub struct Cluster {
    data: TempDir,
    config: Config,
    tokens: Option<Tokens>,
    address: SocketAddr,
    served: Option<Served>,
}

/// A coordinator that is being served.
struct Served {
    runtime: Runtime,
    /// Requests an orderly end.
    end: oneshot::Sender<()>,
    ended: JoinHandle<()>,
    coordinator: Weak<Coordinator>,
    /// The address for HTTP.
    http: SocketAddr,
}

impl Cluster {
    /// An empty coordinator.
    pub async fn start() -> Self {
        Self::with(Config::default(), None).await
    }

    /// An empty coordinator at a known port.
    pub async fn start_at(address: SocketAddr) -> Self {
        Self::new(Config::default(), None, address).await
    }

    /// An empty coordinator with this configuration, which requires a token, if any are given.
    pub async fn with(config: Config, token: Option<&str>) -> Self {
        Self::new(config, token, SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    async fn new(config: Config, token: Option<&str>, address: SocketAddr) -> Self {
        let mut cluster = Self {
            data: tempfile::tempdir().expect("a folder"),
            config,
            tokens: token.map(|text| Tokens::parse(text.as_bytes()).expect("tokens")),
            address,
            served: None,
        };
        cluster.run().await;
        cluster
    }

    /// Starts the coordinator that was ended or killed: same port, same data.
    pub async fn run(&mut self) {
        let (data, config) = (self.data.path().to_owned(), self.config.clone());
        let protection = Protection {
            tokens: self.tokens.clone(),
            tls: None,
        };
        let (served, address) = soon(serve(data, config, protection, self.address)).await;
        self.served = Some(served);
        self.address = address;
    }

    /// The same with another configuration.
    pub async fn run_with(&mut self, config: Config) {
        self.config = config;
        self.run().await;
    }

    /// Ends the coordinator at once, with everything under way.
    pub async fn kill(&mut self) {
        let runtime = self.served.take().expect("it runs").runtime;
        let killed = tokio::task::spawn_blocking(move || runtime.shutdown_timeout(PATIENCE));
        soon(killed).await.expect("no panic");
    }

    /// Lets the coordinator end in an orderly way.
    pub async fn end(&mut self) {
        let served = self.served.take().expect("it runs");
        served.end.send(()).expect("it serves");
        soon(served.ended).await.expect("no panic");
        let runtime = served.runtime;
        let ended = tokio::task::spawn_blocking(move || runtime.shutdown_timeout(PATIENCE));
        soon(ended).await.expect("no panic");
    }

    /// Kills the coordinator and starts it anew.
    pub async fn restart(&mut self) {
        self.kill().await;
        self.run().await;
    }

    fn served(&self) -> &Served {
        self.served.as_ref().expect("it runs")
    }

    /// The state of the coordinator.
    pub fn state(&self) -> State {
        let coordinator = self.served().coordinator.upgrade().expect("it runs");
        coordinator.state(Instant::now()).expect("a store")
    }

    /// The folder of its data.
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// The store of a coordinator that was killed or has ended.
    fn store(&self) -> Store {
        assert!(self.served.is_none(), "the store is in use");
        Store::open(self.data(), &game::encodings()).expect("the store opens")
    }

    /// Puts a result into the store of a coordinator that was killed or has ended.
    pub fn plant(&self, solved: &Solved) {
        let name = Solved::name(&solved.game, solved.play, &solved.position);
        let written = serde_json::to_vec(solved).expect("it can be written");
        let put = self.store().put_document(&name, &written);
        put.expect("it is kept");
    }

    /// The documents with this prefix in the store of a coordinator that was killed or has ended.
    pub fn documents(&self, prefix: &str) -> Vec<(String, String)> {
        let store = self.store();
        let documents = store.scan_documents(prefix).map(|document| {
            let (name, bytes) = document.expect("a document");
            (name, String::from_utf8(bytes).expect("text"))
        });
        documents.collect()
    }

    /// The keys of all records in the store.
    pub async fn records(&self) -> BTreeSet<Vec<u8>> {
        let (known, _) = self.worker("reader").await.known(0).await;
        known.into_keys().collect()
    }

    /// The address for gRPC.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address for HTTP.
    pub fn http(&self) -> SocketAddr {
        self.served().http
    }

    /// A connection with default settings.
    pub async fn channel(&self) -> Channel {
        self.channel_with(|endpoint| endpoint).await
    }

    /// A connection with its own settings.
    pub async fn channel_with(&self, set: impl FnOnce(Endpoint) -> Endpoint) -> Channel {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.address));
        let connected = soon(set(endpoint.expect("an address")).connect()).await;
        connected.expect("a connection")
    }

    /// A client on a connection of its own.
    pub async fn client(&self) -> Client {
        ClientServiceClient::new(self.channel().await)
    }

    /// Worker calls on a connection of their own, before any registration.
    pub async fn worker_calls(&self) -> WorkerServiceClient<Channel> {
        WorkerServiceClient::new(self.channel().await)
    }

    /// A registered worker whose calls the test makes.
    pub async fn worker(&self, name: &str) -> Hand {
        Hand::register(self.worker_calls().await, name).await
    }

    /// A real worker with `cores` threads.
    pub fn run_worker(&self, cores: usize) -> Running {
        Running::at(self.address, cores)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(served) = self.served.take() {
            served.runtime.shutdown_background();
        }
    }
}

async fn serve(
    data: PathBuf,
    config: Config,
    protection: Protection,
    address: SocketAddr,
) -> (Served, SocketAddr) {
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
        let shown = Arc::downgrade(&coordinator);
        let listener = TcpListener::bind(address).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let http = serve_http(Arc::clone(&coordinator), protection.clone()).await;
        let ended = tokio::spawn(async move {
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
        (address, shown, http, ended)
    });
    let (address, coordinator, http, ended) = started.await.expect("it starts");
    let served = Served {
        runtime,
        end,
        ended,
        coordinator,
        http,
    };
    (served, address)
}

/// Serves the pages and the API of a coordinator for as long as the runtime lives.
async fn serve_http(coordinator: Arc<Coordinator>, protection: Protection) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let for_ever = std::future::pending();
        sproutnet_web::serve(coordinator, &protection, listener, for_ever).await
    });
    address
}
