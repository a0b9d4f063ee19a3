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
            // Before that there is too little to tell.
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
mod tests {
    use super::*;

    fn at(seconds: f64) -> Sample {
        Sample {
            seconds,
            expansions: (seconds * 1000.0) as u64,
            records: 7,
            root: Numbers::UNLIMITED,
        }
    }

    /// A history that was noted every so many seconds, so many times.
    fn noted(every: f64, times: u32) -> History {
        let mut history = History::default();
        for n in 0..times {
            history.note(at(f64::from(n) * every));
            assert!(history.samples.len() <= MOST);
        }
        history
    }

    #[test]
    fn samples_stay_few_in_order_and_apart() {
        for (every, times) in [
            (0.01, 100),
            (0.1, 5_000),
            (0.25, 240),
            (0.1, 400_000),
            (60.0, 999),
        ] {
            let history = noted(every, times);
            let samples = history.samples();
            assert_eq!(samples[0].seconds.to_bits(), 0_f64.to_bits());
            for pair in samples.windows(2) {
                let apart = pair[1].seconds - pair[0].seconds;
                assert!(apart >= history.interval - 1e-9, "{every} {times}: {apart}");
            }
            // Nothing of the end is lost but what is shorter than an interval, or was dropped with it.
            let end = every * f64::from(times - 1);
            let last = samples[samples.len() - 1].seconds;
            assert!(
                end - last <= history.interval.max(every) * 2.0,
                "{end} {last}"
            );
        }
    }

    #[test]
    fn a_long_history_is_at_least_half_full() {
        for times in [241, 1_000, 5_000, 100_000] {
            assert!(noted(0.25, times).samples().len() >= MOST / 2);
        }
    }

    #[test]
    fn an_end_is_always_there_and_replaces_what_is_not_before_it() {
        let mut history = noted(0.25, 9);
        history.note_end(at(2.0001));
        assert_eq!(history.samples().len(), 9);
        history.note_end(at(2.001));
        history.note_end(at(2.0012));
        assert_eq!(history.samples().len(), 10);
        history.note_end(at(1.9));
        let seconds: Vec<f64> = history.samples().iter().map(|s| s.seconds).collect();
        assert!(seconds.is_sorted_by(|a, b| a < b), "{seconds:?}");
        assert_eq!(seconds.last(), Some(&1.9));
    }

    #[test]
    fn rates_are_averages_of_what_was_done() {
        assert_eq!(History::default().rates(), []);
        for (every, times) in [(0.25, 3), (0.25, 200), (0.25, 50_000), (60.0, 7)] {
            let rates = noted(every, times).rates();
            assert!(!rates.is_empty(), "{every} {times}");
            for (_, rate) in rates {
                assert!((rate - 1000.0).abs() < 1.0, "{every} {times}: {rate}");
            }
        }
    }

    #[test]
    fn it_is_written_and_read_again() {
        let history = noted(0.25, 700);
        let text = serde_json::to_string(&history).expect("JSON");
        assert!(text.len() < 40 * MOST, "{}", text.len());
        let read: History = serde_json::from_str(&text).expect("a history");
        assert_eq!(read, history);
    }
}
