//! Whose word is taken: which of the records that workers report are audited, and what came of
//! it. Nothing here searches, waits for a disk or looks at a clock.
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
    /// Searches that were too short to tell; they are made again, longer.
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
    confirmed: HashMap<u32, u64>,
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
    pub(crate) fn share(&self, source: u32) -> f64 {
        let confirmed = self.lock().confirmed.get(&source).copied();
        self.audit.share(confirmed.unwrap_or(0))
    }

    /// Draws from what a source reported that was new, each a key with what is claimed of it.
    pub(crate) fn draw<'a>(&self, source: u32, reported: impl Iterator<Item = (&'a [u8], u64)>) {
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
            // It does no harm, and says nothing for whoever told it.
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
mod tests {
    use super::*;

    fn plan(audit: AuditShare) -> AuditPlan {
        AuditPlan::new(audit, 1)
    }

    fn drain(plan: &AuditPlan) -> Vec<Claim> {
        std::iter::from_fn(|| plan.next(Duration::ZERO)).collect()
    }

    fn report(plan: &AuditPlan, source: u32, records: u64) -> usize {
        let keys: Vec<[u8; 8]> = (0..records).map(u64::to_be_bytes).collect();
        plan.draw(source, keys.iter().map(|key| (&key[..], 1)));
        let drawn = drain(plan);
        let count = drawn.len();
        for claim in drawn {
            plan.note(claim, Verdict::Confirmed);
        }
        count
    }

    #[test]
    fn all_of_a_new_worker_is_audited_and_less_of_one_that_earned_trust() {
        let plan = plan(AuditShare::default());
        assert_eq!(report(&plan, 1, 10), 10);
        for _ in 0..500 {
            report(&plan, 1, 1000);
        }
        let share = plan.share(1);
        assert!((0.02..0.04).contains(&share), "{share}");
        let drawn: usize = (0..20).map(|_| report(&plan, 1, 1000)).sum();
        assert!((400..800).contains(&drawn), "{drawn} of 20,000");
        // The trust is one worker's own.
        assert_eq!(report(&plan, 2, 10), 10);
    }

    #[test]
    fn doubt_takes_all_trust_away_and_comes_first() {
        let plan = plan(AuditShare::default());
        report(&plan, 1, 4000);
        assert!(plan.share(1) < 0.5);
        plan.draw(2, std::iter::once((&b"other"[..], 1)));
        plan.doubt([Claim::new(1, b"doubted", 3)]);
        let first = plan.next(Duration::ZERO).expect("two wait");
        assert_eq!(&*first.key, b"doubted");
        assert_eq!(plan.share(1), 1.0);
        plan.note(first, Verdict::Contradicted);
        assert_eq!(plan.counts().contradicted, 1);
    }

    #[test]
    fn what_was_not_decided_earns_nothing_and_is_tried_again_with_a_larger_bound() {
        let plan = plan(AuditShare::default());
        plan.draw(1, std::iter::once((&b"hard"[..], 1)));
        let mut visits = Vec::new();
        while let Some(claim) = plan.next(Duration::ZERO) {
            visits.push(claim.visits());
            plan.note(claim, Verdict::Open);
        }
        assert!(visits.len() > 1 && visits.is_sorted_by(|a, b| a < b));
        assert_eq!(plan.share(1), 1.0);
        let counts = plan.counts();
        assert_eq!(counts.undecided, visits.len() as u64);
        assert_eq!((counts.given_up, counts.confirmed), (1, 0));
    }

    #[test]
    fn without_room_the_share_falls() {
        let plan = plan(AuditShare::default());
        let keys: Vec<[u8; 8]> = (0..100_000u64).map(u64::to_be_bytes).collect();
        plan.draw(1, keys.iter().map(|key| (&key[..], 1)));
        let counts = plan.counts();
        assert_eq!(counts.waiting + counts.skipped, 100_000);
        assert!(counts.waiting < 10_000, "{counts:?}");
    }

    #[test]
    fn the_same_seed_draws_the_same() {
        let draw = || {
            let plan = AuditPlan::new(AuditShare::constant(0.1), 5);
            let keys: Vec<[u8; 8]> = (0..1000u64).map(u64::to_be_bytes).collect();
            plan.draw(1, keys.iter().map(|key| (&key[..], 1)));
            drain(&plan)
        };
        assert_eq!(draw(), draw());
        assert!((60..140).contains(&draw().len()));
    }
}
