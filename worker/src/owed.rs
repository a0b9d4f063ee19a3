//! What was proved here and is owed to the coordinator.
//!
//! Records just proved wait in memory, as blocks, in the order in which they were proved. If the
//! worker has a store of its own they are put there first, and a document remembers up to which
//! block a coordinator has them all. What lies between that block and the records in memory, from
//! an earlier life or from before another coordinator was met, is the *backlog*: it is sent block by
//! block as it is stored, whenever nothing newer waits.

use std::collections::{BTreeSet, VecDeque};

use sproutnet_solver::play::{Contradiction, Record, merge};
use sproutnet_store::block::{self, BlockError};
use sproutnet_store::{OWN, Sourced, SourcedRecord, StoreError};

use crate::folder::OwnStore;
use crate::stint::Home;

/// The documents that remember what a coordinator has: this and the id of its store.
const ACKNOWLEDGED: &str = "acknowledged/";
/// The documents that tell in which epoch of a coordinator's store this worker was last: this and the
/// id of that store.
const EPOCH: &str = "epoch/";
/// The documents that name the keys of contradictions: this and the key.
const DISPUTED: &str = "disputed/";

/// A message of new records has about this many bytes at most, one of the backlog fewer, as new
/// records may have to wait for it.
const LARGEST_MESSAGE: usize = 4 << 20;
const LARGEST_OF_BACKLOG: usize = 1 << 20;

/// Records that were proved here.
pub(crate) struct Owed {
    own: Option<OwnStore>,
    /// Blocks of new records that were not acknowledged yet.
    fresh: VecDeque<Fresh>,
    /// The number of the newest such block, and of the last that was acknowledged.
    newest: u64,
    taken: u64,
    /// The coordinator's store, once it is known.
    home: Option<Home>,
    /// That coordinator has all that the own store held in blocks up to this one…
    acknowledged: u64,
    /// …and lacks the blocks above, up to this one.
    backlog_end: u64,
    /// What the document says.
    noted: u64,
    /// Keys of contradictions: not to be told.
    disputed: BTreeSet<Box<[u8]>>,
    /// Blocks left that go in messages of their own, because a message of several was rejected.
    alone: usize,
}

struct Fresh {
    block: Vec<u8>,
    /// The own store's cursor after the records were put there.
    cursor: u64,
}

/// A message's worth of blocks.
#[derive(Debug)]
pub(crate) struct Parcel {
    pub(crate) blocks: Vec<Vec<u8>>,
    contents: Contents,
}

#[derive(Debug)]
enum Contents {
    /// The first of the new blocks, so many.
    Fresh(usize),
    /// The backlog up to that block.
    Backlog(u64),
}

impl Owed {
    /// What the own store, if there is one, may still owe.
    pub(crate) fn new(own: Option<OwnStore>) -> Result<Self, StoreError> {
        let mut disputed = BTreeSet::new();
        if let Some(own) = &own {
            for document in own.store.scan_documents(DISPUTED) {
                disputed.insert(document?.1.into());
            }
        }
        Ok(Self {
            own,
            fresh: VecDeque::new(),
            newest: 0,
            taken: 0,
            home: None,
            acknowledged: 0,
            backlog_end: 0,
            noted: 0,
            disputed,
            alone: 0,
        })
    }

    /// A number that stays the same when the worker starts again, if it has a store.
    pub(crate) fn identity(&self) -> Option<u64> {
        self.own.as_ref().map(|own| own.store.id())
    }

    /// Whether what is owed survives this process.
    pub(crate) fn is_durable(&self) -> bool {
        self.own.is_some()
    }

    /// Keeps what was proved with what was known in an epoch of a store, unless that is over. Returns
    /// the contradictions between it and what was proved here earlier; those records are not kept.
    pub(crate) fn keep(
        &mut self,
        home: Home,
        records: Vec<Record>,
    ) -> Result<Vec<Contradiction>, StoreError> {
        if self.home.is_some_and(|now| home.is_over(now)) {
            return Ok(Vec::new());
        }
        let (records, contradictions) = self.settled(records)?;
        if records.is_empty() {
            return Ok(contradictions);
        }
        if let Some(own) = &self.own {
            let had_all = self.acknowledged >= self.backlog_end;
            let sourced: Vec<Sourced<'_>> = records.iter().map(sourced).collect();
            // They have been merged with what is there.
            let merged = own.store.merge(&sourced, |_, _, settled| Some(settled))?;
            let cursor = merged.cursor;
            // Small blocks of the backlog may have become part of the new ones.
            if !had_all {
                self.backlog_end = cursor;
            }
        }
        let cursor = self.cursor();
        for chunk in records.chunks(block::RECORDS) {
            let block = encode(chunk).map_err(|reason| StoreError::CorruptBlock {
                number: cursor,
                reason,
            })?;
            self.newest += 1;
            self.fresh.push_back(Fresh { block, cursor });
        }
        Ok(contradictions)
    }

    /// Sorted records, each key once, with all that is known of it here.
    fn settled(
        &self,
        mut records: Vec<Record>,
    ) -> Result<(Vec<Record>, Vec<Contradiction>), StoreError> {
        records.retain(|record| {
            let fits = record.key.len() <= block::MAX_KEY;
            if !fits {
                let bytes = record.key.len();
                tracing::warn!(bytes, "a record with a key that long cannot be kept");
            }
            fits && !self.disputed.contains(&record.key)
        });
        records.sort();
        let mut settled: Vec<Record> = Vec::with_capacity(records.len());
        let mut contradictions = Vec::new();
        for record in records {
            let known = match (settled.last(), &self.own) {
                (Some(last), _) if last.key == record.key => settled.pop().map(|last| last.value),
                (_, Some(own)) => own.store.get(&record.key)?.map(|stored| stored.value),
                (_, None) => None,
            };
            let merged = match known {
                Some(known) => merge(&record.key, known, record.value),
                None => Ok(record.value),
            };
            match merged {
                Ok(value) => settled.push(Record { value, ..record }),
                Err(contradiction) => contradictions.push(contradiction),
            }
        }
        Ok((settled, contradictions))
    }

    /// The number of the newest block of new records.
    pub(crate) fn newest(&self) -> u64 {
        self.newest
    }

    /// The number of the last block of new records that the coordinator has.
    pub(crate) fn taken(&self) -> u64 {
        self.taken
    }

    /// Whether the coordinator has everything.
    pub(crate) fn is_settled(&self) -> bool {
        let has_stored = match self.home {
            Some(_) => self.acknowledged >= self.backlog_end,
            None => self.cursor() == 0,
        };
        self.fresh.is_empty() && has_stored
    }

    /// What to send next to the coordinator with that store, if anything.
    pub(crate) fn next(&mut self, home: Home) -> Result<Option<Parcel>, StoreError> {
        self.meet(home)?;
        let (blocks, contents) = if self.fresh.is_empty() {
            self.next_of_backlog()?
        } else {
            let blocks = self.fresh.iter().map(|fresh| Ok(fresh.block.clone()));
            let blocks = fitting(blocks, self.room(LARGEST_MESSAGE))?;
            let count = blocks.len();
            (blocks, Contents::Fresh(count))
        };
        Ok((!blocks.is_empty()).then_some(Parcel { blocks, contents }))
    }

    /// Finds out what a coordinator has. If it withdrew records since this worker was last with it,
    /// all that was proved here may rest on them, and is forgotten.
    pub(crate) fn meet(&mut self, home: Home) -> Result<(), StoreError> {
        if self.home == Some(home) {
            return Ok(());
        }
        self.note()?;
        if self
            .last_epoch(home.store)?
            .is_some_and(|last| last != home.epoch)
        {
            self.forget()?;
        }
        if let Some(own) = &self.own {
            let epoch = home.epoch.to_be_bytes();
            own.store.put_document(&epoch_of(home.store), &epoch)?;
        }
        let store = home.store;
        self.home = Some(home);
        self.backlog_end = self.cursor();
        let noted = match &self.own {
            Some(own) => own.store.get_document(&acknowledged_by(store))?,
            None => None,
        };
        let noted = noted.and_then(|bytes| Some(u64::from_be_bytes(bytes.try_into().ok()?)));
        // A cursor that is not in the store tells nothing.
        let noted = noted.filter(|&noted| noted <= self.backlog_end);
        self.noted = noted.unwrap_or(0);
        self.acknowledged = self.noted;
        if let Some(own) = &self.own
            && self.acknowledged < self.backlog_end
        {
            let dir = own.dir.display();
            tracing::info!(%dir, "the coordinator is owed records that were proved earlier");
        }
        Ok(())
    }

    /// In which epoch of a store this worker was last, if it ever was.
    fn last_epoch(&self, store: u64) -> Result<Option<u64>, StoreError> {
        let here = self.home.filter(|home| home.store == store);
        let Some(own) = self.own.as_ref().filter(|_| here.is_none()) else {
            return Ok(here.map(|home| home.epoch));
        };
        let noted = own.store.get_document(&epoch_of(store))?;
        let noted = noted.and_then(|bytes| Some(u64::from_be_bytes(bytes.try_into().ok()?)));
        // Earlier versions noted no epoch; there was but the first.
        let was_here = own.store.get_document(&acknowledged_by(store))?.is_some();
        Ok(noted.or(was_here.then_some(0)))
    }

    /// Forgets all that was proved here.
    fn forget(&mut self) -> Result<(), StoreError> {
        tracing::warn!("the coordinator withdrew records: what was proved with them is forgotten");
        if let Some(own) = &self.own {
            for prefix in [ACKNOWLEDGED, DISPUTED] {
                for document in own.store.scan_documents(prefix) {
                    own.store.remove_document(&document?.0)?;
                }
            }
            own.store.withdraw_after(0)?;
        }
        self.fresh.clear();
        self.disputed.clear();
        // Whoever waits for it to be taken need not wait.
        self.taken = self.newest;
        self.alone = 0;
        Ok(())
    }

    fn next_of_backlog(&mut self) -> Result<(Vec<Vec<u8>>, Contents), StoreError> {
        if let Some(own) = &self.own
            && self.acknowledged < self.backlog_end
        {
            let mut last = self.acknowledged;
            let blocks = own.store.blocks_after(self.acknowledged).map(|numbered| {
                let (number, block) = numbered?;
                last = number;
                Ok(block)
            });
            let mut blocks = fitting(blocks, self.room(LARGEST_OF_BACKLOG))?;
            if blocks.is_empty() {
                // They are part of newer blocks, which were sent as they came.
                self.acknowledged = self.backlog_end;
            }
            if !self.disputed.is_empty() {
                for block in &mut blocks {
                    *block = self.undisputed(block, last)?;
                }
            }
            return Ok((blocks, Contents::Backlog(last)));
        }
        Ok((Vec::new(), Contents::Backlog(self.acknowledged)))
    }

    fn room(&self, largest: usize) -> usize {
        if self.alone > 0 { 0 } else { largest }
    }

    /// The coordinator has what a parcel contains.
    pub(crate) fn settle(&mut self, parcel: &Parcel) {
        self.alone = self.alone.saturating_sub(parcel.blocks.len());
        match parcel.contents {
            Contents::Fresh(count) => {
                let mut sent = self.fresh.drain(..count.min(self.fresh.len()));
                let cursor = sent.next_back().map_or(0, |fresh| fresh.cursor);
                self.taken += count as u64;
                // While there is a backlog, what lies below is not all there.
                if self.acknowledged >= self.backlog_end {
                    self.acknowledged = self.acknowledged.max(cursor);
                    self.backlog_end = self.acknowledged;
                }
            }
            Contents::Backlog(last) => self.acknowledged = self.acknowledged.max(last),
        }
    }

    /// The coordinator rejects what a parcel contains. Of several blocks each gets another chance
    /// on its own; a single one is passed over, and stays in the own store.
    pub(crate) fn reject(&mut self, parcel: &Parcel, reason: &str) {
        if parcel.blocks.len() > 1 {
            self.alone = parcel.blocks.len();
        } else {
            tracing::error!(reason, "the coordinator rejects a block of records");
            self.settle(parcel);
        }
    }

    /// Remembers beyond this process what the coordinator has.
    pub(crate) fn note(&mut self) -> Result<(), StoreError> {
        if let (Some(own), Some(Home { store, .. })) = (&self.own, self.home)
            && self.acknowledged != self.noted
        {
            let cursor = self.acknowledged.to_be_bytes();
            own.store.put_document(&acknowledged_by(store), &cursor)?;
            self.noted = self.acknowledged;
        }
        Ok(())
    }

    /// A key of a contradiction is not told any more.
    pub(crate) fn dispute(&mut self, key: &[u8]) -> Result<(), StoreError> {
        self.disputed.insert(key.into());
        for number in 0..self.fresh.len() {
            let Fresh { block, cursor } = &self.fresh[number];
            self.fresh[number].block = self.undisputed(block, *cursor)?;
        }
        if let Some(own) = &self.own {
            let name: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
            own.store.put_document(&format!("{DISPUTED}{name}"), key)?;
        }
        Ok(())
    }

    /// A block, known by a number, without disputed keys.
    fn undisputed(&self, bytes: &[u8], number: u64) -> Result<Vec<u8>, StoreError> {
        let corrupt = |reason| StoreError::CorruptBlock { number, reason };
        let mut records = block::decode(bytes).map_err(corrupt)?;
        records.retain(|kept| !self.disputed.contains(&kept.record.key));
        let records = records.iter().map(SourcedRecord::borrow);
        block::encode(records).map_err(corrupt)
    }

    fn cursor(&self) -> u64 {
        self.own.as_ref().map_or(0, |own| own.store.cursor())
    }
}

fn acknowledged_by(store: u64) -> String {
    format!("{ACKNOWLEDGED}{store:016x}")
}

fn epoch_of(store: u64) -> String {
    format!("{EPOCH}{store:016x}")
}

fn encode(records: &[Record]) -> Result<Vec<u8>, BlockError> {
    block::encode(records.iter().map(sourced))
}

fn sourced(record: &Record) -> Sourced<'_> {
    Sourced {
        key: &record.key,
        value: record.value,
        source: OWN,
    }
}

/// The first blocks, at least one, until they fill a message.
fn fitting(
    blocks: impl Iterator<Item = Result<Vec<u8>, StoreError>>,
    largest: usize,
) -> Result<Vec<Vec<u8>>, StoreError> {
    let mut taken = Vec::new();
    let mut bytes = 0;
    for block in blocks {
        let block = block?;
        bytes += block.len();
        taken.push(block);
        if bytes >= largest {
            break;
        }
    }
    Ok(taken)
}
