//! The gRPC services: the only place that knows wire types.

mod client_service;
mod convert;
mod worker_service;

use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_proto::LARGEST_MESSAGE;
use sproutnet_proto::v1::client_service_server::ClientServiceServer;
use sproutnet_proto::v1::worker_service_server::WorkerServiceServer;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinSet;
use tokio_stream::Stream;
use tonic::Status;
use tonic::transport::server::{Connected, Server};

use crate::{Coordinator, CoordinatorError};

/// How often leases and deadlines are looked at.
const TICK: Duration = Duration::from_millis(100);

/// Serves a coordinator on incoming connections until `shutdown` resolves.
///
/// # Errors
/// The transport fails.
pub async fn serve<I, C, E>(
    coordinator: Arc<Coordinator>,
    incoming: I,
    shutdown: impl Future<Output = ()>,
) -> Result<(), tonic::transport::Error>
where
    I: Stream<Item = Result<C, E>>,
    C: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    // Ends with this call, however that ends.
    let mut ticking = JoinSet::new();
    ticking.spawn(tick(Arc::clone(&coordinator)));
    let clients = client_service::Service(Arc::clone(&coordinator));
    let workers = worker_service::Service(coordinator);
    Server::builder()
        .add_service(
            ClientServiceServer::new(clients)
                .max_decoding_message_size(LARGEST_MESSAGE)
                .max_encoding_message_size(LARGEST_MESSAGE),
        )
        .add_service(
            WorkerServiceServer::new(workers)
                .max_decoding_message_size(LARGEST_MESSAGE)
                .max_encoding_message_size(LARGEST_MESSAGE),
        )
        .serve_with_incoming_shutdown(incoming, shutdown)
        .await
}

async fn tick(coordinator: Arc<Coordinator>) {
    let mut ticks = tokio::time::interval(TICK);
    loop {
        ticks.tick().await;
        let coordinator = Arc::clone(&coordinator);
        let ticked = tokio::task::spawn_blocking(move || coordinator.tick(Instant::now())).await;
        if let Err(error) = ticked {
            tracing::error!(%error, "looking at leases and deadlines failed");
        }
    }
}

/// Makes a blocking call of the coordinator.
async fn call<T: Send + 'static>(
    coordinator: &Arc<Coordinator>,
    act: impl FnOnce(&Coordinator) -> Result<T, CoordinatorError> + Send + 'static,
) -> Result<T, Status> {
    let coordinator = Arc::clone(coordinator);
    match tokio::task::spawn_blocking(move || act(&coordinator)).await {
        Ok(result) => result.map_err(convert::status),
        Err(error) => Err(Status::internal(error.to_string())),
    }
}
