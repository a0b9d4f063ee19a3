//! A coordinator behind a real socket, its workers, and the calls of tests.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use sproutnet_coordinator::{self as coordinator, Coordinator, rpc};
use sproutnet_game as game;
use sproutnet_proto::v1;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use sproutnet_store::block;
use sproutnet_system::options::Memory;
use sproutnet_transport::connect::{Connection, Endpoint, Patience};
use sproutnet_transport::credentials::Credentials;
use sproutnet_transport::listen::Protection;
use sproutnet_worker::{Config, Worker, WorkerError};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_stream::wrappers::TcpListenerStream;
use tokio_stream::{Stream, StreamExt};
use tonic::Status;

/// Calls of clients.
pub(crate) type Client = ClientServiceClient<Connection>;

/// The time limit for everything that is tested.
const PATIENCE: Duration = Duration::from_secs(60);

/// Awaits a future, within the time limit.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    let ended = tokio::time::timeout(PATIENCE, future).await;
    ended.expect("this should have ended long ago")
}

/// A coordinator with its own store and runtime, so that it can be killed with everything under way.
pub(crate) struct Cluster {
    data: TempDir,
    config: coordinator::Config,
    pub(crate) address: SocketAddr,
    running: Option<(Runtime, Weak<Coordinator>)>,
}

impl Cluster {
    /// An empty coordinator.
    pub(crate) async fn start() -> Self {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        Self::start_at(any).await
    }

    /// An empty coordinator at a known port.
    pub(crate) async fn start_at(address: SocketAddr) -> Self {
        Self::start_with(address, coordinator::Config::default()).await
    }

    /// An empty coordinator with this configuration.
    pub(crate) async fn with(config: coordinator::Config) -> Self {
        Self::start_with(SocketAddr::from(([127, 0, 0, 1], 0)), config).await
    }

    async fn start_with(address: SocketAddr, config: coordinator::Config) -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let mut cluster = Self {
            data,
            config,
            address,
            running: None,
        };
        cluster.revive().await;
        cluster
    }

    /// The state of the coordinator.
    pub(crate) fn state(&self) -> coordinator::State {
        let (_, coordinator) = self.running.as_ref().expect("it runs");
        let coordinator = coordinator.upgrade().expect("it runs");
        coordinator.state(Instant::now()).expect("a store")
    }

    /// Ends the coordinator at once.
    pub(crate) async fn kill(&mut self) {
        let (runtime, _) = self.running.take().expect("it runs");
        let killed = tokio::task::spawn_blocking(move || runtime.shutdown_timeout(PATIENCE));
        soon(killed).await.expect("no panic");
    }

    /// Starts it again after [`Self::kill`]: same port, same data.
    pub(crate) async fn revive(&mut self) {
        let (data, config) = (self.data.path().to_owned(), self.config.clone());
        let (runtime, coordinator, address) = soon(serve(data, config, self.address)).await;
        self.running = Some((runtime, coordinator));
        self.address = address;
    }

    /// A client on its own connection.
    pub(crate) async fn client(&self) -> Client {
        let connected = soon(endpoint(self.address).connect()).await;
        Client::new(connected.expect("a connection"))
    }

    /// A real worker with `cores` threads.
    pub(crate) fn worker(&self, cores: usize) -> Running {
        Running::at(self.address, cores)
    }

    /// A registered worker without threads: its calls and its number.
    pub(crate) async fn by_hand(&self) -> (WorkerServiceClient<Connection>, u64) {
        let mut calls = WorkerServiceClient::new(endpoint(self.address).connect_lazy());
        let request = v1::RegisterRequest {
            protocol: sproutnet_proto::PROTOCOL,
            encodings: game::encodings().into_iter().map(Into::into).collect(),
            cores: 1,
            slots: 1,
            name: "by hand".to_owned(),
            identity: 1,
        };
        let response = soon(calls.register(request)).await.expect("accepted");
        (calls, response.into_inner().worker)
    }

    /// The keys of all records in the store.
    pub(crate) async fn records(&self) -> BTreeSet<Vec<u8>> {
        let (mut calls, worker) = self.by_hand().await;
        let request = v1::FeedRequest {
            worker,
            ..v1::FeedRequest::default()
        };
        let feed = soon(calls.feed(request)).await.expect("a feed");
        let mut feed = feed.into_inner();
        let mut keys = BTreeSet::new();
        loop {
            let response = soon(feed.next()).await.expect("open").expect("no error");
            if !response.block.is_empty() {
                let records = block::decode(&response.block).expect("a block");
                keys.extend(
                    records
                        .into_iter()
                        .map(|record| record.record.key.into_vec()),
                );
            }
            if response.caught_up {
                return keys;
            }
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some((runtime, _)) = self.running.take() {
            runtime.shutdown_background();
        }
    }
}

async fn serve(
    data: PathBuf,
    config: coordinator::Config,
    address: SocketAddr,
) -> (Runtime, Weak<Coordinator>, SocketAddr) {
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    let started = runtime.spawn(async move {
        let opening = move || Coordinator::open(&data, config, Instant::now());
        let opened = tokio::task::spawn_blocking(opening).await;
        let coordinator = Arc::new(opened.expect("no panic").expect("a store"));
        let shown = Arc::downgrade(&coordinator);
        let listener = TcpListener::bind(address).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let incoming = TcpListenerStream::new(listener);
        tokio::spawn(async move {
            let for_ever = std::future::pending();
            let open = Protection::default();
            rpc::serve(coordinator, &open, incoming, for_ever, |routes| routes).await
        });
        (shown, address)
    });
    let (coordinator, address) = started.await.expect("it starts");
    (runtime, coordinator, address)
}

pub(crate) fn endpoint(address: SocketAddr) -> Endpoint {
    let url = format!("http://{address}");
    Endpoint::new(&url, &Credentials::default(), Patience::default()).expect("an address")
}

/// One core per job, enough memory for all tests of a process, and no store.
pub(crate) fn config() -> Config {
    Config {
        cores: 1,
        team: Some(1),
        memory: Memory::Bytes(2 << 30),
        name: "tested".to_owned(),
        data: None,
        ..Config::default()
    }
}

/// A running worker.
pub(crate) struct Running {
    pub(crate) task: JoinHandle<Result<(), WorkerError>>,
    stop: watch::Sender<bool>,
}

impl Running {
    /// A worker for a coordinator at an address. The coordinator may start later.
    pub(crate) fn at(address: SocketAddr, cores: usize) -> Self {
        Self::with(address, Config { cores, ..config() })
    }

    /// A worker with its own store below a folder.
    pub(crate) fn in_folder(address: SocketAddr, folder: &Path) -> Self {
        let data = Some(folder.to_owned());
        Self::with(address, Config { data, ..config() })
    }

    pub(crate) fn with(address: SocketAddr, config: Config) -> Self {
        let worker = Worker::new(config).expect("it can begin");
        let stop = watch::Sender::new(false);
        let stopped = stop.subscribe();
        let channel = endpoint(address).connect_lazy();
        let task = tokio::spawn(worker.run(channel, stopped));
        Self { task, stop }
    }

    /// Requests its end.
    pub(crate) fn ask_to_stop(&self) {
        self.stop.send_replace(true);
    }

    /// Stops it. Expects that it ends without an error, well within the grace period.
    pub(crate) async fn stop(self) {
        self.ask_to_stop();
        let ended = tokio::time::timeout(Duration::from_secs(10), self.task).await;
        let ended = ended.expect("it ends within ten seconds");
        ended.expect("no panic").expect("no error");
    }
}

/// Starts a computation; returns its number.
pub(crate) async fn start(client: &mut Client, position: &str, play: v1::Play) -> u64 {
    let request = v1::StartRequest {
        position: position.to_owned(),
        play: play.into(),
        ..v1::StartRequest::default()
    };
    let response = soon(client.start(request)).await.expect("it starts");
    response.into_inner().computation
}

/// The progress of a computation from now on.
pub(crate) async fn watch(
    client: &mut Client,
    computation: u64,
) -> impl Stream<Item = Result<v1::Progress, Status>> + Unpin + use<> {
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
