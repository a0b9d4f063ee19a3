//! Timelines: how a reader that knows a state of a store notices that the store lost it.
//!
//! An older copy of a store's folder, put back in its place, has the same id and epoch, and gives the numbers of the lost
//! blocks to other blocks. So each time that a store is opened, its first new blocks begin a *timeline* with a random id,
//! as in the log of PostgreSQL. A state that a reader knows is a [`Mark`]: a cursor, and the timeline in which the store
//! had it. A store whose [`History`] has the mark went on from that state.

use super::{Store, StoreError, unpoisoned};
use std::collections::VecDeque;

/// The entry of `meta` with the timelines: an id and a number of a block for each.
pub(super) const TIMELINES_KEY: &str = "timelines";

/// The number of timelines that are kept. A reader that knows an older one takes the store for rolled back. It then
/// only does work again, or asks for a new folder.
const KEPT: usize = 64;

/// A part of the life of a store, which begins with the first blocks after an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// A random number, not 0.
    pub id: u64,
    /// The blocks of this timeline and of later ones have higher numbers.
    pub after: u64,
}

/// A state of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The id of the timeline that the newest block belongs to.
    pub timeline: u64,
    /// The number of the newest block.
    pub cursor: u64,
}

/// The states that a store had.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The newest timelines, in ascending order.
    pub timelines: Vec<Timeline>,
    /// The [cursor](Store::cursor) of the store, or an earlier one.
    pub cursor: u64,
}

impl History {
    /// Whether the store had this state, and lost nothing of it since.
    pub fn has(&self, mark: Mark) -> bool {
        let ends = self.timelines.iter().skip(1).map(|next| next.after);
        let mut all = self.timelines.iter().zip(ends.chain([self.cursor]));
        all.any(|(timeline, end)| timeline.id == mark.timeline && mark.cursor <= end)
    }
}

/// The newest timelines of a store.
#[derive(Debug, Default)]
pub(super) struct Timelines(VecDeque<Timeline>);

impl Timelines {
    pub(super) fn read(meta: &sled::Tree) -> Result<Self, StoreError> {
        let bytes = meta.get(TIMELINES_KEY)?.unwrap_or_default();
        let (numbers, odd) = bytes.as_chunks::<8>();
        let (pairs, single) = numbers.as_chunks::<2>();
        if !odd.is_empty() || !single.is_empty() {
            let problem = format!("its entry `{TIMELINES_KEY}` is malformed");
            return Err(StoreError::Corrupt(problem));
        }
        let timeline = |&[id, after]: &[_; 2]| Timeline {
            id: u64::from_be_bytes(id),
            after: u64::from_be_bytes(after),
        };
        Ok(Self(pairs.iter().map(timeline).collect()))
    }

    fn bytes(&self) -> Vec<u8> {
        let each = |timeline: &Timeline| [timeline.id.to_be_bytes(), timeline.after.to_be_bytes()];
        self.0.iter().flat_map(each).flatten().collect()
    }

    /// The timeline that the block of this number belongs to.
    fn of(&self, number: u64) -> Option<u64> {
        let mut newest_first = self.0.iter().rev();
        newest_first
            .find(|timeline| timeline.after < number)
            .map(|timeline| timeline.id)
    }
}

impl Store {
    /// The states that the store had since timelines are kept. Blocks that become visible during the call may be missing.
    pub fn history(&self) -> History {
        // Read first: the last timeline may then begin later, but never earlier.
        let cursor = self.cursor();
        let timelines = unpoisoned(self.inner.timelines.lock());
        History {
            timelines: timelines.0.iter().copied().collect(),
            cursor,
        }
    }

    /// The state with this cursor, which the store has or had. `None` if its timeline is not known: the blocks are older
    /// than timelines, or than those that are kept.
    pub fn mark(&self, cursor: u64) -> Option<Mark> {
        let timeline = unpoisoned(self.inner.timelines.lock()).of(cursor)?;
        Some(Mark { timeline, cursor })
    }

    /// Begins a timeline with blocks of higher numbers than `after`. Part of the write of these blocks. Its id, which is
    /// never zero, comes from a random number.
    pub(super) fn begin_timeline(&self, random: u64, after: u64) -> Result<(), StoreError> {
        let mut timelines = unpoisoned(self.inner.timelines.lock());
        let id = random.max(1);
        timelines.0.push_back(Timeline { id, after });
        while timelines.0.len() > KEPT {
            timelines.0.pop_front();
        }
        self.inner
            .db
            .meta
            .insert(TIMELINES_KEY, timelines.bytes())?;
        Ok(())
    }
}
