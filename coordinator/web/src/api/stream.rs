//! Bodies that a thread writes, as the client takes them.

use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{self, Sender};
use tokio::time::timeout_at;
use tokio_stream::wrappers::ReceiverStream;

/// The size of a part that is sent at a time, in bytes.
const PART: usize = 64 * 1024;

/// The time limit for the client to take a part.
const STALL: Duration = Duration::from_secs(30);

/// What `write` writes, within this time. It may ask whether the client is still there. The place is free again at the
/// end. A body that ends early ends with an error, so that it does not look complete.
pub(super) fn written(
    place: OwnedSemaphorePermit,
    patience: Duration,
    write: impl FnOnce(&mut dyn Write, &dyn Fn() -> bool) -> io::Result<()> + Send + 'static,
) -> Body {
    let (sender, parts) = mpsc::channel(1);
    let runtime = Handle::current();
    let until = Instant::now() + patience;
    tokio::task::spawn_blocking(move || {
        let _place = place;
        let is_there = || !sender.is_closed();
        let client = Client {
            sender: &sender,
            runtime,
            until,
        };
        let mut out = BufWriter::with_capacity(PART, client);
        let ended = write(&mut out, &is_there).and_then(|()| out.flush());
        if let Err(error) = ended {
            let (client, _) = out.into_parts();
            let _ = client.send(Err(error));
        }
    });
    Body::from_stream(ReceiverStream::new(parts))
}

/// The client, as a thread may write to it.
struct Client<'a> {
    sender: &'a Sender<io::Result<Bytes>>,
    runtime: Handle,
    until: Instant,
}

impl Client<'_> {
    /// Sends a part, once the last one is taken.
    fn send(&self, part: io::Result<Bytes>) -> io::Result<()> {
        let until = self.until.min(Instant::now() + STALL);
        let sent = async { timeout_at(until.into(), self.sender.send(part)).await };
        match self.runtime.block_on(sent) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

impl Write for Client<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let part = &bytes[..bytes.len().min(PART)];
        self.send(Ok(Bytes::copy_from_slice(part)))?;
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
