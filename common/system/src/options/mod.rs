//! Options of the programs, as people write them.

mod memory;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::machine;

pub use memory::{Memory, MemoryError};

/// Text that is no value of an option: says what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found `{found}`")]
pub struct OptionError {
    expected: &'static str,
    found: String,
}

fn expected<T>(value: Option<T>, expected: &'static str, found: &str) -> Result<T, OptionError> {
    value.ok_or_else(|| OptionError {
        expected,
        found: found.to_owned(),
    })
}

/// How many threads search at a time: 1 to 1024.
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
        expected(cores.map(Self), "a number from 1 to 1024", text)
    }
}

/// By how much this process lets others go first: 0 to 19, as `nice` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nice(pub i32);

impl Nice {
    /// Lets others go first from now on.
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
        expected(nice.map(Self), "a number from 0 to 19", text)
    }
}

/// How long a worker may take to hand back what it is at: `20s`, `500ms`, `2m`, or seconds. Zero is
/// not at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grace(pub Duration);

impl Default for Grace {
    /// Twenty seconds.
    fn default() -> Self {
        Self(Duration::from_secs(20))
    }
}

impl FromStr for Grace {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
        let unit = units
            .iter()
            .find_map(|&(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
        let (number, seconds) = unit.unwrap_or((text, 1.0));
        let number: Option<f64> = number.trim().parse().ok();
        let time = number.and_then(|number| Duration::try_from_secs_f64(number * seconds).ok());
        expected(time.map(Self), "a time such as 20s, 500ms or 2m", text)
    }
}

impl fmt::Display for Grace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// A worker's name, for people to read: at most 256 bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name(pub String);

impl Default for Name {
    /// That of the machine.
    fn default() -> Self {
        Self(machine::host_name())
    }
}

impl FromStr for Name {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let fits = (1..=256).contains(&text.len());
        let name = fits.then(|| Self(text.to_owned()));
        expected(name, "a name of 1 to 256 bytes", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_read_and_nonsense_is_not() {
        assert_eq!("4".parse(), Ok(Cores(4)));
        assert_eq!("0".parse(), Ok(Nice(0)));
        assert_eq!("90".parse(), Ok(Grace(Duration::from_secs(90))));
        assert_eq!("1.5s".parse(), Ok(Grace(Duration::from_millis(1500))));
        assert_eq!("0".parse(), Ok(Grace(Duration::ZERO)));
        assert_eq!("mill".parse(), Ok(Name("mill".to_owned())));
        for bad in ["", "-1", "1025", "many", "0"] {
            assert!(bad.parse::<Cores>().is_err(), "{bad}");
        }
        for bad in ["", "-1", "20", "nice"] {
            assert!(bad.parse::<Nice>().is_err(), "{bad}");
        }
        for bad in ["", "s", "-1s", "inf", "NaN", "5 weeks"] {
            assert!(bad.parse::<Grace>().is_err(), "{bad}");
        }
        assert!(String::new().parse::<Name>().is_err());
        assert!("x".repeat(257).parse::<Name>().is_err());
        let error = "all".parse::<Cores>().expect_err("no number");
        assert!(error.to_string().ends_with("found `all`"), "{error}");
    }

    #[test]
    fn defaults_come_from_the_machine() {
        assert!(Cores::default().0 >= 1);
        assert!(!Name::default().0.is_empty());
        assert_eq!(Grace::default().to_string().parse(), Ok(Grace::default()));
    }
}
