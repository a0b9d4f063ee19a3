//! The newest blocks, kept in memory. A fleet requests each new block many times within a short time.

use std::{collections::VecDeque, sync::Arc};

/// The maximum size of all kept blocks, in bytes.
const MOST_BYTES: usize = 4 << 20;

/// A block and its sequence number.
pub type NumberedBlock = (u64, Arc<[u8]>);

/// The newest blocks of a store, without gaps.
pub(super) struct Recent {
    /// All blocks above `after`, in ascending order.
    blocks: VecDeque<NumberedBlock>,
    after: u64,
    bytes: usize,
}

impl Recent {
    /// No blocks yet. Later ones have numbers above the cursor.
    pub(super) fn new(cursor: u64) -> Self {
        Self {
            blocks: VecDeque::new(),
            after: cursor,
            bytes: 0,
        }
    }

    /// Drops the blocks from `number` on.
    pub(super) fn truncate(&mut self, number: u64) {
        while let Some((_, block)) = self.blocks.pop_back_if(|(newest, _)| *newest >= number) {
            self.bytes -= block.len();
        }
    }

    /// Adds a block that is newer than all others.
    pub(super) fn push(&mut self, number: u64, block: &[u8]) {
        self.bytes += block.len();
        self.blocks.push_back((number, block.into()));
        while self.bytes > MOST_BYTES
            && let Some((number, block)) = self.blocks.pop_front()
        {
            self.bytes -= block.len();
            self.after = number;
        }
    }

    /// The first blocks above a cursor, at most `most`. `None` if some of them may not be kept here.
    pub(super) fn above(&self, cursor: u64, most: usize) -> Option<Vec<NumberedBlock>> {
        let first = self.blocks.partition_point(|(number, _)| *number <= cursor);
        let above = self.blocks.range(first..).take(most);
        (cursor >= self.after).then(|| above.cloned().collect())
    }
}

#[cfg(test)]
mod tests;
