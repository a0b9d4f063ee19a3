//! How fast a computation goes at present.

/// The least time over which a rate is taken, in seconds.
const WINDOW: f64 = 5.0;

/// Expansions a second, over the last five to ten seconds of a computation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rate {
    /// Seconds and expansions at the ends of the last two windows.
    marks: [Option<(f64, u64)>; 2],
}

impl Rate {
    /// The rate when so many expansions were made in so many seconds. At first, while there is
    /// nothing to compare with, it is the average since work began.
    pub(crate) fn at(&mut self, seconds: f64, expansions: u64) -> f64 {
        let is_older = |mark: Option<(f64, u64)>| {
            mark.is_some_and(|(then, before)| then <= seconds && before <= expansions)
        };
        if !is_older(self.marks[1]) {
            // The first time, or the count began anew.
            self.marks = [None, Some((seconds, expansions))];
        }
        let last = self.marks[1];
        if last.is_some_and(|(then, _)| seconds - then >= WINDOW) {
            self.marks = [last, Some((seconds, expansions))];
        }
        let (then, before) = self.marks[0].unwrap_or_default();
        if seconds > then {
            expansions.saturating_sub(before) as f64 / (seconds - then)
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rates, in whole expansions a second, seen at these points.
    fn rates(points: &[(f64, u64)]) -> Vec<u64> {
        let mut rate = Rate::default();
        let rates = points
            .iter()
            .map(|&(seconds, expansions)| rate.at(seconds, expansions) as u64);
        rates.collect()
    }

    #[test]
    fn the_average_at_first_then_what_is_recent() {
        assert_eq!(rates(&[(0.0, 0), (1.0, 10), (2.0, 40)]), [0, 10, 20]);
        // Joined after an hour at 1,000 a second; now it goes at 10 a second.
        let points = [
            (3600.0, 3_600_000),
            (3605.0, 3_600_050),
            (3608.0, 3_600_080),
            (3611.0, 3_600_110),
        ];
        assert_eq!(rates(&points), [1000, 10, 10, 10]);
    }

    #[test]
    fn a_count_that_begins_anew() {
        assert_eq!(rates(&[(100.0, 1000), (2.0, 10), (4.0, 20)]), [10, 5, 5]);
    }
}
