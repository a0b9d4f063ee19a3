//! The newest blocks, kept in memory for readers that keep up: a fleet asks for each block many
//! times, soon after it was written.

use std::{collections::VecDeque, sync::Arc};

/// So many bytes of blocks are kept at most.
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
    /// No blocks; those that follow have numbers above the cursor.
    pub(super) fn new(cursor: u64) -> Self {
        Self {
            blocks: VecDeque::new(),
            after: cursor,
            bytes: 0,
        }
    }

    /// Drops the newest blocks, from that number on.
    pub(super) fn truncate(&mut self, number: u64) {
        while let Some((_, block)) = self.blocks.pop_back_if(|(newest, _)| *newest >= number) {
            self.bytes -= block.len();
        }
    }

    /// Adds a block, newer than all.
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

    /// The first blocks above a cursor, at most so many. `None` if one of them may not be here.
    pub(super) fn above(&self, cursor: u64, most: usize) -> Option<Vec<NumberedBlock>> {
        let first = self.blocks.partition_point(|(number, _)| *number <= cursor);
        let above = self.blocks.range(first..).take(most);
        (cursor >= self.after).then(|| above.cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(recent: &Recent, cursor: u64) -> Option<Vec<u64>> {
        let above = recent.above(cursor, 3)?;
        Some(above.into_iter().map(|(number, _)| number).collect())
    }

    #[test]
    fn only_readers_that_keep_up_find_their_blocks() {
        let mut recent = Recent::new(4);
        assert_eq!(numbers(&recent, 3), None);
        assert_eq!(numbers(&recent, 4), Some(vec![]));
        let block = vec![0; MOST_BYTES / 4];
        for number in 5..=8 {
            recent.push(number, &block);
        }
        assert_eq!(numbers(&recent, 4), Some(vec![5, 6, 7]));
        recent.push(9, &block);
        assert_eq!(numbers(&recent, 4), None);
        assert_eq!(numbers(&recent, 5), Some(vec![6, 7, 8]));
        assert_eq!(numbers(&recent, 8), Some(vec![9]));
    }

    #[test]
    fn blocks_that_were_replaced_are_not_shown() {
        let mut recent = Recent::new(0);
        for number in 1..=3 {
            recent.push(number, b"small");
        }
        recent.truncate(2);
        recent.push(4, b"of both");
        assert_eq!(numbers(&recent, 0), Some(vec![1, 4]));
        assert_eq!(numbers(&recent, 2), Some(vec![4]));
        assert_eq!(recent.bytes, "small".len() + "of both".len());
    }
}
