//! Counts, times and sizes, as all programs write them for people.

/// A count: `1,234,567`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
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

/// How long ago something was, in seconds: `17 s ago`, `4 min ago`.
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
    // What would be printed as 1024.0 is one of the next unit.
    while size >= 1023.95
        && let Some(next) = units.next()
    {
        (size, unit) = (size / 1024.0, Some(next));
    }
    format!("{size:.1} {}", unit.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_times() {
        assert_eq!(
            ["0", "999", "1,000", "1,234,567"],
            [0, 999, 1000, 1_234_567].map(count)[..]
        );
        assert_eq!(time(0.0124), "0.012 s");
        assert_eq!(time(245.9), "4 min 05 s");
        assert_eq!(time(11_263.0), "3 h 07 min");
        assert_eq!(ago(0.9), "0 s ago");
        assert_eq!(ago(200.0), "3 min ago");
    }

    #[test]
    fn sizes() {
        for (size, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1536, "1.5 KiB"),
            ((1 << 20) - 1, "1.0 MiB"),
            (1 << 30, "1.0 GiB"),
            (u64::MAX, "16384.0 PiB"),
        ] {
            assert_eq!(bytes(size), text);
        }
    }
}
