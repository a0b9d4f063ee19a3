//! Finds the source of a false record when a record is contradicted.
//!
//! The author of a contradicted record is not always at fault: an honest worker may have built on a false record of
//! another, and a false record may contradict a true one. So the smaller records are audited first, the smallest first.
//! The first contradicted one rests on nothing false, so its author reported it without a proof. If none is
//! contradicted, the record itself is audited.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use sproutnet_notation::SourceId;
use sproutnet_query as answer;
use sproutnet_solver::play::{self, Archive, Fact};
use sproutnet_solver::search::{AuditVerdict, Auditor};
use sproutnet_store::SourcedRecord;

use super::audits::Audits;
use super::core::source_of;
use crate::CoordinatorError;
use crate::audit::Claim;

/// The maximum number of visits of the search for each smaller record.
const VISITS: u64 = 20_000;

/// The result of fault attribution.
enum Attribution {
    /// This source reported a false record.
    Guilty(Claim),
    /// A false record of several possible sources, or of the coordinator itself.
    False(Claim),
    /// Nothing is proved against anyone.
    Nothing,
}

/// The records of the store without those that an audit did not confirm.
struct Proved {
    store: Arc<dyn Archive>,
    hidden: RwLock<HashSet<Box<[u8]>>>,
}

impl Proved {
    fn hide(&self, key: Box<[u8]>) {
        let mut hidden = self.hidden.write().unwrap_or_else(PoisonError::into_inner);
        hidden.insert(key);
    }
}

impl Archive for Proved {
    fn value(&self, key: &[u8]) -> Option<u64> {
        let hidden = self.hidden.read().unwrap_or_else(PoisonError::into_inner);
        if hidden.contains(key) {
            None
        } else {
            self.store.value(key)
        }
    }
}

impl Audits {
    /// Finds the source of a false record after a contradiction, quarantines that worker, and revokes every record
    /// received since it registered.
    pub(super) fn attribute_fault(
        &self,
        claim: &Claim,
        now: Instant,
    ) -> Result<(), CoordinatorError> {
        let (author, record) = (
            self.core.ledger.describe(claim.source),
            self.in_words(claim),
        );
        tracing::error!(author, record, "a record is contradicted by what is known");
        match self.find_author(claim)? {
            Attribution::Guilty(lie) => {
                let why = format!("it reported `{}`, which is false", self.in_words(&lie));
                self.sources.revoke(Some(lie.source), &why, now)?;
                Ok(())
            }
            Attribution::False(lie) => {
                let why = format!("`{}` is false", self.in_words(&lie));
                tracing::error!(why, "a false record has no single author");
                self.sources.revoke(None, &why, now)?;
                Ok(())
            }
            Attribution::Nothing => {
                tracing::warn!(author, record, "nothing is proved against anyone");
                Ok(())
            }
        }
    }

    fn find_author(&self, claim: &Claim) -> Result<Attribution, CoordinatorError> {
        let proved = Arc::new(Proved {
            store: self.core.ledger.archive(),
            hidden: RwLock::default(),
        });
        let mut auditor = Auditor::over(Arc::clone(&proved) as Arc<dyn Archive>);
        let Some(size) = auditor.size(&claim.key) else {
            return Ok(Attribution::Nothing);
        };
        let mut smaller = Vec::new();
        for record in self.core.ledger.store().iter() {
            let record = record?;
            let its_size = auditor.size(&record.record.key);
            // A repeated record is its first reporter's, not the repeater's.
            let comes_first = |its_size| its_size < size || record.record.key == claim.key;
            if let Some(its_size) = its_size.filter(|&its_size| comes_first(its_size)) {
                smaller.push((its_size, record));
            }
        }
        smaller.sort_by_key(|(its_size, _)| *its_size);
        tracing::info!(records = smaller.len(), "smaller records are audited");
        let mut undecided = 0;
        for (_, SourcedRecord { record, source }) in smaller {
            let (key, value) = (&record.key, record.value);
            match self.judge(&mut auditor, key, value, VISITS)? {
                None => return Ok(Attribution::Nothing),
                Some(AuditVerdict::Confirmed) => {}
                Some(AuditVerdict::Contradicted) => {
                    let source = source_of(source);
                    let lie = Claim::new(source, key, value);
                    return Ok(if has_one_author(key, value) && source != SourceId::OWN {
                        Attribution::Guilty(lie)
                    } else {
                        Attribution::False(lie)
                    });
                }
                Some(AuditVerdict::Open | AuditVerdict::Inconsistent) => {
                    undecided += 1;
                    proved.hide(record.key);
                }
                Some(AuditVerdict::Idle) => proved.hide(record.key),
            }
        }
        if undecided > 0 {
            tracing::warn!(
                undecided,
                "of some smaller records it was not found out whether they are true"
            );
        }
        let visits = Claim::most_visits();
        let verdict = self.judge(&mut auditor, &claim.key, claim.value, visits)?;
        Ok(match verdict {
            Some(AuditVerdict::Contradicted) if claim.source == SourceId::OWN => {
                Attribution::False(claim.clone())
            }
            Some(AuditVerdict::Contradicted) => Attribution::Guilty(claim.clone()),
            _ => Attribution::Nothing,
        })
    }

    /// A claim as readable text; raw bytes if it cannot be described.
    fn in_words(&self, claim: &Claim) -> String {
        answer::in_words(&self.core.knowledge(), &claim.key, claim.value)
    }
}

/// Whether the source of a stored record is its only author. A record that excludes several nimbers may merge reports
/// of several sources.
fn has_one_author(key: &[u8], value: u64) -> bool {
    match play::fact(key, value) {
        Some(Fact::Excluded(nimbers)) => nimbers.iter().count() == 1,
        _ => true,
    }
}
