//! A census: the records of a store, counted.

use super::{Sources, Store, StoreError, VERIFIED, Watch, number_of, transfer::RESULTS};
use serde::{Deserialize, Serialize};
use sproutnet_notation::Play;
use sproutnet_record::{Fact, Kind, RecordRules};
use std::collections::BTreeMap;

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// All of them.
    pub records: u64,
    /// Exact nimbers, of normal play.
    pub exact: u64,
    /// Records that only exclude nimbers.
    pub exclusions: u64,
    /// Records of nimber 0 (the player to move loses the land), and of lost misère states.
    pub lost: u64,
    /// Records of nimbers other than 0, exact or not, and of won misère states.
    pub won: u64,
    /// Records confirmed by the checker of certificates.
    pub verified: u64,
}

/// The part of a result that the census reads.
#[derive(Deserialize)]
struct Dated {
    solved_at: u64,
}

impl Store {
    /// Counts the content of the store. Reads all of it.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::CorruptBlock`], [`StoreError::Corrupt`],
    /// [`StoreError::Stopped`].
    pub fn census(&self, rules: &dyn RecordRules, watch: Watch<'_>) -> Result<Census, StoreError> {
        let mut census = Census::default();
        let sources = Sources::of(self)?;
        let mut by_source: BTreeMap<u32, u64> = sources.iter().map(|(n, _)| (n, 0)).collect();
        self.visit(rules, "counting", watch, |kind, stored| {
            census.key_bytes += stored.record.key.len() as u64;
            *by_source.entry(number_of(stored.source)).or_default() += 1;
            match kind {
                Some(kind) => {
                    let tally = census.kinds.entry(kind).or_default();
                    tally.count(kind.play, stored.record.value);
                    tally.verified += u64::from(stored.source & VERIFIED != 0);
                }
                None => census.unknown += 1,
            }
            Ok(())
        })?;
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
        Ok(census)
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
