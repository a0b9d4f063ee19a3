//! Shedding: removing the records of least worth, so that a store stays within a budget.
//!
//! Blocks that lost records are put together under the highest of their numbers. So a record moves to a higher number,
//! if at all, cursors stay valid, and no reader misses a record that is still there. Records that a newer one
//! supersedes go as well. sled uses the space of removed blocks again; of blocks that only shrink it would not.
//!
//! The files of the index name all records of their blocks, so they are made anew from these. The numbering
//! changes before the first block does: after a kill at any point, no former file is believed. Until the new files are there,
//! the former ones propose blocks for records that are gone, which is harmless.

use super::{
    Content, SourcedRecord, Store, StoreError, VERIFIED, Watch, Worth, block, corrupt,
    index::{self, KeyHash, Repeated, Sought},
    merge::Writer,
    numbered, open, unpoisoned,
    walk::proceed,
};
use sled::IVec;
use std::sync::Mutex;

/// How many blocks are changed in one write.
const AT_A_TIME: usize = 256;

/// The result of shedding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shed {
    /// The bytes of all blocks before.
    pub before: u64,
    /// The bytes of all blocks after.
    pub after: u64,
    /// The number of keys that are gone.
    pub keys: u64,
    /// Records of less worth are gone, but for [verified](VERIFIED) ones.
    pub least: Worth,
}

/// The bytes of all blocks, once they were weighed.
#[derive(Default)]
pub(super) struct Volume(Mutex<Option<u64>>);

impl Volume {
    pub(super) fn change(&self, added: u64, removed: u64) {
        if let Some(bytes) = &mut *unpoisoned(self.0.lock()) {
            *bytes = (*bytes + added).saturating_sub(removed);
        }
    }

    /// Blocks have to be weighed again.
    pub(super) fn forget(&self) {
        *unpoisoned(self.0.lock()) = None;
    }
}

/// What the records of some blocks weigh.
struct Weights {
    /// The bytes of all blocks.
    blocks: u64,
    /// The bytes of records that may be shed, by their worth.
    by_worth: [u64; Worth::MOST.log2() as usize + 1],
}

impl Weights {
    /// The least worth of what stays if all blocks are to take at most so many bytes.
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

/// Blocks that become one, under the number of the last.
#[derive(Default)]
struct Group {
    /// Their numbers, ascending.
    numbers: Vec<u64>,
    /// What stays of them.
    kept: Vec<SourcedRecord>,
    /// About how many bytes that takes.
    bytes: usize,
    /// What they took before.
    before: u64,
    /// Records that go.
    copies: u64,
    /// Keys that go.
    keys: u64,
}

/// What is kept of a block.
struct Kept {
    records: Vec<SourcedRecord>,
    /// Records that go.
    copies: u64,
    /// Keys that go.
    keys: u64,
}

impl Group {
    /// Whether another block fits in, too.
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

    /// Whether it is a block that stays as it is.
    fn is_unchanged(&self) -> bool {
        self.numbers.len() < 2 && self.copies == 0
    }
}

/// Writes to the tree of blocks, and what they change.
#[derive(Default)]
struct Changes {
    batch: sled::Batch,
    /// Blocks that are gone, each with the block that has what is left of them.
    moved: Vec<(u64, Option<u64>)>,
    /// The newest block of the store and its new seal, if it is among them.
    seal: Option<u64>,
    before: u64,
    after: u64,
    copies: u64,
    keys: u64,
}

impl Changes {
    /// Adds a group. The newest block of the store stays, if only as an empty one.
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
    /// The bytes of all blocks: exactly once they are [weighed](Self::weigh), and `None` before.
    pub fn volume(&self) -> Option<u64> {
        *unpoisoned(self.inner.volume.0.lock())
    }

    /// Adds up the bytes of all blocks, which takes as long as reading them, and keeps the sum up to date from then on.
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

    /// Removes the records of least worth until all blocks take at most so many bytes, as far as that is possible:
    /// [verified](VERIFIED) records stay. Others can use the store meanwhile, but for [walks](Self::iter), which wait.
    ///
    /// While a walk is under way, or the newest part of the index cannot be written to its file, nothing happens, and all
    /// numbers of the result are zero.
    ///
    /// A stop or an error leaves the store sound, with some of these records removed.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::CorruptBlock`], [`StoreError::Corrupt`], [`StoreError::Stopped`], and
    /// [`StoreError::WriteFailed`] after a failed write.
    pub fn shed(&self, most: u64, watch: Watch<'_>) -> Result<Shed, StoreError> {
        self.shed_by(|weights| weights.least(most), watch)
    }

    /// Removes the records of less than the worth that is chosen for the weights of all.
    fn shed_by(
        &self,
        choose: impl FnOnce(&Weights) -> Worth,
        watch: Watch<'_>,
    ) -> Result<Shed, StoreError> {
        let Some(_alone) = self.inner.shedding.begin() else {
            return Ok(Shed::default());
        };
        let keeper = &self.inner.keeper;
        let (_paused, upto, repeated) = {
            let mut writer = self.writer();
            keeper.halt();
            // All records are in files of the index then, and blocks stay as they are. A part that is frozen would be
            // written with counts of before.
            writer.apart = writer.apart.max(self.freeze());
            keeper.tend();
            let paused = keeper.pause();
            let mut content = self.content_mut();
            let superseded = content.superseded();
            let Some(upto) = content.index.hold() else {
                return Ok(Shed::default());
            };
            let entries = content.index.snapshot();
            (paused, upto, move || entries.repeated(superseded))
        };
        let shed = self.weights(upto, watch).and_then(|weights| {
            let least = choose(&weights);
            let mut shed = Shed {
                before: weights.blocks,
                after: weights.blocks,
                keys: 0,
                least,
            };
            if least > Worth::LEAST {
                let repeated = repeated()?;
                self.renumber()?;
                let changed = self.change_blocks(upto, least, &repeated, &mut shed, watch);
                // Also after a stop.
                self.index_anew(upto)?;
                changed?;
            }
            Ok(shed)
        });
        self.content_mut().index.release();
        shed
    }

    /// Freezes the young part of the index. Returns up to which block it covers the store.
    fn freeze(&self) -> u64 {
        let numbering = self.inner.keeper.files().numbering();
        let mut content = self.content_mut();
        let Content { index, extent, .. } = &mut *content;
        index.freeze_early(*extent, numbering);
        index.settled()
    }

    /// Removes the records of less worth.
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

    /// Lets no file of the index be believed that is there now.
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
        least: Worth,
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
                let kept = self.kept(number, &bytes, least, repeated)?;
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

    /// What stays of a block.
    fn kept(
        &self,
        number: u64,
        bytes: &IVec,
        least: Worth,
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
            let is_worthy = record.record.worth >= least || record.source & VERIFIED != 0;
            if is_newest && is_worthy {
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
                // Under the lock, so that no reader looks for a block before it is said where its records are.
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

    /// Makes the files of the index anew, for blocks up to a number that stay as they are.
    fn index_anew(&self, upto: u64) -> Result<(), StoreError> {
        let files = self.inner.keeper.files();
        // They are still open.
        files.clear();
        let anew = open::load(&self.inner.db.blocks, files, upto);
        let mut content = self.content_mut();
        content.index.is_stale |= anew.is_err();
        content.index.replace_runs(anew?.index);
        content.moved.clear();
        Ok(())
    }
}
