//! The guidance of a search. It proves nothing.

use super::Numbers;
use crate::play::{Convention, Effort, Outcome, State, Switch, Switches};

/// The share by which a child's disproof number may exceed that of the second best before the search leaves the child
/// (Pawlewicz and Lew 2007).
const EPSILON: f32 = 0.1;

/// The number of units in a leaf, so that small estimates do not all round to one.
const SCALE: f32 = 32.0;

impl Effort {
    /// The numbers of a leaf with this estimate.
    pub fn numbers(self) -> Numbers {
        let number = |ln: f32| ((SCALE * ln.exp()) as u32).clamp(1, Numbers::LARGEST);
        Numbers {
            proof: number(self.win),
            disproof: number(self.loss),
        }
    }
}

/// The uniform estimate, used when leaf estimates are off.
const ALIKE: Effort = Effort {
    win: 0.0,
    loss: 0.0,
};

/// The initial numbers of a resolved state without parts.
pub(super) fn leaf<C: Convention>(convention: &C, state: &State<C::Value>) -> Numbers {
    if convention.switches().has(Switch::Leaves) {
        convention.effort(state).numbers()
    } else {
        ALIKE.numbers()
    }
}

/// Whether a leaf is first expanded partially, which gives it numbers of its own.
pub(super) fn partial(switches: &Switches) -> bool {
    let needed = [Switch::Partial, Switch::Leaves, Switch::Lookups];
    needed.iter().all(|&switch| switches.has(switch))
}

/// The disproof number up to which the best child is searched, given that of the second best.
pub(super) fn patience(switches: &Switches, second: u32) -> u32 {
    let epsilon = if switches.has(Switch::Epsilon) {
        EPSILON
    } else {
        0.0
    };
    let patience = (second as f32 * (1.0 + epsilon)) as u32;
    patience.max(Numbers::add(second, 1))
}

/// The position of the first least disproof number, and the least of the others.
pub(super) fn least_two(disproofs: impl Iterator<Item = u32>) -> (usize, u32) {
    let (mut best, mut least, mut second) = (0, Numbers::INFINITE, Numbers::INFINITE);
    for (i, disproof) in disproofs.enumerate() {
        if disproof < least {
            second = least;
            (best, least) = (i, disproof);
        } else {
            second = second.min(disproof);
        }
    }
    (best, second)
}

/// A number that is combined with the keys of children by exclusive or, to order them.
pub(super) fn order(switches: &Switches) -> u128 {
    // Odd, so that no two seeds give the same order; the high bits count most.
    u128::from(switches.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
}

/// How the numbers of a state follow from those of its parts. See [`Switch::Sums`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SumRule {
    /// A part counts with its disproof number: the proof that the player to move there loses.
    Losses,
    /// A part counts with the lesser of its two numbers, the last one too.
    Lesser,
}

impl SumRule {
    pub(super) fn of(switches: &Switches) -> Self {
        if switches.has(Switch::Sums) {
            Self::Losses
        } else {
            Self::Lesser
        }
    }

    /// The effort for a part that is not the last.
    pub(super) fn before_last(self, part: Numbers) -> u32 {
        match (self, part.outcome()) {
            // Another thread proved a win meanwhile: the next part to try is not yet known.
            (_, Some(Outcome::Win)) => 1,
            (Self::Losses, _) => part.disproof,
            (Self::Lesser, _) => part.proof.min(part.disproof),
        }
    }

    /// The numbers that the last part adds. The others may still change the value beside it.
    pub(super) fn last(self, part: Numbers) -> Numbers {
        match (self, part.outcome()) {
            (Self::Losses, None) => part,
            (Self::Losses, Some(outcome)) => Numbers {
                proof: 1 + u32::from(outcome == Outcome::Loss),
                disproof: 1 + u32::from(outcome == Outcome::Win),
            },
            (Self::Lesser, _) => {
                let lesser = part.proof.min(part.disproof).max(1);
                Numbers {
                    proof: lesser,
                    disproof: lesser,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
