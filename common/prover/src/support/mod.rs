//! The smallest set of claims that supports itself.
//!
//! A *claim* has *needs*. A need is met when all claims of one of its *grounds* are in the set; a set supports
//! itself when all needs of all its claims are met. Sought is a small one that meets a need given from
//! outside. To find the smallest is hard (it is a least closed set of an AND/OR graph), so the set is made
//! greedily ([`close`]) and then made smaller step by step ([`shrink`]).
//!
//! Nothing here knows what a claim says.

mod close;
mod least;
mod random;
mod shrink;
#[cfg(test)]
mod tests;

use std::collections::BinaryHeap;
use std::ops::Range;

pub(super) use self::least::{Least, least};
use self::random::Random;

/// The number of a claim.
pub(super) type Claim = u32;

/// The grounds of a need: the claims of any of them are enough. Without grounds it cannot be met.
pub(super) type Grounds = Vec<Box<[Claim]>>;

/// What claims rest on.
pub(super) trait Logic {
    /// A claim rests on claims of lower rank only.
    fn rank(&self, claim: Claim) -> u32;

    /// What a claim needs. Asked once for each claim, and once more after looking further.
    fn needs(&mut self, claim: Claim) -> Vec<Grounds>;

    /// Searches once, with about so many steps of work or until all that is known takes so many bytes, for facts
    /// with which needs asked for before could be met, though they can be met without. Whether any were found.
    fn look_further(&mut self, work: u64, most_bytes: usize) -> bool;

    /// The work done to find needs so far, in steps.
    fn work(&self) -> u64;

    /// About how many bytes of memory all takes that is known.
    fn bytes(&self) -> usize;
}

/// Where the need from outside belongs.
const OUTSIDE: Claim = Claim::MAX;

#[derive(Clone, Default)]
struct Held {
    is_in: bool,
    /// Not to be put in for now.
    is_banned: bool,
    /// Its needs, once they were asked for.
    needs: Option<(u32, u32)>,
    /// The grounds in which it is.
    uses: Vec<u32>,
    /// How many claims it seemed to take to put it in, when that was last looked at.
    cost: f32,
}

struct Need {
    owner: Claim,
    grounds: (u32, u32),
    /// How many of its grounds are in the set. Kept only while the owner is in the set.
    met: u32,
}

#[derive(Clone, Copy)]
struct Ground {
    need: u32,
    claims: (u32, u32),
    /// How many of its claims are not in the set. Kept only while the need's owner is in the set.
    missing: u32,
}

/// A need that was not met when it was noted here. Those of high rank come first, for what is chosen for them
/// serves those below; of one rank those with least choice.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    rank: u32,
    choice: std::cmp::Reverse<u32>,
    need: u32,
}

/// A set of claims, and all needs and grounds that were asked for.
pub(super) struct Support<'a, L> {
    pub(super) logic: &'a mut L,
    held: Vec<Held>,
    needs: Vec<Need>,
    grounds: Vec<Ground>,
    /// The claims of all grounds.
    members: Vec<Claim>,
    size: usize,
    /// What was put in (true) and taken out.
    log: Vec<(Claim, bool)>,
    open: BinaryHeap<Open>,
    random: Random,
    work: u64,
    most_bytes: usize,
}

impl<'a, L: Logic> Support<'a, L> {
    /// The empty set, which is to meet a need with these grounds. It gets no smaller once it takes so many
    /// bytes with all that its logic knows.
    pub(super) fn new(logic: &'a mut L, root: Grounds, seed: u64, most_bytes: usize) -> Self {
        let mut support = Self {
            logic,
            held: Vec::new(),
            needs: Vec::new(),
            grounds: Vec::new(),
            members: Vec::new(),
            size: 0,
            log: Vec::new(),
            open: BinaryHeap::new(),
            random: Random::new(seed),
            work: 0,
            most_bytes,
        };
        let needs = support.add_needs(OUTSIDE, vec![root]);
        support.count(needs, u32::MAX);
        support
    }

    /// Frees what it takes, to begin anew.
    fn into_logic(self) -> &'a mut L {
        self.logic
    }

    /// How many claims are in the set.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The work done by this set and its logic so far, in steps.
    pub(super) fn work(&self) -> u64 {
        self.work + self.logic.work()
    }

    /// Whether it takes too much memory. Not to be asked all the time.
    pub(super) fn is_full(&self) -> bool {
        // Each member is in the list of uses of its claim too.
        let members = self.members.capacity() * 3 * size_of::<Claim>();
        let grounds = self.grounds.capacity() * size_of::<Ground>();
        let needs = self.needs.capacity() * size_of::<Need>();
        let held = self.held.capacity() * size_of::<Held>();
        members + grounds + needs + held + self.logic.bytes() > self.most_bytes
    }

    /// The claims of the set, in the order of their numbers.
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

    /// Whether somebody has that need: its owner is in the set.
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
        let needs = self.logic.needs(claim);
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

    /// Counts anew what of these needs is met; their owner, of that rank, has just come in.
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

    fn put(&mut self, claim: Claim) {
        let needs = self.needs_of(claim);
        self.held(claim).is_in = true;
        self.size += 1;
        self.log.push((claim, true));
        let uses = std::mem::take(&mut self.held(claim).uses);
        self.work += uses.len() as u64;
        for &ground in &uses {
            let need = self.grounds[ground as usize].need;
            if self.is_live(need) {
                let ground = &mut self.grounds[ground as usize];
                ground.missing -= 1;
                if ground.missing == 0 {
                    self.needs[need as usize].met += 1;
                }
            }
        }
        self.held(claim).uses = uses;
        let rank = self.logic.rank(claim);
        self.count(needs, rank);
    }

    fn take(&mut self, claim: Claim) {
        self.held(claim).is_in = false;
        self.size -= 1;
        self.log.push((claim, false));
        let uses = std::mem::take(&mut self.held(claim).uses);
        self.work += uses.len() as u64;
        for &ground in &uses {
            let need = self.grounds[ground as usize].need;
            if !self.is_live(need) {
                continue;
            }
            let ground = &mut self.grounds[ground as usize];
            ground.missing += 1;
            if ground.missing == 1 {
                let Need { owner, met, .. } = &mut self.needs[need as usize];
                *met -= 1;
                if *met == 0 {
                    let rank = match *owner {
                        OUTSIDE => u32::MAX,
                        owner => self.logic.rank(owner),
                    };
                    self.note_open(need, rank);
                }
            }
        }
        self.held(claim).uses = uses;
    }

    /// Undoes all that was done since the log had that length.
    fn undo(&mut self, length: usize) {
        while self.log.len() > length {
            let (claim, came) = self.log[self.log.len() - 1];
            if came {
                self.take(claim);
            } else {
                self.put(claim);
            }
            self.log.truncate(self.log.len() - 2);
        }
        self.open.clear();
    }
}
