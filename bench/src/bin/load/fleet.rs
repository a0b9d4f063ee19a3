//! What real cores prove: how much, of which worth, and what of it a worker sends.

use std::time::Duration;

use sproutnet_solver::play::LeastWorth;

/// The cores of each worker.
pub(crate) const CORES: u32 = 32;

/// Records that a core proves in a second.
const RATE: f64 = 3_390.0;

/// Blocks of one message: a real one is full at a mebibyte.
const MOST_BLOCKS: f64 = 90.0;

/// The share of records that took at least 2^n visits, for each n from 0 on: as in the store of `0*24`.
const SHARES: [f64; 16] = [
    1.0, 0.886, 0.691, 0.444, 0.222, 0.1, 0.0425, 0.0176, 0.0081, 0.0033, 0.0017, 0.0008, 0.00026,
    0.00007, 0.00002, 0.00001,
];

/// What a worker proved and did not hand over, in records.
#[derive(Default)]
pub(crate) struct Proved {
    /// What is below the least worth, by the logarithm of its visits.
    withheld: [f64; SHARES.len()],
    /// What is to be handed over.
    queued: f64,
    /// Of its own, as deliveries take long.
    least: LeastWorth,
}

impl Proved {
    /// Adds what was proved in a time, and queues what is worth enough.
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

    /// Takes the blocks of a message.
    pub(crate) fn take(&mut self, records_of_block: u64) -> usize {
        let blocks = self.queued / records_of_block as f64;
        let taken = blocks.min(MOST_BLOCKS).floor();
        self.queued -= taken * records_of_block as f64;
        taken as usize
    }

    /// Whether there is less than a block.
    pub(crate) fn is_empty(&self, records_of_block: u64) -> bool {
        self.queued < records_of_block as f64
    }

    /// How many messages the rest takes.
    pub(crate) fn messages(&self, records_of_block: u64) -> usize {
        (self.queued / records_of_block as f64 / MOST_BLOCKS).ceil() as usize
    }

    /// A message took so long, and so many wait.
    pub(crate) fn handed_over(&mut self, time: Duration, waiting: usize) {
        self.least = self.least.after(time, waiting);
    }
}
