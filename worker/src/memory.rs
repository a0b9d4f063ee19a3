//! Amounts of memory as people write them.

use std::fmt;
use std::str::FromStr;

/// A number of bytes, written as `512MiB`, `2GiB`, `64M` or plain bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Memory(pub usize);

/// Text that is no amount of memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an amount of memory such as 512MiB or 2GiB, found `{0}`")]
pub struct MemoryError(String);

const UNITS: [(&str, u32); 4] = [("", 0), ("K", 10), ("M", 20), ("G", 30)];

impl FromStr for Memory {
    type Err = MemoryError;

    fn from_str(text: &str) -> Result<Self, MemoryError> {
        let error = || MemoryError(text.to_owned());
        let digits = text
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let unit = unit.trim().to_ascii_uppercase();
        let unit = unit
            .strip_suffix("IB")
            .or(unit.strip_suffix('B'))
            .unwrap_or(&unit);
        let shift = UNITS
            .iter()
            .find(|(name, _)| *name == unit)
            .ok_or_else(error)?
            .1;
        let number: usize = number.parse().map_err(|_| error())?;
        number.checked_mul(1 << shift).map(Self).ok_or_else(error)
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = UNITS
            .iter()
            .rev()
            .find(|(_, shift)| self.0 > 0 && self.0.is_multiple_of(1 << shift));
        match exact {
            Some((unit, shift)) if !unit.is_empty() => write!(f, "{}{unit}iB", self.0 >> shift),
            _ => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_and_written() {
        for (text, bytes, written) in [
            ("512MiB", 512 << 20, "512MiB"),
            ("2g", 2 << 30, "2GiB"),
            ("64 MB", 64 << 20, "64MiB"),
            ("1000", 1000, "1000"),
            ("0", 0, "0"),
        ] {
            let memory: Memory = text.parse().expect(text);
            assert_eq!((memory.0, memory.to_string().as_str()), (bytes, written));
        }
        for bad in ["", "MiB", "-1", "1.5G", "9999999999999G", "5 bananas"] {
            assert!(bad.parse::<Memory>().is_err(), "{bad}");
        }
    }
}
