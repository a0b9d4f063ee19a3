//! Tables whose rows arrive one by one, so that column widths are chosen in advance.

use std::ops::Range;

use console::truncate_str;

use crate::terminal::style::{Look, Tone};
use crate::terminal::text::{SPACE, aligned, plain};

/// The least that is left of the first column of a table that is too wide for the terminal.
const LEAST: usize = 8;

/// A table that grows. Its first column, the positions, becomes wider when it must, on a terminal only as
/// far as there is room.
pub(crate) struct Rows {
    heading: &'static [&'static str],
    widths: Vec<usize>,
    /// Columns that are aligned to the right.
    numbers: Range<usize>,
    look: Look,
    has_heading: bool,
}

impl Rows {
    /// Columns of these names and widths.
    pub(crate) fn new(
        heading: &'static [&'static str],
        widths: &[usize],
        numbers: Range<usize>,
        look: Look,
    ) -> Self {
        Self {
            heading,
            widths: widths.to_vec(),
            numbers,
            look,
            has_heading: false,
        }
    }

    /// Columns of these widths, then one of file names, as wide as the longest.
    pub(crate) fn with_files<'a>(
        heading: &'static [&'static str],
        widths: &[usize],
        numbers: Range<usize>,
        files: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let widest = files.into_iter().map(console::measure_text_width).max();
        let widths: Vec<usize> = widths.iter().copied().chain(widest).collect();
        Self::new(heading, &widths, numbers, Look::of_stdout())
    }

    /// A row as it is printed; before the first of them, the heading.
    pub(crate) fn next(&mut self, row: &[String]) -> Vec<String> {
        let row: Vec<String> = row.iter().map(|cell| plain(cell)).collect();
        let rest: usize = self.widths.iter().skip(1).map(|width| width + SPACE).sum();
        let room = self.look.width.unwrap_or(usize::MAX);
        let room = room.saturating_sub(rest).max(LEAST);
        if let (Some(width), Some(cell)) = (self.widths.first_mut(), row.first()) {
            *width = console::measure_text_width(cell).max(*width).min(room);
        }
        let mut lines = Vec::new();
        if !std::mem::replace(&mut self.has_heading, true) {
            let heading: Vec<String> = self.heading.iter().map(ToString::to_string).collect();
            lines.push(self.line(&heading, |_| Tone::Heading));
        }
        lines.push(self.line(&row, Tone::of));
        lines
    }

    fn line(&self, row: &[String], tone: impl Fn(&str) -> Tone) -> String {
        let line = aligned(row, &self.widths, &self.numbers, self.look, tone);
        match self.look.width {
            Some(width) => truncate_str(&line, width, "…").into_owned(),
            None => line,
        }
    }
}

#[cfg(test)]
#[path = "rows_tests.rs"]
mod tests;
