//! The share of a worker's records that is audited.

use std::fmt;
use std::str::FromStr;

/// The number of confirmed records at which a worker's share is one half.
const HALVES: f64 = 1000.0;

/// The share of a worker's records that is audited: all of them at first, then less down to a floor.
///
/// After c confirmed records, the share is 1000 / (1000 + c), but never below the floor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AuditShare {
    floor: f64,
    falls: bool,
}

impl Default for AuditShare {
    /// At least one record in fifty.
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

    /// The same share for all workers, regardless of confirmed records.
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

    /// The share of a worker's records that is audited after `confirmed` confirmed ones.
    pub fn share(self, confirmed: u64) -> f64 {
        if self.falls {
            (HALVES / (HALVES + confirmed as f64)).max(self.floor)
        } else {
            self.floor
        }
    }
}

/// The text is not a valid share.
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
        if self.is_on() {
            write!(f, "{}%", self.floor * 100.0)
        } else {
            f.write_str("off")
        }
    }
}

#[cfg(test)]
#[allow(
    clippy::float_cmp,
    reason = "these shares are written as they are computed"
)]
mod tests;
