//! What steers a search and proves nothing, as far as it can be [switched off](Switches).

use super::Numbers;
use crate::play::{Convention, Effort, Outcome, State, Switches};

/// A child is searched on until its disproof number exceeds that of the second best by this
/// share, so that the search does not hop to and fro (Pawlewicz and Lew 2007).
const EPSILON: f32 = 0.1;

/// A leaf like all others.
const ALIKE: Effort = Effort {
    win: 0.0,
    loss: 0.0,
};

/// The numbers with which a resolved state without parts begins.
pub(super) fn leaf<C: Convention>(convention: &C, state: &State<C::Value>) -> Numbers {
    let effort = match convention.switches().leaves {
        true => convention.effort(state),
        false => ALIKE,
    };
    effort.numbers()
}

/// Whether a leaf is glanced at first, which gives it numbers of its own.
pub(super) fn glances(switches: &Switches) -> bool {
    switches.glances && switches.leaves && switches.lookups
}

/// Up to which disproof number the best child is searched while the second best has that one.
pub(super) fn patience(switches: &Switches, second: u32) -> u32 {
    let epsilon = if switches.epsilon { EPSILON } else { 0.0 };
    let patience = (second as f32 * (1.0 + epsilon)) as u32;
    patience.max(Numbers::add(second, 1))
}

/// What the keys of children are mixed with before they are ordered by them.
pub(super) fn order(switches: &Switches) -> u128 {
    // Odd, so that no two seeds give the same order; the high bits count most.
    u128::from(switches.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
}

/// How the numbers of a state follow from those of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SumRule {
    /// To know a part takes, at least, to find that its player loses.
    Losses,
    /// A part takes the lesser of its two numbers, the last one too (Čížek, Balko and Schmid, arXiv
    /// 2511.10339).
    Lesser,
}

impl SumRule {
    /// The rule of a convention's searches.
    pub(super) fn of(switches: &Switches) -> Self {
        match switches.sums {
            true => Self::Losses,
            false => Self::Lesser,
        }
    }

    /// What it takes to know a part that is not the last.
    pub(super) fn before_last(self, part: Numbers) -> u32 {
        match (self, part.outcome()) {
            // Another thread found it to be a win since: what is to be tried next is not known yet.
            (_, Some(Outcome::Win)) => 1,
            (Self::Losses, _) => part.disproof,
            (Self::Lesser, _) => part.proof.min(part.disproof),
        }
    }

    /// What the last part adds. It is judged with a value that the others may still change.
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
mod tests {
    use super::*;

    #[test]
    fn lesser_numbers_are_what_sums_count() {
        let part = Numbers {
            proof: 7,
            disproof: 3,
        };
        let lesser = Numbers {
            proof: 3,
            disproof: 3,
        };
        assert_eq!(SumRule::Lesser.last(part), lesser);
        assert_eq!(SumRule::Lesser.before_last(part), 3);
        assert_eq!(SumRule::Losses.last(part), part);
        for rule in [SumRule::Losses, SumRule::Lesser] {
            for outcome in [Outcome::Win, Outcome::Loss] {
                // It may not stay so.
                let solved = Numbers::solved(outcome);
                assert_eq!(rule.last(solved).outcome(), None, "{rule:?}");
                assert!(rule.before_last(solved) < Numbers::INFINITE, "{rule:?}");
            }
        }
    }

    #[test]
    fn patience_is_never_less_than_one_step() {
        let eager = Switches {
            epsilon: false,
            ..Switches::default()
        };
        for second in [0, 1, 9, 100, 1 << 20, Numbers::INFINITE - 1] {
            let patience = patience(&Switches::default(), second);
            assert!(patience > second || second == Numbers::INFINITE - 1);
            assert!(super::patience(&eager, second) <= patience);
        }
        assert_eq!(patience(&eager, 100), 101);
        assert_eq!(patience(&Switches::default(), 100), 110);
    }

    #[test]
    fn seeds_differ_and_the_first_changes_nothing() {
        let order = |seed| {
            order(&Switches {
                seed,
                ..Switches::default()
            })
        };
        assert_eq!(order(0), 0);
        assert!(order(1) >> 120 != order(2) >> 120);
    }
}
