//! Bounds what connections can cost before anything is known of who made them.

use std::convert::Infallible;
use std::fmt::Display;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, Sleep, sleep};
use tokio_stream::Stream;
use tonic::transport::server::Connected;

use crate::seldom::Seldom;

/// How long to wait after a connection could not be accepted. The likely cause is that the process has
/// too many open files, and trying again at once would keep a processor busy until one is closed.
const AFTER_FAILURE: Duration = Duration::from_millis(100);

/// What a client of HTTP/2 says first has that many bytes.
const PREFACE: usize = 24;

/// Trouble is logged that often.
const LOG_EVERY: Duration = Duration::from_secs(1);

/// Incoming connections, of which only so many are held at a time; each is ended when it is silent for
/// too long. Those beyond the bound are closed at once. A failure to accept is logged and is not passed
/// on.
pub struct Bounded<I> {
    incoming: Pin<Box<I>>,
    room: Arc<Semaphore>,
    silence: Duration,
    ending: watch::Receiver<bool>,
    pause: Option<Pin<Box<Sleep>>>,
    trouble: Seldom<Trouble>,
}

#[derive(PartialEq, Eq, Hash)]
enum Trouble {
    Full,
    Failed,
}

/// A connection that fails with [`io::ErrorKind::TimedOut`] when nothing has been read for too long.
pub struct Heard<C> {
    connection: C,
    silence: Duration,
    until: Pin<Box<Sleep>>,
    /// Resolves when the server ends; kept until the client has said what it speaks. Before, the
    /// transport has no way to tell it to go, and would wait.
    ending: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    bytes: usize,
    _place: OwnedSemaphorePermit,
}

impl<I> Bounded<I> {
    /// Holds at most `connections` at a time, each for as long as something comes within `silence`. Once
    /// `ending` turns true (or its sender is gone), those that have said nothing yet are closed.
    pub fn new(
        incoming: I,
        connections: usize,
        silence: Duration,
        ending: watch::Receiver<bool>,
    ) -> Self {
        Self {
            incoming: Box::pin(incoming),
            room: Arc::new(Semaphore::new(connections.min(Semaphore::MAX_PERMITS))),
            silence,
            ending,
            pause: None,
            trouble: Seldom::new(LOG_EVERY, 2),
        }
    }

    fn warn(&mut self, trouble: Trouble, text: impl Display) {
        if let Some(silent) = self.trouble.say(trouble, std::time::Instant::now()) {
            tracing::warn!(silent, "{text}");
        }
    }
}

impl<I, C, E> Stream for Bounded<I>
where
    I: Stream<Item = Result<C, E>>,
    E: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Item = Result<Heard<C>, Infallible>;

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
                    let error = error.into();
                    self.warn(
                        Trouble::Failed,
                        format!("cannot accept a connection: {error}"),
                    );
                    self.pause = Some(Box::pin(sleep(AFTER_FAILURE)));
                    continue;
                }
            };
            match Arc::clone(&self.room).try_acquire_owned() {
                Ok(place) => {
                    let mut ending = self.ending.clone();
                    return Poll::Ready(Some(Ok(Heard {
                        connection,
                        silence: self.silence,
                        until: Box::pin(sleep(self.silence)),
                        ending: Some(Box::pin(async move {
                            let _ = ending.wait_for(|&ending| ending).await;
                        })),
                        bytes: 0,
                        _place: place,
                    })));
                }
                Err(_) => self.warn(Trouble::Full, "closed a connection: there are too many"),
            }
        }
    }
}

impl<C: AsyncRead + Unpin> AsyncRead for Heard<C> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        match Pin::new(&mut self.connection).poll_read(context, buffer) {
            Poll::Ready(read) => {
                if self.ending.is_some() {
                    self.bytes += buffer.filled().len() - before;
                    if self.bytes >= PREFACE {
                        self.ending = None;
                    }
                }
                // A time too long for the clock never comes.
                if let Some(until) = Instant::now().checked_add(self.silence) {
                    self.until.as_mut().reset(until);
                }
                Poll::Ready(read)
            }
            Poll::Pending => {
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
    }
}

impl<C: AsyncWrite + Unpin> AsyncWrite for Heard<C> {
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

impl<C: Connected> Connected for Heard<C> {
    type ConnectInfo = C::ConnectInfo;

    fn connect_info(&self) -> C::ConnectInfo {
        self.connection.connect_info()
    }
}
