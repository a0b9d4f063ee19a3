//! Aligned text.

use std::io::{self, Write};
use std::ops::Range;

use console::{Alignment, measure_text_width, pad_str};

/// Rows as aligned columns, those of numbers to the right.
pub(crate) fn columns(rows: &[Vec<String>], numbers: Range<usize>) -> Vec<String> {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| row.iter().map(|cell| plain(cell)).collect())
        .collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| {
        rows.iter()
            .filter_map(|row| row.get(i))
            .map(|cell| measure_text_width(cell))
            .max()
    };
    let widths: Vec<usize> = (0..columns).map(|i| width(i).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(i, (cell, &width))| {
            let side = match numbers.contains(&i) {
                true => Alignment::Right,
                false => Alignment::Left,
            };
            pad_str(cell, width, side, None)
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        line.trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Prints rows as [`columns`].
pub(crate) fn print_columns(rows: &[Vec<String>], numbers: Range<usize>) -> io::Result<()> {
    print_lines(&columns(rows, numbers))
}

/// Prints lines.
pub(crate) fn print_lines(lines: &[String]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// A text from elsewhere without what could steer a terminal.
pub(crate) fn plain(text: &str) -> String {
    text.replace(char::is_control, "?")
}

/// A line of JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(value)?)?;
    Ok(())
}

/// `1,234,567`.
pub(crate) fn count(number: u64) -> String {
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

/// `0.012 s`, `12.3 s`, `4 min 05 s`, `3 h 07 min`.
pub(crate) fn time(seconds: f64) -> String {
    let whole = seconds as u64;
    match whole {
        0..10 => format!("{seconds:.3} s"),
        10..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole / 60 % 60),
    }
}

/// `17 s ago`, `4 min ago`.
pub(crate) fn ago(seconds: f64) -> String {
    match seconds as u64 {
        whole @ 0..60 => format!("{whole} s ago"),
        whole => format!("{} min ago", whole / 60),
    }
}

/// `512 B`, `1.5 KiB`, `45.6 GiB`.
pub(crate) fn bytes(bytes: u64) -> String {
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

/// A proof number.
pub(crate) fn number(number: u32) -> String {
    match number {
        u32::MAX => "inf".to_owned(),
        number => count(number.into()),
    }
}

/// A nimber where there is one.
pub(crate) fn nimber(nimber: Option<u32>) -> String {
    nimber.map_or_else(|| "-".to_owned(), |nimber| nimber.to_string())
}

/// A genus where there is one.
pub(crate) fn genus(genus: Option<&str>) -> String {
    genus.unwrap_or("-").to_owned()
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
        assert_eq!([12, u32::MAX].map(number), ["12", "inf"]);
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

    #[test]
    fn columns_align_whatever_the_script() {
        let rows = [["name", "n"], ["東京", "7"], ["a\u{1b}[2J", "1,000"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(
            columns(&rows, 1..2),
            ["name       n", "東京       7", "a?[2J  1,000"]
        );
    }
}
