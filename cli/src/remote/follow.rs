//! The progress of a computation, across broken connections and restarts of the coordinator.

use sproutnet_model::Progress;
use sproutnet_notation::ComputationId;
use sproutnet_proto::v1;
use tonic::Streaming;

use crate::remote::client::Client;
use crate::remote::retry::Retry;

/// The progress of one computation until it ends.
pub(crate) struct Follow {
    client: Client,
    retry: Retry,
    id: ComputationId,
    stream: Option<Streaming<v1::Progress>>,
    has_ended: bool,
}

impl Follow {
    /// Follows a computation.
    pub(crate) fn new(client: Client, retry: Retry, id: ComputationId) -> Self {
        Self {
            client,
            retry,
            id,
            stream: None,
            has_ended: false,
        }
    }

    /// The next progress. `None` after the last progress of an ended computation.
    pub(crate) async fn next(&mut self) -> Result<Option<Progress>, tonic::Status> {
        while !self.has_ended {
            let progress = match &mut self.stream {
                Some(stream) => stream.message().await.map(|next| next.map(Progress::from)),
                None => {
                    let watched = self.retry.call(|| self.client.watch(self.id)).await;
                    watched.map(|(progress, stream)| {
                        self.stream = Some(stream);
                        Some(progress)
                    })
                }
            };
            let error = match progress {
                Ok(Some(progress)) => {
                    self.has_ended = progress.status.has_ended();
                    return Ok(Some(progress));
                }
                // A coordinator that shuts down ends its streams.
                Ok(None) => tonic::Status::unavailable("the coordinator ended the call"),
                Err(error) if self.stream.is_none() => return Err(error),
                Err(error) => error,
            };
            self.stream = None;
            self.retry.broken(error).await?;
        }
        Ok(None)
    }
}
