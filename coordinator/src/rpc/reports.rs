//! Reports wait together and are taken in together, so that many cost one thread and one write to
//! disk.

use std::cell::Cell;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sproutnet_system::options::Nice;
use tokio::sync::oneshot;
use tonic::{Code, Status};

use super::{call, convert};
use crate::{Coordinator, CoordinatorError, Report};

/// Reports that are taken in together, at most. With more, requests for jobs wait longer
/// on a machine of few cores.
const BATCH: usize = 32;

/// No report is added to a batch whose blocks have so many bytes.
const LARGE: usize = 512 << 10;

/// Batches that are taken in at the same time: while one is written to disk, another is checked.
const MOST_BATCHES: usize = 2;

/// Reports that may wait for their turn; beyond them workers are asked to come again.
const MOST_WAITING: usize = 4096;

/// The reports that wait.
pub(super) struct Reports {
    coordinator: Arc<Coordinator>,
    queue: Arc<Mutex<Queue>>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    /// Tasks that take in batch after batch until nothing waits.
    tasks: usize,
}

/// A report, and who waits for the answer.
type Waiting = (Report, oneshot::Sender<Result<(), CoordinatorError>>);

impl Reports {
    pub(super) fn new(coordinator: Arc<Coordinator>) -> Self {
        Self {
            coordinator,
            queue: Arc::default(),
        }
    }

    /// Takes in a report, once it is its turn. That the caller stops waiting changes nothing.
    pub(super) async fn take_in(&self, report: Report) -> Result<(), Status> {
        let (sender, answer) = oneshot::channel();
        let begin = {
            let mut queue = lock(&self.queue);
            if queue.waiting.len() >= MOST_WAITING {
                let full = "too many reports at once; try again soon";
                return Err(Status::resource_exhausted(full));
            }
            queue.waiting.push((report, sender));
            // A batch that is not full is better left to grow while another is taken in.
            let wanted = queue.waiting.len().div_ceil(BATCH) > queue.tasks;
            let begin = wanted && queue.tasks < MOST_BATCHES;
            queue.tasks += usize::from(begin);
            begin
        };
        if begin {
            let (coordinator, queue) = (Arc::clone(&self.coordinator), Arc::clone(&self.queue));
            tokio::spawn(take_in_all(coordinator, queue));
        }
        match answer.await {
            Ok(taken) => taken.map_err(convert::status),
            Err(_) => Err(Status::internal("the report could not be taken in")),
        }
    }
}

/// Takes in batch after batch until nothing waits.
async fn take_in_all(coordinator: Arc<Coordinator>, queue: Arc<Mutex<Queue>>) {
    loop {
        let batch = {
            let mut queue = lock(&queue);
            let most = size_of_batch(&queue.waiting);
            if most == 0 {
                queue.tasks -= 1;
                return;
            }
            queue.waiting.drain(..most).collect::<Vec<Waiting>>()
        };
        let (reports, senders): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
        let report = |c: &Coordinator, now| {
            let_others_go_first(c.config().nice);
            Ok(c.jobs.report_all(reports, now))
        };
        match call(&coordinator, report).await {
            Ok(answers) => {
                for (sender, answer) in senders.into_iter().zip(answers) {
                    // Who does not wait any more has no use for the answer.
                    let _ = sender.send(answer);
                }
            }
            // Workers deliver again what was not acknowledged.
            Err(error) if error.code() == Code::Unavailable => {}
            Err(error) => tracing::error!(%error, "reports could not be taken in"),
        }
    }
}

/// How many of the reports that wait make the next batch.
fn size_of_batch(waiting: &[Waiting]) -> usize {
    let mut bytes = 0;
    let has_room = |(report, _): &&Waiting| {
        let had_room = bytes < LARGE;
        bytes += report.content.blocks().iter().map(Vec::len).sum::<usize>();
        had_room
    };
    waiting.iter().take(BATCH).take_while(has_room).count()
}

/// Lowers the priority of this thread, once. Other calls that it may serve later are none that many
/// wait for.
fn let_others_go_first(nice: Nice) {
    thread_local!(static IS_LOW: Cell<bool> = const { Cell::new(false) });
    // Elsewhere it would be the priority of the whole process.
    if cfg!(target_os = "linux")
        && !IS_LOW.replace(true)
        && let Err(error) = nice.apply()
    {
        tracing::warn!(%error, "reports are taken in with the priority of other calls");
    }
}

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}
