//! Aligned text, and numbers as people read them.

use std::io::{self, Write};
use std::ops::Range;

use console::{Alignment, measure_text_width, pad_str, truncate_str};
use sproutnet_solver::play::Play;

pub(crate) use sproutnet_system::figures::{ago, bytes, count, time};

use crate::terminal::style::{Look, Tone};

/// Columns of space between two columns of a table.
pub(crate) const SPACE: usize = 2;

/// Columns of text up to this width are not cut.
const NARROW: usize = 12;

/// Rows as aligned columns, those of numbers to the right.
pub(crate) fn columns(rows: &[Vec<String>], numbers: Range<usize>) -> Vec<String> {
    let rows = plain_rows(rows);
    let widths = widths(&rows);
    let line = |row| aligned(row, &widths, &numbers, Look::default(), |_| Tone::Plain);
    rows.iter().map(|row| line(row)).collect()
}

/// A table as [`columns`] under a heading. Words are coloured, and on a terminal wide columns of text are
/// cut so that no line wraps.
pub(crate) fn table(
    heading: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
    numbers: Range<usize>,
    look: Look,
) -> Vec<String> {
    let heading = heading.iter().map(ToString::to_string).collect();
    let rows = plain_rows(&std::iter::once(heading).chain(rows).collect::<Vec<_>>());
    let mut widths = widths(&rows);
    if let Some(room) = look.width {
        fit(&mut widths, &numbers, room);
    }
    let line = |(i, row): (usize, &Vec<String>)| {
        let tone = |word: &str| match i {
            0 => Tone::Heading,
            _ => Tone::of(word),
        };
        let line = aligned(row, &widths, &numbers, look, tone);
        match look.width {
            Some(width) => truncate_str(&line, width, "…").into_owned(),
            None => line,
        }
    };
    rows.iter().enumerate().map(line).collect()
}

/// Prints rows as a [`table`].
pub(crate) fn print_table(
    heading: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
    numbers: Range<usize>,
) -> io::Result<()> {
    print_lines(&table(heading, rows, numbers, Look::of_stdout()))
}

/// Prints items as lines of JSON or as a table; without any, the text `empty` instead of a table.
pub(crate) fn print_list<T: serde::Serialize>(
    json: bool,
    items: &[T],
    empty: &str,
    table: impl FnOnce(&[T]) -> Vec<String>,
) -> anyhow::Result<()> {
    if json {
        return items.iter().try_for_each(print_json);
    }
    let lines = match items {
        [] => vec![empty.to_owned()],
        items => table(items),
    };
    Ok(print_lines(&lines)?)
}

/// Lines of a name and a value each, the names dim.
pub(crate) fn named_values<const N: usize>(values: [(&str, String); N], look: Look) -> Vec<String> {
    let names = values.iter().map(|(name, _)| measure_text_width(name));
    let width = names.max().unwrap_or(0);
    let line = |(name, value): (&str, String)| {
        let name = pad_str(name, width, Alignment::Left, None);
        format!("{}  {value}", look.paint(Tone::Dim, &name))
    };
    values.into_iter().map(line).collect()
}

/// Cells padded to their columns' widths, and cut where they are wider.
pub(crate) fn aligned(
    row: &[String],
    widths: &[usize],
    numbers: &Range<usize>,
    look: Look,
    tone: impl Fn(&str) -> Tone,
) -> String {
    let cells = row.iter().zip(widths).enumerate();
    let cells = cells.map(|(i, (cell, &width))| {
        let tone = tone(cell);
        // A cut number would be wrong.
        let (side, cut) = match numbers.contains(&i) {
            true => (Alignment::Right, cell.into()),
            false => (Alignment::Left, truncate_str(cell, width, "…")),
        };
        pad_str(&look.paint(tone, &cut), width, side, None).into_owned()
    });
    let line = cells.collect::<Vec<_>>().join(&" ".repeat(SPACE));
    line.trim_end().to_owned()
}

fn plain_rows(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    let plain_row = |row: &Vec<String>| row.iter().map(|cell| plain(cell)).collect();
    rows.iter().map(plain_row).collect()
}

/// The width of the widest cell of each column.
fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| {
        let cells = rows.iter().filter_map(|row| row.get(i));
        cells.map(|cell| measure_text_width(cell)).max()
    };
    (0..columns).map(|i| width(i).unwrap_or(0)).collect()
}

/// Narrows the widest columns of text until the table fits a terminal.
fn fit(widths: &mut [usize], numbers: &Range<usize>, room: usize) {
    let spaces = SPACE * widths.len().saturating_sub(1);
    loop {
        let excess = (widths.iter().sum::<usize>() + spaces).saturating_sub(room);
        let texts = widths.iter_mut().enumerate();
        let texts = texts.filter(|(i, _)| !numbers.contains(i));
        let widest = texts.map(|(_, width)| width).max();
        match widest.filter(|width| excess > 0 && **width > NARROW) {
            Some(width) => *width -= 1,
            None => return,
        }
    }
}

/// Prints lines.
pub(crate) fn print_lines(lines: &[String]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// An untrusted text without terminal control characters.
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

/// A mark where something holds.
pub(crate) fn yes(holds: bool) -> String {
    if holds { "yes" } else { "-" }.to_owned()
}

/// Conventions, if there are any.
pub(crate) fn plays(plays: &[Play]) -> String {
    match plays {
        [] => "-".to_owned(),
        plays => plays
            .iter()
            .map(|play| play.name())
            .collect::<Vec<_>>()
            .join(", "),
    }
}

/// A genus where there is one.
pub(crate) fn genus(genus: Option<&str>) -> String {
    genus.unwrap_or("-").to_owned()
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
