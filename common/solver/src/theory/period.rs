//! Sequences of nimbers that repeat for ever.
//!
//! Let a move take at most k tokens, and let what it may do depend only on what it takes. Let G(n + p) = G(n) for all n
//! from s up to, but not including, a *limit* e, and s ≥ 1.
//!
//! - If a move can split, e = 2s + p + k is enough for G(n + p) = G(n) for all n ≥ s (Guy and Smith 1956). For n ≥ e, a
//!   move from n + p leaves i + j = n + p − t with i ≥ j and t ≤ k. Then i ≥ (n + p − k) / 2 ≥ s + p, so that
//!   G(i − p) = G(i), and i − p and j are what a move from n leaves. In the same way, a move from n leaves i ≥ s, and
//!   i + p and j are what a move from n + p leaves. So both heaps have options of the same nimbers. The last value that
//!   is compared is that of the heap e − 1 + p = 2s + 2p + k − 1.
//! - If no move can split, e = s + k is enough: the nimbers of the k heaps below n decide that of n.
//!
//! If the equation is found to hold for smaller n, it holds from there on.

use sproutnet_game::heaps::Reach;

/// A proved period: G(n + length) = G(n) for all n ≥ start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The smallest n from which the nimbers repeat.
    pub start: u32,
    /// The length of the period, the smallest one.
    pub length: u32,
    /// The largest heap whose nimber the proof compares.
    pub verified: u32,
    /// Whether the proof is that of Guy and Smith, for games in which a move can split a heap.
    pub splits: bool,
}

impl Period {
    /// Finds the period that the first nimbers of a sequence prove, the shortest one.
    pub fn find(nimbers: &[u32], reach: Reach) -> Option<Self> {
        (1..nimbers.len().div_ceil(2)).find_map(|length| {
            let repeats = nimbers.iter().zip(&nimbers[length..]).rev();
            let run = repeats.take_while(|(one, other)| one == other).count();
            let start = nimbers.len() - length - run;
            let proved = Self::proved(start as u32, length as u32, reach);
            ((proved.verified as usize) < nimbers.len()).then_some(proved)
        })
    }

    /// The period, if the nimbers of all heaps up to [`Self::verified`] repeat from a start on.
    fn proved(start: u32, length: u32, reach: Reach) -> Self {
        let (s, k) = (start.max(1), reach.most_taken);
        let limit = if reach.splits {
            2 * s + length + k
        } else {
            s + k
        };
        Self {
            start,
            length,
            verified: limit - 1 + length,
            splits: reach.splits,
        }
    }

    /// The smallest heap of the same nimber according to the period.
    pub fn first_like(&self, size: u32) -> u32 {
        match size.checked_sub(self.start) {
            Some(after) => self.start + after % self.length,
            None => size,
        }
    }
}

#[cfg(test)]
mod tests;
