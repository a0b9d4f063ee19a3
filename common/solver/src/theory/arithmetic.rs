//! Arithmetic periods: nimbers that grow by a *saltus* with each period.
//!
//! Let F be a sequence that agrees with the nimbers G as far as these are known, and satisfies F(n + p) = F(n) + s for all
//! n ≥ e. Two theorems give conditions on the moves from the heaps of one period, the *window*, such that G = F:
//!
//! - [`any_number`] is about moves that take any number of tokens, as in Nim and Lasker's Nim.
//! - [`three_heaps`] is about moves that leave three heaps, in hexadecimal games.
//!
//! `docs/reference/certificates-of-theory.md` has both with their proofs. *Winning Ways*, chapter 4, and Siegel,
//! *Combinatorial Game Theory*, section IV.2, describe arithmetic periods. The theorems may fail to prove a period; they
//! never prove a wrong one.

mod any_number;
mod claim;
mod three_heaps;

use std::cell::Cell;

use sproutnet_game::heaps::{Heap, Reach};

use self::claim::Claim;
use super::period::{Period, repeats_from};

/// A period is sought only if the sequence has this many of it after its start.
const REPEATS: usize = 2;

/// A period that fails is tried with its saltus doubled up to this number of times.
const DOUBLINGS: u32 = 6;

/// A theorem: whether its conditions hold for a heap of the window, and the largest length of a period.
type Theorem = (fn(&Claim<'_>, usize) -> bool, usize);

/// The theorem about games of this reach, if there is one.
fn theorem(reach: Reach) -> Option<Theorem> {
    match (reach.takes_any, reach.most_left) {
        (true, ..=2) => Some((any_number::holds, any_number::LONGEST)),
        (false, 3) => Some((three_heaps::holds, three_heaps::LONGEST)),
        _ => None,
    }
}

/// Whether a theorem is about games of this reach.
pub(super) fn applies(reach: Reach) -> bool {
    theorem(reach).is_some()
}

/// Finds the arithmetic period that the first nimbers of a sequence prove, the shortest one. Gives up after this number
/// of steps, which take some nanoseconds each.
pub(super) fn find(
    nimbers: &[u32],
    heap: &dyn Heap,
    reach: Reach,
    most_steps: u64,
) -> Option<Period> {
    let theorem = theorem(reach)?;
    let steps = Cell::new(most_steps);
    let last = nimbers.len().checked_sub(1)?;
    (1..=(last / (REPEATS + 1)).min(theorem.1)).find_map(|length| {
        let saltus = nimbers[last].checked_sub(nimbers[last - length])?;
        let start = (saltus > 0).then(|| repeats_from(nimbers, length, saltus))?;
        let claim = Claim {
            nimbers,
            heap,
            reach,
            start: start.max(1),
            length,
            saltus,
            steps: &steps,
        };
        let is_long = start + (REPEATS + 1) * length <= last;
        let verified = is_long.then(|| proved(&claim, theorem))??;
        Some(Period {
            start: start as u32,
            length: length as u32,
            saltus,
            verified: verified as u32,
            most_left: reach.most_left,
        })
    })
}

/// The largest heap that the proof compares, if the claim is proved: with its saltus or a multiple of it.
fn proved(claim: &Claim<'_>, (holds, longest): Theorem) -> Option<usize> {
    (0..=DOUBLINGS).find_map(|doubled| {
        let claim = Claim {
            length: claim.length << doubled,
            saltus: claim.saltus << doubled,
            ..*claim
        };
        if claim.length > longest || claim.reach.most_left > 1 && !claim.may_split() {
            return None;
        }
        let limits = (claim.least_limit()..=claim.nimbers.len()).step_by(claim.length);
        limits
            .take_while(|_| claim.steps.get() > 0)
            .find(|&limit| claim.window(limit).all(|size| holds(&claim, size)))
            .map(|limit| limit - 1)
    })
}

#[cfg(test)]
mod tests;
