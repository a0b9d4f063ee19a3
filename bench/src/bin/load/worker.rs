//! Synthetic workers: they make the calls of real workers, without searches.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context;
use sproutnet_game as game;
use sproutnet_proto::v1::worker_service_client::WorkerServiceClient;
use sproutnet_proto::{LARGEST_MESSAGE, PROTOCOL, v1};
use sproutnet_solver::play::LeastWorth;
use sproutnet_transport::connect::Connection;
use tokio::time::{Instant, sleep, sleep_until};

use crate::fleet::Proved;
use crate::jobs::Jobs;
use crate::measures::Measures;
use crate::records::Blocks;

/// The shortest and the longest pause between two deliveries of a worker, and the minimum ratio of the pause to the
/// last delivery's duration.
const PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
const REST: u32 = 4;

/// The number of entries in an exchange.
const ENTRIES: u64 = 1;

/// The number of threads that moved between two exchanges.
const MOVES: u64 = 4;

/// The time between two renewals.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// The state shared by all workers.
pub(crate) struct Load {
    blocks: Blocks,
    /// The number of blocks in each report.
    blocks_at_once: usize,
    /// Whether workers deliver at the rate of real cores, and exchange entries and places.
    is_fleet: bool,
    next_block: AtomicUsize,
    /// The numbers of the blocks whose reports were acknowledged.
    acknowledged: Mutex<Vec<usize>>,
    jobs: Jobs,
    measures: Mutex<Measures>,
    /// Why a worker gave up, if one did.
    failure: Mutex<Option<anyhow::Error>>,
}

impl Load {
    /// A load that hands over these blocks from number `first` on, `blocks_at_once` with each report.
    pub(crate) fn new(
        blocks: Blocks,
        first: usize,
        blocks_at_once: usize,
        is_fleet: bool,
        jobs: Jobs,
    ) -> Self {
        Self {
            blocks,
            blocks_at_once,
            is_fleet,
            next_block: AtomicUsize::new(first),
            acknowledged: Mutex::default(),
            jobs,
            measures: Mutex::default(),
            failure: Mutex::default(),
        }
    }

    /// Positions for queries: lands with records.
    pub(crate) fn positions(&self) -> &[String] {
        self.blocks.positions()
    }

    /// The next blocks to hand over, with their numbers.
    fn next_blocks(&self, count: usize) -> anyhow::Result<(Range<usize>, Vec<Vec<u8>>)> {
        let first = self.next_block.fetch_add(count, Ordering::Relaxed);
        let numbers = first..first + count;
        let block = |number| self.blocks.get(number).map(<[u8]>::to_vec);
        let blocks: Option<Vec<_>> = numbers.clone().map(block).collect();
        let blocks = blocks.context("all records are handed over")?;
        Ok((numbers, blocks))
    }

    /// The measurements since they were last cleared.
    pub(crate) fn measures(&self) -> MutexGuard<'_, Measures> {
        lock(&self.measures)
    }

    /// All blocks whose reports were acknowledged so far.
    pub(crate) fn acknowledged(&self) -> impl Iterator<Item = &[u8]> {
        let numbers = lock(&self.acknowledged).clone();
        numbers
            .into_iter()
            .filter_map(|number| self.blocks.get(number))
    }

    /// Fails if a worker gave up.
    pub(crate) fn is_sound(&self) -> anyhow::Result<()> {
        lock(&self.failure).take().map_or(Ok(()), Err)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A registered worker.
#[derive(Clone)]
pub(crate) struct Worker {
    calls: WorkerServiceClient<Connection>,
    id: u64,
    slots: u32,
    /// The leases that it holds.
    held: Arc<Mutex<Vec<u64>>>,
    /// The least worth that the coordinator asks for.
    least: Arc<Mutex<LeastWorth>>,
}

impl Worker {
    /// Registers a worker with `slots` slots.
    pub(crate) async fn register(
        connection: Connection,
        number: u32,
        slots: u32,
    ) -> anyhow::Result<Self> {
        let mut calls = WorkerServiceClient::new(connection)
            .max_decoding_message_size(LARGEST_MESSAGE)
            .max_encoding_message_size(LARGEST_MESSAGE);
        let request = v1::RegisterRequest {
            protocol: PROTOCOL,
            encodings: game::encodings().into_iter().map(Into::into).collect(),
            cores: slots,
            slots,
            name: format!("synthetic-{number}"),
            identity: number.into(),
            games: Vec::new(),
            version: String::new(),
        };
        let id = calls.register(request).await?.into_inner().worker;
        Ok(Self {
            calls,
            id,
            slots,
            held: Arc::default(),
            least: Arc::default(),
        })
    }

    /// Begins to work: each slot goes through a cycle in a period, the first after `offset`.
    pub(crate) fn begin(self, load: &Arc<Load>, period: Duration, offset: Duration, feed: bool) {
        let begin = Instant::now() + offset;
        for slot in 0..self.slots {
            let first = begin + period * slot / self.slots;
            let (worker, load) = (self.clone(), Arc::clone(load));
            spawn(&load.clone(), worker.work(load, slot, first, period));
        }
        if feed {
            spawn(load, self.clone().read_feed(Arc::clone(load)));
        }
        if load.is_fleet {
            spawn(load, self.clone().deliver(Arc::clone(load), begin));
            spawn(load, self.clone().exchange(Arc::clone(load)));
        }
        spawn(load, self.keep_alive(Arc::clone(load), begin));
    }

    /// Cycle after cycle: a lease, the time of a search, a report.
    async fn work(
        mut self,
        load: Arc<Load>,
        slot: u32,
        mut next: Instant,
        period: Duration,
    ) -> anyhow::Result<()> {
        let worker = self.id;
        loop {
            sleep_until(next).await;
            let asked = Instant::now();
            let request = v1::LeaseRequest { worker, slot };
            let job = self.calls.lease(request).await?.into_inner().job;
            load.measures().leases.add(asked.elapsed());
            let Some(job) = job else {
                load.measures().idle += 1;
                continue;
            };
            lock(&self.held).push(job.lease);
            let mut report = load.jobs.found(&job)?;
            let count = load.blocks_at_once;
            let (numbers, blocks) = load.next_blocks(count)?;
            report.blocks = blocks;
            let children = report.children.len() as u64;
            let is_open = children > 0;
            sleep_until(asked + period / 2).await;
            let told = Instant::now();
            let content = Some(report.into());
            let request = v1::ReportRequest { worker, content };
            self.calls.report(request).await?;
            lock(&load.acknowledged).extend(numbers);
            lock(&self.held).retain(|&lease| lease != job.lease);
            let mut measures = load.measures();
            measures.cycles += 1;
            measures.reports.add(told.elapsed());
            measures.records += load.blocks.records_of_block() * count as u64;
            measures.children += children;
            measures.outcomes += u64::from(!is_open);
            drop(measures);
            // A late worker does not catch up.
            next = (next + period).max(Instant::now());
        }
    }

    /// Hands over records at the rate of real cores, at the intervals of a real worker.
    async fn deliver(mut self, load: Arc<Load>, begin: Instant) -> anyhow::Result<()> {
        let worker = self.id;
        let of_block = load.blocks.records_of_block();
        let (mut proved, mut stored) = (Proved::default(), begin);
        let mut pause = PAUSE;
        loop {
            // While there are messages to send, new records are queued at the longest pause only.
            let is_idle = proved.is_empty(of_block);
            let due = stored + if is_idle { pause } else { LONGEST_PAUSE };
            if is_idle {
                sleep_until(due).await;
            }
            if due <= Instant::now() {
                proved.add(stored.elapsed(), *lock(&self.least));
                stored = Instant::now();
            }
            let count = proved.take(of_block);
            if count == 0 {
                continue;
            }
            let waiting = proved.messages(of_block);
            load.measures().behind += u64::from(waiting > 0);
            let (numbers, blocks) = load.next_blocks(count)?;
            let content = Some(v1::Delivery { blocks }.into());
            let told = Instant::now();
            let request = v1::ReportRequest { worker, content };
            self.calls.report(request).await?;
            let time = told.elapsed();
            proved.handed_over(time, waiting);
            pause = (time * REST).clamp(PAUSE, LONGEST_PAUSE);
            lock(&load.acknowledged).extend(numbers);
            let mut measures = load.measures();
            measures.reports.add(time);
            measures.records += of_block * count as u64;
        }
    }

    /// Exchanges places and entries, at the intervals that the coordinator asks for.
    async fn exchange(mut self, load: Arc<Load>) -> anyhow::Result<()> {
        let worker = self.id;
        let mut cursor = 0;
        for turn in 0_u64.. {
            // Each moving thread goes to another state.
            let key = |number: u64| (worker << 32) + number;
            let places = |turn: u64, threads| {
                let keys = (turn * MOVES..(turn + 1) * MOVES).map(key);
                keys.map(move |key| v1::Place { key, threads })
            };
            let entry = |number| v1::Entry {
                key: key(number),
                proof: 10,
                disproof: 10,
                work: 1000,
            };
            let request = v1::ExchangeRequest {
                worker,
                cursor,
                entries: (turn * ENTRIES..(turn + 1) * ENTRIES).map(entry).collect(),
                places: match turn {
                    0 => Vec::new(),
                    _ => places(turn - 1, 0).chain(places(turn, 1)).collect(),
                },
            };
            let asked = Instant::now();
            let told = self.calls.exchange(request).await?.into_inner();
            load.measures().exchanges.add(asked.elapsed());
            cursor = told.cursor;
            let pause = Duration::from_millis(told.pause_ms.into());
            sleep(pause.max(asked.elapsed() * REST)).await;
        }
        Ok(())
    }

    async fn keep_alive(mut self, load: Arc<Load>, begin: Instant) -> anyhow::Result<()> {
        let mut ticks = tokio::time::interval_at(begin + HEARTBEAT, HEARTBEAT);
        loop {
            ticks.tick().await;
            let leases = lock(&self.held).clone();
            let request = v1::RenewRequest {
                worker: self.id,
                leases,
                ..v1::RenewRequest::default()
            };
            let asked = Instant::now();
            let renewed = self.calls.renew(request).await?.into_inner();
            let visits = renewed.least_worth.unwrap_or(1);
            *lock(&self.least) = LeastWorth::of_visits(visits);
            load.measures().least_worth = visits;
            load.measures().renewals.add(asked.elapsed());
        }
    }

    async fn read_feed(mut self, load: Arc<Load>) -> anyhow::Result<()> {
        let worker = self.id;
        let request = v1::FeedRequest { worker, cursor: 0 };
        let mut feed = self.calls.feed(request).await?.into_inner();
        while let Some(response) = feed.message().await? {
            if !response.block.is_empty() {
                let mut measures = load.measures();
                measures.fed.0 += 1;
                measures.fed.1 += response.block.len() as u64;
            }
        }
        Ok(())
    }
}

/// Runs a worker or a client in the background. The first error is the failure of the load.
pub(crate) fn spawn(
    load: &Arc<Load>,
    act: impl Future<Output = anyhow::Result<()>> + Send + 'static,
) {
    let load = Arc::clone(load);
    tokio::spawn(async move {
        if let Err(error) = act.await {
            lock(&load.failure).get_or_insert(error);
        }
    });
}
