//! Which share is audited of what a worker reports.

use std::fmt;
use std::str::FromStr;

/// So many confirmed records halve the share of a new worker.
const HALVES: f64 = 1000.0;

/// The share below which the share of a worker never falls, or that nothing is audited.
///
/// All is audited that a new worker reports. Once c of its records were confirmed, it is a share
/// of 1000 / (1000 + c), down to the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuditShare {
    floor: f64,
    falls: bool,
}

impl Default for AuditShare {
    /// One record of fifty.
    fn default() -> Self {
        Self {
            floor: 0.02,
            falls: true,
        }
    }
}

impl AuditShare {
    /// Nothing is audited: all workers are trusted.
    pub const OFF: Self = Self {
        floor: 0.0,
        falls: false,
    };

    /// The share is the same for all, whatever was confirmed.
    pub fn constant(share: f64) -> Self {
        Self {
            floor: share.clamp(0.0, 1.0),
            falls: false,
        }
    }

    /// Whether anything is audited.
    pub fn is_on(self) -> bool {
        self.falls || self.floor > 0.0
    }

    /// The share of what a worker reports, once so many of its records were confirmed.
    pub fn share(self, confirmed: u64) -> f64 {
        match self.falls {
            true => (HALVES / (HALVES + confirmed as f64)).max(self.floor),
            false => self.floor,
        }
    }
}

/// Text that is no value of the option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected off, or a share such as 2%, at most 100%, found `{0}`")]
pub struct AuditShareError(String);

impl FromStr for AuditShare {
    type Err = AuditShareError;

    fn from_str(text: &str) -> Result<Self, AuditShareError> {
        if text == "off" {
            return Ok(Self::OFF);
        }
        let percent = text
            .strip_suffix('%')
            .and_then(|number| number.trim().parse::<f64>().ok());
        let share = percent.filter(|percent| *percent > 0.0 && *percent <= 100.0);
        let floor = share.ok_or_else(|| AuditShareError(text.to_owned()))? / 100.0;
        Ok(Self { floor, falls: true })
    }
}

impl fmt::Display for AuditShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_on() {
            true => write!(f, "{}%", self.floor * 100.0),
            false => f.write_str("off"),
        }
    }
}

#[cfg(test)]
#[allow(
    clippy::float_cmp,
    reason = "these shares are written as they are computed"
)]
mod tests;
