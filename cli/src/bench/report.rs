//! Tables and JSON, one object a line.

use std::io::Write;

use serde::Serialize;

use super::engine::Engine;
use super::figures::Figures;
use super::head::Head;
use super::suites::{Comparison, Subject};
use crate::terminal::status_line::StatusLine;
use crate::terminal::text;

/// Wall and CPU seconds that differ by more than this share are both shown.
const DIFFERENT: f64 = 0.05;

/// Searches of fewer seconds are too short to tell the two apart.
const SHORT: f64 = 0.01;

/// A position, as JSON.
#[derive(Serialize)]
struct Line<'a> {
    position: &'a str,
    play: &'static str,
    outcome: &'static str,
    nimber: Option<u32>,
    seconds: f64,
    fastest: f64,
    slowest: f64,
    cpu_seconds: f64,
    visits: u64,
    expansions: u64,
    expansions_per_second: f64,
    lands: u64,
    bytes_per_land: u64,
    records: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory: Option<u64>,
}

/// Prints figures as they come, above a status line.
pub(super) struct Report {
    json: bool,
    line: StatusLine,
    is_repeated: bool,
    has_heading: bool,
}

impl Report {
    /// Begins with where and how it is measured.
    pub(super) fn new(json: bool, head: &Head) -> anyhow::Result<Self> {
        match json {
            true => text::print_json(head)?,
            false => text::print_lines(&[head.lines(), vec![String::new()]].concat())?,
        }
        Ok(Self {
            json,
            line: StatusLine::new(!json),
            is_repeated: head.repeat() > 1,
            has_heading: false,
        })
    }

    /// The status line.
    pub(super) fn line(&self) -> &StatusLine {
        &self.line
    }

    /// Shows the current measurement.
    pub(super) fn under_way(&self, subject: &Subject, time: usize, repeat: usize) {
        let Subject { text, play, .. } = subject;
        self.line.set(format!("{text} {play}: {time} of {repeat}"));
    }

    /// Prints the figures of a position.
    pub(super) fn position(&mut self, subject: &Subject, figures: &Figures) -> anyhow::Result<()> {
        let run = &figures.run;
        let outcome = figures.outcome.map_or("unknown", |outcome| outcome.name());
        if self.json {
            return text::print_json(&Line {
                position: &subject.text,
                play: subject.play.name(),
                outcome,
                nimber: run.nimber,
                seconds: figures.seconds,
                fastest: figures.fastest,
                slowest: figures.slowest,
                cpu_seconds: run.cpu_seconds,
                visits: run.visits,
                expansions: run.expansions,
                expansions_per_second: figures.expansion_rate(),
                lands: run.lands,
                bytes_per_land: figures.bytes_per_land(),
                records: run.records,
                peak_memory: figures.peak_memory,
            });
        }
        let mut rows = Vec::new();
        if !std::mem::replace(&mut self.has_heading, true) {
            rows.push(self.row(HEADING.map(str::to_owned), "min–max", ""));
        }
        let cells = [
            text::plain(&subject.text),
            subject.play.name().to_owned(),
            outcome.to_owned(),
            text::nimber(run.nimber),
            text::time(figures.seconds),
            text::count(run.visits),
            text::count(run.expansions),
            text::count(figures.expansion_rate() as u64),
            text::count(run.lands),
            text::count(figures.bytes_per_land()),
            text::count(run.records),
            figures
                .peak_memory
                .map_or_else(|| "-".to_owned(), text::bytes),
        ];
        let range = format!("{:.3}–{:.3}", figures.fastest, figures.slowest);
        let is_idle =
            run.seconds > SHORT && (run.cpu_seconds - run.seconds).abs() > DIFFERENT * run.seconds;
        let cpu = is_idle.then(|| format!("  cpu {}", text::time(run.cpu_seconds)));
        rows.push(self.row(cells, &range, cpu.as_deref().unwrap_or_default()));
        self.print(&rows)
    }

    /// Figures come one by one, so that the columns cannot wait for the widest.
    fn row(&self, cells: [String; 12], range: &str, cpu: &str) -> String {
        let [
            position,
            play,
            outcome,
            nimber,
            time,
            visits,
            expansions,
            rate,
            lands,
            bytes,
            records,
            peak,
        ] = cells;
        let range = match self.is_repeated {
            true => format!(" {range:>17}"),
            false => String::new(),
        };
        format!(
            "{position:<10} {play:<6} {outcome:<7} {nimber:<6} {time:>12}{range} {visits:>11} \
             {expansions:>11} {rate:>9} {lands:>11} {bytes:>6} {records:>9} {peak:>10}{cpu}"
        )
    }

    /// Prints the speed of option generation.
    pub(super) fn engine(&self, engine: &Engine) -> anyhow::Result<()> {
        if self.json {
            return text::print_json(engine);
        }
        let rows = [
            ["lands", &text::count(engine.lands)],
            ["options", &text::count(engine.options)],
            ["time", &text::time(engine.seconds)],
            [
                "expansions/s",
                &text::count(engine.expansions_per_second as u64),
            ],
            [
                "ns/option",
                &text::count(engine.ns_per_option.round() as u64),
            ],
            ["lands met", &text::count(engine.lands_met)],
            ["bytes/land", &text::count(engine.bytes_per_land)],
        ];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        self.print(&text::columns(&rows, 1..2))
    }

    /// Prints the times beside those of another program.
    pub(super) fn comparison(&self, comparison: &Comparison) -> anyhow::Result<()> {
        if self.json {
            return text::print_json(comparison);
        }
        let Comparison {
            with,
            speedup,
            positions,
        } = comparison;
        self.print(&[
            String::new(),
            format!("{speedup:.1} times as fast as {with},"),
            format!("the geometric mean of {positions} positions"),
        ])
    }

    fn print(&self, lines: &[String]) -> anyhow::Result<()> {
        self.line.suspend(|| text::print_lines(lines))?;
        // Readers of a pipe see each line at once.
        std::io::stdout().flush()?;
        Ok(())
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        self.line.clear();
    }
}

const HEADING: [&str; 12] = [
    "position",
    "play",
    "outcome",
    "nimber",
    "time",
    "visits",
    "expansions",
    "exp/s",
    "lands",
    "B/land",
    "records",
    "peak",
];
