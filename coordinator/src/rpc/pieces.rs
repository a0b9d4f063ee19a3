//! What comes in pieces over a call, read as a file.

use std::io::{self, Read};

use sproutnet_proto::v1::VerifyRequest;
use tokio::sync::mpsc;
use tonic::{Status, Streaming};

/// Pieces that may wait to be read.
const QUEUE: usize = 8;

/// A file whose pieces are sent. To be read by a thread that may block.
pub(super) struct Pieces {
    coming: mpsc::Receiver<Result<Vec<u8>, Status>>,
    piece: Vec<u8>,
    /// How much of the piece was read.
    read: usize,
}

impl Pieces {
    /// Takes in pieces until there are no more, or `ended` resolves. That is an error of the reader then, as
    /// is what goes wrong with the call.
    pub(super) fn of(
        mut requests: Streaming<VerifyRequest>,
        ended: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        let (sender, coming) = mpsc::channel(QUEUE);
        tokio::spawn(async move {
            let mut ended = std::pin::pin!(ended);
            loop {
                let next = tokio::select! {
                    next = requests.message() => next.transpose(),
                    () = &mut ended => Some(Err(Status::aborted("the call was ended"))),
                };
                let Some(next) = next else {
                    return;
                };
                let next = next.map(|request| request.data);
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
