//! The index: for each record of each block, the hash of its key and the number of the block.
//!
//! The index only proposes blocks, since keys may share a hash; the block decides. It is a multiset of
//! [entries](Entry) and consists of parts, each for a range of blocks:
//!
//! - [runs](run), files of sorted entries for most blocks, with little more than a filter in memory;
//! - a part that is being written to a file, *frozen*;
//! - the [young](young) part for the newest blocks, in memory alone.
//!
//! A run is a function of the blocks it covers, and these do not change. So it needs no log, may be lost at any time,
//! and is rebuilt from the blocks when the store opens. [`files`] says when a file is believed.
//!
//! Runs are merged with their neighbours when these are together as large, as in a binary counter. So the number of
//! runs is about the number of doublings of the store since its first run.

pub(super) mod files;
mod filter;
pub(super) mod keeper;
mod run;
mod writer;
mod young;

use super::{Content, StoreError, Stored, block, corrupt};
use filter::Filter;
use run::{Footer, LEAST_BITS, Run, RunError, bucket};
use std::{cmp::Reverse, sync::Arc};
use xxhash_rust::xxh3::xxh3_64;
use young::Young;

/// The number of leading bits of a hash that the index keeps. Tests keep few, so that keys collide.
const HASH_BITS: u32 = if cfg!(test) { 36 } else { 48 };
const HASH_MASK: u64 = if cfg!(test) {
    0xfc00_000f_f000_0000
} else {
    u64::MAX << (64 - HASH_BITS)
};

/// The number of entries from which the young part is frozen.
const YOUNG: usize = if cfg!(test) { 2_000 } else { 1 << 20 };

/// The least number of runs that are merged at a time.
const FEWEST: usize = 4;

/// The part of a key's hash that the index keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct KeyHash(u64);

impl KeyHash {
    pub(super) fn of(key: &[u8]) -> Self {
        Self(xxh3_64(key) & HASH_MASK)
    }

    /// The hash with all bits mixed, for hash tables and filters.
    fn spread(self) -> u64 {
        (self.0 >> (64 - HASH_BITS)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// A record of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) hash: KeyHash,
    pub(super) block: u64,
}

impl Entry {
    /// A digest to be added up: equal sums mean equal multisets of entries.
    pub(super) fn digest(self) -> u128 {
        let bytes = [self.hash.0.to_le_bytes(), self.block.to_le_bytes()];
        xxhash_rust::xxh3::xxh3_128(bytes.as_flattened())
    }
}

/// The totals of the blocks up to a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// The number of that block.
    pub(super) cursor: u64,
    /// Its last eight bytes, which are its checksum.
    pub(super) seal: u64,
    /// The number of distinct keys.
    pub(super) keys: u64,
    /// The number of blocks.
    pub(super) blocks: u64,
    /// The number of records, superseded ones included.
    pub(super) copies: u64,
}

impl Extent {
    /// Adds a block.
    pub(super) fn add(&mut self, number: u64, bytes: &[u8], records: usize) {
        self.cursor = number;
        self.seal = seal(bytes);
        self.blocks += 1;
        self.copies += records as u64;
    }
}

/// The last eight bytes of a block.
pub(super) fn seal(bytes: &[u8]) -> u64 {
    bytes
        .last_chunk()
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// A part on its way to a file.
#[derive(Debug)]
pub(super) struct Frozen {
    young: Young,
    footer: Footer,
}

/// The hashes of all records, each with its block.
#[derive(Default)]
pub(super) struct Index {
    young: Young,
    frozen: Option<Arc<Frozen>>,
    /// In ascending order of their blocks, without gaps.
    runs: Vec<Arc<Run>>,
    /// Whether the young part may not be frozen, whatever its size.
    is_held: bool,
    /// Whether the files have to be rebuilt.
    pub(super) is_stale: bool,
}

impl Index {
    fn of(runs: Vec<Arc<Run>>) -> Self {
        Self {
            runs,
            ..Self::default()
        }
    }

    /// The memory of the index, in bytes.
    pub(super) fn memory(&self) -> usize {
        let frozen = self.frozen.as_ref().map_or(0, |part| part.young.memory());
        let runs: usize = self.runs.iter().map(|run| run.memory()).sum();
        self.young.memory() + frozen + runs
    }

    /// The size of its files, in bytes.
    pub(super) fn disk(&self) -> u64 {
        self.runs.iter().map(|run| run.disk()).sum()
    }

    /// The last block that the young part does not cover. Blocks up to this one must stay as they are.
    pub(super) fn settled(&self) -> u64 {
        let frozen = self.frozen.as_ref().map(|part| part.footer.extent.cursor);
        frozen.unwrap_or_else(|| written(&self.runs).cursor)
    }

    /// Whether the young part should be frozen, and can be.
    pub(super) fn is_full(&self) -> bool {
        self.young.len() >= YOUNG && self.frozen.is_none() && !self.is_held
    }

    /// Prevents freezing until [`Self::release`]. Returns the last block covered by files; `None` while a part is
    /// frozen or files have to be rebuilt.
    pub(super) fn hold(&mut self) -> Option<u64> {
        self.is_held = self.frozen.is_none() && !self.is_damaged();
        self.is_held.then(|| written(&self.runs).cursor)
    }

    /// Whether no part may be frozen.
    pub(super) fn is_held(&self) -> bool {
        self.is_held
    }

    /// Lets parts be frozen again.
    pub(super) fn release(&mut self) {
        self.is_held = false;
    }

    /// Replaces the runs by those of another index of the same blocks.
    pub(super) fn replace_runs(&mut self, other: Self) {
        self.runs = other.runs;
        let frozen = other.frozen.iter().flat_map(|part| part.young.iter());
        for entry in other.young.iter().chain(frozen) {
            self.young.insert(entry);
        }
    }

    /// Whether all entries are in files.
    pub(super) fn is_settled(&self) -> bool {
        self.young.len() == 0 && self.frozen.is_none()
    }

    /// Whether a part without a file has an entry with this hash.
    pub(super) fn is_loose(&self, hash: KeyHash) -> bool {
        let frozen = self.frozen.as_ref().map(|part| &part.young);
        let mut parts = [&self.young].into_iter().chain(frozen);
        parts.any(|young| young.blocks(hash).next().is_some())
    }

    /// [Freezes](Self::freeze) the young part before it is full, if it has entries and can be frozen.
    pub(super) fn freeze_early(&mut self, extent: Extent, numbering: u64) {
        if self.young.len() > 0 && self.frozen.is_none() {
            self.freeze(extent, numbering);
        }
    }

    /// Freezes the young part, which covers the store up to `extent`.
    pub(super) fn freeze(&mut self, extent: Extent, numbering: u64) {
        let footer = self.footer(extent, numbering);
        let young = std::mem::take(&mut self.young);
        self.frozen = Some(Arc::new(Frozen { young, footer }));
    }

    /// The footer of a run of the young part.
    fn footer(&self, extent: Extent, numbering: u64) -> Footer {
        Footer {
            after: self.settled(),
            extent,
            numbering,
            entries: self.young.len() as u64,
            bits: 0,
        }
    }

    pub(super) fn insert(&mut self, hash: KeyHash, block: u64) {
        self.young.insert(Entry { hash, block });
    }

    /// Removes an entry of a block that is not [settled](Self::settled).
    pub(super) fn remove(&mut self, hash: KeyHash, block: u64) {
        self.young.remove(Entry { hash, block });
    }

    /// Whether the file of a part was found to be damaged or out of date.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_stale || self.runs.iter().any(|run| run.is_damaged())
    }

    /// Passes to `each` the position of each key with each block that may hold it.
    fn propose(
        &self,
        keys: &[Sought<'_>],
        mut each: impl FnMut(usize, u64),
    ) -> Result<(), RunError> {
        let frozen = self.frozen.as_ref().map(|part| &part.young);
        for young in [&self.young].into_iter().chain(frozen) {
            for (place, sought) in keys.iter().enumerate() {
                for block in young.blocks(sought.hash) {
                    each(place, block);
                }
            }
        }
        for run in &self.runs {
            for (place, sought) in keys.iter().enumerate() {
                if run.may_have(sought.hash) {
                    run.blocks(sought.hash, |block| each(place, block))?;
                }
            }
        }
        Ok(())
    }

    /// The newest runs if they are due to be merged.
    fn to_merge(&self) -> Option<Vec<Arc<Run>>> {
        let count = merged(self.runs.iter().map(|run| run.len()))?;
        Some(self.runs[self.runs.len() - count..].to_vec())
    }

    /// Replaces the frozen part by its run.
    fn put_frozen(&mut self, run: Run) {
        self.frozen = None;
        self.runs.push(Arc::new(run));
    }

    /// Replaces merged runs by their result.
    fn put_merged(&mut self, merged: &[Arc<Run>], run: Run) {
        let is_first = |other: &Arc<Run>| Arc::ptr_eq(other, &merged[0]);
        if let Some(first) = self.runs.iter().position(is_first) {
            let range = first..first + merged.len();
            self.runs.splice(range, [Arc::new(run)]);
        }
    }

    /// All current entries.
    pub(super) fn snapshot(&self) -> Snapshot {
        let mut loose: Vec<Entry> = self.young.iter().collect();
        loose.extend(self.frozen.iter().flat_map(|part| part.young.iter()));
        Snapshot {
            loose,
            runs: self.runs.clone(),
        }
    }
}

/// The number of the newest runs to merge, from their numbers of entries: each is no larger than all newer ones
/// together.
fn merged(runs: impl DoubleEndedIterator<Item = u64>) -> Option<usize> {
    let (mut count, mut entries) = (0, 0);
    for run in runs.rev() {
        let is_small = count == 0 || run <= entries;
        if !is_small || entries + run > u64::from(u32::MAX) {
            break;
        }
        count += 1;
        entries += run;
    }
    (count >= FEWEST).then_some(count)
}

/// The extent that runs cover.
fn written(runs: &[Arc<Run>]) -> Extent {
    runs.last().map(|run| run.footer.extent).unwrap_or_default()
}

/// All entries of an index at some moment.
#[derive(Clone)]
pub(super) struct Snapshot {
    /// Entries in no run.
    loose: Vec<Entry>,
    runs: Vec<Arc<Run>>,
}

/// A filter of the hashes with several entries; a few others pass, too.
pub(super) struct Repeated(Filter);

impl Repeated {
    pub(super) fn may_have(&self, key: &[u8]) -> bool {
        self.0.may_have(KeyHash::of(key))
    }
}

impl Snapshot {
    /// The hashes with several entries. `superseded` is the number of entries that are not the first of their key.
    pub(super) fn repeated(mut self, superseded: u64) -> Result<Repeated, RunError> {
        let mut repeated = Filter::with_room(superseded as usize);
        if superseded > 0 {
            self.each_part(|entries| {
                for same in entries.chunk_by(|a, b| a.hash == b.hash) {
                    if same.len() > 1 {
                        repeated.add(same[0].hash);
                    }
                }
            })?;
        }
        Ok(Repeated(repeated))
    }

    /// The sum of the digests of all entries.
    pub(super) fn digest(mut self) -> Result<u128, RunError> {
        let mut sum = 0;
        self.each_part(|entries| {
            let digests = entries.iter().map(|entry| entry.digest());
            sum = digests.fold(sum, u128::wrapping_add);
        })?;
        Ok(sum)
    }

    /// Passes all entries to `each` in ascending order, one part of the hashes at a time.
    fn each_part(&mut self, mut each: impl FnMut(&[Entry])) -> Result<(), RunError> {
        self.loose.sort_unstable();
        let mut loose = &self.loose[..];
        let mut entries = Vec::new();
        for part in 0..1 << LEAST_BITS {
            let end = loose.partition_point(|entry| bucket(entry.hash, LEAST_BITS) <= part);
            entries.clear();
            entries.extend_from_slice(&loose[..end]);
            loose = &loose[end..];
            for run in &self.runs {
                run.part(part, |entry| entries.push(entry))?;
            }
            // The sort is fast on a few ascending sequences.
            entries.sort();
            each(&entries);
        }
        Ok(())
    }
}

/// A key to look up, and the result.
pub(super) struct Sought<'a> {
    pub(super) key: &'a [u8],
    pub(super) hash: KeyHash,
    /// The newest block that holds the key, and the value in it.
    pub(super) found: Option<(u64, Stored)>,
}

impl<'a> Sought<'a> {
    pub(super) fn new(key: &'a [u8]) -> Self {
        Self {
            key,
            hash: KeyHash::of(key),
            found: None,
        }
    }

    /// Whether the newest block that holds the key is this one.
    pub(super) fn is_in(&self, number: u64) -> bool {
        self.found.is_some_and(|(block, _)| block == number)
    }
}

/// Looks up keys, given in ascending order. Each block is read once.
pub(super) fn find_all(
    blocks: &sled::Tree,
    content: &Content,
    keys: &mut [Sought<'_>],
) -> Result<(), StoreError> {
    let mut proposed: Vec<(Reverse<u64>, usize)> = Vec::new();
    content
        .index
        .propose(keys, |place, number| match content.moved.get(&number) {
            None => proposed.push((Reverse(number), place)),
            Some(to) => proposed.extend(to.map(|number| (Reverse(number), place))),
        })?;
    // Newer blocks come first, and the first to hold a key decides.
    proposed.sort_unstable();
    proposed.dedup();
    for of_block in proposed.chunk_by(|a, b| a.0 == b.0) {
        let is_open = |(_, place): &&(Reverse<u64>, usize)| keys[*place].found.is_none();
        let open: Vec<usize> = of_block.iter().filter(is_open).map(|&(_, p)| p).collect();
        if open.is_empty() {
            continue;
        }
        let Reverse(number) = of_block[0].0;
        let bytes = super::block_bytes(blocks, number)?;
        let mut finder = block::Finder::new(&bytes).map_err(corrupt(number))?;
        for place in open {
            let sought = &mut keys[place];
            if let Some(stored) = finder.find(sought.key).map_err(corrupt(number))? {
                sought.found = Some((number, stored));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests;
