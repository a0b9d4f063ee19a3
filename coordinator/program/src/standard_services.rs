//! The standard gRPC services: health, and reflection for tools such as grpcurl.

use sproutnet_proto::FILE_DESCRIPTOR_SET;
use sproutnet_proto::v1::{client_service_server, worker_service_server};
use tonic::service::Routes;
use tonic_health::ServingStatus;

/// Returns what adds the standard services to those of a coordinator. Health reports that all of
/// these serve.
///
/// # Errors
/// The descriptors of the messages cannot be read.
pub(crate) async fn adding()
-> Result<impl FnOnce(Routes) -> Routes, tonic_reflection::server::Error> {
    let (reporter, health) = tonic_health::server::health_reporter();
    for service in [
        client_service_server::SERVICE_NAME,
        worker_service_server::SERVICE_NAME,
    ] {
        let serving = ServingStatus::Serving;
        reporter.set_service_status(service, serving).await;
    }
    let reflection = tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .build_v1()?;
    Ok(|routes: Routes| routes.add_service(health).add_service(reflection))
}
