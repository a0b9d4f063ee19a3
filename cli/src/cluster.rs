//! A connection to a coordinator: to one elsewhere, or to one inside this process, with a worker
//! beside it if wanted. Either way all calls are gRPC.

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

use crate::args::Common;
use crate::client::Client;
use crate::exit::BadInput;

/// Bytes under way on a connection inside the process.
const PIPE: usize = 1 << 16;

/// How long the coordinator may take to end its calls.
const LONGEST_CLOSE: Duration = Duration::from_secs(5);

/// Calls have bounds of their own, which come first.
const PATIENCE: Patience = Patience {
    connect: Duration::from_secs(10),
    call: Duration::from_secs(60),
    ping_every: Duration::from_secs(20),
    ping_answer: Duration::from_secs(25),
};

/// The name of the coordinator inside this process.
const INSIDE: &str = "http://sproutnet.internal";

/// A coordinator to talk to, and what runs in this process for it.
pub(crate) struct Cluster {
    connection: Connection,
    /// Where the coordinator is, unless it is inside this process.
    url: Option<String>,
    server: Option<Running>,
    worker: Option<JoinHandle<Result<(), WorkerError>>>,
    stop_worker: watch::Sender<bool>,
}

struct Running {
    task: JoinHandle<Result<(), rpc::ServeError>>,
    stop: watch::Sender<bool>,
}

impl Cluster {
    /// Connects. `worker` tells what a worker in this process may use, if one is wanted.
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

    /// Why the worker in this process failed, once it has.
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

    /// Whether the coordinator is outside this process, so that it goes on when this ends.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.url.is_some()
    }

    /// The options, after a space, by which another command reaches the same coordinator.
    pub(crate) fn hint(&self) -> String {
        let url = self.url.as_ref();
        url.map_or_else(String::new, |url| format!(" --coordinator {url}"))
    }

    /// Lets the worker hand back what it is at and report, then ends the coordinator.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        self.stop_worker.send_replace(true);
        if let Some(worker) = self.worker {
            worker.await.context("the worker")?.context("the worker")?;
        }
        drop(self.connection);
        if let Some(Running { task, stop }) = self.server {
            stop.send_replace(true);
            // All that was acknowledged is durable, so that a call which does not end is no loss.
            if let Ok(ended) = tokio::time::timeout(LONGEST_CLOSE, task).await {
                ended
                    .context("the coordinator")?
                    .context("the coordinator")?;
            }
        }
        Ok(())
    }
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
        // What was under way when an earlier command ended goes on when it is asked for again.
        resume: false,
        ..coordinator::Config::default()
    };
    let opened = tokio::task::spawn_blocking(move || {
        Coordinator::open(&data, config, Instant::now())
            .map_err(in_use_by_whom)
            .with_context(|| format!("cannot use the store in {}", data.display()))
    });
    let coordinator = Arc::new(opened.await??);
    let (connections, incoming) = mpsc::channel::<std::io::Result<DuplexStream>>(1);
    let stop = watch::Sender::new(false);
    let mut stopped = stop.subscribe();
    let task = tokio::spawn(async move {
        let incoming = ReceiverStream::new(incoming);
        let stopped = async move {
            // Resolves too when the other end is gone.
            let _ = stopped.wait_for(|&stop| stop).await;
        };
        rpc::serve(coordinator, &Protection::default(), incoming, stopped).await
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

/// A store in use is most often that of a coordinator, which can be asked in its place.
fn in_use_by_whom(error: CoordinatorError) -> anyhow::Error {
    match &error {
        CoordinatorError::Store(store) if matches!(**store, StoreError::InUse { .. }) => {
            anyhow::anyhow!("{error}; if that is a coordinator, ask it with --coordinator URL")
        }
        _ => error.into(),
    }
}
