//! These tests serve only gRPC.

use std::net::SocketAddr;
use std::sync::Arc;

use sproutnet_coordinator::Coordinator;
use sproutnet_transport::listen::Protection;

/// A hook for test programs that serve more of a coordinator, on a separate port.
#[expect(
    clippy::unused_async,
    reason = "test programs of other crates bind a port"
)]
pub(crate) async fn serve(_: &Arc<Coordinator>, _: &Protection) -> Option<SocketAddr> {
    None
}
