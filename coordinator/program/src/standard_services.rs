//! The standard gRPC services: health, and reflection for tools such as grpcurl.

use std::convert::Infallible;
use std::task::{Context, Poll};

use sproutnet_coordinator::Health;
use sproutnet_proto::FILE_DESCRIPTOR_SET;
use sproutnet_proto::v1::{client_service_server, worker_service_server};
use tokio::sync::watch;
use tonic::Status;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic::service::Routes;
use tonic_health::ServingStatus;

/// Returns a function that adds the standard services to those of a coordinator. While the coordinator cannot do its
/// work, the server and the service for workers are reported as not serving; the service for clients stays serving.
///
/// # Errors
/// The descriptors of the messages cannot be read.
pub(crate) async fn adding(
    mut health: watch::Receiver<Health>,
) -> Result<impl FnOnce(Routes) -> Routes, tonic_reflection::server::Error> {
    let (reporter, service) = tonic_health::server::health_reporter();
    let clients = client_service_server::SERVICE_NAME;
    reporter
        .set_service_status(clients, ServingStatus::Serving)
        .await;
    tokio::spawn(async move {
        loop {
            let status = if health.borrow_and_update().is_well() {
                ServingStatus::Serving
            } else {
                ServingStatus::NotServing
            };
            for name in ["", worker_service_server::SERVICE_NAME] {
                reporter.set_service_status(name, status).await;
            }
            if health.changed().await.is_err() {
                return;
            }
        }
    });
    let builder = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    // The Python client knows only the older version.
    let (newer, older) = (builder().build_v1()?, builder().build_v1alpha()?);
    Ok(|routes: Routes| {
        routes
            .add_service(service)
            .add_service(newer)
            .add_service(older)
    })
}

/// The services of a coordinator whose store is not open yet: each call is answered with UNAVAILABLE and the reason.
/// Workers are reported as not served. Clients are reported as served, since a restart would not help them.
pub(crate) async fn waiting(why: &'static str) -> Routes {
    let (reporter, health) = tonic_health::server::health_reporter();
    for name in ["", worker_service_server::SERVICE_NAME] {
        let status = ServingStatus::NotServing;
        reporter.set_service_status(name, status).await;
    }
    let clients = client_service_server::SERVICE_NAME;
    reporter
        .set_service_status(clients, ServingStatus::Serving)
        .await;
    Routes::new(health)
        .add_service(Unavailable::<false>(why))
        .add_service(Unavailable::<true>(why))
}

/// A service that cannot be used yet, and why: that for workers, or that for clients.
#[derive(Clone)]
struct Unavailable<const FOR_WORKERS: bool>(&'static str);

impl<const FOR_WORKERS: bool> NamedService for Unavailable<FOR_WORKERS> {
    const NAME: &'static str = if FOR_WORKERS {
        worker_service_server::SERVICE_NAME
    } else {
        client_service_server::SERVICE_NAME
    };
}

impl<B, const FOR_WORKERS: bool> tower::Service<http::Request<B>> for Unavailable<FOR_WORKERS> {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = std::future::Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: http::Request<B>) -> Self::Future {
        std::future::ready(Ok(Status::unavailable(self.0).into_http()))
    }
}
