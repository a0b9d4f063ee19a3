//! The number of positions that can be reached from a position, by the number of moves made.

use std::collections::HashMap;
use std::time::Instant;

use serde::Serialize;
use sproutnet_game::{LandId, Lands, Position};
use sproutnet_notation::{Outcome, Play};

/// The limits of a count.
#[derive(Clone, Copy, Debug)]
pub struct CountLimits {
    /// The maximum number of positions.
    pub positions: usize,
    /// The deadline.
    pub until: Instant,
}

/// The positions that can be reached from a position, itself included. Positions are different if their canonical forms
/// are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Whether all were met. If not, there are at least [`Self::positions`], and [`Self::plies`] lacks the last plies.
    #[serde(rename = "complete")]
    pub is_complete: bool,
    /// The number of positions met.
    pub positions: u64,
    /// The number of different options. `None` if a limit was reached before all were met.
    pub options: Option<u64>,
    /// The number of moves of the shortest play. `None` if no end was met.
    pub shortest: Option<u32>,
    /// The number of moves of the longest play, or of the longest beginning of a play that was met.
    pub longest: u32,
    /// The number of positions that the player to move loses. `None` if not all positions were met.
    pub lost: Option<Lost>,
    /// The positions after 0, 1, 2, … moves.
    pub plies: Vec<Ply>,
}

/// The positions after a number of moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ply {
    /// The number of positions.
    pub positions: u64,
    /// The number of those that the player to move loses.
    pub lost: Option<Lost>,
}

/// Numbers of lost positions (P-positions) under both conventions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Lost {
    /// Under normal play.
    pub normal: u64,
    /// Under misère play.
    pub misere: u64,
}

/// Counts the positions below a position, ply by ply.
pub fn count(lands: &Lands, position: &Position, limits: CountLimits) -> Count {
    let mut met = Met {
        lands,
        limits,
        numbers: HashMap::new(),
        sums: Vec::new(),
        options: Vec::new(),
    };
    let start = met.number(lands.intern_position(position).to_vec());
    let mut plies = Vec::new();
    let mut next = start.map(|start| vec![start]);
    while let Some(ply) = next.filter(|ply| !ply.is_empty()) {
        next = met.after(&ply);
        plies.push(ply);
    }
    met.count(&plies)
}

/// The positions met, by number.
struct Met<'a> {
    lands: &'a Lands,
    limits: CountLimits,
    numbers: HashMap<Vec<LandId>, u32>,
    sums: Vec<Vec<LandId>>,
    /// The options of the first positions, sorted, each once. `None` for positions that are not expanded.
    options: Vec<Option<Box<[u32]>>>,
}

impl Met<'_> {
    /// The number of a position. `None` if there are too many.
    fn number(&mut self, sum: Vec<LandId>) -> Option<u32> {
        if let Some(&number) = self.numbers.get(&sum) {
            return Some(number);
        }
        if self.sums.len() >= self.limits.positions {
            return None;
        }
        let number = u32::try_from(self.sums.len()).ok()?;
        self.numbers.insert(sum.clone(), number);
        self.sums.push(sum);
        self.options.push(None);
        Some(number)
    }

    /// The positions one move after some positions, each once. `None` if a limit is reached.
    fn after(&mut self, ply: &[u32]) -> Option<Vec<u32>> {
        let mut is_next = vec![false; self.sums.len()];
        for &number in ply {
            self.expand(number)?;
            is_next.resize(self.sums.len(), false);
            for &option in self.options[number as usize].iter().flatten() {
                is_next[option as usize] = true;
            }
        }
        let numbers = (0..).zip(is_next);
        Some(
            numbers
                .filter_map(|(number, is_next)| is_next.then_some(number))
                .collect(),
        )
    }

    /// Finds the options of a position. `None` if a limit is reached.
    fn expand(&mut self, number: u32) -> Option<()> {
        let until = self.limits.until;
        let stop = || Instant::now() >= until;
        if stop() {
            return None;
        }
        if self.options[number as usize].is_some() {
            return Some(());
        }
        let sum = self.sums[number as usize].clone();
        let mut options = Vec::new();
        for (i, &land) in sum.iter().enumerate() {
            if i > 0 && sum[i - 1] == land {
                continue;
            }
            for option in self.lands.options(land, &stop)?.iter() {
                let mut after = [option, &sum[..i], &sum[i + 1..]].concat();
                after.sort_unstable();
                options.push(self.number(after)?);
            }
        }
        options.sort_unstable();
        options.dedup();
        self.options[number as usize] = Some(options.into());
        Some(())
    }

    fn count(&self, plies: &[Vec<u32>]) -> Count {
        let is_complete = self.options.iter().all(Option::is_some);
        let outcomes = is_complete.then(|| Play::ALL.map(|play| self.outcomes(play)));
        let lost = |ply: &mut dyn Iterator<Item = usize>| {
            let outcomes = outcomes.as_ref()?;
            let mut lost = Lost::default();
            for number in ply {
                let [normal, misere] = outcomes.each_ref().map(|of| of[number]);
                lost.normal += u64::from(normal == Outcome::Loss);
                lost.misere += u64::from(misere == Outcome::Loss);
            }
            Some(lost)
        };
        let is_end = |&number: &u32| self.sums[number as usize].is_empty();
        let shortest = plies.iter().position(|ply| ply.iter().any(is_end));
        let first = self.options.first().and_then(Option::as_ref);
        Count {
            is_complete,
            positions: self.sums.len() as u64,
            options: first.map(|options| options.len() as u64),
            shortest: shortest.map(|moves| moves as u32),
            longest: plies.len().saturating_sub(1) as u32,
            lost: lost(&mut (0..self.sums.len())),
            plies: plies
                .iter()
                .map(|ply| Ply {
                    positions: ply.len() as u64,
                    lost: lost(&mut ply.iter().map(|&number| number as usize)),
                })
                .collect(),
        }
    }

    /// The outcomes of all positions, if all are expanded: from the definition, smallest first.
    fn outcomes(&self, play: Play) -> Vec<Outcome> {
        let moves = |sum: &Vec<LandId>| -> u64 {
            let lands = sum
                .iter()
                .map(|&land| u64::from(self.lands.max_moves(land)));
            lands.sum()
        };
        let mut order: Vec<usize> = (0..self.sums.len()).collect();
        order.sort_by_cached_key(|&number| moves(&self.sums[number]));
        let mut outcomes = vec![Outcome::Win; self.sums.len()];
        for number in order {
            let options = self.options[number].as_deref().unwrap_or_default();
            let is_lost = |&option: &u32| outcomes[option as usize] == Outcome::Loss;
            let wins = match options {
                [] => play == Play::Misere,
                options => options.iter().any(is_lost),
            };
            outcomes[number] = Outcome::win_if(wins);
        }
        outcomes
    }
}

#[cfg(test)]
mod tests;
