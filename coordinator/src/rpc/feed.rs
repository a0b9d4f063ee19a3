//! The feed of solved records to one worker.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use sproutnet_notation::WorkerId;
use sproutnet_proto::v1::{self, FeedResponse};
use sproutnet_store::{NumberedBlock, Store, StoreError};
use tokio::sync::mpsc;
use tonic::Status;

use super::convert;
use crate::Coordinator;
use crate::feed_log::{Counts, FeedBlock};
use crate::scheduler::fleet::{OpenFeed, Parent};

/// Responses that may wait for a slow worker.
pub(super) const QUEUE: usize = 8;

/// The size at which an answer with blocks is full, in bytes.
const MESSAGE_BYTES: usize = 1 << 20;

/// Where a feed sends its responses, and where they come out.
type Sender = mpsc::Sender<Result<FeedResponse, Status>>;
type Receiver = mpsc::Receiver<Result<FeedResponse, Status>>;

/// A channel for a feed: a queue, and a place to tell the worker its parent.
pub(super) fn channel() -> (Sender, Receiver) {
    mpsc::channel(QUEUE + 1)
}

/// Blocks to send.
enum Blocks {
    /// Newest blocks: a parent has them, too.
    New(Vec<Arc<FeedBlock>>),
    /// Blocks from the store.
    Old(Vec<NumberedBlock>),
}

impl Blocks {
    fn len(&self) -> usize {
        match self {
            Self::New(blocks) => blocks.len(),
            Self::Old(blocks) => blocks.len(),
        }
    }

    /// The responses that send them: new ones as digests if a parent sends them.
    fn responses(&self, counts: &Counts, has_parent: bool) -> Vec<FeedResponse> {
        let whole = |number: u64, bytes: &Arc<[u8]>| {
            Counts::count(&counts.blocks, &counts.block_bytes, bytes.len());
            FeedResponse {
                block: bytes.to_vec(),
                cursor: number,
                ..FeedResponse::default()
            }
        };
        match self {
            Self::New(blocks) if has_parent => {
                let digest = |block: &Arc<FeedBlock>| FeedResponse {
                    cursor: block.number,
                    digest: Some(v1::Digest {
                        sha256: block.digest().to_vec(),
                        length: block.bytes.len() as u32,
                    }),
                    ..FeedResponse::default()
                };
                counts
                    .digests
                    .fetch_add(blocks.len() as u64, Ordering::Relaxed);
                blocks.iter().map(digest).collect()
            }
            Self::New(blocks) => {
                let blocks = blocks.iter();
                blocks
                    .map(|block| whole(block.number, &block.bytes))
                    .collect()
            }
            Self::Old(blocks) => {
                let blocks = blocks.iter();
                blocks
                    .map(|(number, bytes)| whole(*number, bytes))
                    .collect()
            }
        }
    }
}

/// Sends what is above the cursor, then what is added, until the receiver is gone or the store
/// fails. Notes in `fed` how far it has come. While the worker has a parent, sends digests of new blocks.
pub(super) async fn send(
    coordinator: Arc<Coordinator>,
    mut cursor: u64,
    feed: OpenFeed,
    sender: Sender,
) {
    let OpenFeed {
        fed,
        caught_up,
        mut parent,
        ..
    } = feed;
    let mut told: Option<Parent> = None;
    let mut newest = coordinator.cursor();
    let epoch = coordinator.store().epoch();
    let held = coordinator.store().cursor();
    loop {
        newest.mark_unchanged();
        // Room in the queue comes first, so that a slow receiver holds up no thread.
        while let Ok(mut room) = sender.reserve_many(QUEUE + 1).await {
            let mut respond = |response| room.next().map(|place| place.send(response));
            if coordinator.store().epoch() != epoch {
                respond(Err(Status::not_found("records were revoked")));
                return;
            }
            let now = parent.borrow_and_update().clone();
            if now != told {
                told = now;
                respond(Ok(FeedResponse {
                    cursor,
                    parent: Some(parent_to_wire(told.as_ref())),
                    ..FeedResponse::default()
                }));
            }
            let blocks = match above(&coordinator, cursor).await {
                Ok(blocks) => blocks,
                Err(status) => {
                    respond(Err(status));
                    return;
                }
            };
            let is_last = blocks.len() < QUEUE;
            let counts = &coordinator.feed_log.counts;
            let mut responses = blocks.responses(counts, told.is_some());
            if is_last && responses.is_empty() {
                responses.push(FeedResponse {
                    cursor,
                    ..FeedResponse::default()
                });
            }
            if let Some(last) = responses.last_mut() {
                // What is added meanwhile does not count: a slow connection may never carry all of it.
                last.caught_up = is_last || last.cursor >= held;
            }
            for response in responses {
                cursor = response.cursor;
                respond(Ok(response));
            }
            fed.store(cursor, Ordering::Relaxed);
            if is_last {
                caught_up.store(true, Ordering::Relaxed);
                break;
            }
        }
        tokio::select! {
            changed = newest.changed() => if changed.is_err() { return },
            // The sender is gone when the worker is forgotten: its next call says so.
            Ok(()) = parent.changed() => {}
            () = sender.closed() => return,
        }
    }
}

/// The first blocks above a cursor, a queue full at most.
async fn above(coordinator: &Coordinator, cursor: u64) -> Result<Blocks, Status> {
    let store = coordinator.store();
    match coordinator.feed_log.above(store, cursor, QUEUE) {
        Some(blocks) => Ok(Blocks::New(blocks)),
        None => read(store, cursor).await.map(Blocks::Old),
    }
}

fn parent_to_wire(parent: Option<&Parent>) -> v1::Parent {
    parent.map_or_else(v1::Parent::default, |parent| v1::Parent {
        worker: parent.worker.0,
        url: parent.url.as_ref().to_owned(),
        depth: parent.depth,
    })
}

/// The first blocks above a cursor, a queue full at most. Those that are not in memory any more are
/// read by a thread that may block.
pub(super) async fn read(store: &Store, cursor: u64) -> Result<Vec<NumberedBlock>, Status> {
    if let Some(blocks) = store.newest_after(cursor, QUEUE) {
        return Ok(blocks);
    }
    blocking(store, move |store| {
        let shared = |(number, block): (u64, Vec<u8>)| (number, block.into());
        let blocks = store.blocks_after(cursor).take(QUEUE);
        blocks.map(|block| block.map(shared)).collect()
    })
    .await
}

/// The first of the blocks with those numbers, as many as a message takes. No bytes for a block that the
/// store no longer has: it became part of a later one.
pub(super) async fn fetch(
    coordinator: &Coordinator,
    worker: WorkerId,
    numbers: Vec<u64>,
) -> Result<Vec<v1::Fetched>, Status> {
    let mut fetched = Vec::new();
    let mut bytes = 0;
    let epoch = coordinator.store().epoch();
    for cursor in numbers {
        let block: Arc<[u8]> = match coordinator.feed_log.get(epoch, cursor) {
            Some(block) => Arc::clone(&block.bytes),
            None => one(coordinator.store(), cursor).await?.into(),
        };
        tracing::trace!(%worker, cursor, "a block is fetched");
        let counts = &coordinator.feed_log.counts;
        Counts::count(&counts.fetched, &counts.fetched_bytes, block.len());
        bytes += block.len();
        let block = block.to_vec();
        fetched.push(v1::Fetched { cursor, block });
        if bytes >= MESSAGE_BYTES {
            break;
        }
    }
    Ok(fetched)
}

/// The block with that number, or no bytes.
async fn one(store: &Store, number: u64) -> Result<Vec<u8>, Status> {
    let Some(before) = number.checked_sub(1) else {
        return Ok(Vec::new());
    };
    blocking(store, move |store| {
        let next = store.blocks_after(before).next().transpose()?;
        let is_it = next.filter(|(found, _)| *found == number);
        Ok(is_it.map_or_else(Vec::new, |(_, block)| block))
    })
    .await
}

/// Reads from the store on a thread that may block.
async fn blocking<T: Send + 'static>(
    store: &Store,
    read: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, Status> {
    let store = store.clone();
    match tokio::task::spawn_blocking(move || read(&store)).await {
        Ok(read) => read.map_err(|error| convert::status(error.into())),
        Err(error) => Err(Status::internal(error.to_string())),
    }
}
