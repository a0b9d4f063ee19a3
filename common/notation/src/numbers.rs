//! Proof and disproof numbers (Allis, van der Meulen and van den Herik 1994).

use serde::{Deserialize, Serialize};

use crate::Outcome;

/// Lower bounds on the effort to solve a state: `proof` to prove that the player to move wins,
/// `disproof` to prove that this player loses. Zero means proved, [`Numbers::INFINITE`] disproved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Numbers {
    /// The effort to prove a win.
    pub proof: u32,
    /// The effort to prove a loss.
    pub disproof: u32,
}

impl Numbers {
    /// The number of an impossible proof.
    pub const INFINITE: u32 = u32::MAX;

    /// The largest finite number.
    pub const LARGEST: u32 = u32::MAX - 1;

    /// No limit on either number.
    pub const UNLIMITED: Self = Self {
        proof: Self::INFINITE,
        disproof: Self::INFINITE,
    };

    /// The numbers of a solved state.
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

    /// The numbers of a state, from those of its children. Children that are proved wins may be left out.
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

    /// Whether one of the numbers has reached its limit in `limit`.
    #[inline]
    pub fn reach(self, limit: Self) -> bool {
        self.proof >= limit.proof || self.disproof >= limit.disproof
    }

    /// The product of a finite effort and a count. The result is finite.
    #[inline]
    pub fn times(effort: u32, times: u32) -> u32 {
        effort.saturating_mul(times).min(Self::LARGEST)
    }

    /// The sum of two efforts. It is finite if both are.
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
mod tests;
