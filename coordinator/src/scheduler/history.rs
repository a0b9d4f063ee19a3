//! The progress of a computation over time, in a bounded number of samples.
//!
//! When there is no room for another sample, every second one is dropped, and from then on samples are taken half as
//! often. So a history of seconds and one of weeks have about as many samples, evenly spaced.

use serde::{Deserialize, Serialize};
use sproutnet_model::{Pace, Progress, Solved};
use sproutnet_solver::search::Numbers;

/// The maximum number of samples.
pub const MOST: usize = 240;

/// The initial time of work between samples, in seconds.
const SHORTEST: f64 = 0.25;

/// The minimum window of averaged rates, in seconds, if the history is as long.
const SMOOTH: f64 = 4.0;

/// The lengths of the last parts of the work whose speed is shown, in seconds: a minute, an hour, and everything.
const PACES: [f64; 3] = [60.0, 3600.0, f64::INFINITY];

/// The progress of a computation at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Row", into = "Row")]
pub struct Sample {
    /// Time of work, in seconds.
    pub seconds: f64,
    /// Lands whose options were generated.
    pub expansions: u64,
    /// Records added to the store.
    pub records: u64,
    /// The proof and disproof numbers of the state to be proved.
    pub root: Numbers,
}

impl Default for Sample {
    /// Before the first job.
    fn default() -> Self {
        Self {
            seconds: 0.0,
            expansions: 0,
            records: 0,
            root: Numbers::UNLIMITED,
        }
    }
}

impl Sample {
    /// The last sample of a solved computation.
    pub fn of(solved: &Solved) -> Self {
        Self {
            seconds: solved.seconds,
            expansions: solved.expansions,
            records: solved.records,
            root: Numbers::solved(solved.outcome),
        }
    }

    /// The same with the time rounded to milliseconds, which take few digits to write.
    fn to_the_millisecond(self) -> Self {
        Self {
            seconds: (self.seconds * 1000.0).round() / 1000.0,
            ..self
        }
    }
}

/// A sample on disk: a tuple, since field names would take most of the bytes.
type Row = (f64, u64, u64, u32, u32);

impl From<Row> for Sample {
    fn from((seconds, expansions, records, proof, disproof): Row) -> Self {
        Self {
            seconds,
            expansions,
            records,
            root: Numbers { proof, disproof },
        }
    }
}

impl From<Sample> for Row {
    fn from(sample: Sample) -> Self {
        let Numbers { proof, disproof } = sample.root;
        let Sample {
            seconds,
            expansions,
            records,
            ..
        } = sample;
        (seconds, expansions, records, proof, disproof)
    }
}

/// Samples in the order of time, about evenly spaced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// The minimum time of work between two samples, in seconds, except before the last.
    interval: f64,
    samples: Vec<Sample>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            interval: SHORTEST,
            samples: Vec::new(),
        }
    }
}

impl History {
    /// The samples.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The time of work in seconds and the expansions per second up to then. Each rate is an average over a window,
    /// since expansions arrive with the reports of jobs.
    pub fn rates(&self) -> Vec<(f64, f64)> {
        let samples = &self.samples;
        let all = samples.last().map_or(0.0, |last| last.seconds);
        let window = (all / 30.0).max(SMOOTH).min(all);
        let mut from = 0;
        let mut rates = Vec::new();
        for to in samples {
            while samples[from + 1..]
                .first()
                .is_some_and(|next| next.seconds <= to.seconds - window)
            {
                from += 1;
            }
            let passed = to.seconds - samples[from].seconds;
            // A shorter window has too few reports.
            if passed >= window * 0.99 {
                let done = to.expansions.saturating_sub(samples[from].expansions);
                rates.push((to.seconds, done as f64 / passed.max(0.001)));
            }
        }
        rates
    }

    /// The speed over the last minute, the last hour and all of the work until now. A part begins at a sample; parts
    /// that begin at the same sample are given once.
    pub fn paces(&self, now: &Progress) -> Vec<Pace> {
        let mut paces: Vec<Pace> = Vec::new();
        for window in PACES {
            let begun = |sample: &&Sample| sample.seconds <= now.seconds - window;
            let from = self.samples.iter().rfind(begun);
            let from = from.copied().unwrap_or_default();
            let seconds = now.seconds - from.seconds;
            if seconds <= 0.0 || paces.last().is_some_and(|last| last.seconds >= seconds) {
                continue;
            }
            let a_second = |now: u64, before: u64| now.saturating_sub(before) as f64 / seconds;
            paces.push(Pace {
                seconds,
                expansions: a_second(now.expansions, from.expansions),
                records: a_second(now.records, from.records),
                before: from.root,
            });
        }
        paces
    }

    /// Adds a sample if one is due.
    pub fn note(&mut self, sample: Sample) {
        let sample = sample.to_the_millisecond();
        let last = self.samples.last().map(|last| last.seconds);
        if last.is_none_or(|last| sample.seconds >= last + self.interval) {
            self.push(sample);
        }
    }

    /// Adds the sample of an end, which is always due. It replaces samples of the same moment or later.
    pub fn note_end(&mut self, sample: Sample) {
        let sample = sample.to_the_millisecond();
        while self
            .samples
            .pop_if(|last| last.seconds >= sample.seconds)
            .is_some()
        {}
        self.push(sample);
    }

    fn push(&mut self, sample: Sample) {
        if self.samples.len() >= MOST {
            let mut is_even = false;
            self.samples.retain(|_| {
                is_even = !is_even;
                is_even
            });
            self.interval *= 2.0;
        }
        self.samples.push(sample);
    }
}

#[cfg(test)]
mod tests;
