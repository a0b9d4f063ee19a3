//! Takes in reports in batches, so that many cost one thread and one write to disk.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sproutnet_system::options::Nice;
use tokio::runtime::{self, Handle, Runtime};
use tokio::sync::oneshot;
use tonic::{Code, Status};

use super::{call_on, convert};
use crate::{Coordinator, CoordinatorError, Report};

/// The maximum number of reports in a batch. With more, requests for jobs wait longer on a machine with few cores.
const BATCH: usize = 32;

/// The size of blocks at which a batch is full, in bytes.
const LARGE: usize = 512 << 10;

/// The maximum number of concurrent batches: while one is written to disk, another is checked.
const MOST_BATCHES: usize = 2;

/// The maximum number of waiting reports. Beyond it, workers have to try again.
const MOST_WAITING: usize = 4096;

/// The maximum size of waiting blocks, in bytes. A single report may always wait, whatever its size.
const MOST_BYTES: usize = 256 << 20;

/// The waiting reports.
pub(super) struct Reports {
    coordinator: Arc<Coordinator>,
    queue: Arc<Mutex<Queue>>,
    /// The threads that take in reports, if these have a lower priority.
    threads: Option<Runtime>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    /// The size of their blocks, in bytes.
    bytes: usize,
    /// The number of tasks that take in batches until nothing waits.
    tasks: usize,
}

/// A report, and the channel for its answer.
type Waiting = (Report, oneshot::Sender<Result<(), CoordinatorError>>);

impl Reports {
    pub(super) fn new(coordinator: Arc<Coordinator>) -> Self {
        Self {
            threads: yielding_threads(coordinator.config().nice),
            coordinator,
            queue: Arc::default(),
        }
    }

    /// Takes in a report when its batch is due, even if the caller stops waiting.
    pub(super) async fn take_in(&self, report: Report) -> Result<(), Status> {
        let (sender, answer) = oneshot::channel();
        let begin = {
            let mut queue = lock(&self.queue);
            let bytes = bytes(&report);
            if !queue.has_room_for(bytes) {
                let full = "too many reports at once; try again soon";
                return Err(Status::resource_exhausted(full));
            }
            queue.waiting.push((report, sender));
            queue.bytes += bytes;
            // A batch that is not full may grow while another is taken in.
            let wanted = queue.waiting.len().div_ceil(BATCH) > queue.tasks;
            let begin = wanted && queue.tasks < MOST_BATCHES;
            queue.tasks += usize::from(begin);
            begin
        };
        if begin {
            let (coordinator, queue) = (Arc::clone(&self.coordinator), Arc::clone(&self.queue));
            let threads = self
                .threads
                .as_ref()
                .map(|threads| threads.handle().clone());
            let threads = threads.unwrap_or_else(Handle::current);
            tokio::spawn(take_in_all(coordinator, queue, threads));
        }
        match answer.await {
            Ok(taken) => taken.map_err(convert::status),
            Err(_) => Err(Status::internal("the report could not be taken in")),
        }
    }
}

impl Drop for Reports {
    fn drop(&mut self) {
        if let Some(threads) = self.threads.take() {
            // This thread may belong to another runtime, and must not block.
            threads.shutdown_background();
        }
    }
}

impl Queue {
    fn has_room_for(&self, bytes: usize) -> bool {
        let has_room = self.waiting.len() < MOST_WAITING && self.bytes + bytes <= MOST_BYTES;
        has_room || self.waiting.is_empty()
    }

    /// Takes the next batch.
    fn take(&mut self) -> Vec<Waiting> {
        let batch: Vec<Waiting> = self.waiting.drain(..size_of_batch(&self.waiting)).collect();
        self.bytes -= batch.iter().map(|(report, _)| bytes(report)).sum::<usize>();
        batch
    }
}

/// The size of a report's blocks, in bytes.
fn bytes(report: &Report) -> usize {
    report.content.blocks().iter().map(Vec::len).sum()
}

/// Separate threads with a lower priority, since a thread cannot raise its own again. `None` if the priority is not
/// lower or cannot be set.
fn yielding_threads(nice: Nice) -> Option<Runtime> {
    // On other systems this would set the priority of the whole process.
    if nice == Nice(0) || cfg!(not(target_os = "linux")) {
        return None;
    }
    let lower = move || {
        if let Err(error) = nice.apply() {
            tracing::warn!(%error, "reports are taken in with the priority of other calls");
        }
    };
    let threads = runtime::Builder::new_current_thread()
        .max_blocking_threads(MOST_BATCHES)
        .thread_name("reports")
        .on_thread_start(lower)
        .build();
    threads
        .inspect_err(|error| {
            tracing::warn!(%error, "reports are taken in with the priority of other calls");
        })
        .ok()
}

/// Takes in batches until nothing waits.
async fn take_in_all(coordinator: Arc<Coordinator>, queue: Arc<Mutex<Queue>>, threads: Handle) {
    loop {
        let batch = {
            let mut queue = lock(&queue);
            let batch = queue.take();
            if batch.is_empty() {
                queue.tasks -= 1;
                return;
            }
            batch
        };
        let (reports, senders): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let report = |c: &Coordinator, now| Ok(c.jobs.report_all(reports, now));
        match call_on(&threads, &coordinator, report).await {
            Ok(answers) => {
                for (sender, answer) in senders.into_iter().zip(answers) {
                    // The caller may have stopped waiting.
                    let _ = sender.send(answer);
                }
            }
            // Workers repeat reports that were not acknowledged.
            Err(error) if error.code() == Code::Unavailable => {}
            Err(error) => tracing::error!(%error, "reports could not be taken in"),
        }
    }
}

/// The number of waiting reports in the next batch.
fn size_of_batch(waiting: &[Waiting]) -> usize {
    let mut taken = 0;
    let has_room = |(report, _): &&Waiting| {
        let had_room = taken < LARGE;
        taken += bytes(report);
        had_room
    };
    waiting.iter().take(BATCH).take_while(has_room).count()
}

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
