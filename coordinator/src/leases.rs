//! Which job is out to whom. A pure state machine: the time is handed in.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::computation::Leaf;

/// A job that is out to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The worker.
    pub worker: u64,
    /// The computation to which the job belongs.
    pub computation: u64,
    /// The locked leaf.
    pub leaf: Leaf,
    expires: Instant,
}

/// All leases that are out.
#[derive(Debug)]
pub struct Leases {
    duration: Duration,
    next: u64,
    out: BTreeMap<u64, Lease>,
}

impl Leases {
    /// No lease; each will run out after `duration` without a renewal. Leases are numbered from
    /// `first`.
    pub fn new(duration: Duration, first: u64) -> Self {
        Self {
            duration,
            next: first,
            out: BTreeMap::new(),
        }
    }

    /// How long a lease lasts without a renewal.
    pub fn duration(&self) -> Duration {
        self.duration
    }

    /// Gives a job to a worker; returns the number of the lease.
    pub fn grant(&mut self, worker: u64, computation: u64, leaf: Leaf, now: Instant) -> u64 {
        let lease = self.next;
        self.next += 1;
        let expires = now + self.duration;
        let granted = Lease {
            worker,
            computation,
            leaf,
            expires,
        };
        self.out.insert(lease, granted);
        lease
    }

    /// Keeps a lease from running out; returns its computation. `None` if the worker does not hold
    /// it (any more).
    pub fn renew(&mut self, lease: u64, worker: u64, now: Instant) -> Option<u64> {
        let held = self
            .out
            .get_mut(&lease)
            .filter(|held| held.worker == worker)?;
        held.expires = now + self.duration;
        Some(held.computation)
    }

    /// A lease that the worker holds.
    pub fn held(&self, lease: u64, worker: u64) -> Option<&Lease> {
        self.out.get(&lease).filter(|held| held.worker == worker)
    }

    /// Ends a lease, by report or release. `None` if the worker does not hold it (any more).
    pub fn end(&mut self, lease: u64, worker: u64) -> Option<Lease> {
        self.held(lease, worker)?;
        self.out.remove(&lease)
    }

    /// Ends all leases that have run out, and returns them.
    pub fn expire(&mut self, now: Instant) -> Vec<Lease> {
        let late = self.out.extract_if(.., |_, lease| lease.expires <= now);
        late.map(|(_, lease)| lease).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn leaf() -> Leaf {
        Leaf::default()
    }

    #[test]
    fn a_lease_ends_once() {
        let now = Instant::now();
        let mut leases = Leases::new(MINUTE, 1);
        let lease = leases.grant(7, 1, leaf(), now);
        assert_eq!(leases.end(lease, 8), None, "of another worker");
        assert!(leases.end(lease, 7).is_some());
        assert_eq!(leases.end(lease, 7), None);
        assert!(leases.expire(now + 9 * MINUTE).is_empty());
    }

    #[test]
    fn only_leases_that_are_not_renewed_run_out() {
        let now = Instant::now();
        let mut leases = Leases::new(MINUTE, 1);
        let renewed = leases.grant(7, 1, leaf(), now);
        let forgotten = leases.grant(7, 2, leaf(), now);
        assert_eq!(leases.renew(renewed, 7, now + MINUTE / 2), Some(1));
        let expired = leases.expire(now + MINUTE);
        assert_eq!(
            expired
                .iter()
                .map(|lease| lease.computation)
                .collect::<Vec<_>>(),
            [2]
        );
        assert_eq!(leases.renew(forgotten, 7, now + MINUTE), None);
    }
}
