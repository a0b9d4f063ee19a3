//! Bounds the cost of connections before the caller is authenticated.

use std::any::Any;
use std::convert::Infallible;
use std::error::Error;
use std::fmt::Display;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep};
use tokio_stream::Stream;
use tonic::transport::server::{Connected, TcpConnectInfo};

use crate::log_limiter::LogLimiter;
use crate::permits::{Permit, Permits};

/// The wait after a connection could not be accepted. The likely cause is too many open files. Without
/// the wait, retries would keep a processor busy until one is closed.
const AFTER_FAILURE: Duration = Duration::from_millis(100);

/// The length of the preface that an HTTP/2 client sends first, in bytes.
const PREFACE: usize = 24;

/// The time between two logged errors of one kind.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// Incoming connections, up to a maximum in all and half of it from one address; further ones are closed
/// at once. A connection that is silent for too long ends. A failure to accept is logged and not passed on.
pub struct Bounded<I> {
    incoming: Pin<Box<I>>,
    permits: Permits,
    silence: Duration,
    ending: watch::Receiver<bool>,
    pause: Option<Pin<Box<Sleep>>>,
    limiter: LogLimiter<&'static str>,
}

/// A connection that fails with [`io::ErrorKind::TimedOut`] after too long a silence.
pub struct Limited<C> {
    connection: C,
    silence: Duration,
    until: Pin<Box<Sleep>>,
    /// Resolves when the server ends. It is kept until the client has sent its preface: until then, the
    /// transport cannot ask the client to leave, and would wait.
    ending: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    bytes: usize,
    _permit: Permit,
}

impl<I> Bounded<I> {
    /// At most `connections` connections at a time. Each ends when nothing arrives within `silence`. Once `ending`
    /// turns true (or its sender is gone), connections without a preface are closed.
    pub fn new(
        incoming: I,
        connections: usize,
        silence: Duration,
        ending: watch::Receiver<bool>,
    ) -> Self {
        Self {
            incoming: Box::pin(incoming),
            permits: Permits::new(connections),
            silence,
            ending,
            pause: None,
            limiter: LogLimiter::new(LOG_EVERY, 2),
        }
    }

    fn warn(&mut self, problem: &'static str, cause: &dyn Display) {
        let now = std::time::Instant::now();
        if let Some(suppressed) = self.limiter.allow(problem, now) {
            tracing::warn!(suppressed, "{problem}{cause}");
        }
    }
}

impl<I, C, E> Stream for Bounded<I>
where
    I: Stream<Item = Result<C, E>>,
    C: Connected,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    type Item = Result<Limited<C>, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(pause) = &mut self.pause {
                ready!(pause.as_mut().poll(context));
                self.pause = None;
            }
            let connection = match ready!(self.incoming.as_mut().poll_next(context)) {
                None => return Poll::Ready(None),
                Some(Ok(connection)) => connection,
                Some(Err(error)) => {
                    let error: Box<dyn Error + Send + Sync> = error.into();
                    self.warn("cannot accept a connection: ", &error);
                    self.pause = Some(Box::pin(sleep(AFTER_FAILURE)));
                    continue;
                }
            };
            match self.permits.take(address_of(&connection)) {
                Some(permit) => {
                    let mut ending = self.ending.clone();
                    return Poll::Ready(Some(Ok(Limited {
                        connection,
                        silence: self.silence,
                        until: Box::pin(sleep(self.silence)),
                        ending: Some(Box::pin(async move {
                            let _ = ending.wait_for(|&ending| ending).await;
                        })),
                        bytes: 0,
                        _permit: permit,
                    })));
                }
                None => self.warn("closed a connection: there are too many", &""),
            }
        }
    }
}

/// The address of a connection's other end. `None` for a pipe or a simulated connection.
pub(crate) fn address_of<C: Connected>(connection: &C) -> Option<IpAddr> {
    let info = connection.connect_info();
    let info = (&info as &dyn Any).downcast_ref::<TcpConnectInfo>()?;
    info.remote_addr().map(|address| address.ip())
}

impl<C: AsyncRead + Unpin> AsyncRead for Limited<C> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        if let Poll::Ready(read) = Pin::new(&mut self.connection).poll_read(context, buffer) {
            self.bytes = self.bytes.saturating_add(buffer.filled().len() - before);
            if self.bytes >= PREFACE {
                self.ending = None;
            }
            // A deadline too far away for the clock never comes.
            if let Some(until) = Instant::now().checked_add(self.silence) {
                self.until.as_mut().reset(until);
            }
            return Poll::Ready(read);
        }
        if let Some(ending) = &mut self.ending
            && ending.as_mut().poll(context).is_ready()
        {
            self.ending = None;
            return Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()));
        }
        ready!(self.until.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<C: AsyncWrite + Unpin> AsyncWrite for Limited<C> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.connection).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.connection).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.connection.is_write_vectored()
    }
}

impl<C: Connected> Connected for Limited<C> {
    type ConnectInfo = C::ConnectInfo;

    fn connect_info(&self) -> C::ConnectInfo {
        self.connection.connect_info()
    }
}
