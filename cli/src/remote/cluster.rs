//! A connection to a remote coordinator, or to one inside this process with an optional worker. Both use gRPC.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use sproutnet_coordinator::{self as coordinator, Coordinator, CoordinatorError, rpc};
use sproutnet_store::StoreError;
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
use crate::exit::BadInput;
use crate::remote::client::Client;

/// The buffer of a connection inside the process, in bytes.
const PIPE: usize = 1 << 16;

/// How long the coordinator may take to end its calls.
const LONGEST_CLOSE: Duration = Duration::from_secs(5);

/// The deadlines of single calls are shorter.
const PATIENCE: Patience = Patience {
    connect: Duration::from_secs(10),
    call: Duration::from_secs(60),
    ping_every: Duration::from_secs(20),
    ping_answer: Duration::from_secs(25),
};

/// The name of the coordinator inside this process.
const INSIDE: &str = "http://sproutnet.internal";

/// A coordinator, and the tasks that run in this process for it.
pub(crate) struct Cluster {
    connection: Connection,
    /// The address of a remote coordinator.
    url: Option<String>,
    server: Option<Running>,
    worker: Option<JoinHandle<Result<(), WorkerError>>>,
    stop_worker: watch::Sender<bool>,
}

struct Running {
    task: JoinHandle<Result<(), tonic::transport::Error>>,
    stop: watch::Sender<bool>,
}

impl Cluster {
    /// Connects. With a local coordinator, also starts a worker if `worker` configures one.
    pub(crate) async fn connect(common: &Common, worker: Option<Config>) -> anyhow::Result<Self> {
        let (connection, server) = match &common.coordinator {
            Some(url) => (connect_to(url, &common.credentials).await?, None),
            None => {
                let (connection, server) = start_here(common.data.clone()).await?;
                (connection, Some(server))
            }
        };
        let stop_worker = watch::Sender::new(false);
        // A coordinator elsewhere has workers of its own.
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
        })
    }

    /// Waits until the worker in this process fails; returns the error.
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

    /// A client of the coordinator.
    pub(crate) fn client(&self) -> Client {
        Client::new(self.connection.clone())
    }

    /// Whether the coordinator is outside this process and outlives it.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.url.is_some()
    }

    /// The options, after a space, with which another command reaches the same coordinator.
    pub(crate) fn hint(&self) -> String {
        let url = self.url.as_ref();
        url.map_or_else(String::new, |url| format!(" --coordinator {url}"))
    }

    /// Stops the worker, which reports and releases its leases, then the coordinator.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        self.stop_worker.send_replace(true);
        if let Some(worker) = self.worker {
            worker.await.context("the worker")?.context("the worker")?;
        }
        drop(self.connection);
        if let Some(Running { task, stop }) = self.server {
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

/// Asks a coordinator, then closes the connection to it.
pub(crate) async fn ask<T, F>(common: &Common, ask: impl FnOnce(Client) -> F) -> anyhow::Result<T>
where
    F: Future<Output = Result<T, Status>>,
{
    let cluster = Cluster::connect(common, None).await?;
    let answer = ask(cluster.client()).await?;
    cluster.close().await?;
    Ok(answer)
}

async fn connect_to(url: &str, credentials: &ConnectArgs) -> anyhow::Result<Connection> {
    let bad = |error: &dyn std::fmt::Display| BadInput(error.to_string());
    let credentials = credentials.credentials().map_err(|error| bad(&error))?;
    let endpoint = Endpoint::new(url, &credentials, PATIENCE);
    let endpoint = endpoint.map_err(|error| bad(&error))?;
    let connected = endpoint.connect().await;
    connected.map_err(|status| anyhow::anyhow!("{}", status.message()))
}

async fn start_here(data: PathBuf) -> anyhow::Result<(Connection, Running)> {
    let config = coordinator::Config {
        // Computations of an earlier command continue only when they are requested again.
        resume: false,
        ..coordinator::Config::default()
    };
    let opened = tokio::task::spawn_blocking(move || {
        Coordinator::open(&data, config, Instant::now())
            .map_err(explain_in_use)
            .with_context(|| format!("cannot use the store in {}", data.display()))
    });
    let coordinator = Arc::new(opened.await??);
    let (connections, incoming) = mpsc::channel::<std::io::Result<DuplexStream>>(1);
    let stop = watch::Sender::new(false);
    let mut stopped = stop.subscribe();
    let task = tokio::spawn(async move {
        let incoming = ReceiverStream::new(incoming);
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
    Ok((connection, Running { task, stop }))
}

/// A store in use usually belongs to a coordinator, which can be asked instead.
fn explain_in_use(error: CoordinatorError) -> anyhow::Error {
    match &error {
        CoordinatorError::Store(store) if matches!(**store, StoreError::InUse { .. }) => {
            anyhow::anyhow!("{error}; if that is a coordinator, ask it with --coordinator URL")
        }
        _ => error.into(),
    }
}
