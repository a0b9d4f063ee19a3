//! HTTP, served beside gRPC.

use std::net::SocketAddr;
use std::sync::Arc;

use sproutnet_coordinator::Coordinator;
use sproutnet_transport::listen::Protection;
use tokio::net::TcpListener;

/// Serves the pages of a coordinator for as long as the runtime lives.
pub(crate) async fn serve(
    coordinator: &Arc<Coordinator>,
    protection: &Protection,
) -> Option<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let (coordinator, protection) = (Arc::clone(coordinator), protection.clone());
    tokio::spawn(async move {
        let for_ever = std::future::pending();
        sproutnet_web::serve(coordinator, &protection, listener, for_ever).await
    });
    Some(address)
}
