//! `sproutnet-coordinator healthcheck`: the health check for container engines.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use anyhow::Context;
use sproutnet_proto::v1::client_service_server;
use sproutnet_transport::listen::ListenArgs;
use tokio::net::TcpStream;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

/// The time limit for a connection, and for an answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// Asks the coordinator that listens by these options on this machine whether it answers clients. That the disk of its
/// store is full is no failure: a restart would not help.
///
/// # Errors
/// It does not answer, or says that it does not serve clients.
pub(crate) async fn run(listen: &ListenArgs) -> anyhow::Result<()> {
    let mut address = listen.listen;
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    if listen.tls_cert.is_some() {
        // Clients check its certificate; here an open port is enough.
        let connected = tokio::time::timeout(PATIENCE, TcpStream::connect(address)).await;
        connected.context("no connection in time")??;
        return Ok(());
    }
    let endpoint = tonic::transport::Endpoint::from_shared(format!("http://{address}"))?;
    let channel = endpoint.timeout(PATIENCE).connect_timeout(PATIENCE);
    let mut health = HealthClient::new(channel.connect().await?);
    let unanswered = || {
        format!(
            "http://{address} does not answer; if the coordinator speaks TLS, give the same --tls-cert, --tls-key and \
             --tls-ca here"
        )
    };
    let request = HealthCheckRequest {
        service: client_service_server::SERVICE_NAME.to_owned(),
    };
    let response = health.check(request).await.with_context(unanswered)?;
    let status = response.into_inner().status();
    anyhow::ensure!(status == ServingStatus::Serving, "it says {status:?}");
    Ok(())
}
