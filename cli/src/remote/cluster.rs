//! A connection to a remote coordinator, or to one inside this process with an optional worker. Both use gRPC.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use sproutnet_coordinator::{self as coordinator, Coordinator, CoordinatorError, Health, rpc};
use sproutnet_store::{Copy, StoreError};
use sproutnet_transport::connect::{Connection, Endpoint, Patience};
use sproutnet_transport::credentials::{ConnectArgs, Credentials};
use sproutnet_transport::listen::Protection;
use sproutnet_worker::{Config, Worker, WorkerError};
use tokio::io::DuplexStream;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

use crate::args::Common;
use crate::commands::task;
use crate::exit::BadInput;
use crate::remote::client::Client;

/// The size of the buffer of an in-process connection, in bytes.
const PIPE: usize = 1 << 16;

/// The time that the coordinator has to end its calls.
const LONGEST_CLOSE: Duration = Duration::from_secs(5);

/// The time limits of the connection. Calls have shorter deadlines of their own.
const PATIENCE: Patience = Patience {
    connect: Duration::from_secs(10),
    call: Duration::from_secs(60),
    ping_every: Duration::from_secs(20),
    ping_answer: Duration::from_secs(25),
};

/// The URL that stands for the coordinator inside this process.
const INSIDE: &str = "http://sproutnet.internal";

/// A coordinator, and the tasks that run in this process for it.
pub(crate) struct Cluster {
    connection: Connection,
    /// The address of a remote coordinator.
    url: Option<String>,
    server: Option<Running>,
    worker: Option<JoinHandle<Result<(), WorkerError>>>,
    stop_worker: watch::Sender<bool>,
    /// The copy that is read in place of the store. Dropped last.
    _copy: Option<Copy>,
}

struct Running {
    health: watch::Receiver<Health>,
    task: JoinHandle<Result<(), tonic::transport::Error>>,
    stop: watch::Sender<bool>,
}

impl Cluster {
    /// Connects. With a local coordinator, also starts a worker if `worker` configures one.
    pub(crate) async fn connect(common: &Common, worker: Option<Config>) -> anyhow::Result<Self> {
        Self::connect_with(common, worker, false).await
    }

    /// Connects for queries only: if the local store is in use, read-only, or a backup, a copy is read.
    pub(crate) async fn connect_to_ask(common: &Common) -> anyhow::Result<Self> {
        Self::connect_with(common, None, true).await
    }

    async fn connect_with(
        common: &Common,
        worker: Option<Config>,
        only_asks: bool,
    ) -> anyhow::Result<Self> {
        if let (None, Some(config)) = (&common.coordinator, &worker) {
            check_memory(config)?;
        }
        let mut copy = None;
        let (connection, server) = match &common.coordinator {
            Some(url) => (connect_to(url, &common.credentials).await?, None),
            None => {
                let config = coordinator::Config {
                    // Computations of an earlier command continue only when they are requested again.
                    resume: false,
                    // A command ends with an error instead: its user would not see the reason for the wait.
                    waits_for_disk_space: false,
                    ..coordinator::Config::default()
                };
                let (coordinator, of) = open_here(common.data.clone(), config, only_asks).await?;
                copy = of;
                let (connection, server) = start_here(coordinator)?;
                (connection, Some(server))
            }
        };
        let stop_worker = watch::Sender::new(false);
        // A coordinator elsewhere has its own workers.
        let worker = worker.filter(|_| server.is_some()).map(|config| {
            let (connection, stop) = (connection.clone(), stop_worker.subscribe());
            let worker = Worker::new(config)?;
            Ok::<_, WorkerError>(tokio::spawn(
                async move { worker.run(connection, stop).await },
            ))
        });
        let worker = worker.transpose()?;
        Ok(Self {
            connection,
            url: common.coordinator.clone(),
            server,
            worker,
            stop_worker,
            _copy: copy,
        })
    }

    /// Waits until the worker in this process fails, and returns the error. Never ends if there is no failure.
    pub(crate) async fn worker_failed(&mut self) -> anyhow::Error {
        if let Some(worker) = &mut self.worker {
            let ended = worker.await;
            self.worker = None;
            match ended {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return error.into(),
                Err(error) => return error.into(),
            }
        }
        std::future::pending().await
    }

    /// Makes one call, then closes the cluster.
    pub(crate) async fn call<T, F>(self, call: impl FnOnce(Client) -> F) -> anyhow::Result<T>
    where
        F: Future<Output = Result<T, Status>>,
    {
        let answer = call(self.client()).await?;
        self.close().await?;
        Ok(answer)
    }

    /// A client of the coordinator.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.connection.clone())
    }

    /// Whether the coordinator is outside this process and outlives it.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.url.is_some()
    }

    /// The options for another command to reach the same coordinator, after a space. Empty for a local one.
    pub(crate) fn hint(&self) -> String {
        let url = self.url.as_ref();
        url.map_or_else(String::new, |url| format!(" --coordinator {url}"))
    }

    /// Stops the worker, which reports its records and releases its leases. Then stops the coordinator.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        self.stop_worker.send_replace(true);
        let is_well = |server: &Running| server.health.borrow().is_well();
        if let Some(worker) = self.worker {
            if !self.server.as_ref().is_none_or(is_well) {
                // The worker would wait until a coordinator that is not well takes its records.
                worker.abort();
                return Ok(());
            }
            worker.await.context("the worker")?.context("the worker")?;
        }
        drop(self.connection);
        if let Some(Running { task, stop, .. }) = self.server {
            stop.send_replace(true);
            // Acknowledged records are durable: aborting a hanging call loses nothing.
            if let Ok(ended) = tokio::time::timeout(LONGEST_CLOSE, task).await {
                ended
                    .context("the coordinator")?
                    .context("the coordinator")?;
            }
        }
        Ok(())
    }
}

/// Makes a read-only call to a coordinator, then closes the connection.
pub(crate) async fn ask<T, F>(common: &Common, ask: impl FnOnce(Client) -> F) -> anyhow::Result<T>
where
    F: Future<Output = Result<T, Status>>,
{
    Cluster::connect_to_ask(common).await?.call(ask).await
}

/// Refuses a bound on the memory of a worker in this process before a store is created for it.
pub(crate) fn check_memory(config: &Config) -> Result<(), BadInput> {
    let bound = config.memory_bound();
    bound.map(drop).map_err(|error| BadInput(error.to_string()))
}

async fn connect_to(url: &str, credentials: &ConnectArgs) -> anyhow::Result<Connection> {
    let bad = |error: &dyn std::fmt::Display| BadInput(error.to_string());
    let credentials = credentials.credentials().map_err(|error| bad(&error))?;
    let endpoint = Endpoint::new(url, &credentials, PATIENCE);
    let endpoint = endpoint.map_err(|error| bad(&error))?;
    let connected = endpoint.connect().await;
    connected.map_err(|status| anyhow::anyhow!("{}", status.message()))
}

/// Opens the store in a folder. If the command `only_asks`, a copy is opened where the store is in use, read-only, or a
/// backup, which would become an ordinary store.
pub(crate) async fn open_here(
    data: PathBuf,
    config: coordinator::Config,
    only_asks: bool,
) -> anyhow::Result<(Coordinator, Option<Copy>)> {
    let opened = tokio::task::spawn_blocking(move || {
        let open = |dir: &Path, takes_over| {
            let config = coordinator::Config {
                takes_over,
                ..config.clone()
            };
            Coordinator::open(dir, config, Instant::now())
        };
        let opened = match open(&data, !only_asks) {
            Err(CoordinatorError::Store(error)) if only_asks && error.is_of_place() => {
                task::copy(&data).and_then(|copy| Ok((open(copy.path(), true)?, Some(copy))))
            }
            opened => opened.map(|opened| (opened, None)).map_err(explain_in_use),
        };
        opened.with_context(|| format!("cannot use the store in {}", data.display()))
    });
    opened.await?
}

fn start_here(coordinator: Coordinator) -> anyhow::Result<(Connection, Running)> {
    let coordinator = Arc::new(coordinator);
    let health = coordinator.health();
    let (connection, incoming) = pipe()?;
    let stop = watch::Sender::new(false);
    let mut stopped = stop.subscribe();
    let task = tokio::spawn(async move {
        let stopped = async move {
            // Also resolves when the sender is dropped.
            let _ = stopped.wait_for(|&stop| stop).await;
        };
        rpc::serve(
            coordinator,
            &Protection::default(),
            incoming,
            stopped,
            |routes| routes,
        )
        .await
    });
    let running = Running { health, task, stop };
    Ok((connection, running))
}

/// A connection inside this process, and the incoming stream for its server.
///
/// # Errors
/// TLS cannot be set up, although this connection does not use it.
pub(crate) fn pipe() -> anyhow::Result<(Connection, ReceiverStream<std::io::Result<DuplexStream>>)>
{
    let (connections, incoming) = mpsc::channel(1);
    let endpoint = Endpoint::new(INSIDE, &Credentials::default(), Patience::default())?;
    let connection = endpoint.connect_lazy_over(move |_| {
        let connections = connections.clone();
        async move {
            let (here, there) = tokio::io::duplex(PIPE);
            let gone = |_| std::io::Error::other("the coordinator is gone");
            connections.send(Ok(there)).await.map_err(gone)?;
            Ok(here)
        }
    });
    Ok((connection, ReceiverStream::new(incoming)))
}

/// Adds advice to the error of a store in use: it usually belongs to a coordinator, which can be asked instead.
fn explain_in_use(error: CoordinatorError) -> anyhow::Error {
    match &error {
        CoordinatorError::Store(store) if matches!(**store, StoreError::InUse { .. }) => {
            anyhow::anyhow!("{error}; if that is a coordinator, ask it with --coordinator URL")
        }
        _ => error.into(),
    }
}
