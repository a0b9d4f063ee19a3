//! Takes in what others proved.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_stream::StreamExt;

use crate::backoff::Backoff;
use crate::client::{CallError, Registration};
use crate::stint::Stint;

/// A feed that lasted that long was no failure.
const LASTING: Duration = Duration::from_secs(10);

/// Takes in the feed until it is aborted. When it breaks it goes on where it was.
pub(crate) async fn run(stint: &Stint) {
    let mut cursor = 0;
    let mut backoff = Backoff::new();
    loop {
        let registration = stint.registration().await;
        let began = Instant::now();
        let mut found_again = stint.link.found_again();
        tokio::select! {
            broken = follow(stint, registration, &mut cursor) => {
                tracing::debug!(error = %broken, "the feed of records broke off");
                stint.link.note::<()>(registration, &Err(broken));
            }
            // A connection may have broken without a word to a stream that only listens.
            _ = found_again.changed() => continue,
            () = stint.link.replaced(registration) => continue,
        }
        if began.elapsed() > LASTING {
            backoff.reset();
        }
        backoff.wait().await;
    }
}

/// Takes in the feed until it breaks.
async fn follow(stint: &Stint, registration: Registration, cursor: &mut u64) -> CallError {
    let opened = stint.link.client().feed(registration.worker, *cursor).await;
    let feed = match opened {
        Ok(feed) => feed,
        Err(error) => return error,
    };
    let mut feed = std::pin::pin!(feed);
    loop {
        let batch = match feed.next().await {
            Some(Ok(batch)) => batch,
            Some(Err(error)) => return error,
            None => return CallError::Unreachable("the feed of records ended".to_owned()),
        };
        if !batch.block.is_empty() {
            let mind = Arc::clone(&stint.mind);
            let learned = tokio::task::spawn_blocking(move || mind.learn(&batch.block)).await;
            match learned {
                Ok(Ok(())) => {}
                // What is known elsewhere only saves work: it can be done without.
                Ok(Err(error)) => tracing::error!(%error, "a block of the feed is skipped"),
                Err(error) => tracing::error!(%error, "a block of the feed was not learned"),
            }
            stint.look_for_fault();
        }
        *cursor = batch.cursor;
        if batch.caught_up {
            stint.mind.is_ready();
        }
    }
}
