//! The keeper of an index: writes its frozen part to a file, and merges runs, in threads of low priority.

use super::{
    Frozen, Run, RunError,
    files::{self, Files},
};
use crate::{Content, unpoisoned};
use std::{
    sync::{
        Arc, Mutex, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The wait after a failure: a disk may be full.
const PAUSE: Duration = Duration::from_secs(if cfg!(test) { 0 } else { 30 });

/// The niceness of the threads.
const NICE: i32 = 5;

/// Maintains the index of a store. Its threads end when it is dropped.
pub(crate) struct Keeper {
    files: Files,
    content: Arc<RwLock<Content>>,
    stop: Arc<AtomicBool>,
    /// Whether no work may start.
    is_paused: AtomicBool,
    /// The thread that writes the frozen part, and the one that merges runs.
    threads: Mutex<[Option<JoinHandle<()>>; 2]>,
    /// The time of the last failed attempt.
    failed: Arc<Mutex<Option<Instant>>>,
}

impl Keeper {
    pub(crate) fn new(files: Files, content: Arc<RwLock<Content>>) -> Self {
        Self {
            files,
            content,
            stop: Arc::default(),
            is_paused: AtomicBool::new(false),
            threads: Mutex::default(),
            failed: Arc::default(),
        }
    }

    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    /// Starts due work that is not under way. Only the writer of the store calls this.
    pub(crate) fn tend(&self) {
        let failed = *unpoisoned(self.failed.lock());
        let is_paused = self.is_paused.load(Ordering::Acquire);
        if is_paused || failed.is_some_and(|at| at.elapsed() < PAUSE) {
            return;
        }
        let [writing, merging] = &mut *unpoisoned(self.threads.lock());
        // Check the thread first, then the frozen part: a thread that has ended has replaced the frozen part by its
        // run. In the other order the part may be written twice.
        if is_idle(writing.as_ref()) {
            let frozen = unpoisoned(self.content.read()).index.frozen.clone();
            if let Some(frozen) = frozen {
                self.start(writing, move |work| work.write(&frozen));
            }
        }
        if is_idle(merging.as_ref()) && unpoisoned(self.content.read()).index.to_merge().is_some() {
            self.start(merging, Work::merge);
        }
    }

    /// Stops all work, and waits until it has ended. Only the writer of the store calls this.
    pub(crate) fn halt(&self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in &mut *unpoisoned(self.threads.lock()) {
            if let Some(thread) = thread.take() {
                // The panic has been reported, and the part stays as it is.
                let _ = thread.join();
            }
        }
        self.stop.store(false, Ordering::Relaxed);
    }

    /// Starts no work until the result is dropped, and waits until the current work has ended. Only the writer of the
    /// store calls this.
    pub(crate) fn pause(&self) -> Paused<'_> {
        self.is_paused.store(true, Ordering::Release);
        self.halt();
        Paused(self)
    }

    /// Does all due work.
    #[cfg(test)]
    pub(crate) fn finish(&self) {
        for round in 0.. {
            self.tend();
            let threads = std::mem::take(&mut *unpoisoned(self.threads.lock()));
            let running = threads.into_iter().flatten();
            if running.map(|thread| thread.join().unwrap()).count() == 0 {
                return;
            }
            assert!(round < 100, "there is no end to it");
        }
    }

    fn start(
        &self,
        thread: &mut Option<JoinHandle<()>>,
        act: impl FnOnce(&Work) -> Result<(), RunError> + Send + 'static,
    ) {
        let work = Work {
            files: self.files.clone(),
            content: Arc::clone(&self.content),
            stop: Arc::clone(&self.stop),
        };
        let failed = Arc::clone(&self.failed);
        let started = thread::Builder::new().name("index".into()).spawn(move || {
            // On other systems this would change the priority of the whole process.
            if cfg!(target_os = "linux") {
                let _ = rustix::process::nice(NICE);
            }
            if let Err(error) = act(&work) {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "a part of the index stays in memory");
                *unpoisoned(failed.lock()) = Some(Instant::now());
            }
        });
        match started {
            Ok(started) => *thread = Some(started),
            Err(error) => tracing::warn!(%error, "a part of the index stays in memory"),
        }
    }
}

/// While this lives, a keeper does nothing.
pub(crate) struct Paused<'a>(&'a Keeper);

impl Drop for Paused<'_> {
    fn drop(&mut self) {
        self.0.is_paused.store(false, Ordering::Release);
    }
}

/// Whether a thread has ended, or was never started.
fn is_idle(thread: Option<&JoinHandle<()>>) -> bool {
    thread.is_none_or(JoinHandle::is_finished)
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.halt();
    }
}

/// The data of a thread's work.
struct Work {
    files: Files,
    content: Arc<RwLock<Content>>,
    stop: Arc<AtomicBool>,
}

impl Work {
    fn write(&self, frozen: &Frozen) -> Result<(), RunError> {
        let run = self.files.write(frozen)?;
        unpoisoned(self.content.write()).index.put_frozen(run);
        Ok(())
    }

    fn merge(&self) -> Result<(), RunError> {
        loop {
            let runs: Option<Vec<Arc<Run>>> = unpoisoned(self.content.read()).index.to_merge();
            let Some(runs) = runs else {
                return Ok(());
            };
            let Some(run) = self.files.merge(&runs, &self.stop)? else {
                return Ok(());
            };
            unpoisoned(self.content.write())
                .index
                .put_merged(&runs, run);
            files::remove_all(&runs);
        }
    }
}

#[cfg(test)]
#[path = "keeper_tests.rs"]
mod tests;
