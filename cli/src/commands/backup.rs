//! `sproutnet backup`: keeps a folder a copy of a coordinator's store, from which a coordinator can start.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use sproutnet_game as game;
use sproutnet_store::StoreError;
use sproutnet_store::transfer::{Backup, MirrorCursor};

use crate::args::Common;
use crate::commands::fetch::{self, Sink};
use crate::commands::task;
use crate::commands::transfer::id;
use crate::exit::{BadInput, Exit};
use crate::remote::cluster::Cluster;
use crate::remote::retry::Retry;
use crate::terminal::text::{Show, count, print};

/// The advice after an interrupt.
const HINT: &str = "the same command continues from here";

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

/// A backup, and what the last pass changed besides records.
struct Passes {
    backup: Backup,
    changed: usize,
}

impl Sink for Passes {
    fn place(&self) -> MirrorCursor {
        self.backup.place()
    }

    fn restart(self, place: MirrorCursor) -> Result<Self, StoreError> {
        if self.place().store == place.store {
            eprintln!(
                "records were revoked in the store; the backup starts over, and the previous one stays until it is \
                 complete"
            );
        }
        let backup = self.backup.restart(place, &game::encodings())?;
        Ok(Self { backup, ..self })
    }

    fn add_document(&mut self, name: String, bytes: Vec<u8>) -> Result<(), StoreError> {
        self.backup.add_document(name, bytes)
    }

    fn add_block(&mut self, number: u64, bytes: &[u8]) -> Result<(), StoreError> {
        self.backup.add_block(number, bytes)
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
        let backup = Backup::open(&folder, &game::encodings()).map_err(task::of_store)?;
        let mut passes = Passes { backup, changed: 0 };
        let mut is_first = true;
        loop {
            let began = Instant::now();
            let before = passes.backup.records();
            let call = async |place| client.backup(place).await;
            passes = fetch::fetch_into(passes, call, &retry, watch)?;
            let MirrorCursor { store, cursor, .. } = passes.place();
            let records = passes.backup.records();
            let backed_up = BackedUp {
                folder: &folder,
                store: id(store),
                cursor,
                records,
                new: records.saturating_sub(before),
                documents: passes.changed,
            };
            if is_first || backed_up.new > 0 || backed_up.documents > 0 {
                print(json, &backed_up)?;
            }
            is_first = false;
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
