//! Work on a file that a client sends in pieces, while its sender waits.

use std::future::pending;
use std::io::BufReader;
use std::sync::Arc;
use std::time::Duration;

use sproutnet_certificate::Progress;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_stream::Stream;
use tonic::Status;

use super::pieces::{Pieces, SLOWEST};
use super::{call, convert};
use crate::{Coordinator, CoordinatorError};

/// The limits of an upload; `None` for none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The maximum time of the whole.
    pub(super) time: Option<Duration>,
    /// The maximum total wait for pieces.
    pub(super) patience: Option<Duration>,
}

/// Works on a file as its pieces arrive, and sends the answer. The work is told to stop when it takes too long, when the
/// sender is too slow, when the caller stops waiting, and when `ended` resolves: the process cannot end before it.
pub(super) async fn answer<R>(
    coordinator: Arc<Coordinator>,
    pieces: impl Stream<Item = Result<Vec<u8>, Status>> + Send + 'static,
    limits: Limits,
    work: impl FnOnce(&Coordinator, BufReader<Pieces>, &Progress) -> Result<R, CoordinatorError>
    + Send
    + 'static,
    answer: mpsc::Sender<Result<R, Status>>,
    ended: impl Future<Output = ()>,
) where
    R: Send + 'static,
{
    let progress = Arc::new(Progress::default());
    let stop = watch::Sender::new(false);
    let (slow, is_slow) = oneshot::channel();
    // The work may be waiting for a piece.
    let ending = super::ended(stop.subscribe());
    let pieces = BufReader::new(Pieces::of(pieces, limits.patience, slow, ending));
    let work = {
        let progress = Arc::clone(&progress);
        // [`CoordinatorError::Stopped`] is replaced by the reason.
        move |coordinator: &Coordinator, _| Ok(work(coordinator, pieces, &progress))
    };
    let reason = reason_to_stop(limits.time, is_slow, ended, &answer);
    let mut working = std::pin::pin!(call(&coordinator, work));
    let (done, reason) = tokio::select! {
        done = &mut working => (done, None),
        reason = reason => {
            progress.stop();
            stop.send_replace(true);
            (working.await, Some(reason))
        }
    };
    let done = done.and_then(|done| match (done, reason) {
        (Err(CoordinatorError::Stopped), Some(reason)) => Err(reason),
        (done, _) => done.map_err(convert::status),
    });
    let _ = answer.send(done).await;
}

/// Resolves when the work has to be stopped, with the status for the sender.
async fn reason_to_stop<R>(
    limit: Option<Duration>,
    is_slow: oneshot::Receiver<()>,
    ended: impl Future<Output = ()>,
    answer: &mpsc::Sender<Result<R, Status>>,
) -> Status {
    let late = async {
        match limit {
            Some(limit) => {
                tokio::time::sleep(limit).await;
                convert::status(CoordinatorError::TooLong(limit))
            }
            None => pending().await,
        }
    };
    tokio::select! {
        late = late => late,
        Ok(()) = is_slow => convert::status(CoordinatorError::TooSlow(SLOWEST >> 10)),
        () = ended => Status::unavailable("the coordinator is ending"),
        () = answer.closed() => Status::cancelled("nobody waits for the answer"),
    }
}
