//! The life of a worker.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sproutnet_solver::play::Archive;
use sproutnet_solver::search::Table;
use sproutnet_store::StoreError;
use sproutnet_system::options::Memory;
use sproutnet_transport::connect::Connection;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};

use crate::client::Introduction;
use crate::config::Config;
use crate::delivery_queue::{DeliveryQueue, IN_MEMORY};
use crate::link::Link;
use crate::outbox::{self, SharedQueue, Until};
use crate::own_archive::OwnArchive;
use crate::own_store::{self, FolderError};
use crate::search_context::SearchContext;
use crate::searches::Searches;
use crate::session::{Ending, Session};
use crate::{feed, heartbeat, slot, teamwork};

/// The memory bound as a multiple of the filter of lands in the own store: of 2 GiB, the filter takes 64 MiB.
const FILTER_SHARE: usize = 32;

/// Why a worker failed.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The coordinator does not accept this worker. A retry cannot help.
    #[error("the coordinator refused this worker: {0}")]
    Refused(String),
    /// The table does not fit into memory, or the machine's memory is unknown.
    #[error("there is no memory for a transposition table of half of {0}")]
    Memory(Memory),
    /// The worker's own store did not open.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The worker's own store failed.
    #[error("the worker's own store failed")]
    Store(#[from] StoreError),
    /// A task of the worker panicked.
    #[error("a task of the worker failed")]
    Task(#[from] JoinError),
}

impl Config {
    /// The memory bound in bytes.
    ///
    /// # Errors
    /// [`WorkerError::Memory`]: there is too little memory for it, or its size is unknown.
    pub fn memory_bound(&self) -> Result<usize, WorkerError> {
        let bound = self.memory.bytes();
        let bound = bound.filter(|bound| Table::fits(bound / 2));
        bound.ok_or(WorkerError::Memory(self.memory))
    }
}

/// A worker that is ready to start.
pub struct Worker {
    config: Config,
    /// The memory bound in bytes.
    bound: usize,
    queue: SharedQueue,
}

impl Worker {
    /// Opens and reads the worker's own store, if configured. May take seconds.
    ///
    /// # Errors
    /// The store does not open, or there is too little memory.
    pub fn new(config: Config) -> Result<Self, WorkerError> {
        // Checked here so that a worker without enough memory does not start.
        let bound = config.memory_bound()?;
        let open = |data: &Path| own_store::open(data, config.disk_reserve, config.store_budget);
        let own = match config.data.as_deref().map(open).transpose() {
            Err(error) if error.is_disk_full() => {
                tracing::warn!("disk full: {error}; {IN_MEMORY}");
                None
            }
            opened => opened?,
        };
        if let Some(own) = &own {
            let (dir, records) = (own.dir.display(), own.store.len());
            tracing::info!(%dir, records, "opened the worker's own store");
        }
        Ok(Self {
            queue: Arc::new(Mutex::new(DeliveryQueue::new(own)?)),
            config,
            bound,
        })
    }

    /// Works for a coordinator until `stop` becomes true. Then returns its jobs, sends its records,
    /// and ends within the grace period. Retries while the coordinator is unreachable.
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
            ended = self.run_sessions(connection, stop) => ended,
            () = deadline => {
                tracing::warn!(?grace, "the grace period is over");
                Ok(())
            }
        }
    }

    async fn run_sessions(
        &self,
        connection: Connection,
        mut stop: watch::Receiver<bool>,
    ) -> Result<(), WorkerError> {
        let (own_id, marks) = {
            let queue = outbox::lock(&self.queue);
            let own_id = queue.own.as_ref().map(|own| own.store.id());
            (own_id, queue.marks.clone())
        };
        let link = Arc::new(Link::new(
            connection,
            Introduction {
                cores: self.config.cores,
                slots: self.config.slots(),
                name: self.config.name.clone(),
                identity: own_id.unwrap_or_else(|| fastrand::u64(1..)),
            },
            marks,
        ));
        let searches = Arc::new(Searches::default());
        let mut registering = std::pin::pin!(link.keep_registered());
        loop {
            let ending = tokio::select! {
                biased;
                reason = &mut registering => return Err(WorkerError::Refused(reason)),
                ending = self.run_session(&link, &searches, &mut stop) => ending?,
            };
            let reason = match ending {
                Ending::Stop => {
                    link.leave(&searches).await;
                    return Ok(());
                }
                Ending::Full(used) => {
                    let (used_mib, bound_mib) = (used >> 20, self.bound >> 20);
                    tracing::info!(used_mib, bound_mib, "drained: too much memory; resetting");
                    continue;
                }
                Ending::Fault => "known facts contradict each other",
                Ending::NoStore => "the worker's own store failed",
                Ending::OtherStore => "the coordinator has another store",
                Ending::RolledBack => "the coordinator's store was rolled back",
                Ending::Revoked => "the coordinator revoked records",
            };
            tracing::warn!(reason, "drained; resetting");
        }
    }

    /// Works with one search context until there is a reason to end.
    async fn run_session(
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
        let store_epoch = registration.store_epoch;
        let copy = outbox::blocking(&self.queue, move |queue| {
            queue.meet(store_epoch)?;
            queue.copy()
        });
        let (bound, threads) = (self.bound, self.config.cores);
        let archive = copy
            .await?
            .map(|(store, fed)| Arc::new(OwnArchive::new(store, fed, bound / FILTER_SHARE)));
        let read = archive.clone().map(|archive| archive as Arc<dyn Archive>);
        let context = tokio::task::spawn_blocking(move || SearchContext::new(bound, threads, read));
        let context = context.await?;
        let context = context.ok_or(WorkerError::Memory(self.config.memory))?;
        let (outbox, requests) = outbox::channel();
        let session = Arc::new(Session {
            link: Arc::clone(link),
            context: Arc::clone(&context),
            searches: Arc::clone(searches),
            outbox,
            archive: archive.clone(),
            store_epoch,
            ending: watch::Sender::default(),
            fault_reported: false.into(),
        });
        // All tasks of a set end with it: an open feed would keep the coordinator from closing.
        let mut others: JoinSet<Result<(), StoreError>> = JoinSet::new();
        let queue = Arc::clone(&self.queue);
        let link = Arc::clone(link);
        others.spawn(outbox::run(requests, queue, context, link, store_epoch));
        let (shared, queue) = (Arc::clone(&session), Arc::clone(&self.queue));
        others.spawn(async move { feed::run(&shared, queue).await });
        let shared = Arc::clone(&session);
        others.spawn(async move {
            tokio::join!(heartbeat::run(&shared), teamwork::run(&shared));
            Ok(())
        });
        if let Some(archive) = archive.as_ref().map(Arc::downgrade) {
            tokio::task::spawn_blocking(move || OwnArchive::note_all(&archive));
        }
        // It lives as long as the session.
        drop(archive);
        let mut slots = JoinSet::new();
        for number in 0..self.config.slots() {
            let session = Arc::clone(&session);
            let threads = self.config.threads(number);
            slots.spawn(async move { slot::run(&session, number as u32, threads).await });
        }
        let ended = self.supervise(&session, slots, &mut others, stop).await;
        others.shutdown().await;
        let ending = ended?;
        // Freeing much memory takes a while.
        tokio::task::spawn_blocking(move || drop(session)).await?;
        Ok(ending)
    }

    /// Waits until the session ends, and then for a clean end.
    async fn supervise(
        &self,
        session: &Session,
        mut slots: JoinSet<()>,
        others: &mut JoinSet<Result<(), StoreError>>,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Ending, WorkerError> {
        let mut stopped = false;
        let mut leaving = std::pin::pin!(self.leave(session));
        loop {
            tokio::select! {
                // During a session, these tasks end only by failing.
                Some(ended) = others.join_next() => ended??,
                Some(ended) = slots.join_next() => ended?,
                () = stopping(stop), if !stopped => {
                    stopped = true;
                    session.end(Ending::Stop);
                }
                left = &mut leaving, if slots.is_empty() => return left,
            }
        }
    }

    /// Finishes a session after all jobs are returned.
    async fn leave(&self, session: &Session) -> Result<Ending, WorkerError> {
        let ending = session.ending().await;
        if let Some(fault) = session.context.contradiction() {
            if !session
                .fault_reported
                .load(std::sync::atomic::Ordering::Relaxed)
            {
                session.report_fault(None, fault).await;
            }
            // Revoked records are no longer disputed.
            if ending != Ending::Revoked {
                let key = fault.key.clone();
                outbox::blocking(&self.queue, move |queue| queue.dispute(&key)).await?;
            }
        }
        if ending == Ending::Stop {
            // If its store failed, the outbox reports it.
            let _ = session.outbox.wait(Until::Stored).await;
            tokio::select! {
                _ = session.outbox.wait(Until::Empty) => {}
                () = self.may_leave_records(session) => {
                    tracing::info!("undelivered records stay in the worker's own store");
                }
            }
        }
        outbox::blocking(&self.queue, DeliveryQueue::note).await?;
        Ok(ending)
    }

    /// Resolves when the coordinator is unreachable and the own store holds the undelivered records.
    async fn may_leave_records(&self, session: &Session) {
        if outbox::lock(&self.queue).own.is_none() {
            std::future::pending::<()>().await;
        }
        while !session.link.is_down() {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}

/// Resolves when the worker is to stop, or the sender is gone.
async fn stopping(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|&stop| stop).await;
}
