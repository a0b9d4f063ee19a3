//! Reads the pieces of a streaming call as a file.

use std::io::{self, Read};
use std::pin::pin;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep};
use tokio_stream::{Stream, StreamExt};
use tonic::Status;

/// The maximum number of pieces that wait to be read.
const QUEUE: usize = 8;

/// The maximum total wait for pieces, beyond one second for each [`SLOWEST`] bytes.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// The rate below which a sender is too slow, in bytes a second.
pub(super) const SLOWEST: u32 = 32 << 10;

/// A file that arrives in pieces. To be read on a thread that may block.
pub(super) struct Pieces {
    coming: mpsc::Receiver<Result<Vec<u8>, Status>>,
    piece: Vec<u8>,
    /// The number of bytes of the piece that were read.
    read: usize,
}

impl Pieces {
    /// Receives pieces until there are no more, or until `ended` resolves. That, or a failure of the call, is an error
    /// of the reader. With `patience`, sends to `slow`, at most once, when the waits have used it up; each received
    /// byte restores some of it.
    pub(super) fn of(
        pieces: impl Stream<Item = Result<Vec<u8>, Status>> + Send + 'static,
        patience: Option<Duration>,
        slow: oneshot::Sender<()>,
        ended: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        let (sender, coming) = mpsc::channel(QUEUE);
        tokio::spawn(async move {
            let (mut pieces, mut ended) = (pin!(pieces), pin!(ended));
            let patience = patience.unwrap_or(Duration::MAX);
            let (mut left, mut slow) = (patience, Some(slow));
            loop {
                let began = Instant::now();
                let next = tokio::select! {
                    next = pieces.next() => next,
                    () = sleep(left), if slow.is_some() => {
                        // The reader ends by `ended`.
                        let _ = slow.take().map(|slow| slow.send(()));
                        continue;
                    }
                    () = &mut ended => Some(Err(Status::aborted("the call was ended"))),
                };
                let Some(next) = next else {
                    return;
                };
                // Only the wait for the sender counts, not a slow reader.
                let bytes = next.as_ref().map_or(0, Vec::len);
                let gained = Duration::from_secs_f64(bytes as f64 / f64::from(SLOWEST));
                left = left.saturating_sub(began.elapsed());
                left = left.saturating_add(gained).min(patience);
                let is_last = next.is_err();
                if sender.send(next).await.is_err() || is_last {
                    return;
                }
            }
        });
        Self {
            coming,
            piece: Vec::new(),
            read: 0,
        }
    }
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.read == self.piece.len() {
            match self.coming.blocking_recv() {
                Some(Ok(piece)) => (self.piece, self.read) = (piece, 0),
                Some(Err(status)) => return Err(io::Error::other(status)),
                None => return Ok(0),
            }
        }
        let rest = &self.piece[self.read..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.read += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests;
