//! The stream of blocks from a parent.

use std::time::Duration;

use sproutnet_notation::WorkerId;
use sproutnet_proto::LARGEST_MESSAGE;
use sproutnet_proto::v1;
use sproutnet_proto::v1::relay_service_client::RelayServiceClient;
use sproutnet_transport::connect::Connection;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_stream::StreamExt;
use tonic::Status;

use crate::client::{CallError, ParentAddress, StoreEpoch};
use crate::relay::{RelayError, Relaying};

/// How long a parent may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Blocks that may wait to be put in their places.
const QUEUE: usize = 16;

/// What a parent sends.
#[derive(Debug)]
pub(super) enum Sent {
    /// A block and its cursor.
    Block(u64, Vec<u8>),
    /// Nothing more, for this reason.
    End(String),
}

/// A parent and its stream. Dropping it ends the stream.
pub(super) struct Parent {
    pub(super) worker: WorkerId,
    pub(super) url: String,
    sent: mpsc::Receiver<Sent>,
    _task: JoinSet<()>,
}

impl Parent {
    /// Connects to a parent, and asks for blocks above a cursor.
    pub(super) fn follow(
        address: ParentAddress,
        relaying: &Relaying,
        coordinator: &str,
        at: StoreEpoch,
        cursor: u64,
    ) -> Self {
        let ParentAddress { worker, url, .. } = address;
        let connection = relaying.connect(&url, coordinator);
        let (sender, sent) = mpsc::channel(QUEUE);
        let mut task = JoinSet::new();
        task.spawn(async move {
            let why = read(connection, at, cursor, &sender).await;
            // The child may not listen any more.
            let _ = sender.send(Sent::End(why)).await;
        });
        Self {
            worker,
            url,
            sent,
            _task: task,
        }
    }

    /// What the parent sends next.
    pub(super) async fn next(&mut self) -> Sent {
        let ended = || Sent::End("it sends nothing more".to_owned());
        self.sent.recv().await.unwrap_or_else(ended)
    }

    /// The same, if it is here already.
    pub(super) fn try_next(&mut self) -> Option<Sent> {
        self.sent.try_recv().ok()
    }
}

/// Passes on what a parent sends until it ends. Returns why.
async fn read(
    connection: Result<Connection, RelayError>,
    at: StoreEpoch,
    cursor: u64,
    sender: &mpsc::Sender<Sent>,
) -> String {
    let connection = match connection {
        Ok(connection) => connection,
        Err(error) => return error.to_string(),
    };
    let mut calls = RelayServiceClient::new(connection).max_decoding_message_size(LARGEST_MESSAGE);
    let request = v1::RelayRequest {
        store: at.store,
        epoch: at.epoch.0,
        cursor,
    };
    let why = |status: Status| CallError::from(status).to_string();
    let mut blocks = match tokio::time::timeout(PATIENCE, calls.relay(request)).await {
        Ok(Ok(answer)) => answer.into_inner(),
        Ok(Err(status)) => return why(status),
        Err(_) => return format!("no answer within {PATIENCE:?}"),
    };
    loop {
        match blocks.next().await {
            Some(Ok(v1::RelayResponse { cursor, block })) => {
                if sender.send(Sent::Block(cursor, block)).await.is_err() {
                    return "nobody listens".to_owned();
                }
            }
            Some(Err(status)) => return why(status),
            None => return "it ended the stream".to_owned(),
        }
    }
}
