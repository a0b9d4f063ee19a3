//! What came of the runs of one position.

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
mod tests {
    use super::*;

    fn run(seconds: f64, outcome: Option<Outcome>) -> Run {
        Run {
            outcome,
            nimber: None,
            seconds,
            cpu_seconds: seconds,
            visits: 1,
            expansions: 30,
            lands: 4,
            land_bytes: 400,
            records: 0,
            peak_memory: Some(seconds as u64),
        }
    }

    #[test]
    fn the_median_is_in_the_middle() {
        let figures = |times: &[f64]| {
            let runs: Vec<_> = times
                .iter()
                .map(|&time| run(time, Some(Outcome::Win)))
                .collect();
            Figures::of(&runs).expect("they agree")
        };
        let three = figures(&[9.0, 2.0, 3.0]);
        let times = [three.seconds, three.fastest, three.slowest];
        assert_eq!(times.map(thousandths), [3000, 2000, 9000]);
        assert_eq!(three.peak_memory, Some(9));
        assert_eq!(thousandths(three.expansion_rate()), 10_000);
        assert_eq!(three.bytes_per_land(), 100);
        assert_eq!(thousandths(figures(&[4.0, 2.0]).seconds), 3000);
        assert_eq!(thousandths(figures(&[4.0]).seconds), 4000);
    }

    fn thousandths(number: f64) -> u64 {
        (number * 1e3).round() as u64
    }

    #[test]
    fn outcomes_have_to_agree() {
        let (win, loss) = (run(1.0, Some(Outcome::Win)), run(2.0, Some(Outcome::Loss)));
        assert!(Figures::of(&[win.clone(), loss]).is_err());
        let figures = Figures::of(&[win, run(2.0, None)]).expect("they do not disagree");
        assert_eq!(figures.outcome, None);
    }
}
