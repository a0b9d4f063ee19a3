//! Audits records of workers, one at a time, in a thread of low priority.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sproutnet_solver::search::{AuditVerdict, Auditor, Control};
use sproutnet_system::options::Nice;

use super::core::Core;
use super::sources::RecordSources;
use crate::CoordinatorError;
use crate::locks::{Lock, Rank};

/// The lowest priority: everything else in the process goes first.
const NICE: Nice = Nice(19);

/// The maximum wait for a claim, so that an end is noticed.
const PATIENCE: Duration = Duration::from_millis(100);

/// The pause after a failed audit.
const AFTER_A_FAULT: Duration = Duration::from_secs(1);

/// Audits records, one at a time.
pub struct Audits {
    pub(super) core: Arc<Core>,
    pub(super) sources: RecordSources,
    auditor: Lock<Auditor>,
    ends: AtomicBool,
    /// Cancels the search under way.
    control: Lock<Arc<Control>>,
}

impl Audits {
    pub(super) fn new(core: Arc<Core>) -> Self {
        Self {
            auditor: Lock::new(Rank::Audit, Auditor::over(core.ledger.archive())),
            sources: RecordSources(Arc::clone(&core)),
            core,
            ends: AtomicBool::new(false),
            control: Lock::new(Rank::Innermost, Arc::default()),
        }
    }

    /// Whether an end was requested.
    fn ends(&self) -> bool {
        self.ends.load(Ordering::Relaxed)
    }

    /// Audits a record with a search of at most `visits` visits. `None` if an end was requested.
    pub(super) fn judge(
        &self,
        auditor: &mut Auditor,
        key: &[u8],
        value: u64,
        visits: u64,
    ) -> Result<Option<AuditVerdict>, CoordinatorError> {
        let control = Arc::new(Control::with_visits(visits));
        *self.control.lock() = Arc::clone(&control);
        if self.ends() {
            return Ok(None);
        }
        let verdict = auditor.judge(key, value, &control);
        let verdict = verdict.map_err(CoordinatorError::Search)?;
        Ok((!self.ends()).then_some(verdict))
    }

    /// Audits records of workers until [stopped](Self::end). To be called once, on a thread of its
    /// own; returns at once if all workers are trusted.
    pub fn run(&self) {
        if !self.core.plan.is_on() {
            return;
        }
        // On other systems this would set the priority of the whole process.
        if cfg!(target_os = "linux")
            && let Err(error) = NICE.apply()
        {
            tracing::warn!(%error, "records are audited with the priority of other threads");
        }
        while !self.ends() {
            if let Err(error) = self.next(PATIENCE) {
                let error = sproutnet_system::causes::with_causes(&error);
                tracing::error!(error, "a record could not be audited");
                std::thread::sleep(AFTER_A_FAULT);
            }
        }
    }

    /// Requests an end: cancels the search under way, so that [`run`](Self::run) returns soon.
    pub fn end(&self) {
        self.ends.store(true, Ordering::Relaxed);
        self.control.lock().cancel();
    }

    /// Waits up to `patience` for the next claim, audits it, and attributes the fault if it is contradicted. Returns
    /// whether a claim was audited.
    ///
    /// # Errors
    /// The store failed, or no search could be made.
    pub fn next(&self, patience: Duration) -> Result<bool, CoordinatorError> {
        let Some(claim) = self.core.plan.next(patience) else {
            return Ok(false);
        };
        let verdict = {
            let mut auditor = self.auditor.lock();
            self.judge(&mut auditor, &claim.key, claim.value, claim.visits())?
        };
        let Some(verdict) = verdict else {
            return Ok(false);
        };
        self.core.plan.note(claim.clone(), verdict);
        if matches!(
            verdict,
            AuditVerdict::Contradicted | AuditVerdict::Inconsistent
        ) {
            self.attribute_fault(&claim, Instant::now())?;
        }
        Ok(true)
    }
}
