//! The facts of records, and their encoding as a number.

use std::fmt;

use sproutnet_notation::{Outcome, Play};

/// The fact of a record about its subject: a land under normal play, a state under misère play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// The nimber of the land.
    Nimber(u64),
    /// Nimbers that the land does not have.
    Excluded(Nimbers),
    /// The player to move loses the state.
    Loss,
    /// The player to move wins the state.
    Win,
}

/// A set of nimbers below 63, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Nimbers(u64);

impl Fact {
    /// Nothing is known about a land.
    pub const NOTHING: Self = Self::Excluded(Nimbers(0));

    /// The fact about a land with this number: `2g + 1` for the nimber `g`, or `2m` for the excluded nimbers in the bit
    /// mask `m`.
    pub fn of_land(value: u64) -> Self {
        match value & 1 {
            1 => Self::Nimber(value >> 1),
            _ => Self::Excluded(Nimbers(value >> 1)),
        }
    }

    /// The fact with this number under a convention. Under misère play, 0 is a loss and 1 a win; no other number is a
    /// fact.
    pub fn read(play: Play, value: u64) -> Option<Self> {
        match (play, value) {
            (Play::Normal, _) => Some(Self::of_land(value)),
            (Play::Misere, 0) => Some(Self::Loss),
            (Play::Misere, 1) => Some(Self::Win),
            (Play::Misere, _) => None,
        }
    }

    /// The convention of the fact.
    pub fn play(self) -> Play {
        match self {
            Self::Nimber(_) | Self::Excluded(_) => Play::Normal,
            Self::Loss | Self::Win => Play::Misere,
        }
    }

    /// The number of the fact: see [`Self::read`].
    pub fn value(self) -> u64 {
        match self {
            Self::Nimber(nimber) => nimber << 1 | 1,
            Self::Excluded(nimbers) => nimbers.0 << 1,
            Self::Loss => 0,
            Self::Win => 1,
        }
    }

    /// The nimber, if this is its fact.
    pub fn nimber(self) -> Option<u64> {
        match self {
            Self::Nimber(nimber) => Some(nimber),
            _ => None,
        }
    }

    /// The outcome, if this is its fact.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Loss => Some(Outcome::Loss),
            Self::Win => Some(Outcome::Win),
            _ => None,
        }
    }

    /// Both facts of one subject combined. `None` if they contradict each other.
    pub fn merge(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Excluded(a), Self::Excluded(b)) => Some(Self::Excluded(Nimbers(a.0 | b.0))),
            (Self::Nimber(nimber), Self::Excluded(excluded))
            | (Self::Excluded(excluded), Self::Nimber(nimber)) => {
                (!excluded.contains(nimber)).then_some(Self::Nimber(nimber))
            }
            _ => (self == other).then_some(self),
        }
    }

    /// The part of this fact that is missing in a known one: known exclusions are left out.
    #[must_use]
    pub fn beyond(self, known: Self) -> Self {
        match (self, known) {
            (Self::Excluded(new), Self::Excluded(known)) => {
                Self::Excluded(Nimbers(new.0 & !known.0))
            }
            _ => self,
        }
    }
}

impl From<Outcome> for Fact {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Loss => Self::Loss,
            Outcome::Win => Self::Win,
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nimber(nimber) => write!(f, "nimber {nimber}"),
            Self::Excluded(nimbers) => {
                let nimbers: Vec<_> = nimbers.iter().map(|nimber| nimber.to_string()).collect();
                write!(f, "nimber not {}", nimbers.join(", "))
            }
            Self::Loss => f.write_str("loss"),
            Self::Win => f.write_str("win"),
        }
    }
}

impl Nimbers {
    /// The largest nimber that can be in a set.
    pub const LARGEST: u32 = 62;

    /// The set of one nimber. Empty if that is larger than [`Nimbers::LARGEST`].
    pub fn only(nimber: u32) -> Self {
        Self(1_u64.checked_shl(nimber).unwrap_or(0)).up_to(Self::LARGEST)
    }

    /// The nimbers up to `largest`, which is 62 at most.
    #[must_use]
    pub fn up_to(self, largest: u32) -> Self {
        Self(self.0 & ((2 << largest) - 1))
    }

    /// Whether a nimber is in the set.
    pub fn contains(self, nimber: u64) -> bool {
        nimber < 64 && self.0 >> nimber & 1 == 1
    }

    /// The smallest nimber that is not in the set.
    pub fn mex(self) -> u32 {
        self.0.trailing_ones()
    }

    /// The nimbers in the set, in order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..=Self::LARGEST).filter(move |&nimber| self.contains(u64::from(nimber)))
    }
}

#[cfg(test)]
mod tests;
