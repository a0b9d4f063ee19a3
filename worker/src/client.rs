//! Calls to the coordinator. Wire types are used only in this file, except for the parts of the feed. [`messages`] holds
//! the arguments and results.

mod messages;

use std::time::Duration;

use sproutnet_game as game;
use sproutnet_notation::{ComputationId, Epoch, LeaseId, WorkerId};
use sproutnet_proto::convert::{self, list};
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use sproutnet_proto::{LARGEST_MESSAGE, PROTOCOL, v1};
use sproutnet_solver::play::LeastWorth;
use sproutnet_solver::search::{Entry, Found, News, Numbers};
use sproutnet_store::{History, Mark, Timeline};
use sproutnet_system::build;
use sproutnet_transport::connect::Connection;
use tokio::time::timeout;
use tokio_stream::{Stream, StreamExt};
use tonic::{Response, Status};

use crate::job::Job;

pub use messages::{CallError, Introduction, Leased, Membership, Registered, StoreEpoch};
pub(crate) use messages::{Renewed, Report, Told, Totals};
pub(crate) use v1::FeedResponse as FeedPart;

const CALL_DEADLINE: Duration = Duration::from_secs(30);
/// The coordinator holds a request for a job for up to five seconds.
const LEASE_DEADLINE: Duration = Duration::from_secs(5 + 10);
/// A slow renewal is better repeated: leases last only tens of seconds.
const RENEWAL_DEADLINE: Duration = Duration::from_secs(10);

/// Calls over one connection, each with a deadline. Clones share the connection.
#[derive(Clone)]
pub struct Client {
    calls: WorkerServiceClient<Connection>,
}

impl Client {
    /// A client on a connection.
    pub fn new(connection: Connection) -> Self {
        let calls = WorkerServiceClient::new(connection)
            .max_decoding_message_size(LARGEST_MESSAGE)
            .max_encoding_message_size(LARGEST_MESSAGE);
        Self { calls }
    }

    fn calls(&self) -> WorkerServiceClient<Connection> {
        self.calls.clone()
    }

    /// Registers a worker.
    ///
    /// # Errors
    /// [`CallError`]; [`CallError::Refused`] also if versions differ.
    pub async fn register(&self, who: &Introduction) -> Result<Registered, CallError> {
        let request = v1::RegisterRequest {
            protocol: PROTOCOL,
            encodings: game::encodings().into_iter().map(Into::into).collect(),
            cores: who.cores as u32,
            slots: who.slots as u32,
            name: who.name.clone(),
            identity: who.identity,
            games: Vec::new(),
            version: build::version().to_owned(),
        };
        let answer = within(CALL_DEADLINE, self.calls().register(request)).await;
        let answer = answer.map_err(|error| match error {
            // The request contains nothing but the worker's identity.
            CallError::Rejected(text) => CallError::Refused(text),
            error => error,
        })?;
        Ok(Registered {
            worker: WorkerId(answer.worker),
            store: answer.store,
            epoch: Epoch(answer.epoch),
            history: answer.history.map(history),
        })
    }

    /// Requests a job for a slot. `None` if there is none now.
    pub(crate) async fn lease(
        &self,
        worker: WorkerId,
        slot: u32,
    ) -> Result<Option<Leased>, CallError> {
        let worker = worker.0;
        let request = v1::LeaseRequest { worker, slot };
        let answer = within(LEASE_DEADLINE, self.calls().lease(request)).await?;
        Ok(answer.job.map(leased))
    }

    /// Sends a report. Returns a state of the store that has all of it, if the coordinator tells one.
    pub(crate) async fn report(
        &self,
        worker: WorkerId,
        report: Report<'_>,
    ) -> Result<Option<Mark>, CallError> {
        let mut calls = self.calls();
        let worker = worker.0;
        let content = match report {
            Report::Finding(lease, finding) => {
                let (numbers, children) = match &finding.found {
                    Found::Solved(outcome) => (Numbers::solved(*outcome), Vec::new()),
                    Found::Open {
                        numbers, children, ..
                    } => (*numbers, list(children.clone())),
                };
                let finding = v1::Finding {
                    lease: lease.0,
                    numbers: Some(numbers.into()),
                    children,
                    visits: finding.visits,
                    expansions: finding.expansions,
                    blocks: Vec::new(),
                };
                finding.into()
            }
            Report::Records(blocks) => {
                let blocks = blocks.to_vec();
                v1::Delivery { blocks }.into()
            }
            Report::Fault(lease, fault) => {
                let fault = v1::Fault {
                    lease: lease.map(u64::from),
                    reason: fault.to_string(),
                    disputed: fault.key.to_vec(),
                };
                fault.into()
            }
            Report::Release { lease, failed } => {
                let lease = lease.0;
                let request = v1::ReleaseRequest {
                    worker,
                    lease,
                    failed,
                };
                let v1::ReleaseResponse {} = within(CALL_DEADLINE, calls.release(request)).await?;
                return Ok(None);
            }
        };
        let content = Some(content);
        let request = v1::ReportRequest { worker, content };
        let v1::ReportResponse { mark } = within(CALL_DEADLINE, calls.report(request)).await?;
        Ok(mark.map(|v1::Mark { timeline, cursor }| Mark { timeline, cursor }))
    }

    /// Renews leases and reports counters. The last renewal says that the worker is leaving.
    pub(crate) async fn renew(
        &self,
        worker: WorkerId,
        leases: Vec<LeaseId>,
        totals: Totals,
        leaving: bool,
    ) -> Result<Renewed, CallError> {
        let request = v1::RenewRequest {
            worker: worker.0,
            leases: leases.into_iter().map(u64::from).collect(),
            expansions: totals.expansions,
            visits: totals.visits,
            memory: totals.memory,
            leaving,
        };
        let answer = within(RENEWAL_DEADLINE, self.calls().renew(request)).await?;
        Ok(Renewed {
            unwanted: answer.unwanted.into_iter().map(LeaseId).collect(),
            least_worth: LeastWorth::of_visits(answer.least_worth.unwrap_or(1)),
        })
    }

    /// Sends the news of the worker's searches, and gets the news of others since a cursor.
    pub(crate) async fn exchange(
        &self,
        worker: WorkerId,
        cursor: u64,
        news: &News,
    ) -> Result<Told, CallError> {
        let request = v1::ExchangeRequest {
            worker: worker.0,
            cursor,
            entries: list(news.entries.clone()),
            places: list(news.places.clone()),
        };
        let answer = within(CALL_DEADLINE, self.calls().exchange(request)).await?;
        let mut entries: Vec<Entry> = list(answer.entries);
        // Only an open state has numbers that guide a search.
        entries.retain(Entry::is_sound);
        Ok(Told {
            cursor: answer.cursor,
            starts_over: answer.starts_over,
            news: News {
                entries,
                places: list(answer.places),
            },
            least_work: answer.least_work,
            pause: Duration::from_millis(answer.pause_ms.into()),
        })
    }

    /// Streams the coordinator's records above a cursor, then new ones as they arrive.
    pub(crate) async fn feed(
        &self,
        worker: WorkerId,
        cursor: u64,
    ) -> Result<impl Stream<Item = Result<FeedPart, CallError>> + use<>, CallError> {
        let request = v1::FeedRequest {
            worker: worker.0,
            cursor,
        };
        let responses = within(CALL_DEADLINE, self.calls().feed(request)).await?;
        Ok(responses.map(|response| Ok(response?)))
    }
}

fn history(told: v1::History) -> History {
    let timeline = |v1::Timeline { id, after }| Timeline { id, after };
    History {
        timelines: told.timelines.into_iter().map(timeline).collect(),
        cursor: told.cursor,
    }
}

/// The state of the store up to a part of its feed, if its timeline is known.
pub(crate) fn mark_of(part: &FeedPart) -> Option<Mark> {
    let FeedPart {
        timeline, cursor, ..
    } = *part;
    (timeline != 0).then_some(Mark { timeline, cursor })
}

async fn within<T>(
    deadline: Duration,
    call: impl Future<Output = Result<Response<T>, Status>>,
) -> Result<T, CallError> {
    let late = |_| CallError::Unreachable(format!("no answer within {deadline:?}"));
    let answer = timeout(deadline, call).await.map_err(late)?;
    Ok(answer?.into_inner())
}

/// Reads a job from the wire.
pub fn leased(job: v1::Job) -> Leased {
    let lease = LeaseId(job.lease);
    let Some(play) = convert::play(job.play) else {
        return Leased::Unreadable(lease, "a job without a convention");
    };
    Leased::Job(Job {
        lease,
        computation: ComputationId(job.computation),
        game: job.game,
        play,
        state: job.state,
        limit: job.limit.map_or(Numbers::UNLIMITED, Into::into),
        slice: Duration::from_millis(job.slice_ms.into()),
    })
}
