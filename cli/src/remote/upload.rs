//! Sends a file to the coordinator in pieces.

use std::fs::File;
use std::io::{self, Read};

use anyhow::Context;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;

/// The size of one message with a piece of a file, in bytes.
const PIECE: usize = 1 << 16;

/// The maximum number of pieces in the send queue.
const QUEUE: usize = 4;

/// Sends a file as messages that `piece` makes of its bytes, and returns the answer of the call.
///
/// # Errors
/// The file cannot be read, or the call failed.
pub(crate) async fn upload<M: Send + 'static, T>(
    file: File,
    piece: fn(Vec<u8>) -> M,
    call: impl AsyncFnOnce(ReceiverStream<M>) -> Result<T, Status>,
) -> anyhow::Result<T> {
    let (sender, pieces) = mpsc::channel(QUEUE);
    let reading = tokio::task::spawn_blocking(move || read(file, piece, &sender));
    let answer = call(ReceiverStream::new(pieces)).await;
    // A read error is the reason why the coordinator refuses an incomplete file, so it is reported first.
    reading.await.context("the file")?.context("the file")?;
    Ok(answer?)
}

/// Reads a file piece by piece, until the receiver is dropped.
fn read<M>(mut file: File, piece: fn(Vec<u8>) -> M, pieces: &mpsc::Sender<M>) -> io::Result<()> {
    loop {
        let mut data = Vec::with_capacity(PIECE);
        file.by_ref().take(PIECE as u64).read_to_end(&mut data)?;
        if data.is_empty() || pieces.blocking_send(piece(data)).is_err() {
            return Ok(());
        }
    }
}
