//! Needs that are open are met, each by the grounds that seem to take the fewest claims.

use super::{Claim, Logic, OUTSIDE, Open, Support};

/// So many grounds are looked at closely.
const LOOKED_AT: usize = 4;

/// Of claims that needs seem to take one by one so many are new: they share the others.
const NOT_SHARED: f32 = 0.7;

/// More than any set has.
const ENDLESS: f32 = 1e6;

/// What a claim of that rank takes, as far as one knows who has not looked.
fn first_guess(rank: u32) -> f32 {
    1.0 + 0.02 * (rank as f32).powi(2)
}

impl<L: Logic> Support<'_, L> {
    /// Meets all open needs. `noise` makes choices differ. False if some need cannot be met, or if the set
    /// would have more than `most` claims: then it is left as it is by then.
    pub(crate) fn close(&mut self, most: usize, noise: f32) -> bool {
        while let Some(Open { need, .. }) = self.open.pop() {
            if self.needs[need as usize].met > 0 || !self.is_live(need) {
                continue;
            }
            let Some(ground) = self.best_ground(need, noise) else {
                return false;
            };
            for claim in self.claims_of(ground).to_vec() {
                if !self.is_in(claim) {
                    self.put(claim);
                }
            }
            if self.size > most {
                return false;
            }
        }
        true
    }

    /// A claim of the set one of whose needs cannot be met, or none that is the need from outside.
    pub(crate) fn unmet(&self) -> Option<Claim> {
        let is_unmet = |need: &u32| {
            let grounds = self.grounds_of(*need);
            grounds.is_empty() && self.is_live(*need)
        };
        let unmet = (0..self.needs.len() as u32).find(is_unmet)?;
        let owner = self.needs[unmet as usize].owner;
        (owner != OUTSIDE).then_some(owner)
    }

    /// The grounds to meet a need with, if it has any that may be used.
    fn best_ground(&mut self, need: u32, noise: f32) -> Option<u32> {
        let mut costs: Vec<(f32, u32)> = Vec::new();
        for ground in self.grounds_of(need) {
            let cost = self.cost(ground, f32::INFINITY);
            if cost.is_finite() {
                costs.push((cost * (1.0 + noise * self.random.unit()), ground));
            }
        }
        costs.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        costs.truncate(LOOKED_AT);
        if let &[(_, only)] = &costs[..] {
            return Some(only);
        }
        let looked = costs.iter().map(|&(_, ground)| {
            let claims = self.claims_of(ground).to_vec();
            let missing = claims.into_iter().filter(|&claim| !self.is_in(claim));
            let missing: Vec<Claim> = missing.collect();
            let cost: f32 = missing.into_iter().map(|claim| self.look(claim)).sum();
            (cost * (1.0 + noise * self.random.unit()), ground)
        });
        let looked: Vec<_> = looked.collect();
        let best = looked.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
        best.map(|(_, ground)| ground)
    }

    /// What it seems to take to have all claims of a ground, infinite if that is beyond `limit` or one is
    /// banned.
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

    /// Looks at the needs of a claim that is not in the set: how many claims it seems to take with it.
    fn look(&mut self, claim: Claim) -> f32 {
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
            all += NOT_SHARED * least.min(ENDLESS);
        }
        let cost = all.min(ENDLESS);
        self.held(claim).cost = cost;
        cost
    }
}
