//! TLS handshakes of incoming connections. Several take place at a time, and a refused one is counted and logged.

use std::convert::Infallible;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_stream::Stream;
use tonic::transport::server::Connected;

use crate::incoming::address_of;
use crate::log_limiter::LogLimiter;
use crate::tls::ServerTls;

/// The time limit of a handshake.
const LONGEST: Duration = Duration::from_secs(10);

/// The time between two logged refusals of one peer.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// The maximum number of peers whose refusals are logged at a time.
const PEERS: usize = 256;

/// A connection after its handshake, or one that needs none.
pub enum Secured<C> {
    /// Without TLS.
    Plain(C),
    /// With TLS.
    Tls(Box<TlsStream<C>>),
}

/// Incoming connections, each after its handshake.
pub struct Handshakes<I, C> {
    /// `None` once there are no more.
    incoming: Option<Pin<Box<I>>>,
    tls: Option<ServerTls>,
    under_way: JoinSet<Result<TlsStream<C>, Refused>>,
    limiter: LogLimiter<Option<IpAddr>>,
}

/// A handshake that failed.
struct Refused {
    peer: Option<IpAddr>,
    error: io::Error,
}

impl<I, C> Handshakes<I, C> {
    /// Connections that speak TLS, if given.
    pub fn new(incoming: I, tls: Option<ServerTls>) -> Self {
        Self {
            incoming: Some(Box::pin(incoming)),
            tls,
            under_way: JoinSet::new(),
            limiter: LogLimiter::new(LOG_EVERY, PEERS),
        }
    }

    /// Counts and logs a refusal. A client that only leaves, such as a probe of the port, is no refusal.
    fn refused(&mut self, Refused { peer, error }: &Refused) {
        let by_tls = matches!(error.get_ref(), Some(cause) if cause.is::<rustls::Error>());
        if !by_tls && error.kind() != io::ErrorKind::TimedOut {
            return;
        }
        if let Some(tls) = &self.tls {
            tls.count_refusal();
        }
        let peer = peer.map(|peer| peer.to_canonical());
        if let Some(suppressed) = self.limiter.allow(peer, Instant::now()) {
            let peer = peer.map_or_else(|| "a pipe".to_owned(), |peer| peer.to_string());
            tracing::warn!(peer, suppressed, "a TLS handshake is refused: {error}");
        }
    }
}

async fn shake_hands<C>(acceptor: TlsAcceptor, connection: C) -> Result<TlsStream<C>, Refused>
where
    C: AsyncRead + AsyncWrite + Connected + Unpin,
{
    let peer = address_of(&connection);
    let accepted = timeout(LONGEST, acceptor.accept(connection)).await;
    let accepted = accepted.unwrap_or_else(|_| {
        let late = format!("it took longer than {LONGEST:?}");
        Err(io::Error::new(io::ErrorKind::TimedOut, late))
    });
    accepted.map_err(|error| Refused { peer, error })
}

impl<I, C> Stream for Handshakes<I, C>
where
    I: Stream<Item = Result<C, Infallible>>,
    C: AsyncRead + AsyncWrite + Connected + Unpin + Send + 'static,
{
    type Item = Result<Secured<C>, Infallible>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        loop {
            while let Some(incoming) = &mut this.incoming {
                match incoming.as_mut().poll_next(context) {
                    Poll::Pending => break,
                    Poll::Ready(None) => this.incoming = None,
                    Poll::Ready(Some(Ok(connection))) => match &this.tls {
                        None => return Poll::Ready(Some(Ok(Secured::Plain(connection)))),
                        Some(tls) => {
                            this.under_way
                                .spawn(shake_hands(tls.acceptor(), connection));
                        }
                    },
                }
            }
            match this.under_way.poll_join_next(context) {
                Poll::Ready(None) if this.incoming.is_none() => return Poll::Ready(None),
                Poll::Ready(None) | Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(Ok(Ok(connection)))) => {
                    return Poll::Ready(Some(Ok(Secured::Tls(Box::new(connection)))));
                }
                Poll::Ready(Some(Ok(Err(refused)))) => this.refused(&refused),
                Poll::Ready(Some(Err(error))) => tracing::error!(%error, "a TLS handshake"),
            }
        }
    }
}

// Nothing here is pinned but the stream in its box.
impl<I, C> Unpin for Handshakes<I, C> {}

impl<C: AsyncRead + AsyncWrite + Unpin> AsyncRead for Secured<C> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(connection) => Pin::new(connection).poll_read(context, buffer),
            Self::Tls(connection) => Pin::new(connection).poll_read(context, buffer),
        }
    }
}

impl<C: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Secured<C> {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(connection) => Pin::new(connection).poll_write(context, bytes),
            Self::Tls(connection) => Pin::new(connection).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(connection) => Pin::new(connection).poll_flush(context),
            Self::Tls(connection) => Pin::new(connection).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(connection) => Pin::new(connection).poll_shutdown(context),
            Self::Tls(connection) => Pin::new(connection).poll_shutdown(context),
        }
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(connection) => Pin::new(connection).poll_write_vectored(context, slices),
            Self::Tls(connection) => Pin::new(connection).poll_write_vectored(context, slices),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match self {
            Self::Plain(connection) => connection.is_write_vectored(),
            Self::Tls(connection) => connection.is_write_vectored(),
        }
    }
}

impl<C: Connected> Connected for Secured<C> {
    type ConnectInfo = C::ConnectInfo;

    fn connect_info(&self) -> C::ConnectInfo {
        match self {
            Self::Plain(connection) => connection.connect_info(),
            Self::Tls(connection) => connection.get_ref().0.connect_info(),
        }
    }
}
