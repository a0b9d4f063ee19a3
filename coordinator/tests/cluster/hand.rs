//! A worker whose calls are made one by one, and the search of its jobs.

use std::collections::BTreeMap;

use sproutnet_common::game;
use sproutnet_common::play::{Convention, Knowledge, Normal, Outcome, Play, Record, State};
use sproutnet_common::search::{Control, Numbers, Search, Table};
use sproutnet_proto::v1;
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use tokio_stream::StreamExt;
use tonic::transport::Channel;
use tonic::{Code, Status, Streaming};

use super::soon;

/// A registered worker.
pub(crate) struct Hand {
    pub(crate) calls: WorkerServiceClient<Channel>,
    pub(crate) id: u64,
}

impl Hand {
    pub(crate) async fn register(mut calls: WorkerServiceClient<Channel>, name: &str) -> Self {
        let request = v1::RegisterRequest {
            protocol: 1,
            encodings: encodings(),
            cores: 1,
            name: name.to_owned(),
        };
        let response = soon(calls.register(request)).await.expect("accepted");
        let id = response.into_inner().worker;
        Self { calls, id }
    }

    /// A job, or `None` when the coordinator says that there is none.
    pub(crate) async fn lease(&mut self) -> Option<v1::Job> {
        let request = v1::LeaseRequest { worker: self.id };
        let response = soon(self.calls.lease(request)).await.expect("a response");
        response.into_inner().job
    }

    /// A job that there must be.
    pub(crate) async fn job(&mut self) -> v1::Job {
        self.lease().await.expect("a job")
    }

    /// Sends a report made by [`unsolved`] or [`outcome`], as this worker's.
    pub(crate) async fn report(&mut self, report: v1::ReportRequest) -> Result<(), Status> {
        let worker = self.id;
        let report = v1::ReportRequest { worker, ..report };
        soon(self.calls.report(report)).await.map(|_| ())
    }

    /// Hands over records that belong to no lease.
    pub(crate) async fn hand_over(&mut self, records: Vec<v1::Record>) -> Result<(), Status> {
        let report = unsolved(0, Vec::new());
        self.report(v1::ReportRequest { records, ..report }).await
    }

    pub(crate) async fn renew(&mut self, lease: u64) -> bool {
        let worker = self.id;
        let request = v1::RenewRequest { worker, lease };
        let response = soon(self.calls.renew(request)).await.expect("a response");
        response.into_inner().wanted
    }

    pub(crate) async fn release(&mut self, lease: u64) {
        let worker = self.id;
        let request = v1::ReleaseRequest { worker, lease };
        soon(self.calls.release(request)).await.expect("a response");
    }

    pub(crate) async fn feed(&mut self, cursor: u64) -> Streaming<v1::FeedResponse> {
        let worker = self.id;
        let request = v1::FeedRequest { worker, cursor };
        let response = soon(self.calls.feed(request)).await;
        response.expect("a feed").into_inner()
    }

    /// What the feed holds above a cursor, the newest value of every key, and where it ends.
    pub(crate) async fn known(&mut self, cursor: u64) -> (BTreeMap<Vec<u8>, u64>, u64) {
        let mut feed = self.feed(cursor).await;
        let mut known = BTreeMap::new();
        loop {
            let response = soon(feed.next()).await.expect("a response");
            let response = response.expect("no error");
            known.extend(response.records.into_iter().map(|r| (r.key, r.value)));
            if response.caught_up {
                return (known, response.cursor);
            }
        }
    }
}

/// The encodings that the coordinator knows.
pub(crate) fn encodings() -> Vec<v1::Encoding> {
    let encodings = game::encodings()
        .into_iter()
        .map(|(game, version)| v1::Encoding {
            game: game.to_owned(),
            version,
        });
    encodings.collect()
}

/// A report that did not solve its job.
pub(crate) fn unsolved(lease: u64, children: Vec<v1::ChildNumbers>) -> v1::ReportRequest {
    v1::ReportRequest {
        worker: 0,
        lease,
        numbers: Some(to_wire(Numbers::UNLIMITED)),
        children,
        records: Vec::new(),
        visits: 1,
        expansions: 1,
        fault: String::new(),
    }
}

/// A report that solved its job.
pub(crate) fn outcome(lease: u64, outcome: Outcome) -> v1::ReportRequest {
    v1::ReportRequest {
        numbers: Some(to_wire(Numbers::solved(outcome))),
        ..unsolved(lease, Vec::new())
    }
}

fn to_wire(numbers: Numbers) -> v1::Numbers {
    let Numbers { proof, disproof } = numbers;
    v1::Numbers { proof, disproof }
}

/// The bytes of a position's state under normal play.
pub(crate) fn state(text: &str) -> Vec<u8> {
    let knowledge = Knowledge::default();
    let (game, position) = game::parse(text).expect("a position");
    let normal = &knowledge.game(game.name()).expect("a game").normal;
    let state = normal.state(&position);
    state.encode(&**normal).expect("a small value")
}

/// The key of the record of a position that is one land, under normal play.
pub(crate) fn land_key(text: &str) -> Vec<u8> {
    let (game, position) = game::parse(text).expect("a position");
    let [land] = position.lands() else {
        panic!("`{text}` is not one land");
    };
    Record::new(&*game, Play::Normal, land.as_bytes(), 0)
        .key
        .into()
}

/// A Sprouts state under normal play, and a convention that knows it.
fn read(state: &[u8]) -> (Knowledge, State<u32>) {
    let knowledge = Knowledge::default();
    let normal = &knowledge.game("sprouts").expect("a game").normal;
    let mut state = State::decode(state, &**normal).expect("a state");
    normal.resolve(&mut state);
    (knowledge, state)
}

/// The children of a job's state, under normal play of Sprouts, with numbers that ascend.
pub(crate) fn children(job: &v1::Job) -> Vec<v1::ChildNumbers> {
    let (knowledge, state) = read(&job.state);
    let normal: &Normal = &knowledge.game("sprouts").expect("a game").normal;
    let children = sproutnet_common::search::children(normal, &state, &|| false);
    let Some(Err(children)) = children else {
        panic!("the state is decided at once");
    };
    let child = |(n, child): (u32, &State<u32>)| v1::ChildNumbers {
        state: child.encode(normal).expect("a small value"),
        numbers: Some(v1::Numbers {
            proof: 1000,
            disproof: 10 + n,
        }),
    };
    (0..).zip(&children).map(child).collect()
}

/// The true outcome of a state under normal play of Sprouts.
pub(crate) fn true_outcome(state: &[u8]) -> Outcome {
    let (knowledge, state) = read(state);
    let normal: &Normal = &knowledge.game("sprouts").expect("a game").normal;
    let (table, control) = (Table::new(1 << 20).expect("memory"), Control::until(None));
    let numbers = Search::new(normal, &table, &control).run(&state);
    numbers.outcome().expect("searched to the end")
}

/// The fact that a land has that nimber.
pub(crate) fn exact(position: &str, nimber: u64) -> v1::Record {
    v1::Record {
        key: land_key(position),
        value: 2 * nimber + 1,
    }
}

/// Whether an error is about what was sent.
pub(crate) fn is_invalid(result: &Result<(), Status>) -> bool {
    matches!(result, Err(status) if status.code() == Code::InvalidArgument)
}
