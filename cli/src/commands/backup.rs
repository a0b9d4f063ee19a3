//! `sproutnet backup`: keeps a folder a copy of a coordinator's store, from which a coordinator can start.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use sproutnet_game as game;
use sproutnet_store::transfer::{Backup, MirrorCursor};
use sproutnet_store::{Mark, StoreError};
use sproutnet_system::disk::{Disk, DiskFull};
use sproutnet_system::process::restart;

use crate::args::Common;
use crate::commands::fetch::{self, Sink};
use crate::commands::task;
use crate::commands::transfer::id;
use crate::exit::{BadInput, Exit};
use crate::remote::cluster::Cluster;
use crate::remote::retry::Retry;
use crate::terminal::text::{Show, bytes, count, print};

/// The advice after an interrupt.
const HINT: &str = "the same command continues from here";

/// The time between two notices of a full disk.
const BETWEEN_NOTICES: Duration = Duration::from_hours(1);

/// A complete pass.
#[derive(Serialize)]
struct BackedUp<'a> {
    folder: &'a Path,
    store: String,
    cursor: u64,
    records: u64,
    new: u64,
    documents: usize,
}

impl Show for BackedUp<'_> {
    fn lines(&self) -> Vec<String> {
        vec![format!(
            "{}: {} records, {} new; {} other changes; up to block {} of store {}",
            self.folder.display(),
            count(self.records),
            count(self.new),
            count(self.documents as u64),
            count(self.cursor),
            self.store,
        )]
    }
}

/// The room for a backup.
struct Room {
    folder: PathBuf,
    /// Its disk, if passes leave a reserve free.
    disk: Option<Disk>,
}

impl Room {
    /// A pass that ends here leaves a sound store, which can go on. After a failed write, it has to be opened again.
    fn check(&self) -> Result<(), StoreError> {
        let Some(Err(DiskFull(space))) = self.disk.as_ref().map(Disk::check) else {
            return Ok(());
        };
        let (free, reserve) = (bytes(space.free), bytes(space.reserve));
        let problem = format!("{free} free, less than the {reserve} that stay free");
        Err(StoreError::File {
            path: self.folder.clone(),
            source: io::Error::new(io::ErrorKind::StorageFull, problem),
        })
    }
}

/// A backup, and what the last pass changed besides records.
struct Passes {
    backup: Backup,
    changed: usize,
    room: Arc<Room>,
}

impl Sink for Passes {
    fn place(&self) -> MirrorCursor {
        self.backup.place()
    }

    fn restart(self, place: MirrorCursor) -> Result<Self, StoreError> {
        let is_known = self.place().store == place.store;
        let backup = self.backup.restart(place, &game::encodings())?;
        if is_known {
            eprintln!(
                "records were revoked in the store; the backup starts over, and the previous one stays until it is \
                 complete"
            );
        }
        Ok(Self { backup, ..self })
    }

    fn add_document(&mut self, name: String, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.backup.add_document(name, bytes)
    }

    fn add_block(&mut self, at: Mark, bytes: &[u8]) -> Result<(), StoreError> {
        self.room.check()?;
        self.backup.add_block(at, bytes)
    }

    fn interrupt(&mut self) -> Result<(), StoreError> {
        self.backup.interrupt()
    }

    fn end(&mut self) -> Result<(), StoreError> {
        self.changed = self.backup.complete(task::now())?;
        Ok(())
    }
}

/// Copies what changed in the coordinator's store since the last pass: once, or again and again.
pub(crate) async fn run(
    folder: PathBuf,
    every: Option<Duration>,
    common: Common,
) -> anyhow::Result<Exit> {
    if common.coordinator.is_none() {
        let problem = "--coordinator names the coordinator to back up; a store that no coordinator has open is backed \
                       up by a copy of its folder";
        return Err(BadInput(problem.to_owned()).into());
    }
    let cluster = Cluster::connect(&common, None).await?;
    let (client, json) = (cluster.client(), common.json);
    let notify = |notice: &str| eprintln!("{notice}");
    let retry = if every.is_some() {
        Retry::for_ever(notify)
    } else {
        Retry::new(true, notify)
    };
    let ended = task::run(json, HINT, move |watch| {
        let mut open: Option<Passes> = None;
        let mut is_first = true;
        let mut full = Full::default();
        let room = Arc::new(Room {
            disk: every.map(|_| Disk::of(&folder, None)),
            folder: folder.clone(),
        });
        loop {
            let began = Instant::now();
            let passed = pass(&room, open.take(), full.is_now(), |passes| {
                let call = async |place| client.backup(place).await;
                fetch::fetch_into(passes, call, &retry, watch)
            });
            let cursor = match passed {
                Ok((passes, new)) => {
                    full.ends();
                    let MirrorCursor { store, cursor, .. } = passes.place();
                    let backed_up = BackedUp {
                        folder: &folder,
                        store: id(store),
                        cursor,
                        records: passes.backup.records(),
                        new,
                        documents: passes.changed,
                    };
                    if is_first || backed_up.new > 0 || backed_up.documents > 0 {
                        print(json, &backed_up)?;
                    }
                    is_first = false;
                    open = Some(passes);
                    cursor
                }
                Err(error) if every.is_some() && is_disk_full(&error) => {
                    full.notice(&error);
                    0
                }
                Err(error) => return Err(error),
            };
            let Some(every) = every else {
                return Ok(Exit::Fine);
            };
            let next = tokio::time::sleep(every.saturating_sub(began.elapsed()));
            fetch::wait("waiting for the next pass", next, cursor, watch)?;
        }
    });
    let exit = ended.await?;
    cluster.close().await?;
    Ok(exit)
}

/// Makes a pass with `fetch`; opens the backup unless it is open. Returns it, and the number of new records.
fn pass(
    room: &Arc<Room>,
    open: Option<Passes>,
    after_full: bool,
    fetch: impl FnOnce(Passes) -> anyhow::Result<Passes>,
) -> anyhow::Result<(Passes, u64)> {
    room.check().map_err(task::of_store)?;
    let passes = match open {
        Some(passes) => passes,
        None => match Backup::open(&room.folder, &game::encodings()) {
            // A write failed in an earlier pass, and left files open.
            Err(StoreError::InUse { .. }) if after_full => return Err(restart().into()),
            opened => Passes {
                backup: opened.map_err(task::of_store)?,
                changed: 0,
                room: Arc::clone(room),
            },
        },
    };
    let before = passes.backup.records();
    let passes = fetch(passes)?;
    let new = passes.backup.records().saturating_sub(before);
    Ok((passes, new))
}

fn is_disk_full(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(StoreError::is_disk_full)
}

/// Whether the disk was full at the last pass.
#[derive(Default)]
struct Full {
    noticed: Option<Instant>,
}

impl Full {
    fn is_now(&self) -> bool {
        self.noticed.is_some()
    }

    /// The disk is full: prints a notice, at once and then now and again.
    fn notice(&mut self, error: &anyhow::Error) {
        if self
            .noticed
            .is_none_or(|at| at.elapsed() >= BETWEEN_NOTICES)
        {
            self.noticed = Some(Instant::now());
            eprintln!(
                "disk full: {error:#}; the backup stays as it is, and the next pass tries again"
            );
        }
    }

    fn ends(&mut self) {
        if self.noticed.take().is_some() {
            eprintln!("the disk has room again");
        }
    }
}
