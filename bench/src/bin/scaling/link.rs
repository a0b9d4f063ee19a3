//! The connection of a virtual worker.

use std::time::Duration;

use sproutnet_solver::play::{LeastWorth, Record};
use sproutnet_store::block::{self, BlockError};
use sproutnet_store::{OWN, Sourced, Worth};

use crate::clock::{MILLISECOND, SECOND, Time};

/// The minimum ratio of the pause between two messages with records to the duration of the last…
const REST: Time = 4;

/// …and the longest pause.
const LONGEST_PAUSE: Time = 2 * SECOND;

/// The parameters of connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connections {
    /// The time of a message there and back.
    pub(crate) latency: Time,
    /// Bytes per second each way; `None` for no limit.
    pub(crate) bandwidth: Option<u64>,
    /// The bytes of the feed that may be under way to a worker. An answer arrives after these.
    pub(crate) window: u64,
    /// Records below this worth are never sent.
    pub(crate) least: LeastWorth,
    /// The minimum time between two deliveries of a long search.
    pub(crate) flush: Time,
}

impl Connections {
    fn time(&self, bytes: u64) -> Time {
        self.bandwidth
            .map_or(0, |bandwidth| bytes * SECOND / bandwidth)
    }
}

/// The connection of one worker.
#[derive(Default)]
pub(crate) struct Link {
    /// When everything sent so far has left, each way.
    up_is_free: Time,
    down_is_free: Time,
    /// When the coordinator has acknowledged everything sent.
    acknowledged: Time,
    /// The duration of the last message.
    delivery: Time,
    pub(crate) least: LeastWorth,
    pub(crate) bytes_up: u64,
    pub(crate) bytes_down: u64,
}

impl Link {
    /// A new connection.
    pub(crate) fn new(all: &Connections) -> Self {
        Self {
            least: all.least,
            ..Self::default()
        }
    }

    /// Sends records to the coordinator; returns when they arrive.
    pub(crate) fn send(&mut self, bytes: u64, now: Time, all: &Connections) -> Time {
        self.bytes_up += bytes;
        self.up_is_free = self.up_is_free.max(now) + all.time(bytes);
        let arrival = self.up_is_free + all.latency / 2;
        self.acknowledged = arrival + self.wait(arrival, all);
        self.delivery = self.acknowledged - now;
        let least = self.least.after(Duration::from_nanos(self.delivery), 0);
        self.least = least.max(all.least);
        arrival
    }

    /// When the coordinator has acknowledged everything sent before.
    pub(crate) fn acknowledged(&self, now: Time) -> Time {
        self.acknowledged.max(now)
    }

    /// When the next records are due.
    pub(crate) fn due(&self, now: Time, all: &Connections) -> Time {
        let pause = (REST * self.delivery).clamp(all.flush, all.flush.max(LONGEST_PAUSE));
        self.acknowledged(now) + pause
    }

    /// Sends records of the feed to the worker; returns when they arrive.
    pub(crate) fn feed(&mut self, bytes: u64, now: Time, all: &Connections) -> Time {
        self.bytes_down += bytes;
        self.down_is_free = self.down_is_free.max(now) + all.time(bytes);
        self.down_is_free
    }

    /// The time that an answer waits for the feed before it.
    pub(crate) fn wait(&self, now: Time, all: &Connections) -> Time {
        let ahead = self.down_is_free.saturating_sub(now);
        ahead.min(all.time(all.window)) + all.latency / 2
    }

    /// The delay of the feed, in whole milliseconds.
    pub(crate) fn lag(&self, now: Time) -> u64 {
        self.down_is_free.saturating_sub(now) / MILLISECOND
    }
}

/// The size of records as blocks, in bytes. Sorts the records.
pub(crate) fn bytes_of(records: &mut Vec<Record>) -> Result<u64, BlockError> {
    records.sort();
    records.dedup_by(|next, kept| next.key == kept.key);
    let blocks = records.chunks(block::RECORDS);
    let bytes = blocks.map(|records| Ok(block::encode(records.iter().map(sourced))?.len() as u64));
    bytes.sum()
}

fn sourced(record: &Record) -> Sourced<'_> {
    Sourced {
        key: &record.key,
        value: record.value,
        worth: Worth::LEAST,
        source: OWN,
    }
}
