//! A proxy between an honest worker and its coordinator that changes the worker's reports.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};

use fastrand::Rng;
use sproutnet_proto::v1;
use sproutnet_proto::v1::report_request::Content;
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use sproutnet_proto::v1::worker_service_server::{WorkerService, WorkerServiceServer};
use sproutnet_solver::play::{Knowledge, Outcome, Play};
use sproutnet_solver::search::Numbers;
use sproutnet_store::{SourcedRecord, block};
use sproutnet_transport::connect::Connection;
use tokio::net::TcpListener;
use tokio_stream::Stream;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::Server;
use tonic::{Code, Request, Response, Status};

/// The lies of the proxy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lies {
    /// It lies about one record in `one_of`.
    pub(crate) one_of: u64,
    /// Whether it also lies about every second state of its jobs, and changes the outcome of the job to match.
    pub(crate) about_jobs: bool,
    /// The seed that chooses the records.
    pub(crate) seed: u64,
}

/// Counts of what passed the proxy.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Passed {
    /// The number of records reported.
    pub(crate) records: u64,
    /// The number of lies among them.
    pub(crate) lies: u64,
    /// The number of changed outcomes of jobs.
    pub(crate) outcomes: u64,
    /// The number of records reported before the coordinator refused the worker, once it did.
    pub(crate) refused_after: Option<u64>,
}

/// The proxy: it changes a worker's reports.
#[derive(Clone)]
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    state: Arc<Mutex<State>>,
}

struct State {
    lies: Lies,
    random: Rng,
    rules: Knowledge,
    jobs: BTreeMap<u64, v1::Job>,
    /// The reported values by key, so that a lie is repeated for the same key.
    reported: BTreeMap<Box<[u8]>, u64>,
    passed: Passed,
}

impl Proxy {
    /// Starts a proxy in front of the coordinator on this connection.
    pub(crate) async fn before(coordinator: Connection, lies: Lies) -> Self {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let listener = TcpListener::bind(any).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let state = Arc::new(Mutex::new(State {
            lies,
            random: Rng::with_seed(lies.seed),
            rules: Knowledge::default(),
            jobs: BTreeMap::new(),
            reported: BTreeMap::new(),
            passed: Passed::default(),
        }));
        let service = WorkerServiceServer::new(Service {
            calls: WorkerServiceClient::new(coordinator)
                .max_decoding_message_size(sproutnet_proto::LARGEST_MESSAGE),
            state: Arc::clone(&state),
        });
        let service = service.max_decoding_message_size(sproutnet_proto::LARGEST_MESSAGE);
        let incoming = TcpListenerStream::new(listener);
        tokio::spawn(
            Server::builder()
                .add_service(service)
                .serve_with_incoming(incoming),
        );
        Self { address, state }
    }

    /// The counts until now.
    pub(crate) fn passed(&self) -> Passed {
        self.state.lock().expect("no panic").passed
    }
}

struct Service {
    calls: WorkerServiceClient<Connection>,
    state: Arc<Mutex<State>>,
}

impl Service {
    fn calls(&self) -> WorkerServiceClient<Connection> {
        self.calls.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic")
    }
}

impl State {
    /// A false value for a record.
    fn lie(key: &[u8], truth: u64) -> u64 {
        match key[1] {
            b'm' => 1 - truth,
            // A known nimber becomes the next one. The least excluded nimber becomes the nimber.
            _ if truth & 1 == 1 => truth + 2,
            _ => 2 * u64::from((truth >> 1).trailing_zeros()) + 1,
        }
    }

    fn change(&mut self, SourcedRecord { record, .. }: &mut SourcedRecord) {
        self.passed.records += 1;
        if let Some(&lie) = self.reported.get(&record.key) {
            record.value = lie;
        } else if self.random.u64(..self.one_of(&record.key)) == 0 {
            record.value = Self::lie(&record.key, record.value);
            self.reported.insert(record.key.clone(), record.value);
            self.passed.lies += 1;
        }
    }

    /// The rate of lies about this key: one in the returned number.
    fn one_of(&self, key: &[u8]) -> u64 {
        let is_of = |job: &v1::Job| {
            let known = self.rules.game(&job.game).expect("a game");
            let record = known.record_of(play_of(job), &job.state, Outcome::Loss);
            record.is_some_and(|record| *record.key == *key)
        };
        if self.lies.about_jobs && self.jobs.values().any(is_of) {
            2
        } else {
            self.lies.one_of
        }
    }

    fn change_block(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut records = block::decode(bytes).expect("a block");
        for record in &mut records {
            self.change(record);
        }
        block::encode(records.iter().map(SourcedRecord::borrow)).expect("the same keys")
    }

    /// Changes the outcome of a job to match the reported lie about its state, if there is one.
    fn change_outcome(&mut self, lease: u64, numbers: &mut v1::Numbers) {
        let Some(job) = self.jobs.get(&lease).filter(|_| self.lies.about_jobs) else {
            return;
        };
        let reported = Numbers {
            proof: numbers.proof,
            disproof: numbers.disproof,
        };
        let (Some(outcome), Some(known)) = (reported.outcome(), self.rules.game(&job.game)) else {
            return;
        };
        let play = play_of(job);
        let Some(record) = known.record_of(play, &job.state, outcome) else {
            return;
        };
        let Some(&lie) = self.reported.get(&record.key) else {
            return;
        };
        let loses = match play {
            Play::Misere => lie == 0,
            // The last byte of the state is the value of the other lands.
            Play::Normal => u64::from(*job.state.last().expect("a value")) == lie >> 1,
        };
        let fits = Outcome::win_if(!loses);
        if fits != outcome {
            self.passed.outcomes += 1;
            let Numbers { proof, disproof } = Numbers::solved(fits);
            *numbers = v1::Numbers { proof, disproof };
        }
    }
}

fn play_of(job: &v1::Job) -> Play {
    match job.play() {
        v1::Play::Misere => Play::Misere,
        _ => Play::Normal,
    }
}

type Answer<T> = Result<Response<T>, Status>;

#[tonic::async_trait]
impl WorkerService for Service {
    async fn register(
        &self,
        request: Request<v1::RegisterRequest>,
    ) -> Answer<v1::RegisterResponse> {
        let answer = self.calls().register(request.into_inner()).await;
        if let Err(status) = &answer
            && status.code() == Code::PermissionDenied
        {
            let mut state = self.state();
            let reported = state.passed.records;
            state.passed.refused_after.get_or_insert(reported);
        }
        answer
    }

    async fn exchange(
        &self,
        request: Request<v1::ExchangeRequest>,
    ) -> Answer<v1::ExchangeResponse> {
        self.calls().exchange(request.into_inner()).await
    }

    async fn lease(&self, request: Request<v1::LeaseRequest>) -> Answer<v1::LeaseResponse> {
        let answer = self.calls().lease(request.into_inner()).await?;
        if let Some(job) = &answer.get_ref().job {
            self.state().jobs.insert(job.lease, job.clone());
        }
        Ok(answer)
    }

    async fn report(&self, request: Request<v1::ReportRequest>) -> Answer<v1::ReportResponse> {
        let mut request = request.into_inner();
        {
            let mut state = self.state();
            let blocks = match &mut request.content {
                Some(Content::Delivery(delivery)) => &mut delivery.blocks,
                Some(Content::Finding(finding)) => {
                    if let Some(numbers) = &mut finding.numbers {
                        state.change_outcome(finding.lease, numbers);
                    }
                    &mut finding.blocks
                }
                _ => &mut Vec::new(),
            };
            for block in blocks {
                *block = state.change_block(block);
            }
        }
        self.calls().report(request).await
    }

    async fn renew(&self, request: Request<v1::RenewRequest>) -> Answer<v1::RenewResponse> {
        self.calls().renew(request.into_inner()).await
    }

    async fn release(&self, request: Request<v1::ReleaseRequest>) -> Answer<v1::ReleaseResponse> {
        self.calls().release(request.into_inner()).await
    }

    type FeedStream = Pin<Box<dyn Stream<Item = Result<v1::FeedResponse, Status>> + Send>>;

    async fn feed(&self, request: Request<v1::FeedRequest>) -> Answer<Self::FeedStream> {
        let feed = self.calls().feed(request.into_inner()).await?;
        Ok(Response::new(Box::pin(feed.into_inner())))
    }
}
