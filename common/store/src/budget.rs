//! A budget of disk: when a store takes too much, the records of least worth are removed.

use super::{Shed, Step, Store, StoreError, Worth, unpoisoned};
use std::{
    ops::ControlFlow,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The number of bytes of disk that the database and the index need for each byte of blocks. sled reuses the space of
/// removed blocks, but late. A database takes at least some megabytes.
const DISK_FOR_BLOCKS: u64 = 5;

/// The time between two looks at a store.
const PERIOD: Duration = Duration::from_secs(5);

/// The wait after an attempt that failed or removed nothing.
const PAUSE: Duration = Duration::from_secs(60);

/// The niceness of the thread.
const NICE: i32 = 10;

/// Keeps a store within a budget of disk. Its thread ends when it is dropped.
#[derive(Debug)]
pub struct Budget {
    /// The maximum size of all blocks, in bytes.
    blocks: u64,
    shared: Arc<Shared>,
    work: Mutex<Work>,
}

#[derive(Debug, Default)]
struct Shared {
    stop: AtomicBool,
    /// log2 of the least worth that stays in the store.
    least: AtomicU8,
    /// Whether the last attempt failed or removed nothing.
    is_in_vain: AtomicBool,
}

#[derive(Debug, Default)]
struct Work {
    thread: Option<JoinHandle<()>>,
    next: Option<Instant>,
}

impl Budget {
    /// A budget of `bytes` bytes of disk, documents not counted.
    pub fn new(bytes: u64) -> Self {
        Self {
            blocks: bytes / DISK_FOR_BLOCKS,
            shared: Arc::default(),
            work: Mutex::default(),
        }
    }

    /// The least worth that stays in the store. Records of less worth would soon be removed.
    pub fn least(&self) -> Worth {
        Worth::from_log2(self.shared.least.load(Ordering::Relaxed)).unwrap_or(Worth::MOST)
    }

    /// Starts a thread if the store is due for a look. Call this a few times a second.
    pub fn tend(&self, store: &Store, now: Instant) {
        let mut work = unpoisoned(self.work.lock());
        if store.has_failed() || work.next.is_some_and(|next| now < next) {
            return;
        }
        if work
            .thread
            .as_ref()
            .is_some_and(|thread| !thread.is_finished())
        {
            return;
        }
        let is_in_vain = self.shared.is_in_vain.swap(false, Ordering::Relaxed);
        work.next = Some(now + if is_in_vain { PAUSE } else { PERIOD });
        if is_in_vain || store.volume().is_some_and(|bytes| bytes <= self.blocks) {
            return;
        }
        let (store, shared, most) = (store.clone(), Arc::clone(&self.shared), self.blocks);
        let thread = thread::Builder::new().name("store budget".into());
        let started = thread.spawn(move || {
            // On other systems this would change the priority of the whole process.
            if cfg!(target_os = "linux") {
                let _ = rustix::process::nice(NICE);
            }
            keep(&store, &shared, most);
        });
        match started {
            Ok(started) => work.thread = Some(started),
            Err(error) => tracing::warn!(%error, "the store is not kept within its budget"),
        }
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = unpoisoned(self.work.lock()).thread.take() {
            // A panic has been reported.
            let _ = thread.join();
        }
    }
}

/// Removes records if the blocks take too much. Weighs the blocks first if need be.
fn keep(store: &Store, shared: &Shared, most: u64) {
    let mut watch = |_: Step| {
        if shared.stop.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let weighed = match store.volume() {
        Some(bytes) => Ok(bytes),
        None => store.weigh(&mut watch),
    };
    let shed = match weighed {
        Ok(bytes) if bytes <= most => return,
        // Some room is left, so that the next shedding is not soon.
        Ok(_) => store.shed(most / 4 * 3, &mut watch),
        Err(error) => Err(error),
    };
    match shed {
        Ok(Shed { keys: 0, .. }) => shared.is_in_vain.store(true, Ordering::Relaxed),
        Ok(shed) => {
            let (records, visits) = (shed.keys, shed.least.visits());
            let (before, after) = (shed.before, shed.after);
            tracing::info!(
                records,
                visits,
                before,
                after,
                "records of fewer visits left the store, which is at its budget"
            );
            let least = shed.least.log2();
            shared.least.fetch_max(least, Ordering::Relaxed);
        }
        Err(StoreError::Stopped) => {}
        Err(error) => {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "the store is not kept within its budget");
            shared.is_in_vain.store(true, Ordering::Relaxed);
        }
    }
}
