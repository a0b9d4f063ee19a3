//! What people ask for.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use sproutnet_proto::v1;
use sproutnet_proto::v1::client_service_server::ClientService;
use tokio::sync::{mpsc, watch};
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::{call, convert};
use crate::Coordinator;
use crate::computation::{self, Progress};

pub(super) struct Service(pub(super) Arc<Coordinator>);

type Responses<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl ClientService for Service {
    async fn start(
        &self,
        request: Request<v1::StartRequest>,
    ) -> Result<Response<v1::StartResponse>, Status> {
        let request = request.into_inner();
        let play = convert::play_from(request.play)?;
        let deadline = Some(request.deadline_ms)
            .filter(|&ms| ms > 0)
            .map(Duration::from_millis);
        let start = move |coordinator: &Coordinator| {
            coordinator.start(&request.position, play, request.nimber, deadline)
        };
        let (computation, canonical) = call(&self.0, start).await?;
        Ok(Response::new(v1::StartResponse {
            computation,
            canonical,
        }))
    }

    type WatchStream = Responses<v1::Progress>;

    async fn watch(
        &self,
        request: Request<v1::WatchRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let computation = request.into_inner().computation;
        let progress = self.0.watch(computation).map_err(convert::status)?;
        let (sender, receiver) = mpsc::channel(1);
        tokio::spawn(send_until_ended(progress, sender));
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }

    async fn cancel(
        &self,
        request: Request<v1::CancelRequest>,
    ) -> Result<Response<v1::CancelResponse>, Status> {
        let computation = request.into_inner().computation;
        call(&self.0, move |c| c.cancel(computation)).await?;
        Ok(Response::new(v1::CancelResponse {}))
    }

    async fn list(
        &self,
        _: Request<v1::ListRequest>,
    ) -> Result<Response<v1::ListResponse>, Status> {
        Err(Status::unimplemented("list"))
    }

    async fn pause(
        &self,
        _: Request<v1::PauseRequest>,
    ) -> Result<Response<v1::PauseResponse>, Status> {
        Err(Status::unimplemented("pause"))
    }

    async fn resume(
        &self,
        _: Request<v1::ResumeRequest>,
    ) -> Result<Response<v1::ResumeResponse>, Status> {
        Err(Status::unimplemented("resume"))
    }

    async fn fleet(
        &self,
        _: Request<v1::FleetRequest>,
    ) -> Result<Response<v1::FleetResponse>, Status> {
        Err(Status::unimplemented("fleet"))
    }

    async fn query(
        &self,
        request: Request<v1::QueryRequest>,
    ) -> Result<Response<v1::QueryResponse>, Status> {
        let v1::QueryRequest { position, moves } = request.into_inner();
        let answer = call(&self.0, move |c| c.answer(&position, moves)).await?;
        Ok(Response::new(convert::answer(answer)))
    }

    async fn table(
        &self,
        request: Request<v1::TableRequest>,
    ) -> Result<Response<v1::TableResponse>, Status> {
        let mut game = request.into_inner().game;
        if game.is_empty() {
            "sprouts".clone_into(&mut game);
        }
        let table = call(&self.0, move |coordinator| coordinator.table(&game)).await?;
        let entries = table.into_iter().map(convert::table_entry).collect();
        Ok(Response::new(v1::TableResponse { entries }))
    }
}

/// Sends progress as it changes; what a slow receiver misses in between is left out.
async fn send_until_ended(
    mut progress: watch::Receiver<Progress>,
    sender: mpsc::Sender<Result<v1::Progress, Status>>,
) {
    loop {
        let now = progress.borrow_and_update().clone();
        let ended = now.status != computation::Status::Running;
        if sender.send(Ok(convert::progress(&now))).await.is_err() || ended {
            return;
        }
        tokio::select! {
            changed = progress.changed() => if changed.is_err() { return },
            () = sender.closed() => return,
        }
    }
}
