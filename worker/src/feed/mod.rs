//! Imports records that others proved.
//!
//! The coordinator sends each worker its feed: blocks of records, or only their digests if a parent sends
//! the blocks. [`parent`] reads from it, [`assembly`] puts both together, and waits for late blocks as
//! long as [`patience`] says. A worker that [relays](crate::relay) passes the blocks on before it imports
//! them.

mod assembly;
mod parent;
mod patience;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use sproutnet_store::{Batch, StoreError};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_stream::StreamExt;

use self::assembly::{Assembly, Wrong};
use self::parent::{Parent, Sent};
use crate::backoff::Backoff;
use crate::client::{
    BlockSender, CallError, Complaint, FeedPart, Fetched, ParentFault, Registration,
};
use crate::delivery_queue::FED;
use crate::outbox::{self, SharedQueue};
use crate::relay::Relaying;
use crate::session::{Ending, Session};

/// A feed that lasted this long resets the backoff.
const STABLE: Duration = Duration::from_secs(10);

/// Blocks that may wait to be imported. Relaying goes on meanwhile.
const IMPORTS: usize = 256;

/// What is to be imported, in order.
enum Import {
    /// A block, and the cursor after it.
    Block(u64, Arc<[u8]>),
    /// All that the coordinator held was imported.
    CaughtUp,
}

/// Follows the feed until aborted. Resumes at its cursor after a break.
///
/// # Errors
/// The own store failed.
pub(crate) async fn run(session: &Session, queue: SharedQueue) -> Result<(), StoreError> {
    let (imports, imported) = mpsc::channel(IMPORTS);
    tokio::select! {
        () = read(session, &imports) => Ok(()),
        ended = import(session, queue, imported) => ended,
    }
}

/// Imports blocks until aborted.
async fn import(
    session: &Session,
    queue: SharedQueue,
    mut imports: mpsc::Receiver<Import>,
) -> Result<(), StoreError> {
    let mut waiting = Vec::new();
    // One write to the own store for all that waits.
    while imports.recv_many(&mut waiting, IMPORTS).await > 0 {
        let mut records = Batch::default();
        let (mut cursor, mut caught_up) = (None, false);
        for import in waiting.drain(..) {
            match import {
                Import::CaughtUp => caught_up = true,
                Import::Block(number, block) => {
                    cursor = Some(number);
                    // Imported facts only save work, so the worker can go on without them.
                    if let Err(error) = records.push_block(&block, |_| FED) {
                        tracing::error!(%error, "a feed block is skipped");
                    }
                }
            }
        }
        if let Some(cursor) = cursor {
            let records = Arc::new(records);
            if session.fed.is_some() {
                // Before searches learn of them: what they have not met they look up in the own store.
                keep(session, &queue, Arc::clone(&records), cursor).await?;
            }
            let context = Arc::clone(&session.context);
            let imported = tokio::task::spawn_blocking(move || context.import(&records));
            if let Err(error) = imported.await {
                tracing::error!(%error, "feed blocks were not imported");
            }
            session.check_for_fault();
        }
        if caught_up {
            session.context.set_ready();
        }
    }
    Ok(())
}

/// Keeps records in the own store.
async fn keep(
    session: &Session,
    queue: &SharedQueue,
    records: Arc<Batch>,
    cursor: u64,
) -> Result<(), StoreError> {
    let (context, at) = (Arc::clone(&session.context), session.store_epoch);
    let keeping = outbox::blocking(queue, move |queue| {
        for contradiction in queue.keep_fed(at, &records, cursor)? {
            context.condemn(contradiction);
        }
        Ok(queue.own.is_some())
    });
    if !keeping.await? {
        session.end(Ending::NoStore);
    }
    Ok(())
}

/// Reads the feed until aborted.
async fn read(session: &Session, imports: &mpsc::Sender<Import>) {
    let mut cursor = session.fed.unwrap_or(0);
    let mut backoff = Backoff::new();
    loop {
        let registration = session.registration().await;
        let began = Instant::now();
        let mut restored = session.link.restored();
        tokio::select! {
            error = follow(session, registration, &mut cursor, imports) => {
                tracing::debug!(%error, "the record feed broke off");
                session.link.note::<()>(registration, &Err(error));
            }
            // A stream that only listens may not notice that its connection broke.
            _ = restored.changed() => continue,
            () = session.link.replaced(registration) => continue,
        }
        if began.elapsed() > STABLE {
            backoff.reset();
        }
        backoff.wait().await;
    }
}

/// Reads the feed until it breaks.
async fn follow(
    session: &Session,
    registration: Registration,
    cursor: &mut u64,
    imports: &mpsc::Sender<Import>,
) -> CallError {
    let client = &session.link.client;
    let relaying = session.relaying.as_ref();
    if let Some(relaying) = relaying {
        // Children may come as soon as the coordinator knows of this feed.
        relaying.window.begin(registration.store_epoch);
    }
    let relay = relaying.map(Relaying::url);
    let feed = match client.feed(registration.worker, *cursor, relay).await {
        Ok(feed) => feed,
        Err(error) => return error,
    };
    let mut feed = std::pin::pin!(feed);
    let mut following = Following {
        session,
        registration,
        assembly: Assembly::default(),
        parent: None,
        complaint: None,
        fetching: None,
    };
    loop {
        following.take_what_is_here();
        while let Some(part) = following.assembly.next() {
            *cursor = part.cursor;
            if !part.block.is_empty() {
                let block: Arc<[u8]> = part.block.into();
                if let Some(relaying) = relaying.filter(|relaying| !relaying.url().is_empty()) {
                    let window = &relaying.window;
                    window.push(registration.store_epoch, part.cursor, Arc::clone(&block));
                }
                // The receiver lives as long as this session.
                let _ = imports.send(Import::Block(part.cursor, block)).await;
            }
            if part.caught_up {
                let _ = imports.send(Import::CaughtUp).await;
            }
        }
        following.fetch();
        let due = following
            .assembly
            .due()
            .filter(|_| following.fetching.is_none());
        tokio::select! {
            part = feed.next(), if following.assembly.has_room() => match part {
                Some(Ok(part)) => following.announced(part, *cursor),
                Some(Err(error)) => return error,
                None => return CallError::Unreachable("the record feed ended".to_owned()),
            },
            sent = next(&mut following.parent) => following.sent(sent),
            fetched = ended(&mut following.fetching) => {
                following.fetching = None;
                if let Err(error) = fetched.and_then(|fetched| following.fetched(fetched)) {
                    return error;
                }
            }
            () = sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {}
        }
    }
}

type Fetching = Pin<Box<dyn Future<Output = Result<Vec<Fetched>, CallError>> + Send>>;

/// A feed that is being read.
struct Following<'s> {
    session: &'s Session,
    registration: Registration,
    assembly: Assembly,
    parent: Option<Parent>,
    /// What is to be said of a parent with the next call.
    complaint: Option<Complaint>,
    /// The call under way for missing blocks.
    fetching: Option<Fetching>,
}

impl Following<'_> {
    /// The coordinator sends a part of the feed. Blocks up to the cursor were processed.
    fn announced(&mut self, part: FeedPart, cursor: u64) {
        let now = Instant::now();
        match &part.sender {
            None => {
                let announced = self.assembly.announce(part, now);
                self.blame(announced);
            }
            Some(BlockSender::Coordinator) => self.leave_parent(),
            Some(BlockSender::Parent(address)) => {
                let known = self.parent.as_ref();
                if known.is_some_and(|p| p.worker == address.worker && p.url == address.url) {
                    return self.assembly.set_depth(address.depth);
                }
                let Some(relaying) = &self.session.relaying else {
                    return;
                };
                tracing::info!(relay = %address.worker, url = address.url, "new records come from a relay");
                self.assembly.set_parent(Some(address.depth));
                self.parent = Some(Parent::follow(
                    address.clone(),
                    relaying,
                    self.session.link.url(),
                    self.registration.store_epoch,
                    cursor,
                ));
            }
        }
    }

    /// Takes what the parent has sent by now.
    fn take_what_is_here(&mut self) {
        while let Some(sent) = self.parent.as_mut().and_then(Parent::try_next) {
            self.sent(sent);
        }
    }

    fn sent(&mut self, sent: Sent) {
        match sent {
            Sent::Block(cursor, block) => {
                let arrived = self.assembly.arrive(cursor, block, Instant::now());
                self.blame(arrived);
            }
            Sent::End(why) => self.complain(ParentFault::Broken, &why),
        }
    }

    fn fetched(&mut self, fetched: Vec<Fetched>) -> Result<(), CallError> {
        for Fetched { cursor, block } in fetched {
            let taken = self.assembly.take(cursor, block);
            // A revocation may have come in between. The feed begins again and tells.
            taken.map_err(|wrong| CallError::Unreachable(wrong.to_string()))?;
        }
        Ok(())
    }

    /// Begins to fetch what is missing, and asks for another parent if this one is of no use.
    fn fetch(&mut self) {
        if self.fetching.is_some() {
            return;
        }
        let now = Instant::now();
        let wanted = self.assembly.wanted(now);
        if self.assembly.is_parent_late(now) {
            self.complain(ParentFault::Late, "its blocks come late");
        }
        if wanted.is_empty() && self.complaint.is_none() {
            return;
        }
        let (client, worker) = (self.session.link.client.clone(), self.registration.worker);
        let complaint = self.complaint.take();
        self.fetching = Some(Box::pin(async move {
            client.fetch(worker, wanted, complaint).await
        }));
    }

    fn blame(&mut self, checked: Result<(), Wrong>) {
        if let Err(wrong) = checked {
            self.complain(ParentFault::Wrong, &wrong.to_string());
        }
    }

    /// Leaves a parent, and asks for another.
    fn complain(&mut self, fault: ParentFault, why: &str) {
        let Some(parent) = &self.parent else {
            return;
        };
        let (relay, url) = (parent.worker, &parent.url);
        tracing::warn!(%relay, url, why, "a relay is of no use; its blocks are fetched");
        self.complaint = Some(Complaint {
            parent: relay,
            fault,
        });
        self.leave_parent();
    }

    fn leave_parent(&mut self) {
        self.parent = None;
        self.assembly.set_parent(None);
    }
}

/// Resolves when the parent sends something, if there is one.
async fn next(parent: &mut Option<Parent>) -> Sent {
    match parent {
        Some(parent) => parent.next().await,
        None => std::future::pending().await,
    }
}

/// Resolves when the call under way ends, if there is one.
async fn ended(fetching: &mut Option<Fetching>) -> Result<Vec<Fetched>, CallError> {
    match fetching {
        Some(fetching) => fetching.await,
        None => std::future::pending().await,
    }
}
