//! The calls to the coordinator. Only here are wire types known.

use std::time::Duration;

use sproutnet_game as game;
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use sproutnet_proto::{LARGEST_MESSAGE, PROTOCOL, v1};
use sproutnet_solver::play::{Contradiction, Play};
use sproutnet_solver::search::Numbers;
use sproutnet_transport::connect::Connection;
use tokio::time::timeout;
use tokio_stream::{Stream, StreamExt};
use tonic::{Code, Response, Status};

use crate::job::{Finding, Job};

/// How long calls may take. A coordinator keeps one who asks for a job waiting for five seconds.
const LONGEST_CALL: Duration = Duration::from_secs(30);
const LONGEST_LEASE: Duration = Duration::from_secs(5 + 10);

/// A renewal that is not through by then is better made again: leases last no longer than tens of
/// seconds.
const LONGEST_RENEWAL: Duration = Duration::from_secs(10);

/// Why a call did not do what it should.
#[derive(Clone, Debug, thiserror::Error)]
pub enum CallError {
    /// The coordinator does not accept this worker; trying again is of no use.
    #[error("{0}")]
    Refused(String),
    /// The coordinator does not know this worker (any more): it has to register.
    #[error("the coordinator does not know this worker")]
    Unknown,
    /// The coordinator does not accept what the call said; trying again is of no use.
    #[error("{0}")]
    Rejected(String),
    /// The coordinator has too much to do now.
    #[error("the coordinator is busy: {0}")]
    Busy(String),
    /// The coordinator cannot be reached or cannot answer now.
    #[error("{0}")]
    Unreachable(String),
}

impl From<Status> for CallError {
    fn from(status: Status) -> Self {
        let mut text = status.message().to_owned();
        let mut cause = std::error::Error::source(&status);
        while let Some(error) = cause {
            let error_text = error.to_string();
            if !text.contains(&error_text) {
                text = format!("{text}: {error_text}");
            }
            cause = error.source();
        }
        match status.code() {
            Code::Unauthenticated | Code::PermissionDenied => Self::Refused(text),
            Code::NotFound => Self::Unknown,
            Code::InvalidArgument | Code::OutOfRange | Code::FailedPrecondition => {
                Self::Rejected(text)
            }
            Code::ResourceExhausted => Self::Busy(text),
            code => Self::Unreachable(format!("{text} ({code:?})")),
        }
    }
}

/// Who a worker is.
#[derive(Clone, Debug)]
pub struct Introduction {
    /// How many of its threads search at a time.
    pub cores: usize,
    /// How many jobs it searches at a time.
    pub slots: usize,
    /// A name for people to read.
    pub name: String,
    /// A random number, the same after a restart.
    pub identity: u64,
}

/// What a coordinator calls a worker, and which store it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Registration {
    /// The number of the worker.
    pub worker: u64,
    /// The id of the coordinator's store.
    pub store: u64,
    /// How often records were withdrawn from it. What was learned or proved in another epoch may rest
    /// on them.
    pub epoch: u64,
}

/// How a worker does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Totals {
    /// Lands whose options were looked at since it registered.
    pub expansions: u64,
    /// States visited since it registered.
    pub visits: u64,
    /// Memory in use, in bytes.
    pub memory: u64,
}

/// A job that was leased, or why it cannot be read.
#[derive(Debug)]
pub enum Leased {
    /// A job.
    Job(Job),
    /// The number of the lease, and the reason.
    Unreadable(u64, &'static str),
}

/// A part of the feed.
#[derive(Debug)]
pub struct Batch {
    /// A block of records, or no bytes.
    pub block: Vec<u8>,
    /// Where to go on after this part.
    pub cursor: u64,
    /// Whether this reaches what the coordinator held when it was sent.
    pub caught_up: bool,
}

/// Calls on one connection, each with a deadline. Clones share it.
#[derive(Clone)]
pub struct Client {
    calls: WorkerServiceClient<Connection>,
}

impl Client {
    /// Calls on a connection.
    pub fn new(connection: Connection) -> Self {
        let calls = WorkerServiceClient::new(connection)
            .max_decoding_message_size(LARGEST_MESSAGE)
            .max_encoding_message_size(LARGEST_MESSAGE);
        Self { calls }
    }

    fn calls(&self) -> WorkerServiceClient<Connection> {
        self.calls.clone()
    }

    /// Introduces a worker.
    ///
    /// # Errors
    /// [`CallError`]; refused too if versions differ.
    pub async fn register(&self, who: &Introduction) -> Result<Registration, CallError> {
        let request = v1::RegisterRequest {
            protocol: PROTOCOL,
            encodings: game::encodings().into_iter().map(Into::into).collect(),
            cores: who.cores as u32,
            slots: who.slots as u32,
            name: who.name.clone(),
            identity: who.identity,
        };
        let answer = in_time(LONGEST_CALL, self.calls().register(request)).await;
        let v1::RegisterResponse {
            worker,
            store,
            epoch,
        } = answer.map_err(|error| match error {
            // Nothing was said but who this worker is.
            CallError::Rejected(text) => CallError::Refused(text),
            error => error,
        })?;
        Ok(Registration {
            worker,
            store,
            epoch,
        })
    }

    /// Asks for a job for one of the worker's searches. `None` if there is none for now.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn lease(&self, worker: u64, slot: u32) -> Result<Option<Leased>, CallError> {
        let request = v1::LeaseRequest { worker, slot };
        let answer = in_time(LONGEST_LEASE, self.calls().lease(request)).await?;
        Ok(answer.job.map(leased))
    }

    /// Says what came of a job.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn report(
        &self,
        worker: u64,
        lease: u64,
        finding: &Finding,
    ) -> Result<(), CallError> {
        let child = |(state, numbers): &(Vec<u8>, Numbers)| v1::ChildNumbers {
            state: state.clone(),
            numbers: Some(to_wire(*numbers)),
        };
        self.send(v1::ReportRequest {
            worker,
            lease,
            numbers: Some(to_wire(finding.numbers)),
            children: finding.children.iter().map(child).collect(),
            visits: finding.visits,
            expansions: finding.expansions,
            ..v1::ReportRequest::default()
        })
        .await
    }

    /// Hands over blocks of records.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn hand_over(&self, worker: u64, blocks: &[Vec<u8>]) -> Result<(), CallError> {
        self.send(v1::ReportRequest {
            worker,
            numbers: Some(to_wire(Numbers::UNLIMITED)),
            blocks: blocks.to_vec(),
            ..v1::ReportRequest::default()
        })
        .await
    }

    /// Says that what is known here contradicts itself, and of which record, and ends a job by that.
    /// The lease may be zero: then no job was touched.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn fault(
        &self,
        worker: u64,
        lease: u64,
        fault: &Contradiction,
    ) -> Result<(), CallError> {
        self.send(v1::ReportRequest {
            worker,
            lease,
            numbers: Some(to_wire(Numbers::UNLIMITED)),
            fault: fault.to_string(),
            disputed: fault.key.to_vec(),
            ..v1::ReportRequest::default()
        })
        .await
    }

    async fn send(&self, report: v1::ReportRequest) -> Result<(), CallError> {
        let v1::ReportResponse {} = in_time(LONGEST_CALL, self.calls().report(report)).await?;
        Ok(())
    }

    /// Keeps leases from running out, and tells how the worker does. Returns the leases whose jobs
    /// are not wanted any more.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn renew(
        &self,
        worker: u64,
        leases: Vec<u64>,
        totals: Totals,
    ) -> Result<Vec<u64>, CallError> {
        let request = v1::RenewRequest {
            worker,
            leases,
            expansions: totals.expansions,
            visits: totals.visits,
            memory: totals.memory,
        };
        let answer = in_time(LONGEST_RENEWAL, self.calls().renew(request)).await?;
        Ok(answer.unwanted)
    }

    /// Hands a job back without a result.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn release(&self, worker: u64, lease: u64) -> Result<(), CallError> {
        let request = v1::ReleaseRequest { worker, lease };
        let v1::ReleaseResponse {} = in_time(LONGEST_CALL, self.calls().release(request)).await?;
        Ok(())
    }

    /// All records that the coordinator has above a cursor, then new ones as they come.
    ///
    /// # Errors
    /// [`CallError`]; items are errors when the stream breaks.
    pub async fn feed(
        &self,
        worker: u64,
        cursor: u64,
    ) -> Result<impl Stream<Item = Result<Batch, CallError>> + use<>, CallError> {
        let request = v1::FeedRequest { worker, cursor };
        let responses = in_time(LONGEST_CALL, self.calls().feed(request)).await?;
        Ok(responses.map(|response| {
            let v1::FeedResponse {
                block,
                cursor,
                caught_up,
            } = response?;
            Ok(Batch {
                block,
                cursor,
                caught_up,
            })
        }))
    }
}

async fn in_time<T>(
    longest: Duration,
    call: impl Future<Output = Result<Response<T>, Status>>,
) -> Result<T, CallError> {
    match timeout(longest, call).await {
        Ok(answer) => Ok(answer?.into_inner()),
        Err(_) => Err(CallError::Unreachable(format!(
            "no answer within {longest:?}"
        ))),
    }
}

fn to_wire(numbers: Numbers) -> v1::Numbers {
    let Numbers { proof, disproof } = numbers;
    v1::Numbers { proof, disproof }
}

/// A job as it came over the wire.
pub fn leased(job: v1::Job) -> Leased {
    let play = match v1::Play::try_from(job.play) {
        Ok(v1::Play::Normal) => Play::Normal,
        Ok(v1::Play::Misere) => Play::Misere,
        _ => return Leased::Unreadable(job.lease, "a job without a convention"),
    };
    Leased::Job(Job {
        lease: job.lease,
        computation: job.computation,
        game: job.game,
        play,
        state: job.state,
        slice: Duration::from_millis(job.slice_ms.into()),
    })
}
