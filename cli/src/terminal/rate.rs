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
            // The first time, or the count started again.
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
#[path = "rate_tests.rs"]
mod tests;
