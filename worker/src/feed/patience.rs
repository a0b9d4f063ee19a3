//! How long a child waits for blocks of its parent.

use std::time::Duration;

/// The shortest time for each relay on the way. Those nearer to the coordinator fetch what is missing
/// first, and then pass it on in time.
const SHORTEST: Duration = Duration::from_millis(100);

/// The longest time. A parent that is slower is of no use.
const LONGEST: Duration = Duration::from_secs(2);

/// The share of a new measure in the average is one in so many.
const WEIGHT: u32 = 8;

/// The time is so many times the average.
const ROOM: u32 = 4;

/// How late blocks come, and how long to wait for the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Patience {
    depth: u32,
    average: Duration,
}

impl Patience {
    /// For a parent that is not known, with so many relays on the way, itself included.
    pub(super) fn new(depth: u32) -> Self {
        Self {
            depth,
            average: Duration::ZERO,
        }
    }

    /// The number of relays has changed.
    pub(super) fn set_depth(&mut self, depth: u32) {
        self.depth = depth;
    }

    /// A block came so long after its digest.
    pub(super) fn measure(&mut self, late: Duration) {
        let late = late.min(LONGEST);
        self.average = (self.average * (WEIGHT - 1) + late) / WEIGHT;
    }

    /// How long to wait for a block after its digest.
    pub(super) fn time(&self) -> Duration {
        (SHORTEST * self.depth.max(1) + self.average * ROOM).min(LONGEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_follows_the_parent_within_bounds() {
        let mut patience = Patience::new(2);
        assert_eq!(patience.time(), 2 * SHORTEST);
        for _ in 0..100 {
            patience.measure(Duration::from_millis(150));
        }
        let time = patience.time();
        assert!((700..=800).contains(&time.as_millis()), "{time:?}");
        patience.measure(Duration::from_hours(1));
        for _ in 0..100 {
            patience.measure(Duration::from_hours(1));
        }
        assert_eq!(patience.time(), LONGEST);
        for _ in 0..100 {
            patience.measure(Duration::ZERO);
        }
        assert!(patience.time() < 3 * SHORTEST);
    }
}
