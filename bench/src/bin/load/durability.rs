//! Checks that a killed coordinator's store has all acknowledged records.

use std::path::Path;
use std::time::{Duration, Instant};

use sproutnet_game as game;
use sproutnet_solver::play;
use sproutnet_store::{Batch, Store, block};

use crate::records::Blocks;
use crate::worker::Load;

/// The approximate number of records that are looked up.
const SAMPLE: u64 = 100_000;

/// The result of the check.
pub(crate) struct Found {
    acknowledged: u64,
    stored: u64,
    looked_up: u64,
    missing: u64,
    opening: Duration,
}

/// Puts at least `records` records into a new store in a folder; returns the number of blocks used.
pub(crate) fn fill(blocks: &Blocks, records: u32, folder: &Path) -> anyhow::Result<usize> {
    let wanted = u64::from(records).div_ceil(blocks.records_of_block().max(1)) as usize;
    if wanted == 0 {
        return Ok(0);
    }
    let mut batch = Batch::default();
    for bytes in (0..wanted).filter_map(|number| blocks.get(number)) {
        batch.push_block(bytes, |source| source)?;
    }
    let store = Store::open(folder, &game::encodings())?;
    store.merge(&batch.records(), |key, known, new| {
        play::merge(key, known, new).ok()
    })?;
    Ok(wanted)
}

/// Opens the store in a folder, and looks up acknowledged records.
pub(crate) fn look_for(load: &Load, folder: &Path) -> anyhow::Result<Found> {
    let began = Instant::now();
    let store = Store::open(folder, &game::encodings())?;
    let opening = began.elapsed();
    let mut acknowledged = 0;
    for bytes in load.acknowledged() {
        acknowledged += block::Reader::new(bytes)?.count() as u64;
    }
    let step = (acknowledged / SAMPLE).max(1);
    let (mut met, mut looked_up, mut missing) = (0_u64, 0, 0);
    for bytes in load.acknowledged() {
        let mut reader = block::Reader::new(bytes)?;
        while let Some(record) = reader.next_record()? {
            met += 1;
            if met % step == 0 {
                let stored = store.get(record.key)?;
                let includes = |stored: u64| {
                    play::merge(record.key, stored, record.value).is_ok_and(|both| both == stored)
                };
                looked_up += 1;
                missing += u64::from(!stored.is_some_and(|stored| includes(stored.value)));
            }
        }
    }
    Ok(Found {
        acknowledged,
        stored: store.len() as u64,
        looked_up,
        missing,
        opening,
    })
}

impl Found {
    /// Whether no record is missing.
    pub(crate) fn is_all(&self) -> bool {
        self.missing == 0 && self.stored >= self.acknowledged
    }

    /// Prints it.
    pub(crate) fn print(&self) {
        println!(
            "killed       {} records acknowledged, {} in the store (opened in {:.1?}); \
             of {} looked up {} are missing",
            self.acknowledged, self.stored, self.opening, self.looked_up, self.missing
        );
    }
}
