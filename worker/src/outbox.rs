//! Stores and sends what is proved, in the background and whenever a job ends.

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sproutnet_store::StoreError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::MissedTickBehavior;

use crate::backoff::Backoff;
use crate::client::CallError;
use crate::link::Link;
use crate::mind::Mind;
use crate::owed::Owed;
use crate::stint::Home;

/// How often what a long search proves is stored and sent.
const PERIOD: Duration = Duration::from_secs(2);

/// Those who may wait at the door at a time; more wait in front of it.
const QUEUE: usize = 64;

/// What is owed, for the blocking calls of one worker.
pub(crate) type Shared = Arc<Mutex<Owed>>;

/// The handle of an outbox.
#[derive(Clone)]
pub(crate) struct Outbox {
    requests: mpsc::Sender<Request>,
}

/// The outbox is gone, because its store failed or the worker ends.
#[derive(Debug)]
pub(crate) struct Gone;

struct Request {
    what: What,
    done: oneshot::Sender<()>,
}

#[derive(Clone, Copy)]
enum What {
    /// That all proved until now is stored.
    Stored,
    /// That the coordinator has all proved until now.
    Taken,
    /// That the coordinator has everything that was ever owed to it.
    Settled,
}

impl Outbox {
    /// Resolves when all that was proved until now is stored, if there is a store.
    pub(crate) async fn stored(&self) -> Result<(), Gone> {
        self.ask(What::Stored).await
    }

    /// Resolves when the coordinator has all that was proved until now.
    pub(crate) async fn flush(&self) -> Result<(), Gone> {
        self.ask(What::Taken).await
    }

    /// Resolves when the coordinator has everything that was ever owed to it.
    pub(crate) async fn settled(&self) -> Result<(), Gone> {
        self.ask(What::Settled).await
    }

    async fn ask(&self, what: What) -> Result<(), Gone> {
        let (done, answer) = oneshot::channel();
        let request = Request { what, done };
        self.requests.send(request).await.map_err(|_| Gone)?;
        answer.await.map_err(|_| Gone)
    }
}

/// What a handle talks to.
pub(crate) struct Requests(mpsc::Receiver<Request>);

pub(crate) fn channel() -> (Outbox, Requests) {
    let (requests, receiver) = mpsc::channel(QUEUE);
    (Outbox { requests }, Requests(receiver))
}

/// One who waits, until the block of that number is taken, or everything is.
struct Waiting {
    until: Option<u64>,
    done: oneshot::Sender<()>,
}

/// Where the outbox stands after something was stored or sent.
struct Standing {
    newest: u64,
    taken: u64,
    settled: bool,
}

type Delivery = Pin<Box<dyn Future<Output = Result<Option<Standing>, StoreError>> + Send>>;

/// Stores and sends what a mind of a store's epoch proves, until all handles are gone.
///
/// One message is under way at a time, and the next waits for its acknowledgement; meanwhile
/// storing goes on.
///
/// # Errors
/// The store failed.
pub(crate) async fn run(
    Requests(mut requests): Requests,
    owed: Shared,
    mind: Arc<Mind>,
    link: Arc<Link>,
    home: Home,
) -> Result<(), StoreError> {
    let mut ticks = tokio::time::interval(PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut waiting: Vec<Waiting> = Vec::new();
    let mut delivery: Option<Delivery> = None;
    loop {
        let mut asked = Vec::new();
        let standing = tokio::select! {
            request = requests.recv() => {
                let Some(request) = request else {
                    return Ok(());
                };
                asked.push(request);
                // All who wait by now are served by one flush to disk.
                while let Ok(request) = requests.try_recv() {
                    asked.push(request);
                }
                Some(store(&owed, &mind, home, Note::Later).await?)
            }
            _ = ticks.tick() => Some(store(&owed, &mind, home, Note::Now).await?),
            delivered = ended(&mut delivery) => {
                delivery = None;
                delivered?
            }
        };
        // None: there was nothing to deliver, until more is stored.
        let Some(standing) = standing else {
            continue;
        };
        for Request { what, done } in asked {
            let until = match what {
                What::Stored => Some(0),
                What::Taken => Some(standing.newest),
                What::Settled => None,
            };
            waiting.push(Waiting { until, done });
        }
        let is_served = |waiting: &mut Waiting| match waiting.until {
            Some(until) => until <= standing.taken,
            None => standing.settled,
        };
        for served in waiting.extract_if(.., is_served) {
            // One who has gone does not mind.
            let _ = served.done.send(());
        }
        if delivery.is_none() {
            delivery = Some(Box::pin(deliver(Arc::clone(&owed), Arc::clone(&link))));
        }
    }
}

/// Resolves when the delivery under way ends, if there is one.
async fn ended(delivery: &mut Option<Delivery>) -> Result<Option<Standing>, StoreError> {
    match delivery {
        Some(delivery) => delivery.await,
        None => std::future::pending().await,
    }
}

/// Whether to remember beyond this process what the coordinator has: a flush to disk, which one
/// who waits is spared. If it comes to nothing, some records are sent again.
enum Note {
    Now,
    Later,
}

/// Keeps what was proved since the last time.
async fn store(
    owed: &Shared,
    mind: &Arc<Mind>,
    home: Home,
    note: Note,
) -> Result<Standing, StoreError> {
    let mind = Arc::clone(mind);
    blocking(owed, move |owed| {
        for contradiction in owed.keep(home, mind.take_records())? {
            mind.condemn(contradiction);
        }
        if matches!(note, Note::Now) {
            owed.note()?;
        }
        Ok(standing(owed))
    })
    .await
}

/// Sends what is to be sent next until the coordinator has it. `None` if there is nothing.
async fn deliver(owed: Shared, link: Arc<Link>) -> Result<Option<Standing>, StoreError> {
    let mut backoff = Backoff::new();
    loop {
        let registration = link.registration().await;
        let home = Home::of(registration);
        let Some(parcel) = blocking(&owed, move |owed| owed.next(home)).await? else {
            return Ok(None);
        };
        let call = link
            .client()
            .hand_over(registration.worker, &parcel.blocks)
            .await;
        link.note(registration, &call);
        let rejection = match call {
            Ok(()) => None,
            Err(CallError::Rejected(reason)) => Some(reason),
            Err(_) => {
                backoff.wait().await;
                continue;
            }
        };
        let settled = blocking(&owed, move |owed| {
            match rejection {
                None => owed.settle(&parcel),
                Some(reason) => owed.reject(&parcel, &reason),
            }
            Ok(standing(owed))
        });
        return settled.await.map(Some);
    }
}

fn standing(owed: &Owed) -> Standing {
    Standing {
        newest: owed.newest(),
        taken: owed.taken(),
        settled: owed.is_settled(),
    }
}

/// Makes blocking calls of what is owed.
pub(crate) async fn blocking<T: Send + 'static>(
    owed: &Shared,
    act: impl FnOnce(&mut Owed) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    let owed = Arc::clone(owed);
    let done = tokio::task::spawn_blocking(move || act(&mut lock(&owed)));
    match done.await.map_err(tokio::task::JoinError::try_into_panic) {
        Ok(done) => done,
        Err(Ok(panic)) => std::panic::resume_unwind(panic),
        // The runtime ends.
        Err(Err(_)) => std::future::pending().await,
    }
}

/// A store that panicked says so at its next use.
pub(crate) fn lock(owed: &Shared) -> MutexGuard<'_, Owed> {
    owed.lock().unwrap_or_else(PoisonError::into_inner)
}
