//! `sproutnet sequence`.

mod plot;

use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use sproutnet_game as game;
use sproutnet_solver::theory::period::Period;
use sproutnet_solver::theory::sequence::Sequence;

use crate::args::{self, Common, Sequence as Asked, SequenceFormat as Format};
use crate::commands::{draw, roots};
use crate::exit::{BadInput, Exit};
use crate::terminal::formats::{self, Cell};
use crate::terminal::text::count;

/// The largest heap whose nimber is printed.
const LARGEST: u32 = 10_000_000;

/// The smallest heap up to which nimbers are always computed. It takes no time, and proves most periods.
const LEAST: u32 = 2_000;

/// The number of nimbers in a line. With a period of up to [`LONGEST_LINE`], a line holds whole periods instead.
const IN_LINE: u32 = 20;
const LONGEST_LINE: u32 = 40;

/// The columns of the formats with one row for each heap.
const COLUMNS: [&str; 2] = ["heap", "nimber"];

/// The nimbers of the heaps in a range.
#[derive(Serialize)]
struct Heaps {
    game: String,
    first: u32,
    nimbers: Vec<u32>,
    /// The number of nimbers from 0 on that were computed. Others follow from the period, if it is proved.
    computed: usize,
    period: Option<Repeats>,
}

/// A proved period of the nimbers.
#[derive(Serialize)]
struct Repeats {
    from: u32,
    length: u32,
    verified_to: u32,
    proof: String,
}

/// Prints the nimbers of heaps, and their period if it is proved.
pub(crate) fn run(asked: &Asked, common: &Common) -> anyhow::Result<Exit> {
    let format = args::format(asked.format, Format::Text, Format::Json, common)?;
    let output = asked
        .output
        .as_deref()
        .filter(|file| *file != Path::new("-"));
    if let (Some(file), Format::Svg) = (output, format) {
        draw::check_target(file)?;
    }
    let (first, last) = range(&asked.range)?;
    let (game, heap) = game::heap(&asked.rules).map_err(|error| BadInput(error.to_string()))?;
    let found = Sequence::of(&*heap, last.max(LEAST) as usize + 1);
    let end = found.nimbers.len().min(last as usize + 1);
    let is_complete = end > last as usize;
    if end <= first as usize {
        eprintln!("{}", stopped(&game, end));
        return Ok(Exit::Unknown);
    }
    let heaps = Heaps {
        game,
        first,
        nimbers: found.nimbers[first as usize..end].to_vec(),
        computed: found.computed,
        period: found.period.map(|period| Repeats::of(&period)),
    };
    let text = match format {
        Format::Text => heaps.text(),
        Format::Csv => joined(&formats::csv(&COLUMNS, &heaps.rows())),
        Format::Latex => heaps.latex(),
        Format::Markdown => heaps.markdown(),
        Format::Json => serde_json::to_string(&heaps)? + "\n",
        Format::Svg => plot::svg(&heaps),
    };
    match output {
        Some(file) => {
            let written = std::fs::write(file, text);
            written.with_context(|| format!("cannot write {}", file.display()))?;
        }
        None => BufWriter::new(std::io::stdout().lock()).write_all(text.as_bytes())?,
    }
    if is_complete {
        return Ok(Exit::Fine);
    }
    eprintln!("{}", stopped(&heaps.game, end));
    Ok(Exit::Unknown)
}

/// Says that larger heaps take too long.
fn stopped(game: &str, end: usize) -> String {
    format!(
        "{game}: stopped after heap {}: larger heaps take too long, and no period is proved",
        count(end as u64 - 1)
    )
}

/// Reads the range `A-B`, `A..B` or `A..=B`; `B` alone is `0-B`.
fn range(text: &str) -> Result<(u32, u32), BadInput> {
    let (first, last) = roots::ends(text).unwrap_or(("0", text));
    let number = |text: &str| {
        text.trim()
            .parse::<u32>()
            .ok()
            .filter(|&size| size <= LARGEST)
    };
    let ends = number(first).zip(number(last));
    ends.filter(|(first, last)| first <= last).ok_or_else(|| {
        let most = count(LARGEST.into());
        BadInput(format!(
            "expected a range of heaps up to {most} such as 0-1000, found `{text}`"
        ))
    })
}

impl Repeats {
    fn of(period: &Period) -> Self {
        let (from, length, verified_to) = (period.start, period.length, period.verified);
        let compared = verified_to - length;
        let (why, theorem) = if period.splits {
            ("2·s + p + k − 1", "Guy and Smith 1956")
        } else {
            ("s + k − 1", "as many as a move can take decide the next")
        };
        Self {
            from,
            length,
            verified_to,
            proof: format!(
                "G(n + {length}) = G(n) for n from {from} to {compared} = {why}, hence for all n ≥ {from} ({theorem})"
            ),
        }
    }
}

impl Heaps {
    fn last(&self) -> u32 {
        self.first + self.nimbers.len() as u32 - 1
    }

    fn sizes(&self) -> impl Iterator<Item = (u32, u32)> {
        (self.first..).zip(self.nimbers.iter().copied())
    }

    fn text(&self) -> String {
        let period = self.period.as_ref();
        let in_line = period.map_or(IN_LINE, |period| period.length);
        let in_line = match in_line {
            1..=LONGEST_LINE => in_line * (IN_LINE / in_line).max(1),
            _ => IN_LINE,
        };
        let largest = self
            .nimbers
            .iter()
            .max()
            .map_or(1, |nimber| nimber.to_string().len());
        let width = self.last().to_string().len();
        let mut text = String::new();
        for (size, nimber) in self.sizes() {
            if size % in_line == 0 || size == self.first {
                let line = size - size % in_line;
                let skipped = " ".repeat((size - line) as usize * (largest + 1));
                let _ = write!(text, "{line:>width$} | {skipped}");
            }
            let end = if (size + 1) % in_line == 0 || size == self.last() {
                '\n'
            } else {
                ' '
            };
            let _ = write!(text, "{nimber:>largest$}{end}");
        }
        text.push('\n');
        text.push_str(&self.summary());
        text.push('\n');
        if self.computed <= self.last() as usize {
            let _ = writeln!(
                text,
                "heaps up to {} were computed; larger ones follow from the period",
                count(self.computed as u64 - 1)
            );
        }
        text
    }

    /// The period and its proof.
    fn summary(&self) -> String {
        let game = &self.game;
        match &self.period {
            Some(Repeats {
                length,
                from,
                proof,
                ..
            }) => format!("{game}: period {length} from {from} on, proved: {proof}"),
            None => format!(
                "{game}: the heaps up to {} prove no period",
                count(self.computed as u64 - 1)
            ),
        }
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let row =
            |(size, nimber): (u32, u32)| vec![size.to_string().into(), nimber.to_string().into()];
        self.sizes().map(row).collect()
    }

    /// A table, after the period as a comment.
    fn latex(&self) -> String {
        let table = joined(&formats::latex(&COLUMNS, &self.rows()));
        format!("% {}\n{table}", self.summary())
    }

    /// A table, followed by the period.
    fn markdown(&self) -> String {
        let table = joined(&formats::markdown(&COLUMNS, &self.rows()));
        format!("{table}\n{}\n", formats::in_markdown(&self.summary()))
    }
}

/// Joins lines, each with a line break.
fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests;
