//! Finds a small set of claims that supports itself.
//!
//! A *claim* has *needs*. A need is met when all claims of one of its *grounds* are in the set. A set supports
//! itself when all needs of all its claims are met. [`minimize`] finds a small set that also meets one need from
//! outside. The smallest set is hard to find (a least closed set of an AND/OR graph), so the set is built greedily
//! ([`close`]) and then reduced step by step ([`shrink`]). If the memory or the effort is not enough, one pass finds a
//! set ([`sweep`]).
//!
//! This module does not depend on the meaning of claims.

mod close;
mod minimize;
mod shrink;
mod sweep;
#[cfg(test)]
mod tests;

use std::collections::BinaryHeap;
use std::ops::Range;

pub(super) use self::minimize::{Effort, minimize};
use fastrand::Rng;

/// The number of a claim.
pub(super) type Claim = u32;

/// The grounds of a need. The claims of any ground are enough. A need without grounds cannot be met.
pub(super) type Grounds = Vec<Box<[Claim]>>;

/// The needs of claims, and their grounds.
pub(super) trait Logic {
    /// The rank of a claim. A claim rests only on claims of lower rank.
    fn rank(&self, claim: Claim) -> u32;

    /// The needs of a claim. Called at most once for each claim while one set is built.
    fn needs(&mut self, claim: Claim) -> Vec<Grounds>;

    /// Searches for further grounds of earlier needs, with at most about `work` steps and until knowledge takes
    /// `max_bytes`. Returns whether any were found.
    fn find_more(&mut self, _work: u64, _max_bytes: usize) -> bool {
        false
    }

    /// The work so far, in steps.
    fn work(&self) -> u64;

    /// The approximate memory use of all knowledge, in bytes.
    fn bytes(&self) -> usize;
}

/// The number of new members of grounds after which the memory is counted again.
const COUNTED_AFTER: usize = 1 << 18;

/// The owner of the need from outside.
const OUTSIDE: Claim = Claim::MAX;

#[derive(Clone, Default)]
struct Held {
    is_in: bool,
    /// Whether it must not be added for now.
    is_banned: bool,
    /// Its needs, if known.
    needs: Option<(u32, u32)>,
    /// The grounds that contain it.
    uses: Vec<u32>,
    /// The last estimate of the number of claims that it adds.
    cost: f32,
}

struct Need {
    owner: Claim,
    grounds: (u32, u32),
    /// The number of its grounds that are in the set. Valid only while the owner is in the set.
    met: u32,
}

#[derive(Clone, Copy)]
struct Ground {
    need: u32,
    claims: (u32, u32),
    /// The number of its claims outside the set. Valid only while the owner of the need is in the set.
    missing: u32,
}

/// A need that may be unmet. High ranks come first, because their grounds also serve lower needs. Within a rank,
/// needs with the fewest grounds come first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    rank: u32,
    choice: std::cmp::Reverse<u32>,
    need: u32,
}

/// A set of claims, and all known needs and grounds.
pub(super) struct Support<'a, L> {
    pub(super) logic: &'a mut L,
    held: Vec<Held>,
    needs: Vec<Need>,
    grounds: Vec<Ground>,
    /// The claims of all grounds.
    members: Vec<Claim>,
    size: usize,
    /// Claims added (true) and removed.
    log: Vec<(Claim, bool)>,
    open: BinaryHeap<Open>,
    random: Rng,
    work: u64,
    max_bytes: usize,
    /// The number of members of grounds when the memory is counted next.
    next_count: usize,
}

impl<'a, L: Logic> Support<'a, L> {
    /// The empty set, which must meet a need with these grounds. `max_bytes` limits the memory of the set and its
    /// logic.
    pub(super) fn new(logic: &'a mut L, root: Grounds, seed: u64, max_bytes: usize) -> Self {
        let mut support = Self {
            logic,
            held: Vec::new(),
            needs: Vec::new(),
            grounds: Vec::new(),
            members: Vec::new(),
            size: 0,
            log: Vec::new(),
            open: BinaryHeap::new(),
            random: Rng::with_seed(seed),
            work: 0,
            max_bytes,
            next_count: COUNTED_AFTER,
        };
        let needs = support.add_needs(OUTSIDE, vec![root]);
        support.count(needs, u32::MAX);
        support
    }

    /// The number of claims in the set.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The logic alone. The set is dropped.
    fn into_logic(self) -> &'a mut L {
        self.logic
    }

    /// The work of this set and its logic so far, in steps.
    pub(super) fn work(&self) -> u64 {
        self.work + self.logic.work()
    }

    /// Whether the memory is used up. Not cheap.
    pub(super) fn is_full(&self) -> bool {
        // Each member is also in the list of uses of its claim.
        let members = self.members.capacity() * 3 * size_of::<Claim>();
        let grounds = self.grounds.capacity() * size_of::<Ground>();
        let needs = self.needs.capacity() * size_of::<Need>();
        let held = self.held.capacity() * size_of::<Held>();
        members + grounds + needs + held + self.logic.bytes() > self.max_bytes
    }

    /// Whether the memory is used up. Counted only now and then; false in between.
    fn has_filled_up(&mut self) -> bool {
        if self.members.len() < self.next_count {
            return false;
        }
        self.next_count = self.members.len() + COUNTED_AFTER;
        self.is_full()
    }

    /// The claims of the set, sorted.
    pub(super) fn claims(&self) -> Vec<Claim> {
        let all = 0..self.held.len() as Claim;
        all.filter(|&claim| self.is_in(claim)).collect()
    }

    fn is_in(&self, claim: Claim) -> bool {
        let held = self.held.get(claim as usize);
        held.is_some_and(|held| held.is_in)
    }

    fn held(&mut self, claim: Claim) -> &mut Held {
        let place = claim as usize;
        if place >= self.held.len() {
            self.held.resize(place + 1, Held::default());
        }
        &mut self.held[place]
    }

    /// Whether the owner of a need is in the set.
    fn is_live(&self, need: u32) -> bool {
        let owner = self.needs[need as usize].owner;
        owner == OUTSIDE || self.is_in(owner)
    }

    fn grounds_of(&self, need: u32) -> Range<u32> {
        let (first, end) = self.needs[need as usize].grounds;
        first..end
    }

    fn claims_of(&self, ground: u32) -> &[Claim] {
        let (first, end) = self.grounds[ground as usize].claims;
        &self.members[first as usize..end as usize]
    }

    fn needs_of(&mut self, claim: Claim) -> (u32, u32) {
        if let Some(needs) = self.held(claim).needs {
            return needs;
        }
        let mut needs = self.logic.needs(claim);
        // A need with an empty ground is always met.
        needs.retain(|grounds| !grounds.iter().any(|ground| ground.is_empty()));
        needs.sort_unstable();
        needs.dedup();
        let range = self.add_needs(claim, needs);
        self.held(claim).needs = Some(range);
        range
    }

    fn add_needs(&mut self, owner: Claim, needs: Vec<Grounds>) -> (u32, u32) {
        let first_need = self.needs.len() as u32;
        for grounds in needs {
            let need = self.needs.len() as u32;
            let first_ground = self.grounds.len() as u32;
            for claims in grounds {
                let ground = self.grounds.len() as u32;
                let first = self.members.len() as u32;
                for &claim in &claims {
                    self.members.push(claim);
                    self.held(claim).uses.push(ground);
                }
                self.grounds.push(Ground {
                    need,
                    claims: (first, self.members.len() as u32),
                    missing: 0,
                });
            }
            self.needs.push(Need {
                owner,
                grounds: (first_ground, self.grounds.len() as u32),
                met: 0,
            });
        }
        (first_need, self.needs.len() as u32)
    }

    /// Counts the met grounds of these needs, after their owner of this rank was added.
    fn count(&mut self, (first, end): (u32, u32), rank: u32) {
        for need in first..end {
            let mut met = 0;
            for ground in self.grounds_of(need) {
                let claims = self.claims_of(ground).iter();
                let missing = claims.filter(|&&claim| !self.is_in(claim)).count() as u32;
                self.grounds[ground as usize].missing = missing;
                met += u32::from(missing == 0);
                self.work += 1;
            }
            self.needs[need as usize].met = met;
            if met == 0 {
                self.note_open(need, rank);
            }
        }
    }

    fn note_open(&mut self, need: u32, rank: u32) {
        let choice = std::cmp::Reverse(self.grounds_of(need).len() as u32);
        self.open.push(Open { rank, choice, need });
    }

    /// Adds a claim, or removes it.
    fn set(&mut self, claim: Claim, is_in: bool) {
        let needs = self.needs_of(claim);
        self.held(claim).is_in = is_in;
        self.log.push((claim, is_in));
        let uses = std::mem::take(&mut self.held(claim).uses);
        self.work += uses.len() as u64;
        for &ground in &uses {
            let need = self.grounds[ground as usize].need;
            if !self.is_live(need) {
                continue;
            }
            let missing = &mut self.grounds[ground as usize].missing;
            let Need { owner, met, .. } = &mut self.needs[need as usize];
            if is_in {
                *missing -= 1;
                *met += u32::from(*missing == 0);
                continue;
            }
            *missing += 1;
            *met -= u32::from(*missing == 1);
            if *missing == 1 && *met == 0 {
                let rank = match *owner {
                    OUTSIDE => u32::MAX,
                    owner => self.logic.rank(owner),
                };
                self.note_open(need, rank);
            }
        }
        self.held(claim).uses = uses;
        if is_in {
            self.size += 1;
            let rank = self.logic.rank(claim);
            self.count(needs, rank);
        } else {
            self.size -= 1;
        }
    }

    /// Adds the claims that are not in the set.
    fn put(&mut self, claims: &[Claim]) {
        for &claim in claims {
            if !self.is_in(claim) {
                self.set(claim, true);
            }
        }
    }

    /// Undoes all changes since the log had this length.
    fn undo(&mut self, length: usize) {
        while self.log.len() > length {
            let (claim, came) = self.log[self.log.len() - 1];
            self.set(claim, !came);
            self.log.truncate(self.log.len() - 2);
        }
        self.open.clear();
    }

    /// Forgets the logged changes and the open needs.
    fn settle(&mut self) {
        self.open.clear();
        self.log.clear();
    }
}
