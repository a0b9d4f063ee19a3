//! The results of the runs of one position.

use std::cmp::Ordering;

use anyhow::ensure;
use serde::Serialize;
use sproutnet_model::Known;
use sproutnet_notation::Play;

use super::suites::Subject;
use super::world::Run;
use crate::terminal::table::{Cell, Row, number, text};
use crate::terminal::text::{Show, bytes, count, or_dash, time};

/// The relative difference of wall and CPU seconds above which both are shown.
const DIFFERENT: f64 = 0.05;

/// The seconds up to which a search is too short to compare wall and CPU time.
const SHORT: f64 = 0.01;

/// The medians of the figures of all runs. With one thread, one seed and no deadline, all runs have the same counts.
#[derive(Serialize)]
pub(super) struct Figures<'a> {
    position: &'a str,
    play: Play,
    pub(super) outcome: Known,
    nimber: Option<u32>,
    pub(super) seconds: f64,
    pub(super) fastest: f64,
    pub(super) slowest: f64,
    pub(super) cpu_seconds: f64,
    visits: u64,
    expansions: u64,
    pub(super) expansions_per_second: f64,
    /// Null if there are no records.
    expansions_per_record: Option<f64>,
    lands: u64,
    /// The average size of a land with its options, in bytes.
    pub(super) bytes_per_land: u64,
    records: u64,
    /// The highest peak memory of all runs, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) peak_memory: Option<u64>,
    #[serde(skip)]
    is_repeated: bool,
    /// Whether CPU time is shown: it differs from wall time if a processor was idle or several were used.
    #[serde(skip)]
    is_cpu_shown: bool,
}

impl<'a> Figures<'a> {
    /// The figures of at least one run.
    ///
    /// # Errors
    /// The runs ended with different outcomes.
    pub(super) fn of(subject: &'a Subject, runs: &[Run]) -> anyhow::Result<Self> {
        let mut outcomes = runs.iter().filter_map(|run| run.outcome);
        let first = outcomes.next();
        ensure!(
            outcomes.all(|outcome| Some(outcome) == first),
            "runs of one position ended with different outcomes: {runs:?}"
        );
        let times = sorted(runs, |run| run.seconds);
        let seconds = median(&times);
        let cpu_seconds = median(&sorted(runs, |run| run.cpu_seconds));
        let count =
            |of: fn(&Run) -> u64| median(&sorted(runs, |run| of(run) as f64)).round() as u64;
        let ratio = |of: fn(&Run) -> f64| median(&sorted(runs, of));
        let per_record = ratio(|run| run.expansions as f64 / run.records as f64);
        Ok(Self {
            position: &subject.text,
            play: subject.play,
            // If some runs found no outcome, the median time is not the time to find it.
            outcome: first
                .filter(|_| runs.iter().all(|run| run.outcome.is_some()))
                .into(),
            nimber: runs.iter().find_map(|run| run.nimber),
            seconds,
            fastest: times[0],
            slowest: times[times.len() - 1],
            cpu_seconds,
            visits: count(|run| run.visits),
            expansions: count(|run| run.expansions),
            expansions_per_second: ratio(|run| {
                run.expansions as f64 / run.seconds.max(f64::MIN_POSITIVE)
            }),
            expansions_per_record: per_record.is_finite().then_some(per_record),
            lands: count(|run| run.lands),
            bytes_per_land: count(|run| run.land_bytes.checked_div(run.lands).unwrap_or(0)),
            records: count(|run| run.records),
            peak_memory: runs.iter().filter_map(|run| run.peak_memory).max(),
            is_repeated: runs.len() > 1,
            is_cpu_shown: seconds > SHORT && (cpu_seconds - seconds).abs() > DIFFERENT * seconds,
        })
    }
}

/// A figure of each run, in ascending order.
fn sorted(runs: &[Run], of: impl Fn(&Run) -> f64) -> Vec<f64> {
    let mut sorted: Vec<f64> = runs.iter().map(of).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The median of sorted figures.
fn median(sorted: &[f64]) -> f64 {
    let (lower, upper) = (sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2]);
    match lower.total_cmp(&upper) {
        // Equal figures are returned as they are, also infinite ones.
        Ordering::Equal => lower,
        _ => f64::midpoint(lower, upper),
    }
}

impl Row for Figures<'_> {
    fn cells(&self) -> Vec<Cell> {
        let per_record = self
            .expansions_per_record
            .map(|ratio| format!("{ratio:.1}"));
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
            number("exp/record", or_dash(per_record)),
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

/// The cost of all positions together, one entry for each run.
#[derive(Default, Serialize)]
pub(super) struct Totals {
    total_expansions: Vec<u64>,
    total_cpu_seconds: Vec<f64>,
}

impl Totals {
    /// Adds the runs of a position.
    pub(super) fn add(&mut self, runs: &[Run]) {
        self.total_expansions.resize(runs.len(), 0);
        self.total_cpu_seconds.resize(runs.len(), 0.0);
        for (number, run) in runs.iter().enumerate() {
            self.total_expansions[number] += run.expansions;
            self.total_cpu_seconds[number] += run.cpu_seconds;
        }
    }
}

impl Show for Totals {
    fn lines(&self) -> Vec<String> {
        let mut expansions: Vec<f64> = self.total_expansions.iter().map(|&n| n as f64).collect();
        let mut seconds = self.total_cpu_seconds.clone();
        expansions.sort_by(f64::total_cmp);
        seconds.sort_by(f64::total_cmp);
        let [least, middle, most] = [
            expansions[0],
            median(&expansions),
            expansions[expansions.len() - 1],
        ]
        .map(|expansions| count(expansions.round() as u64));
        let range = match expansions.len() {
            1 => String::new(),
            _ => format!(" ({least} to {most})"),
        };
        let seconds = time(median(&seconds));
        vec![
            String::new(),
            format!("all positions: {middle} expansions{range}, {seconds} of processor time"),
        ]
    }
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
