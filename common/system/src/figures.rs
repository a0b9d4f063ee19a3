//! Counts, times and sizes for people, in the form that all programs use.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The end of the year 9999, in seconds since 1970: no later time can be written.
const LAST_SECOND: u64 = 253_402_300_799;

/// A time in seconds since 1970, or the last one that can be written if it is later.
pub fn moment(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds.min(LAST_SECOND))
}

/// A count: `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    groups
        .map(String::from_utf8_lossy)
        .collect::<Vec<_>>()
        .join(",")
}

/// A time in seconds: `0.012 s`, `12.3 s`, `4 min 05 s`, `3 h 07 min`.
pub fn time(seconds: f64) -> String {
    let whole = seconds as u64;
    match whole {
        0..10 => format!("{seconds:.3} s"),
        10..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole / 60 % 60),
    }
}

/// A time in seconds with the precision of an estimate: `0.4 s`, `12 s`, `2.5 min`, `7 h`, `3 days`.
fn about(seconds: f64) -> String {
    let (amount, unit) = match seconds {
        ..60.0 => (seconds.max(0.1), "s"),
        ..3600.0 => (seconds / 60.0, "min"),
        ..172_800.0 => (seconds / 3600.0, "h"),
        _ => (seconds / 86_400.0, "days"),
    };
    let amount = match amount {
        ..10.0 => format!("{amount:.1}").replace(".0", ""),
        _ => count(amount.round() as u64),
    };
    format!("{amount} {unit}")
}

/// An estimated range of times in seconds: `2.5 min to 9 min`, or `about 4 min` if both ends look the same.
pub fn between(low: f64, high: f64) -> String {
    match [low, high].map(about) {
        [low, high] if low == high => format!("about {low}"),
        [low, high] => format!("{low} to {high}"),
    }
}

/// The time since an event, given in seconds: `17 s ago`, `4 min ago`.
pub fn ago(seconds: f64) -> String {
    match seconds as u64 {
        whole @ 0..60 => format!("{whole} s ago"),
        whole => format!("{} min ago", whole / 60),
    }
}

/// A size in bytes: `512 B`, `1.5 KiB`, `45.6 GiB`.
pub fn bytes(bytes: u64) -> String {
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut size = bytes as f64 / 1024.0;
    let mut units = ["KiB", "MiB", "GiB", "TiB", "PiB"].into_iter();
    let mut unit = units.next();
    // A size that would print as 1024.0 moves to the next unit.
    while size >= 1023.95
        && let Some(next) = units.next()
    {
        (size, unit) = (size / 1024.0, Some(next));
    }
    format!("{size:.1} {}", unit.unwrap_or_default())
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
