//! Answers of `solve` and `watch`: who wins, and what it took to find out.

use std::io::Write;

use serde::Serialize;
use sproutnet_proto::v1::Progress;

use crate::exit::BadInput;
use crate::status_line::StatusLine;
use crate::text;
use crate::wire;

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
struct Refused {
    error: String,
}

impl Answer {
    /// From the last that is told of a computation.
    pub(crate) fn of(position: &str, canonical: &str, play: i32, last: &Progress) -> Self {
        Self {
            position: position.to_owned(),
            canonical: canonical.to_owned(),
            play: wire::play_name(play),
            outcome: wire::outcome(last.outcome),
            nimber: last.nimber,
            source: wire::source(last.source),
            seconds: last.seconds,
            expansions: last.expansions,
            records: last.records,
        }
    }
}

/// Prints answers one by one.
pub(crate) struct Answers {
    json: bool,
    line: StatusLine,
    has_heading: bool,
}

impl Answers {
    /// Prints above a status line.
    pub(crate) fn new(json: bool, line: StatusLine) -> Self {
        Self {
            json,
            line,
            has_heading: false,
        }
    }

    /// Prints an answer, before the first of them a heading.
    pub(crate) fn answer(&mut self, answer: &Answer) -> anyhow::Result<()> {
        if self.json {
            return text::print_json(answer);
        }
        let is_first = !std::mem::replace(&mut self.has_heading, true);
        let heading = [
            "position",
            "play",
            "outcome",
            "nimber",
            "source",
            "time",
            "expansions",
            "records",
        ];
        let row = [
            &answer.position,
            answer.play,
            answer.outcome,
            &text::nimber(answer.nimber),
            answer.source.unwrap_or("-"),
            &text::time(answer.seconds),
            &text::count(answer.expansions),
            &text::count(answer.records),
        ];
        self.line.suspend(|| {
            if is_first {
                print_row(heading)?;
            }
            print_row(row)
        })?;
        Ok(())
    }

    /// Prints why a position on standard input is not taken.
    pub(crate) fn refuse(&self, refused: &BadInput) -> anyhow::Result<()> {
        self.line.tell(&format!("error: {refused}"));
        if self.json {
            let error = refused.0.lines().next().unwrap_or_default().to_owned();
            text::print_json(&Refused { error })?;
        }
        Ok(())
    }
}

/// Answers come one by one, so that the columns cannot wait for the widest.
fn print_row(row: [&str; 8]) -> std::io::Result<()> {
    let [
        position,
        play,
        outcome,
        nimber,
        source,
        time,
        expansions,
        records,
    ] = row;
    writeln!(
        std::io::stdout(),
        "{position:<16} {play:<7} {outcome:<8} {nimber:<6} {source:<7} {time:>12} {expansions:>12} \
         {records:>10}"
    )
}
