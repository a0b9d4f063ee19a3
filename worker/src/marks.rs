//! The newest state that this worker knows of each coordinator's store. A store that never had that state was rolled
//! back: an older copy is in its place, and facts from before are not all in it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sproutnet_notation::Epoch;
use sproutnet_store::{History, Mark};

use crate::client::StoreEpoch;

/// The newest known state of each coordinator's store, by the store's id. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Marks(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    marks: BTreeMap<u64, (Epoch, Mark)>,
    /// Stores that were rolled back, until that is [taken](Marks::take_rolled_back).
    rolled_back: BTreeSet<u64>,
    /// The number of rollbacks that were noticed.
    rollbacks: u32,
}

impl Marks {
    pub(crate) fn new(marks: BTreeMap<u64, (Epoch, Mark)>) -> Self {
        Self(Arc::new(Mutex::new(Known {
            marks,
            ..Known::default()
        })))
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compares the states that a store had with the known one. Coordinators of earlier versions do not tell them.
    pub(crate) fn compare(
        &self,
        store: u64,
        epoch: Epoch,
        history: Option<&History>,
    ) -> StoreEpoch {
        let mut known = self.known();
        if let Some(&(before, mark)) = known.marks.get(&store) {
            let is_lost = history.is_some_and(|history| !history.has(mark));
            if before > epoch || before == epoch && is_lost {
                known.rolled_back.insert(store);
                known.rollbacks += 1;
                known.marks.remove(&store);
            }
        }
        StoreEpoch {
            store,
            epoch,
            rollbacks: known.rollbacks,
        }
    }

    /// Notes a state of the store. All that this worker sent before is in it.
    pub(crate) fn note(&self, at: StoreEpoch, mark: Option<Mark>) {
        let mut known = self.known();
        let Some(mark) = mark.filter(|_| at.rollbacks == known.rollbacks) else {
            return;
        };
        let newest = known.marks.entry(at.store).or_insert((at.epoch, mark));
        if (newest.0, newest.1.cursor) < (at.epoch, mark.cursor) {
            *newest = (at.epoch, mark);
        }
    }

    /// The newest known state of the store in its epoch.
    pub(crate) fn newest(&self, at: StoreEpoch) -> Option<Mark> {
        let known = self.known();
        let &(epoch, mark) = known.marks.get(&at.store)?;
        (epoch == at.epoch && known.rollbacks == at.rollbacks).then_some(mark)
    }

    /// Whether a store was rolled back. A rollback is told once.
    pub(crate) fn take_rolled_back(&self, store: u64) -> bool {
        self.known().rolled_back.remove(&store)
    }
}

#[cfg(test)]
mod tests;
