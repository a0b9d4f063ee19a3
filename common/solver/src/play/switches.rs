//! The switches of a search. Each is for one thing that makes the search fast, and is turned off to measure its effect.

use std::fmt;
use std::str::FromStr;

/// The switches of a search, and its seed. They change the time of a proof, not its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switches {
    /// A bit for each switch that is off.
    off: u8,
    /// Orders equally good children, so that searches differ by seed and can be repeated.
    pub seed: u64,
}

/// A switch, as named on the command line. Usually all are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// Leaves begin with numbers estimated from the lives left. Off, all begin with the same numbers.
    Leaves,
    /// A child is searched until it is worse than the second best by a share, so that the search does not jump back and
    /// forth. Off, until it is worse at all.
    Epsilon,
    /// A state of several lands counts the effort to find the nimbers of all. Off, it counts for each land the lesser
    /// number of the couple that is tried next, as in SPOTS (Čížek, Balko and Schmid, arXiv 2511.10339).
    Sums,
    /// A proved win is kept; under normal play it excludes a nimber. Off, only losses are kept: a win is
    /// found again from the loss that it leads to.
    Exclusions,
    /// Under normal play options are looked up while they are generated: a lost one decides at once,
    /// and known nimbers of options exclude nimbers of the land. Off, all are generated first.
    Lookups,
    /// A leaf is expanded partially before all its options are generated. Off also without leaves or
    /// look-ups.
    Partial,
    /// Under misère play, the search tries to prove that lands of medium size are heaps. Off, only small
    /// lands are valued.
    Heaps,
}

impl Switches {
    /// All switches are on, with seed 0.
    pub const ALL_ON: Self = Self::seeded(0);

    /// All switches are on, with this seed.
    pub const fn seeded(seed: u64) -> Self {
        Self { off: 0, seed }
    }

    /// Turns one switch off.
    #[must_use]
    pub const fn without(mut self, switch: Switch) -> Self {
        self.off |= 1 << switch as u8;
        self
    }

    /// Whether a switch is on.
    pub fn has(&self, switch: Switch) -> bool {
        self.off >> switch as u8 & 1 == 0
    }
}

impl Default for Switches {
    fn default() -> Self {
        Self::ALL_ON
    }
}

impl Switch {
    /// All of them, in order.
    pub const ALL: [Self; 7] = [
        Self::Leaves,
        Self::Epsilon,
        Self::Sums,
        Self::Exclusions,
        Self::Lookups,
        Self::Partial,
        Self::Heaps,
    ];

    /// The name as written on the command line.
    pub fn name(self) -> &'static str {
        let names = [
            "leaves",
            "epsilon",
            "sums",
            "exclusions",
            "lookups",
            "partial",
            "heaps",
        ];
        names[self as usize]
    }
}

impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Text that names no [`Switch`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected one of {}, found `{found}`", Switch::ALL.map(Switch::name).join(", "))]
pub struct SwitchError {
    found: String,
}

impl FromStr for Switch {
    type Err = SwitchError;

    fn from_str(text: &str) -> Result<Self, SwitchError> {
        // The name in earlier versions.
        let name = if text == "glances" { "partial" } else { text };
        let found = Self::ALL.into_iter().find(|switch| switch.name() == name);
        found.ok_or_else(|| SwitchError {
            found: text.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests;
