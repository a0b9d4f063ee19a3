//! The threads of a worker and their life.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sproutnet_common::play::{Knowledge, Record};
use sproutnet_common::search::{Control, Table};
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinSet;
use tokio_stream::StreamExt;
use tonic::transport::Channel;
use tonic::{Code, Status};

use crate::Memory;
use crate::client::Client;
use crate::job::{self, Finding, Job};

/// Searches recurse as deep as the longest play, several frames a move. Memory is taken only as
/// far as it is used.
const STACK: usize = 256 << 20;

/// Records go out in reports of at most about this many bytes.
const LARGEST_REPORT: usize = 4 << 20;

/// How long searches may take to hand back what they are at.
const LONGEST_CLOSE: Duration = Duration::from_secs(10);

/// How often a lease is renewed. Thereby a worker learns that a job is not wanted any more.
const RENEWAL: Duration = Duration::from_millis(500);

/// The wait after a failure, doubled with each further one up to the largest.
const SHORTEST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// What a worker may use.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many searches run at a time.
    pub cores: usize,
    /// The size of the transposition table.
    pub memory: Memory,
    /// A name for people to read.
    pub name: String,
}

/// Why a worker gave up.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The coordinator does not accept this worker; trying again is of no use.
    #[error("the coordinator refused this worker: {0}")]
    Refused(String),
    /// The table does not fit.
    #[error("there is no memory for a transposition table of {0}")]
    Memory(Memory),
    /// A thread could not be started.
    #[error("a search thread could not be started")]
    Thread(#[from] std::io::Error),
}

/// Why work for a coordinator broke off.
enum Broken {
    Call(Status),
    Thread(std::io::Error),
}

impl From<Status> for Broken {
    fn from(status: Status) -> Self {
        Self::Call(status)
    }
}

impl From<std::io::Error> for Broken {
    fn from(error: std::io::Error) -> Self {
        Self::Thread(error)
    }
}

/// Everything that the threads of a worker share.
pub struct Worker {
    config: Config,
    knowledge: Knowledge,
    table: Table,
    /// Records that no report has carried yet.
    owed: Mutex<Vec<Record>>,
    /// The searches under way.
    searches: Mutex<Vec<Arc<Control>>>,
}

impl Worker {
    /// A worker that knows nothing yet.
    ///
    /// # Errors
    /// There is not that much memory.
    pub fn new(config: Config) -> Result<Arc<Self>, WorkerError> {
        let table = Table::new(config.memory.0).ok_or(WorkerError::Memory(config.memory))?;
        Ok(Arc::new(Self {
            table,
            knowledge: Knowledge::default(),
            owed: Mutex::default(),
            searches: Mutex::default(),
            config,
        }))
    }

    /// Works for a coordinator until `stop` becomes true: then hands back what it is at, reports
    /// what it found, and returns. When the connection fails it tries again and again.
    ///
    /// # Errors
    /// The coordinator refuses this worker, or a thread could not be started.
    pub async fn run(
        self: &Arc<Self>,
        channel: Channel,
        stop: watch::Receiver<bool>,
    ) -> Result<(), WorkerError> {
        let mut wait = SHORTEST_WAIT;
        while !*stop.borrow() {
            let began = Instant::now();
            let error = match self.work(channel.clone(), stop.clone()).await {
                Ok(()) => break,
                Err(Broken::Thread(error)) => return Err(error.into()),
                Err(Broken::Call(error)) => error,
            };
            if error.code() == Code::FailedPrecondition {
                return Err(WorkerError::Refused(error.message().to_owned()));
            }
            if began.elapsed() > LONGEST_WAIT {
                wait = SHORTEST_WAIT;
            }
            tracing::warn!(%error, ?wait, "the coordinator cannot be reached; trying again");
            let mut stopped = stop.clone();
            let _ = tokio::time::timeout(wait, stopped.wait_for(|&stop| stop)).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
        Ok(())
    }

    /// Works until `stop` becomes true or a call fails.
    async fn work(
        self: &Arc<Self>,
        channel: Channel,
        mut stop: watch::Receiver<bool>,
    ) -> Result<(), Broken> {
        // All tasks of a set end with it: an open feed would keep the coordinator from closing.
        let mut feeding = JoinSet::new();
        let client = tokio::select! {
            client = self.enter(channel, &mut feeding) => client?,
            _ = stop.wait_for(|&stop| stop) => return Ok(()),
        };
        let (end, ended) = watch::channel(false);
        let mut threads = JoinSet::new();
        for number in 0..self.config.cores {
            let (worker, client, ended) = (Arc::clone(self), client.clone(), ended.clone());
            let (result, done) = oneshot::channel();
            let runtime = Handle::current();
            std::thread::Builder::new()
                .name(format!("search-{number}"))
                .stack_size(STACK)
                .spawn(move || {
                    // The receiver is gone only if the work is broken off.
                    let _ = result.send(worker.search(&runtime, client, &ended));
                })?;
            threads.spawn(done);
        }
        let mut outcome = Ok(());
        let mut give_up = None;
        loop {
            tokio::select! {
                thread = threads.join_next() => {
                    let Some(thread) = thread else {
                        return outcome;
                    };
                    let panicked = || Err(Status::internal("a search panicked"));
                    let result = thread.ok().and_then(Result::ok).unwrap_or_else(panicked);
                    outcome = outcome.and(result.map_err(Into::into));
                }
                Some(_) = feeding.join_next() => {
                    let broken = Status::unavailable("the feed of records broke off");
                    outcome = outcome.and(Err(broken.into()));
                }
                _ = stop.wait_for(|&stop| stop), if give_up.is_none() => {
                    give_up = Some(tokio::time::Instant::now() + LONGEST_CLOSE);
                }
                () = sleep_until(give_up), if give_up.is_some() => return outcome,
            }
            if outcome.is_err() || give_up.is_some() {
                end.send_replace(true);
                self.searches().iter().for_each(|control| control.cancel());
            }
        }
    }

    /// Registers, and learns all that the coordinator knows; goes on learning in a task.
    async fn enter(
        self: &Arc<Self>,
        channel: Channel,
        feeding: &mut JoinSet<()>,
    ) -> Result<Client, Broken> {
        let Config { cores, name, .. } = &self.config;
        let mut client = Client::register(channel, *cores, name.clone()).await?;
        let feed = client.feed().await?;
        let (caught_up, mut ready) = watch::channel(false);
        feeding.spawn(Arc::clone(self).take_in(feed, caught_up));
        match ready.wait_for(|&ready| ready).await {
            Ok(_) => Ok(client),
            Err(_) => Err(Status::unavailable("the feed of records broke off").into()),
        }
    }

    /// Learns all that the feed brings.
    async fn take_in(
        self: Arc<Self>,
        feed: impl tokio_stream::Stream<Item = Result<crate::client::Batch, Status>>,
        caught_up: watch::Sender<bool>,
    ) {
        let mut feed = std::pin::pin!(feed);
        while let Some(batch) = feed.next().await {
            let batch = match batch {
                Ok(batch) => batch,
                Err(error) => return tracing::warn!(%error, "the feed of records broke off"),
            };
            let worker = Arc::clone(&self);
            let learn = move || {
                for record in &batch.records {
                    if let Err(error) = worker.knowledge.learn(record) {
                        tracing::error!(%error, "a record from the coordinator was not taken");
                    }
                }
                batch.caught_up
            };
            match tokio::task::spawn_blocking(learn).await {
                Ok(true) => drop(caught_up.send_replace(true)),
                Ok(false) => {}
                Err(error) => return tracing::error!(%error, "learning failed"),
            }
        }
    }

    /// One thread: leases, searches and reports until told to end.
    fn search(
        self: &Arc<Self>,
        runtime: &Handle,
        mut client: Client,
        ended: &watch::Receiver<bool>,
    ) -> Result<(), Status> {
        loop {
            let mut end = ended.clone();
            let job = runtime.block_on(async {
                tokio::select! {
                    biased;
                    _ = end.wait_for(|&end| end) => None,
                    job = client.lease() => Some(job),
                }
            });
            let Some(job) = job.transpose()? else {
                return Ok(());
            };
            let Some(job) = job else {
                continue;
            };
            let control = Arc::new(Control::until(Some(Instant::now() + job.slice)));
            self.searches().push(Arc::clone(&control));
            if *ended.borrow() {
                control.cancel();
            }
            let renewing = runtime.spawn(renew(client.clone(), job.clone(), Arc::clone(&control)));
            let finding = job::search(&job, &self.knowledge, &self.table, &control);
            renewing.abort();
            self.searches()
                .retain(|other| !Arc::ptr_eq(other, &control));
            match finding {
                Ok(finding) => self.report(runtime, &mut client, job.lease, &finding)?,
                Err(problem) => {
                    tracing::error!(lease = job.lease, problem, "a job cannot be read");
                    runtime.block_on(client.release(job.lease))?;
                }
            }
        }
    }

    /// Sends a finding and all records that are owed.
    fn report(
        &self,
        runtime: &Handle,
        client: &mut Client,
        lease: u64,
        finding: &Finding,
    ) -> Result<(), Status> {
        let mut records = {
            let mut owed = self.owed.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *owed)
        };
        records.extend(self.knowledge.take_records());
        let mut rest = &records[..];
        while !rest.is_empty() {
            let (now, later) = rest.split_at(fitting(rest));
            // All but the last part goes ahead on its own, so that the finding comes last.
            if later.is_empty() {
                break;
            }
            let sent = runtime.block_on(client.report(0, &Finding::none(), now));
            self.keep_if_lost(&sent, rest);
            sent?;
            rest = later;
        }
        let sent = runtime.block_on(client.report(lease, finding, rest));
        self.keep_if_lost(&sent, rest);
        sent
    }

    fn keep_if_lost(&self, sent: &Result<(), Status>, records: &[Record]) {
        if sent.is_err() {
            let mut owed = self.owed.lock().unwrap_or_else(PoisonError::into_inner);
            owed.extend_from_slice(records);
        }
    }

    fn searches(&self) -> MutexGuard<'_, Vec<Arc<Control>>> {
        self.searches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn sleep_until(instant: Option<tokio::time::Instant>) {
    match instant {
        Some(instant) => tokio::time::sleep_until(instant).await,
        None => std::future::pending().await,
    }
}

/// How many of the records make a report of the largest size, at least one.
fn fitting(records: &[Record]) -> usize {
    let mut bytes = 0;
    let too_many = records.iter().position(|record| {
        bytes += record.key.len() + 16;
        bytes > LARGEST_REPORT
    });
    too_many.unwrap_or(records.len()).max(1)
}

/// Renews a job's lease until aborted; cancels the search if the job is not wanted any more.
async fn renew(mut client: Client, job: Job, control: Arc<Control>) {
    loop {
        tokio::time::sleep(RENEWAL.min(job.expires / 3)).await;
        match client.renew(job.lease).await {
            Ok(true) => {}
            Ok(false) => return control.cancel(),
            Err(error) => tracing::warn!(%error, "a lease could not be renewed"),
        }
    }
}
