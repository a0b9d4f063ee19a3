//! The content of the store: results, blocks of records, and the sources that the records name for an export; with all
//! other documents for a backup.

use std::sync::Arc;
use std::time::Duration;

use sproutnet_notation::Epoch;
use sproutnet_proto::v1;
use sproutnet_proto::v1::export_response::Part;
use sproutnet_store::transfer::{RESULTS, REVOCATION, SOURCES, is_of_one_store};
use sproutnet_store::{Mark, Store, StoreError};
use sproutnet_transport::caller;
use tokio::sync::mpsc;
use tonic::Status;

use super::{convert, feed};
use crate::Coordinator;

/// The maximum number of responses that wait for a slow receiver. It bounds the memory of an export.
pub(super) const QUEUE: usize = 2 * feed::QUEUE;

/// The time without progress after which a receiver is disconnected.
const PATIENCE: Duration = Duration::from_mins(2);

type Sender = mpsc::Sender<Result<v1::ExportResponse, Status>>;

/// What is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// For an export.
    Records,
    /// For a backup.
    Everything,
}

/// Sends the rest of an interrupted export or backup, or everything if this store, in this epoch, does not have its
/// last block. Includes all records that were acknowledged before the call. Notes the end of a backup by the present
/// caller.
pub(super) async fn send(
    coordinator: Arc<Coordinator>,
    content: Content,
    from: v1::ExportRequest,
    sender: Sender,
) {
    if let Err(status) = try_send(&coordinator, content, &from, &sender).await {
        // This fails if the receiver is gone.
        let _ = tokio::time::timeout(PATIENCE, sender.send(Err(status))).await;
    }
}

async fn try_send(
    coordinator: &Coordinator,
    content: Content,
    from: &v1::ExportRequest,
    sender: &Sender,
) -> Result<(), Status> {
    let store = coordinator.store();
    let (epoch, newest) = (store.epoch(), store.cursor());
    let resumes = (from.store, from.epoch) == (store.id(), epoch.into()) && has(store, from);
    let mut cursor = if resumes { from.cursor } else { 0 };
    let begin = v1::ExportBegin {
        store: store.id(),
        epoch: epoch.into(),
        cursor,
        newest,
        encodings: sproutnet_game::encodings()
            .into_iter()
            .map(Into::into)
            .collect(),
    };
    respond(sender, Part::Begin(begin)).await?;
    // First, so that the records that prove the results follow. In the order of names, computations precede the results
    // of those that are solved.
    let first = match content {
        Content::Records => RESULTS,
        Content::Everything => "",
    };
    documents(coordinator, first, sender).await?;
    loop {
        let before = store.cursor();
        let blocks = feed::read(store, cursor).await?;
        check_epoch(store, epoch)?;
        // Small blocks are merged into new ones. If the cursor has not moved, no block was missed.
        let is_all = blocks.len() < feed::QUEUE && store.cursor() == before;
        for (number, bytes) in blocks {
            cursor = number;
            let block = v1::NumberedBlock {
                number,
                bytes: bytes.to_vec(),
                timeline: store.mark(number).map_or(0, |mark| mark.timeline),
            };
            respond(sender, Part::Block(block)).await?;
        }
        if is_all {
            break;
        }
    }
    // Last, so that they include all that the records name.
    documents(coordinator, SOURCES, sender).await?;
    check_epoch(store, epoch)?;
    respond(sender, Part::End(v1::ExportEnd { cursor })).await?;
    if content == Content::Everything && is_received(sender).await {
        let now = crate::seconds_since_1970();
        coordinator.backups.note(caller::name(), now);
    }
    Ok(())
}

/// Whether the store had the last block that was received, and lost nothing since. Earlier programs do not tell its
/// timeline: then a lost block is noticed only until another one gets its number.
fn has(store: &Store, from: &v1::ExportRequest) -> bool {
    let v1::ExportRequest {
        timeline, cursor, ..
    } = *from;
    if timeline == 0 {
        return cursor <= store.cursor();
    }
    store.history().has(Mark { timeline, cursor })
}

/// Waits until nothing is left in the queue. Returns whether the receiver took all.
async fn is_received(sender: &Sender) -> bool {
    let emptied = tokio::time::timeout(PATIENCE, sender.reserve_many(QUEUE)).await;
    matches!(emptied, Ok(Ok(_)))
}

/// Checks that no records were revoked since this epoch began, and that none are being revoked: the documents of sources
/// change before the records go.
fn check_epoch(store: &Store, epoch: Epoch) -> Result<(), Status> {
    if store.epoch() != epoch {
        let problem = "records were revoked during the export; it has to start over";
        return Err(Status::aborted(problem));
    }
    match store.get_document(REVOCATION) {
        Ok(None) => Ok(()),
        Ok(Some(_)) => Err(Status::unavailable("records are being revoked")),
        Err(error) => Err(convert::status(error.into())),
    }
}

/// Sends the documents whose names begin with a prefix, in the order of their names, a few at a time.
async fn documents(coordinator: &Coordinator, prefix: &str, sender: &Sender) -> Result<(), Status> {
    let mut documents = coordinator.store().scan_documents(prefix);
    loop {
        let read = tokio::task::spawn_blocking(move || {
            let some = documents.by_ref().filter(is_of_use).take(QUEUE);
            let some: Result<Vec<_>, StoreError> = some.collect();
            (documents, some)
        });
        let (rest, some) = read
            .await
            .map_err(|error| Status::internal(error.to_string()))?;
        let some = some.map_err(|error| convert::status(error.into()))?;
        if some.is_empty() {
            return Ok(());
        }
        for (name, bytes) in some {
            respond(sender, Part::Document(v1::Document { name, bytes })).await?;
        }
        documents = rest;
    }
}

/// Whether a document means something in another store. Errors do, too.
fn is_of_use(document: &Result<(String, Vec<u8>), StoreError>) -> bool {
    document
        .as_ref()
        .map_or(true, |(name, _)| !is_of_one_store(name))
}

/// Sends a part, once there is room in the queue.
async fn respond(sender: &Sender, part: Part) -> Result<(), Status> {
    let response = v1::ExportResponse { part: Some(part) };
    let sent = tokio::time::timeout(PATIENCE, sender.send(Ok(response))).await;
    match sent {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) => Err(Status::cancelled("the receiver is gone")),
        Err(_) => Err(Status::deadline_exceeded("the receiver is too slow")),
    }
}
