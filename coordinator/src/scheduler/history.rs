//! How a computation went, in so many samples at most.
//!
//! When there is no room for another sample every second one is dropped, and from then on they are
//! taken half as often. So a history of seconds and one of weeks are equally long, and both are even.

use serde::{Deserialize, Serialize};
use sproutnet_model::Solved;
use sproutnet_solver::search::Numbers;

/// The most samples that are kept.
pub const MOST: usize = 240;

/// The time of work between samples to begin with, in seconds.
const SHORTEST: f64 = 0.25;

/// Rates are averages over so many seconds at least, if there are as many.
const SMOOTH: f64 = 4.0;

/// How far a computation was at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Row", into = "Row")]
pub struct Sample {
    /// Time of work, in seconds.
    pub seconds: f64,
    /// Lands whose options were looked at.
    pub expansions: u64,
    /// Records added to the store.
    pub records: u64,
    /// The numbers of the state being proved.
    pub root: Numbers,
}

impl Sample {
    /// How far a computation was when it was solved.
    pub fn of(solved: &Solved) -> Self {
        Self {
            seconds: solved.seconds,
            expansions: solved.expansions,
            records: solved.records,
            root: Numbers::solved(solved.outcome),
        }
    }

    /// The same at a moment that takes few digits to write.
    fn to_the_millisecond(self) -> Self {
        Self {
            seconds: (self.seconds * 1000.0).round() / 1000.0,
            ..self
        }
    }
}

/// A sample as it is kept: there are many, and names would be most of their bytes.
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

/// Samples in the order of time, about evenly apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// At least so many seconds lie between two samples, the last apart.
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

    /// Expansions in each second, each with the time of work at the end of the seconds meant: reports
    /// come by jobs, so it is an average over some of these.
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
            // Before that there is too little to measure.
            if passed >= window * 0.99 {
                let done = to.expansions.saturating_sub(samples[from].expansions);
                rates.push((to.seconds, done as f64 / passed.max(0.001)));
            }
        }
        rates
    }

    /// Keeps a sample if it is time for one.
    pub fn note(&mut self, sample: Sample) {
        let sample = sample.to_the_millisecond();
        let last = self.samples.last().map(|last| last.seconds);
        if last.is_none_or(|last| sample.seconds >= last + self.interval) {
            self.push(sample);
        }
    }

    /// Keeps the sample of an end, for which it is always time. One of the same moment gives way.
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
