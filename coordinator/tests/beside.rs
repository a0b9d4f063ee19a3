//! Nothing is served beside gRPC here.

use std::net::SocketAddr;
use std::sync::Arc;

use sproutnet_coordinator::Coordinator;
use sproutnet_transport::token::Token;

/// Serves more of a coordinator on a port of its own, if a test program has more to serve.
#[expect(
    clippy::unused_async,
    reason = "test programs of other crates bind a port"
)]
pub(crate) async fn serve(_: &Arc<Coordinator>, _: Option<Token>) -> Option<SocketAddr> {
    None
}
