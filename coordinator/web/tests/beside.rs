//! HTTP, served beside gRPC.

use std::net::SocketAddr;
use std::sync::Arc;

use sproutnet_coordinator::Coordinator;
use sproutnet_transport::token::Token;
use tokio::net::TcpListener;

/// Serves the pages of a coordinator for as long as the runtime lives.
pub(crate) async fn serve(
    coordinator: &Arc<Coordinator>,
    token: Option<Token>,
) -> Option<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let for_ever = std::future::pending();
    tokio::spawn(sproutnet_web::serve(
        Arc::clone(coordinator),
        token,
        listener,
        for_ever,
    ));
    Some(address)
}
