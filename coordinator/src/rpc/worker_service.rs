//! What workers ask for.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use sproutnet_game as game;
use sproutnet_notation::{LeaseId, WorkerId};
use sproutnet_proto::v1::worker_service_server::WorkerService;
use sproutnet_proto::{PROTOCOL, v1};
use tokio::sync::{mpsc, watch};
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};
use tracing::instrument;

use super::reports::Reports;
use super::{call, convert, feed};
use crate::Coordinator;
use crate::scheduler::Grant;
use crate::scheduler::fleet::Totals;
use crate::scheduler::leases::Slot;

/// How long a worker waits for a job before the answer is that there is none.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) struct Service {
    coordinator: Arc<Coordinator>,
    reports: Reports,
    ending: watch::Receiver<bool>,
}

impl Service {
    pub(super) fn new(coordinator: Arc<Coordinator>, ending: watch::Receiver<bool>) -> Self {
        Self {
            reports: Reports::new(Arc::clone(&coordinator)),
            coordinator,
            ending,
        }
    }
}

type Responses<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl WorkerService for Service {
    async fn register(
        &self,
        request: Request<v1::RegisterRequest>,
    ) -> Result<Response<v1::RegisterResponse>, Status> {
        let peer = request.remote_addr().map(|peer| peer.to_string());
        let request = request.into_inner();
        let v1::RegisterRequest {
            name,
            cores,
            slots,
            identity,
            ..
        } = request.clone();
        if let Err(refusal) = check_versions(&request) {
            tracing::warn!(?peer, name, reason = refusal.message(), "worker refused");
            return Err(refusal);
        }
        let registering = (name.clone(), peer.clone());
        let (worker, epoch) = call(&self.coordinator, move |coordinator, now| {
            let (name, peer) = registering;
            coordinator
                .jobs
                .register(name, peer, cores, slots, identity, now)
        })
        .await?;
        tracing::info!(%worker, name, ?peer, cores, "worker registered");
        let store = self.coordinator.store().id();
        Ok(Response::new(v1::RegisterResponse {
            worker: worker.0,
            store,
            epoch: epoch.0,
        }))
    }

    #[instrument(level = "debug", skip_all, fields(worker, slot, lease))]
    async fn lease(
        &self,
        request: Request<v1::LeaseRequest>,
    ) -> Result<Response<v1::LeaseResponse>, Status> {
        let v1::LeaseRequest { worker, slot } = request.into_inner();
        tracing::Span::current()
            .record("worker", worker)
            .record("slot", slot);
        let slot = Slot {
            worker: WorkerId(worker),
            number: slot,
        };
        let give_up = tokio::time::Instant::now() + PATIENCE;
        loop {
            // Listening begins before looking, so that nothing is missed in between.
            let work = self.coordinator.jobs.work().notified();
            let mut work = std::pin::pin!(work);
            work.as_mut().enable();
            if let Some(grant) = lease(&self.coordinator, slot).await? {
                tracing::Span::current().record("lease", grant.lease.0);
                let job = Some(convert::job(grant));
                return Ok(Response::new(v1::LeaseResponse { job }));
            }
            let nothing = || Ok(Response::new(v1::LeaseResponse { job: None }));
            tokio::select! {
                waited = tokio::time::timeout_at(give_up, work) => if waited.is_err() {
                    return nothing();
                },
                () = super::ended(self.ending.clone()) => return nothing(),
            }
        }
    }

    #[instrument(level = "debug", skip_all, fields(worker, lease))]
    async fn report(
        &self,
        request: Request<v1::ReportRequest>,
    ) -> Result<Response<v1::ReportResponse>, Status> {
        let report = convert::report(request.into_inner())?;
        let span = tracing::Span::current();
        span.record("worker", report.worker.0);
        span.record("lease", report.content.lease().map(u64::from));
        self.reports.take_in(report).await?;
        Ok(Response::new(v1::ReportResponse {}))
    }

    async fn renew(
        &self,
        request: Request<v1::RenewRequest>,
    ) -> Result<Response<v1::RenewResponse>, Status> {
        let v1::RenewRequest {
            worker,
            leases,
            expansions,
            visits,
            memory,
        } = request.into_inner();
        let totals = Totals {
            expansions,
            visits,
            memory,
        };
        let worker = WorkerId(worker);
        let leases: Vec<LeaseId> = leases.into_iter().map(LeaseId).collect();
        let at_once = self
            .coordinator
            .jobs
            .try_renew(worker, &leases, totals, super::now());
        let renew = move |c: &Coordinator, now| c.jobs.renew(worker, &leases, totals, now);
        let unwanted = match at_once {
            Some(renewed) => renewed.map_err(convert::status)?,
            None => call(&self.coordinator, renew).await?,
        };
        Ok(Response::new(v1::RenewResponse {
            unwanted: unwanted.into_iter().map(u64::from).collect(),
        }))
    }

    #[instrument(level = "debug", skip_all, fields(worker, lease))]
    async fn release(
        &self,
        request: Request<v1::ReleaseRequest>,
    ) -> Result<Response<v1::ReleaseResponse>, Status> {
        let v1::ReleaseRequest { worker, lease } = request.into_inner();
        tracing::Span::current()
            .record("worker", worker)
            .record("lease", lease);
        call(&self.coordinator, move |c, now| {
            c.jobs.release(LeaseId(lease), WorkerId(worker), now)
        })
        .await?;
        Ok(Response::new(v1::ReleaseResponse {}))
    }

    type FeedStream = Responses<v1::FeedResponse>;

    async fn feed(
        &self,
        request: Request<v1::FeedRequest>,
    ) -> Result<Response<Self::FeedStream>, Status> {
        let v1::FeedRequest { worker, cursor } = request.into_inner();
        let fed = call(&self.coordinator, move |c, now| {
            c.jobs.feed_of(WorkerId(worker), now)
        })
        .await?;
        let (sender, receiver) = mpsc::channel(feed::QUEUE);
        let feed = feed::send(Arc::clone(&self.coordinator), cursor, fed, sender);
        let ending = self.ending.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = feed => {}
                () = super::ended(ending) => {}
            }
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }
}

/// A job, if there is one. A thread that may block is used only where it is needed: what is answered
/// at once takes less time than to change threads.
async fn lease(coordinator: &Arc<Coordinator>, slot: Slot) -> Result<Option<Grant>, Status> {
    let Some(leased) = coordinator.jobs.try_lease(slot, super::now()) else {
        return call(coordinator, move |c, now| c.jobs.lease(slot, now)).await;
    };
    let (grant, is_reached) = leased.map_err(convert::status)?;
    if is_reached {
        call(coordinator, Coordinator::conclude).await?;
    }
    Ok(grant)
}

fn check_versions(request: &v1::RegisterRequest) -> Result<(), Status> {
    if request.protocol != PROTOCOL {
        return Err(convert::other_protocol("the worker", request.protocol));
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
