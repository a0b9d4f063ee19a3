//! The worth of facts.

/// The work of a fact: log2 of the number of visits of its search, rounded down.
///
/// Where room is short, facts of more worth are kept and sent first. It says nothing about the truth of the fact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth(u8);

impl Worth {
    /// The worth of facts of at most one visit, or of unknown work.
    pub const LEAST: Self = Self(0);

    /// The worth of facts that are removed last, whatever their work.
    pub const MOST: Self = Self(63);

    /// The worth of a fact that took `visits` visits.
    pub const fn of_visits(visits: u64) -> Self {
        match visits.checked_ilog2() {
            Some(worth) => Self(worth as u8),
            None => Self::LEAST,
        }
    }

    /// The worth with this log2; `None` above 63.
    pub const fn from_log2(log2: u8) -> Option<Self> {
        if log2 <= Self::MOST.0 {
            Some(Self(log2))
        } else {
            None
        }
    }

    /// log2 of the visits, rounded down.
    pub const fn log2(self) -> u8 {
        self.0
    }

    /// The least number of visits of a fact of this worth.
    pub const fn visits(self) -> u64 {
        1 << self.0
    }
}

#[cfg(test)]
mod tests;
