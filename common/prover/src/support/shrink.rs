//! Makes a set that supports itself smaller: removes some claims, meets the needs that this opens in another
//! way, and removes claims that are no longer needed.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::{Claim, Ground, Logic, Support};

/// The number of extra claims that the set may have while another way is tried.
const SLACK: usize = 10;

/// The maximum number of needs that rest on a claim to be removed.
const MAX_NEEDS: usize = 50;

/// The number of tries without progress before the end, for each claim and for this number of further ones.
const FRUITLESS: usize = 15;

/// The largest noise of choices.
const MAX_NOISE: f32 = 0.5;

impl<L: Logic> Support<'_, L> {
    /// Removes all claims.
    pub(crate) fn clear(&mut self) {
        for claim in self.claims() {
            self.set(claim, false);
        }
        self.log.clear();
    }

    /// Removes all claims that are not needed, high ranks first.
    pub(crate) fn prune(&mut self) {
        let mut claims = self.claims();
        self.random.shuffle(&mut claims);
        claims.sort_by_key(|&claim| Reverse(self.logic.rank(claim)));
        for claim in claims {
            if !self.is_needed(claim) {
                self.set(claim, false);
            }
        }
        self.settle();
    }

    /// Tries to remove claims at random, one or a few that rest on each other. Accepts sets that are larger by
    /// `tolerance` claims at first and by none in the end (threshold accepting: Dueck and Scheuer 1990). Ends with
    /// the smallest set, when the work reaches `until` or when progress seems unlikely.
    pub(crate) fn shrink(&mut self, tolerance: usize, until: u64) {
        let mut smallest = self.claims();
        let mut claims = smallest.clone();
        let began = self.work();
        let mut fruitless = 0;
        while self.work() < until && fruitless < FRUITLESS * (smallest.len() + FRUITLESS) {
            fruitless += 1;
            if fruitless % FRUITLESS == 0 && self.is_full() || self.size == 0 {
                break;
            }
            let left = (until - self.work()) as f64 / (until - began) as f64;
            let tolerated = smallest.len() + (tolerance as f64 * left).round() as usize;
            let noise = MAX_NOISE * self.random.f32();
            let place = self.random.usize(..claims.len());
            let claim = claims[place];
            if !self.is_in(claim) {
                claims.swap_remove(place);
            } else if self.is_dispensable(claim) {
                let group = self.group(claim);
                if self.replace(&group, noise, tolerated) && self.size < smallest.len() {
                    smallest = self.claims();
                    claims.clone_from(&smallest);
                    fruitless = 0;
                }
            }
            if claims.is_empty() {
                claims = self.claims();
            }
        }
        for claim in self.claims() {
            if smallest.binary_search(&claim).is_err() {
                self.set(claim, false);
            }
        }
        self.put(&smallest);
        self.settle();
    }

    /// The claim, sometimes with a few of those on which it rests.
    fn group(&mut self, claim: Claim) -> Vec<Claim> {
        let mut group = vec![claim];
        if self.random.u32(..3) == 0 {
            for _ in 0..=self.random.u32(..2) {
                let of = group[self.random.usize(..group.len())];
                let other = self.any_below(of);
                group.extend(other.filter(|&other| self.is_dispensable(other)));
            }
        }
        group
    }

    /// A claim of the set on which a need of this one may rest.
    fn any_below(&mut self, claim: Claim) -> Option<Claim> {
        let (first, end) = self.needs_of(claim);
        if first == end {
            return None;
        }
        let need = self.random.u32(first..end);
        let mut below: Vec<Claim> = Vec::new();
        for ground in self.grounds_of(need) {
            let claims = self.claims_of(ground).iter();
            below.extend(claims.filter(|&&claim| self.is_in(claim)));
        }
        self.random.choice(below)
    }

    /// Removes these claims if the set then has at most `max` claims. Otherwise changes nothing.
    fn replace(&mut self, claims: &[Claim], noise: f32, max: usize) -> bool {
        let (before, length) = (self.size, self.log.len());
        for &claim in claims {
            self.held(claim).is_banned = true;
            if self.is_in(claim) {
                self.set(claim, false);
            }
        }
        self.prune_after(length);
        let is_closed = self.close(before.max(max) + SLACK, noise);
        for &claim in claims {
            self.held(claim).is_banned = false;
        }
        if is_closed {
            self.prune_after(length);
            if self.size <= max {
                self.settle();
                return true;
            }
        }
        self.undo(length);
        false
    }

    /// Removes the claims that became unneeded since the log had this length, high ranks first.
    fn prune_after(&mut self, length: usize) {
        let mut doubtful: BinaryHeap<(u32, Claim)> = BinaryHeap::new();
        let mut seen = length;
        loop {
            while seen < self.log.len() {
                let (claim, came) = self.log[seen];
                seen += 1;
                let mut touched = if came {
                    self.rivals(claim)
                } else {
                    self.supporters(claim)
                };
                touched.sort_unstable();
                touched.dedup();
                let with_rank = touched.into_iter();
                doubtful.extend(with_rank.map(|claim| (self.logic.rank(claim), claim)));
            }
            let Some((rank, claim)) = doubtful.pop() else {
                return;
            };
            while doubtful.peek() == Some(&(rank, claim)) {
                doubtful.pop();
            }
            if self.is_in(claim) && !self.is_needed(claim) {
                self.set(claim, false);
            }
        }
    }

    /// The claims of the set that met needs of a removed claim.
    fn supporters(&mut self, claim: Claim) -> Vec<Claim> {
        let (first, end) = self.needs_of(claim);
        let mut met = Vec::new();
        for need in first..end {
            for ground in self.grounds_of(need) {
                self.work += 1;
                let claims = self.claims_of(ground);
                if claims.iter().all(|&claim| self.is_in(claim)) {
                    met.extend_from_slice(claims);
                }
            }
        }
        met
    }

    /// An added claim, and the claims of the set that meet the same needs.
    fn rivals(&mut self, claim: Claim) -> Vec<Claim> {
        let mut rivals = vec![claim];
        if !self.is_in(claim) {
            return rivals;
        }
        self.work += self.held[claim as usize].uses.len() as u64;
        for &ground in &self.held[claim as usize].uses {
            let Ground { need, missing, .. } = self.grounds[ground as usize];
            if missing > 0 || !self.is_live(need) || self.needs[need as usize].met < 2 {
                continue;
            }
            for ground in self.grounds_of(need) {
                if self.grounds[ground as usize].missing == 0 {
                    rivals.extend_from_slice(self.claims_of(ground));
                }
            }
        }
        rivals
    }

    /// Whether some need can be met only with this claim of the set.
    fn is_needed(&mut self, claim: Claim) -> bool {
        // Usually the counts of the uses are enough.
        for (place, &ground) in self.held[claim as usize].uses.iter().enumerate() {
            let Ground { need, missing, .. } = self.grounds[ground as usize];
            if self.needs[need as usize].met == 1 && missing == 0 && self.is_live(need) {
                self.work += place as u64;
                // The next call finds it first.
                self.held[claim as usize].uses.swap(0, place);
                return true;
            }
        }
        self.work += self.held[claim as usize].uses.len() as u64;
        self.resting_on(claim, 1) > 0
    }

    /// Whether few needs rest on this claim alone.
    fn is_dispensable(&mut self, claim: Claim) -> bool {
        self.work += self.held[claim as usize].uses.len() as u64;
        self.resting_on(claim, MAX_NEEDS + 1) <= MAX_NEEDS
    }

    /// The number of needs that rest on this claim alone, counted up to `enough`.
    fn resting_on(&self, claim: Claim, enough: usize) -> usize {
        let mut met: FxHashMap<u32, u32> = FxHashMap::default();
        for &ground in &self.held[claim as usize].uses {
            let Ground { need, missing, .. } = self.grounds[ground as usize];
            if missing == 0 && self.is_live(need) {
                *met.entry(need).or_default() += 1;
            }
        }
        let alone = met
            .iter()
            .filter(|&(&need, &met)| self.needs[need as usize].met == met);
        alone.take(enough).count()
    }
}
