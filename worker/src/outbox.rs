//! Stores and sends new records, in the background and at the end of each job.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sproutnet_solver::play::LeastWorth;
use sproutnet_store::StoreError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};

use crate::backoff::Backoff;
use crate::client::{CallError, Report, StoreEpoch};
use crate::delivery_queue::{DeliveryQueue, Progress};
use crate::link::Link;
use crate::pace::{self, Pace};
use crate::search_context::SearchContext;

/// The capacity of the request channel.
const REQUESTS: usize = 64;

/// The delivery queue, for blocking calls.
pub(crate) type SharedQueue = Arc<Mutex<DeliveryQueue>>;

/// The handle of an outbox.
#[derive(Clone)]
pub(crate) struct Outbox {
    requests: mpsc::Sender<Request>,
}

pub(crate) struct Request {
    until: Until,
    done: oneshot::Sender<()>,
}

/// The condition that a request waits for.
#[derive(Clone, Copy)]
pub(crate) enum Until {
    /// The records proved so far are in the own store, if there is one, except those below the fleet's least worth.
    Stored,
    /// The coordinator has the records proved so far, except withheld ones.
    Acknowledged,
    /// The queue is empty.
    Empty,
}

impl Outbox {
    /// Stores and sends new records now, and waits. `None` if the outbox ended: its store failed or
    /// the worker ends.
    pub(crate) async fn wait(&self, until: Until) -> Option<()> {
        let (done, answer) = oneshot::channel();
        self.requests.send(Request { until, done }).await.ok()?;
        answer.await.ok()
    }
}

/// A handle, and the requests made through it.
pub(crate) fn channel() -> (Outbox, mpsc::Receiver<Request>) {
    let (requests, receiver) = mpsc::channel(REQUESTS);
    (Outbox { requests }, receiver)
}

type Delivery = Pin<Box<dyn Future<Output = Result<Option<Progress>, StoreError>> + Send>>;

/// Stores and sends the records proved in a search context until all handles are gone.
///
/// One message is in flight at a time. Storing continues meanwhile. While messages take long, records that took little
/// work are withheld in memory, so that a worker behind a slow connection sends the most useful ones. Records below the
/// fleet's least worth are withheld too, and dropped at the end, so that a fleet that stops does not flood the
/// coordinator.
///
/// # Errors
/// The store failed.
pub(crate) async fn run(
    mut requests: mpsc::Receiver<Request>,
    queue: SharedQueue,
    context: Arc<SearchContext>,
    link: Arc<Link>,
    at: StoreEpoch,
) -> Result<(), StoreError> {
    let mut pace = Pace::new();
    let mut noted = Instant::now();
    let mut newest = 0;
    // The condition of each request: the acknowledgement of the block with this number, or an empty queue.
    let mut waiting: Vec<(Option<u64>, oneshot::Sender<()>)> = Vec::new();
    let mut delivery: Option<Delivery> = None;
    let mut sent = Instant::now();
    let mut least = LeastWorth::ALL;
    loop {
        let mut asked = Vec::new();
        let due = pace.due(delivery.is_some());
        let progress = tokio::select! {
            request = requests.recv() => {
                let Some(request) = request else {
                    return Ok(());
                };
                asked.push(request);
                // One flush to disk serves all waiting requests.
                while let Ok(request) = requests.try_recv() {
                    asked.push(request);
                }
                let began = Instant::now();
                let is_final = |request: &Request| !matches!(request.until, Until::Acknowledged);
                let own = if asked.iter().any(is_final) { LeastWorth::ALL } else { least };
                let worth = own.max(link.fleet_worth.least());
                let progress = store(&queue, &context, at, worth, false).await?;
                pace.stored(began, progress.newest > newest);
                Some(progress)
            }
            () = sleep_until(due) => {
                let began = Instant::now();
                let is_noting = began.duration_since(noted) >= pace::LONGEST;
                let worth = least.max(link.fleet_worth.least());
                let progress = store(&queue, &context, at, worth, is_noting).await?;
                pace.stored(began, progress.newest > newest);
                if progress.newest == newest && delivery.is_none() {
                    least = least.lowered();
                }
                if is_noting {
                    noted = began;
                }
                Some(progress)
            }
            delivered = ended(&mut delivery) => {
                delivery = None;
                let delivered = delivered?;
                if let Some(progress) = &delivered {
                    pace.delivered(sent);
                    least = least.after(sent.elapsed(), progress.messages);
                }
                delivered
            }
        };
        // `None`: nothing to deliver until more is stored.
        let Some(progress) = progress else {
            continue;
        };
        newest = progress.newest;
        waiting.extend(asked.into_iter().map(|Request { until, done }| {
            let until = match until {
                Until::Stored => Some(0),
                Until::Acknowledged => Some(progress.newest),
                Until::Empty => None,
            };
            (until, done)
        }));
        let is_served = |(until, _): &mut (Option<u64>, _)| match *until {
            Some(number) => number <= progress.taken,
            None => progress.is_empty,
        };
        for (_, done) in waiting.extract_if(.., is_served) {
            // The requester may be gone.
            let _ = done.send(());
        }
        if delivery.is_none() {
            sent = Instant::now();
            delivery = Some(Box::pin(deliver(Arc::clone(&queue), Arc::clone(&link))));
        }
    }
}

/// Resolves when the delivery in flight ends, if there is one.
async fn ended(delivery: &mut Option<Delivery>) -> Result<Option<Progress>, StoreError> {
    match delivery {
        Some(delivery) => delivery.await,
        None => std::future::pending().await,
    }
}

/// Queues new records of at least this worth. With `note`, also stores the block up to which the coordinator has all
/// records; otherwise, some may be sent again after a restart. This costs a flush to disk, which requests need not wait
/// for.
async fn store(
    queue: &SharedQueue,
    context: &Arc<SearchContext>,
    at: StoreEpoch,
    least: LeastWorth,
    note: bool,
) -> Result<Progress, StoreError> {
    let context = Arc::clone(context);
    blocking(queue, move |queue| {
        for contradiction in queue.push(at, context.take_records(least))? {
            context.condemn(contradiction);
        }
        if note {
            queue.note()?;
        }
        Ok(queue.progress())
    })
    .await
}

/// Sends the next message until the coordinator has it. `None` if the queue is empty.
async fn deliver(queue: SharedQueue, link: Arc<Link>) -> Result<Option<Progress>, StoreError> {
    let mut backoff = Backoff::new();
    loop {
        let registration = link.registration().await;
        let at = registration.store_epoch;
        let Some(message) = blocking(&queue, move |queue| queue.next(at)).await? else {
            return Ok(None);
        };
        let report = Report::Records(&message.blocks);
        let call = link.client.report(registration.worker, report).await;
        link.note(registration, &call);
        let rejection = match call {
            Ok(mark) => {
                // Before the acknowledgement, so that no stored state is older than what is stored as acknowledged.
                link.marks.note(at, mark);
                None
            }
            Err(CallError::Rejected(reason)) => Some(reason),
            Err(_) => {
                backoff.wait().await;
                continue;
            }
        };
        let settled = blocking(&queue, move |queue| {
            match rejection {
                None => queue.acknowledge(&message),
                Some(reason) => queue.reject(&message, &reason),
            }
            Ok(queue.progress())
        });
        return settled.await.map(Some);
    }
}

/// Makes a blocking call of the queue.
pub(crate) async fn blocking<T: Send + 'static>(
    queue: &SharedQueue,
    act: impl FnOnce(&mut DeliveryQueue) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let queue = Arc::clone(queue);
    let done = tokio::task::spawn_blocking(move || act(&mut lock(&queue)));
    match done.await {
        Ok(done) => done,
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // The runtime ends.
        Err(_) => std::future::pending().await,
    }
}

/// Locks the queue. A store that panicked reports an error at its next use.
pub(crate) fn lock(queue: &SharedQueue) -> MutexGuard<'_, DeliveryQueue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}
