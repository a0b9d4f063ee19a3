//! The calls to the coordinator.

use std::time::Duration;

use sproutnet_common::game;
use sproutnet_common::play::{Play, Record};
use sproutnet_common::search::Numbers;
use sproutnet_common::store::block;
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use sproutnet_proto::{LARGEST_MESSAGE, PROTOCOL, v1};
use tokio_stream::{Stream, StreamExt};
use tonic::Status;
use tonic::transport::Channel;

use crate::job::{Finding, Job};

/// A registered worker's connection. Clones share it.
#[derive(Clone)]
pub struct Client {
    calls: WorkerServiceClient<Channel>,
    worker: u64,
}

/// Some records from the feed.
pub struct Batch {
    /// The records.
    pub records: Vec<Record>,
    /// Whether these were all there were when they were sent.
    pub caught_up: bool,
}

impl Client {
    /// Introduces a worker.
    ///
    /// # Errors
    /// The coordinator cannot be reached, or refuses the worker.
    pub async fn register(channel: Channel, cores: usize, name: String) -> Result<Self, Status> {
        let mut calls = WorkerServiceClient::new(channel)
            .max_decoding_message_size(LARGEST_MESSAGE)
            .max_encoding_message_size(LARGEST_MESSAGE);
        let encodings = game::encodings()
            .into_iter()
            .map(|(game, version)| v1::Encoding {
                game: game.to_owned(),
                version,
            });
        let request = v1::RegisterRequest {
            protocol: PROTOCOL,
            encodings: encodings.collect(),
            cores: cores as u32,
            name,
            identity: 0,
        };
        let worker = calls.register(request).await?.into_inner().worker;
        Ok(Self { calls, worker })
    }

    /// Asks for a job. `None` if there is none for now.
    ///
    /// # Errors
    /// The call fails, or the answer makes no sense.
    pub async fn lease(&mut self) -> Result<Option<Job>, Status> {
        let worker = self.worker;
        let response = self
            .calls
            .lease(v1::LeaseRequest { worker, slot: 0 })
            .await?;
        let Some(leased) = response.into_inner().job else {
            return Ok(None);
        };
        let lease = leased.lease;
        match job(leased) {
            Ok(job) => Ok(Some(job)),
            Err(problem) => {
                tracing::error!(lease, problem, "a job cannot be read");
                self.release(lease).await?;
                Ok(None)
            }
        }
    }

    /// Says what came of a job, and hands over records.
    ///
    /// # Errors
    /// The call fails; nothing is known to have arrived then.
    pub async fn report(
        &mut self,
        lease: u64,
        finding: &Finding,
        records: &[Record],
    ) -> Result<(), Status> {
        let child = |(state, numbers): &(Vec<u8>, Numbers)| v1::ChildNumbers {
            state: state.clone(),
            numbers: Some(to_wire(*numbers)),
        };
        let mut records = records.to_vec();
        records.sort();
        records.dedup_by(|a, b| a.key == b.key);
        let encode = |records: &[Record]| {
            let records = records.iter().map(|record| (&*record.key, record.value));
            block::encode(records).unwrap_or_default()
        };
        let request = v1::ReportRequest {
            worker: self.worker,
            lease,
            numbers: Some(to_wire(finding.numbers)),
            children: finding.children.iter().map(child).collect(),
            blocks: records.chunks(block::RECORDS).map(encode).collect(),
            visits: finding.visits,
            expansions: finding.expansions,
            fault: finding.fault.clone().unwrap_or_default(),
        };
        self.calls.report(request).await?;
        Ok(())
    }

    /// Keeps a lease from running out. False if the job is not wanted any more.
    ///
    /// # Errors
    /// The call fails.
    pub async fn renew(&mut self, lease: u64) -> Result<bool, Status> {
        let worker = self.worker;
        let request = v1::RenewRequest {
            worker,
            leases: vec![lease],
            ..v1::RenewRequest::default()
        };
        let response = self.calls.renew(request).await?;
        Ok(response.into_inner().unwanted.is_empty())
    }

    /// Hands a job back without a result.
    ///
    /// # Errors
    /// The call fails.
    pub async fn release(&mut self, lease: u64) -> Result<(), Status> {
        let worker = self.worker;
        self.calls
            .release(v1::ReleaseRequest { worker, lease })
            .await?;
        Ok(())
    }

    /// All records that the coordinator has, then new ones as they come.
    ///
    /// # Errors
    /// The call fails; items are errors when the stream breaks.
    pub async fn feed(
        &mut self,
    ) -> Result<impl Stream<Item = Result<Batch, Status>> + use<>, Status> {
        let request = v1::FeedRequest {
            worker: self.worker,
            cursor: 0,
        };
        let responses = self.calls.feed(request).await?.into_inner();
        Ok(responses.map(|response| {
            let v1::FeedResponse {
                block, caught_up, ..
            } = response?;
            let records = match &block[..] {
                [] => Vec::new(),
                block => {
                    block::decode(block).map_err(|error| Status::data_loss(error.to_string()))?
                }
            };
            Ok(Batch { records, caught_up })
        }))
    }
}

fn to_wire(numbers: Numbers) -> v1::Numbers {
    let Numbers { proof, disproof } = numbers;
    v1::Numbers { proof, disproof }
}

fn job(job: v1::Job) -> Result<Job, &'static str> {
    let play = match v1::Play::try_from(job.play) {
        Ok(v1::Play::Normal) => Play::Normal,
        Ok(v1::Play::Misere) => Play::Misere,
        _ => return Err("a job without a convention"),
    };
    Ok(Job {
        lease: job.lease,
        game: job.game,
        play,
        state: job.state,
        slice: Duration::from_millis(job.slice_ms.into()),
        expires: Duration::from_millis(job.expires_ms.into()),
    })
}
