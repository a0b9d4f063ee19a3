//! Coordinates in documents.

use std::fmt::{self, Display, Formatter};

/// A coordinate with at most two decimals.
pub(super) struct Number(pub(super) f64);

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // A picture has thousands of numbers, and this is faster than `{:.2}` for whole ones.
        let hundredths = (self.0 * 100.0).round() as i64;
        let (whole, rest) = (
            hundredths.unsigned_abs() / 100,
            hundredths.unsigned_abs() % 100,
        );
        let sign = if hundredths < 0 { "-" } else { "" };
        match (rest, rest % 10) {
            (0, _) => write!(f, "{sign}{whole}"),
            (_, 0) => write!(f, "{sign}{whole}.{}", rest / 10),
            _ => write!(f, "{sign}{whole}.{rest:02}"),
        }
    }
}
