//! Appending: new records become blocks, and small blocks at the end melt into larger ones.
//!
//! The order of steps makes a crash harmless at any point. New blocks are written and flushed; then
//! readers learn of them; only then the blocks they replace are removed. Until a flush makes the
//! removal durable, a crash brings replaced blocks back, and what they hold is superseded by the
//! newer.

use super::{Record, Store, StoreError, block, index::KeyHash, mark::Mark};
use std::sync::PoisonError;

/// What only the one who appends may see and change.
pub(super) struct Writer {
    /// The sequence number given last.
    last_number: u64,
    /// A write failed, so the database may hold blocks the index does not know.
    failed: bool,
    mark: Mark,
}

impl Writer {
    pub(super) fn new(cursor: u64, mark: Mark) -> Self {
        Self {
            last_number: cursor,
            failed: false,
            mark,
        }
    }
}

/// A record on its way into a new block.
struct Pending<'a> {
    key: &'a [u8],
    value: u64,
    /// The block the index has for this key.
    from: Option<u64>,
}

/// A block to be merged into the new ones.
struct Tail {
    number: u64,
    records: Vec<Record>,
}

impl Store {
    /// Appends records and returns the cursor after them; they are on disk when it returns.
    ///
    /// The last of several records of one key wins, and supersedes what the store had. A record the
    /// store has already, with the same value, is not written again. Small blocks at the end are
    /// merged with the new records under new sequence numbers, so a reader with a cursor may see
    /// some records again but never misses one.
    ///
    /// # Errors
    /// [`StoreError::KeyTooLong`] (nothing is written), [`StoreError::Database`],
    /// [`StoreError::CorruptBlock`], and [`StoreError::WriteFailed`] after a failed write.
    pub fn append(&self, records: &[Record]) -> Result<u64, StoreError> {
        let mut writer = self.inner.writer.lock().unwrap_or_else(|poisoned| {
            // A panic half-way is a failed write.
            let mut writer = poisoned.into_inner();
            writer.failed = true;
            writer
        });
        if writer.failed {
            return Err(StoreError::WriteFailed);
        }
        let news = self.news(records)?;
        if news.is_empty() {
            return Ok(self.cursor());
        }
        let tails = self.tails_to_merge(news.len())?;
        let pending = merge(news, &tails);

        let mut batch = sled::Batch::default();
        let mut number = writer.last_number;
        for chunk in pending.chunks(block::RECORDS) {
            number += 1;
            let bytes = block::encode(chunk.iter().map(|record| (record.key, record.value)))
                .map_err(|reason| StoreError::CorruptBlock { number, reason })?;
            batch.insert(&number.to_be_bytes(), bytes);
        }
        // Until the records are published, whatever ends this function leaves the disk uncertain.
        writer.failed = true;
        self.inner.blocks.apply_batch(batch)?;
        self.inner.blocks.flush()?;
        self.publish(&pending, &tails, writer.last_number + 1);
        writer.last_number = number;
        writer.mark.set(number, self.len() as u64);
        writer.failed = false;
        Ok(number)
    }

    /// The records that say something new, in ascending order of distinct keys.
    fn news<'a>(&self, records: &'a [Record]) -> Result<Vec<Pending<'a>>, StoreError> {
        if let Some(long) = records.iter().find(|r| r.key.len() > block::MAX_KEY) {
            return Err(StoreError::KeyTooLong(long.key.len()));
        }
        let mut last_first: Vec<&Record> = records.iter().rev().collect();
        last_first.sort_by(|a, b| a.key.cmp(&b.key));
        last_first.dedup_by(|next, kept| next.key == kept.key);
        let content = self.content();
        let mut news = Vec::with_capacity(last_first.len());
        for Record { key, value } in last_first {
            let known = self.locate(&content, key)?;
            if known.is_none_or(|(_, old)| old != *value) {
                news.push(Pending {
                    key,
                    value: *value,
                    from: known.map(|(block, _)| block),
                });
            }
        }
        Ok(news)
    }

    /// The blocks at the end that are not full and not much larger than what comes after them,
    /// newest first. Merging only these lets sizes grow as in a binary counter: of many small
    /// appends at most log2 of [`block::RECORDS`] small blocks stay, and a record is rewritten
    /// about as many times.
    fn tails_to_merge(&self, new_records: usize) -> Result<Vec<Tail>, StoreError> {
        let mut tails = Vec::new();
        let mut total = new_records;
        for entry in self.inner.blocks.iter().rev() {
            let (key, bytes) = entry?;
            let number = super::block_number(&key)?;
            let corrupt = |reason| StoreError::CorruptBlock { number, reason };
            let count = block::count(&bytes).map_err(corrupt)?;
            if count >= block::RECORDS || count >= 2 * total {
                break;
            }
            total += count;
            let records = block::decode(&bytes).map_err(corrupt)?;
            tails.push(Tail { number, records });
        }
        Ok(tails)
    }

    /// Lets readers see the new blocks, numbered from `first_number`, in place of the old ones.
    fn publish(&self, pending: &[Pending<'_>], tails: &[Tail], first_number: u64) {
        let mut content = self
            .inner
            .content
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        for (number, chunk) in (first_number..).zip(pending.chunks(block::RECORDS)) {
            for record in chunk {
                let hash = KeyHash::of(record.key);
                content.index.place(hash, record.from, number);
            }
            content.cursor = number;
        }
        // Under the lock, so that nobody looks for a block the index no longer names.
        let mut batch = sled::Batch::default();
        for tail in tails {
            batch.remove(&tail.number.to_be_bytes());
        }
        if let Err(error) = self.inner.blocks.apply_batch(batch) {
            tracing::warn!(%error, "replaced blocks were not removed; they only take space");
        }
    }
}

/// All records, each key once with its newest value, in ascending order of keys.
fn merge<'a>(news: Vec<Pending<'a>>, tails: &'a [Tail]) -> Vec<Pending<'a>> {
    let mut pending = news;
    for Tail { number, records } in tails {
        pending.extend(records.iter().map(|record| Pending {
            key: &record.key,
            value: record.value,
            from: Some(*number),
        }));
    }
    // The sort is stable, so of equal keys the newest comes first and is kept.
    pending.sort_by(|a, b| a.key.cmp(b.key));
    pending.dedup_by(|next, kept| next.key == kept.key);
    pending
}
