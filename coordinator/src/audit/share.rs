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
mod tests {
    use super::*;

    #[test]
    fn the_share_falls_from_all_to_the_floor() {
        let audit = AuditShare::default();
        let shares = [0, 1000, 9000, 49_000, 1_000_000].map(|confirmed| audit.share(confirmed));
        assert_eq!(shares, [1.0, 0.5, 0.1, 0.02, 0.02]);
        assert!((0..100_000).all(|n| audit.share(n) >= audit.share(n + 1)));
    }

    #[test]
    fn off_is_nothing_and_all_is_all() {
        assert!(!AuditShare::OFF.is_on());
        assert_eq!(AuditShare::OFF.share(0), 0.0);
        let all: AuditShare = "100%".parse().expect("a share");
        assert_eq!(all.share(1 << 40), 1.0);
    }

    #[test]
    fn as_it_is_written() {
        for text in ["off", "2%", "0.5%", "100%"] {
            let read: AuditShare = text.parse().expect("a share");
            assert_eq!(read.to_string(), text);
        }
        for bad in ["", "2", "0%", "-1%", "101%", "NaN%", "on", "half"] {
            assert!(bad.parse::<AuditShare>().is_err(), "{bad}");
        }
    }

    /// What `docs/trust.md` derives: after N records about sqrt(K² + 2KN) − K of them were audited,
    /// with K = 1000, as long as the floor is not reached.
    #[test]
    fn as_many_are_audited_as_the_integral_says() {
        let audit = AuditShare::default();
        for (reported, expected) in [
            (1_000, 732),
            (7_500, 3_000),
            (30_768, 6_908),
            (1_249_500, 49_000),
        ] {
            let mut confirmed = 0.0;
            for _ in 0..reported {
                confirmed += audit.share(confirmed as u64);
            }
            let off = (confirmed - f64::from(expected)).abs();
            assert!(off < 5.0, "{reported}: {confirmed}, not {expected}");
        }
    }
}
