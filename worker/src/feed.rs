//! Imports records that others proved: the coordinator sends them in blocks, the feed.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_stream::StreamExt;

use crate::backoff::Backoff;
use crate::client::{CallError, Registration};
use crate::session::Session;

/// A feed that lasted this long resets the backoff.
const STABLE: Duration = Duration::from_secs(10);

/// Reads the feed until aborted. Resumes at its cursor after a break.
pub(crate) async fn run(session: &Session) {
    let mut cursor = 0;
    let mut backoff = Backoff::new();
    loop {
        let registration = session.registration().await;
        let began = Instant::now();
        let mut restored = session.link.restored();
        tokio::select! {
            error = read(session, registration, &mut cursor) => {
                tracing::debug!(%error, "the record feed broke off");
                session.link.note::<()>(registration, &Err(error));
            }
            // A stream that only listens may not notice that its connection broke.
            _ = restored.changed() => continue,
            () = session.link.replaced(registration) => continue,
        }
        if began.elapsed() > STABLE {
            backoff.reset();
        }
        backoff.wait().await;
    }
}

/// Reads the feed until it breaks. The cursor is that of the last part that was processed.
async fn read(session: &Session, registration: Registration, cursor: &mut u64) -> CallError {
    let feed = session.link.client.feed(registration.worker, *cursor);
    let mut feed = match feed.await {
        Ok(feed) => std::pin::pin!(feed),
        Err(error) => return error,
    };
    loop {
        let part = match feed.next().await {
            Some(Ok(part)) => part,
            Some(Err(error)) => return error,
            None => return CallError::Unreachable("the record feed ended".to_owned()),
        };
        if !part.block.is_empty() {
            import(session, part.block).await;
        }
        if part.caught_up {
            session.context.set_ready();
        }
        *cursor = part.cursor;
    }
}

/// Imports the records of a block.
async fn import(session: &Session, block: Vec<u8>) {
    let context = Arc::clone(&session.context);
    match tokio::task::spawn_blocking(move || context.import(&block)).await {
        Ok(Ok(())) => {}
        // Imported facts only save work, so the worker can go on without them.
        Ok(Err(error)) => tracing::error!(%error, "a feed block is skipped"),
        Err(error) => tracing::error!(%error, "a feed block was not imported"),
    }
    session.check_for_fault();
}
