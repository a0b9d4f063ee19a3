//! Tables: rows of cells, each with the name of its column.

use std::iter;

use console::{Alignment, measure_text_width, pad_str, truncate_str};
use serde::Serialize;

use crate::terminal::style::{Look, Tone};
use crate::terminal::text::{plain, print_json, print_lines};

/// The separator of two columns.
const SPACE: &str = "  ";

/// The width up to which columns of text are not narrowed, in characters.
const NARROW: usize = 12;

/// The room that the first column of [`Rows`] always has, in characters.
const LEAST: usize = 8;

/// A value and the name of its column.
pub(crate) struct Cell {
    column: &'static str,
    value: String,
    /// Numbers are aligned to the right and never cut.
    is_number: bool,
}

/// A cell of text.
#[expect(
    clippy::needless_pass_by_value,
    reason = "most values are made for their cell"
)]
pub(crate) fn text(column: &'static str, value: impl ToString) -> Cell {
    Cell {
        column,
        value: plain(&value.to_string()),
        is_number: false,
    }
}

/// A cell with a number.
pub(crate) fn number(column: &'static str, value: impl ToString) -> Cell {
    Cell {
        is_number: true,
        ..text(column, value)
    }
}

impl Cell {
    /// The larger width of the value and of the column's name, in characters.
    fn width(&self) -> usize {
        let widths = [&*self.value, self.column].map(measure_text_width);
        widths[0].max(widths[1])
    }
}

/// A row of a table, or an object of JSON.
pub(crate) trait Row: Serialize {
    /// The cells. All rows of a type have the same columns.
    fn cells(&self) -> Vec<Cell>;
}

/// Rows under a heading. On a terminal, wide columns of text are cut so that no line wraps.
pub(crate) fn table(rows: impl IntoIterator<Item = Vec<Cell>>, look: Look) -> Vec<String> {
    let rows: Vec<Vec<Cell>> = rows.into_iter().collect();
    let Some(first) = rows.first() else {
        return Vec::new();
    };
    let mut widths = vec![0; first.len()];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.width().max(*width);
        }
    }
    if let Some(room) = look.width {
        fit(&mut widths, first, room);
    }
    let rows = rows.iter().map(|row| line(row, &widths, look));
    iter::once(heading_line(first, &widths, look))
        .chain(rows)
        .collect()
}

/// Narrows the widest columns of text until the table fits a terminal.
fn fit(widths: &mut [usize], row: &[Cell], room: usize) {
    let spaces = SPACE.len() * widths.len().saturating_sub(1);
    loop {
        let excess = (widths.iter().sum::<usize>() + spaces).saturating_sub(room);
        let columns = widths.iter_mut().zip(row);
        let texts = columns.filter(|(_, cell)| !cell.is_number);
        let widest = texts.map(|(width, _)| width).max();
        match widest.filter(|width| excess > 0 && **width > NARROW) {
            Some(width) => *width -= 1,
            None => return,
        }
    }
}

fn line(row: &[Cell], widths: &[usize], look: Look) -> String {
    aligned(row, widths, look, |cell| {
        (&cell.value, Tone::of(&cell.value))
    })
}

fn heading_line(row: &[Cell], widths: &[usize], look: Look) -> String {
    aligned(row, widths, look, |cell| (cell.column, Tone::Heading))
}

/// The texts of a row, padded to the widths of the columns. Longer texts are cut.
fn aligned<'a>(
    row: &'a [Cell],
    widths: &[usize],
    look: Look,
    shown: impl Fn(&'a Cell) -> (&'a str, Tone),
) -> String {
    let cells = row.iter().zip(widths).map(|(cell, &width)| {
        let (text, tone) = shown(cell);
        // A cut number would be wrong.
        let (side, text) = if cell.is_number {
            (Alignment::Right, text.into())
        } else {
            (Alignment::Left, truncate_str(text, width, "…"))
        };
        pad_str(&look.paint(tone, &text), width, side, None).into_owned()
    });
    let line = cells.collect::<Vec<_>>().join(SPACE);
    let width = look.width.unwrap_or(usize::MAX);
    truncate_str(line.trim_end(), width, "…").into_owned()
}

/// Prints rows as lines of JSON or as a table. Without rows, prints `empty` in place of the table.
pub(crate) fn print_rows<R: Row>(json: bool, rows: &[R], empty: &str) -> anyhow::Result<()> {
    if json {
        return rows.iter().try_for_each(print_json);
    }
    let lines = match rows {
        [] => vec![empty.to_owned()],
        rows => table(rows.iter().map(Row::cells), Look::of_stdout()),
    };
    Ok(print_lines(&lines)?)
}

/// Rows that are printed one by one, as lines of JSON or as a table. Columns grow with their values; the first one, the
/// positions, on a terminal only up to the free width.
pub(crate) struct Rows {
    json: bool,
    /// The minimum widths of the columns. A column is never narrower than its name.
    widths: Vec<usize>,
    look: Look,
    has_heading: bool,
}

impl Rows {
    /// No rows yet. The first columns have at least these widths.
    pub(crate) fn new(json: bool, widths: &[usize]) -> Self {
        Self {
            json,
            widths: widths.to_vec(),
            look: Look::of_stdout(),
            has_heading: false,
        }
    }

    /// Prints a row; before the first row, prints the heading.
    pub(crate) fn print(&mut self, row: &impl Row) -> anyhow::Result<()> {
        if self.json {
            print_json(row)
        } else {
            Ok(print_lines(&self.next(&row.cells()))?)
        }
    }

    fn next(&mut self, row: &[Cell]) -> Vec<String> {
        let least = self.widths.iter().copied().chain(iter::repeat(0));
        let mut widths: Vec<usize> = row
            .iter()
            .zip(least)
            .map(|(cell, least)| cell.width().max(least))
            .collect();
        let rest: usize = widths.iter().skip(1).map(|width| width + SPACE.len()).sum();
        let room = self.look.width.unwrap_or(usize::MAX);
        let room = room.saturating_sub(rest).max(LEAST);
        if let Some(first) = widths.first_mut() {
            *first = room.min(*first);
        }
        self.widths.clone_from(&widths);
        let heading = (!std::mem::replace(&mut self.has_heading, true))
            .then(|| heading_line(row, &widths, self.look));
        let line = line(row, &widths, self.look);
        heading.into_iter().chain([line]).collect()
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
