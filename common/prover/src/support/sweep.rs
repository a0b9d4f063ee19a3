//! Finds a set in one pass from high ranks to low. Needs are not kept, so a large set takes little memory.

use rustc_hash::FxHashMap;

use super::close::first_guess;
use super::{Claim, Grounds, Logic};

/// The number of open needs after which grounds are chosen.
const MOST_OPEN: usize = 1 << 18;

/// Finds a set that supports itself and meets the need whose grounds are `root`. Under misère play it is 6 to 9 %
/// larger than a set that the other modules find with much effort.
///
/// # Errors
/// There is no such set. The error is the claim that cannot be supported, or `None` if it is the root.
pub(super) fn sweep<L: Logic>(logic: &mut L, root: &Grounds) -> Result<Vec<Claim>, Option<Claim>> {
    let mut sweep = Sweep {
        logic,
        is_in: Vec::new(),
        of_rank: Vec::new(),
        open: Vec::new(),
        uses: FxHashMap::default(),
    };
    sweep.run(root)?;
    let all = 0..sweep.is_in.len() as Claim;
    Ok(all.filter(|&claim| sweep.has(claim)).collect())
}

struct Sweep<'a, L> {
    logic: &'a mut L,
    is_in: Vec<bool>,
    /// The claims of the set by their ranks, until their needs are met.
    of_rank: Vec<Vec<Claim>>,
    /// Needs with several grounds, none of them in the set when noted.
    open: Vec<Grounds>,
    /// The number of occurrences of each claim in the grounds of open needs.
    uses: FxHashMap<Claim, u32>,
}

impl<L: Logic> Sweep<'_, L> {
    fn run(&mut self, root: &Grounds) -> Result<(), Option<Claim>> {
        self.meet(root.clone()).ok_or(None)?;
        self.choose();
        // A claim rests only on claims of lower rank, so all claims of this rank are known by now.
        while let Some(claims) = self.of_rank.pop() {
            for claim in claims {
                for grounds in self.logic.needs(claim) {
                    self.meet(grounds).ok_or(Some(claim))?;
                }
                if self.open.len() >= MOST_OPEN {
                    self.choose();
                }
            }
            self.choose();
        }
        Ok(())
    }

    fn has(&self, claim: Claim) -> bool {
        self.is_in.get(claim as usize) == Some(&true)
    }

    fn put(&mut self, claims: &[Claim]) {
        for &claim in claims {
            if self.has(claim) {
                continue;
            }
            let place = claim as usize;
            self.is_in.resize(self.is_in.len().max(place + 1), false);
            self.is_in[place] = true;
            let rank = self.logic.rank(claim) as usize;
            let ranks = self.of_rank.len().max(rank + 1);
            self.of_rank.resize(ranks, Vec::new());
            self.of_rank[rank].push(claim);
        }
    }

    fn is_met(&self, grounds: &Grounds) -> bool {
        let is_in = |ground: &[Claim]| ground.iter().all(|&claim| self.has(claim));
        grounds.iter().any(|ground| is_in(ground))
    }

    /// Meets a need at once if there is no choice; otherwise keeps it open. `None` if it cannot be met.
    fn meet(&mut self, grounds: Grounds) -> Option<()> {
        if self.is_met(&grounds) {
            return Some(());
        }
        match &grounds[..] {
            [] => return None,
            [only] => self.put(only),
            _ => {
                for &claim in grounds.iter().flatten() {
                    *self.uses.entry(claim).or_default() += 1;
                }
                self.open.push(grounds);
            }
        }
        Some(())
    }

    /// Meets all open needs, those with the fewest grounds first, by cheap claims with many uses.
    fn choose(&mut self) {
        let mut open = std::mem::take(&mut self.open);
        open.sort_by_key(Vec::len);
        for grounds in open {
            if self.is_met(&grounds) {
                continue;
            }
            let costs = grounds.iter().map(|ground| (self.cost(ground), ground));
            let best = costs.min_by(|a, b| a.0.total_cmp(&b.0));
            let (_, best) = best.expect("an open need has grounds");
            self.put(best);
        }
        self.uses.clear();
    }

    /// The estimated cost of the claims of a ground that are not in the set.
    fn cost(&self, ground: &[Claim]) -> f32 {
        let missing = ground.iter().filter(|&&claim| !self.has(claim));
        let cost = |claim: &Claim| first_guess(self.logic.rank(*claim)) / self.uses[claim] as f32;
        missing.map(cost).sum()
    }
}
