//! Meets open needs, each by the ground with the fewest estimated new claims.

use super::{Claim, Logic, OUTSIDE, Open, Support};

/// The number of grounds that are examined closely.
const EXAMINED: usize = 4;

/// The estimated share of new claims among those that several needs add one by one.
const NOT_SHARED: f32 = 0.7;

/// A cost above that of any set.
const UNBOUNDED: f32 = 1e6;

/// The estimated cost of a claim of this rank before its needs are examined.
pub(super) fn first_guess(rank: u32) -> f32 {
    1.0 + 0.02 * (rank as f32).powi(2)
}

impl<L: Logic> Support<'_, L> {
    /// Meets all open needs. `noise` varies the choices. Stops and returns false if a need cannot be met, if the
    /// memory is used up, or if the set exceeds `max` claims.
    pub(crate) fn close(&mut self, max: usize, noise: f32) -> bool {
        while let Some(Open { need, .. }) = self.open.pop() {
            if self.needs[need as usize].met > 0 || !self.is_live(need) {
                continue;
            }
            let Some(ground) = self.best_ground(need, noise) else {
                return false;
            };
            let claims = self.claims_of(ground).to_vec();
            self.put(&claims);
            if self.size > max || self.has_filled_up() {
                return false;
            }
        }
        true
    }

    /// A claim of the set with a need that cannot be met. `None` if only the need from outside cannot be met.
    pub(crate) fn unmet(&self) -> Option<Claim> {
        let is_unmet = |need: &u32| {
            let grounds = self.grounds_of(*need);
            grounds.is_empty() && self.is_live(*need)
        };
        let unmet = (0..self.needs.len() as u32).find(is_unmet)?;
        let owner = self.needs[unmet as usize].owner;
        (owner != OUTSIDE).then_some(owner)
    }

    /// The best ground to meet a need with, if any may be used.
    fn best_ground(&mut self, need: u32, noise: f32) -> Option<u32> {
        let mut costs: Vec<(f32, u32)> = Vec::new();
        for ground in self.grounds_of(need) {
            let cost = self.cost(ground, f32::INFINITY);
            if cost.is_finite() {
                costs.push((cost * (1.0 + noise * self.random.f32()), ground));
            }
        }
        costs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        costs.truncate(EXAMINED);
        if let &[(_, only)] = &costs[..] {
            return Some(only);
        }
        for (cost, ground) in &mut costs {
            let mut missing = self.claims_of(*ground).to_vec();
            missing.retain(|&claim| !self.is_in(claim));
            let examined: f32 = missing.into_iter().map(|claim| self.examine(claim)).sum();
            *cost = examined * (1.0 + noise * self.random.f32());
        }
        let best = costs.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        best.map(|(_, ground)| ground)
    }

    /// The estimated cost of having all claims of a ground. Infinite if it reaches `limit` or a claim is banned.
    fn cost(&mut self, ground: u32, limit: f32) -> f32 {
        self.work += 1;
        let mut cost = 0.0;
        for &claim in self.claims_of(ground) {
            let held = &self.held[claim as usize];
            if held.is_in {
                continue;
            }
            cost += match held.cost {
                _ if held.is_banned => f32::INFINITY,
                0.0 => first_guess(self.logic.rank(claim)),
                cost => cost,
            };
            if cost >= limit {
                return f32::INFINITY;
            }
        }
        cost
    }

    /// Estimates the number of claims that a claim outside the set adds, from its needs.
    fn examine(&mut self, claim: Claim) -> f32 {
        let (first, end) = self.needs_of(claim);
        let mut all = 1.0;
        for need in first..end {
            let mut least = f32::INFINITY;
            for ground in self.grounds_of(need) {
                least = least.min(self.cost(ground, least));
                if least == 0.0 {
                    break;
                }
            }
            all += NOT_SHARED * least.min(UNBOUNDED);
        }
        let cost = all.min(UNBOUNDED);
        self.held(claim).cost = cost;
        cost
    }
}
