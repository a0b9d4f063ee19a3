//! The choice of records to audit, and the results. Nothing here searches, waits for a disk or reads a clock.
//!
//! - [`share`]: the share of a worker's records that is audited.
//! - `queue`: the claims that wait for an audit.
//!
//! `docs/explanation/trust.md` explains the share and its limits.

mod queue;
pub(crate) mod share;

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sproutnet_notation::SourceId;
use sproutnet_solver::search::AuditVerdict;

pub(crate) use queue::Claim;
use queue::Queue;
use share::AuditShare;

/// The results of audits since the coordinator started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditCounts {
    /// Claims that followed from other records.
    pub confirmed: u64,
    /// Claims whose opposite followed, or whose audit met a contradiction among other records.
    pub contradicted: u64,
    /// Undecided audits; they are repeated with a larger bound.
    pub undecided: u64,
    /// Claims that were dropped undecided: after the longest search, or for lack of room.
    pub given_up: u64,
    /// Sampled records that were dropped because the queue was full.
    pub skipped: u64,
    /// Claims that wait.
    pub waiting: u64,
}

/// The confirmed records of each source, and the claims that wait.
pub(crate) struct AuditPlan {
    audit: AuditShare,
    inner: Mutex<Inner>,
    arrived: Condvar,
}

struct Inner {
    /// Samples the records. Nobody outside may be able to predict it.
    random: fastrand::Rng,
    /// The number of confirmed records of each source since its last doubtful one.
    confirmed: HashMap<SourceId, u64>,
    queue: Queue,
    counts: AuditCounts,
}

impl AuditPlan {
    /// A plan without claims, in which no source has confirmed records.
    pub(crate) fn new(audit: AuditShare, seed: u64) -> Self {
        Self {
            audit,
            inner: Mutex::new(Inner {
                random: fastrand::Rng::with_seed(seed),
                confirmed: HashMap::new(),
                queue: Queue::default(),
                counts: AuditCounts::default(),
            }),
            arrived: Condvar::new(),
        }
    }

    /// Whether anything is audited.
    pub(crate) fn is_on(&self) -> bool {
        self.audit.is_on()
    }

    /// The share of a source's new records that is audited now.
    pub(crate) fn share(&self, source: SourceId) -> f64 {
        let confirmed = self.lock().confirmed.get(&source).copied();
        self.audit.share(confirmed.unwrap_or(0))
    }

    /// Samples the new records of a source, each a key and the claimed value, and queues the chosen ones.
    pub(crate) fn draw<'a>(
        &self,
        source: SourceId,
        reported: impl Iterator<Item = (&'a [u8], u64)>,
    ) {
        if !self.is_on() {
            return;
        }
        let share = self.share(source);
        let mut inner = self.lock();
        let mut has_arrived = false;
        for (key, value) in reported {
            if inner.random.f64() >= share {
                continue;
            }
            if inner.queue.push(Claim::new(source, key, value)) {
                has_arrived = true;
            } else {
                inner.counts.skipped += 1;
            }
        }
        drop(inner);
        if has_arrived {
            self.arrived.notify_one();
        }
    }

    /// Queues claims for urgent audits, before all others. The shares of their sources return to the whole, until
    /// records are confirmed again.
    pub(crate) fn doubt(&self, claims: impl IntoIterator<Item = Claim>) {
        if !self.is_on() {
            return;
        }
        let mut inner = self.lock();
        for claim in claims {
            inner.confirmed.remove(&claim.source);
            inner.queue.push_first(claim);
        }
        drop(inner);
        self.arrived.notify_one();
    }

    /// Forgets all confirmed records, and drops all claims: their records were revoked.
    pub(crate) fn reset(&self) {
        let mut inner = self.lock();
        inner.confirmed.clear();
        inner.queue = Queue::default();
    }

    /// The next claim to audit. Waits for one up to `patience`.
    pub(crate) fn next(&self, patience: Duration) -> Option<Claim> {
        let inner = self.lock();
        let waited = self
            .arrived
            .wait_timeout_while(inner, patience, |inner| inner.queue.is_empty());
        let (mut inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
        inner.queue.pop()
    }

    /// Counts the verdict on a claim. An undecided one is queued again.
    pub(crate) fn note(&self, claim: Claim, verdict: AuditVerdict) {
        let mut inner = self.lock();
        let counts = &mut inner.counts;
        match verdict {
            AuditVerdict::Confirmed => {
                counts.confirmed += 1;
                *inner.confirmed.entry(claim.source).or_default() += 1;
            }
            AuditVerdict::Contradicted | AuditVerdict::Inconsistent => {
                counts.contradicted += 1;
                inner.confirmed.remove(&claim.source);
            }
            AuditVerdict::Open => {
                counts.undecided += 1;
                if !inner.queue.push_again(claim) {
                    inner.counts.given_up += 1;
                }
            }
            // An idle record does no harm, and earns its source no trust.
            AuditVerdict::Idle => {}
        }
    }

    /// The results so far.
    pub(crate) fn counts(&self) -> AuditCounts {
        let inner = self.lock();
        AuditCounts {
            waiting: inner.queue.len() as u64,
            ..inner.counts
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "the whole is exact")]
mod tests;
