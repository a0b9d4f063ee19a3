//! Imports the feed: the coordinator's records, sent in blocks.

use std::sync::Arc;
use std::time::Duration;

use sproutnet_store::{Batch, StoreError};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_stream::StreamExt;

use crate::backoff::Backoff;
use crate::client::{CallError, FeedPart, Membership, mark_of};
use crate::delivery_queue::FED;
use crate::outbox::{self, SharedQueue};
use crate::session::{Ending, Session};

/// A feed that lasted this long resets the backoff.
const STABLE: Duration = Duration::from_secs(10);

/// The maximum number of parts that wait to be imported.
const WAITING: usize = 64;

/// Reads and imports the feed until aborted. Resumes at its cursor after a break.
///
/// # Errors
/// The own store failed.
pub(crate) async fn run(session: &Session, queue: SharedQueue) -> Result<(), StoreError> {
    let (parts, received) = mpsc::channel(WAITING);
    tokio::select! {
        () = read(session, &parts) => Ok(()),
        ended = import(session, &queue, received) => ended,
    }
}

/// Reads the feed until aborted.
async fn read(session: &Session, parts: &mpsc::Sender<FeedPart>) {
    let archive = session.archive.as_ref();
    let mut cursor = archive.map_or(0, |archive| archive.fed);
    let mut backoff = Backoff::new();
    loop {
        let registration = session.registration().await;
        let began = Instant::now();
        let mut restored = session.link.restored();
        tokio::select! {
            error = follow(session, registration, &mut cursor, parts) => {
                tracing::debug!(%error, "the record feed broke off");
                session.link.note::<()>(registration, &Err(error));
            }
            // A stream without outgoing data may not notice that its connection broke.
            _ = restored.changed() => continue,
            () = session.link.replaced(registration) => continue,
        }
        if began.elapsed() > STABLE {
            backoff.reset();
        }
        backoff.wait().await;
    }
}

/// Reads the feed until it breaks. The cursor is that of the last part that was passed on.
async fn follow(
    session: &Session,
    registration: Membership,
    cursor: &mut u64,
    parts: &mpsc::Sender<FeedPart>,
) -> CallError {
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
        // Reserved first, so that no await comes between the cursor and the part: no part is repeated or lost.
        let Ok(place) = parts.reserve().await else {
            return CallError::Unreachable("the worker ends".to_owned());
        };
        *cursor = part.cursor;
        place.send(part);
    }
}

/// Imports parts of the feed until aborted, all waiting parts at once.
async fn import(
    session: &Session,
    queue: &SharedQueue,
    mut parts: mpsc::Receiver<FeedPart>,
) -> Result<(), StoreError> {
    let mut waiting = Vec::new();
    while parts.recv_many(&mut waiting, WAITING).await > 0 {
        let mut records = Batch::default();
        let (mut cursor, mut caught_up) = (0, false);
        for part in waiting.drain(..) {
            session.link.marks.note(session.store_epoch, mark_of(&part));
            cursor = part.cursor;
            caught_up |= part.caught_up;
            if !part.block.is_empty()
                && let Err(error) = records.push_block(&part.block, |_| FED)
            {
                // Imported facts only save work, so the worker can go on without them.
                tracing::error!(%error, "a feed block is skipped");
            }
        }
        if !records.is_empty() {
            let records = Arc::new(records);
            if let Some(archive) = &session.archive {
                // Stored before they are imported: searches look up records in the own store.
                keep(session, queue, Arc::clone(&records), cursor).await?;
                archive.note(records.iter().map(|record| record.key));
            }
            let context = Arc::clone(&session.context);
            let imported = tokio::task::spawn_blocking(move || context.import(&records));
            if let Err(error) = imported.await {
                tracing::error!(%error, "feed blocks were not imported");
            }
            session.check_for_fault();
        }
        if caught_up {
            session.context.set_ready();
        }
    }
    Ok(())
}

/// Stores records in the own store. Ends the session if that store failed.
async fn keep(
    session: &Session,
    queue: &SharedQueue,
    records: Arc<Batch>,
    cursor: u64,
) -> Result<(), StoreError> {
    let (context, at) = (Arc::clone(&session.context), session.store_epoch);
    let keeping = outbox::blocking(queue, move |queue| {
        for contradiction in queue.keep_fed(at, &records, cursor)? {
            context.condemn(contradiction);
        }
        Ok(queue.own.is_some())
    });
    if !keeping.await? {
        session.end(Ending::NoStore);
    }
    Ok(())
}
