//! The server's side: services behind their protection, on any kind of connection.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_stream::Stream;
use tonic::service::Routes;
use tonic::transport::server::{Connected, Server, TcpIncoming};
use tower::layer::util::{Identity, Stack};

use crate::guard::GuardLayer;
use crate::incoming::Bounded;
use crate::listen::Protection;

/// What callers may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at a time; more are closed at once.
    pub connections: usize,
    /// Streams and calls at a time on a connection; the caller waits for more.
    pub streams: u32,
    /// Calls at a time on a connection whose answer has not begun; more are refused with
    /// RESOURCE_EXHAUSTED.
    pub calls: usize,
    /// Bytes of a request's headers, by HTTP/2's count.
    pub headers: u32,
    /// Until the answer to a call begins. A stream may then go on for ever.
    pub call: Duration,
    /// Between pings on a connection.
    pub ping_every: Duration,
    /// For the answer to a ping. Without one the connection is closed.
    pub ping_answer: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096.min(half_of_open_files()),
            streams: 2048,
            calls: 1024,
            headers: 16 << 10,
            call: Duration::from_secs(120),
            ping_every: Duration::from_secs(20),
            ping_answer: Duration::from_secs(10),
        }
    }
}

impl Limits {
    /// How long a connection may be silent. One that answers pings is not that silent; one that never
    /// says what it wants gets no pings, and ends by this.
    pub fn silence(&self) -> Duration {
        self.ping_every
            .saturating_add(self.ping_answer.saturating_mul(2))
    }
}

/// Connections must not take the files that the store needs.
fn half_of_open_files() -> usize {
    let open_files = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    let open_files = open_files
        .current
        .and_then(|files| usize::try_from(files).ok());
    open_files.map_or(usize::MAX, |files| (files / 2).max(1))
}

/// Serves `services` on incoming connections, TCP or other, until `shutdown` resolves; then lets open
/// calls end.
///
///
/// # Errors
/// TLS cannot be set up.
pub async fn serve<I, C, E>(
    services: Routes,
    protection: &Protection,
    limits: &Limits,
    incoming: I,
    shutdown: impl Future<Output = ()>,
) -> Result<(), tonic::transport::Error>
where
    I: Stream<Item = Result<C, E>>,
    C: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let ending = watch::Sender::new(false);
    let heard = ending.subscribe();
    let shutdown = async move {
        shutdown.await;
        ending.send_replace(true);
    };
    let incoming = Bounded::new(incoming, limits.connections, limits.silence(), heard);
    server(protection, limits)?
        .add_routes(services)
        .serve_with_incoming_shutdown(incoming, shutdown)
        .await
}

/// The connections that come to a TCP port, set up for calls.
pub fn tcp(listener: TcpListener, limits: &Limits) -> TcpIncoming {
    TcpIncoming::from(listener)
        .with_nodelay(Some(true))
        .with_keepalive(Some(limits.ping_every))
}

fn server(
    protection: &Protection,
    limits: &Limits,
) -> Result<Server<Stack<GuardLayer, Identity>>, tonic::transport::Error> {
    let mut server = Server::builder()
        .http2_keepalive_interval(Some(limits.ping_every))
        .http2_keepalive_timeout(Some(limits.ping_answer))
        .max_concurrent_streams(limits.streams)
        .http2_max_header_list_size(limits.headers)
        .concurrency_limit_per_connection(limits.calls)
        .load_shed(true)
        .timeout(limits.call);
    if let Some(tls) = &protection.tls {
        server = server.tls_config(tls.config())?;
    }
    Ok(server.layer(GuardLayer::new(protection.token.clone())))
}
