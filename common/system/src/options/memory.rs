//! Amounts of memory as people write them.

use std::fmt;
use std::str::FromStr;

use crate::machine;

/// How much memory a worker may use: `512MiB`, `2GiB`, `64M` or plain bytes, or a share of what
/// the machine or its control group has, such as `50%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// That many bytes.
    Bytes(usize),
    /// That many hundredths of the machine's memory.
    Share(u8),
}

/// Text that is no amount of memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an amount of memory such as 512MiB or 2GiB, or 1% to 100%, found `{0}`")]
pub struct MemoryError(String);

const UNITS: [(&str, u32); 4] = [("", 0), ("K", 10), ("M", 20), ("G", 30)];

impl Memory {
    /// The amount in bytes. `None` for a share if the size of the memory is unknown.
    pub fn bytes(self) -> Option<usize> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            Self::Share(share) => {
                let total = u128::from(machine::total_memory()?);
                usize::try_from(total * u128::from(share) / 100).ok()
            }
        }
    }
}

impl Default for Memory {
    /// Half of what there is.
    fn default() -> Self {
        Self::Share(50)
    }
}

impl FromStr for Memory {
    type Err = MemoryError;

    fn from_str(text: &str) -> Result<Self, MemoryError> {
        let error = || MemoryError(text.to_owned());
        if let Some(share) = text.strip_suffix('%') {
            let share = share.trim().parse().ok();
            let share = share.filter(|share| (1..=100).contains(share));
            return share.map(Self::Share).ok_or_else(error);
        }
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
        let bytes = number.checked_mul(1 << shift);
        bytes.map(Self::Bytes).ok_or_else(error)
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = match self {
            Self::Share(share) => return write!(f, "{share}%"),
            Self::Bytes(bytes) => *bytes,
        };
        let exact = UNITS
            .iter()
            .rev()
            .find(|(_, shift)| bytes > 0 && bytes.is_multiple_of(1 << shift));
        match exact {
            Some((unit, shift)) if !unit.is_empty() => write!(f, "{}{unit}iB", bytes >> shift),
            _ => write!(f, "{bytes}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_and_written() {
        for (text, memory, written) in [
            ("512MiB", Memory::Bytes(512 << 20), "512MiB"),
            ("2g", Memory::Bytes(2 << 30), "2GiB"),
            ("64 MB", Memory::Bytes(64 << 20), "64MiB"),
            ("1000", Memory::Bytes(1000), "1000"),
            ("0", Memory::Bytes(0), "0"),
            ("50%", Memory::Share(50), "50%"),
            ("100 %", Memory::Share(100), "100%"),
        ] {
            let read: Memory = text.parse().expect(text);
            assert_eq!((read, read.to_string().as_str()), (memory, written));
        }
        for bad in [
            "",
            "MiB",
            "-1",
            "1.5G",
            "9999999999999G",
            "5 bananas",
            "0%",
            "101%",
            "%",
            "-5%",
        ] {
            assert!(bad.parse::<Memory>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_share_is_of_the_machine() {
        let all = Memory::Share(100).bytes().expect("a machine with memory");
        let half = Memory::Share(50).bytes().expect("a machine with memory");
        assert!(half > 0 && half.abs_diff(all / 2) <= 1, "{half} of {all}");
    }
}
