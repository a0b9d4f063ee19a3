//! Which records of workers are audited, and the results. Nothing here searches, waits for a disk
//! or looks at a clock.
//!
//! - [`share`]: which share is audited of what a worker reports.
//! - `queue`: the claims that wait for it.
//!
//! What the share means, and what it does not catch, is in `docs/trust.md`.

mod queue;
pub(crate) mod share;

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sproutnet_notation::SourceId;
use sproutnet_solver::search::Verdict;

pub(crate) use queue::Claim;
use queue::Queue;
use share::AuditShare;

/// Records counted by what came of auditing them, since the coordinator began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AuditCounts {
    /// Followed from the others.
    pub confirmed: u64,
    /// The opposite followed, or the others contradicted each other.
    pub contradicted: u64,
    /// Undecided audits; they are repeated with a larger bound.
    pub undecided: u64,
    /// Not decided by the longest search either.
    pub given_up: u64,
    /// Chosen, but there was no room to wait.
    pub skipped: u64,
    /// That wait.
    pub waiting: u64,
}

/// How workers stand, and the claims that wait.
pub(crate) struct AuditPlan {
    audit: AuditShare,
    inner: Mutex<Inner>,
    arrived: Condvar,
}

struct Inner {
    /// Draws which records are audited. Nobody outside must be able to foretell it.
    random: fastrand::Rng,
    /// How many records were confirmed of each source since the last doubt about it.
    confirmed: HashMap<SourceId, u64>,
    queue: Queue,
    counts: AuditCounts,
}

impl AuditPlan {
    /// Nobody is known yet.
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

    /// The share of what a source reports now that is audited.
    pub(crate) fn share(&self, source: SourceId) -> f64 {
        let confirmed = self.lock().confirmed.get(&source).copied();
        self.audit.share(confirmed.unwrap_or(0))
    }

    /// Draws from what a source reported that was new, each a key with what is claimed of it.
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
            match inner.queue.push(Claim::new(source, key, value)) {
                true => has_arrived = true,
                false => inner.counts.skipped += 1,
            }
        }
        drop(inner);
        if has_arrived {
            self.arrived.notify_one();
        }
    }

    /// Doubts claims: they are audited before all others, and of what their sources report all
    /// is, until they have earned trust again.
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

    /// Trusts nobody any more, and drops all claims: what they were about is gone.
    pub(crate) fn reset(&self) {
        let mut inner = self.lock();
        inner.confirmed.clear();
        inner.queue = Queue::default();
    }

    /// The claim to be audited next. Waits for one so long at most.
    pub(crate) fn next(&self, patience: Duration) -> Option<Claim> {
        let inner = self.lock();
        let waited = self
            .arrived
            .wait_timeout_while(inner, patience, |inner| inner.queue.is_empty());
        let (mut inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
        inner.queue.pop()
    }

    /// Takes note of what came of a claim.
    pub(crate) fn note(&self, claim: Claim, verdict: Verdict) {
        let mut inner = self.lock();
        let counts = &mut inner.counts;
        match verdict {
            Verdict::Confirmed => {
                counts.confirmed += 1;
                *inner.confirmed.entry(claim.source).or_default() += 1;
            }
            Verdict::Contradicted | Verdict::Inconsistent => {
                counts.contradicted += 1;
                inner.confirmed.remove(&claim.source);
            }
            Verdict::Open => {
                counts.undecided += 1;
                if !inner.queue.push_again(claim) {
                    inner.counts.given_up += 1;
                }
            }
            // It does no harm, and says nothing for its source.
            Verdict::Idle => {}
        }
    }

    /// What came of the claims so far.
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
