//! The intervals at which a worker stores and sends the records of a long search.

use std::time::Duration;

use tokio::time::Instant;

/// The pause after a store that found new records, if storing and sending take no time.
const SHORTEST: Duration = Duration::from_millis(20);

/// The longest pause, and the longest time between two stores while a message is in flight.
pub(crate) const LONGEST: Duration = Duration::from_secs(2);

/// The minimum ratio of the pause to the time of the last store and the last delivery together. So the pause grows when
/// the disk or the coordinator is busy.
const REST: u32 = 4;

/// The number of stores in a row without new records after which the pause stops doubling.
const MOST_DOUBLINGS: u32 = 7;

/// When the next store is due.
pub(crate) struct Pace {
    /// When the last store ended.
    last: Instant,
    /// The duration of that store.
    store: Duration,
    /// The duration of the last delivery.
    delivery: Duration,
    /// The number of stores in a row without new records.
    idle: u32,
}

impl Pace {
    pub(crate) fn new() -> Self {
        Self {
            last: Instant::now(),
            store: Duration::ZERO,
            delivery: Duration::ZERO,
            idle: 0,
        }
    }

    /// When the next store is due. While a message is in flight, a store serves durability only, so it may come late.
    pub(crate) fn due(&self, is_delivering: bool) -> Instant {
        self.last + if is_delivering { LONGEST } else { self.pause() }
    }

    fn pause(&self) -> Duration {
        let busy = (self.store + self.delivery) * REST;
        let idle = SHORTEST * (1 << self.idle.min(MOST_DOUBLINGS));
        busy.max(idle).min(LONGEST)
    }

    /// Notes the end of a store that began at `began`.
    pub(crate) fn stored(&mut self, began: Instant, is_new: bool) {
        self.last = Instant::now();
        self.store = self.last - began;
        self.idle = if is_new {
            0
        } else {
            self.idle.saturating_add(1)
        };
    }

    /// Notes the end of a delivery that began at `began`.
    pub(crate) fn delivered(&mut self, began: Instant) {
        self.delivery = began.elapsed();
    }
}

#[cfg(test)]
mod tests;
