//! The gRPC services: the only place that knows wire types. [`convert`] maps these to domain types.

mod client_service;
pub mod convert;
mod export;
mod feed;
mod pieces;
mod reports;
mod upload;
mod worker_service;

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_proto::LARGEST_MESSAGE;
use sproutnet_proto::v1::client_service_server::ClientServiceServer;
use sproutnet_proto::v1::worker_service_server::WorkerServiceServer;
use sproutnet_transport::caller;
use sproutnet_transport::listen::Protection;
use sproutnet_transport::serve::{self, Limits};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio_stream::Stream;
use tonic::service::Routes;
use tonic::transport::server::Connected;
use tonic::{Response, Status};

use crate::{Coordinator, CoordinatorError};

/// The time between two checks of leases and deadlines.
const TICK: Duration = Duration::from_millis(100);

/// The result of a call.
type RpcResult<T> = Result<Response<T>, Status>;

/// A stream of messages.
type Responses<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

/// Serves the calls of workers and clients on incoming connections until `shutdown` resolves, with the
/// services that `add` adds.
///
/// # Errors
/// TLS cannot be set up.
pub async fn serve<I, C, E>(
    coordinator: Arc<Coordinator>,
    protection: &Protection,
    incoming: I,
    shutdown: impl Future<Output = ()>,
    add: impl FnOnce(Routes) -> Routes,
) -> Result<(), tonic::transport::Error>
where
    I: Stream<Item = Result<C, E>>,
    C: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    // Ends with this call, even if it is cancelled.
    let mut ticking = JoinSet::new();
    ticking.spawn(tick(Arc::clone(&coordinator)));
    let auditing = Auditing::start(&coordinator);
    // Open streams would hold up the end.
    let ending = watch::Sender::new(false);
    let services = services(&coordinator, &ending.subscribe());
    let shutdown = async move {
        shutdown.await;
        ending.send_replace(true);
    };
    let routes = add(services);
    serve::serve(routes, protection, &Limits::default(), incoming, shutdown).await?;
    drop(auditing);
    // A coordinator that ends in order resumes from here.
    let last = tokio::task::spawn_blocking(move || coordinator.checkpoint(now())).await;
    match last {
        Ok(Err(error)) if error.is_reported_by_health() => {}
        Ok(Err(error)) => tracing::error!(%error, "the last checkpoint failed"),
        _ => {}
    }
    Ok(())
}

/// The thread that audits records. It ends when this is dropped.
struct Auditing(Arc<Coordinator>);

impl Auditing {
    fn start(coordinator: &Arc<Coordinator>) -> Self {
        let shared = Arc::clone(coordinator);
        let thread = std::thread::Builder::new().name("audit".to_owned());
        if let Err(error) = thread.spawn(move || shared.audits.run()) {
            tracing::error!(%error, "no record is audited");
        }
        Self(Arc::clone(coordinator))
    }
}

impl Drop for Auditing {
    fn drop(&mut self) {
        self.0.audits.end();
    }
}

/// The services for workers and clients, to be called with or without a network. Waiting calls and feeds end once
/// `ending` is true.
pub fn services(coordinator: &Arc<Coordinator>, ending: &watch::Receiver<bool>) -> Routes {
    let clients = ClientServiceServer::new(client_service::Service {
        coordinator: Arc::clone(coordinator),
        ending: ending.clone(),
    });
    let workers = worker_service::Service::new(Arc::clone(coordinator), ending.clone());
    let workers = WorkerServiceServer::new(workers);
    Routes::new(
        clients
            .max_decoding_message_size(LARGEST_MESSAGE)
            .max_encoding_message_size(LARGEST_MESSAGE),
    )
    .add_service(
        workers
            .max_decoding_message_size(LARGEST_MESSAGE)
            .max_encoding_message_size(LARGEST_MESSAGE),
    )
}

async fn tick(coordinator: Arc<Coordinator>) {
    let mut ticks = tokio::time::interval(TICK);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let coordinator = Arc::clone(&coordinator);
        let now = now();
        match tokio::task::spawn_blocking(move || coordinator.tick(now)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) if error.is_reported_by_health() => {}
            Ok(Err(error)) => tracing::error!(%error, "maintenance failed"),
            // The runtime ends, and this with it.
            Err(error) if error.is_cancelled() => return,
            Err(error) => tracing::error!(%error, "maintenance failed"),
        }
    }
}

/// Resolves when the coordinator ends.
async fn ended(mut ending: watch::Receiver<bool>) {
    let _ = ending.wait_for(|&ending| ending).await;
}

/// The time of tokio's clock, which a simulation may control.
fn now() -> Instant {
    tokio::time::Instant::now().into_std()
}

/// Makes a blocking call of the coordinator.
async fn call<T: Send + 'static>(
    coordinator: &Arc<Coordinator>,
    act: impl FnOnce(&Coordinator, Instant) -> Result<T, CoordinatorError> + Send + 'static,
) -> Result<T, Status> {
    call_on(&Handle::current(), coordinator, act).await
}

/// Makes a blocking call of the coordinator on a blocking thread of that runtime.
async fn call_on<T: Send + 'static>(
    threads: &Handle,
    coordinator: &Arc<Coordinator>,
    act: impl FnOnce(&Coordinator, Instant) -> Result<T, CoordinatorError> + Send + 'static,
) -> Result<T, Status> {
    let coordinator = Arc::clone(coordinator);
    let now = now();
    let span = tracing::Span::current();
    let act = move || span.in_scope(|| act(&coordinator, now));
    match threads.spawn_blocking(caller::carried(act)).await {
        Ok(result) => result.map_err(convert::status),
        // Only the end of the process cancels a blocking task.
        Err(error) if error.is_cancelled() => Err(Status::unavailable("the coordinator is ending")),
        Err(error) => Err(Status::internal(error.to_string())),
    }
}
