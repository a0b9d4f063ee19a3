//! A connection to a coordinator: to one elsewhere, or to one inside this process, with a worker
//! beside it if wanted. Either way all calls are gRPC.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use hyper_util::rt::TokioIo;
use sproutnet_coordinator::{Coordinator, rpc};
use sproutnet_proto::LARGEST_MESSAGE;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_worker::{Config, Worker, WorkerError};
use tokio::io::DuplexStream;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::{Channel, Endpoint, Uri};
use tower::service_fn;

use crate::args::Common;
use crate::exit::BadInput;

/// Bytes under way on a connection inside the process.
const PIPE: usize = 1 << 16;

/// How long the coordinator may take to end its calls.
const LONGEST_CLOSE: Duration = Duration::from_secs(5);

/// Calls to a coordinator.
pub(crate) type Client = ClientServiceClient<Channel>;

/// A coordinator to talk to, and what runs in this process for it.
pub(crate) struct Cluster {
    channel: Channel,
    server: Option<Running>,
    worker: Option<JoinHandle<Result<(), WorkerError>>>,
    stop_worker: watch::Sender<bool>,
}

struct Running {
    task: JoinHandle<Result<(), tonic::transport::Error>>,
    stop: watch::Sender<bool>,
}

impl Cluster {
    /// Connects. `worker` tells what a worker in this process may use, if one is wanted.
    pub(crate) async fn connect(common: &Common, worker: Option<Config>) -> anyhow::Result<Self> {
        let (channel, server) = match &common.coordinator {
            Some(url) => (connect_to(url).await?, None),
            None => {
                let (channel, server) = start_here(common.data.clone()).await?;
                (channel, Some(server))
            }
        };
        let stop_worker = watch::Sender::new(false);
        // A coordinator elsewhere has workers of its own.
        let worker = worker.filter(|_| server.is_some()).map(|config| {
            let (channel, stop) = (channel.clone(), stop_worker.subscribe());
            let worker = Worker::new(config)?;
            Ok::<_, WorkerError>(tokio::spawn(async move { worker.run(channel, stop).await }))
        });
        let worker = worker.transpose()?;
        Ok(Self {
            channel,
            server,
            worker,
            stop_worker,
        })
    }

    /// A client of the coordinator.
    pub(crate) fn client(&self) -> Client {
        ClientServiceClient::new(self.channel.clone()).max_decoding_message_size(LARGEST_MESSAGE)
    }

    /// Lets the worker hand back what it is at and report, then ends the coordinator.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        self.stop_worker.send_replace(true);
        if let Some(worker) = self.worker {
            worker.await.context("the worker")?.context("the worker")?;
        }
        drop(self.channel);
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

async fn connect_to(url: &str) -> anyhow::Result<Channel> {
    let endpoint = Endpoint::from_shared(url.to_owned());
    let endpoint = endpoint.map_err(|error| BadInput(format!("`{url}`: {error}")))?;
    if !matches!(endpoint.uri().scheme_str(), Some("http" | "https")) {
        return Err(BadInput(format!("`{url}`: expected http://HOST:PORT")).into());
    }
    endpoint
        .connect()
        .await
        .with_context(|| format!("cannot reach the coordinator at {url}"))
}

async fn start_here(data: PathBuf) -> anyhow::Result<(Channel, Running)> {
    let opened = tokio::task::spawn_blocking(move || {
        Coordinator::open(&data)
            .with_context(|| format!("cannot use the store in {}", data.display()))
    });
    let coordinator = Arc::new(opened.await??);
    let (connections, incoming) = mpsc::channel::<std::io::Result<DuplexStream>>(1);
    let stop = watch::Sender::new(false);
    let mut stopped = stop.subscribe();
    let task = tokio::spawn(rpc::serve(
        coordinator,
        ReceiverStream::new(incoming),
        async move {
            // Resolves too when the other end is gone.
            let _ = stopped.wait_for(|&stop| stop).await;
        },
    ));
    let pipe = service_fn(move |_: Uri| {
        let connections = connections.clone();
        async move {
            let (here, there) = tokio::io::duplex(PIPE);
            let gone = |_| std::io::Error::other("the coordinator is gone");
            connections.send(Ok(there)).await.map_err(gone)?;
            Ok::<_, std::io::Error>(TokioIo::new(here))
        }
    });
    let endpoint = Endpoint::from_static("http://sproutnet.internal");
    let channel = endpoint.connect_with_connector(pipe).await?;
    Ok((channel, Running { task, stop }))
}
