//! Records proved here that the coordinator does not have yet, and the coordinator's records in the worker's own store.
//!
//! New records wait in memory, as blocks, in the order of their proof. A worker with an own store writes them there
//! first. A document holds the number of the last block up to which a coordinator has all records. The records proved
//! here in later stored blocks, but not waiting in memory, are the *backlog*. They are from an earlier run, or from
//! before the worker met this coordinator. They are sent when no new records wait.
//!
//! The own store also holds the records of the feed, under a separate source, and the coordinator's block up to which
//! it has them. Searches read it as their archive, and the feed resumes at this block after a restart.
//!
//! If an older copy of the coordinator's store was put in its place, all records proved here are backlog again, and the
//! feed so far is like that of another store.
//!
//! While the disk of the own store is full, new records wait in memory only. A store that fails is closed until the
//! worker's next start.

use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;

use sproutnet_notation::Epoch;
use sproutnet_solver::play::{Contradiction, Record, RecordSet, merge};
use sproutnet_store::block::{self, BlockError};
use sproutnet_store::{
    Batch, Conflict, Merged, OWN, Sourced, SourcedRecord, Store, StoreError, number_of,
};

use crate::client::StoreEpoch;
use crate::marks::Marks;
use crate::message::{Contents, MESSAGE_BYTES, Message, fitting};
use crate::own_store::{ACKNOWLEDGED, EPOCH, OwnStore};

/// The source of the feed's records in the own store.
pub(crate) const FED: u32 = 1;

/// Log text for an own store that cannot be written.
pub(crate) const IN_MEMORY: &str = "undelivered records are held in memory only";

/// The records to deliver.
pub(crate) struct DeliveryQueue {
    pub(crate) own: Option<OwnStore>,
    /// The known states of coordinators' stores.
    pub(crate) marks: Marks,
    /// New blocks that the coordinator has not acknowledged.
    fresh: VecDeque<Fresh>,
    /// The number of the newest such block.
    newest: u64,
    /// The coordinator's store, once known.
    store_epoch: Option<StoreEpoch>,
    /// The coordinator has the own store's blocks up to this one…
    acknowledged: u64,
    /// …and lacks those above it, up to this one.
    backlog_end: u64,
    /// The value of `acknowledged` in the document.
    noted: u64,
    /// The keys of contradictions. Their records are not sent.
    disputed: BTreeSet<Box<[u8]>>,
    /// Whether the own store has all records of the feed so far. Only then may their block be stored.
    is_fed_whole: bool,
    /// The number of blocks to send one by one after a message of several was rejected.
    singly: usize,
}

struct Fresh {
    number: u64,
    block: Vec<u8>,
    /// The own store's cursor after these records.
    cursor: u64,
}

/// The progress of delivery.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The number of the newest block of new records.
    pub(crate) newest: u64,
    /// The number of the last block of new records that the coordinator has.
    pub(crate) taken: u64,
    /// The number of messages that the waiting new records take.
    pub(crate) messages: usize,
    /// Whether the coordinator has everything.
    pub(crate) is_empty: bool,
}

impl DeliveryQueue {
    /// A queue over the own store, if there is one.
    pub(crate) fn new(own: Option<OwnStore>) -> Result<Self, StoreError> {
        let disputed = own.as_ref().map(OwnStore::disputed).transpose()?;
        let marks = own.as_ref().map(OwnStore::marks).transpose()?;
        Ok(Self {
            own,
            marks: Marks::new(marks.unwrap_or_default()),
            fresh: VecDeque::new(),
            newest: 0,
            store_epoch: None,
            acknowledged: 0,
            backlog_end: 0,
            noted: 0,
            disputed: disputed.unwrap_or_default(),
            is_fed_whole: true,
            singly: 0,
        })
    }

    /// Queues records proved in an epoch, unless that epoch is over. Returns their contradictions to
    /// earlier records; contradicting records are not kept.
    pub(crate) fn push(
        &mut self,
        at: StoreEpoch,
        records: Vec<Record>,
    ) -> Result<Vec<Contradiction>, StoreError> {
        if self.is_over(at) {
            return Ok(Vec::new());
        }
        let (mut records, mut contradictions) = self.sendable(records);
        if records.records().is_empty() {
            return Ok(contradictions);
        }
        let sourced = records.records().iter();
        let sourced: Vec<_> = sourced.map(|record| Sourced::of(record, OWN)).collect();
        let rule = |key: &[u8], known, new| merge(key, known, new).ok();
        if let Some(merged) = self.store(|own| own.store.merge(&sourced, rule))? {
            // Small blocks of the backlog may have become part of the new ones.
            if self.has_backlog() {
                self.backlog_end = merged.cursor;
            }
            for contradiction in contradictions_in(merged) {
                records.remove(&contradiction.key);
                contradictions.push(contradiction);
            }
        }
        let cursor = self.cursor();
        for chunk in records.records().chunks(block::RECORDS) {
            let own = chunk.iter().map(|record| Sourced::of(record, OWN));
            let block = block::encode(own).map_err(corrupt(cursor))?;
            self.newest += 1;
            self.fresh.push_back(Fresh {
                number: self.newest,
                block,
                cursor,
            });
        }
        Ok(contradictions)
    }

    /// Stores records from the feed of the coordinator with this store, up to its block `fed`. Returns their
    /// contradictions to records proved here. While the disk is full, they are not stored, and the feed sends them
    /// again after the next start.
    pub(crate) fn keep_fed(
        &mut self,
        at: StoreEpoch,
        records: &Batch,
        fed: u64,
    ) -> Result<Vec<Contradiction>, StoreError> {
        if self.store_epoch != Some(at) {
            return Ok(Vec::new());
        }
        let mark = self.marks.newest(at);
        let noted = self.is_fed_whole.then_some((fed, mark));
        let Some(merged) = self.store(|own| own.keep_fed(at, &records.records(), noted))? else {
            self.is_fed_whole = false;
            return Ok(Vec::new());
        };
        if self.has_backlog() {
            self.backlog_end = merged.cursor;
        } else if self.fresh.is_empty() {
            // Nothing in these blocks has to be sent.
            self.acknowledged = merged.cursor;
            self.backlog_end = merged.cursor;
        }
        Ok(contradictions_in(merged).collect())
    }

    /// The own store for searches to read, and the number of the coordinator's block up to which it has the feed.
    ///
    /// `None` if no store may stand for the coordinator's: there is none, or it has the feed of another coordinator, or a
    /// record that contradicts this one's. The feed of another coordinator is dropped once this one has all records that
    /// were proved here. These stay, since this coordinator may lose them.
    pub(crate) fn copy(&mut self) -> Result<Option<(Store, u64)>, StoreError> {
        let Some(at) = self.store_epoch else {
            return Ok(None);
        };
        self.drop_another_feed(at)?;
        let Some(own) = &self.own else {
            return Ok(None);
        };
        if !self.disputed.is_empty() || own.is_fed_by_another(at.store)? {
            tracing::warn!(
                dir = %own.dir.display(),
                "the worker's own store holds facts of another coordinator, or disputed ones: searches keep facts in memory"
            );
            return Ok(None);
        }
        Ok(Some((own.store.clone(), own.fed(at.store)?)))
    }

    /// Drops the feed of another coordinator from the own store, unless records in it have to be sent.
    fn drop_another_feed(&mut self, at: StoreEpoch) -> Result<(), StoreError> {
        let is_sent = self.fresh.is_empty() && self.disputed.is_empty() && !self.has_backlog();
        let Some(own) = self.own.as_ref().filter(|_| is_sent) else {
            return Ok(());
        };
        if own.is_fed_by_another(at.store)? {
            tracing::info!(
                dir = %own.dir.display(),
                "the coordinator has all records proved here: the copy of another coordinator's facts is dropped"
            );
            self.change(OwnStore::drop_fed)?;
        }
        Ok(())
    }

    /// Whether records of this epoch may rest on revoked ones.
    fn is_over(&self, at: StoreEpoch) -> bool {
        self.store_epoch
            .is_some_and(|now| now.store == at.store && now.epoch > at.epoch)
    }

    /// Writes records to the own store. `None` if there is none that can be written.
    fn store(
        &mut self,
        write: impl FnOnce(&OwnStore) -> Result<Merged, StoreError>,
    ) -> Result<Option<Merged>, StoreError> {
        if !self.can_store() {
            return Ok(None);
        }
        self.change(|own| {
            if let Some(budget) = &own.budget {
                budget.tend(&own.store, Instant::now());
            }
            write(own)
        })
    }

    /// The records that may be sent, and their contradictions to each other.
    fn sendable(&self, mut records: Vec<Record>) -> (RecordSet, Vec<Contradiction>) {
        records.retain(|record| {
            let bytes = record.key.len();
            if bytes > block::MAX_KEY {
                tracing::warn!(bytes, "a record is dropped: its key is too long");
            }
            bytes <= block::MAX_KEY && !self.disputed.contains(&record.key)
        });
        RecordSet::of(records)
    }

    /// The progress of delivery.
    pub(crate) fn progress(&self) -> Progress {
        let has_stored = match self.store_epoch {
            Some(_) => !self.has_backlog(),
            None => self.cursor() == 0,
        };
        Progress {
            newest: self.newest,
            taken: self.fresh.front().map_or(self.newest, |f| f.number - 1),
            messages: self.fresh_bytes().div_ceil(MESSAGE_BYTES),
            is_empty: self.fresh.is_empty() && has_stored,
        }
    }

    fn fresh_bytes(&self) -> usize {
        self.fresh.iter().map(|fresh| fresh.block.len()).sum()
    }

    /// The next message to the coordinator with this store, if any.
    pub(crate) fn next(&mut self, at: StoreEpoch) -> Result<Option<Message>, StoreError> {
        self.meet(at)?;
        let (blocks, contents) = if self.fresh.is_empty() {
            self.next_of_backlog()?
        } else {
            let blocks = self.fresh.iter().map(|fresh| Ok(fresh.block.clone()));
            let blocks = fitting(blocks, self.message_limit())?;
            let last = self.fresh[blocks.len() - 1].number;
            (blocks, Contents::Fresh(last))
        };
        Ok((!blocks.is_empty()).then_some(Message { blocks, contents }))
    }

    fn next_of_backlog(&mut self) -> Result<(Vec<Vec<u8>>, Contents), StoreError> {
        let mut last = self.acknowledged;
        let Some(own) = self.own.as_ref().filter(|_| self.has_backlog()) else {
            return Ok((Vec::new(), Contents::Backlog(last)));
        };
        let mut blocks = own.store.blocks_after(self.acknowledged);
        let to_send = std::iter::from_fn(|| {
            blocks.find_map(|numbered| {
                let sent = numbered.and_then(|(number, block)| {
                    last = number;
                    self.to_send(&block, number)
                });
                sent.transpose()
            })
        });
        let blocks = fitting(to_send, self.message_limit())?;
        if blocks.is_empty() {
            // The blocks were merged into newer blocks, whose records were sent when they were new, or hold no records
            // proved here.
            self.acknowledged = self.backlog_end;
        }
        Ok((blocks, Contents::Backlog(last)))
    }

    /// Notes the coordinator's store, and reads the block up to which that coordinator has all records. If it revoked
    /// records since this worker last registered, drops all records, as they may rest on revoked ones. If its store was
    /// rolled back, all records proved here are sent again.
    pub(crate) fn meet(&mut self, at: StoreEpoch) -> Result<(), StoreError> {
        if self.store_epoch == Some(at) {
            return Ok(());
        }
        self.note()?;
        let here = self.store_epoch.filter(|now| now.store == at.store);
        let last_epoch = match (here, &self.own) {
            (Some(here), _) => Some(here.epoch),
            (None, Some(own)) => own.get(EPOCH, at.store)?.map(Epoch),
            (None, None) => None,
        };
        let is_rolled_back = self.marks.take_rolled_back(at.store);
        if last_epoch.is_some_and(|last| last < at.epoch) {
            self.forget()?;
        } else if is_rolled_back || last_epoch.is_some_and(|last| last > at.epoch) {
            tracing::warn!(
                "the coordinator's store was rolled back: records in the worker's own store that were proved here are \
                 sent again"
            );
            self.change(|own| own.start_over(at.store))?;
        }
        self.store_epoch = Some(at);
        self.is_fed_whole = true;
        self.backlog_end = self.cursor();
        self.noted = 0;
        self.change(|own| own.put(EPOCH, at.store, at.epoch.0))?;
        if let Some(own) = &self.own {
            // A cursor beyond the end of the store is invalid.
            let noted = own.get(ACKNOWLEDGED, at.store)?;
            self.noted = noted.filter(|&n| n <= self.backlog_end).unwrap_or(0);
        }
        self.acknowledged = self.noted;
        if let Some(own) = self.own.as_ref().filter(|_| self.has_backlog()) {
            let dir = own.dir.display();
            tracing::info!(%dir, "the coordinator lacks stored records");
        }
        Ok(())
    }

    fn forget(&mut self) -> Result<(), StoreError> {
        tracing::warn!("the coordinator revoked records: records proved here are dropped");
        self.change(OwnStore::forget)?;
        self.fresh.clear();
        self.disputed.clear();
        self.singly = 0;
        Ok(())
    }

    /// The coordinator has the records of a message.
    pub(crate) fn acknowledge(&mut self, message: &Message) {
        self.singly = self.singly.saturating_sub(message.blocks.len());
        match message.contents {
            Contents::Fresh(last) => {
                let mut cursor = 0;
                while let Some(sent) = self.fresh.pop_front_if(|fresh| fresh.number <= last) {
                    cursor = sent.cursor;
                }
                if self.fresh.is_empty() {
                    cursor = self.cursor();
                }
                // Below a backlog's end, the coordinator lacks blocks.
                if !self.has_backlog() {
                    self.acknowledged = self.acknowledged.max(cursor);
                    self.backlog_end = self.acknowledged;
                }
            }
            Contents::Backlog(last) => self.acknowledged = self.acknowledged.max(last),
        }
    }

    /// The coordinator rejects a message. Several blocks are sent again one by one; a single one is
    /// skipped, and stays in the own store.
    pub(crate) fn reject(&mut self, message: &Message, reason: &str) {
        if message.blocks.len() > 1 {
            self.singly = message.blocks.len();
        } else {
            tracing::error!(reason, "the coordinator rejects a block of records");
            self.acknowledge(message);
        }
    }

    /// Stores the block up to which the coordinator has all records, and the newest known state of its store.
    pub(crate) fn note(&mut self) -> Result<(), StoreError> {
        let Some(at) = self.store_epoch else {
            return Ok(());
        };
        if self.acknowledged == self.noted || !self.can_store() {
            return Ok(());
        }
        let (acknowledged, mark) = (self.acknowledged, self.marks.newest(at));
        if let Some(()) = self.change(|own| own.acknowledge(at, acknowledged, mark))? {
            self.noted = acknowledged;
        }
        Ok(())
    }

    /// Whether there is an own store whose disk is not full. Logs changes.
    fn can_store(&self) -> bool {
        let Some(OwnStore { disk, .. }) = &self.own else {
            return false;
        };
        let was_full = disk.is_full();
        match (disk.check(), was_full) {
            (Err(full), false) => tracing::warn!("{full}; {IN_MEMORY}"),
            (Ok(_), true) => tracing::info!("the disk of the worker's own store is no longer full"),
            _ => {}
        }
        !disk.is_full()
    }

    /// Changes the own store. `None` if there is none. If no more writes are possible, the store is closed: its records
    /// are sent after the next start. Then the result is `None`, too.
    fn change<T>(
        &mut self,
        change: impl FnOnce(&OwnStore) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let Some(own) = &self.own else {
            return Ok(None);
        };
        match change(own) {
            Err(error) if own.store.has_failed() => {
                let what = if error.is_disk_full() {
                    "disk full: "
                } else {
                    ""
                };
                tracing::error!(%error, "{what}the worker's own store failed; {IN_MEMORY}");
                self.own = None;
                self.backlog_end = self.acknowledged;
                Ok(None)
            }
            changed => changed.map(Some),
        }
    }

    /// Stops sending records of a contradiction's key.
    pub(crate) fn dispute(&mut self, key: &[u8]) -> Result<(), StoreError> {
        self.disputed.insert(key.into());
        let mut fresh = std::mem::take(&mut self.fresh);
        for Fresh { block, cursor, .. } in &mut fresh {
            *block = self.to_send(block, *cursor)?.unwrap_or_default();
        }
        fresh.retain(|fresh| !fresh.block.is_empty());
        self.fresh = fresh;
        self.change(|own| own.put_disputed(key)).map(drop)
    }

    /// The records of a block that were proved here and are not disputed, if there are any.
    fn to_send(&self, bytes: &[u8], number: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let mut records = block::decode(bytes).map_err(corrupt(number))?;
        records.retain(|kept| {
            number_of(kept.source) == OWN && !self.disputed.contains(&kept.record.key)
        });
        if records.is_empty() {
            return Ok(None);
        }
        let block = block::encode(records.iter().map(SourcedRecord::borrow));
        block.map(Some).map_err(corrupt(number))
    }

    fn has_backlog(&self) -> bool {
        self.acknowledged < self.backlog_end
    }

    /// The size at which a message is full, in bytes.
    fn message_limit(&self) -> usize {
        if self.singly > 0 { 0 } else { MESSAGE_BYTES }
    }

    fn cursor(&self) -> u64 {
        self.own.as_ref().map_or(0, |own| own.store.cursor())
    }
}

fn contradictions_in(merged: Merged) -> impl Iterator<Item = Contradiction> {
    merged.conflicts.into_iter().map(|conflict| {
        let Conflict {
            key, known, new, ..
        } = conflict;
        Contradiction { key, known, new }
    })
}

fn corrupt(number: u64) -> impl Fn(BlockError) -> StoreError {
    move |reason| StoreError::CorruptBlock { number, reason }
}
