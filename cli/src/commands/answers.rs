//! Answers of `solve` and `watch`: outcome and cost.

use serde::Serialize;
use sproutnet_model::{Progress, Source};
use sproutnet_notation::Play;

use crate::exit::BadInput;
use crate::terminal::rows::Rows;
use crate::terminal::status_line::StatusLine;
use crate::terminal::style::Look;
use crate::terminal::text;

/// An answer, as JSON.
#[derive(Serialize)]
pub(crate) struct Answer {
    /// As asked.
    pub(crate) position: String,
    /// Its canonical text.
    pub(crate) canonical: String,
    pub(crate) play: &'static str,
    pub(crate) outcome: &'static str,
    pub(crate) nimber: Option<u32>,
    pub(crate) source: Option<&'static str>,
    pub(crate) seconds: f64,
    pub(crate) expansions: u64,
    pub(crate) records: u64,
}

/// A position on standard input that cannot be read, as JSON.
#[derive(Serialize)]
pub(crate) struct Refused {
    error: String,
}

impl Refused {
    /// Prints why a position is refused, in place of an answer.
    pub(crate) fn print(refused: &BadInput) -> anyhow::Result<()> {
        let error = refused.0.lines().next().unwrap_or_default().to_owned();
        text::print_json(&Self { error })
    }
}

impl Answer {
    /// From the last progress of a computation.
    pub(crate) fn of(position: &str, canonical: &str, play: Play, last: &Progress) -> Self {
        Self {
            position: position.to_owned(),
            canonical: canonical.to_owned(),
            play: play.name(),
            outcome: last.outcome.name(),
            nimber: last.nimber,
            source: last.source.map(Source::name),
            seconds: last.seconds,
            expansions: last.expansions,
            records: last.records,
        }
    }
}

/// The columns of answers.
const HEADING: [&str; 8] = [
    "position",
    "play",
    "outcome",
    "nimber",
    "source",
    "time",
    "expansions",
    "records",
];

/// Their widths.
const WIDTHS: [usize; 8] = [16, 6, 7, 6, 6, 11, 11, 9];

/// Prints answers one by one.
pub(crate) struct Answers {
    json: bool,
    line: StatusLine,
    rows: Rows,
}

impl Answers {
    /// Prints above a status line.
    pub(crate) fn new(json: bool, line: StatusLine) -> Self {
        Self {
            json,
            line,
            rows: Rows::new(&HEADING, &WIDTHS, 5..8, Look::of_stdout()),
        }
    }

    /// Prints an answer, with a heading before the first.
    pub(crate) fn answer(&mut self, answer: &Answer) -> anyhow::Result<()> {
        if self.json {
            return text::print_json(answer);
        }
        let lines = self.rows.next(&[
            answer.position.clone(),
            answer.play.to_owned(),
            answer.outcome.to_owned(),
            text::nimber(answer.nimber),
            answer.source.unwrap_or("-").to_owned(),
            text::time(answer.seconds),
            text::count(answer.expansions),
            text::count(answer.records),
        ]);
        self.line.suspend(|| text::print_lines(&lines))?;
        Ok(())
    }

    /// Prints why a position on standard input is refused.
    pub(crate) fn refuse(&self, refused: &BadInput) -> anyhow::Result<()> {
        self.line.notify(&format!("error: {refused}"));
        if self.json {
            Refused::print(refused)?;
        }
        Ok(())
    }
}
