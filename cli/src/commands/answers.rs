//! Answers of `solve` and `watch`: outcome and cost. Answers for each of several positions.

use serde::Serialize;
use sproutnet_model::{Estimate, Known, Progress, Source};
use sproutnet_notation::Play;
use sproutnet_notation::brief::brief;

use crate::commands::roots::{self, Refused};
use crate::exit::{BadInput, Exit};
use crate::terminal::table::{Cell, Row, Rows, number, text};
use crate::terminal::text::{count, or_dash, print_json, time};

/// An answer to a position, as it is printed.
#[derive(Serialize)]
pub(crate) struct Answer<'a> {
    /// The position as the user wrote it.
    position: &'a str,
    /// The canonical text of the position.
    canonical: &'a str,
    play: Play,
    outcome: Known,
    nimber: Option<u32>,
    source: Option<Source>,
    seconds: f64,
    expansions: u64,
    records: u64,
    estimate: Option<Estimate>,
}

impl<'a> Answer<'a> {
    /// The answer from the last progress of a computation.
    pub(crate) fn of(position: &'a str, canonical: &'a str, play: Play, last: &Progress) -> Self {
        Self {
            position,
            canonical,
            play,
            outcome: last.outcome,
            nimber: last.nimber,
            source: last.source,
            seconds: last.seconds,
            expansions: last.expansions,
            records: last.records,
            estimate: last.estimate,
        }
    }
}

impl Row for Answer<'_> {
    fn cells(&self) -> Vec<Cell> {
        vec![
            text("position", self.position),
            text("play", self.play),
            text("outcome", self.outcome),
            text("nimber", or_dash(self.nimber)),
            text("source", or_dash(self.source.map(Source::name))),
            number("time", time(self.seconds)),
            number("expansions", count(self.expansions)),
            number("records", count(self.records)),
        ]
    }
}

/// A table of answers that is printed row by row. The column of the positions has room for these texts.
pub(crate) fn rows(json: bool, positions: &[impl AsRef<str>]) -> Rows {
    let longest = positions
        .iter()
        .map(|text| text.as_ref().chars().count())
        .max();
    let positions = longest.unwrap_or_default().max(16);
    Rows::new(json, &[positions, 6, 7, 6, 6, 11, 11, 9])
}

/// Answers each position of the arguments or of standard input; `answer` takes its text, and returns whether there is
/// an answer. Returns the worst exit.
pub(crate) fn each(
    positions: &[String],
    json: bool,
    mut answer: impl FnMut(String) -> anyhow::Result<bool>,
) -> anyhow::Result<Exit> {
    let mut worst = Exit::Fine;
    for root in roots::read(positions)? {
        worst = worst.max(match root {
            Ok(root) => {
                if answer(root.text)? {
                    Exit::Fine
                } else {
                    Exit::Unknown
                }
            }
            Err(refused) => {
                refuse(json, &refused)?;
                Exit::BadInput
            }
        });
    }
    Ok(worst)
}

/// A line of standard input that is refused, as JSON.
#[derive(Serialize)]
struct Refusal<'a> {
    error: &'a str,
    line: Option<u64>,
    input: Option<String>,
}

/// Prints the reason why a line of standard input is refused. With JSON, it is printed in place of the answer.
pub(crate) fn refuse(json: bool, refused: &Refused) -> anyhow::Result<()> {
    let Refused {
        line,
        input,
        problem: BadInput(problem),
    } = refused;
    let problem = brief(problem);
    let place = line.map_or_else(String::new, |line| format!("line {line}: "));
    eprintln!("error: {place}{problem}");
    if json {
        print_json(&Refusal {
            error: problem.lines().next().unwrap_or_default(),
            line: *line,
            input: input.as_deref().map(brief),
        })?;
    }
    Ok(())
}
