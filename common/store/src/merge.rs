//! Merging: what records add to the store becomes new blocks, and small blocks at the end melt into
//! larger ones.
//!
//! The order of steps makes a crash harmless at any point. New blocks are written and flushed; then
//! readers learn of them; only then the blocks they replace are removed. Until a flush makes the
//! removal durable, a crash brings replaced blocks back, and what they hold is superseded by the
//! newer.

use super::{
    Batch, DocumentChange, Sourced, Store, StoreError, Stored, VERIFIED, block,
    index::KeyHash,
    lookup::{self, Sought},
    mark::Mark,
};
use std::{ops::Range, sync::PoisonError};

/// What came of [`Store::merge`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The store's cursor after these records.
    pub cursor: u64,
    /// How many of the records said something new.
    pub new: u64,
    /// Which, as their positions in the call, in no order, each with what was known of its key
    /// before its turn.
    pub which: Vec<(usize, Option<u64>)>,
    /// The records that were not taken, in ascending order of keys.
    pub conflicts: Vec<Conflict>,
}

/// A record that cannot be true together with what was known when its turn came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What both are about.
    pub key: Box<[u8]>,
    /// The value that was known, and stays.
    pub known: u64,
    /// Who last added something to it.
    pub known_source: u32,
    /// The value that was not taken.
    pub new: u64,
    /// Whose it is.
    pub new_source: u32,
    /// Its position in the call.
    pub position: usize,
}

/// What only the one who merges may see and change.
pub(super) struct Writer {
    /// The sequence number given last.
    pub(super) last_number: u64,
    /// Blocks up to this number stay as they are.
    pub(super) apart: u64,
    /// A write failed or panicked, so the database may hold blocks the index does not know.
    pub(super) failed: bool,
    pub(super) mark: Mark,
}

impl Writer {
    pub(super) fn new(cursor: u64, mark: Mark) -> Self {
        Self {
            last_number: cursor,
            apart: 0,
            failed: false,
            mark,
        }
    }
}

/// A record on its way into a new block.
struct Pending<'a> {
    record: Sourced<'a>,
    hash: KeyHash,
    /// The block the index has for this key.
    from: Option<u64>,
}

/// A block about to be written, and which of the records it holds.
struct NewBlock {
    number: u64,
    bytes: Vec<u8>,
    range: Range<usize>,
}

/// Where a record is in the call, and the first bytes of its key: mostly they decide the order.
struct Placed {
    start: u128,
    position: usize,
}

/// What records add to what is stored.
struct Combined<'a> {
    /// In ascending order of distinct keys.
    news: Vec<Pending<'a>>,
    /// The positions of the records that added something, and what was known before.
    which: Vec<(usize, Option<u64>)>,
    /// Those that contradict.
    conflicts: Vec<Conflict>,
}

/// Blocks to be merged into the new ones.
#[derive(Default)]
struct Tails {
    /// Their records, block after block, newest block first.
    records: Batch,
    /// Each block's number, and where its records are.
    blocks: Vec<(u64, Range<usize>)>,
}

impl Store {
    /// Takes in records; what they add is on disk when it returns.
    ///
    /// `rule` tells for a key, its known value and a new one what is known after both, or `None` if
    /// they contradict each other. A record that contradicts what is stored, or a record before it
    /// in the same call, is a [`Conflict`]: what was known stays, and the other records are taken.
    /// A record that changes nothing is not written. A changed record has the source of the one
    /// that last changed it. One that was [verified](VERIFIED) and is known with the same value marks
    /// that as verified, and leaves its source.
    ///
    /// There is one flush, whatever the number of records, and none if nothing changes. Small
    /// blocks at the end are merged with the new records under new sequence numbers, so a reader
    /// with a cursor may see some records again but never misses one.
    ///
    /// # Errors
    /// [`StoreError::KeyTooLong`] (nothing is written), [`StoreError::Database`],
    /// [`StoreError::CorruptBlock`], and [`StoreError::WriteFailed`] after a failed write.
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
    /// If the process is killed before this returns, any part of the records may be on disk; the
    /// documents are changed only if all records are, and all of them or none.
    ///
    /// # Errors
    /// Those of [`merge`](Store::merge).
    pub fn merge_with(
        &self,
        records: &[Sourced<'_>],
        rule: impl Fn(&[u8], u64, u64) -> Option<u64>,
        documents: &[DocumentChange<'_>],
    ) -> Result<Merged, StoreError> {
        let mut writer = self.writer()?;
        let Combined {
            news,
            which,
            conflicts,
        } = self.combine(records, rule)?;
        let merged = |cursor| Merged {
            cursor,
            new: which.len() as u64,
            which,
            conflicts,
        };
        if news.is_empty() {
            if !documents.is_empty() {
                self.change_documents(documents)?;
            }
            return Ok(merged(self.cursor()));
        }
        let tails = self.tails_to_merge(news.len(), writer.apart)?;
        let pending = with_tails(news, &tails);

        let first = writer.last_number + 1;
        let blocks = encode_blocks(&pending, first)?;
        let last = writer.last_number + blocks.len() as u64;
        // Until the records are published, whatever ends this function leaves the disk uncertain.
        writer.failed = true;
        for block in &blocks {
            let key = block.number.to_be_bytes();
            self.inner.blocks.insert(key, &block.bytes[..])?;
        }
        self.apply_documents(documents)?;
        self.inner.disk.flush()?;
        self.publish(&pending, &blocks, &tails);
        writer.last_number = last;
        writer.mark.set(last, self.len() as u64);
        writer.failed = false;
        Ok(merged(last))
    }

    /// Compares records with what is stored.
    fn combine<'a>(
        &self,
        records: &[Sourced<'a>],
        rule: impl Fn(&[u8], u64, u64) -> Option<u64>,
    ) -> Result<Combined<'a>, StoreError> {
        if let Some(long) = records.iter().find(|r| r.key.len() > block::MAX_KEY) {
            return Err(StoreError::KeyTooLong(long.key.len()));
        }
        let sorted = sorted(records);
        let key = |placed: &Placed| records[placed.position].key;
        let is_same = |a: &Placed, b: &Placed| a.start == b.start && key(a) == key(b);
        let of_keys = || sorted.chunk_by(is_same);
        let mut keys = Vec::with_capacity(records.len());
        keys.extend(of_keys().map(|same| Sought::new(key(&same[0]))));
        lookup::find_all(&self.inner.blocks, &self.content(), &mut keys)?;

        let mut news = Vec::with_capacity(keys.len());
        let mut which = Vec::with_capacity(records.len());
        let mut conflicts = Vec::new();
        for (same, sought) in of_keys().zip(keys) {
            let mut known = sought.found.map(|(_, stored)| stored);
            let mut is_new = false;
            for &Placed { position, .. } in same {
                let Sourced { key, value, source } = records[position];
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
                        // What was verified is still proved by who proved it.
                        let source = same.map_or(source, |same| same.source | VERIFIED);
                        known = after.map(|value| Stored { value, source });
                        is_new = true;
                    }
                }
            }
            if let (Some(Stored { value, source }), true) = (known, is_new) {
                news.push(Pending {
                    record: Sourced {
                        key: sought.key,
                        value,
                        source,
                    },
                    hash: sought.hash,
                    from: sought.found.map(|(block, _)| block),
                });
            }
        }
        Ok(Combined {
            news,
            which,
            conflicts,
        })
    }

    /// The blocks at the end that are not full and not much larger than what comes after them.
    /// Merging only these lets sizes grow as in a binary counter: of many small merges at most
    /// log2 of [`block::RECORDS`] small blocks stay, and a record is rewritten about as many times.
    fn tails_to_merge(&self, new_records: usize, apart: u64) -> Result<Tails, StoreError> {
        let mut tails = Tails::default();
        for entry in self.inner.blocks.iter().rev() {
            let (key, bytes) = entry?;
            let number = super::block_number(&key)?;
            let corrupt = |reason| StoreError::CorruptBlock { number, reason };
            let start = tails.records.len();
            let count = match block::room(&bytes).map_err(corrupt)? {
                Some(count) if number > apart && count < 2 * (start + new_records) => count,
                _ => break,
            };
            let pushed = tails.records.push_block(&bytes, |source| source);
            pushed.map_err(corrupt)?;
            tails.blocks.push((number, start..start + count));
        }
        Ok(tails)
    }

    /// Lets readers see the new blocks in place of the old ones.
    fn publish(&self, pending: &[Pending<'_>], blocks: &[NewBlock], tails: &Tails) {
        {
            let mut recent = self.recent();
            // The last is the oldest.
            if let Some(&(oldest, _)) = tails.blocks.last() {
                recent.truncate(oldest);
            }
            for NewBlock { number, bytes, .. } in blocks {
                recent.push(*number, bytes);
            }
        }
        let mut content = self
            .inner
            .content
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        for NewBlock { number, range, .. } in blocks {
            for Pending { hash, from, .. } in &pending[range.clone()] {
                content.index.place(*hash, *from, *number);
            }
            content.count_block(*number, range.len());
        }
        // Under the lock, so that nobody looks for a block the index no longer names.
        let mut batch = sled::Batch::default();
        for (number, records) in &tails.blocks {
            batch.remove(&number.to_be_bytes());
            content.blocks -= 1;
            content.copies -= records.len() as u64;
        }
        if let Err(error) = self.inner.blocks.apply_batch(batch) {
            tracing::warn!(%error, "replaced blocks were not removed; they only take space");
        }
    }
}

/// Whether the value stays as it is known, and its source has not verified what nobody had before.
fn adds_nothing(known: Stored, after: u64, source: u32) -> bool {
    known.value == after && (source & VERIFIED == 0 || known.is_verified())
}

/// Records in ascending order of keys; those of one key stay in the order they came.
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

/// The first bytes of a key as a number that is no larger than that of a larger key.
fn start_of(key: &[u8]) -> u128 {
    let mut start = [0; size_of::<u128>()];
    match key.first_chunk() {
        Some(first) => start = *first,
        None => start[..key.len()].copy_from_slice(key),
    }
    u128::from_be_bytes(start)
}

/// All records, each key once with its newest value, in ascending order of keys.
fn with_tails<'a>(news: Vec<Pending<'a>>, tails: &'a Tails) -> Vec<Pending<'a>> {
    if tails.blocks.is_empty() {
        return news;
    }
    let mut pending = news;
    for (number, range) in &tails.blocks {
        let records = tails.records.range(range.clone());
        pending.extend(records.map(|record| Pending {
            record,
            hash: KeyHash::of(record.key),
            from: Some(*number),
        }));
    }
    // The sort is stable, so of equal keys the newest comes first and is kept.
    pending.sort_by(|a, b| a.record.key.cmp(b.record.key));
    pending.dedup_by(|next, kept| next.record.key == kept.record.key);
    pending
}

/// All records in full blocks and a last one, numbered from `first`.
fn encode_blocks(pending: &[Pending<'_>], first: u64) -> Result<Vec<NewBlock>, StoreError> {
    let mut blocks: Vec<NewBlock> = Vec::new();
    let mut encoder = block::Encoder::default();
    for (position, record) in pending.iter().map(|pending| pending.record).enumerate() {
        let number = first + blocks.len() as u64;
        encoder
            .push(record)
            .map_err(|reason| StoreError::CorruptBlock { number, reason })?;
        let end = position + 1;
        if encoder.is_full() || end == pending.len() {
            let range = end - encoder.count()..end;
            let bytes = encoder.finish();
            blocks.push(NewBlock {
                number,
                bytes,
                range,
            });
        }
    }
    Ok(blocks)
}
