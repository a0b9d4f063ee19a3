//! Days as people write them.

use std::fmt;
use std::time::{Duration, UNIX_EPOCH};

/// A day in the Gregorian calendar (UTC), as machines write it: `2026-11-22`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Day(String);

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Day {
    /// The day of a moment, given in seconds since 1970.
    pub(super) fn of(seconds: u64) -> Self {
        let moment = UNIX_EPOCH + Duration::from_secs(seconds);
        let mut text = humantime::format_rfc3339_seconds(moment).to_string();
        text.truncate("2026-11-22".len());
        Self(text)
    }

    /// For machines.
    pub(super) fn iso(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<&str> = self.0.split('-').collect();
        let month = |number: &str| MONTHS.get(number.parse::<usize>().ok()?.checked_sub(1)?);
        match parts[..] {
            [year, number, day] if let Some(month) = month(number) => {
                write!(f, "{} {month} {year}", day.trim_start_matches('0'))
            }
            _ => f.write_str(&self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, iso, text) in [
            (0, "1970-01-01", "1 January 1970"),
            (951_782_400, "2000-02-29", "29 February 2000"),
            (951_868_799, "2000-02-29", "29 February 2000"),
            (951_868_800, "2000-03-01", "1 March 2000"),
            (1_795_305_600, "2026-11-22", "22 November 2026"),
            (4_107_542_399, "2100-02-28", "28 February 2100"),
            (4_107_542_400, "2100-03-01", "1 March 2100"),
        ] {
            let day = Day::of(seconds);
            assert_eq!((day.iso(), &*day.to_string()), (iso, text));
        }
    }
}
