//! Options of the programs, in the form that people write.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::machine;

/// Text that is not a value of an option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found `{found}`")]
pub struct OptionError {
    expected: &'static str,
    found: String,
}

impl OptionError {
    /// The error of a text `found` instead of `expected`.
    pub fn new(expected: &'static str, found: &str) -> Self {
        let found = found.to_owned();
        Self { expected, found }
    }
}

/// The number of search threads: 1 to 1024.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cores(pub usize);

impl Default for Cores {
    /// All cores that this process may use.
    fn default() -> Self {
        Self(std::thread::available_parallelism().map_or(1, usize::from))
    }
}

impl FromStr for Cores {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let cores = text.parse().ok().filter(|cores| (1..=1024).contains(cores));
        let error = || OptionError::new("a number from 1 to 1024", text);
        cores.map(Self).ok_or_else(error)
    }
}

/// The niceness of this process, 0 to 19.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nice(pub i32);

impl Nice {
    /// Sets the niceness of this process.
    ///
    /// # Errors
    /// The system refuses.
    pub fn apply(self) -> std::io::Result<()> {
        if self.0 > 0 {
            rustix::process::nice(self.0)?;
        }
        Ok(())
    }
}

impl FromStr for Nice {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let nice = text.parse().ok().filter(|nice| (0..=19).contains(nice));
        let error = || OptionError::new("a number from 0 to 19", text);
        nice.map(Self).ok_or_else(error)
    }
}

/// A span of time: `90s`, `500ms`, `2m`, `1.5h`, `1d`, or seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time(pub Duration);

impl FromStr for Time {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let units = [
            ("ms", 0.001),
            ("s", 1.0),
            ("m", 60.0),
            ("h", 3600.0),
            ("d", 86400.0),
        ];
        let unit = units
            .iter()
            .find_map(|&(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
        let (number, seconds) = unit.unwrap_or((text, 1.0));
        let number: Option<f64> = number.trim().parse().ok();
        let time = number.and_then(|number| Duration::try_from_secs_f64(number * seconds).ok());
        let error = || OptionError::new("a time such as 500ms, 90s, 10m or 2h", text);
        time.map(Self).ok_or_else(error)
    }
}

/// A worker's name, for people to read: at most 256 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(pub String);

impl Default for Name {
    /// The name of the machine.
    fn default() -> Self {
        Self(machine::host_name())
    }
}

impl FromStr for Name {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        match text.len() {
            1..=256 => Ok(Self(text.to_owned())),
            _ => Err(OptionError::new("a name of 1 to 256 bytes", text)),
        }
    }
}

/// An amount in bytes: `256MiB`, `2GiB`, `64M` or plain bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

impl FromStr for Size {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let size = amount(text).map(|bytes| Self(bytes as u64));
        size.ok_or_else(|| OptionError::new("an amount such as 256MiB or 2GiB", text))
    }
}

/// The disk budget of a store, in bytes, at least 1 MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreSize(pub u64);

impl StoreSize {
    /// 1 MiB.
    pub const LEAST: Self = Self(1 << 20);
}

impl FromStr for StoreSize {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let size = amount(text).map(|bytes| bytes as u64);
        let size = size.filter(|&bytes| bytes >= Self::LEAST.0);
        size.map(Self)
            .ok_or_else(|| OptionError::new("an amount such as 50GB, at least 1MB", text))
    }
}

/// A number of bytes for each day: `100GB`, or `unlimited`, also written `0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DailySize(pub Option<u64>);

impl Default for DailySize {
    /// 100 GB.
    fn default() -> Self {
        Self(Some(100 << 30))
    }
}

impl FromStr for DailySize {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        if text == "unlimited" {
            return Ok(Self(None));
        }
        let expected = "an amount a day such as 100GB, or unlimited";
        let bytes = amount(text).ok_or_else(|| OptionError::new(expected, text))?;
        Ok(Self(Some(bytes as u64).filter(|&bytes| bytes > 0)))
    }
}

/// An amount of memory: `512MiB`, `2GiB`, `64M` or plain bytes, or a share of the memory of the machine or of
/// its control group, such as `50%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// An amount in bytes.
    Bytes(usize),
    /// A percentage.
    Share(u8),
}

const UNITS: [(&str, u32); 5] = [("T", 40), ("G", 30), ("M", 20), ("K", 10), ("", 0)];

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
    /// Half of the memory.
    fn default() -> Self {
        Self::Share(50)
    }
}

impl FromStr for Memory {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let memory = match text.strip_suffix('%') {
            Some(share) => {
                let share = share.trim().parse().ok();
                let share = share.filter(|share| (1..=100).contains(share));
                share.map(Self::Share)
            }
            None => amount(text).map(Self::Bytes),
        };
        let expected = "an amount of memory such as 512MiB or 2GiB, or 1% to 100%";
        memory.ok_or_else(|| OptionError::new(expected, text))
    }
}

/// Bytes with or without a unit, in either case.
fn amount(text: &str) -> Option<usize> {
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let unit = unit.trim().to_ascii_uppercase();
    let unit = unit
        .strip_suffix("IB")
        .or(unit.strip_suffix('B'))
        .unwrap_or(&unit);
    let (_, shift) = UNITS.iter().find(|(name, _)| *name == unit)?;
    number.parse::<usize>().ok()?.checked_mul(1 << shift)
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = match self {
            Self::Share(share) => return write!(f, "{share}%"),
            Self::Bytes(bytes) => *bytes,
        };
        let mut units = UNITS.iter().filter(|(unit, _)| !unit.is_empty());
        match units.find(|(_, shift)| bytes > 0 && bytes.is_multiple_of(1 << shift)) {
            Some((unit, shift)) => write!(f, "{}{unit}iB", bytes >> shift),
            None => write!(f, "{bytes}"),
        }
    }
}

#[cfg(test)]
#[path = "options_tests.rs"]
mod tests;
