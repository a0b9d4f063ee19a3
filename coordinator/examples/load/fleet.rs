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

/// What a worker proved and did not hand over, in blocks.
#[derive(Default)]
pub(crate) struct Proved {
    blocks: f64,
    /// Of its own, as its messages take long.
    least: LeastWorth,
}

impl Proved {
    /// Adds what was proved in a time, as far as it is worth that.
    pub(crate) fn add(&mut self, time: Duration, asked: LeastWorth, records_of_block: u64) {
        let least = self.least.max(asked);
        let share = SHARES[least.visits().ilog2() as usize];
        let records = time.as_secs_f64() * RATE * f64::from(CORES) * share;
        self.blocks += records / records_of_block as f64;
    }

    /// Takes the blocks of a message.
    pub(crate) fn take(&mut self) -> usize {
        let taken = self.blocks.min(MOST_BLOCKS).floor();
        self.blocks -= taken;
        taken as usize
    }

    /// Whether there is more than a message.
    pub(crate) fn is_behind(&self) -> bool {
        self.blocks > MOST_BLOCKS
    }

    /// A message took so long.
    pub(crate) fn handed_over(&mut self, time: Duration) {
        self.least = self.least.after(time);
    }
}
