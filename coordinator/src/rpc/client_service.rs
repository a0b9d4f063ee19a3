//! The service for clients.

use std::io::BufReader;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_certificate::Progress;
use sproutnet_model::Explanation;
use sproutnet_notation::{ComputationId, SourceId};
use sproutnet_proto::v1;
use sproutnet_proto::v1::client_service_server::ClientService;
use sproutnet_solver::play::Play;
use sproutnet_transport::caller;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::{Stream, StreamExt};
use tonic::{Request, Response, Status, Streaming};

use super::export::Content;
use super::pieces::{PATIENCE, Pieces};
use super::upload::Limits;
use super::{Responses, RpcResult, call, convert, export, upload};
use crate::following::until_ended;
use crate::{Computations, Coordinator, CoordinatorError, Start};

/// The minimum time between two messages of a watch, unless the computation ends.
const PACE: Duration = Duration::from_millis(100);

/// The number of records in a message, and the maximum number of messages that wait for a slow receiver.
const RECORDS_IN_A_MESSAGE: usize = 500;
const RECORDS_QUEUE: usize = 4;

pub(super) struct Service {
    pub(super) coordinator: Arc<Coordinator>,
    pub(super) ending: watch::Receiver<bool>,
}

impl Service {
    async fn call<T: Send + 'static>(
        &self,
        act: impl FnOnce(&Coordinator, Instant) -> Result<T, CoordinatorError> + Send + 'static,
    ) -> Result<T, Status> {
        call(&self.coordinator, act).await
    }

    async fn change(
        &self,
        id: u64,
        change: fn(&Computations, ComputationId, Instant) -> Result<(), CoordinatorError>,
    ) -> Result<(), Status> {
        let act = move |c: &Coordinator, now| change(&c.computations, id.into(), now);
        self.call(act).await
    }

    /// Works on a file that arrives in pieces. The call is answered at once, so that no deadline limits the work.
    fn upload<R: Send + 'static>(
        &self,
        pieces: impl Stream<Item = Result<Vec<u8>, Status>> + Send + 'static,
        limits: Limits,
        work: impl FnOnce(&Coordinator, BufReader<Pieces>, &Progress) -> Result<R, CoordinatorError>
        + Send
        + 'static,
    ) -> Response<Responses<R>> {
        let coordinator = Arc::clone(&self.coordinator);
        let (sender, response) = mpsc::channel(1);
        let ended = super::ended(self.ending.clone());
        let answer = upload::answer(coordinator, pieces, limits, work, sender, ended);
        tokio::spawn(caller::in_name_of(caller::present(), answer));
        Response::new(Box::pin(ReceiverStream::new(response)))
    }

    /// Streams the content of the store.
    fn content(
        &self,
        content: Content,
        from: v1::ExportRequest,
    ) -> Response<Responses<v1::ExportResponse>> {
        let (sender, receiver) = mpsc::channel(export::QUEUE);
        let coordinator = Arc::clone(&self.coordinator);
        let ended = super::ended(self.ending.clone());
        let sending = async move {
            tokio::select! {
                () = export::send(coordinator, content, from, sender) => {}
                () = ended => {}
            }
        };
        tokio::spawn(caller::in_name_of(caller::present(), sending));
        Response::new(Box::pin(ReceiverStream::new(receiver)))
    }
}

#[tonic::async_trait]
impl ClientService for Service {
    async fn start(&self, request: Request<v1::StartRequest>) -> RpcResult<v1::StartResponse> {
        let request = request.into_inner();
        let play = convert::play_from(request.play)?;
        let deadline = Some(request.deadline_ms).filter(|&ms| ms > 0);
        let start = move |coordinator: &Coordinator, now| {
            let start = Start {
                position: &request.position,
                play,
                nimber: request.nimber,
                deadline: deadline.map(Duration::from_millis),
                priority: request.priority,
                weight: request.weight,
                owner: &request.owner,
                label: &request.label,
            };
            coordinator.computations.start(&start, now)
        };
        let (computation, canonical) = self.call(start).await?;
        Ok(Response::new(v1::StartResponse {
            computation: computation.0,
            canonical,
        }))
    }

    async fn list(&self, _: Request<v1::ListRequest>) -> RpcResult<v1::ListResponse> {
        let listed = self
            .call(|coordinator, now| Ok(coordinator.computations.list(now)))
            .await?;
        let computations = listed.into_iter().map(Into::into).collect();
        Ok(Response::new(v1::ListResponse { computations }))
    }

    type WatchStream = Responses<v1::Progress>;

    async fn watch(&self, request: Request<v1::WatchRequest>) -> RpcResult<Self::WatchStream> {
        let computation = ComputationId(request.into_inner().computation);
        let progress = self
            .call(move |c, _| c.computations.watch(computation))
            .await?;
        let ended = super::ended(self.ending.clone());
        let progress = until_ended(progress, PACE, ended);
        let progress = progress.map(|progress| Ok(progress.into()));
        Ok(Response::new(Box::pin(progress)))
    }

    async fn explain(
        &self,
        request: Request<v1::ExplainRequest>,
    ) -> RpcResult<v1::ExplainResponse> {
        let computation = ComputationId(request.into_inner().computation);
        let detail = self.call(move |c, now| c.computations.detail(computation, now));
        Ok(Response::new(Explanation::from(detail.await?).into()))
    }

    async fn pause(&self, request: Request<v1::PauseRequest>) -> RpcResult<v1::PauseResponse> {
        let id = request.into_inner().computation;
        self.change(id, Computations::pause).await?;
        Ok(Response::new(v1::PauseResponse {}))
    }

    async fn resume(&self, request: Request<v1::ResumeRequest>) -> RpcResult<v1::ResumeResponse> {
        let id = request.into_inner().computation;
        self.change(id, Computations::resume).await?;
        Ok(Response::new(v1::ResumeResponse {}))
    }

    async fn set_weight(
        &self,
        request: Request<v1::SetWeightRequest>,
    ) -> RpcResult<v1::SetWeightResponse> {
        let v1::SetWeightRequest {
            computation,
            weight,
        } = request.into_inner();
        let change = move |coordinator: &Coordinator, now| {
            let computations = &coordinator.computations;
            computations.set_weight(computation.into(), weight, now)
        };
        self.call(change).await?;
        Ok(Response::new(v1::SetWeightResponse {}))
    }

    async fn cancel(&self, request: Request<v1::CancelRequest>) -> RpcResult<v1::CancelResponse> {
        let id = request.into_inner().computation;
        self.change(id, Computations::cancel).await?;
        Ok(Response::new(v1::CancelResponse {}))
    }

    async fn query(&self, request: Request<v1::QueryRequest>) -> RpcResult<v1::QueryResponse> {
        let request = request.into_inner();
        let play = match request.play {
            0 => Play::Normal,
            play => convert::play_from(play)?,
        };
        let within = Duration::from_millis(request.within_ms.into());
        let look = move |coordinator: &Coordinator, _| {
            let queries = &coordinator.queries;
            let lookup = queries.lookup_text(&request.position)?;
            let until = queries.until(within);
            let answer = queries.answer(&lookup, until)?;
            let moves = if request.moves {
                queries.moves(&lookup, &answer, play, until)?
            } else {
                Vec::new()
            };
            Ok((answer, moves))
        };
        let (answer, moves) = self.call(look).await?;
        Ok(Response::new((answer, moves).into()))
    }

    async fn line(&self, request: Request<v1::LineRequest>) -> RpcResult<v1::LineResponse> {
        let request = request.into_inner();
        let play = convert::play_from(request.play)?;
        let within = Duration::from_millis(request.within_ms.into());
        let line = self.call(move |coordinator, _| {
            let queries = &coordinator.queries;
            let lookup = queries.lookup_text(&request.position)?;
            let until = queries.until(within);
            let answer = queries.answer(&lookup, until)?;
            queries.line(&lookup, &answer, play, until)
        });
        Ok(Response::new(line.await?.into()))
    }

    type VerifyStream = Responses<v1::VerifyResponse>;

    async fn verify(
        &self,
        request: Request<Streaming<v1::VerifyRequest>>,
    ) -> RpcResult<Self::VerifyStream> {
        let limit = self.coordinator.config().verify_limit;
        let limits = Limits {
            time: limit,
            patience: limit.and(Some(PATIENCE)),
        };
        let pieces = request.into_inner().map(|piece| Ok(piece?.data));
        let check = |coordinator: &Coordinator, certificate, progress: &Progress| {
            let verified = coordinator.certificates.verify(certificate, progress)?;
            Ok(convert::verified(verified))
        };
        Ok(self.upload(pieces, limits, check))
    }

    type ImportStream = Responses<v1::ImportResponse>;

    async fn import(
        &self,
        request: Request<Streaming<v1::ImportRequest>>,
    ) -> RpcResult<Self::ImportStream> {
        let limits = Limits {
            time: None,
            patience: Some(PATIENCE),
        };
        let pieces = request.into_inner().map(|piece| Ok(piece?.data));
        let import = |coordinator: &Coordinator, file, progress: &Progress| {
            let imported = coordinator.imports.import(file, progress)?;
            Ok(convert::imported(&imported))
        };
        Ok(self.upload(pieces, limits, import))
    }

    async fn table(&self, request: Request<v1::TableRequest>) -> RpcResult<v1::TableResponse> {
        let v1::TableRequest {
            mut game,
            within_ms,
        } = request.into_inner();
        if game.is_empty() {
            "sprouts".clone_into(&mut game);
        }
        let look = move |coordinator: &Coordinator, _| {
            let queries = &coordinator.queries;
            queries.table(
                &game,
                queries.until(Duration::from_millis(within_ms.into())),
            )
        };
        let (table, _) = self.call(look).await?;
        let entries = table.into_iter().map(Into::into).collect();
        Ok(Response::new(v1::TableResponse { entries }))
    }

    async fn fleet(&self, _: Request<v1::FleetRequest>) -> RpcResult<v1::FleetResponse> {
        let state = self.call(Coordinator::state).await?;
        Ok(Response::new(state.fleet().into()))
    }

    async fn sources(&self, _: Request<v1::SourcesRequest>) -> RpcResult<v1::SourcesResponse> {
        let sources = self.call(|c, _| c.sources.list()).await?;
        let sources = sources.into_iter().map(Into::into).collect();
        Ok(Response::new(v1::SourcesResponse { sources }))
    }

    type RecordsStream = Responses<v1::RecordsResponse>;

    async fn records(
        &self,
        request: Request<v1::RecordsRequest>,
    ) -> RpcResult<Self::RecordsStream> {
        let named = request.into_inner().source;
        let source = self.call(move |c, _| c.sources.named(&named)).await?;
        let (sender, receiver) = mpsc::channel(RECORDS_QUEUE);
        let coordinator = Arc::clone(&self.coordinator);
        tokio::task::spawn_blocking(move || send_records(&coordinator, source, &sender));
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }

    type ExportStream = Responses<v1::ExportResponse>;

    async fn export(&self, request: Request<v1::ExportRequest>) -> RpcResult<Self::ExportStream> {
        Ok(self.content(Content::Records, request.into_inner()))
    }

    type BackupStream = Responses<v1::ExportResponse>;

    async fn backup(&self, request: Request<v1::ExportRequest>) -> RpcResult<Self::BackupStream> {
        Ok(self.content(Content::Everything, request.into_inner()))
    }

    async fn revoke(&self, request: Request<v1::RevokeRequest>) -> RpcResult<v1::RevokeResponse> {
        let named = request.into_inner().source;
        let revoked = self.call(move |coordinator, now| {
            let sources = &coordinator.sources;
            let source = sources.named(&named)?;
            if !sources.revoke(Some(source), "its records were revoked by hand", now)? {
                let problem = "it is quarantined already, and none of its records are left";
                return Err(CoordinatorError::NotNow(problem.to_owned()));
            }
            let mut aside = sources.quarantined().into_iter();
            let aside = aside.find(|aside| aside.source == source);
            aside.ok_or(CoordinatorError::Unknown("source"))
        });
        let source = Some(revoked.await?.into());
        Ok(Response::new(v1::RevokeResponse { source }))
    }
}

/// Sends the records of a source, until they end or the receiver is gone.
fn send_records(
    coordinator: &Coordinator,
    source: SourceId,
    sender: &mpsc::Sender<Result<v1::RecordsResponse, Status>>,
) {
    let mut records = coordinator.sources.records_of(source);
    loop {
        let some = records.by_ref().take(RECORDS_IN_A_MESSAGE);
        let some: Result<Vec<v1::DescribedRecord>, _> =
            some.map(|record| record.map(Into::into)).collect();
        let response = match some {
            Ok(records) if records.is_empty() => return,
            Ok(records) => Ok(v1::RecordsResponse { records }),
            Err(error) => Err(convert::status(error.into())),
        };
        let is_last = response.is_err();
        if sender.blocking_send(response).is_err() || is_last {
            return;
        }
    }
}
