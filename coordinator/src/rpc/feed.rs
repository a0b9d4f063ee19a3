//! The feed of solved records to one worker.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sproutnet_proto::v1::FeedResponse;
use sproutnet_store::{NumberedBlock, Store, StoreError};
use tokio::sync::mpsc;
use tonic::Status;

use super::convert;
use crate::Coordinator;

/// Responses that may wait for a slow worker.
pub(super) const QUEUE: usize = 8;

/// Sends what is above the cursor, then what is added, until the receiver is gone or the store
/// fails. Notes in `fed` how far it has come.
pub(super) async fn send(
    coordinator: Arc<Coordinator>,
    mut cursor: u64,
    fed: Arc<AtomicU64>,
    sender: mpsc::Sender<Result<FeedResponse, Status>>,
) {
    let mut newest = coordinator.cursor();
    let epoch = coordinator.store().epoch();
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
            for (number, block) in blocks {
                cursor = number;
                respond(Ok(FeedResponse {
                    block: block.to_vec(),
                    cursor,
                    caught_up: false,
                }));
            }
            fed.store(cursor, Ordering::Relaxed);
            if is_last {
                respond(Ok(FeedResponse {
                    block: Vec::new(),
                    cursor,
                    caught_up: true,
                }));
                break;
            }
        }
        tokio::select! {
            changed = newest.changed() => if changed.is_err() { return },
            () = sender.closed() => return,
        }
    }
}

/// The first blocks above a cursor, a queue full at most. Those that are not in memory any more are
/// read by a thread that may block.
pub(super) async fn read(store: &Store, cursor: u64) -> Result<Vec<NumberedBlock>, Status> {
    if let Some(blocks) = store.newest_after(cursor, QUEUE) {
        return Ok(blocks);
    }
    let store = store.clone();
    let shared = |(number, block): (u64, Vec<u8>)| (number, block.into());
    let read = move || -> Result<Vec<_>, StoreError> {
        let blocks = store.blocks_after(cursor).take(QUEUE);
        blocks.map(|block| block.map(shared)).collect()
    };
    match tokio::task::spawn_blocking(read).await {
        Ok(blocks) => blocks.map_err(|error| convert::status(error.into())),
        Err(error) => Err(Status::internal(error.to_string())),
    }
}
