//! The records of real cores: their rate, their worth, and the part that a worker sends.

use std::time::Duration;

use sproutnet_solver::play::LeastWorth;

/// The cores of each worker.
pub(crate) const CORES: u32 = 32;

/// The number of records that a core proves per second.
const RATE: f64 = 3_390.0;

/// The maximum number of blocks in a message: a real message is full at a mebibyte.
const MOST_BLOCKS: f64 = 90.0;

/// The share of records that took at least 2^n visits, for each n from 0 on, as in the store of `0*24`.
const SHARES: [f64; 16] = [
    1.0, 0.886, 0.691, 0.444, 0.222, 0.1, 0.0425, 0.0176, 0.0081, 0.0033, 0.0017, 0.0008, 0.00026,
    0.00007, 0.00002, 0.00001,
];

/// A worker's records that were not handed over, as numbers.
#[derive(Default)]
pub(crate) struct Proved {
    /// The records below the least worth, by log2 of their visits.
    withheld: [f64; SHARES.len()],
    /// The number of records to be handed over.
    queued: f64,
    /// The worker's own least worth, which rises while deliveries take long.
    least: LeastWorth,
}

impl Proved {
    /// Adds the records of a time, and queues those of at least the least worth.
    pub(crate) fn add(&mut self, time: Duration, asked: LeastWorth) {
        let least = self.least.max(asked).visits().ilog2() as usize;
        let proved = time.as_secs_f64() * RATE * f64::from(CORES);
        for (log2, withheld) in self.withheld.iter_mut().enumerate() {
            let above = SHARES.get(log2 + 1).copied().unwrap_or_default();
            *withheld += proved * (SHARES[log2] - above);
            if log2 >= least {
                self.queued += std::mem::take(withheld);
            } else if *withheld > LeastWorth::MOST_WITHHELD as f64 {
                *withheld = 0.0;
            }
        }
    }

    /// Takes the blocks of a message from the queue; returns their number.
    pub(crate) fn take(&mut self, records_of_block: u64) -> usize {
        let blocks = self.queued / records_of_block as f64;
        let taken = blocks.min(MOST_BLOCKS).floor();
        self.queued -= taken * records_of_block as f64;
        taken as usize
    }

    /// Whether less than a block is queued.
    pub(crate) fn is_empty(&self, records_of_block: u64) -> bool {
        self.queued < records_of_block as f64
    }

    /// The number of messages that the queue takes.
    pub(crate) fn messages(&self, records_of_block: u64) -> usize {
        (self.queued / records_of_block as f64 / MOST_BLOCKS).ceil() as usize
    }

    /// Adjusts the own least worth after a message that took `time`, with `waiting` messages left.
    pub(crate) fn handed_over(&mut self, time: Duration, waiting: usize) {
        self.least = self.least.after(time, waiting);
    }
}
