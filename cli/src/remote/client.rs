//! Calls to a coordinator, with deadlines.

use std::error::Error;
use std::time::Duration;

use sproutnet_model::{
    Answer, Computation, Explanation, Fleet, Line, Progress, RecordSource, TableEntry, Verdict,
};
use sproutnet_notation::{ComputationId, Play};
use sproutnet_proto::LARGEST_MESSAGE;
use sproutnet_proto::convert;
use sproutnet_proto::v1;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_store::transfer::{Imported, MirrorCursor};
use sproutnet_transport::connect::{Connection, is_refused_by_tls};
use tokio_stream::Stream;
use tonic::{Code, Response, Result, Status, Streaming};

/// The deadline of a call, and of the first answer of a stream.
pub(crate) const LONGEST_CALL: Duration = Duration::from_secs(30);

/// Makes calls to a coordinator. A call without an answer fails after [`LONGEST_CALL`], except [`Self::revoke`].
#[derive(Clone)]
pub(crate) struct Client(ClientServiceClient<Connection>);

impl Client {
    /// Calls over a connection.
    pub(crate) fn new(connection: Connection) -> Self {
        Self(ClientServiceClient::new(connection).max_decoding_message_size(LARGEST_MESSAGE))
    }

    /// Starts a computation, joins it, or finds its result.
    pub(crate) async fn start(&self, request: v1::StartRequest) -> Result<v1::StartResponse> {
        answered(self.0.clone().start(request)).await
    }

    /// The running and the most recently ended computations, oldest first.
    pub(crate) async fn list(&self) -> Result<Vec<Computation>> {
        let response = answered(self.0.clone().list(v1::ListRequest {})).await?;
        Ok(response.computations.into_iter().map(Into::into).collect())
    }

    /// A computation's current progress, and a stream of updates.
    pub(crate) async fn watch(
        &self,
        id: ComputationId,
    ) -> Result<(Progress, Streaming<v1::Progress>)> {
        let request = v1::WatchRequest { computation: id.0 };
        let mut client = self.0.clone();
        in_time(async {
            let mut stream = client.watch(request).await?.into_inner();
            match stream.message().await? {
                Some(progress) => Ok((progress.into(), stream)),
                None => Err(Status::unavailable("the coordinator ended the call")),
            }
        })
        .await
    }

    /// Why a computation is not finished.
    pub(crate) async fn explain(&self, id: ComputationId) -> Result<Explanation> {
        let request = v1::ExplainRequest { computation: id.0 };
        let explained = answered(self.0.clone().explain(request)).await?;
        Ok(explained.into())
    }

    /// Pauses a computation.
    pub(crate) async fn pause(&self, id: ComputationId) -> Result<()> {
        let request = v1::PauseRequest { computation: id.0 };
        answered(self.0.clone().pause(request)).await.map(drop)
    }

    /// Resumes a computation.
    pub(crate) async fn resume(&self, id: ComputationId) -> Result<()> {
        let request = v1::ResumeRequest { computation: id.0 };
        answered(self.0.clone().resume(request)).await.map(drop)
    }

    /// Changes the weight of a computation.
    pub(crate) async fn set_weight(&self, id: ComputationId, weight: u32) -> Result<()> {
        let request = v1::SetWeightRequest {
            computation: id.0,
            weight,
        };
        answered(self.0.clone().set_weight(request)).await.map(drop)
    }

    /// Cancels a computation.
    pub(crate) async fn cancel(&self, id: ComputationId) -> Result<()> {
        let request = v1::CancelRequest { computation: id.0 };
        answered(self.0.clone().cancel(request)).await.map(drop)
    }

    /// The known outcomes of a position and its moves.
    pub(crate) async fn query(&self, request: v1::QueryRequest) -> Result<(Answer, Vec<Verdict>)> {
        answered(self.0.clone().query(request))
            .await
            .map(Into::into)
    }

    /// A line of play from a position.
    pub(crate) async fn line(&self, request: v1::LineRequest) -> Result<Line> {
        let play = convert::play(request.play).unwrap_or(Play::Normal);
        let response = answered(self.0.clone().line(request)).await?;
        Ok(convert::line(response, play))
    }

    /// The outcomes of a game's start positions.
    pub(crate) async fn table(&self, request: v1::TableRequest) -> Result<Vec<TableEntry>> {
        let response = answered(self.0.clone().table(request)).await?;
        Ok(response.entries.into_iter().map(Into::into).collect())
    }

    /// Sends a certificate; returns its proved claim after the check.
    pub(crate) async fn verify(
        &self,
        pieces: impl Stream<Item = v1::VerifyRequest> + Send + 'static,
    ) -> Result<v1::VerifyResponse> {
        let mut client = self.0.clone();
        only(in_time(client.verify(pieces)).await?).await
    }

    /// The state of the coordinator and its workers.
    pub(crate) async fn fleet(&self) -> Result<Fleet> {
        let response = answered(self.0.clone().fleet(v1::FleetRequest {})).await?;
        Ok(response.into())
    }

    /// All workers that ever reported records, oldest first.
    pub(crate) async fn sources(&self) -> Result<Vec<RecordSource>> {
        let response = answered(self.0.clone().sources(v1::SourcesRequest {})).await?;
        Ok(response.sources.into_iter().map(Into::into).collect())
    }

    /// The records of a worker.
    pub(crate) async fn records(&self, source: String) -> Result<Streaming<v1::RecordsResponse>> {
        answered(self.0.clone().records(v1::RecordsRequest { source })).await
    }

    /// Sends an export to be imported. This has no deadline once the call has begun.
    pub(crate) async fn import(
        &self,
        pieces: impl Stream<Item = v1::ImportRequest> + Send + 'static,
    ) -> Result<Imported> {
        let mut client = self.0.clone();
        let response = only(in_time(client.import(pieces)).await?).await?;
        Ok(Imported {
            store: response.store,
            records: response.records,
            new: response.new,
            impossible: response.impossible,
            results: response.results,
            new_results: response.new_results,
            resumed_at: 0,
        })
    }

    /// The content of the store after `from`, for an export.
    pub(crate) async fn export(&self, from: MirrorCursor) -> Result<Streaming<v1::ExportResponse>> {
        answered(self.0.clone().export(request_from(from))).await
    }

    /// The content of the store after `from`, for a backup.
    pub(crate) async fn backup(&self, from: MirrorCursor) -> Result<Streaming<v1::ExportResponse>> {
        answered(self.0.clone().backup(request_from(from))).await
    }

    /// Quarantines a worker and revokes the records that may depend on it. This has no deadline.
    pub(crate) async fn revoke(&self, source: String) -> Result<RecordSource> {
        let request = v1::RevokeRequest { source };
        let response = self.0.clone().revoke(request).await?.into_inner();
        response
            .source
            .map(Into::into)
            .ok_or_else(|| Status::internal("no worker in the answer"))
    }
}

async fn answered<T>(call: impl Future<Output = Result<Response<T>>>) -> Result<T> {
    in_time(call).await.map(Response::into_inner)
}

async fn in_time<T>(call: impl Future<Output = Result<T>>) -> Result<T> {
    let late = |_| {
        let seconds = LONGEST_CALL.as_secs();
        Status::deadline_exceeded(format!(
            "no answer from the coordinator in {seconds} seconds"
        ))
    };
    tokio::time::timeout(LONGEST_CALL, call)
        .await
        .map_err(late)?
}

/// Whether a call failed because the coordinator is unreachable, which may be temporary.
pub(crate) fn is_gone(status: &Status) -> bool {
    // Only local errors have a source; a coordinator's own refusals have none.
    (status.code() == Code::Unavailable || status.source().is_some()) && !is_refused_by_tls(status)
}

/// Describes a failed call. The message of a local error names its causes and what may help.
pub(crate) fn explain(status: &Status) -> String {
    if status.code() == Code::Unimplemented {
        return "the coordinator does not support this call; it may be an older version".to_owned();
    }
    status.message().to_owned()
}

/// The only message of a stream.
async fn only<T>(responses: Response<Streaming<T>>) -> Result<T> {
    let message = responses.into_inner().message().await?;
    message.ok_or_else(|| Status::unavailable("the coordinator ended the call"))
}

fn request_from(from: MirrorCursor) -> v1::ExportRequest {
    v1::ExportRequest {
        store: from.store,
        epoch: from.epoch,
        cursor: from.cursor,
        timeline: from.timeline,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_connection_is_told_in_the_words_of_the_transport() {
        let text = "cannot reach https://h:7350: connection closed; write https://";
        let mut status = Status::unavailable(text);
        status.set_source(std::sync::Arc::new(Status::unknown("transport error")));
        assert_eq!(explain(&status), text);
    }
}
