//! The speed of a computation: its present rate, and the last minute as a line of bars.

use std::collections::VecDeque;

/// The time over which the present rate is averaged, in seconds.
const PRESENT: f64 = 5.0;

/// The time that a bar covers, in seconds.
const BAR: f64 = 2.0;

/// The maximum number of bars; together they cover a minute.
const BARS: usize = 30;

/// The bars, by height.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The expansions of a computation over the last minute.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// Seconds and expansions, oldest first. Neither ever decreases.
    samples: VecDeque<(f64, u64)>,
}

impl History {
    /// Adds the number of expansions at a time.
    pub(crate) fn add(&mut self, seconds: f64, count: u64) {
        let last = self.samples.back();
        if last.is_some_and(|&(then, before)| seconds < then || count < before) {
            // The computation was started again.
            self.samples.clear();
        }
        self.samples.push_back((seconds, count));
        // One sample before the first bar is kept, for the count at the bar's start.
        let first = seconds - BAR * BARS as f64;
        while self.samples.get(1).is_some_and(|&(then, _)| then <= first) {
            self.samples.pop_front();
        }
    }

    /// Expansions per second over the last [`PRESENT`] seconds. With fewer samples, the average since the computation
    /// began.
    pub(crate) fn rate(&self) -> f64 {
        let (Some(&(first, _)), Some(&(last, count))) = (self.samples.front(), self.samples.back())
        else {
            return 0.0;
        };
        let (then, before) = if last - first >= PRESENT {
            (last - PRESENT, self.count_at(last - PRESENT))
        } else {
            (0.0, 0.0)
        };
        if last > then {
            (count as f64 - before) / (last - then)
        } else {
            0.0
        }
    }

    /// One bar for each [`BAR`] seconds, the latest last. The highest bar has the full height. Empty if the samples
    /// cover less than one bar.
    pub(crate) fn bars(&self) -> String {
        let (Some(&(first, _)), Some(&(last, _))) = (self.samples.front(), self.samples.back())
        else {
            return String::new();
        };
        let known = ((last - first) / BAR) as usize;
        let counts: Vec<f64> = (0..known.min(BARS))
            .rev()
            .map(|i| last - BAR * i as f64)
            .map(|end| self.count_at(end) - self.count_at(end - BAR))
            .collect();
        let most = counts.iter().copied().fold(0.0, f64::max);
        let highest = (BLOCKS.len() - 1) as f64;
        let bar = |count: f64| {
            if most > 0.0 {
                BLOCKS[(count / most * highest).round() as usize]
            } else {
                BLOCKS[0]
            }
        };
        counts.into_iter().map(bar).collect()
    }

    /// The count at a time, by linear interpolation between samples.
    fn count_at(&self, seconds: f64) -> f64 {
        let after = self.samples.partition_point(|&(then, _)| then < seconds);
        let at = |i: usize| {
            self.samples
                .get(i)
                .map(|&(then, count)| (then, count as f64))
        };
        match (after.checked_sub(1).and_then(at), at(after)) {
            (Some((then, before)), Some((next, count))) => {
                before + (count - before) * (seconds - then) / (next - then)
            }
            (Some((_, count)), None) | (None, Some((_, count))) => count,
            (None, None) => 0.0,
        }
    }
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
