//! Proof and disproof numbers (Allis, van der Meulen and van den Herik 1994).

use serde::{Deserialize, Serialize};

use crate::Outcome;

/// How large the effort to prove a state is, at least: `proof` to prove that the player to move
/// wins, `disproof` that this player loses. Zero when that is done, [`Numbers::INFINITE`] when it is
/// impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Numbers {
    /// Effort to prove a win.
    pub proof: u32,
    /// Effort to prove a loss.
    pub disproof: u32,
}

impl Numbers {
    /// Proved impossible.
    pub const INFINITE: u32 = u32::MAX;

    /// The largest finite number.
    pub const LARGEST: u32 = u32::MAX - 1;

    /// No limit on either number.
    pub const UNLIMITED: Self = Self {
        proof: Self::INFINITE,
        disproof: Self::INFINITE,
    };

    /// The numbers of a state of that outcome.
    #[inline]
    pub fn solved(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win => Self {
                proof: 0,
                disproof: Self::INFINITE,
            },
            Outcome::Loss => Self {
                proof: Self::INFINITE,
                disproof: 0,
            },
        }
    }

    /// The numbers of a state by those of its children, all that are not proved to be wins.
    #[inline]
    pub fn of_children(children: impl Iterator<Item = Self>) -> Self {
        let none = Self {
            proof: Self::INFINITE,
            disproof: 0,
        };
        children.fold(none, |sum, child| Self {
            proof: sum.proof.min(child.disproof),
            disproof: Self::add(sum.disproof, child.proof),
        })
    }

    /// The outcome, if one of the numbers is zero.
    #[inline]
    pub fn outcome(self) -> Option<Outcome> {
        match (self.proof, self.disproof) {
            (0, _) => Some(Outcome::Win),
            (_, 0) => Some(Outcome::Loss),
            _ => None,
        }
    }

    /// Whether one of the numbers has reached its limit.
    #[inline]
    pub fn reach(self, limit: Self) -> bool {
        self.proof >= limit.proof || self.disproof >= limit.disproof
    }

    /// The product of a finite effort and a count, which is finite.
    #[inline]
    pub fn times(effort: u32, times: u32) -> u32 {
        effort.saturating_mul(times).min(Self::LARGEST)
    }

    /// Sum of efforts, finite if both are.
    #[inline]
    pub fn add(a: u32, b: u32) -> u32 {
        if a == Self::INFINITE || b == Self::INFINITE {
            Self::INFINITE
        } else {
            a.saturating_add(b).min(Self::LARGEST)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_stay_finite_unless_a_term_is_infinite() {
        let large = Numbers::INFINITE - 1;
        assert_eq!(Numbers::add(large, large), large);
        assert_eq!(Numbers::add(1, Numbers::INFINITE), Numbers::INFINITE);
    }
}
