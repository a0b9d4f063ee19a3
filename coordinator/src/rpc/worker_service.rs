//! The service for workers.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sproutnet_game as game;
use sproutnet_notation::{LeaseId, WorkerId};
use sproutnet_proto::convert::list;
use sproutnet_proto::v1::worker_service_server::WorkerService;
use sproutnet_proto::{PROTOCOL, v1};
use sproutnet_solver::search::News;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};
use tracing::instrument;

use super::reports::Reports;
use super::{Responses, RpcResult, call, convert, feed};
use crate::scheduler::fleet::{Games, Totals};
use crate::scheduler::leases::WorkerSlot;
use crate::scheduler::{Grant, Scheduler};
use crate::{Coordinator, CoordinatorError, Introduction, Jobs};

/// The maximum wait for a job before a lease call is answered without one.
const PATIENCE: Duration = Duration::from_secs(5);

/// The time between two attempts to find a job for a worker that does not take jobs of all games.
const BETWEEN_ATTEMPTS: Duration = Duration::from_millis(200);

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

#[tonic::async_trait]
impl WorkerService for Service {
    async fn register(
        &self,
        request: Request<v1::RegisterRequest>,
    ) -> RpcResult<v1::RegisterResponse> {
        let peer = request.remote_addr().map(|peer| peer.to_string());
        let request = request.into_inner();
        let v1::RegisterRequest {
            name,
            cores,
            slots,
            identity,
            version,
            ..
        } = request.clone();
        let games = check_versions(&request).inspect_err(|refusal| {
            tracing::warn!(?peer, name, reason = refusal.message(), "worker refused");
        })?;
        let who = Introduction {
            name: name.clone(),
            peer: peer.clone(),
            version,
            cores,
            slots,
            identity,
            games,
        };
        let register = |coordinator: &Coordinator, now| coordinator.jobs.register(who, now);
        let (worker, epoch) = call(&self.coordinator, register).await?;
        tracing::info!(%worker, name, ?peer, cores, "worker registered");
        let store = self.coordinator.store();
        Ok(Response::new(v1::RegisterResponse {
            worker: worker.0,
            store: store.id(),
            epoch: epoch.0,
            history: Some(convert::history(&store.history())),
        }))
    }

    #[instrument(level = "debug", skip_all, fields(worker, slot, lease))]
    async fn lease(&self, request: Request<v1::LeaseRequest>) -> RpcResult<v1::LeaseResponse> {
        let v1::LeaseRequest { worker, slot } = request.into_inner();
        tracing::Span::current()
            .record("worker", worker)
            .record("slot", slot);
        let slot = WorkerSlot {
            worker: WorkerId(worker),
            number: slot,
        };
        let give_up = tokio::time::Instant::now() + PATIENCE;
        loop {
            // Listens before the attempt, so that no notification is missed.
            let mut work = Box::pin(self.coordinator.jobs.work().notified());
            work.as_mut().enable();
            let (grant, takes_all_games) = lease(&self.coordinator, slot).await?;
            if let Some(grant) = grant {
                tracing::Span::current().record("lease", grant.lease.0);
                let job = Some(convert::job(grant));
                return Ok(Response::new(v1::LeaseResponse { job }));
            }
            let wait = async {
                if takes_all_games {
                    return tokio::time::timeout_at(give_up, work).await.is_ok();
                }
                // A notification wakes one slot, and this one may have to leave the job to others. Dropped, it wakes
                // another slot.
                drop(work);
                tokio::time::sleep(BETWEEN_ATTEMPTS).await;
                tokio::time::Instant::now() < give_up
            };
            let is_over = tokio::select! {
                goes_on = wait => !goes_on,
                () = super::ended(self.ending.clone()) => true,
            };
            if is_over {
                return Ok(Response::new(v1::LeaseResponse { job: None }));
            }
        }
    }

    #[instrument(level = "debug", skip_all, fields(worker, lease))]
    async fn report(&self, request: Request<v1::ReportRequest>) -> RpcResult<v1::ReportResponse> {
        let report = convert::report(request.into_inner())?;
        let span = tracing::Span::current();
        span.record("worker", report.worker.0);
        span.record("lease", report.content.lease().map(u64::from));
        self.reports.take_in(report).await?;
        let store = self.coordinator.store();
        let mark = store.mark(store.cursor()).map(convert::mark);
        Ok(Response::new(v1::ReportResponse { mark }))
    }

    async fn renew(&self, request: Request<v1::RenewRequest>) -> RpcResult<v1::RenewResponse> {
        let v1::RenewRequest {
            worker,
            leases,
            expansions,
            visits,
            memory,
            leaving,
        } = request.into_inner();
        let totals = Totals {
            expansions,
            visits,
            memory,
        };
        let worker = WorkerId(worker);
        let leases: Vec<LeaseId> = leases.into_iter().map(LeaseId).collect();
        let (unwanted, least) = ask(&self.coordinator, move |jobs, scheduler, now| {
            let unwanted = scheduler.renew(worker, &leases, totals, now)?;
            if leaving {
                let left = scheduler.leave(worker)?;
                tracing::info!(%worker, name = left.registration.name, "worker left");
                jobs.work().notify_one();
            }
            Ok((unwanted, jobs.least_worth(now)))
        })
        .await?;
        Ok(Response::new(v1::RenewResponse {
            unwanted: unwanted.into_iter().map(u64::from).collect(),
            least_worth: Some(least.visits()),
        }))
    }

    async fn exchange(
        &self,
        request: Request<v1::ExchangeRequest>,
    ) -> RpcResult<v1::ExchangeResponse> {
        let v1::ExchangeRequest {
            worker,
            cursor,
            entries,
            places,
        } = request.into_inner();
        let news = News {
            entries: list(entries),
            places: list(places),
        };
        let told = ask(&self.coordinator, move |_, scheduler, now| {
            Ok(scheduler.exchange_with(WorkerId(worker), cursor, news, now)?)
        })
        .await?;
        Ok(Response::new(convert::told(told)))
    }

    #[instrument(level = "debug", skip_all, fields(worker, lease))]
    async fn release(
        &self,
        request: Request<v1::ReleaseRequest>,
    ) -> RpcResult<v1::ReleaseResponse> {
        let v1::ReleaseRequest {
            worker,
            lease,
            failed,
        } = request.into_inner();
        tracing::Span::current()
            .record("worker", worker)
            .record("lease", lease);
        ask(&self.coordinator, move |jobs, scheduler, now| {
            scheduler.release(LeaseId(lease), WorkerId(worker), failed, now)?;
            jobs.work().notify_one();
            Ok(())
        })
        .await?;
        Ok(Response::new(v1::ReleaseResponse {}))
    }

    type FeedStream = Responses<v1::FeedResponse>;

    async fn feed(&self, request: Request<v1::FeedRequest>) -> RpcResult<Self::FeedStream> {
        let v1::FeedRequest { worker, cursor } = request.into_inner();
        let fed = ask(&self.coordinator, move |_, scheduler, now| {
            Ok(Arc::clone(&scheduler.hear(WorkerId(worker), now)?.fed))
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

/// Calls the scheduler on this thread if its lock is free, since changing threads takes longer; else on a blocking
/// thread.
async fn ask<T: Send + 'static>(
    coordinator: &Arc<Coordinator>,
    act: impl FnOnce(&Jobs, &mut Scheduler, Instant) -> Result<T, CoordinatorError> + Send + 'static,
) -> Result<T, Status> {
    if let Some(mut scheduler) = coordinator.jobs.try_scheduler() {
        let asked = act(&coordinator.jobs, &mut scheduler, super::now());
        return asked.map_err(convert::status);
    }
    let act = move |c: &Coordinator, now| act(&c.jobs, &mut c.jobs.scheduler(), now);
    call(coordinator, act).await
}

/// A job, if there is one, and whether the worker takes jobs of all games.
async fn lease(
    coordinator: &Arc<Coordinator>,
    slot: WorkerSlot,
) -> Result<(Option<Grant>, bool), Status> {
    let lease = move |jobs: &Jobs, scheduler: &mut Scheduler, now| {
        let leased = jobs.lease_in(scheduler, slot, now)?;
        Ok((leased, scheduler.fleet().takes_all_games(slot.worker)))
    };
    let ((grant, is_reached), takes_all_games) = ask(coordinator, lease).await?;
    if is_reached {
        call(coordinator, Coordinator::conclude).await?;
    }
    Ok((grant, takes_all_games))
}

/// The games of which a worker takes jobs. Refuses a worker of another protocol, or with another encoding of one of
/// these games.
fn check_versions(request: &v1::RegisterRequest) -> Result<Games, Status> {
    if request.protocol != PROTOCOL {
        return Err(convert::other_protocol("the worker", request.protocol));
    }
    let known = game::encodings();
    let games = if request.games.is_empty() {
        Games::All
    } else {
        let name = |game: &String| {
            let found = known.iter().find(|(name, _)| name == game);
            let unknown = || format!("this coordinator has no game called {game:?}");
            found
                .map(|&(name, _)| name)
                .ok_or_else(|| Status::failed_precondition(unknown()))
        };
        Games::Only(request.games.iter().map(name).collect::<Result<_, _>>()?)
    };
    for (game, version) in known.into_iter().filter(|(game, _)| games.has(game)) {
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
    Ok(games)
}
