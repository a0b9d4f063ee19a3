//! The newest blocks of the feed, for children.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::client::StoreEpoch;

/// The maximum size of all kept blocks, in bytes.
const MOST_BYTES: usize = 32 << 20;

/// A block that passed the check, and its cursor.
pub(crate) type Passed = (u64, Arc<[u8]>);

/// The newest blocks of a store in one epoch. A child that needs older ones gets them from the
/// coordinator.
#[derive(Default)]
pub(crate) struct Window {
    state: Mutex<State>,
    /// Changes with each block, and with the store or epoch.
    changes: watch::Sender<()>,
}

#[derive(Default)]
struct State {
    at: Option<StoreEpoch>,
    blocks: VecDeque<Passed>,
    bytes: usize,
}

impl Window {
    /// Only blocks of that store and epoch are kept from now on.
    pub(crate) fn begin(&self, at: StoreEpoch) {
        let mut state = self.state();
        if state.at != Some(at) {
            *state = State {
                at: Some(at),
                ..State::default()
            };
            drop(state);
            self.changes.send_replace(());
        }
    }

    /// Keeps a block, unless it is of another epoch or not newer than all others.
    pub(crate) fn push(&self, at: StoreEpoch, cursor: u64, block: Arc<[u8]>) {
        let mut state = self.state();
        let is_newest = state
            .blocks
            .back()
            .is_none_or(|(newest, _)| *newest < cursor);
        if state.at != Some(at) || !is_newest {
            return;
        }
        state.bytes += block.len();
        state.blocks.push_back((cursor, block));
        while state.bytes > MOST_BYTES
            && let Some((_, oldest)) = state.blocks.pop_front()
        {
            state.bytes -= oldest.len();
        }
        drop(state);
        self.changes.send_replace(());
    }

    /// The first blocks above a cursor, at most `most`. `None` in another store or epoch.
    pub(crate) fn above(&self, at: StoreEpoch, cursor: u64, most: usize) -> Option<Vec<Passed>> {
        let state = self.state();
        let first = state.blocks.partition_point(|(of, _)| *of <= cursor);
        let above = state.blocks.range(first..).take(most);
        (state.at == Some(at)).then(|| above.cloned().collect())
    }

    /// Tells of changes.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use sproutnet_notation::Epoch;

    use super::*;

    fn at(epoch: u64) -> StoreEpoch {
        let epoch = Epoch(epoch);
        StoreEpoch { store: 7, epoch }
    }

    #[test]
    fn it_keeps_the_newest_blocks_of_one_epoch() {
        let window = Window::default();
        let block: Arc<[u8]> = vec![1; MOST_BYTES / 4].into();
        window.push(at(0), 1, Arc::clone(&block));
        assert!(window.above(at(0), 0, 9).is_none(), "it did not begin");
        window.begin(at(0));
        for cursor in [1, 2, 5, 3, 6, 7, 8] {
            window.push(at(0), cursor, Arc::clone(&block));
        }
        let cursors = |after, most| -> Vec<u64> {
            let blocks = window.above(at(0), after, most).expect("this epoch");
            blocks.into_iter().map(|(cursor, _)| cursor).collect()
        };
        assert_eq!(cursors(0, 9), [5, 6, 7, 8], "3 came after 5");
        assert_eq!(cursors(5, 2), [6, 7]);
        window.begin(at(0));
        assert_eq!(cursors(7, 9), [8]);
        window.begin(at(1));
        assert!(window.above(at(0), 0, 9).is_none());
        assert!(window.above(at(1), 0, 9).expect("empty").is_empty());
    }
}
