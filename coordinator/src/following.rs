//! Following a computation to its end.

use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;

use crate::scheduler::computation::Progress;

/// Streams the progress of a computation until it has ended. Between two items there is a pause of `pace`, which the
/// end cuts short. Changes during a pause, or while the reader is slow, are merged. The stream breaks off when `stop`
/// resolves.
pub fn until_ended(
    progress: watch::Receiver<Progress>,
    pace: Duration,
    stop: impl Future<Output = ()> + Send + 'static,
) -> impl Stream<Item = Progress> + Send + Unpin {
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(async move {
        tokio::select! {
            () = send_until_ended(progress, pace, sender) => {}
            () = stop => {}
        }
    });
    ReceiverStream::new(receiver)
}

async fn send_until_ended(
    mut progress: watch::Receiver<Progress>,
    pace: Duration,
    sender: mpsc::Sender<Progress>,
) {
    loop {
        let now = progress.borrow_and_update().clone();
        let ended = now.status.has_ended();
        if sender.send(now).await.is_err() || ended {
            return;
        }
        tokio::select! {
            changed = progress.changed() => if changed.is_err() { return },
            () = sender.closed() => return,
        }
        let ends = progress.wait_for(|progress| progress.status.has_ended());
        if let Ok(Err(_)) = tokio::time::timeout(pace, ends).await {
            return;
        }
    }
}
