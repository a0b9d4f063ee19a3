//! The claims that wait to be audited, bounded.

use std::collections::VecDeque;

use sproutnet_notation::SourceId;

/// The maximum numbers of waiting claims: fresh ones (the same again for urgent ones), and undecided ones.
const MOST_FRESH: usize = 4096;
const MOST_AGAIN: usize = 4096;

/// The maximum numbers of visits of the first search for a claim, the second, and so on. Most records follow from
/// others within some hundred visits.
const VISITS: [u64; 4] = [2_000, 20_000, 200_000, 2_000_000];

/// A record of a source that is to be audited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    /// The source that reported it.
    pub(crate) source: SourceId,
    /// The key of the record.
    pub(crate) key: Box<[u8]>,
    /// The value that it adds to the known value of the key.
    pub(crate) value: u64,
    /// The number of undecided audits.
    tries: usize,
}

impl Claim {
    /// A claim not tried before.
    pub(crate) fn new(source: SourceId, key: &[u8], value: u64) -> Self {
        Self {
            source,
            key: key.into(),
            value,
            tries: 0,
        }
    }

    /// The maximum number of visits of its next search.
    pub(crate) fn visits(&self) -> u64 {
        VISITS[self.tries.min(VISITS.len() - 1)]
    }

    /// The maximum number of visits of the last search for a claim.
    pub(crate) fn most_visits() -> u64 {
        VISITS[VISITS.len() - 1]
    }
}

/// The claims, in the order in which they are taken.
#[derive(Debug, Default)]
pub(super) struct Queue {
    first: VecDeque<Claim>,
    fresh: VecDeque<Claim>,
    /// Undecided claims, taken when no others wait.
    again: VecDeque<Claim>,
}

impl Queue {
    /// Adds a fresh claim. Returns false if there is no room.
    pub(super) fn push(&mut self, claim: Claim) -> bool {
        let has_room = self.fresh.len() < MOST_FRESH;
        if has_room {
            self.fresh.push_back(claim);
        }
        has_room
    }

    /// Adds an urgent claim, before all fresh ones. It is dropped if there is no room; such claims are rare.
    pub(super) fn push_first(&mut self, claim: Claim) {
        if self.first.len() < MOST_FRESH {
            self.first.push_back(claim);
        }
    }

    /// Adds an undecided claim for a longer search. Returns false after the longest search, or if there is no room.
    pub(super) fn push_again(&mut self, claim: Claim) -> bool {
        let tries = claim.tries + 1;
        let is_worth_it = tries < VISITS.len() && self.again.len() < MOST_AGAIN;
        if is_worth_it {
            self.again.push_back(Claim { tries, ..claim });
        }
        is_worth_it
    }

    pub(super) fn pop(&mut self) -> Option<Claim> {
        let first = self.first.pop_front().or_else(|| self.fresh.pop_front());
        first.or_else(|| self.again.pop_front())
    }

    pub(super) fn len(&self) -> usize {
        self.first.len() + self.fresh.len() + self.again.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
