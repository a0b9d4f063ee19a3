//! A sequence of calls of workers and clients over gRPC. Each call is a byte for the method, a byte for the length of
//! the rest, and the rest: the bytes of its request, or a number.

use std::sync::Arc;
use std::time::{Duration, Instant};

use prost::Message;
use sproutnet_coordinator::scheduler::computation::Status as Stands;
use sproutnet_coordinator::{Config, Coordinator, rpc};
use sproutnet_game as game;
use sproutnet_model::Computation;
use sproutnet_proto::v1::client_service_client::ClientServiceClient;
use sproutnet_proto::v1::report_request::Content;
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use sproutnet_proto::{PROTOCOL, v1};
use sproutnet_query as answer;
use sproutnet_solver::play::{Knowledge, Outcome, Play, Record};
use sproutnet_solver::search::{Control, Entry, Found, Numbers, Table, Team};
use sproutnet_store::{OWN, Sourced, block};
use sproutnet_worker::client::{Leased, leased};
use sproutnet_worker::job::{self, Finding};
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::time::Instant as Now;
use tokio_stream::{Stream, StreamExt};
use tonic::service::Routes;
use tonic::{Code, Response, Status};

use super::block::sealed;

/// The maximum number of calls made for an input.
const MOST_CALLS: usize = 40;

/// The maximum number of messages awaited from a stream, and the maximum wait in simulated time.
const MOST_MESSAGES: usize = 4;
const PATIENCE: Duration = Duration::from_secs(1);

/// The memory of an honest worker's search, in bytes.
const TABLE: usize = 1 << 20;

/// The time limit for looking up the outcome of a small position.
const LOOKED_UP_IN: Duration = Duration::from_millis(200);

/// No call causes a panic, and each invalid call is refused with a reason. While no worker reports an unfounded result,
/// outcomes are true. After a restart of the coordinator, every computation is still there, and solved ones are still
/// solved.
///
/// Workers, leases and blocks need not be guessed: small numbers stand for existing ones, and the bytes of a block get
/// a valid format byte and checksum.
pub fn calls(bytes: &[u8]) {
    let data = tempfile::tempdir().expect("a folder");
    let open = |now| {
        let config = Config {
            memory: 64 << 20,
            on_the_spot: Duration::ZERO,
            ..Config::default()
        };
        Coordinator::open(data.path(), config, now).expect("a coordinator")
    };
    let coordinator = Arc::new(open(Instant::now()));
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .max_blocking_threads(2)
        .build()
        .expect("a runtime");
    let mut caller = Caller::new(&coordinator);
    runtime.block_on(async {
        let mut rest = bytes;
        for _ in 0..MOST_CALLS {
            let [which, length, after @ ..] = rest else {
                break;
            };
            let (request, after) = after.split_at(after.len().min(usize::from(*length)));
            rest = after;
            caller.call(*which, request, &coordinator).await;
        }
    });
    let is_honest = caller.is_honest;
    drop((caller, runtime));
    let before = coordinator.computations.list(Instant::now());
    if is_honest {
        before.iter().for_each(check_outcome);
    }
    drop(Arc::into_inner(coordinator).expect("nobody else has it"));
    let after = open(Instant::now()).computations.list(Instant::now());
    for computation in &before {
        let again = after.iter().find(|again| again.id == computation.id);
        let again = again.expect("a computation is there again");
        assert_eq!(again.position, computation.position);
        assert_eq!(
            (again.play, again.nimber_wanted),
            (computation.play, computation.nimber_wanted)
        );
        if computation.progress.status == Stands::Solved {
            assert_eq!(again.progress.status, Stands::Solved);
            assert_eq!(again.progress.outcome, computation.progress.outcome);
            assert_eq!(again.progress.nimber, computation.progress.nimber);
        }
    }
}

/// Asserts that the outcome of a solved position is true.
fn check_outcome(listed: &Computation) {
    assert_ne!(
        listed.progress.status,
        Stands::Failed,
        "{:?}",
        listed.progress.fault
    );
    let Some(told) = listed.progress.outcome.outcome() else {
        return;
    };
    let (game, position) = game::parse(&listed.position).expect("a position");
    let knowledge = Knowledge::default();
    let known = knowledge.game(game.name()).expect("a game");
    if !answer::is_small(known, &position) {
        return;
    }
    let until = Instant::now() + LOOKED_UP_IN;
    let found = answer::solve_small(known, &position, listed.play, until).expect("a search");
    if let Some(found) = found {
        assert_eq!(
            told, found,
            "{} under {} play",
            listed.position, listed.play
        );
    }
    if let Some(nimber) = listed.progress.nimber
        && listed.play == Play::Normal
    {
        assert_eq!(nimber == 0, told == Outcome::Loss, "{}", listed.position);
    }
}

/// The caller, in all roles.
struct Caller {
    people: ClientServiceClient<Routes>,
    workers: WorkerServiceClient<Routes>,
    /// The numbers of registered workers, and the leased jobs.
    registered: Vec<u64>,
    jobs: Vec<(u64, v1::Job)>,
    /// The knowledge of honest workers, and the entries that they found last.
    knowledge: Knowledge,
    found: Vec<v1::Entry>,
    is_honest: bool,
    /// Held so that the services do not end.
    _ending: watch::Sender<bool>,
}

impl Caller {
    fn new(coordinator: &Arc<Coordinator>) -> Self {
        let ending = watch::Sender::new(false);
        let routes = rpc::services(coordinator, &ending.subscribe());
        Self {
            people: ClientServiceClient::new(routes.clone()),
            workers: WorkerServiceClient::new(routes),
            registered: Vec::new(),
            jobs: Vec::new(),
            knowledge: Knowledge::default(),
            found: Vec::new(),
            is_honest: true,
            _ending: ending,
        }
    }

    async fn call(&mut self, which: u8, request: &[u8], coordinator: &Coordinator) {
        let number = request.first().copied().unwrap_or_default();
        match which % 19 {
            0 => self.register(number, request).await,
            1 => self.lease(request).await,
            2 => self.report_honestly(number).await,
            3 => self.report(request).await,
            4 => {
                let mut request: v1::RenewRequest = message(request);
                request.worker = self.worker(request.worker);
                request.leases = request.leases.iter().map(|&l| self.lease_of(l)).collect();
                told(self.workers.renew(request).await);
            }
            5 => {
                let mut request: v1::ReleaseRequest = message(request);
                request.worker = self.worker(request.worker);
                request.lease = self.lease_of(request.lease);
                told(self.workers.release(request).await);
            }
            6 => {
                let mut request: v1::FeedRequest = message(request);
                request.worker = self.worker(request.worker);
                if let Some(feed) = told(self.workers.feed(request).await) {
                    follow(feed, |response| {
                        let is_sound = block::decode(&response.block).is_ok();
                        assert!(response.block.is_empty() || is_sound);
                    })
                    .await;
                }
            }
            7 => {
                let request: v1::StartRequest = message(request);
                told(self.people.start(request).await);
            }
            8 => drop(told(self.people.list(v1::ListRequest {}).await)),
            9 => {
                let request: v1::WatchRequest = message(request);
                if let Some(progress) = told(self.people.watch(request).await) {
                    follow(progress, drop).await;
                }
            }
            10 => drop(told(
                self.people
                    .pause(message::<v1::PauseRequest>(request))
                    .await,
            )),
            11 => drop(told(
                self.people
                    .resume(message::<v1::ResumeRequest>(request))
                    .await,
            )),
            12 => drop(told(
                self.people
                    .cancel(message::<v1::CancelRequest>(request))
                    .await,
            )),
            13 => drop(told(
                self.people
                    .query(message::<v1::QueryRequest>(request))
                    .await,
            )),
            14 => drop(told(
                self.people.line(message::<v1::LineRequest>(request)).await,
            )),
            15 => drop(told(
                self.people
                    .table(message::<v1::TableRequest>(request))
                    .await,
            )),
            16 => drop(told(self.people.fleet(v1::FleetRequest {}).await)),
            18 => self.exchange(request).await,
            _ => {
                tokio::time::advance(Duration::from_secs(number.into())).await;
                let ticked = coordinator.tick(Now::now().into_std());
                ticked.expect("the store is sound");
            }
        }
    }

    /// Registers a worker with one core, known or new, or sends an arbitrary request.
    async fn register(&mut self, number: u8, request: &[u8]) {
        let request = match request.len() {
            0 | 1 => v1::RegisterRequest {
                protocol: PROTOCOL,
                encodings: game::encodings().into_iter().map(Into::into).collect(),
                cores: 2,
                slots: 2,
                name: "a worker".to_owned(),
                identity: number.into(),
                games: Vec::new(),
                version: String::new(),
            },
            _ => message(request),
        };
        if let Some(response) = told(self.workers.register(request).await) {
            self.registered.push(response.worker);
        }
    }

    async fn lease(&mut self, request: &[u8]) {
        let mut request: v1::LeaseRequest = message(request);
        request.worker = self.worker(request.worker);
        let worker = request.worker;
        if let Some(v1::LeaseResponse { job: Some(job) }) = told(self.workers.lease(request).await)
        {
            self.jobs.push((worker, job));
        }
    }

    /// Searches the last leased job for `visits` visits, and reports the result.
    async fn report_honestly(&mut self, visits: u8) {
        let Some((worker, job)) = self.jobs.last().cloned() else {
            return;
        };
        let Leased::Job(job) = leased(job) else {
            panic!("a coordinator gave out a job that cannot be read");
        };
        let table = Table::new(TABLE).expect("memory");
        let control = Control::with_visits(visits.into());
        let found = job::search(&job, &self.knowledge, &table, &Team::new(1), &control, 1);
        let finding: Finding = found.expect("a job of a coordinator can be searched");
        assert!(
            finding.fault.is_none() || !self.is_honest,
            "{:?}",
            finding.fault
        );
        let child = |Entry { key, numbers, work }| v1::Entry {
            key,
            proof: numbers.proof,
            disproof: numbers.disproof,
            work,
        };
        let (numbers, children) = match finding.found {
            Found::Solved(outcome) => (Numbers::solved(outcome), Vec::new()),
            Found::Open {
                numbers, children, ..
            } => (numbers, children.into_iter().map(child).collect()),
        };
        self.found.clone_from(&children);
        let finding = v1::Finding {
            lease: job.lease.0,
            numbers: Some(numbers.into()),
            children,
            blocks: self.blocks(),
            visits: finding.visits,
            expansions: finding.expansions,
        };
        let content = Some(finding.into());
        let request = v1::ReportRequest { worker, content };
        told(self.workers.report(request).await);
    }

    /// The proved records, as blocks.
    fn blocks(&self) -> Vec<Vec<u8>> {
        let mut records = self.knowledge.take_records();
        records.sort();
        records.dedup_by(|a, b| a.key == b.key);
        let encode = |records: &[Record]| {
            let records = records.iter().map(|record| Sourced {
                key: &record.key,
                value: record.value,
                worth: record.worth,
                source: OWN,
            });
            block::encode(records).expect("sorted records")
        };
        records.chunks(block::RECORDS).map(encode).collect()
    }

    /// Sends an arbitrary report.
    async fn report(&mut self, request: &[u8]) {
        let mut request: v1::ReportRequest = message(request);
        request.worker = self.worker(request.worker);
        let blocks = match &mut request.content {
            Some(Content::Delivery(delivery)) => &mut delivery.blocks,
            Some(Content::Finding(finding)) => {
                finding.lease = self.lease_of(finding.lease);
                for child in &mut finding.children {
                    self.meet(child);
                }
                &mut finding.blocks
            }
            Some(Content::Fault(fault)) => {
                fault.lease = fault.lease.map(|lease| self.lease_of(lease));
                &mut Vec::new()
            }
            None => &mut Vec::new(),
        };
        for block in blocks {
            *block = sealed(block);
        }
        if told(self.workers.report(request).await).is_some() {
            self.is_honest = false;
        }
    }

    /// Sends arbitrary news of a search.
    async fn exchange(&mut self, request: &[u8]) {
        let mut request: v1::ExchangeRequest = message(request);
        request.worker = self.worker(request.worker);
        for entry in &mut request.entries {
            self.meet(entry);
        }
        told(self.workers.exchange(request).await);
    }

    /// Replaces a small key by that of one of the entries found last.
    fn meet(&self, entry: &mut v1::Entry) {
        let number = usize::try_from(entry.key).unwrap_or(usize::MAX);
        if let Some(found) = self.found.get(number) {
            entry.key = found.key;
        }
    }

    /// The worker with this index, from 1, or else an arbitrary number.
    fn worker(&self, number: u64) -> u64 {
        let index = usize::try_from(number)
            .unwrap_or(usize::MAX)
            .wrapping_sub(1);
        self.registered.get(index).copied().unwrap_or(number)
    }

    fn lease_of(&self, number: u64) -> u64 {
        let index = usize::try_from(number)
            .unwrap_or(usize::MAX)
            .wrapping_sub(1);
        self.jobs.get(index).map_or(number, |(_, job)| job.lease)
    }
}

/// A decoded request, or the default if the bytes are invalid.
fn message<M: Message + Default>(bytes: &[u8]) -> M {
    M::decode(bytes).unwrap_or_default()
}

/// The answer, if any. Asserts that a refusal has a reason.
fn told<T>(answered: Result<Response<T>, Status>) -> Option<T> {
    match answered {
        Ok(response) => Some(response.into_inner()),
        Err(refused) => {
            assert!(
                matches!(
                    refused.code(),
                    Code::InvalidArgument
                        | Code::NotFound
                        | Code::FailedPrecondition
                        | Code::ResourceExhausted
                ),
                "{refused:?}"
            );
            assert!(!refused.message().is_empty());
            None
        }
    }
}

/// The first messages of a stream, up to its end.
async fn follow<T>(
    mut stream: impl Stream<Item = Result<T, Status>> + Unpin,
    mut met: impl FnMut(T),
) {
    for _ in 0..MOST_MESSAGES {
        match tokio::time::timeout(PATIENCE, stream.next()).await {
            Ok(Some(message)) => met(message.expect("a stream goes on")),
            Ok(None) | Err(_) => return,
        }
    }
}
