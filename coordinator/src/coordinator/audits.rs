//! Audits records of workers, one at a time, in a thread of low priority.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sproutnet_solver::play::{self, Record};
use sproutnet_solver::search::{Auditor, Control, Verdict};
use sproutnet_store::{Batch, OWN};
use sproutnet_system::options::Nice;

use super::Coordinator;
use crate::CoordinatorError;
use crate::audit::Claim;

/// Everything else in the process goes first.
const NICE: Nice = Nice(19);

/// How long to wait for a claim before looking again whether to end.
const PATIENCE: Duration = Duration::from_millis(100);

/// How long to wait after a fault.
const AFTER_A_FAULT: Duration = Duration::from_secs(1);

/// The one place where records are audited.
pub(super) struct Audits {
    pub(super) auditor: Mutex<Auditor>,
    ends: AtomicBool,
    /// Of the search under way.
    control: Mutex<Arc<Control>>,
}

impl Audits {
    pub(super) fn new(auditor: Auditor) -> Self {
        Self {
            auditor: Mutex::new(auditor),
            ends: AtomicBool::new(false),
            control: Mutex::default(),
        }
    }

    /// Whether it is to end.
    pub(super) fn ends(&self) -> bool {
        self.ends.load(Ordering::Relaxed)
    }

    /// Audits a record, with a search of so many visits at most. `None` if it is to end.
    pub(super) fn judge(
        &self,
        auditor: &mut Auditor,
        key: &[u8],
        value: u64,
        visits: u64,
    ) -> Result<Option<Verdict>, CoordinatorError> {
        let control = Arc::new(Control::with_visits(visits));
        *self.control.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&control);
        if self.ends() {
            return Ok(None);
        }
        let verdict = auditor.judge(key, value, &control);
        let verdict = verdict.map_err(CoordinatorError::Search)?;
        Ok((!self.ends()).then_some(verdict))
    }
}

impl Coordinator {
    /// Audits records of workers until [stopped](Self::end_audits). To be called once, on
    /// a thread of its own; returns at once if all workers are trusted.
    pub fn audit_all(&self) {
        if !self.audit_plan.is_on() {
            return;
        }
        // Elsewhere it would be the priority of the whole process.
        if cfg!(target_os = "linux")
            && let Err(error) = NICE.apply()
        {
            tracing::warn!(%error, "records are audited with the priority of other threads");
        }
        while !self.audits.ends() {
            if let Err(error) = self.audit_next(PATIENCE) {
                let error = crate::error::with_causes(&error);
                tracing::error!(error, "a record could not be audited");
                std::thread::sleep(AFTER_A_FAULT);
            }
        }
    }

    /// Lets [`audit_all`](Self::audit_all) return soon.
    pub fn end_audits(&self) {
        self.audits.ends.store(true, Ordering::Relaxed);
        let control = self.audits.control.lock();
        control.unwrap_or_else(PoisonError::into_inner).cancel();
    }

    /// Audits the next record, if there is one within that time, and does what follows from it.
    /// Says whether there was one.
    ///
    /// # Errors
    /// The store failed, or no search could be made.
    pub fn audit_next(&self, patience: Duration) -> Result<bool, CoordinatorError> {
        let Some(claim) = self.audit_plan.next(patience) else {
            return Ok(false);
        };
        let verdict = {
            let mut auditor = self.auditor();
            let visits = claim.visits();
            self.audits
                .judge(&mut auditor, &claim.key, claim.value, visits)?
        };
        let Some(verdict) = verdict else {
            return Ok(false);
        };
        self.audit_plan.note(claim.clone(), verdict);
        if matches!(verdict, Verdict::Contradicted | Verdict::Inconsistent) {
            self.attribute_fault(&claim, Instant::now())?;
        }
        Ok(true)
    }

    pub(super) fn auditor(&self) -> std::sync::MutexGuard<'_, Auditor> {
        let auditor = self.audits.auditor.lock();
        auditor.unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws from what a report added which records are to be audited.
    pub(super) fn draw(&self, source: u32, records: &Batch, news: &[(usize, Option<u64>)]) {
        if source == OWN || !self.audit_plan.is_on() || news.is_empty() {
            return;
        }
        let records = records.records();
        let added = news.iter().filter_map(|&(position, known)| {
            let record = records.get(position)?;
            Some((record.key, play::news(record.key, known, record.value)))
        });
        self.audit_plan.draw(source, added);
    }

    /// The same with what the coordinator's proofs found, which rest on how workers split their jobs.
    pub(super) fn draw_own(&self, records: &[Record]) {
        if self.audit_plan.is_on() {
            let records = records.iter().map(|record| (&*record.key, record.value));
            self.audit_plan.draw(OWN, records);
        }
    }

    /// Doubts what is in the store of a key.
    pub(super) fn doubt_stored(&self, key: &[u8]) -> Result<(), CoordinatorError> {
        if self.audit_plan.is_on()
            && let Some(stored) = self.ledger.stored(key)?
        {
            self.audit_plan
                .doubt([Claim::new(stored.source, key, stored.value)]);
        }
        Ok(())
    }
}
