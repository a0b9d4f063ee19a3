//! Reading many records: the feed of blocks after a cursor, and walks over all keys.

use super::{
    NumberedBlock, SourcedRecord, Store, StoreError, block, corrupt, index::Repeated, numbered,
    open::panic_text, turns::Walking,
};
use sled::IVec;
use sproutnet_notation::Epoch;
use sproutnet_record::{Kind, RecordRules};
use std::{
    collections::{HashMap, HashSet},
    ops::{Bound, ControlFlow},
    panic::{AssertUnwindSafe, catch_unwind},
};

/// The number of records between reports of progress.
const OFTEN: u64 = 1 << 14;

/// The progress of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The kind of work.
    pub what: &'static str,
    /// The finished part, in the unit of `of`.
    pub done: u64,
    /// The total amount of work.
    pub of: u64,
}

/// A function that is called at each step. A break stops the work with [`StoreError::Stopped`].
pub type Watch<'a> = &'a mut dyn FnMut(Step) -> ControlFlow<()>;

/// Reports a step.
pub(super) fn proceed(
    watch: Watch<'_>,
    what: &'static str,
    done: u64,
    of: u64,
) -> Result<(), StoreError> {
    match watch(Step { what, done, of }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(StoreError::Stopped),
    }
}

/// Passes the number and the bytes of each block to `each`, even in a damaged database. An unreadable block is an error
/// with a possible number of it, up to `last`.
pub(super) fn each_block(
    blocks: &sled::Tree,
    last: u64,
    what: &'static str,
    watch: Watch<'_>,
    mut each: impl FnMut(u64, Result<IVec, String>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut next = 0u64;
    let mut entries = blocks.range(next.to_be_bytes()..);
    loop {
        proceed(watch, what, next.min(last), last)?;
        let problem = match catch_unwind(AssertUnwindSafe(|| entries.next())) {
            Ok(None) => return Ok(()),
            Ok(Some(Ok(entry))) => {
                let (number, bytes) = numbered(Ok(entry))?;
                each(number, Ok(bytes))?;
                next = number.saturating_add(1);
                continue;
            }
            Ok(Some(Err(error))) => error.to_string(),
            Err(panic) => panic_text(&*panic),
        };
        each(next, Err(problem))?;
        next += 1;
        if next > last {
            return Ok(());
        }
        entries = blocks.range(next.to_be_bytes()..);
    }
}

/// A block and its records that no newer block supersedes.
pub(super) struct Walked {
    pub(super) number: u64,
    pub(super) bytes: IVec,
    pub(super) records: Vec<SourcedRecord>,
    /// Whether these are all records of the block.
    pub(super) is_whole: bool,
}

impl Store {
    /// The feed: numbers and bytes of the [blocks](super::block) above `cursor`, in ascending order.
    /// Zero is before the first block. The checksum and sources of each block have been checked.
    ///
    /// Shows only durable blocks, up to the [cursor](Store::cursor) at the time of the call. Records
    /// repeat when small blocks are merged, and a key repeats when its value changes. The value in the
    /// highest block is the newest. A cursor is only valid for one store [id](Store::id).
    pub fn blocks_after(
        &self,
        cursor: u64,
    ) -> impl Iterator<Item = Result<(u64, Vec<u8>), StoreError>> + Send + use<> {
        let end = self.cursor();
        let entries = (cursor < end).then(|| {
            self.inner.db.blocks.range((
                Bound::Excluded(cursor.to_be_bytes()),
                Bound::Included(end.to_be_bytes()),
            ))
        });
        entries.into_iter().flatten().map(|entry| {
            let (number, bytes) = numbered(entry)?;
            block::Reader::new(&bytes).map_err(corrupt(number))?;
            Ok((number, bytes.to_vec()))
        })
    }

    /// The first blocks of [`blocks_after`](Store::blocks_after), at most `most`, if the newest blocks
    /// kept in memory include them all; otherwise `None`. Does not block for long.
    pub fn newest_after(&self, cursor: u64, most: usize) -> Option<Vec<NumberedBlock>> {
        self.recent().above(cursor, most)
    }

    /// Every key of the store exactly once, unordered. Keys first merged after the call are not shown.
    /// A record that changes after the call may be the old or the new one. If blocks turn out to be missing,
    /// the last item is an error.
    pub fn iter(&self) -> impl Iterator<Item = Result<SourcedRecord, StoreError>> + Send + use<> {
        self.walk().flat_map(|walked| {
            let (records, error) = match walked {
                Ok(Walked { records, .. }) => (records, None),
                Err(error) => (Vec::new(), Some(Err(error))),
            };
            records.into_iter().map(Ok).chain(error)
        })
    }

    /// All blocks in ascending order, with the keys that [`iter`](Store::iter) shows.
    pub(super) fn walk(&self) -> impl Iterator<Item = Result<Walked, StoreError>> + Send + use<> {
        let turn = self.inner.shedding.walk();
        let content = self.content();
        let (end, epoch) = (content.extent.cursor, self.epoch());
        let (superseded, entries) = (content.superseded(), content.index.snapshot());
        let expected = content.extent.blocks;
        let is_small = |bytes: &IVec| matches!(block::room(bytes), Ok(Some(_)));
        // Merges remove only small blocks at the end, so these are read now.
        let settled = content.index.settled().saturating_add(1);
        let tail = settled.to_be_bytes()..=end.to_be_bytes();
        let tail = self.inner.db.blocks.range(tail).rev();
        let small = tail.map_while(|entry| numbered(entry).ok().filter(|(_, b)| is_small(b)));
        let mut small: Vec<_> = small.collect();
        drop(content);
        small.reverse();
        let rest_end = small.first().map_or(end, |(number, _)| number - 1);
        let rest = self.inner.db.blocks.range(..=rest_end.to_be_bytes());
        let mut walk = Walk {
            store: self.clone(),
            end,
            epoch,
            repeated: None,
            moved: HashSet::new(),
            expected,
            _turn: turn,
        };
        let blocks = rest.map(numbered).chain(small.into_iter().map(Ok));
        let blocks = blocks.map(Some).chain([None]);
        let mut entries = Some(entries);
        blocks.filter_map(move |block| {
            if let Some(entries) = entries.take() {
                match entries.repeated(superseded) {
                    Ok(repeated) => walk.repeated = Some(repeated),
                    Err(error) => return Some(Err(error.into())),
                }
            }
            match block {
                Some(block) => Some(block.and_then(|block| walk.read(block))),
                None => walk.end().map(Err),
            }
        })
    }

    /// Passes every record to `each`, with its game and convention if known. An error of `each` ends it.
    pub(super) fn visit(
        &self,
        rules: &dyn RecordRules,
        what: &'static str,
        watch: Watch<'_>,
        mut each: impl FnMut(Option<Kind>, SourcedRecord) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut kinds = HashMap::new();
        let of = self.len() as u64;
        for (done, record) in (0..).zip(self.iter()) {
            if done % OFTEN == 0 {
                proceed(watch, what, done, of)?;
            }
            let record = record?;
            let key = &record.record.key;
            let prefix = [key.first().copied(), key.get(1).copied()];
            let kind = *kinds.entry(prefix).or_insert_with(|| rules.kind(key));
            each(kind, record)?;
        }
        Ok(())
    }
}

/// Selects one record of each key during concurrent merges.
struct Walk {
    store: Store,
    /// The cursor and the epoch when the walk began.
    end: u64,
    epoch: Epoch,
    /// The keys that several blocks held at the start, and a few others.
    repeated: Option<Repeated>,
    /// Shown keys that moved beyond `end` during the walk.
    moved: HashSet<Box<[u8]>>,
    /// The number of blocks still to be read.
    expected: u64,
    _turn: Walking,
}

impl Walk {
    fn read(&mut self, (number, bytes): (u64, IVec)) -> Result<Walked, StoreError> {
        self.expected = self.expected.saturating_sub(1);
        let all = block::decode(&bytes).map_err(corrupt(number))?;
        let count = all.len();
        let mut records = Vec::with_capacity(count);
        for mut record in all {
            if self.is_shown(number, &mut record)? {
                records.push(record);
            }
        }
        Ok(Walked {
            is_whole: records.len() == count,
            number,
            bytes,
            records,
        })
    }

    /// Whether this record of block `number` is shown. Updates it to the newest record of its key.
    fn is_shown(&mut self, number: u64, record: &mut SourcedRecord) -> Result<bool, StoreError> {
        let key = &record.record.key;
        let is_revoked = || self.store.epoch() != self.epoch;
        if self
            .repeated
            .as_ref()
            .is_some_and(|keys| !keys.may_have(key))
            && !is_revoked()
        {
            return Ok(true);
        }
        let content = self.store.content();
        let Some((newest, stored)) = self.store.locate(&content, key)? else {
            return Ok(false);
        };
        // Several older copies of a moved key may lie ahead.
        if newest <= self.end || !self.moved.insert(key.clone()) {
            return Ok(newest == number);
        }
        record.record.value = stored.value;
        record.record.worth = stored.worth;
        record.source = stored.source;
        Ok(true)
    }

    /// The error, if any, once all blocks have been read.
    fn end(&self) -> Option<StoreError> {
        let Self { expected, .. } = self;
        // With the lock of the writer, no revocation is under way.
        let _writer = self.store.writer();
        let is_short = *expected > 0 && self.store.epoch() == self.epoch;
        is_short.then(|| StoreError::Corrupt(format!("{expected} of its blocks are missing")))
    }
}
