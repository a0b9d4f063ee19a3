//! Salvage of a database that does not lead to its blocks: the whole blocks in its log are read one by one.
//!
//! Nothing says which of these blocks are the newest, so replaced ones are imported too: what they hold was true as well.
//! How many records are missing is not known. Without the versions of the encodings, keys would have no meaning, so they
//! have to be found in the log. Blocks that may have been revoked are left out: those whose numbers were revoked, and if
//! anything was ever revoked, all whose numbers are not known.

use super::{
    Incoming, Salvaged,
    log::{self, Entry},
};
use crate::{
    Batch, SourceOfRecords, Sources, StoreError, Watch,
    documents::Document,
    high_water_mark::HighWaterMark,
    open::{ENCODING_PREFIX, FORMAT_KEY, FORMAT_VERSION, FORMER_VERSION, ID_KEY},
    revoked::{self, Revoked},
    rollback::EPOCH_KEY,
    sources,
    transfer::{Import, RESULTS},
    walk::proceed,
};
use sproutnet_notation::Epoch;
use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
};
use xxhash_rust::xxh3::xxh3_64;

/// What the log says besides blocks.
#[derive(Default)]
struct Found {
    id: Option<u64>,
    epoch: u64,
    /// The version of the layout.
    format: Option<u32>,
    /// The versions of the encodings, by name.
    versions: BTreeMap<String, u32>,
    /// The newest sources and results, with their positions in the log.
    documents: BTreeMap<String, (u64, Vec<u8>)>,
    /// The cursors before the first records of sources that were ever quarantined.
    quarantined_since: Vec<u64>,
}

impl Found {
    fn add(&mut self, entry: &Entry<'_>) {
        let Ok(key) = std::str::from_utf8(entry.key) else {
            return;
        };
        let number: Option<u64> = entry.value.try_into().ok().map(u64::from_be_bytes);
        let version: Option<u32> = entry.value.try_into().ok().map(u32::from_be_bytes);
        if let Some(encoding) = key.strip_prefix(ENCODING_PREFIX) {
            let version = version.map(|version| (encoding.to_owned(), version));
            self.versions.extend(version);
        } else if key == FORMAT_KEY {
            self.format = self.format.max(version);
        } else if key == ID_KEY {
            self.id = number.or(self.id);
        } else if key == EPOCH_KEY {
            self.epoch = self.epoch.max(number.unwrap_or(0));
        } else if key.starts_with(sources::PREFIX) || key.starts_with(RESULTS) {
            self.keep(key, entry);
        }
        // Under any name, since the beginning of it may be missing.
        if let Ok(source) = serde_json::from_slice::<SourceOfRecords>(entry.value)
            && source.quarantine.is_some()
        {
            self.quarantined_since.push(source.since);
        }
    }

    fn keep(&mut self, name: &str, entry: &Entry<'_>) {
        let known = self.documents.get(name);
        if known.is_none_or(|(position, _)| *position <= entry.position) {
            let document = (entry.position, entry.value.to_owned());
            self.documents.insert(name.to_owned(), document);
        }
    }

    /// The numbers of blocks that may have been revoked.
    fn revoked(&self, dir: &Path) -> Result<Revoked, StoreError> {
        let mut revoked = Revoked::of(dir, Epoch(self.epoch), u64::MAX)?;
        // Without either file, more than the database may be damaged.
        if !dir.join(revoked::FILE).exists() && !HighWaterMark::is_in(dir) {
            revoked.put(0, u64::MAX);
        }
        for &since in &self.quarantined_since {
            if !revoked.contains(since.saturating_add(1)) {
                revoked.put(since, u64::MAX);
            }
        }
        Ok(revoked)
    }
}

impl Import<'_> {
    /// Imports the whole blocks in the log of the database in `dir`, and adds the hashes of their keys to `keys`.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if nothing can be imported; [`StoreError::Version`]; those of [`Import::file`].
    pub(super) fn salvage_unopened(
        &self,
        dir: &Path,
        salvaged: &mut Salvaged,
        keys: &mut Option<HashSet<u64>>,
        watch: Watch<'_>,
    ) -> Result<(), StoreError> {
        let mut found = Found::default();
        let mut step = |done, of| proceed(watch, "reading the log", done, of);
        log::each_entry(dir, &mut step, &mut |entry| {
            found.add(&entry);
            Ok(())
        })?;
        self.check_versions(&found)?;
        let revoked = found.revoked(dir)?;
        let (theirs, mut results) = self.sound_documents(&found);
        if !revoked.is_empty() {
            results.clear();
        }
        let from = found.id.unwrap_or(0);
        let under_way = format!("{}salvage/{from:016x}", crate::transfer::UNDER_WAY);
        let (target, rules) = (self.target()?, self.rules);
        let mut incoming = Incoming::begin(&target, rules, self.now, dir, from, theirs, under_way)?;
        let mut records = Batch::default();
        // By their checksums: copies of a block are found again and again.
        let (mut good, mut left_out) = (HashSet::new(), HashSet::new());
        let mut step = |done, of| proceed(watch, "salvaging", done, of);
        log::each_entry(dir, &mut step, &mut |entry| {
            let checksum = xxh3_64(entry.value);
            if good.contains(&checksum) {
                return Ok(());
            }
            let number = entry.key.try_into().map(u64::from_be_bytes).ok();
            let is_block = number.is_some() || entry.is_end;
            let is_known = is_block && self.is_good(entry.value, number.unwrap_or(0), &mut records);
            if !is_known || !self.has_versions(&records, &found.versions) {
                return Ok(());
            }
            if number.map_or(!revoked.is_empty(), |number| revoked.contains(number)) {
                left_out.insert(checksum);
                return Ok(());
            }
            good.insert(checksum);
            if let Some(keys) = keys.as_mut() {
                keys.extend(records.iter().map(|record| xxh3_64(record.key)));
            }
            let place = || format!("position {} of the log", entry.position);
            incoming.add(&records, 0, place)
        })?;
        let imported = incoming.finish(&results)?;
        salvaged.new += imported.new;
        salvaged.new_results += imported.new_results;
        if !good.is_empty() || !left_out.is_empty() {
            salvaged.blocks = good.len() as u64;
            salvaged.damaged = 0;
            salvaged.revoked = left_out.difference(&good).count() as u64;
            salvaged.expected = None;
        } else if imported.results == 0 {
            return Err(StoreError::Corrupt("its log has no whole block".to_owned()));
        }
        Ok(())
    }

    /// Compares the versions of the layout and of the encodings with those of this program.
    fn check_versions(&self, found: &Found) -> Result<(), StoreError> {
        if found.versions.is_empty() {
            let problem = "its list of versions is lost";
            return Err(StoreError::Corrupt(problem.to_owned()));
        }
        let differs = |of: String, found, expected| StoreError::Version {
            of,
            found,
            expected,
        };
        let format = found.format.unwrap_or(FORMAT_VERSION);
        if ![FORMAT_VERSION, FORMER_VERSION].contains(&format) {
            return Err(differs("the format".to_owned(), format, FORMAT_VERSION));
        }
        for &(encoding, expected) in self.rules.encodings {
            let version = found.versions.get(encoding);
            if let Some(&version) = version.filter(|&&version| version != expected) {
                let of = format!("the encoding `{encoding}`");
                return Err(differs(of, version, expected));
            }
        }
        Ok(())
    }

    /// Whether the versions of the encodings of all records were found.
    fn has_versions(&self, records: &Batch, versions: &BTreeMap<String, u32>) -> bool {
        records.iter().all(|record| {
            let kind = self.rules.records.kind(record.key);
            kind.is_some_and(|kind| versions.contains_key(kind.game))
        })
    }

    /// The sources, and the well-formed results of games whose versions were found.
    fn sound_documents(&self, found: &Found) -> (Sources, Vec<Document>) {
        let mut theirs = Sources::default();
        let mut results = Vec::new();
        for (name, (_, bytes)) in &found.documents {
            if let Ok((number, source)) = sources::read(name, bytes) {
                theirs.restore(number, source);
                continue;
            }
            let game = name
                .strip_prefix(RESULTS)
                .and_then(|of| of.split('/').next());
            let has_version = game.is_some_and(|game| found.versions.contains_key(game));
            if has_version && (self.rules.results)(name, None, bytes).is_ok() {
                results.push((name.clone(), bytes.clone()));
            }
        }
        (theirs, results)
    }
}
