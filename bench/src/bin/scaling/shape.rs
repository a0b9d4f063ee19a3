//! The shape of a fleet.

use std::fmt;
use std::str::FromStr;

use anyhow::ensure;

/// The maximum number of threads; more take too much memory.
const MOST: usize = 10_000;

/// The number of workers, the slots of each, and the threads of each slot. Written as `8x1x32`, or `64` for workers
/// with one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) workers: usize,
    pub(crate) slots: usize,
    pub(crate) threads: usize,
}

impl Shape {
    /// The number of all threads.
    pub(crate) fn all(self) -> usize {
        self.workers * self.slots * self.threads
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}x{}", self.workers, self.slots, self.threads)
    }
}

impl FromStr for Shape {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let numbers: Vec<usize> = text.split('x').map(str::parse).collect::<Result<_, _>>()?;
        let (workers, slots, threads) = match numbers[..] {
            [workers] => (workers, 1, 1),
            [workers, slots, threads] => (workers, slots, threads),
            _ => anyhow::bail!("a shape is WORKERS or WORKERSxSLOTSxTHREADS"),
        };
        let all = workers
            .checked_mul(slots)
            .and_then(|all| all.checked_mul(threads));
        let is_possible = all.is_some_and(|all| (1..=MOST).contains(&all));
        ensure!(is_possible, "between 1 and {MOST} threads are possible");
        Ok(Self {
            workers,
            slots,
            threads,
        })
    }
}
