//! Aligned text.

use std::io::{self, Write};
use std::ops::Range;

use console::{Alignment, measure_text_width, pad_str};
pub(crate) use sproutnet_common::figures::{ago, bytes, count, time};

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
    fn proof_numbers() {
        assert_eq!([12, u32::MAX].map(number), ["12", "inf"]);
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
