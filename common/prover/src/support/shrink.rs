//! A set that supports itself is made smaller: one does without some claims, meets the needs that this opens
//! in another way, and takes out what nothing rests on any more.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::{Claim, Ground, Logic, Support};

/// The set may have so many claims more while one looks for another way.
const SLACK: usize = 10;

/// Claims on which more needs rest are not given up.
const MOST_NEEDS: usize = 50;

/// So many tries for each claim, and for so many more, may come to nothing.
const FRUITLESS: usize = 15;

/// How much choices differ at most.
const MOST_NOISE: f32 = 0.5;

impl<L: Logic> Support<'_, L> {
    /// Puts these claims in.
    fn start(&mut self, claims: &[Claim]) {
        for &claim in claims {
            if !self.is_in(claim) {
                self.put(claim);
            }
        }
    }

    /// Takes all claims out.
    pub(crate) fn clear(&mut self) {
        for claim in self.claims() {
            self.take(claim);
        }
        self.log.clear();
    }

    /// Takes out all claims on which nothing rests, those of high rank first.
    pub(crate) fn prune(&mut self) {
        let mut claims = self.claims();
        self.random.shuffle(&mut claims);
        claims.sort_by_key(|&claim| Reverse(self.logic.rank(claim)));
        for claim in claims {
            if !self.is_needed(claim) {
                self.take(claim);
            }
        }
        self.open.clear();
        self.log.clear();
    }

    /// Tries to do without claims chosen at random, one or a few that rest on each other, and goes on with
    /// sets that are larger by so many claims at first, by none in the end (threshold accepting: Dueck and
    /// Scheuer 1990). Ends with the smallest set, after so much work or when it seems to be of no use.
    pub(crate) fn wander(&mut self, tolerance: usize, until: u64) {
        let mut smallest = self.claims();
        let mut claims = smallest.clone();
        let began = self.work();
        let mut in_vain = 0;
        while self.work() < until && in_vain < FRUITLESS * (smallest.len() + FRUITLESS) {
            in_vain += 1;
            if in_vain % FRUITLESS == 0 && self.is_full() || self.size == 0 {
                break;
            }
            let left = (until - self.work()) as f64 / (until - began) as f64;
            let tolerated = smallest.len() + (tolerance as f64 * left).round() as usize;
            let noise = MOST_NOISE * self.random.unit();
            let place = self.random.below(claims.len());
            let claim = claims[place];
            if !self.is_in(claim) {
                claims.swap_remove(place);
            } else if self.is_dispensable(claim) {
                let group = self.group(claim);
                if self.without(&group, noise, tolerated) && self.size < smallest.len() {
                    smallest = self.claims();
                    claims.clone_from(&smallest);
                    in_vain = 0;
                }
            }
            if claims.is_empty() {
                claims = self.claims();
            }
        }
        for claim in self.claims() {
            if smallest.binary_search(&claim).is_err() {
                self.take(claim);
            }
        }
        self.start(&smallest);
        self.open.clear();
        self.log.clear();
    }

    /// The claim, now and then with some of those on which it rests.
    fn group(&mut self, claim: Claim) -> Vec<Claim> {
        let mut group = vec![claim];
        if self.random.below(3) == 0 {
            for _ in 0..=self.random.below(2) {
                let of = group[self.random.below(group.len())];
                let other = self.any_below(of);
                group.extend(other.filter(|&other| self.is_dispensable(other)));
            }
        }
        group
    }

    /// A claim of the set on which a need of this one may rest.
    fn any_below(&mut self, claim: Claim) -> Option<Claim> {
        let (first, end) = self.needs_of(claim);
        let need = first + self.random.below((end - first) as usize) as u32;
        let mut below: Vec<Claim> = Vec::new();
        if need < end {
            for ground in self.grounds_of(need) {
                let claims = self.claims_of(ground).iter();
                below.extend(claims.filter(|&&claim| self.is_in(claim)));
            }
        }
        let place = self.random.below(below.len());
        below.get(place).copied()
    }

    /// Does without these claims if the set gets no larger than `most`; else all is as it was.
    fn without(&mut self, claims: &[Claim], noise: f32, most: usize) -> bool {
        let (before, mark) = (self.size, self.log.len());
        for &claim in claims {
            self.held(claim).is_banned = true;
            if self.is_in(claim) {
                self.take(claim);
            }
        }
        self.prune_after(mark);
        let is_closed = self.close(before.max(most) + SLACK, noise);
        for &claim in claims {
            self.held(claim).is_banned = false;
        }
        if is_closed {
            self.prune_after(mark);
            if self.size <= most {
                self.open.clear();
                self.log.clear();
                return true;
            }
        }
        self.undo(mark);
        false
    }

    /// Takes out the claims on which nothing rests since the log had that length, those of high rank first.
    fn prune_after(&mut self, mark: usize) {
        let mut doubtful: BinaryHeap<(u32, Claim)> = BinaryHeap::new();
        let mut seen = mark;
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
                self.take(claim);
            }
        }
    }

    /// The claims of the set that met needs of a claim that went.
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

    /// A claim that came, and those of the set that meet needs which it meets too.
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

    /// Whether a need rests on a claim of the set alone.
    fn is_needed(&mut self, claim: Claim) -> bool {
        // Most often one look at each use tells.
        for (place, &ground) in self.held[claim as usize].uses.iter().enumerate() {
            let Ground { need, missing, .. } = self.grounds[ground as usize];
            if self.needs[need as usize].met == 1 && missing == 0 && self.is_live(need) {
                self.work += place as u64;
                // So that it is found at once the next time.
                self.held[claim as usize].uses.swap(0, place);
                return true;
            }
        }
        self.work += self.held[claim as usize].uses.len() as u64;
        self.resting_on(claim, 1) > 0
    }

    /// Whether few needs rest on a claim alone.
    fn is_dispensable(&mut self, claim: Claim) -> bool {
        self.work += self.held[claim as usize].uses.len() as u64;
        self.resting_on(claim, MOST_NEEDS + 1) <= MOST_NEEDS
    }

    /// How many needs rest on a claim alone; `enough` of them are enough.
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
