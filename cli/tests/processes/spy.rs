//! A worker without searches. It reports records from [`facts`], remembers the acknowledged ones, and reads the feed.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::Duration;

use fastrand::Rng;
use sproutnet_game as game;
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use sproutnet_proto::{LARGEST_MESSAGE, PROTOCOL, v1};
use sproutnet_transport::connect::{Connection, Endpoint, Patience};
use sproutnet_transport::credentials::Credentials;
use sproutnet_transport::token::Token;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tonic::{Code, Status};

use super::facts::{self, Fact, Known, learn, of_block};

/// The name with which the spy registers.
pub(crate) const NAME: &str = "spy";

/// The pause between two reports, and before a call is repeated.
const PAUSE: Duration = Duration::from_millis(30);

/// The time limit for reading the whole feed.
const LONGEST_READING: Duration = Duration::from_mins(1);

/// The maximum number of records in a report.
const MOST_RECORDS: usize = 40;

/// The bits of the nimbers that a part of a fact may exclude.
const OTHERS: u64 = 0x3ff;

/// The records that the spy has gathered.
#[derive(Clone, Default)]
pub(crate) struct Gathered {
    /// The reported records that the coordinator has acknowledged as durable.
    pub(crate) acknowledged: Known,
    /// The records from the feed, which is resumed at its cursor after each break.
    pub(crate) fed: Known,
    /// The number of breaks of the feed.
    pub(crate) breaks: u32,
    /// The id of the coordinator's store.
    pub(crate) store: Option<u64>,
}

/// A running spy.
pub(crate) struct Spy {
    gathered: Arc<Mutex<Gathered>>,
    stop: watch::Sender<bool>,
    thread: JoinHandle<()>,
}

impl Spy {
    /// Starts reporting records and reading the feed.
    pub(crate) fn start(url: &str, token_file: &Path, random: Rng) -> Self {
        let gathered = Arc::default();
        let stop = watch::Sender::new(false);
        let connection = connection(url, token_file);
        let thread = {
            let (gathered, stopped) = (Arc::clone(&gathered), stop.subscribe());
            std::thread::spawn(move || block_on(run(connection, gathered, random, stopped)))
        };
        Self {
            gathered,
            stop,
            thread,
        }
    }

    /// The records acknowledged so far.
    pub(crate) fn acknowledged(&self) -> Known {
        lock(&self.gathered).acknowledged.clone()
    }

    /// The numbers of acknowledged records, of records from the feed, and of breaks of the feed.
    pub(crate) fn counts(&self) -> (usize, usize, u32) {
        let gathered = lock(&self.gathered);
        (
            gathered.acknowledged.len(),
            gathered.fed.len(),
            gathered.breaks,
        )
    }

    /// Stops the spy after it has read the feed to its present end.
    pub(crate) fn end(self) -> Gathered {
        self.stop.send_replace(true);
        self.thread.join().expect("no panic");
        lock(&self.gathered).clone()
    }
}

/// The whole feed, from its beginning.
pub(crate) fn whole_feed(url: &str, token_file: &Path) -> Known {
    let connection = connection(url, token_file);
    block_on(async {
        let gathered = Arc::default();
        let caller = Caller::new(connection, Arc::clone(&gathered));
        let mut cursor = 0;
        let reading = caller.read_on(&mut cursor, Until::CaughtUp);
        let read = timeout(LONGEST_READING, reading).await;
        read.expect("the feed has an end")
            .expect("it is not broken");
        lock(&gathered).fed.clone()
    })
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime").block_on(future)
}

fn connection(url: &str, token_file: &Path) -> impl FnOnce() -> Connection + Send + 'static {
    let credentials = Credentials {
        token: Some(Token::read(token_file).expect("a token")),
        tls: None,
    };
    let endpoint = Endpoint::new(url, &credentials, Patience::default()).expect("an address");
    move || endpoint.connect_lazy()
}

async fn run(
    connection: impl FnOnce() -> Connection,
    gathered: Arc<Mutex<Gathered>>,
    random: Rng,
    stop: watch::Receiver<bool>,
) {
    let caller = Caller::new(connection, gathered);
    let mut cursor = 0;
    tokio::select! {
        () = caller.hand_over(random, &stop) => {}
        () = caller.read(&mut cursor) => {}
    }
    let reading = async {
        // The coordinator may have forgotten this worker since the last feed was opened.
        while caller.read_on(&mut cursor, Until::CaughtUp).await.is_err() {
            caller.broken().await;
        }
    };
    let read = timeout(LONGEST_READING, reading).await;
    read.expect("the feed has an end");
}

/// The end of a reading of the feed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// The present end of the coordinator's store.
    CaughtUp,
    /// A break of the feed.
    Broken,
}

/// The calls of a worker.
struct Caller {
    calls: WorkerServiceClient<Connection>,
    gathered: Arc<Mutex<Gathered>>,
    /// The coordinator's number for this worker, if it knows it. Locked during registration: a second registration
    /// would make a new worker, and the coordinator would forget the first.
    number: tokio::sync::Mutex<Option<u64>>,
    identity: u64,
}

impl Caller {
    fn new(connection: impl FnOnce() -> Connection, gathered: Arc<Mutex<Gathered>>) -> Self {
        let calls = WorkerServiceClient::new(connection())
            .max_decoding_message_size(LARGEST_MESSAGE)
            .max_encoding_message_size(LARGEST_MESSAGE);
        Self {
            calls,
            gathered,
            number: tokio::sync::Mutex::default(),
            identity: fastrand::u64(1..),
        }
    }

    /// Reports facts, in part or whole, until `stop`. A report without an acknowledgement is repeated or dropped. No
    /// call is aborted at the end: it could still succeed later, after the feed was read.
    async fn hand_over(&self, mut random: Rng, stop: &watch::Receiver<bool>) {
        let facts = facts::all();
        while !*stop.borrow() {
            let records = some_of(&facts, &mut random);
            let drops = random.bool();
            while let Err(error) = self.report(&records).await {
                check_is_absence(&error);
                sleep(PAUSE).await;
                if drops || *stop.borrow() {
                    break;
                }
            }
            sleep(PAUSE).await;
        }
    }

    async fn report(&self, records: &Known) -> Result<(), Status> {
        let worker = self.registered().await?;
        let blocks = vec![facts::to_block(records)];
        let content = Some(v1::Delivery { blocks }.into());
        let request = v1::ReportRequest { worker, content };
        let answer = self.calls.clone().report(request).await;
        self.note(worker, answer).await?;
        let mut gathered = lock(&self.gathered);
        for (key, &value) in records {
            learn(&mut gathered.acknowledged, key, value);
        }
        Ok(())
    }

    /// Reads the feed, across breaks.
    async fn read(&self, cursor: &mut u64) {
        loop {
            if let Err(error) = self.read_on(cursor, Until::Broken).await {
                check_is_absence(&error);
            }
            self.broken().await;
        }
    }

    async fn broken(&self) {
        lock(&self.gathered).breaks += 1;
        sleep(PAUSE).await;
    }

    async fn read_on(&self, cursor: &mut u64, until: Until) -> Result<(), Status> {
        let worker = self.registered().await?;
        let request = v1::FeedRequest {
            worker,
            cursor: *cursor,
        };
        let answer = self.calls.clone().feed(request).await;
        let mut feed = self.note(worker, answer).await?;
        while let Some(response) = feed.message().await? {
            if !response.block.is_empty() {
                let mut gathered = lock(&self.gathered);
                for (key, value) in of_block(&response.block) {
                    learn(&mut gathered.fed, &key, value);
                }
            }
            assert!(*cursor <= response.cursor, "the feed goes back");
            *cursor = response.cursor;
            if response.caught_up && until == Until::CaughtUp {
                return Ok(());
            }
        }
        Err(Status::unavailable("the feed ended"))
    }

    /// The worker's number; registers if the coordinator does not know it.
    async fn registered(&self) -> Result<u64, Status> {
        let mut number = self.number.lock().await;
        if let Some(number) = *number {
            return Ok(number);
        }
        let request = v1::RegisterRequest {
            protocol: PROTOCOL,
            encodings: game::encodings().into_iter().map(Into::into).collect(),
            cores: 1,
            slots: 1,
            name: NAME.to_owned(),
            identity: self.identity,
            games: Vec::new(),
            version: String::new(),
        };
        let answer = self.calls.clone().register(request).await?.into_inner();
        let before = lock(&self.gathered).store.replace(answer.store);
        assert!(before.is_none_or(|before| before == answer.store));
        Ok(*number.insert(answer.worker))
    }

    /// Drops the worker's number if the coordinator no longer knows it.
    async fn note<T>(
        &self,
        worker: u64,
        answer: Result<tonic::Response<T>, Status>,
    ) -> Result<T, Status> {
        if let Err(error) = &answer
            && error.code() == Code::NotFound
        {
            let mut number = self.number.lock().await;
            *number = number.filter(|&number| number != worker);
        }
        answer.map(tonic::Response::into_inner)
    }
}

/// Checks that an error is a permitted answer to a true record: the coordinator is or was gone, its disk is full, or a
/// write failed.
#[track_caller]
fn check_is_absence(error: &Status) {
    let gone = [
        Code::Unavailable,
        Code::NotFound,
        Code::DeadlineExceeded,
        Code::ResourceExhausted,
        Code::Internal,
    ];
    assert!(gone.contains(&error.code()), "{error:?}");
}

fn some_of(facts: &[Fact], random: &mut Rng) -> Known {
    let mut records = Known::new();
    for _ in 0..random.usize(1..=MOST_RECORDS) {
        let fact = random.choice(facts).expect("there are facts");
        let record = if random.bool() {
            fact.whole()
        } else {
            fact.part(random.u64(1..=OTHERS))
        };
        // A record that excludes no nimber has no information.
        if record.value > 0 {
            learn(&mut records, &record.key, record.value);
        }
    }
    records
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().expect("no panic")
}
