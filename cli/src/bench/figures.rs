//! The results of the runs of one position.

use anyhow::ensure;
use serde::Serialize;
use sproutnet_model::Known;
use sproutnet_notation::Play;

use super::suites::Subject;
use super::world::Run;
use crate::terminal::table::{Cell, Row, number, text};
use crate::terminal::text::{bytes, count, or_dash, time};

/// Wall and CPU seconds that differ by more than this share are both shown.
const DIFFERENT: f64 = 0.05;

/// Searches of fewer seconds are too short for wall and CPU time to be compared.
const SHORT: f64 = 0.01;

/// The times of all runs, and the counts of one of them. With one thread and no deadline, all runs have the same
/// counts.
#[derive(Serialize)]
pub(super) struct Figures<'a> {
    position: &'a str,
    play: Play,
    pub(super) outcome: Known,
    nimber: Option<u32>,
    /// The median.
    pub(super) seconds: f64,
    pub(super) fastest: f64,
    pub(super) slowest: f64,
    cpu_seconds: f64,
    visits: u64,
    expansions: u64,
    pub(super) expansions_per_second: f64,
    lands: u64,
    /// The average size of a land with its options.
    pub(super) bytes_per_land: u64,
    records: u64,
    /// The peak of the run with the highest, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) peak_memory: Option<u64>,
    #[serde(skip)]
    is_repeated: bool,
    /// Whether the run of median time left the processor idle, or used several.
    #[serde(skip)]
    is_cpu_shown: bool,
}

impl<'a> Figures<'a> {
    /// The figures of one run or more.
    ///
    /// # Errors
    /// The runs ended with different outcomes.
    pub(super) fn of(subject: &'a Subject, runs: &[Run]) -> anyhow::Result<Self> {
        let mut sorted: Vec<&Run> = runs.iter().collect();
        sorted.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let mut outcomes = runs.iter().filter_map(|run| run.outcome);
        let first = outcomes.next();
        ensure!(
            outcomes.all(|outcome| Some(outcome) == first),
            "runs of one position ended with different outcomes: {runs:?}"
        );
        // Of two in the middle, the counts are those of the slower.
        let run = sorted[sorted.len() / 2];
        let lower = sorted[(sorted.len() - 1) / 2];
        let different = (run.cpu_seconds - run.seconds).abs() > DIFFERENT * run.seconds;
        Ok(Self {
            position: &subject.text,
            play: subject.play,
            // An outcome that some runs did not find is not found in the median time.
            outcome: first
                .filter(|_| runs.iter().all(|run| run.outcome.is_some()))
                .into(),
            nimber: run.nimber,
            seconds: f64::midpoint(lower.seconds, run.seconds),
            fastest: sorted[0].seconds,
            slowest: sorted[sorted.len() - 1].seconds,
            cpu_seconds: run.cpu_seconds,
            visits: run.visits,
            expansions: run.expansions,
            expansions_per_second: run.expansions as f64 / run.seconds.max(f64::MIN_POSITIVE),
            lands: run.lands,
            bytes_per_land: run.land_bytes.checked_div(run.lands).unwrap_or(0),
            records: run.records,
            peak_memory: runs.iter().filter_map(|run| run.peak_memory).max(),
            is_repeated: runs.len() > 1,
            is_cpu_shown: run.seconds > SHORT && different,
        })
    }
}

impl Row for Figures<'_> {
    fn cells(&self) -> Vec<Cell> {
        let mut cells = vec![
            text("position", self.position),
            text("play", self.play),
            text("outcome", self.outcome),
            text("nimber", or_dash(self.nimber)),
            number("time", time(self.seconds)),
            number("visits", count(self.visits)),
            number("expansions", count(self.expansions)),
            number("exp/s", count(self.expansions_per_second as u64)),
            number("lands", count(self.lands)),
            number("B/land", count(self.bytes_per_land)),
            number("records", count(self.records)),
            number("peak", or_dash(self.peak_memory.map(bytes))),
        ];
        if self.is_repeated {
            let range = format!("{:.3}–{:.3}", self.fastest, self.slowest);
            cells.insert(5, number("min–max", range));
        }
        let cpu = format!("cpu {}", time(self.cpu_seconds));
        cells.extend(self.is_cpu_shown.then(|| text("", cpu)));
        cells
    }
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
