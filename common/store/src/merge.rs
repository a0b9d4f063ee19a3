//! Merging: new records become new blocks, and small blocks at the end are merged into larger ones.
//!
//! The order of steps makes a crash harmless at any point. First, new blocks are written and flushed.
//! Then readers see them. Then the replaced blocks are removed. A crash before the next flush brings
//! replaced blocks back, but newer blocks supersede their records.

use super::{
    Batch, Content, DocumentChange, Inner, Sourced, Store, StoreError, Stored, VERIFIED, block,
    corrupt,
    high_water_mark::HighWaterMark,
    index::{self, KeyHash, Sought},
    numbered, open,
};
use std::ops::Range;

/// The result of [`Store::merge`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The store's cursor after these records.
    pub cursor: u64,
    /// The number of records that changed the store.
    pub new: u64,
    /// The positions of these records in the call, unordered, each with the previous value of its key.
    pub which: Vec<(usize, Option<u64>)>,
    /// The rejected records, in ascending order of keys.
    pub conflicts: Vec<Conflict>,
}

/// A record that contradicts the known value of its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The key of both.
    pub key: Box<[u8]>,
    /// The value that was known, and stays.
    pub known: u64,
    /// The source that last changed it.
    pub known_source: u32,
    /// The rejected value.
    pub new: u64,
    /// The source of the rejected value.
    pub new_source: u32,
    /// The position of the record in the call.
    pub position: usize,
}

/// The state of the single writer.
pub(super) struct Writer {
    /// The last sequence number given out.
    pub(super) last_number: u64,
    /// Blocks up to this number are not merged.
    pub(super) apart: u64,
    /// Whether a timeline has begun since the store was opened.
    has_timeline: bool,
    pub(super) mark: HighWaterMark,
}

impl Writer {
    pub(super) fn new(last_number: u64, apart: u64, mark: HighWaterMark) -> Self {
        Self {
            last_number,
            apart,
            has_timeline: false,
            mark,
        }
    }
}

/// A record for a new block.
struct Pending<'a> {
    record: Sourced<'a>,
    hash: KeyHash,
    /// Whether no block holds the key.
    is_new: bool,
}

/// A block to be written, and the range of records in it.
struct NewBlock {
    number: u64,
    bytes: Vec<u8>,
    range: Range<usize>,
}

/// The position of a record in the call, and the first bytes of its key, which usually decide the order.
struct Placed {
    start: u128,
    position: usize,
}

/// Blocks to be merged into the new ones.
#[derive(Default)]
struct Tails {
    /// Their records, block after block, newest block first.
    records: Batch,
    /// The number and the range of records of each block.
    blocks: Vec<(u64, Range<usize>)>,
    /// The bytes of these blocks.
    bytes: u64,
}

impl Store {
    /// Merges records into the store. Changes are on disk when this returns.
    ///
    /// `rule` combines the known and the new value of a key, or returns `None` if they contradict each other. A record
    /// that contradicts the store, or an earlier record of the call, is a [`Conflict`]: the known value stays, and the
    /// other records are merged. A record that adds nothing is not written. A changed value gets the source of its last
    /// change, and the larger worth. A [verified](VERIFIED) record with the known value marks that value as verified,
    /// and leaves its source.
    ///
    /// The call flushes once, or not at all if nothing changes. Small blocks at the end are merged with
    /// the new records under new sequence numbers, so a reader with a cursor may see some records again
    /// but never misses one.
    ///
    /// # Errors
    /// [`StoreError::KeyTooLong`] (nothing is written), [`StoreError::Database`],
    /// [`StoreError::CorruptBlock`], [`StoreError::Corrupt`], and [`StoreError::WriteFailed`] after a failed
    /// write.
    pub fn merge(
        &self,
        records: &[Sourced<'_>],
        rule: impl Fn(&[u8], u64, u64) -> Option<u64>,
    ) -> Result<Merged, StoreError> {
        self.merge_with(records, rule, &[])
    }

    /// [Merges](Store::merge) records and [changes documents](Store::change_documents) with one
    /// flush for both. Conflicts do not hold the documents back.
    ///
    /// If the process is killed before this returns, any part of the records may be on disk. The
    /// documents change all or not at all, and only if all records are on disk.
    ///
    /// # Errors
    /// Those of [`merge`](Store::merge).
    pub fn merge_with(
        &self,
        records: &[Sourced<'_>],
        rule: impl Fn(&[u8], u64, u64) -> Option<u64>,
        documents: &[DocumentChange<'_>],
    ) -> Result<Merged, StoreError> {
        let mut writer = self.writer();
        let mut combined = self.combine(records, &rule);
        if self.content().index.is_damaged() {
            self.mend(&mut writer)?;
            combined = self.combine(records, &rule);
        }
        let (news, mut merged) = combined?;
        if news.is_empty() {
            if !documents.is_empty() {
                self.change_documents(documents)?;
            }
            return Ok(merged);
        }
        // All current blocks stay as they are from now on, and so does their part of the index. Once this merge is
        // durable, so is the removal of the blocks that earlier merges replaced.
        let freezes = self.content().index.is_full();
        if freezes {
            writer.apart = writer.apart.max(merged.cursor);
        }
        let tails = self.tails_to_merge(news.len(), writer.apart)?;
        let pending = with_tails(news, &tails);

        let first = writer.last_number + 1;
        let blocks = encode_blocks(&pending, first)?;
        let last = writer.last_number + blocks.len() as u64;
        let db = &self.inner.db;
        db.write(|| {
            if !writer.has_timeline {
                self.begin_timeline(open::random_id(), writer.last_number)?;
                writer.has_timeline = true;
            }
            for block in &blocks {
                let key = block.number.to_be_bytes();
                db.blocks.insert(key, &block.bytes[..])?;
            }
            self.apply_documents(documents)?;
            db.flush()?;
            self.publish(&pending, &blocks, &tails, freezes)?;
            writer.last_number = last;
            writer.mark.set(last, self.len() as u64);
            Ok(())
        })?;
        self.inner.keeper.tend();
        merged.cursor = last;
        Ok(merged)
    }

    /// Rebuilds the index after a file of it was lost or damaged. Until then readers get errors of that file.
    fn mend(&self, writer: &mut Writer) -> Result<(), StoreError> {
        if self.content().index.is_held() {
            // The files will soon be rebuilt.
            return Ok(());
        }
        tracing::warn!("the index is made anew where it is damaged");
        let Inner { db, keeper, .. } = &*self.inner;
        keeper.halt();
        // The removals of earlier merges must be durable before files of the index rest on them.
        db.write(|| db.flush())?;
        let content = open::load(&db.blocks, keeper.files(), u64::MAX)?;
        writer.apart = writer.apart.max(content.index.settled());
        *self.content_mut() = content;
        Ok(())
    }

    /// Compares records with the store. Returns the changed keys in ascending order.
    fn combine<'a>(
        &self,
        records: &[Sourced<'a>],
        rule: &impl Fn(&[u8], u64, u64) -> Option<u64>,
    ) -> Result<(Vec<Pending<'a>>, Merged), StoreError> {
        if let Some(long) = records.iter().find(|r| r.key.len() > block::MAX_KEY) {
            return Err(StoreError::KeyTooLong(long.key.len()));
        }
        let sorted = sorted(records);
        let key = |placed: &Placed| records[placed.position].key;
        let is_same = |a: &Placed, b: &Placed| a.start == b.start && key(a) == key(b);
        let of_keys = || sorted.chunk_by(is_same);
        let mut keys = Vec::with_capacity(records.len());
        keys.extend(of_keys().map(|same| Sought::new(key(&same[0]))));
        index::find_all(&self.inner.db.blocks, &self.content(), &mut keys)?;

        let mut news = Vec::with_capacity(keys.len());
        let mut which = Vec::with_capacity(records.len());
        let mut conflicts = Vec::new();
        for (same, sought) in of_keys().zip(keys) {
            let mut known = sought.found.map(|(_, stored)| stored);
            let mut is_new = false;
            for &Placed { position, .. } in same {
                let Sourced {
                    key,
                    value,
                    worth,
                    source,
                } = records[position];
                let after = match known {
                    None => Some(value),
                    Some(known) => rule(key, known.value, value),
                };
                match (known, after) {
                    (Some(known), None) => conflicts.push(Conflict {
                        key: key.into(),
                        known: known.value,
                        known_source: known.source,
                        new: value,
                        new_source: source,
                        position,
                    }),
                    (Some(known), Some(after)) if adds_nothing(known, after, source) => {}
                    (before, after) => {
                        which.push((position, before.map(|before| before.value)));
                        let same = before.filter(|before| Some(before.value) == after);
                        // Verification does not change who proved a record.
                        let source = same.map_or(source, |same| same.source | VERIFIED);
                        let worth = before.map_or(worth, |before| before.worth.max(worth));
                        known = after.map(|value| Stored {
                            value,
                            worth,
                            source,
                        });
                        is_new = true;
                    }
                }
            }
            if let (Some(known), true) = (known, is_new) {
                news.push(Pending {
                    record: Sourced {
                        key: sought.key,
                        value: known.value,
                        worth: known.worth,
                        source: known.source,
                    },
                    hash: sought.hash,
                    is_new: sought.found.is_none(),
                });
            }
        }
        let merged = Merged {
            cursor: self.cursor(),
            new: which.len() as u64,
            which,
            conflicts,
        };
        Ok((news, merged))
    }

    /// The blocks at the end that are not full and not much larger than what follows them. Merging
    /// only these makes sizes grow as in a binary counter: at most log2 of [`block::RECORDS`] small
    /// blocks remain, and a record is rewritten about as often.
    fn tails_to_merge(&self, new_records: usize, apart: u64) -> Result<Tails, StoreError> {
        let mut tails = Tails::default();
        for entry in self.inner.db.blocks.iter().rev() {
            let (number, bytes) = numbered(entry)?;
            let start = tails.records.len();
            let count = match block::room(&bytes).map_err(corrupt(number))? {
                Some(count) if number > apart && count < 2 * (start + new_records) => count,
                _ => break,
            };
            tails.records.push_stored(number, &bytes)?;
            tails.blocks.push((number, start..start + count));
            tails.bytes += bytes.len() as u64;
        }
        Ok(tails)
    }

    /// Shows readers the new blocks in place of the old ones.
    fn publish(
        &self,
        pending: &[Pending<'_>],
        blocks: &[NewBlock],
        tails: &Tails,
        freezes: bool,
    ) -> Result<(), StoreError> {
        {
            let mut recent = self.recent();
            // The last one is the oldest.
            if let Some(&(oldest, _)) = tails.blocks.last() {
                recent.truncate(oldest);
            }
            for NewBlock { number, bytes, .. } in blocks {
                recent.push(*number, bytes);
            }
        }
        let added: usize = blocks.iter().map(|block| block.bytes.len()).sum();
        self.inner.volume.change(added as u64, tails.bytes);
        let mut content = self.content_mut();
        let Content { index, extent, .. } = &mut *content;
        if freezes {
            index.freeze(*extent, self.inner.keeper.files().numbering());
        }
        for (number, range) in &tails.blocks {
            for record in tails.records.range(range.clone()) {
                index.remove(KeyHash::of(record.key), *number);
            }
            extent.blocks -= 1;
            extent.copies -= range.len() as u64;
        }
        for block in blocks {
            for Pending { hash, is_new, .. } in &pending[block.range.clone()] {
                index.insert(*hash, block.number);
                extent.keys += u64::from(*is_new);
            }
            extent.add(block.number, &block.bytes, block.range.len());
        }
        // Under the lock, so that no reader looks for a block that the index no longer names.
        let mut batch = sled::Batch::default();
        for (number, _) in &tails.blocks {
            batch.remove(&number.to_be_bytes());
        }
        Ok(self.inner.db.blocks.apply_batch(batch)?)
    }
}

/// Whether neither the value nor its verification changes.
fn adds_nothing(known: Stored, after: u64, source: u32) -> bool {
    known.value == after && (source & VERIFIED == 0 || known.is_verified())
}

/// Records in ascending order of keys; those of one key stay in order of arrival.
fn sorted(records: &[Sourced<'_>]) -> Vec<Placed> {
    let place = |(position, record): (usize, &Sourced<'_>)| Placed {
        start: start_of(record.key),
        position,
    };
    let mut sorted: Vec<_> = records.iter().enumerate().map(place).collect();
    let key = |placed: &Placed| records[placed.position].key;
    sorted.sort_by(|a, b| a.start.cmp(&b.start).then_with(|| key(a).cmp(key(b))));
    sorted
}

/// The first bytes of a key as a number, in the order of keys.
fn start_of(key: &[u8]) -> u128 {
    let mut start = [0; size_of::<u128>()];
    match key.first_chunk() {
        Some(first) => start = *first,
        None => start[..key.len()].copy_from_slice(key),
    }
    u128::from_be_bytes(start)
}

/// New records and those of tails: each key once with its newest value, in ascending order.
fn with_tails<'a>(news: Vec<Pending<'a>>, tails: &'a Tails) -> Vec<Pending<'a>> {
    if tails.blocks.is_empty() {
        return news;
    }
    let mut pending = news;
    for (_, range) in &tails.blocks {
        let records = tails.records.range(range.clone());
        pending.extend(records.map(|record| Pending {
            record,
            hash: KeyHash::of(record.key),
            is_new: false,
        }));
    }
    // The sort is stable, so of equal keys the newest comes first and is kept.
    pending.sort_by(|a, b| a.record.key.cmp(b.record.key));
    pending.dedup_by(|next, kept| next.record.key == kept.record.key);
    pending
}

/// Encodes records as full blocks and a last one, numbered from `first`.
fn encode_blocks(pending: &[Pending<'_>], first: u64) -> Result<Vec<NewBlock>, StoreError> {
    let mut end = 0;
    let packed = block::pack(pending.iter().map(|pending| pending.record), true);
    let blocks = (first..).zip(packed).map(|(number, packed)| {
        let (count, bytes) = packed.map_err(corrupt(number))?;
        end += count;
        Ok(NewBlock {
            number,
            bytes,
            range: end - count..end,
        })
    });
    blocks.collect()
}
