//! A worker whose calls are made one by one.

use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use super::facts::MUCH_WORK;
use sproutnet_game as game;
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use sproutnet_proto::{PROTOCOL, v1};
use sproutnet_solver::play::{Outcome, Record};
use sproutnet_solver::search::Numbers;
use sproutnet_store::block;
use tokio_stream::StreamExt;
use tonic::transport::Channel;
use tonic::{Code, Status, Streaming};

use super::facts::blocks;
use super::soon;

/// The number of cores and slots that a worker registers.
const CORES: u32 = 1024;

/// A registered worker.
pub struct Hand {
    /// Its connection.
    pub calls: WorkerServiceClient<Channel>,
    /// Its number at this coordinator.
    pub id: u64,
    /// The identity that it keeps between registrations.
    pub identity: u64,
    next_slot: u32,
}

impl Hand {
    /// A worker with a new identity.
    pub async fn register(calls: WorkerServiceClient<Channel>, name: &str) -> Self {
        let identity = RandomState::new().hash_one(());
        Self::register_as(calls, name, identity).await
    }

    /// A worker with this identity, registered for the first time or again.
    pub async fn register_as(
        mut calls: WorkerServiceClient<Channel>,
        name: &str,
        identity: u64,
    ) -> Self {
        let request = registration(name, identity);
        let response = soon(calls.register(request)).await.expect("accepted");
        let id = response.into_inner().worker;
        Self::known_as(calls, id, identity)
    }

    /// A worker that uses a number from an earlier registration.
    pub fn known_as(calls: WorkerServiceClient<Channel>, id: u64, identity: u64) -> Self {
        Self {
            calls,
            id,
            identity,
            next_slot: 0,
        }
    }

    /// A job for the next slot. `None` if the coordinator has none.
    pub async fn lease(&mut self) -> Option<v1::Job> {
        let slot = self.next_slot % CORES;
        self.next_slot += 1;
        self.lease_in(slot).await.expect("a response")
    }

    /// A job for this slot.
    pub async fn lease_in(&mut self, slot: u32) -> Result<Option<v1::Job>, Status> {
        let worker = self.id;
        let request = v1::LeaseRequest { worker, slot };
        let response = soon(self.calls.lease(request)).await?;
        Ok(response.into_inner().job)
    }

    /// A job for the next slot. Panics if there is none.
    pub async fn job(&mut self) -> v1::Job {
        self.lease().await.expect("a job")
    }

    /// Sends a report from this worker.
    pub async fn report(
        &mut self,
        content: impl Into<v1::report_request::Content>,
    ) -> Result<(), Status> {
        let (worker, content) = (self.id, Some(content.into()));
        let report = v1::ReportRequest { worker, content };
        soon(self.calls.report(report)).await.map(|_| ())
    }

    /// Delivers records without a lease.
    pub async fn hand_over(&mut self, records: Vec<Record>) -> Result<(), Status> {
        self.hand_over_blocks(blocks(records)).await
    }

    /// Delivers arbitrary blocks.
    pub async fn hand_over_blocks(&mut self, blocks: Vec<Vec<u8>>) -> Result<(), Status> {
        self.report(v1::Delivery { blocks }).await
    }

    /// Whether a lease is still wanted, after renewing it.
    pub async fn renew(&mut self, lease: u64) -> bool {
        self.renew_all(vec![lease]).await.is_empty()
    }

    /// Renews leases; returns those that are no longer wanted.
    pub async fn renew_all(&mut self, leases: Vec<u64>) -> Vec<u64> {
        let request = v1::RenewRequest {
            leases,
            ..v1::RenewRequest::default()
        };
        self.tell(request).await
    }

    /// Makes a renewal with counters; returns the leases that are no longer wanted.
    pub async fn tell(&mut self, request: v1::RenewRequest) -> Vec<u64> {
        let worker = self.id;
        let request = v1::RenewRequest { worker, ..request };
        let response = soon(self.calls.renew(request)).await.expect("a response");
        response.into_inner().unwanted
    }

    /// Returns a job without a result.
    pub async fn release(&mut self, lease: u64) {
        let worker = self.id;
        let request = v1::ReleaseRequest {
            worker,
            lease,
            failed: false,
        };
        soon(self.calls.release(request)).await.expect("a response");
    }

    /// Returns a job whose search failed.
    pub async fn give_up(&mut self, lease: u64) {
        let worker = self.id;
        let request = v1::ReleaseRequest {
            worker,
            lease,
            failed: true,
        };
        soon(self.calls.release(request)).await.expect("a response");
    }

    /// The feed of records above a cursor.
    pub async fn feed(&mut self, cursor: u64) -> Streaming<v1::FeedResponse> {
        let worker = self.id;
        let request = v1::FeedRequest { worker, cursor };
        let response = soon(self.calls.feed(request)).await;
        response.expect("a feed").into_inner()
    }

    /// The records of the feed above a cursor, with the newest value of every key, and the cursor at its end.
    pub async fn known(&mut self, cursor: u64) -> (BTreeMap<Vec<u8>, u64>, u64) {
        let mut feed = self.feed(cursor).await;
        let mut known = BTreeMap::new();
        loop {
            let response = soon(feed.next()).await.expect("a response");
            let response = response.expect("no error");
            known.extend(records(&response).map(|record| (record.key.into(), record.value)));
            if response.caught_up {
                return (known, response.cursor);
            }
        }
    }
}

/// The records of a part of the feed.
pub fn records(response: &v1::FeedResponse) -> impl Iterator<Item = Record> + use<> {
    let records = match &response.block[..] {
        [] => Vec::new(),
        block => block::decode(block).expect("a block"),
    };
    records.into_iter().map(|sourced| sourced.record)
}

/// A registration that is accepted.
pub fn registration(name: &str, identity: u64) -> v1::RegisterRequest {
    v1::RegisterRequest {
        protocol: PROTOCOL,
        encodings: encodings(),
        cores: CORES,
        slots: CORES,
        name: name.to_owned(),
        identity,
        games: Vec::new(),
        version: String::new(),
    }
}

/// A registration for jobs of some games only, with their encodings.
pub fn for_games(games: &[&str], identity: u64) -> v1::RegisterRequest {
    let games: Vec<String> = games.iter().map(|&game| game.to_owned()).collect();
    let mut encodings = encodings();
    encodings.retain(|encoding| games.contains(&encoding.game));
    v1::RegisterRequest {
        games,
        encodings,
        ..registration("few games", identity)
    }
}

/// The encodings that the coordinator knows.
pub fn encodings() -> Vec<v1::Encoding> {
    game::encodings().into_iter().map(Into::into).collect()
}

/// A report of a fault.
pub fn fault(lease: u64, reason: &str) -> v1::Fault {
    v1::Fault {
        lease: Some(lease),
        reason: reason.to_owned(),
        disputed: Vec::new(),
    }
}

/// A report that did not solve its job.
pub fn unsolved(lease: u64, children: Vec<v1::Entry>) -> v1::Finding {
    let numbers = |child: &v1::Entry| Numbers {
        proof: child.proof,
        disproof: child.disproof,
    };
    let numbers = match &children[..] {
        [] => Numbers {
            proof: 7,
            disproof: 7,
        },
        children => Numbers::of_children(children.iter().map(numbers)),
    };
    v1::Finding {
        lease,
        numbers: Some(to_wire(numbers)),
        visits: if children.is_empty() { 1 } else { MUCH_WORK },
        children,
        blocks: Vec::new(),
        expansions: 1,
    }
}

/// A report that solved its job.
pub fn outcome(lease: u64, outcome: Outcome) -> v1::Finding {
    v1::Finding {
        numbers: Some(to_wire(Numbers::solved(outcome))),
        ..unsolved(lease, Vec::new())
    }
}

fn to_wire(numbers: Numbers) -> v1::Numbers {
    let Numbers { proof, disproof } = numbers;
    v1::Numbers { proof, disproof }
}

/// Whether a call was refused as invalid.
pub fn is_invalid(result: &Result<(), Status>) -> bool {
    matches!(result, Err(status) if status.code() == Code::InvalidArgument)
}
