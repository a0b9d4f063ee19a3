//! The ideas that make a search fast, each of which can be switched off to measure what it is worth.

use std::fmt;
use std::str::FromStr;

/// Which ideas a search uses. None changes what is proved, only how soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Switches {
    /// Leaves begin with numbers estimated from the lives left. Off, all begin alike.
    pub leaves: bool,
    /// A child is searched on until it is a share worse than the second best, so that the search does
    /// not hop to and fro. Off, until it is worse at all.
    pub epsilon: bool,
    /// A state of several lands counts what it takes to find the nimbers of all. Off, it counts for
    /// each land the lesser number of the couple that is tried next, as SPOTS does (Čížek, Balko and
    /// Schmid, arXiv 2511.10339).
    pub sums: bool,
    /// What is proved a win is one at sight from then on; under normal play it excludes a nimber. Off,
    /// only losses are: a win is found again from the loss that it leads to.
    pub exclusions: bool,
    /// Under normal play options are looked up while they are generated: a lost one decides at once,
    /// and known nimbers of options exclude nimbers of the land. Off, all are generated first.
    pub lookups: bool,
    /// A leaf is glanced at before all its options are generated. Off too if leaves or look-ups are.
    pub glances: bool,
    /// Under misère play one tries to prove that lands of medium size are heaps. Off, only small lands
    /// are valued.
    pub heaps: bool,
    /// Orders children that look equally good, so that searches differ by seed and can be repeated.
    pub seed: u64,
}

impl Switches {
    /// All ideas are used, with seed 0.
    pub const ALL_ON: Self = Self {
        leaves: true,
        epsilon: true,
        sums: true,
        exclusions: true,
        lookups: true,
        glances: true,
        heaps: true,
        seed: 0,
    };

    /// The same with one idea less.
    #[must_use]
    pub fn without(mut self, switch: Switch) -> Self {
        let switched = match switch {
            Switch::Leaves => &mut self.leaves,
            Switch::Epsilon => &mut self.epsilon,
            Switch::Sums => &mut self.sums,
            Switch::Exclusions => &mut self.exclusions,
            Switch::Lookups => &mut self.lookups,
            Switch::Glances => &mut self.glances,
            Switch::Heaps => &mut self.heaps,
        };
        *switched = false;
        self
    }
}

impl Default for Switches {
    /// All ideas are used, with seed 0.
    fn default() -> Self {
        Self::ALL_ON
    }
}

/// One of the [`Switches`], as named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// See [`Switches::leaves`].
    Leaves,
    /// See [`Switches::epsilon`].
    Epsilon,
    /// See [`Switches::sums`].
    Sums,
    /// See [`Switches::exclusions`].
    Exclusions,
    /// See [`Switches::lookups`].
    Lookups,
    /// See [`Switches::glances`].
    Glances,
    /// See [`Switches::heaps`].
    Heaps,
}

impl Switch {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Leaves,
        Self::Epsilon,
        Self::Sums,
        Self::Exclusions,
        Self::Lookups,
        Self::Glances,
        Self::Heaps,
    ];

    /// The name as written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Leaves => "leaves",
            Self::Epsilon => "epsilon",
            Self::Sums => "sums",
            Self::Exclusions => "exclusions",
            Self::Lookups => "lookups",
            Self::Glances => "glances",
            Self::Heaps => "heaps",
        }
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
        let found = Self::ALL.into_iter().find(|switch| switch.name() == text);
        found.ok_or_else(|| SwitchError {
            found: text.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_switches_off_one_thing() {
        let mut left = Switches::default();
        for switch in Switch::ALL {
            assert_eq!(switch.name().parse(), Ok(switch));
            let before = left;
            left = left.without(switch);
            assert_ne!(left, before, "{switch}");
            assert_eq!(left.without(switch), left, "{switch}");
        }
        let error = "speed".parse::<Switch>().expect_err("no switch");
        assert_eq!(
            error.to_string(),
            "expected one of leaves, epsilon, sums, exclusions, lookups, glances, heaps, found `speed`"
        );
    }
}
