//! What workers ask for.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use sproutnet_common::game;
use sproutnet_proto::v1::worker_service_server::WorkerService;
use sproutnet_proto::{PROTOCOL, v1};
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::{call, convert};
use crate::{Coordinator, Found, Grant, Report};

/// How long a worker is kept waiting for a job before it is told that there is none.
const PATIENCE: Duration = Duration::from_secs(5);

/// Responses of a feed that may wait for a slow worker.
const FEED_QUEUE: usize = 8;

pub(super) struct Service(pub(super) Arc<Coordinator>);

type Responses<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl WorkerService for Service {
    async fn register(
        &self,
        request: Request<v1::RegisterRequest>,
    ) -> Result<Response<v1::RegisterResponse>, Status> {
        let request = request.into_inner();
        check_versions(&request)?;
        let worker = self.0.register(request.name.clone());
        tracing::info!(
            worker,
            name = request.name,
            cores = request.cores,
            "worker registered"
        );
        let store = self.0.store().id();
        Ok(Response::new(v1::RegisterResponse { worker, store }))
    }

    async fn lease(
        &self,
        request: Request<v1::LeaseRequest>,
    ) -> Result<Response<v1::LeaseResponse>, Status> {
        let worker = request.into_inner().worker;
        let give_up = tokio::time::Instant::now() + PATIENCE;
        loop {
            // Listening begins before looking, so that nothing is missed in between.
            let work = self.0.work().notified();
            let mut work = std::pin::pin!(work);
            work.as_mut().enable();
            if let Some(grant) = call(&self.0, move |c| c.lease(worker)).await? {
                let job = Some(job(grant));
                return Ok(Response::new(v1::LeaseResponse { job }));
            }
            if tokio::time::timeout_at(give_up, work).await.is_err() {
                return Ok(Response::new(v1::LeaseResponse { job: None }));
            }
        }
    }

    async fn report(
        &self,
        request: Request<v1::ReportRequest>,
    ) -> Result<Response<v1::ReportResponse>, Status> {
        let report = report(request.into_inner())?;
        call(&self.0, |coordinator| coordinator.report(report)).await?;
        Ok(Response::new(v1::ReportResponse {}))
    }

    async fn renew(
        &self,
        request: Request<v1::RenewRequest>,
    ) -> Result<Response<v1::RenewResponse>, Status> {
        let v1::RenewRequest { worker, leases, .. } = request.into_inner();
        let mut unwanted = Vec::new();
        for lease in leases {
            if !call(&self.0, move |c| c.renew(lease, worker)).await? {
                unwanted.push(lease);
            }
        }
        Ok(Response::new(v1::RenewResponse { unwanted }))
    }

    async fn release(
        &self,
        request: Request<v1::ReleaseRequest>,
    ) -> Result<Response<v1::ReleaseResponse>, Status> {
        let v1::ReleaseRequest { worker, lease } = request.into_inner();
        call(&self.0, move |c| c.release(lease, worker)).await?;
        Ok(Response::new(v1::ReleaseResponse {}))
    }

    type FeedStream = Responses<v1::FeedResponse>;

    async fn feed(
        &self,
        request: Request<v1::FeedRequest>,
    ) -> Result<Response<Self::FeedStream>, Status> {
        let v1::FeedRequest { worker, cursor } = request.into_inner();
        call(&self.0, move |c| c.check_worker(worker)).await?;
        let (sender, receiver) = mpsc::channel(FEED_QUEUE);
        tokio::spawn(feed(Arc::clone(&self.0), cursor, sender));
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }
}

/// Sends what is above the cursor, then what is added, until the receiver is gone or the store
/// fails.
async fn feed(
    coordinator: Arc<Coordinator>,
    mut cursor: u64,
    sender: mpsc::Sender<Result<v1::FeedResponse, Status>>,
) {
    let mut newest = coordinator.cursor();
    loop {
        newest.mark_unchanged();
        let mut blocks = coordinator.store().blocks_after(cursor);
        // Room in the queue comes first, so that a slow receiver holds up no thread.
        while let Ok(room) = sender.reserve().await {
            let read = tokio::task::spawn_blocking(move || (blocks.next(), blocks)).await;
            let Ok((block, rest)) = read else {
                return;
            };
            blocks = rest;
            let (records, is_last) = match block {
                Some(Ok((number, records))) => {
                    cursor = number;
                    (records, false)
                }
                Some(Err(error)) => return room.send(Err(convert::status(error.into()))),
                None => (Vec::new(), true),
            };
            room.send(Ok(v1::FeedResponse {
                block: convert::block(&records),
                cursor,
                caught_up: is_last,
            }));
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

fn check_versions(request: &v1::RegisterRequest) -> Result<(), Status> {
    if request.protocol != PROTOCOL {
        return Err(Status::failed_precondition(format!(
            "this coordinator speaks protocol {PROTOCOL}, the worker {}",
            request.protocol
        )));
    }
    for (game, version) in game::encodings() {
        let of_worker = request
            .encodings
            .iter()
            .find(|encoding| encoding.game == game);
        if of_worker.is_none_or(|encoding| encoding.version != version) {
            return Err(Status::failed_precondition(format!(
                "this coordinator encodes {game} in version {version}, the worker in {}",
                of_worker.map_or("none".to_owned(), |encoding| encoding.version.to_string()),
            )));
        }
    }
    Ok(())
}

fn job(grant: Grant) -> v1::Job {
    v1::Job {
        lease: grant.lease,
        game: grant.game.to_owned(),
        play: convert::play(grant.play),
        state: grant.state,
        slice_ms: grant.slice.as_millis().try_into().unwrap_or(u32::MAX),
        expires_ms: grant.expires.as_millis().try_into().unwrap_or(u32::MAX),
        computation: 0,
    }
}

fn report(request: v1::ReportRequest) -> Result<Report, Status> {
    let fault = Some(request.fault).filter(|fault| !fault.is_empty());
    let found = match &fault {
        Some(_) => Err(Vec::new()),
        None => found(request.numbers, request.children)?,
    };
    Ok(Report {
        worker: request.worker,
        lease: request.lease,
        found,
        records: convert::records_from(&request.blocks)?,
        visits: request.visits,
        expansions: request.expansions,
        fault,
    })
}

/// The outcome of a state, or else the children that are told.
fn found(numbers: Option<v1::Numbers>, children: Vec<v1::ChildNumbers>) -> Result<Found, Status> {
    if let Some(outcome) = convert::numbers_from(numbers, "report")?.outcome() {
        return Ok(Ok(outcome));
    }
    let child =
        |child: v1::ChildNumbers| Ok((child.state, convert::numbers_from(child.numbers, "child")?));
    children
        .into_iter()
        .map(child)
        .collect::<Result<_, _>>()
        .map(Err)
}
