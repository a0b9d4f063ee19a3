//! Sends blocks to children.

use std::pin::Pin;
use std::sync::Arc;

use sproutnet_notation::Epoch;
use sproutnet_proto::v1;
use sproutnet_proto::v1::relay_service_server::{RelayService, RelayServiceServer};
use tokio::sync::{Semaphore, mpsc};
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::service::Routes;
use tonic::{Request, Response, Status};

use super::window::Window;
use crate::client::StoreEpoch;

/// Simultaneous streams. The coordinator gives a relay fewer children; some may be about to leave.
const MOST_CHILDREN: usize = 64;

/// Blocks that may wait for a slow child.
const QUEUE: usize = 8;

type Responses = Pin<Box<dyn Stream<Item = Result<v1::RelayResponse, Status>> + Send>>;

/// The service that sends what is in a window.
pub(super) fn routes(window: &Arc<Window>) -> Routes {
    let service = Service {
        window: Arc::clone(window),
        places: Arc::new(Semaphore::new(MOST_CHILDREN)),
    };
    Routes::new(RelayServiceServer::new(service))
}

struct Service {
    window: Arc<Window>,
    places: Arc<Semaphore>,
}

#[tonic::async_trait]
impl RelayService for Service {
    type RelayStream = Responses;

    async fn relay(
        &self,
        request: Request<v1::RelayRequest>,
    ) -> Result<Response<Responses>, Status> {
        let v1::RelayRequest {
            store,
            epoch,
            cursor,
        } = request.into_inner();
        let epoch = Epoch(epoch);
        let at = StoreEpoch { store, epoch };
        let place = Arc::clone(&self.places).try_acquire_owned();
        let place = place.map_err(|_| Status::resource_exhausted("too many children"))?;
        if self.window.above(at, cursor, 0).is_none() {
            return Err(other_epoch());
        }
        let (sender, receiver) = mpsc::channel(QUEUE);
        let window = Arc::clone(&self.window);
        tokio::spawn(async move {
            send(&window, at, cursor, sender).await;
            drop(place);
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }
}

fn other_epoch() -> Status {
    Status::failed_precondition("this relay is in another store or epoch")
}

/// Sends the blocks above a cursor until the child is gone or the window is of another epoch.
async fn send(
    window: &Window,
    at: StoreEpoch,
    mut cursor: u64,
    sender: mpsc::Sender<Result<v1::RelayResponse, Status>>,
) {
    let mut changes = window.changes();
    loop {
        changes.mark_unchanged();
        let Ok(room) = sender.reserve_many(QUEUE).await else {
            return;
        };
        let Some(blocks) = window.above(at, cursor, QUEUE) else {
            drop(room);
            // The child may be gone.
            let _ = sender.send(Err(other_epoch())).await;
            return;
        };
        let is_last = blocks.len() < QUEUE;
        for (place, (number, block)) in room.zip(blocks) {
            cursor = number;
            let block = block.to_vec();
            place.send(Ok(v1::RelayResponse { cursor, block }));
        }
        if is_last {
            tokio::select! {
                changed = changes.changed() => if changed.is_err() { return },
                () = sender.closed() => return,
            }
        }
    }
}
