//! Shedding: removing the records of least worth, so that a store stays within a budget.
//!
//! Blocks that lost records are joined under the highest of their numbers. So a record only moves to a higher number,
//! cursors stay valid, and no reader misses a remaining record. Superseded records are removed as well. sled reuses the
//! space of removed blocks, but not of blocks that only shrink.
//!
//! The files of the index name all records of their blocks, so they are rebuilt. The numbering changes before the first
//! block does, so no former file is believed after a kill. Until the new files are there, the former ones propose
//! blocks for removed records, which is harmless.

use super::{
    Content, SourcedRecord, Store, StoreError, VERIFIED, Watch, Worth, block, corrupt,
    index::{self, KeyHash, Repeated, Sought},
    merge::Writer,
    numbered, open, unpoisoned,
    walk::proceed,
};
use sled::IVec;
use std::sync::Mutex;

/// The maximum number of blocks changed in one write.
const AT_A_TIME: usize = 256;

/// The result of shedding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shed {
    /// The bytes of all blocks before.
    pub before: u64,
    /// The bytes of all blocks after.
    pub after: u64,
    /// The number of removed keys.
    pub keys: u64,
    /// The least worth that stays. [Verified](VERIFIED) records stay at any worth.
    pub least: Worth,
}

/// The bytes of all blocks; `None` until they are weighed.
#[derive(Default)]
pub(super) struct Volume(Mutex<Option<u64>>);

impl Volume {
    pub(super) fn change(&self, added: u64, removed: u64) {
        if let Some(bytes) = &mut *unpoisoned(self.0.lock()) {
            *bytes = (*bytes + added).saturating_sub(removed);
        }
    }

    /// Requires a new weighing of all blocks.
    pub(super) fn forget(&self) {
        *unpoisoned(self.0.lock()) = None;
    }
}

/// Decides which records stay.
type Rule = Box<dyn Fn(&SourcedRecord) -> bool>;

/// The sizes of the records of some blocks.
struct Weights {
    /// The bytes of all blocks.
    blocks: u64,
    /// The bytes of records that may be shed, by their worth.
    by_worth: [u64; Worth::MOST.log2() as usize + 1],
}

impl Weights {
    /// The least worth to keep so that all blocks take at most `most` bytes.
    fn least(&self, most: u64) -> Worth {
        let mut left = self.blocks;
        let by_worth = (0..Worth::MOST.log2()).zip(&self.by_worth);
        let goes = by_worth.map_while(|(log2, &bytes)| {
            let is_too_much = left > most;
            left -= bytes;
            is_too_much.then_some(log2)
        });
        let highest_that_goes = goes.last();
        highest_that_goes
            .and_then(|log2| Worth::from_log2(log2 + 1))
            .unwrap_or(Worth::LEAST)
    }
}

/// Blocks to be joined under the number of the last.
#[derive(Default)]
struct Group {
    /// Their numbers, ascending.
    numbers: Vec<u64>,
    /// The remaining records.
    kept: Vec<SourcedRecord>,
    /// The approximate size of these, in bytes.
    bytes: usize,
    /// The size of the blocks before, in bytes.
    before: u64,
    /// The number of records to remove.
    copies: u64,
    /// The number of keys to remove.
    keys: u64,
}

/// The result of shedding records of one block.
struct Kept {
    records: Vec<SourcedRecord>,
    /// The number of records to remove.
    copies: u64,
    /// The number of keys to remove.
    keys: u64,
}

impl Group {
    /// Whether another block fits into the group.
    fn has_room(&self, kept: &Kept, bytes: usize) -> bool {
        self.kept.len() + kept.records.len() <= block::RECORDS && self.bytes + bytes <= block::FULL
    }

    fn add(&mut self, number: u64, before: usize, kept: Kept, bytes: usize) {
        self.numbers.push(number);
        self.kept.extend(kept.records);
        self.bytes += bytes;
        self.before += before as u64;
        self.copies += kept.copies;
        self.keys += kept.keys;
    }

    /// Whether the group is a single unchanged block.
    fn is_unchanged(&self) -> bool {
        self.numbers.len() < 2 && self.copies == 0
    }
}

/// Writes to the tree of blocks, and their effects.
#[derive(Default)]
struct Changes {
    batch: sled::Batch,
    /// Removed blocks, each with the block that holds its remaining records.
    moved: Vec<(u64, Option<u64>)>,
    /// The new seal of the newest block of the store, if that block is among the changes.
    seal: Option<u64>,
    before: u64,
    after: u64,
    copies: u64,
    keys: u64,
}

impl Changes {
    /// Adds a group. The newest block of the store stays, even if it becomes empty.
    fn add(&mut self, mut group: Group, newest: u64) -> Result<(), StoreError> {
        let (Some(&last), false) = (group.numbers.last(), group.is_unchanged()) else {
            return Ok(());
        };
        group.kept.sort_by(|a, b| a.record.key.cmp(&b.record.key));
        let stays = !group.kept.is_empty() || last == newest;
        if stays {
            let kept = group.kept.iter().map(SourcedRecord::borrow);
            let bytes = block::encode(kept).map_err(corrupt(last))?;
            if last == newest {
                self.seal = Some(index::seal(&bytes));
            }
            self.after += bytes.len() as u64;
            self.batch.insert(&last.to_be_bytes(), bytes);
            group.numbers.pop();
        }
        for number in group.numbers {
            self.batch.remove(&number.to_be_bytes());
            self.moved.push((number, stays.then_some(last)));
        }
        self.before += group.before;
        self.copies += group.copies;
        self.keys += group.keys;
        Ok(())
    }

    fn is_empty(&self) -> bool {
        self.before == 0
    }
}

impl Store {
    /// The bytes of all blocks; `None` until they are [weighed](Self::weigh).
    pub fn volume(&self) -> Option<u64> {
        *unpoisoned(self.inner.volume.0.lock())
    }

    /// Adds up the bytes of all blocks, and keeps the sum up to date from then on. Reads all blocks.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Corrupt`], [`StoreError::Stopped`].
    pub fn weigh(&self, watch: Watch<'_>) -> Result<u64, StoreError> {
        let end = {
            let _writer = self.writer();
            *unpoisoned(self.inner.volume.0.lock()) = Some(0);
            self.cursor()
        };
        let mut bytes = 0;
        for entry in self.inner.db.blocks.range(..=end.to_be_bytes()) {
            let (number, block) = numbered(entry)?;
            let weighed = proceed(watch, "weighing", number, end);
            weighed.inspect_err(|_| self.inner.volume.forget())?;
            bytes += block.len() as u64;
        }
        self.inner.volume.change(bytes, 0);
        Ok(self.volume().unwrap_or(bytes))
    }

    /// Removes the records of least worth until all blocks take at most `most` bytes. [Verified](VERIFIED) records
    /// stay, so the blocks may remain larger. The store can be used meanwhile, but [walks](Self::iter) wait.
    ///
    /// Does nothing while a walk is under way, or if the newest part of the index cannot be written to its file. Then
    /// all numbers of the result are zero.
    ///
    /// A stop or an error leaves the store sound, with some of these records removed.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::CorruptBlock`], [`StoreError::Corrupt`], [`StoreError::Stopped`], and
    /// [`StoreError::WriteFailed`] after a failed write.
    pub fn shed(&self, most: u64, watch: Watch<'_>) -> Result<Shed, StoreError> {
        self.shed_by(|weights| weights.least(most), watch)
    }

    /// Removes the records that `stays` rejects, and superseded ones. The store can be used meanwhile, but
    /// [walks](Self::iter) wait. Returns whether all that it had are gone: nothing is removed while a walk is under way,
    /// and the newest may stay if their part of the index cannot be written to its file.
    ///
    /// # Errors
    /// Those of [`shed`](Self::shed).
    pub fn keep_only(
        &self,
        stays: impl Fn(&SourcedRecord) -> bool + 'static,
        watch: Watch<'_>,
    ) -> Result<bool, StoreError> {
        let removed = self.remove(|_| Some(Box::new(stays)), watch)?;
        Ok(removed.is_some_and(|(_, is_whole)| is_whole))
    }

    /// Removes the records below a worth. `choose` picks it from the weights of all records.
    fn shed_by(
        &self,
        choose: impl FnOnce(&Weights) -> Worth,
        watch: Watch<'_>,
    ) -> Result<Shed, StoreError> {
        let mut least = Worth::LEAST;
        let rule = |weights: &Weights| -> Option<Rule> {
            least = choose(weights);
            let limit = (least > Worth::LEAST).then_some(least)?;
            Some(Box::new(move |record: &SourcedRecord| {
                record.record.worth >= limit || record.source & VERIFIED != 0
            }))
        };
        let (shed, _) = self.remove(rule, watch)?.unwrap_or_default();
        Ok(Shed { least, ..shed })
    }

    /// Removes the records that do not stay by a rule, if there is one. `rule` makes it from the weights of all records.
    /// The flag says whether no block was left out. `None` if nothing can be removed now.
    fn remove(
        &self,
        rule: impl FnOnce(&Weights) -> Option<Rule>,
        watch: Watch<'_>,
    ) -> Result<Option<(Shed, bool)>, StoreError> {
        let Some(_alone) = self.inner.shedding.begin() else {
            return Ok(None);
        };
        let keeper = &self.inner.keeper;
        let (_paused, upto, is_whole, repeated) = {
            let mut writer = self.writer();
            keeper.halt();
            // Then all records are in files of the index, and blocks stay as they are. A part frozen later would be
            // written with outdated counts.
            writer.apart = writer.apart.max(self.freeze());
            keeper.tend();
            let paused = keeper.pause();
            let mut content = self.content_mut();
            let superseded = content.superseded();
            let Some(upto) = content.index.hold() else {
                return Ok(None);
            };
            let entries = content.index.snapshot();
            let is_whole = content.index.is_settled();
            (paused, upto, is_whole, move || entries.repeated(superseded))
        };
        let shed = self.weights(upto, watch).and_then(|weights| {
            let mut shed = Shed {
                before: weights.blocks,
                after: weights.blocks,
                ..Shed::default()
            };
            if let Some(stays) = rule(&weights) {
                let repeated = repeated()?;
                self.renumber()?;
                let changed = self.change_blocks(upto, &stays, &repeated, &mut shed, watch);
                // Also needed after a stop.
                self.index_anew(upto)?;
                changed?;
            }
            Ok(Some((shed, is_whole)))
        });
        self.content_mut().index.release();
        shed
    }

    /// Freezes the young part of the index. Returns the last block that it covers.
    fn freeze(&self) -> u64 {
        let numbering = self.inner.keeper.files().numbering();
        let mut content = self.content_mut();
        let Content { index, extent, .. } = &mut *content;
        index.freeze_early(*extent, numbering);
        index.settled()
    }

    /// Removes the records of worth below `least`.
    #[cfg(test)]
    pub(super) fn shed_below(&self, least: Worth) -> Result<Shed, StoreError> {
        self.shed_by(|_| least, &mut |_| std::ops::ControlFlow::Continue(()))
    }

    fn weights(&self, upto: u64, watch: Watch<'_>) -> Result<Weights, StoreError> {
        let mut weights = Weights {
            blocks: 0,
            by_worth: [0; _],
        };
        let end = self.cursor();
        for entry in self.inner.db.blocks.range(..=end.to_be_bytes()) {
            let (number, bytes) = numbered(entry)?;
            proceed(watch, "weighing", number, end)?;
            weights.blocks += bytes.len() as u64;
            if number <= upto {
                let each = |worth: Worth, source: u32, bytes: usize| {
                    if source & VERIFIED == 0 {
                        weights.by_worth[usize::from(worth.log2())] += bytes as u64;
                    }
                };
                block::each_weight(&bytes, each).map_err(corrupt(number))?;
            }
        }
        Ok(weights)
    }

    /// Invalidates all current files of the index.
    fn renumber(&self) -> Result<(), StoreError> {
        let (db, files) = (&self.inner.db, self.inner.keeper.files());
        let numbering = open::random_id();
        db.write(|| {
            db.meta
                .insert(open::NUMBERING_KEY, &numbering.to_be_bytes())?;
            db.flush()
        })?;
        files.renumber(numbering);
        Ok(())
    }

    fn change_blocks(
        &self,
        upto: u64,
        stays: &Rule,
        repeated: &Repeated,
        shed: &mut Shed,
        watch: Watch<'_>,
    ) -> Result<(), StoreError> {
        let mut next = 0u64;
        while next <= upto {
            proceed(watch, "removing records of little worth", next, upto)?;
            let mut writer = self.writer();
            let range = next.to_be_bytes()..=upto.to_be_bytes();
            let blocks = self.inner.db.blocks.range(range).take(AT_A_TIME);
            let newest = self.cursor();
            let mut changes = Changes::default();
            let mut group = Group::default();
            let mut last = upto;
            for entry in blocks {
                let (number, bytes) = numbered(entry)?;
                last = number;
                let kept = self.kept(number, &bytes, stays, repeated)?;
                let share =
                    kept.records.len() as f64 / (kept.records.len() as f64 + kept.copies as f64);
                let left = (bytes.len() as f64 * share.max(0.0)) as usize;
                if !group.has_room(&kept, left) {
                    changes.add(std::mem::take(&mut group), newest)?;
                }
                group.add(number, bytes.len(), kept, left);
            }
            changes.add(group, newest)?;
            next = last.saturating_add(1);
            if !changes.is_empty() {
                self.apply(&mut writer, changes, shed)?;
            }
        }
        Ok(())
    }

    /// The remaining records of a block.
    fn kept(
        &self,
        number: u64,
        bytes: &IVec,
        stays: &Rule,
        repeated: &Repeated,
    ) -> Result<Kept, StoreError> {
        let content = self.content();
        let records = block::decode(bytes).map_err(corrupt(number))?;
        let mut kept = Kept {
            records: Vec::with_capacity(records.len()),
            copies: 0,
            keys: 0,
        };
        for record in records {
            let key = &record.record.key;
            let may_have_newer = repeated.may_have(key) || content.index.is_loose(KeyHash::of(key));
            let is_newest = !may_have_newer || {
                let mut sought = [Sought::new(key)];
                index::find_all(&self.inner.db.blocks, &content, &mut sought)?;
                sought[0].is_in(number)
            };
            if is_newest && stays(&record) {
                kept.records.push(record);
            } else {
                kept.copies += 1;
                kept.keys += u64::from(is_newest);
            }
        }
        Ok(kept)
    }

    fn apply(
        &self,
        writer: &mut Writer,
        changes: Changes,
        shed: &mut Shed,
    ) -> Result<(), StoreError> {
        let Changes {
            batch,
            moved,
            seal,
            before,
            after,
            copies,
            keys,
        } = changes;
        // The mark must never be ahead of the database.
        writer.mark.lower(self.cursor(), self.len() as u64 - keys)?;
        let db = &self.inner.db;
        db.write(|| {
            {
                // Under the lock, so that no reader looks for a removed block before its new place is known.
                let mut content = self.content_mut();
                db.blocks.apply_batch(batch)?;
                let extent = &mut content.extent;
                extent.keys -= keys;
                extent.copies -= copies;
                extent.blocks -= moved.len() as u64;
                extent.seal = seal.unwrap_or(extent.seal);
                content.moved.extend(moved);
            }
            db.flush()
        })?;
        self.inner.volume.change(after, before);
        shed.after = (shed.after + after).saturating_sub(before);
        shed.keys += keys;
        Ok(())
    }

    /// Rebuilds the files of the index for the blocks up to `upto`, which must not change meanwhile.
    fn index_anew(&self, upto: u64) -> Result<(), StoreError> {
        let files = self.inner.keeper.files();
        // The runs keep their removed files open.
        files.clear();
        let anew = open::load(&self.inner.db.blocks, files, upto);
        let mut content = self.content_mut();
        content.index.is_stale |= anew.is_err();
        content.index.replace_runs(anew?.index);
        content.moved.clear();
        Ok(())
    }
}
