//! The server's side: services behind authentication and limits, on any kind of connection.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio_stream::Stream;
use tonic::service::Routes;
use tonic::transport::server::{Connected, Server, TcpIncoming};

use crate::auth::Authentication;
use crate::handshake::Handshakes;
use crate::incoming::Bounded;
use crate::listen::Protection;

/// The limits on callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Simultaneous connections; further ones are closed at once.
    pub connections: usize,
    /// Simultaneous streams and calls on a connection; the caller waits with further ones.
    pub streams: u32,
    /// Simultaneous calls on a connection that are not yet answered; further ones are refused with
    /// RESOURCE_EXHAUSTED.
    pub calls: usize,
    /// The size of a request's headers in bytes, as HTTP/2 counts them.
    pub headers: u32,
    /// The time until the answer to a call begins. A stream may then last for ever.
    pub call: Duration,
    /// The time between pings on a connection.
    pub ping_every: Duration,
    /// The time until a ping is answered. Without an answer, the connection is closed.
    pub ping_answer: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096.min(open_files() / 2).max(1),
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
    /// The maximum silence of a connection. A connection that answers pings is never silent for so long. One that never
    /// sends anything gets no pings, and is closed after this time.
    pub fn silence(&self) -> Duration {
        self.ping_every
            .saturating_add(self.ping_answer.saturating_mul(2))
    }
}

/// The maximum number of open files of this process. Connections are files, and must leave enough for the store.
pub fn open_files() -> usize {
    let open_files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    let open_files = open_files.and_then(|files| usize::try_from(files).ok());
    open_files.unwrap_or(usize::MAX)
}

/// Serves `services` on incoming connections, TCP or other, until `shutdown` resolves. Open calls may
/// then end. Requests without a token are answered with UNAUTHENTICATED, and those that the role of the token does not
/// allow with PERMISSION_DENIED. Only the standard health service, `grpc.health.v1.Health`, needs no token, so that
/// Kubernetes' own gRPC probes work. These probes do not speak TLS; a port with TLS needs another kind of probe.
///
/// # Errors
/// Nothing can be served.
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
    let ended = ending.subscribe();
    let shutdown = async move {
        shutdown.await;
        ending.send_replace(true);
    };
    let incoming = Bounded::new(incoming, limits.connections, limits.silence(), ended);
    let incoming = Handshakes::new(incoming, protection.tls.clone());
    let server = Server::builder()
        .http2_keepalive_interval(Some(limits.ping_every))
        .http2_keepalive_timeout(Some(limits.ping_answer))
        .max_concurrent_streams(limits.streams)
        .http2_max_header_list_size(limits.headers)
        .concurrency_limit_per_connection(limits.calls)
        .load_shed(true)
        .timeout(limits.call);
    let authentication = Authentication::new(protection.tokens.clone());
    let mut server = server.layer(authentication);
    server
        .add_routes(services)
        .serve_with_incoming_shutdown(incoming, shutdown)
        .await
}

/// The connections to a TCP port, with the socket options that calls need.
pub fn tcp(listener: TcpListener, limits: &Limits) -> TcpIncoming {
    TcpIncoming::from(listener)
        .with_nodelay(Some(true))
        .with_keepalive(Some(limits.ping_every))
}
