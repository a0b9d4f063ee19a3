//! Rollback: removing all records that arrived after a cursor.
//!
//! Records that rest on a false one look like any other, so the order of arrival decides. A block never changes. When
//! small blocks are merged into a later one, all newer blocks are merged too. So blocks up to a cursor hold nothing
//! that arrived after the store had this cursor. Small blocks at the end may since have moved into later ones, and are
//! removed with them unless they are [kept apart](Store::keep_apart).

use super::{Inner, Store, StoreError, Writer, numbered, open, recent::Recent, revoked::Revoked};
use sproutnet_notation::Epoch;
use std::sync::atomic::Ordering;

/// The entry of `meta` that counts rollbacks.
pub(super) const EPOCH_KEY: &str = "epoch";

impl Store {
    /// The number of [revocations](Store::revoke_after). A cursor is only valid in its epoch.
    pub fn epoch(&self) -> Epoch {
        Epoch(self.inner.epoch.load(Ordering::Acquire))
    }

    /// Excludes blocks up to a cursor from merging while the store is open, so that a rollback to this cursor removes
    /// only later records.
    pub fn keep_apart(&self, cursor: u64) {
        let mut writer = self.writer();
        writer.apart = writer.apart.max(cursor);
    }

    /// Removes every record that arrived after the store had this [cursor](Store::cursor), and
    /// possibly some that arrived shortly before, unless they were [kept apart](Store::keep_apart).
    /// Documents stay. Returns the number of removed keys. When this returns, the removal is durable
    /// and the store is in a new [epoch](Store::epoch).
    ///
    /// If the process is killed earlier, any part of the records may remain. Callers therefore record
    /// the intention first, and repeat the call.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::CorruptBlock`], and [`StoreError::WriteFailed`] after
    /// a failed write. The store has to be opened again after an error.
    pub fn revoke_after(&self, cursor: u64) -> Result<u64, StoreError> {
        let _alone = self.inner.shedding.wait();
        let mut writer = self.writer();
        self.inner.volume.forget();
        self.inner
            .db
            .write(|| self.remove_after(&mut writer, cursor))
    }

    fn remove_after(&self, writer: &mut Writer, cursor: u64) -> Result<u64, StoreError> {
        let Inner { db, keeper, .. } = &*self.inner;
        keeper.halt();
        // The removals of earlier merges must be durable before files of the index rest on them.
        db.flush()?;
        let kept = open::load(&db.blocks, keeper.files(), cursor)?;
        let last_kept = kept.extent.cursor;
        writer.apart = writer.apart.max(kept.index.settled());
        let dir = db.dir();
        let mut revoked = Revoked::of(dir, self.epoch(), self.cursor())?;
        revoked.add(dir, cursor, writer.last_number)?;
        // The mark must never be ahead of the database.
        writer.mark.lower(last_kept, 0)?;
        let epoch = self.epoch().0 + 1;
        db.meta.insert(EPOCH_KEY, &epoch.to_be_bytes())?;
        let removed = {
            let mut content = self.content_mut();
            let before = content.extent.keys;
            *content = kept;
            *self.recent() = Recent::new(writer.last_number);
            // Under the lock, so that no reader looks for a block that the index no longer names.
            let mut batch = sled::Batch::default();
            for entry in db.blocks.range(cursor.saturating_add(1).to_be_bytes()..) {
                batch.remove(&numbered(entry)?.0.to_be_bytes());
            }
            db.blocks.apply_batch(batch)?;
            before.saturating_sub(content.extent.keys)
        };
        db.flush()?;
        self.inner.epoch.store(epoch, Ordering::Release);
        writer.mark.set(last_kept, self.len() as u64);
        Ok(removed)
    }
}
