//! Imports records that others proved.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_stream::StreamExt;

use crate::backoff::Backoff;
use crate::client::{CallError, Registration};
use crate::session::Session;

/// A feed that lasted this long resets the backoff.
const STABLE: Duration = Duration::from_secs(10);

/// Follows the feed until aborted. Resumes at its cursor after a break.
pub(crate) async fn run(session: &Session) {
    let mut cursor = 0;
    let mut backoff = Backoff::new();
    loop {
        let registration = session.registration().await;
        let began = Instant::now();
        let mut restored = session.link.restored();
        tokio::select! {
            error = follow(session, registration, &mut cursor) => {
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

/// Imports the feed until it breaks.
async fn follow(session: &Session, registration: Registration, cursor: &mut u64) -> CallError {
    let client = &session.link.client;
    let feed = match client.feed(registration.worker, *cursor).await {
        Ok(feed) => feed,
        Err(error) => return error,
    };
    let mut feed = std::pin::pin!(feed);
    loop {
        let part = match feed.next().await {
            Some(Ok(part)) => part,
            Some(Err(error)) => return error,
            None => return CallError::Unreachable("the record feed ended".to_owned()),
        };
        if !part.block.is_empty() {
            let context = Arc::clone(&session.context);
            let imported = tokio::task::spawn_blocking(move || context.import(&part.block)).await;
            match imported {
                Ok(Ok(())) => {}
                // Imported facts only save work, so the worker can go on without them.
                Ok(Err(error)) => tracing::error!(%error, "a feed block is skipped"),
                Err(error) => tracing::error!(%error, "a feed block was not imported"),
            }
            session.check_for_fault();
        }
        *cursor = part.cursor;
        if part.caught_up {
            session.context.set_ready();
        }
    }
}
