//! The life of a worker.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sproutnet_solver::search::Table;
use sproutnet_store::StoreError;
use sproutnet_system::options::{Cores, Grace, Memory, Name};
use sproutnet_transport::connect::Connection;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};

use crate::client::Introduction;
use crate::folder::{self, FolderError};
use crate::link::Link;
use crate::mind::Mind;
use crate::outbox::{self, Shared};
use crate::owed::Owed;
use crate::searches::Searches;
use crate::stint::{Ending, Home, Stint};
use crate::{feed, heartbeat, slot};

/// Threads that search one job together, unless said otherwise.
const TEAM: usize = 4;

/// What a worker may use, and who it is.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many threads search at a time. A runtime needs that many blocking threads, and some more.
    pub cores: usize,
    /// How many threads search one job together. They share more than searches of several jobs do, but
    /// the more they are, the more of what they find is of no use.
    pub team: usize,
    /// The memory that the process may use. Half of it is for the transposition table; when the
    /// process uses more than all of it, what is known is given up and asked of the coordinator
    /// anew.
    pub memory: Memory,
    /// A name for people to read, of at most 256 bytes.
    pub name: String,
    /// The folder above the worker's own store: it takes the first of the folders `0`, `1`, … in it
    /// that no other worker has open. Without one, what is owed to the coordinator is held in memory.
    pub data: Option<PathBuf>,
    /// How long the worker may take to hand back what it is at.
    pub grace: Duration,
}

impl Default for Config {
    /// All cores in teams of four, half of the memory, the name of the machine, no store, twenty seconds of grace.
    fn default() -> Self {
        Self {
            cores: Cores::default().0,
            team: TEAM,
            memory: Memory::default(),
            name: Name::default().0,
            data: None,
            grace: Grace::default().0,
        }
    }
}

impl Config {
    /// How many jobs are searched at a time.
    fn slots(&self) -> usize {
        self.cores.div_ceil(self.team.max(1)).max(1)
    }

    /// How many threads search the jobs of a slot: all have about as many.
    fn threads(&self, slot: usize) -> usize {
        let slots = self.slots();
        let more = usize::from(slot < self.cores % slots);
        (self.cores / slots + more).max(1)
    }
}

/// Why a worker gave up.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The coordinator does not accept this worker; trying again is of no use.
    #[error("the coordinator refused this worker: {0}")]
    Refused(String),
    /// The table does not fit, or a share of the machine's memory cannot be told.
    #[error("there is no memory for a transposition table of half of {0}")]
    Memory(Memory),
    /// The worker's own store did not open.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The worker's own store failed.
    #[error("the worker's own store failed")]
    Store(#[from] StoreError),
    /// A part of the worker panicked.
    #[error("a part of the worker failed")]
    Task(#[from] JoinError),
}

/// A worker that has not begun to work.
pub struct Worker {
    config: Config,
    /// The bound on memory, in bytes.
    bound: usize,
    owed: Shared,
}

impl Worker {
    /// Opens the worker's own store, if it is to have one. Reads all of it, which may take seconds.
    ///
    /// # Errors
    /// The store does not open.
    pub fn new(config: Config) -> Result<Self, WorkerError> {
        let bound = config.memory.bytes();
        let bound = bound.ok_or(WorkerError::Memory(config.memory))?;
        // Asked for now, so that what cannot work does not begin.
        let fits = Table::fits(bound / 2).then_some(());
        fits.ok_or(WorkerError::Memory(config.memory))?;
        let own = config.data.as_deref().map(folder::open).transpose()?;
        if let Some(own) = &own {
            let (dir, records) = (own.dir.display(), own.store.len());
            tracing::info!(%dir, records, "the worker's own store");
        }
        Ok(Self {
            owed: Arc::new(Mutex::new(Owed::new(own)?)),
            config,
            bound,
        })
    }

    /// Works for a coordinator until `stop` becomes true: then hands back what it is at, sends what
    /// it found, and returns, all within the time of grace. While the coordinator cannot be reached
    /// it tries again and again.
    ///
    /// # Errors
    /// The coordinator refuses this worker, its own store fails, or there is too little memory.
    pub async fn run(
        self,
        connection: Connection,
        stop: watch::Receiver<bool>,
    ) -> Result<(), WorkerError> {
        let grace = self.config.grace;
        let mut stopped = stop.clone();
        let deadline = async move {
            stopping(&mut stopped).await;
            tokio::time::sleep(grace).await;
        };
        tokio::select! {
            ended = self.live(connection, stop) => ended,
            () = deadline => {
                tracing::warn!(?grace, "the time of grace is over");
                Ok(())
            }
        }
    }

    /// One stint after the other.
    async fn live(
        &self,
        connection: Connection,
        mut stop: watch::Receiver<bool>,
    ) -> Result<(), WorkerError> {
        let identity = outbox::lock(&self.owed).identity();
        let link = Arc::new(Link::new(
            connection,
            Introduction {
                cores: self.config.cores,
                slots: self.config.slots(),
                name: self.config.name.clone(),
                identity: identity.unwrap_or_else(|| fastrand::u64(1..)),
            },
        ));
        let searches = Arc::new(Searches::default());
        let keeping = link.keep_registered();
        let mut keeping = std::pin::pin!(keeping);
        loop {
            let stint = self.stint(&link, &searches, &mut stop);
            let ending = tokio::select! {
                biased;
                reason = &mut keeping => return Err(WorkerError::Refused(reason)),
                ending = stint => ending?,
            };
            match ending {
                Ending::Stop => return Ok(()),
                Ending::Full(used) => {
                    let (used, bound) = (used >> 20, self.bound >> 20);
                    tracing::info!(
                        used_mib = used,
                        bound_mib = bound,
                        "drained: what is known takes too much memory; beginning anew"
                    );
                }
                Ending::Fault => tracing::info!("drained after a contradiction; beginning anew"),
                Ending::OtherStore => {
                    tracing::info!("drained: the coordinator has another store; beginning anew");
                }
                Ending::Withdrawn => {
                    tracing::warn!("drained: the coordinator withdrew records; beginning anew");
                }
            }
        }
    }

    /// Works with one mind until there is a reason to end.
    async fn stint(
        &self,
        link: &Arc<Link>,
        searches: &Arc<Searches>,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Ending, WorkerError> {
        let registration = tokio::select! {
            biased;
            () = stopping(stop) => return Ok(Ending::Stop),
            registration = link.registration() => registration,
        };
        let home = Home::of(registration);
        outbox::blocking(&self.owed, move |owed| owed.meet(home)).await?;
        let bound = self.bound;
        let mind = tokio::task::spawn_blocking(move || Mind::new(bound)).await?;
        let mind = mind.ok_or(WorkerError::Memory(self.config.memory))?;
        let (outbox, requests) = outbox::channel();
        let stint = Arc::new(Stint::new(
            Arc::clone(link),
            Arc::clone(&mind),
            Arc::clone(searches),
            outbox,
            home,
        ));
        // All tasks of a set end with it: an open feed would keep the coordinator from closing.
        let mut others: JoinSet<Result<(), StoreError>> = JoinSet::new();
        others.spawn(outbox::run(
            requests,
            Arc::clone(&self.owed),
            mind,
            Arc::clone(link),
            home,
        ));
        others.spawn({
            let stint = Arc::clone(&stint);
            async move {
                feed::run(&stint).await;
                Ok(())
            }
        });
        others.spawn({
            let stint = Arc::clone(&stint);
            async move {
                heartbeat::run(&stint).await;
                Ok(())
            }
        });
        let mut slots = JoinSet::new();
        for number in 0..self.config.slots() {
            let stint = Arc::clone(&stint);
            let threads = self.config.threads(number);
            slots.spawn(async move { slot::run(&stint, number as u32, threads).await });
        }
        let ended = self.supervise(&stint, slots, &mut others, stop).await;
        others.shutdown().await;
        let ending = ended?;
        // Freeing much memory takes a while.
        tokio::task::spawn_blocking(move || drop(stint)).await?;
        Ok(ending)
    }

    /// Waits for a reason to end, and then for all that has to be done before.
    async fn supervise(
        &self,
        stint: &Arc<Stint>,
        mut slots: JoinSet<()>,
        others: &mut JoinSet<Result<(), StoreError>>,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Ending, WorkerError> {
        let mut stopped = false;
        let leaving = self.leave(stint);
        let mut leaving = std::pin::pin!(leaving);
        loop {
            tokio::select! {
                Some(ended) = others.join_next() => {
                    // As long as there is a stint, they end only by failing.
                    ended??;
                }
                Some(ended) = slots.join_next() => ended?,
                () = stopping(stop), if !stopped => {
                    stopped = true;
                    stint.end(Ending::Stop);
                }
                left = &mut leaving, if slots.is_empty() => return left,
            }
        }
    }

    /// What is left to do when all jobs are handed back.
    async fn leave(&self, stint: &Arc<Stint>) -> Result<Ending, WorkerError> {
        let ending = stint.ending().await;
        if let Some(fault) = stint.mind.contradiction() {
            if !stint.fault_is_told() {
                tracing::error!(%fault, "what is known here contradicts itself");
                stint.tell_fault(0, fault).await;
            }
            // What is withdrawn is disputed no more.
            if ending != Ending::Withdrawn {
                let key = fault.key.clone();
                outbox::blocking(&self.owed, move |owed| owed.dispute(&key)).await?;
            }
        }
        if ending == Ending::Stop {
            // If its store failed, the outbox says why.
            let _ = stint.outbox.stored().await;
            tokio::select! {
                _ = stint.outbox.settled() => {}
                () = self.owed_can_wait(stint) => tracing::info!("what is owed stays in the store"),
            }
        }
        outbox::blocking(&self.owed, Owed::note).await?;
        Ok(ending)
    }

    /// Resolves when there is no coordinator to send to, and what is owed is not lost by that.
    async fn owed_can_wait(&self, stint: &Arc<Stint>) {
        if !outbox::lock(&self.owed).is_durable() {
            std::future::pending::<()>().await;
        }
        while !stint.link.is_down() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// Resolves when the worker is to stop, or nobody is left who could say so.
async fn stopping(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|&stop| stop).await;
}
