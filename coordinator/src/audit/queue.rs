//! The claims that wait to be audited, bounded.

use std::collections::VecDeque;

use sproutnet_notation::SourceId;

/// So many fresh claims wait at most, and so many that were tried before.
const MOST_FRESH: usize = 4096;
const MOST_AGAIN: usize = 4096;

/// How many states the first search for a claim may visit, the second, and so on. A record mostly
/// follows from others within some hundreds.
const VISITS: [u64; 4] = [2_000, 20_000, 200_000, 2_000_000];

/// What a source claims of a key: to be audited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Claim {
    /// Whose claim it is.
    pub(crate) source: SourceId,
    /// The key of the record.
    pub(crate) key: Box<[u8]>,
    /// What it adds to what was known of the key.
    pub(crate) value: u64,
    /// How often a search for it was too short.
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

    /// How many states the next search for it may visit.
    pub(crate) fn visits(&self) -> u64 {
        VISITS[self.tries.min(VISITS.len() - 1)]
    }

    /// How many states the longest search for a claim may visit.
    pub(crate) fn most_visits() -> u64 {
        VISITS[VISITS.len() - 1]
    }
}

/// The claims, in the order in which they are taken.
#[derive(Debug, Default)]
pub(super) struct Queue {
    first: VecDeque<Claim>,
    fresh: VecDeque<Claim>,
    /// Taken when nothing else waits.
    again: VecDeque<Claim>,
}

impl Queue {
    /// Takes in a claim. False if there is no room.
    pub(super) fn push(&mut self, claim: Claim) -> bool {
        let has_room = self.fresh.len() < MOST_FRESH;
        if has_room {
            self.fresh.push_back(claim);
        }
        has_room
    }

    /// Takes in a claim before all others that are fresh. There are few such.
    pub(super) fn push_first(&mut self, claim: Claim) {
        if self.first.len() < MOST_FRESH {
            self.first.push_back(claim);
        }
    }

    /// Takes in a claim that was tried in vain. False if it was tried often enough, or there is no
    /// room.
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
