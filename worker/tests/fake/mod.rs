//! A coordinator that follows a test's script and records the requests it receives.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sproutnet_proto::v1;
use sproutnet_proto::v1::report_request::Content;
use sproutnet_proto::v1::worker_service_server::{WorkerService, WorkerServiceServer};
use sproutnet_solver::play::{Knowledge, Record, Rules};
use sproutnet_store::block;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio_stream::Stream;
use tokio_stream::wrappers::{ReceiverStream, TcpListenerStream};
use tonic::transport::Server;
use tonic::{Request, Response, Status};

/// The number of every worker.
pub(crate) const WORKER: u64 = 1;

/// The script: the answers of the fake coordinator.
pub(crate) struct Script {
    /// The id of its store.
    pub(crate) store: u64,
    /// The states that its store had, if it tells them.
    pub(crate) history: Option<v1::History>,
    /// The state of its store that has each report, if it tells one.
    pub(crate) mark: Option<v1::Mark>,
    /// The refusal of a registration, if it is refused.
    pub(crate) refusal: Option<Status>,
    /// The jobs to lease; then there are none.
    pub(crate) jobs: Mutex<VecDeque<v1::Job>>,
    /// The errors for the next reports, instead of acknowledgements. With a lease, they are for the next reports of
    /// that lease; with [`DELIVERIES`], for the next deliveries.
    pub(crate) answers: Mutex<VecDeque<(Option<u64>, Status)>>,
    /// The delay of the answer to a report.
    pub(crate) delay: Duration,
    /// The leases that are no longer wanted.
    pub(crate) unwanted: Mutex<Vec<u64>>,
    /// The least worth that it asks for, in visits.
    pub(crate) least_worth: Option<u64>,
    /// The blocks of its feed.
    pub(crate) feed: watch::Sender<Vec<Vec<u8>>>,
    /// Ends open feeds when it changes.
    pub(crate) breaks: watch::Sender<()>,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            store: 7,
            history: None,
            mark: None,
            refusal: None,
            jobs: Mutex::default(),
            answers: Mutex::default(),
            delay: Duration::ZERO,
            unwanted: Mutex::default(),
            least_worth: None,
            feed: watch::Sender::default(),
            breaks: watch::Sender::default(),
        }
    }
}

impl Script {
    /// A script with these jobs.
    pub(crate) fn with_jobs(jobs: impl IntoIterator<Item = v1::Job>) -> Self {
        Self {
            jobs: Mutex::new(jobs.into_iter().collect()),
            ..Self::default()
        }
    }

    /// Answers the next `reports` reports with `status`: those of a lease, [`DELIVERIES`], or any.
    pub(crate) fn answer(&self, reports: usize, lease: Option<u64>, status: &Status) {
        let answer = (lease, status.clone());
        let answers = std::iter::repeat_n(answer, reports);
        self.answers.lock().expect("no panic").extend(answers);
    }

    fn answer_to(&self, report: Option<u64>) -> Result<v1::ReportResponse, Status> {
        let mut answers = self.answers.lock().expect("no panic");
        let fits = |(lease, _): &(Option<u64>, Status)| lease.is_none() || *lease == report;
        match answers
            .iter()
            .position(fits)
            .and_then(|i| answers.remove(i))
        {
            Some((_, status)) => Err(status),
            None => Ok(v1::ReportResponse { mark: self.mark }),
        }
    }
}

/// Stands for deliveries, which have no lease: the first lease is 1.
pub(crate) const DELIVERIES: u64 = 0;

/// A recorded request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Asked {
    Registered(v1::RegisterRequest),
    Leased(v1::LeaseRequest),
    Delivered(v1::Delivery),
    Found(v1::Finding),
    Faulted(v1::Fault),
    Renewed(v1::RenewRequest),
    Released(u64),
    /// A feed request with this cursor.
    Fed(u64),
}

/// The fake coordinator, and the requests that it received.
pub(crate) struct Fake {
    pub(crate) address: SocketAddr,
    pub(crate) script: Arc<Script>,
    asked: mpsc::UnboundedReceiver<Asked>,
}

impl Fake {
    /// Serves on a free port as long as the runtime lives.
    pub(crate) async fn serve(script: Script) -> Self {
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        Self::serve_at(any, script).await
    }

    /// Serves on a known port.
    pub(crate) async fn serve_at(address: SocketAddr, script: Script) -> Self {
        let listener = TcpListener::bind(address).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (service, script, asked) = service(script);
        let server = Server::builder().add_service(service);
        tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
        Self {
            address,
            script,
            asked,
        }
    }

    /// Waits for a request for which `pick` returns a value, and skips others.
    pub(crate) async fn until<T>(&mut self, mut pick: impl FnMut(Asked) -> Option<T>) -> T {
        let picked = async {
            loop {
                let asked = self.asked.recv().await.expect("it serves");
                if let Some(picked) = pick(asked) {
                    return picked;
                }
            }
        };
        let picked = tokio::time::timeout(Duration::from_secs(60), picked).await;
        picked.expect("it should have been asked long ago")
    }

    /// All records of reports within a while.
    pub(crate) async fn records_within(&mut self, time: Duration) -> Vec<Record> {
        let mut records = Vec::new();
        let all = async {
            while let Some(asked) = self.asked.recv().await {
                records.extend(records_of(&asked));
            }
        };
        // It never ends by itself.
        let _ = tokio::time::timeout(time, all).await;
        records
    }

    /// The next result of a job.
    pub(crate) async fn finding(&mut self) -> v1::Finding {
        let ends = |asked| match asked {
            Asked::Found(finding) => Some(finding),
            _ => None,
        };
        self.until(ends).await
    }
}

/// The service, its script, and the channel of its requests.
pub(crate) fn service(
    script: Script,
) -> (
    WorkerServiceServer<Service>,
    Arc<Script>,
    mpsc::UnboundedReceiver<Asked>,
) {
    let script = Arc::new(script);
    let (record, asked) = mpsc::unbounded_channel();
    let service = Service {
        script: Arc::clone(&script),
        record,
    };
    let server = WorkerServiceServer::new(service)
        .max_decoding_message_size(sproutnet_proto::LARGEST_MESSAGE);
    (server, script, asked)
}

/// The records of a delivery; none of other requests.
pub(crate) fn records_of(asked: &Asked) -> Vec<Record> {
    let Asked::Delivered(delivery) = asked else {
        return Vec::new();
    };
    let decoded = |bytes: &Vec<u8>| block::decode(bytes).expect("a block");
    let records = delivery.blocks.iter().flat_map(decoded);
    records.map(|sourced| sourced.record).collect()
}

/// A job that ends with the slice at the latest.
pub(crate) fn job(lease: u64, position: &str, play: v1::Play, slice: Duration) -> v1::Job {
    let (game, position) = sproutnet_game::parse(position).expect("a position");
    let knowledge = Knowledge::default();
    let known = knowledge.game(game.name()).expect("a game");
    let state = match play {
        v1::Play::Misere => {
            let state = known.misere.state(&position);
            state.encode(&*known.misere)
        }
        _ => {
            let state = known.normal.state(&position);
            state.encode(&*known.normal)
        }
    };
    v1::Job {
        lease,
        game: game.name().to_owned(),
        play: play.into(),
        state: state.expect("small"),
        slice_ms: slice.as_millis() as u32,
        expires_ms: 30_000,
        computation: 1,
        limit: None,
    }
}

pub(crate) struct Service {
    script: Arc<Script>,
    record: mpsc::UnboundedSender<Asked>,
}

impl Service {
    fn record(&self, asked: Asked) {
        // The test may have stopped listening.
        let _ = self.record.send(asked);
    }
}

#[tonic::async_trait]
impl WorkerService for Service {
    async fn register(
        &self,
        request: Request<v1::RegisterRequest>,
    ) -> Result<Response<v1::RegisterResponse>, Status> {
        self.record(Asked::Registered(request.into_inner()));
        match &self.script.refusal {
            Some(refusal) => Err(refusal.clone()),
            None => Ok(Response::new(v1::RegisterResponse {
                worker: WORKER,
                store: self.script.store,
                epoch: 0,
                history: self.script.history.clone(),
            })),
        }
    }

    async fn exchange(
        &self,
        _: Request<v1::ExchangeRequest>,
    ) -> Result<Response<v1::ExchangeResponse>, Status> {
        // This worker is alone.
        Ok(Response::new(v1::ExchangeResponse {
            least_work: 32,
            pause_ms: 250,
            ..v1::ExchangeResponse::default()
        }))
    }

    async fn lease(
        &self,
        request: Request<v1::LeaseRequest>,
    ) -> Result<Response<v1::LeaseResponse>, Status> {
        self.record(Asked::Leased(request.into_inner()));
        let job = self.script.jobs.lock().expect("no panic").pop_front();
        if job.is_none() {
            tokio::time::sleep(Duration::from_secs(5)).await;
        }
        Ok(Response::new(v1::LeaseResponse { job }))
    }

    async fn report(
        &self,
        request: Request<v1::ReportRequest>,
    ) -> Result<Response<v1::ReportResponse>, Status> {
        let (lease, asked) = match request.into_inner().content.expect("content") {
            Content::Delivery(delivery) => (Some(DELIVERIES), Asked::Delivered(delivery)),
            Content::Finding(finding) => (Some(finding.lease), Asked::Found(finding)),
            Content::Fault(fault) => (fault.lease, Asked::Faulted(fault)),
        };
        self.record(asked);
        tokio::time::sleep(self.script.delay).await;
        self.script.answer_to(lease).map(Response::new)
    }

    async fn renew(
        &self,
        request: Request<v1::RenewRequest>,
    ) -> Result<Response<v1::RenewResponse>, Status> {
        self.record(Asked::Renewed(request.into_inner()));
        let unwanted = self.script.unwanted.lock().expect("no panic").clone();
        let least_worth = self.script.least_worth;
        Ok(Response::new(v1::RenewResponse {
            unwanted,
            least_worth,
        }))
    }

    async fn release(
        &self,
        request: Request<v1::ReleaseRequest>,
    ) -> Result<Response<v1::ReleaseResponse>, Status> {
        self.record(Asked::Released(request.into_inner().lease));
        Ok(Response::new(v1::ReleaseResponse {}))
    }

    type FeedStream = Pin<Box<dyn Stream<Item = Result<v1::FeedResponse, Status>> + Send>>;

    async fn feed(
        &self,
        request: Request<v1::FeedRequest>,
    ) -> Result<Response<Self::FeedStream>, Status> {
        let mut cursor = request.into_inner().cursor;
        let mut changes = self.script.feed.subscribe();
        let mut breaks = self.script.breaks.subscribe();
        self.record(Asked::Fed(cursor));
        let (sender, receiver) = mpsc::channel(8);
        tokio::spawn(async move {
            loop {
                let blocks = changes.borrow_and_update().clone();
                let news = blocks.into_iter().skip(cursor as usize);
                for block in news.chain([Vec::new()]) {
                    let caught_up = block.is_empty();
                    cursor += u64::from(!caught_up);
                    let response = v1::FeedResponse {
                        block,
                        cursor,
                        caught_up,
                        timeline: 0,
                    };
                    if sender.send(Ok(response)).await.is_err() {
                        return;
                    }
                }
                tokio::select! {
                    changed = changes.changed() => if changed.is_err() { return },
                    _ = breaks.changed() => return,
                    () = sender.closed() => return,
                }
            }
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }
}
