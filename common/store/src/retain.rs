//! Taking records back: all that came in after some moment is removed for good.
//!
//! What was built on a record cannot be told apart from what was not, so nothing is picked out: the
//! order in which records came in decides. Blocks keep that order, for a block never changes, and
//! when small ones are merged into a later one all that are newer are merged too. So what stands in
//! the blocks up to a cursor was there when the cursor was the store's, whole. Small blocks at the end
//! may stand in later ones since, and go with those, unless they are [kept apart](Store::keep_apart).

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::{Store, StoreError, block_number, open, recent::Recent};

/// The entry of `meta` that counts withdrawals.
pub(super) const EPOCH_KEY: &str = "epoch";

impl Store {
    /// How often records were [withdrawn](Store::withdraw_after) from this store. A cursor from
    /// another epoch means nothing.
    pub fn epoch(&self) -> u64 {
        self.inner.epoch.load(Ordering::Acquire)
    }

    /// From now on, as long as the store is open, blocks up to a cursor are not merged with others: so
    /// what came in after it can be taken back to the last record.
    pub fn keep_apart(&self, cursor: u64) {
        let writer = self.inner.writer.lock();
        let mut writer = writer.unwrap_or_else(PoisonError::into_inner);
        writer.apart = writer.apart.max(cursor);
    }

    /// Removes every record that came in after the [cursor](Store::cursor) was this, and possibly
    /// some that came in shortly before, unless they were [kept apart](Store::keep_apart); documents
    /// stay. Returns how many keys are gone. When it
    /// returns, they are gone from disk too, and the store is in a new [epoch](Store::epoch).
    ///
    /// If the process is killed before, any part of them may be left: whoever asks for this writes
    /// down first that it is to be done, and does it again.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::CorruptBlock`], and [`StoreError::WriteFailed`] after
    /// a failed write. The store has to be opened again then.
    pub fn withdraw_after(&self, cursor: u64) -> Result<u64, StoreError> {
        let mut writer = self.writer()?;
        // Until all is done, whatever ends this function leaves the disk uncertain.
        writer.failed = true;
        let kept = open::read_blocks(&self.inner.blocks, cursor)?;
        let last_kept = kept.cursor;
        // The mark must not be ahead of the database at any moment.
        writer.mark.lower(last_kept, 0)?;
        let epoch = self.epoch() + 1;
        self.inner.meta.insert(EPOCH_KEY, &epoch.to_be_bytes())?;
        let gone = {
            let mut content = self
                .inner
                .content
                .write()
                .unwrap_or_else(PoisonError::into_inner);
            let before = content.index.len();
            *content = kept;
            *self.recent() = Recent::new(writer.last_number);
            // Under the lock, so that nobody looks for a block the index no longer names.
            let mut batch = sled::Batch::default();
            for entry in self.inner.blocks.iter().rev() {
                let (key, _) = entry?;
                if block_number(&key)? <= cursor {
                    break;
                }
                batch.remove(key);
            }
            self.inner.blocks.apply_batch(batch)?;
            before.saturating_sub(content.index.len()) as u64
        };
        self.inner.disk.flush()?;
        self.inner.epoch.store(epoch, Ordering::Release);
        writer.mark.set(last_kept, self.len() as u64);
        writer.failed = false;
        Ok(gone)
    }
}
