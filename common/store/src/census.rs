//! A census: the records of a store, counted.

use super::{
    Sources, Store, StoreError, VERIFIED, Watch, number_of, transfer::RESULTS, watch::is_stopped,
};
use serde::Deserialize;
use sproutnet_notation::Play;
use sproutnet_record::{Fact, Kind, RecordRules};
use std::collections::{BTreeMap, HashMap};

/// The number of records between reports of progress.
const OFTEN: u64 = 1 << 14;

/// Records of each game and convention.
pub type Kinds = BTreeMap<Kind, Tally>;

/// The content of a store, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Records by game and convention.
    pub kinds: Kinds,
    /// Records of unknown games.
    pub unknown: u64,
    /// The bytes of all keys.
    pub key_bytes: u64,
    /// Every source that has a document or records, as text, and the number of its records.
    pub sources: Vec<(String, u64)>,
    /// Results of solved positions.
    pub results: u64,
    /// When the first and the last result was found, in seconds since 1970.
    pub solved_at: Option<(u64, u64)>,
}

/// Records of one game and convention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub records: u64,
    /// Exact nimbers, of normal play.
    pub exact: u64,
    /// Nimbers 0: lands that the player to move loses. Also lost misère states.
    pub lost: u64,
    /// Nimbers other than 0, exact or not. Also won misère states.
    pub won: u64,
    /// Records that only exclude nimbers.
    pub exclusions: u64,
    /// Records confirmed by the independent checker.
    pub verified: u64,
}

/// The part of a result that the census reads.
#[derive(Deserialize)]
struct Dated {
    solved_at: u64,
}

impl Store {
    /// Counts the content of the store. Reads all of it. `None` if it was stopped.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::CorruptBlock`], [`StoreError::Corrupt`].
    pub fn census(
        &self,
        rules: &dyn RecordRules,
        watch: Watch<'_>,
    ) -> Result<Option<Census>, StoreError> {
        let mut census = Census::default();
        let mut kinds: HashMap<[Option<u8>; 2], (Option<Kind>, Tally)> = HashMap::new();
        let mut by_source: BTreeMap<u32, u64> = BTreeMap::new();
        let of = self.len() as u64;
        for (done, stored) in (0..).zip(self.iter()) {
            if done % OFTEN == 0 && is_stopped(watch, "counting", done, of) {
                return Ok(None);
            }
            let stored = stored?;
            let (key, value) = (&stored.record.key, stored.record.value);
            census.key_bytes += key.len() as u64;
            *by_source.entry(number_of(stored.source)).or_default() += 1;
            let prefix = [key.first().copied(), key.get(1).copied()];
            let (kind, tally) = kinds
                .entry(prefix)
                .or_insert_with(|| (rules.kind(key), Tally::default()));
            match kind {
                Some(kind) => {
                    tally.count(kind.play, value);
                    tally.verified += u64::from(stored.source & VERIFIED != 0);
                }
                None => census.unknown += 1,
            }
        }
        let kinds = kinds.into_values();
        census.kinds = kinds
            .filter_map(|(kind, tally)| Some((kind?, tally)))
            .collect();
        self.count_documents(&mut census, by_source)?;
        Ok(Some(census))
    }

    fn count_documents(
        &self,
        census: &mut Census,
        mut by_source: BTreeMap<u32, u64>,
    ) -> Result<(), StoreError> {
        let sources = Sources::of(self)?;
        for (number, _) in sources.iter() {
            by_source.entry(number).or_default();
        }
        let described = by_source.into_iter();
        census.sources = described
            .map(|(number, records)| (sources.describe(number), records))
            .collect();
        for document in self.scan_documents(RESULTS) {
            let (name, bytes) = document?;
            let dated: Dated = serde_json::from_slice(&bytes).map_err(|error| {
                StoreError::Corrupt(format!("its document `{name}` is malformed: {error}"))
            })?;
            let at = dated.solved_at;
            let (first, last) = census.solved_at.unwrap_or((at, at));
            census.solved_at = Some((first.min(at), last.max(at)));
            census.results += 1;
        }
        Ok(())
    }
}

impl Tally {
    fn count(&mut self, play: Play, value: u64) {
        self.records += 1;
        match Fact::read(play, value) {
            Some(Fact::Nimber(nimber)) => {
                self.exact += 1;
                self.lost += u64::from(nimber == 0);
                self.won += u64::from(nimber != 0);
            }
            Some(Fact::Excluded(nimbers)) => {
                self.exclusions += 1;
                self.won += u64::from(nimbers.contains(0));
            }
            Some(Fact::Loss) => self.lost += 1,
            Some(Fact::Win) | None => self.won += 1,
        }
    }
}
