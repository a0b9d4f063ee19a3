//! Puts the feed together from what the coordinator announces and what others send.
//!
//! The coordinator is believed, a parent is not: its blocks count only if they fit the coordinator's
//! digests. What does not come in time is to be fetched from the coordinator. Makes no calls; the time is
//! handed in.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use super::patience::Patience;
use crate::client::{Digest, FeedPart};

/// Parts that wait for a block, at most.
const MOST_EXPECTED: usize = 1024;

/// Blocks are fetched that many at a time.
const AT_A_TIME: usize = 64;

/// The size of all blocks that came before their digests, in bytes, at most. Others are dropped, and
/// fetched if they are needed.
const MOST_EARLY: usize = 16 << 20;

/// Blocks that were fetched and may still come, at most.
const MOST_FETCHED: usize = 256;

/// A parent of which so many blocks in a row were late, over such a time, is too slow.
const LATE_BLOCKS: usize = 3;
const LATE_TIME: Duration = Duration::from_secs(1);

/// A block that is not the one that the coordinator announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("block {0} does not fit its digest, or is out of order")]
pub(super) struct Wrong(pub(super) u64);

/// The next part of the feed: a block or none, and what comes with it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) block: Vec<u8>,
    pub(super) cursor: u64,
    pub(super) caught_up: bool,
}

#[derive(Debug)]
struct Expected {
    cursor: u64,
    caught_up: bool,
    /// When it was announced.
    since: Instant,
    block: Block,
}

#[derive(Debug)]
enum Block {
    Here(Vec<u8>),
    Awaited(Digest),
}

/// The parts of the feed that are not complete yet.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    expected: VecDeque<Expected>,
    /// Blocks that came before their digests.
    early: BTreeMap<u64, Vec<u8>>,
    early_bytes: usize,
    /// Blocks that were not waited for any longer, and when they were announced.
    fetched: VecDeque<(u64, Instant)>,
    /// The last cursor that the parent sent. It sends them in order.
    from_parent: u64,
    /// `None` without a parent.
    patience: Option<Patience>,
    /// How many blocks in a row were late or passed over, and since when.
    late: usize,
    late_since: Option<Instant>,
}

impl Assembly {
    /// Another parent sends blocks from now on, with so many relays on the way; or none.
    pub(super) fn set_parent(&mut self, depth: Option<u32>) {
        self.patience = depth.map(Patience::new);
        self.from_parent = 0;
        self.early.clear();
        self.early_bytes = 0;
        self.late = 0;
        self.late_since = None;
    }

    /// The same parent, with so many relays on the way.
    pub(super) fn set_depth(&mut self, depth: u32) {
        if let Some(patience) = &mut self.patience {
            patience.set_depth(depth);
        }
    }

    /// Whether more parts may be announced.
    pub(super) fn has_room(&self) -> bool {
        self.expected.len() < MOST_EXPECTED
    }

    /// The coordinator announces a part.
    ///
    /// # Errors
    /// The parent has sent another block. The right one is to be fetched.
    pub(super) fn announce(&mut self, part: FeedPart, now: Instant) -> Result<(), Wrong> {
        let FeedPart {
            cursor,
            caught_up,
            digest,
            ..
        } = part;
        let mut checked = Ok(());
        let block = match digest {
            None => Block::Here(part.block),
            Some(digest) => {
                // Others before it were never announced.
                let mut rest = self.early.split_off(&cursor);
                let early = rest.remove(&cursor);
                self.early = rest;
                self.early_bytes = self.early.values().map(Vec::len).sum();
                match early {
                    Some(block) if fits(&block, &digest) => {
                        self.in_time(Duration::ZERO);
                        Block::Here(block)
                    }
                    Some(_) => {
                        checked = Err(Wrong(cursor));
                        Block::Awaited(digest)
                    }
                    None => Block::Awaited(digest),
                }
            }
        };
        self.expected.push_back(Expected {
            cursor,
            caught_up,
            since: now,
            block,
        });
        checked
    }

    /// The parent sends a block.
    ///
    /// # Errors
    /// It is not the one that was announced, or out of order.
    pub(super) fn arrive(
        &mut self,
        cursor: u64,
        block: Vec<u8>,
        now: Instant,
    ) -> Result<(), Wrong> {
        if cursor <= self.from_parent {
            return Err(Wrong(cursor));
        }
        self.from_parent = cursor;
        if let Some(late) = self.fetched.iter().position(|(of, _)| *of == cursor)
            && let Some((_, since)) = self.fetched.remove(late)
        {
            let late = now.saturating_duration_since(since);
            if let Some(patience) = &mut self.patience {
                patience.measure(late);
            }
        }
        if self.expected.back().is_none_or(|last| last.cursor < cursor) {
            if self.early_bytes + block.len() <= MOST_EARLY {
                self.early_bytes += block.len();
                let replaced = self.early.insert(cursor, block);
                self.early_bytes -= replaced.map_or(0, |block| block.len());
            }
            return Ok(());
        }
        let Some(place) = self.awaited(cursor) else {
            return Ok(());
        };
        let expected = &mut self.expected[place];
        let Block::Awaited(digest) = &expected.block else {
            return Ok(());
        };
        if !fits(&block, digest) {
            return Err(Wrong(cursor));
        }
        let late = now.saturating_duration_since(expected.since);
        expected.block = Block::Here(block);
        self.in_time(late);
        Ok(())
    }

    /// The coordinator sends a block that was fetched. No bytes: it is part of a later one.
    ///
    /// # Errors
    /// It is not the one that was announced.
    pub(super) fn take(&mut self, cursor: u64, block: Vec<u8>) -> Result<(), Wrong> {
        let Some(place) = self.awaited(cursor) else {
            return Ok(());
        };
        let expected = &mut self.expected[place];
        if let Block::Awaited(digest) = &expected.block
            && !block.is_empty()
            && !fits(&block, digest)
        {
            return Err(Wrong(cursor));
        }
        expected.block = Block::Here(block);
        Ok(())
    }

    /// The next part, if it is complete.
    pub(super) fn next(&mut self) -> Option<Part> {
        let is_here = |first: &mut Expected| matches!(first.block, Block::Here(_));
        let first = self.expected.pop_front_if(is_here)?;
        let Expected {
            cursor,
            caught_up,
            block: Block::Here(block),
            ..
        } = first
        else {
            return None;
        };
        Some(Part {
            block,
            cursor,
            caught_up,
        })
    }

    /// When something has to be fetched, unless it comes before.
    pub(super) fn due(&self) -> Option<Instant> {
        self.expected.iter().find_map(|part| self.due_of(part))
    }

    /// When a part is to be fetched. `None` if it is here.
    fn due_of(&self, part: &Expected) -> Option<Instant> {
        match (&part.block, &self.patience) {
            (Block::Here(_), _) => None,
            (Block::Awaited(_), Some(patience)) if part.cursor > self.from_parent => {
                Some(part.since + patience.time())
            }
            // Nobody sends it, or the parent has passed it over.
            (Block::Awaited(_), _) => Some(part.since),
        }
    }

    /// The cursors of blocks that have to be fetched now: if the first is due, all that are.
    pub(super) fn wanted(&mut self, now: Instant) -> Vec<u64> {
        if self.due().is_none_or(|due| due > now) {
            return Vec::new();
        }
        let due = |part: &&Expected| self.due_of(part).is_some_and(|due| due <= now);
        let parts = self.expected.iter().filter(due).take(AT_A_TIME);
        let parts: Vec<(u64, Instant)> = parts.map(|part| (part.cursor, part.since)).collect();
        if self.patience.is_some() {
            self.late += parts.len();
            self.late_since.get_or_insert(now);
            let may_come = parts.iter().filter(|(of, _)| *of > self.from_parent);
            self.fetched.extend(may_come);
            let too_many = self.fetched.len().saturating_sub(MOST_FETCHED);
            self.fetched.drain(..too_many);
        }
        parts.into_iter().map(|(cursor, _)| cursor).collect()
    }

    /// Whether the parent is too slow to be of use.
    pub(super) fn is_parent_late(&self, now: Instant) -> bool {
        let is_long = |since| now.saturating_duration_since(since) >= LATE_TIME;
        self.late >= LATE_BLOCKS && self.late_since.is_some_and(is_long)
    }

    /// A block came in time.
    fn in_time(&mut self, late: Duration) {
        if let Some(patience) = &mut self.patience {
            patience.measure(late);
        }
        self.late = 0;
        self.late_since = None;
    }

    /// The place of the part that awaits the block with that cursor.
    fn awaited(&self, cursor: u64) -> Option<usize> {
        let first = self.expected.partition_point(|part| part.cursor < cursor);
        let same = self
            .expected
            .range(first..)
            .take_while(|part| part.cursor == cursor);
        let mut same = same.zip(first..);
        let (_, place) = same.find(|(part, _)| matches!(part.block, Block::Awaited(_)))?;
        Some(place)
    }
}

fn fits(block: &[u8], digest: &Digest) -> bool {
    block.len() == digest.length && Sha256::digest(block)[..] == digest.sha256
}

#[cfg(test)]
#[path = "assembly_tests.rs"]
mod tests;
