//! Fetches the content of a coordinator's store, for an export or a backup.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::bail;
use sproutnet_game as game;
use sproutnet_proto::v1;
use sproutnet_proto::v1::export_response::Part;
use sproutnet_store::transfer::{Mirror, MirrorCursor};
use sproutnet_store::{Mark, Step, StoreError, Unusable, Watch};
use tokio::runtime::Handle;
use tonic::{Code, Status, Streaming};

use crate::commands::task;
use crate::remote::client::{Client, LONGEST_CALL};
use crate::remote::retry::Retry;

/// The notice of an unfinished export that cannot be resumed.
pub(crate) const STARTING_OVER: &str =
    "the unfinished export belongs to a changed store or other records; starting over";

/// The interval at which interrupts are checked while nothing arrives.
const OFTEN: Duration = Duration::from_millis(200);

/// What is waited for until a call is answered.
const CALLING: &str = "waiting for the coordinator";

/// The fetched part of a coordinator's store.
pub(crate) struct Fetched {
    /// The copy of the coordinator's store.
    pub(crate) mirror: Mirror,
    /// The number of records that an interrupted export had fetched; `None` if there were none.
    pub(crate) resumed_at: Option<u64>,
}

/// A copy of a coordinator's store.
pub(crate) trait Sink: Sized {
    /// What it has.
    fn place(&self) -> MirrorCursor;

    /// Starts over at a place.
    fn restart(self, place: MirrorCursor) -> Result<Self, StoreError>;

    fn add_document(&mut self, name: String, bytes: Vec<u8>) -> Result<(), StoreError>;

    fn add_block(&mut self, at: Mark, bytes: &[u8]) -> Result<(), StoreError>;

    /// Keeps what arrived of a call that did not end.
    fn interrupt(&mut self) -> Result<(), StoreError>;

    /// Keeps what a call brought.
    fn end(&mut self) -> Result<(), StoreError> {
        self.interrupt()
    }
}

impl Sink for Fetched {
    fn place(&self) -> MirrorCursor {
        self.mirror.place()
    }

    fn restart(self, place: MirrorCursor) -> Result<Self, StoreError> {
        if self.place() != MirrorCursor::default() {
            eprintln!("{STARTING_OVER}");
        }
        Ok(Self {
            mirror: self.mirror.restart(place, &game::encodings())?,
            resumed_at: None,
        })
    }

    fn add_document(&mut self, name: String, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.mirror.add_document(name, bytes);
        Ok(())
    }

    fn add_block(&mut self, at: Mark, bytes: &[u8]) -> Result<(), StoreError> {
        self.mirror.add_block(at, bytes)
    }

    fn interrupt(&mut self) -> Result<(), StoreError> {
        self.mirror.commit()
    }
}

/// Copies a coordinator's store into a folder beside the output file, or resumes such a copy. Reconnects if the
/// connection is lost. This blocks: it must not be called on a thread of the runtime.
pub(crate) fn fetch(
    client: &Client,
    retry: &Retry,
    output: &Path,
    watch: Watch<'_>,
) -> anyhow::Result<Fetched> {
    let mirror = Mirror::open(&folder_of(output), &game::encodings()).map_err(task::of_store)?;
    let resumed_at = Some(mirror.records()).filter(|&left| left > 0);
    let call = |place| client.export(place);
    fetch_into(Fetched { mirror, resumed_at }, call, retry, watch)
}

/// Copies what a copy lacks, as `call` sends it. Otherwise like [`fetch`].
pub(crate) fn fetch_into<S: Sink>(
    mut sink: S,
    call: impl AsyncFn(MirrorCursor) -> Result<Streaming<v1::ExportResponse>, Status>,
    retry: &Retry,
    watch: Watch<'_>,
) -> anyhow::Result<S> {
    let runtime = Handle::current();
    loop {
        let place = sink.place();
        let calling = retry.call(|| call(place));
        let stream = wait(CALLING, calling, place.cursor, watch)??;
        let mut incoming = Incoming {
            stream,
            newest: 0,
            last: place.cursor,
        };
        let ended = loop {
            match incoming.next(&runtime, watch) {
                Ok(Ok(Part::End(_))) => break Ok(Ok(())),
                Ok(Ok(part)) => sink = take(sink, part)?,
                Ok(Err(status)) => break Ok(Err(status)),
                Err(stopped) => break Err(stopped),
            }
        };
        // The blocks that arrived are kept, even if the connection broke or the user stopped the work.
        let kept = match ended {
            Ok(Ok(())) => sink.end(),
            _ => sink.interrupt(),
        };
        kept.map_err(task::of_store)?;
        match ended? {
            Ok(()) => return Ok(sink),
            Err(status) if status.code() == Code::Aborted => eprintln!("{}", status.message()),
            Err(status) => wait(CALLING, retry.broken(status), place.cursor, watch)??,
        }
    }
}

/// Blocks until `what` ends, such as a call to the coordinator that retries while the coordinator is unreachable.
///
/// # Errors
/// The user stopped the work.
pub(crate) fn wait<T>(
    what: &'static str,
    future: impl Future<Output = T>,
    cursor: u64,
    watch: Watch<'_>,
) -> anyhow::Result<T> {
    let runtime = Handle::current();
    let mut future = std::pin::pin!(future);
    loop {
        let ended = async { tokio::time::timeout(OFTEN, future.as_mut()).await };
        if let Ok(ended) = runtime.block_on(ended) {
            return Ok(ended);
        }
        let step = Step {
            what,
            done: cursor,
            of: cursor,
        };
        if watch(step).is_break() {
            return Err(task::of_store(StoreError::Stopped));
        }
    }
}

/// The folder of the copy, beside the output file.
fn folder_of(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".mirror");
    name.into()
}

/// Adds a part to a copy.
fn take<S: Sink>(mut sink: S, part: Part) -> anyhow::Result<S> {
    match part {
        Part::Begin(begin) => {
            let from = begins_at(&begin)?;
            let place = MirrorCursor {
                timeline: 0,
                ..sink.place()
            };
            if from != place {
                sink = sink.restart(from).map_err(task::of_store)?;
            }
        }
        Part::Document(document) => {
            let added = sink.add_document(document.name, document.bytes);
            added.map_err(task::of_store)?;
        }
        Part::Block(block) => {
            let (timeline, cursor) = (block.timeline, block.number);
            let added = sink.add_block(Mark { timeline, cursor }, &block.bytes);
            added.map_err(of_mirror)?;
        }
        Part::End(_) => {}
    }
    Ok(sink)
}

/// The error of a block that could not be added to the copy: it is damaged, or the disk is full.
fn of_mirror(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::CorruptBlock { .. } => {
            anyhow::Error::new(error).context("the coordinator sent a damaged block")
        }
        error => task::of_store(error),
    }
}

/// The place where the export begins, without a timeline. Fails if the keys have an encoding that is unknown here.
fn begins_at(begin: &v1::ExportBegin) -> anyhow::Result<MirrorCursor> {
    for encoding in &begin.encodings {
        let mut ours = game::encodings().into_iter();
        let ours = ours.find(|(name, _)| *name == encoding.game);
        let expected = ours.map(|(_, version)| version);
        if expected != Some(encoding.version) {
            let reason = Unusable::Encoding {
                encoding: encoding.game.clone(),
                found: encoding.version,
                expected,
            };
            bail!("the store of the coordinator{reason}");
        }
    }
    Ok(MirrorCursor {
        store: begin.store,
        epoch: begin.epoch,
        cursor: begin.cursor,
        timeline: 0,
    })
}

/// The parts of an export as they arrive.
struct Incoming {
    stream: Streaming<v1::ExportResponse>,
    /// The number of the newest block when the call began, and of the last block that arrived.
    newest: u64,
    last: u64,
}

impl Incoming {
    /// The next part, or the status with which the stream ended.
    ///
    /// # Errors
    /// The user stopped the work.
    fn next(&mut self, runtime: &Handle, watch: Watch<'_>) -> anyhow::Result<Result<Part, Status>> {
        let mut waited = Duration::ZERO;
        loop {
            let step = Step {
                what: "fetching blocks",
                done: self.last,
                of: self.newest.max(self.last),
            };
            if watch(step).is_break() {
                return Err(task::of_store(StoreError::Stopped));
            }
            let message = async { tokio::time::timeout(OFTEN, self.stream.message()).await };
            let part = match runtime.block_on(message) {
                Ok(Ok(Some(response))) => response.part,
                Ok(Ok(None)) => {
                    let gone = "the coordinator ended the call";
                    return Ok(Err(Status::unavailable(gone)));
                }
                Ok(Err(status)) => return Ok(Err(status)),
                Err(_) if waited < LONGEST_CALL => {
                    waited += OFTEN;
                    continue;
                }
                Err(_) => {
                    let late = format!("nothing arrived for {} seconds", LONGEST_CALL.as_secs());
                    return Ok(Err(Status::unavailable(late)));
                }
            };
            match &part {
                Some(Part::Begin(begin)) => self.newest = begin.newest,
                Some(Part::Block(block)) => self.last = block.number,
                _ => {}
            }
            if let Some(part) = part {
                return Ok(Ok(part));
            }
        }
    }
}
