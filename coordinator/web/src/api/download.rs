//! Bodies that are made as the client takes them.

use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::timeout_at;
use tokio_stream::wrappers::ReceiverStream;

/// The time limit for the client to take a part.
const STALL: Duration = Duration::from_secs(30);

/// The size of a part, in bytes.
const PART: usize = 64 * 1024;

/// A body that `write` writes and flushes on a thread of its own, within a time limit for the whole. If it fails, or the client is
/// too slow, the body ends early, and the connection is closed, so that the body does not look complete.
pub(super) fn download(
    limit: Duration,
    write: impl FnOnce(BufWriter<Taker>, &Taker) -> io::Result<()> + Send + 'static,
) -> Body {
    let (sender, parts) = mpsc::channel(1);
    let taker = Taker {
        sender,
        runtime: Handle::current(),
        until: Instant::now() + limit,
    };
    tokio::task::spawn_blocking(move || {
        let out = BufWriter::with_capacity(PART, taker.clone());
        if let Err(error) = write(out, &taker) {
            let _ = taker.send(Err(error));
        }
    });
    Body::from_stream(ReceiverStream::new(parts))
}

/// The client who takes what is written.
#[derive(Clone)]
pub(super) struct Taker {
    sender: mpsc::Sender<io::Result<Bytes>>,
    runtime: Handle,
    until: Instant,
}

impl Taker {
    /// Sends a part, once the client has taken the one before.
    ///
    /// # Errors
    /// The client is gone or too slow.
    fn send(&self, part: io::Result<Bytes>) -> io::Result<()> {
        let until = self.until.min(Instant::now() + STALL);
        let sent = async { timeout_at(until.into(), self.sender.send(part)).await };
        match self.runtime.block_on(sent) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    /// Whether the client is gone or too slow.
    pub(super) fn is_gone(&self) -> bool {
        self.sender.is_closed() || self.until <= Instant::now()
    }
}

impl Write for Taker {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = &bytes[..bytes.len().min(PART)];
        self.send(Ok(Bytes::copy_from_slice(part)))?;
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
