//! Sequences of nimbers that repeat for ever.
//!
//! Let a move take at most k tokens and leave at most h heaps, and let what it may do depend only on what it takes. Let
//! G(n + p) = G(n) for all n from s up to, but not including, a *limit* e = hs + (h − 1)p + k, and s ≥ 1. Then
//! G(n + p) = G(n) for all n ≥ s. For h = 2 this is the theorem of Guy and Smith (1956).
//!
//! Proof, by induction on n ≥ e. The largest of the heaps that a move from n + p leaves has at least
//! (n + p − k) / h ≥ s + p tokens. Take p tokens from it: by induction, that does not change its nimber, and the heaps
//! are what a move from n leaves. In the same way, the largest heap that a move from n leaves has at least
//! (n − k) / h ≥ s tokens, and with p more of them it is left by a move from n + p. So both heaps have options of the
//! same nimbers. The last value that is compared is that of the heap e − 1 + p.
//!
//! Moves that take more than k tokens change nothing if all of them take the whole heap: n ≥ e > k, so both heaps have
//! that option. If they may leave any heap, nimbers do not repeat: see [`arithmetic`](super::arithmetic).
//!
//! If the equation is found to hold for smaller n, it holds from there on.

use sproutnet_game::heaps::Reach;

/// A proved period: G(n + length) = G(n) + saltus for all n ≥ start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The smallest n from which the nimbers repeat.
    pub start: u32,
    /// The length of the period, the smallest one.
    pub length: u32,
    /// The difference between a nimber and that of the heap one period before. If it is not 0, the period is arithmetic.
    pub saltus: u32,
    /// The largest heap whose nimber the proof compares.
    pub verified: u32,
    /// The largest number of heaps that a move can leave.
    pub most_left: u32,
}

impl Period {
    /// Finds the period without saltus that the first nimbers of a sequence prove, the shortest one.
    pub fn find(nimbers: &[u32], reach: Reach) -> Option<Self> {
        if reach.takes_any {
            return None;
        }
        (1..nimbers.len().div_ceil(2)).find_map(|length| {
            let start = repeats_from(nimbers, length, 0);
            let proved = Self::proved(start as u32, length as u32, reach);
            ((proved.verified as usize) < nimbers.len()).then_some(proved)
        })
    }

    /// The period, if the nimbers of all heaps up to [`Self::verified`] repeat from a start on.
    fn proved(start: u32, length: u32, reach: Reach) -> Self {
        let (s, k, h) = (start.max(1), reach.most_taken, reach.most_left);
        let limit = h * s + (h - 1) * length + k;
        Self {
            start,
            length,
            saltus: 0,
            verified: limit - 1 + length,
            most_left: h,
        }
    }

    /// The largest heap whose nimber a certificate states: the proof compares the heaps up to it, and the period is there
    /// twice.
    pub fn stated(&self) -> u32 {
        self.verified.max(self.start + 2 * self.length - 1)
    }

    /// The smallest heap of the same nimber according to the period, or with a saltus, of the same place in the period.
    pub fn first_like(&self, size: u32) -> u32 {
        match size.checked_sub(self.start) {
            Some(after) => self.start + after % self.length,
            None => size,
        }
    }

    /// The nimber of a heap, given those of the heaps up to [`Self::verified`].
    pub fn nimber(&self, nimbers: &[u32], size: u32) -> Option<u32> {
        let like = self.first_like(size);
        let periods = (size - like) / self.length;
        Some(nimbers.get(like as usize)? + periods * self.saltus)
    }
}

/// The smallest n from which G(n + length) = G(n) + saltus, as far as the nimbers go.
pub(super) fn repeats_from(nimbers: &[u32], length: usize, saltus: u32) -> usize {
    let repeats = nimbers.iter().zip(&nimbers[length..]).rev();
    let run = repeats
        .take_while(|&(one, other)| one.checked_add(saltus) == Some(*other))
        .count();
    nimbers.len() - length - run
}

#[cfg(test)]
mod tests;
