//! Checks certificates that clients send, each within a time limit, and only while its sender waits.

use std::future::pending;
use std::io::BufReader;
use std::sync::Arc;
use std::time::Duration;

use sproutnet_certificate::Progress;
use sproutnet_proto::v1::{VerifyRequest, VerifyResponse};
use tokio::sync::{mpsc, oneshot, watch};
use tonic::{Status, Streaming};

use super::pieces::{PATIENCE, Pieces, SLOWEST};
use super::{call, convert};
use crate::{Coordinator, CoordinatorError};

/// Checks a certificate as its pieces arrive, and sends the answer. The check is stopped when it takes too long, when
/// its sender is too slow, when the caller stops waiting, and when `ended` resolves: a check may take forever, and the
/// process cannot end before it.
pub(super) async fn answer(
    coordinator: Arc<Coordinator>,
    pieces: Streaming<VerifyRequest>,
    answer: mpsc::Sender<Result<VerifyResponse, Status>>,
    ended: impl Future<Output = ()>,
) {
    let progress = Arc::new(Progress::default());
    let stop = watch::Sender::new(false);
    let limit = coordinator.config().verify_limit;
    let (slow, is_slow) = oneshot::channel();
    // The check may be waiting for a piece.
    let ending = super::ended(stop.subscribe());
    let pieces = Pieces::of(pieces, limit.and(Some(PATIENCE)), slow, ending);
    let certificate = BufReader::new(pieces);
    let check = {
        let progress = Arc::clone(&progress);
        // The outer result is for other errors; [`CoordinatorError::Stopped`] is replaced by the reason.
        move |c: &Coordinator, _| Ok(c.certificates.verify(certificate, &progress))
    };
    let reason = reason_to_stop(limit, is_slow, ended, &answer);
    let mut checking = std::pin::pin!(call(&coordinator, check));
    let (checked, reason) = tokio::select! {
        checked = &mut checking => (checked, None),
        reason = reason => {
            progress.stop();
            stop.send_replace(true);
            (checking.await, Some(reason))
        }
    };
    let verified = checked.and_then(|verified| match (verified, reason) {
        (Err(CoordinatorError::Stopped), Some(reason)) => Err(reason),
        (verified, _) => verified.map(convert::verified).map_err(convert::status),
    });
    let _ = answer.send(verified).await;
}

/// Resolves when a check has to be stopped, with the status for the sender.
async fn reason_to_stop(
    limit: Option<Duration>,
    is_slow: oneshot::Receiver<()>,
    ended: impl Future<Output = ()>,
    answer: &mpsc::Sender<Result<VerifyResponse, Status>>,
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
