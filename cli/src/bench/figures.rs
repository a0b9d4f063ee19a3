//! The results of the runs of one position.

use anyhow::ensure;
use sproutnet_solver::play::Outcome;

use super::world::Run;

/// The times of all runs, and the rest of one of them: with one thread and no deadline, of any.
pub(super) struct Figures {
    pub(super) outcome: Option<Outcome>,
    /// The run of median time; of two in the middle the slower.
    pub(super) run: Run,
    /// The median.
    pub(super) seconds: f64,
    pub(super) fastest: f64,
    pub(super) slowest: f64,
    /// In bytes, of the run that took most.
    pub(super) peak_memory: Option<u64>,
}

impl Figures {
    /// Of one run or more.
    ///
    /// # Errors
    /// The runs ended with different outcomes.
    pub(super) fn of(runs: &[Run]) -> anyhow::Result<Self> {
        let mut sorted: Vec<&Run> = runs.iter().collect();
        sorted.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let mut outcomes = runs.iter().filter_map(|run| run.outcome);
        let first = outcomes.next();
        ensure!(
            outcomes.all(|outcome| Some(outcome) == first),
            "runs of one position ended with different outcomes: {runs:?}"
        );
        let upper = sorted[sorted.len() / 2];
        let lower = sorted[(sorted.len() - 1) / 2];
        Ok(Self {
            // One that was not found in each run is not found in such a time.
            outcome: first.filter(|_| runs.iter().all(|run| run.outcome.is_some())),
            run: upper.clone(),
            seconds: f64::midpoint(lower.seconds, upper.seconds),
            fastest: sorted[0].seconds,
            slowest: sorted[sorted.len() - 1].seconds,
            peak_memory: runs.iter().filter_map(|run| run.peak_memory).max(),
        })
    }

    /// Expansions a second.
    pub(super) fn expansion_rate(&self) -> f64 {
        self.run.expansions as f64 / self.run.seconds.max(f64::MIN_POSITIVE)
    }

    /// Bytes that a land takes with its options, on the average.
    pub(super) fn bytes_per_land(&self) -> u64 {
        self.run.land_bytes.checked_div(self.run.lands).unwrap_or(0)
    }
}

#[cfg(test)]
#[path = "figures_tests.rs"]
mod tests;
