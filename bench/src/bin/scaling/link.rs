//! The connection of a virtual worker, and what passes through it.

use std::time::Duration;

use sproutnet_solver::play::{LeastWorth, Record};
use sproutnet_store::block::{self, BlockError};
use sproutnet_store::{OWN, Sourced, Worth};

use crate::clock::{MILLISECOND, SECOND, Time};

/// Between two messages with records a worker pauses for so many times as long as the last took…
const REST: Time = 4;

/// …but no longer than that.
const LONGEST_PAUSE: Time = 2 * SECOND;

/// What connections are like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connections {
    /// How long a message takes there and back.
    pub(crate) latency: Time,
    /// Bytes a second each way; `None` for any number.
    pub(crate) bandwidth: Option<u64>,
    /// Bytes of the feed that may be on their way to a worker: an answer comes after these.
    pub(crate) window: u64,
    /// What took less work than this is never sent.
    pub(crate) least: LeastWorth,
    /// How often a worker sends what a long search proves, at most.
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
    /// When all that was sent so far has left, each way.
    up_is_free: Time,
    down_is_free: Time,
    /// When the coordinator has acknowledged all that was sent.
    acknowledged: Time,
    /// How long the last message took.
    delivery: Time,
    pub(crate) least: LeastWorth,
    pub(crate) bytes_up: u64,
    pub(crate) bytes_down: u64,
}

impl Link {
    /// One that carried nothing so far.
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

    /// When the coordinator has acknowledged all that was sent before.
    pub(crate) fn acknowledged(&self, now: Time) -> Time {
        self.acknowledged.max(now)
    }

    /// When the next records are due.
    pub(crate) fn due(&self, now: Time, all: &Connections) -> Time {
        let pause = (REST * self.delivery).clamp(all.flush, all.flush.max(LONGEST_PAUSE));
        self.acknowledged(now) + pause
    }

    /// Feeds records that left the coordinator; returns when the worker has them.
    pub(crate) fn feed(&mut self, bytes: u64, now: Time, all: &Connections) -> Time {
        self.bytes_down += bytes;
        self.down_is_free = self.down_is_free.max(now) + all.time(bytes);
        self.down_is_free
    }

    /// How long an answer waits for the feed before it.
    pub(crate) fn wait(&self, now: Time, all: &Connections) -> Time {
        let ahead = self.down_is_free.saturating_sub(now);
        ahead.min(all.time(all.window)) + all.latency / 2
    }

    /// How far the feed is behind, in whole milliseconds.
    pub(crate) fn lag(&self, now: Time) -> u64 {
        self.down_is_free.saturating_sub(now) / MILLISECOND
    }
}

/// How many bytes records take as blocks. Sorts them.
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
