//! Salvage: importing the sound part of a damaged store.

mod log;
mod unopened;

use super::{
    RESULTS,
    import::{Import, Imported, Incoming},
};
use crate::{
    Batch, Copy, Sources, StoreError, Watch,
    database::{Database, Lock},
    documents::Document,
    high_water_mark::HighWaterMark,
    open::{self, ID_KEY, readable},
    revoked::Revoked,
    rollback::EPOCH_KEY,
    sources, swap,
    walk::each_block,
};
use sproutnet_notation::Epoch;
use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
};
use xxhash_rust::xxh3::xxh3_64;

/// The result of a salvage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Salvaged {
    /// The number of good blocks.
    pub blocks: u64,
    /// The number of damaged blocks; zero if the blocks were read without the database.
    pub damaged: u64,
    /// The number of blocks left out because they may have been revoked.
    pub revoked: u64,
    /// The number of keys of the damaged store. `None` if it is unknown, or the blocks were read without the database.
    pub expected: Option<u64>,
    /// The number of its keys in good blocks.
    pub good: u64,
    /// The number of records that were new in the target.
    pub new: u64,
    /// The number of results that were new in the target. How many the damaged store had is unknown.
    pub new_results: u64,
}

/// The outcome of salvaging a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Damaged,
    Revoked,
    Good,
}

/// The findings in the damaged store.
struct Seen {
    /// The fate of each block.
    fates: BTreeMap<u64, Fate>,
    /// The hashes of the keys in good blocks. `None` if the target began empty: its records are those keys.
    keys: Option<HashSet<u64>>,
}

impl Import<'_> {
    /// Imports the sound part of the damaged store in the folder `dir`, which must not be open. Its database is not
    /// changed, except that an interrupted [compacting](fn@crate::compact) is finished.
    ///
    /// A block is good if its checksum matches and each of its records is
    /// [well-formed](sproutnet_record::RecordRules::check). As in every import, records about positions that
    /// cannot occur are [left out](sproutnet_record::RecordRules::admit). Blocks that may have been revoked
    /// are left out; if anything was ever revoked, then results too, since they follow from the records.
    /// Repeating the call adds nothing. If the database does not lead to a good block, the whole ones in its log are read
    /// without it.
    ///
    /// # Errors
    /// [`StoreError::Folder`], [`StoreError::InUse`], [`StoreError::Clock`], [`StoreError::Version`], those
    /// of [`Copy::of`] and of [`Self::file`]; [`StoreError::Unreadable`] and [`StoreError::Corrupt`] if
    /// nothing can be read.
    pub fn salvage(&self, dir: &Path, watch: Watch<'_>) -> Result<Salvaged, StoreError> {
        let lock = match Lock::take(dir) {
            Err(StoreError::Unwritable { .. }) => None,
            lock => Some(lock?),
        };
        if lock.is_some() {
            swap::finish(dir)?;
        }
        let mut salvaged = Salvaged::default();
        let mut seen = Seen {
            fates: BTreeMap::new(),
            keys: (!self.store.is_empty()).then(HashSet::new),
        };
        let mut failed = None;
        let mut is_read = false;
        // The log may lead to blocks that the snapshot does not.
        for with_snapshots in [true, false] {
            let copy = Copy::of_idle(dir, with_snapshots)?;
            match self.salvage_copy(dir, copy.path(), &mut salvaged, &mut seen, watch) {
                Ok(()) => is_read = true,
                Err(error @ (StoreError::Unreadable { .. } | StoreError::Corrupt(_))) => {
                    failed = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        let fates = &seen.fates;
        let count = |fate| fates.values().filter(|&&found| found == fate).count() as u64;
        salvaged.blocks = count(Fate::Good);
        salvaged.damaged = count(Fate::Damaged);
        salvaged.revoked = count(Fate::Revoked);
        let mut failed = failed.filter(|_| !is_read);
        if salvaged.blocks == 0 && salvaged.expected != Some(0) {
            match self.salvage_unopened(dir, &mut salvaged, &mut seen.keys, watch) {
                Ok(()) => failed = None,
                // The first error says more.
                Err(StoreError::Corrupt(_)) => {}
                Err(error) => return Err(error),
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        salvaged.good = match seen.keys {
            None => self.store.len() as u64,
            Some(keys) => keys.len() as u64,
        };
        Ok(salvaged)
    }

    /// Imports the sound part of a copy of the store in `dir`.
    fn salvage_copy(
        &self,
        dir: &Path,
        copy: &Path,
        salvaged: &mut Salvaged,
        seen: &mut Seen,
        watch: Watch<'_>,
    ) -> Result<(), StoreError> {
        let mark = HighWaterMark::open(copy)?.read();
        salvaged.expected = mark.map(|(_, keys)| keys);
        let (db, from, epoch) = readable(dir, || {
            let db = Database::open(copy)?;
            if db.meta.get(ID_KEY)?.is_none() {
                let problem = "its list of versions is lost";
                return Err(StoreError::Corrupt(problem.to_owned()));
            }
            let from = open::settle_meta(&db, self.rules.encodings)?;
            let epoch = open::number(&db.meta, EPOCH_KEY)?.unwrap_or(0);
            Ok((db, from, Epoch(epoch)))
        })?;
        let mut revoked = Revoked::of(copy, epoch, u64::MAX)?;
        let (theirs, mut results) = self.good_documents(dir, &db);
        for (_, source) in theirs.iter() {
            // Its records, and all after them, were about to be revoked.
            if source.quarantine.is_some() && !revoked.contains(source.since + 1) {
                revoked.put(source.since, u64::MAX);
            }
        }
        if !revoked.is_empty() {
            results.clear();
        }
        let under_way = format!("{}salvage/{from:016x}", super::UNDER_WAY);
        let (target, rules) = (self.target()?, self.rules);
        let mut incoming = Incoming::begin(&target, rules, self.now, dir, from, theirs, under_way)?;
        let last = mark.map_or(0, |(cursor, _)| cursor);
        let mut records = Batch::default();
        each_block(&db.blocks, last, "salvaging", watch, |number, bytes| {
            let fate = match bytes {
                Ok(_) if revoked.contains(number) => Fate::Revoked,
                Ok(bytes) if self.is_good(&bytes, number, &mut records) => {
                    if let Some(keys) = &mut seen.keys {
                        keys.extend(records.iter().map(|record| xxh3_64(record.key)));
                    }
                    incoming.add(&records, number, || format!("block {number}"))?;
                    Fate::Good
                }
                Ok(_) | Err(_) => Fate::Damaged,
            };
            let known = seen.fates.entry(number).or_insert(fate);
            *known = fate.max(*known);
            Ok(())
        })?;
        let imported: Imported = incoming.finish(&results)?;
        salvaged.new += imported.new;
        salvaged.new_results += imported.new_results;
        // A damaged database may panic again.
        readable(dir, move || {
            drop(db);
            Ok(())
        })
    }

    /// Decodes a block; returns whether it is sound and has only well-formed records.
    fn is_good(&self, bytes: &[u8], number: u64, records: &mut Batch) -> bool {
        records.clear();
        let pushed = records.push_stored(number, bytes);
        let rules = self.rules.records;
        let mut all = records.iter();
        pushed.is_ok() && all.all(|record| rules.check(record.key, record.value).is_ok())
    }

    /// The readable sources and results.
    fn good_documents(&self, dir: &Path, db: &Database) -> (Sources, Vec<Document>) {
        let mut theirs = Sources::default();
        let mut results = Vec::new();
        let read = readable(dir, || {
            for entry in &db.documents {
                let (name, bytes) = entry?;
                let Ok(name) = String::from_utf8(name.to_vec()) else {
                    continue;
                };
                if let Ok((number, source)) = sources::read(&name, &bytes) {
                    theirs.restore(number, source);
                } else if name.starts_with(RESULTS)
                    && (self.rules.results)(&name, None, &bytes).is_ok()
                {
                    results.push((name, bytes.to_vec()));
                }
            }
            Ok(())
        });
        if let Err(error) = read {
            tracing::warn!(%error, "not all sources and results can be read");
        }
        (theirs, results)
    }
}
