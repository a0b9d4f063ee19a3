//! The feed of solved records to one worker.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sproutnet_proto::v1::FeedResponse;
use sproutnet_store::{NumberedBlock, Store, StoreError};
use tokio::sync::mpsc;
use tonic::Status;

use super::convert;
use crate::Coordinator;

/// The maximum number of responses that wait for a slow worker.
pub(super) const QUEUE: usize = 8;

/// Sends the blocks above the cursor, or all if it is beyond the end of the store, then new ones, until the receiver is
/// gone, records are revoked, or the store fails. Stores the cursor reached in `fed`.
pub(super) async fn send(
    coordinator: Arc<Coordinator>,
    mut cursor: u64,
    fed: Arc<AtomicU64>,
    sender: mpsc::Sender<Result<FeedResponse, Status>>,
) {
    let mut newest = coordinator.cursor();
    let epoch = coordinator.store().epoch();
    let held = coordinator.store().cursor();
    if cursor > held {
        // The worker's cursor is from a later state of this store, which was restored from a backup.
        cursor = 0;
    }
    loop {
        newest.mark_unchanged();
        // Room in the queue comes first, so that a slow receiver holds up no thread.
        while let Ok(mut room) = sender.reserve_many(QUEUE).await {
            let mut respond = |response| room.next().map(|place| place.send(response));
            if coordinator.store().epoch() != epoch {
                respond(Err(Status::not_found("records were revoked")));
                return;
            }
            let blocks = match read(coordinator.store(), cursor).await {
                Ok(blocks) => blocks,
                Err(status) => {
                    respond(Err(status));
                    return;
                }
            };
            let is_last = blocks.len() < QUEUE;
            let response = |(cursor, block): (u64, Arc<[u8]>)| {
                coordinator.fed.fetch_add(1, Ordering::Relaxed);
                let bytes = block.len() as u64;
                coordinator.fed_bytes.fetch_add(bytes, Ordering::Relaxed);
                let mark = coordinator.store().mark(cursor);
                FeedResponse {
                    block: block.to_vec(),
                    cursor,
                    caught_up: false,
                    timeline: mark.map_or(0, |mark| mark.timeline),
                }
            };
            let mut responses: Vec<FeedResponse> = blocks.into_iter().map(response).collect();
            if is_last && responses.is_empty() {
                responses.push(FeedResponse {
                    cursor,
                    ..FeedResponse::default()
                });
            }
            if let Some(last) = responses.last_mut() {
                // Blocks added since the start do not count: a slow connection may never catch up with them.
                last.caught_up = is_last || last.cursor >= held;
            }
            for response in responses {
                cursor = response.cursor;
                respond(Ok(response));
            }
            fed.store(cursor, Ordering::Relaxed);
            if is_last {
                break;
            }
        }
        tokio::select! {
            changed = newest.changed() => if changed.is_err() { return },
            () = sender.closed() => return,
        }
    }
}

/// The first blocks above a cursor, at most [`QUEUE`]. Blocks that are no longer in memory are read on a thread that
/// may block.
pub(super) async fn read(store: &Store, cursor: u64) -> Result<Vec<NumberedBlock>, Status> {
    if let Some(blocks) = store.newest_after(cursor, QUEUE) {
        return Ok(blocks);
    }
    let store = store.clone();
    let reading = tokio::task::spawn_blocking(move || {
        let shared = |(number, block): (u64, Vec<u8>)| (number, block.into());
        let blocks = store.blocks_after(cursor).take(QUEUE);
        let blocks = blocks.map(|block| block.map(shared));
        blocks.collect::<Result<Vec<_>, StoreError>>()
    });
    match reading.await {
        Ok(read) => read.map_err(|error| convert::status(error.into())),
        Err(error) => Err(Status::internal(error.to_string())),
    }
}
