//! Days as people write them.

use std::fmt;

/// A day in the Gregorian calendar (UTC).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day {
    year: u64,
    /// From 1.
    month: u64,
    /// From 1.
    of_month: u64,
}

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
        // Years are counted from 1 March, so that the day that some of them lack is their last
        // (Howard Hinnant, "chrono-compatible low-level date algorithms").
        let days = seconds / 86_400 + 719_468;
        let (era, of_era) = (days / 146_097, days % 146_097);
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let from_march = (5 * of_year + 2) / 153;
        let of_month = of_year - (153 * from_march + 2) / 5 + 1;
        let month = (from_march + 2) % 12 + 1;
        let year = year + era * 400 + u64::from(month <= 2);
        Self {
            year,
            month,
            of_month,
        }
    }

    /// For machines: `2026-11-22`.
    pub(super) fn iso(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.of_month)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let month = MONTHS[self.month as usize - 1];
        write!(f, "{} {month} {}", self.of_month, self.year)
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
            assert_eq!((&*day.iso(), &*day.to_string()), (iso, text));
        }
    }
}
