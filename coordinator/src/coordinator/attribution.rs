//! Finds the source of a false record when a record is contradicted.
//!
//! Not always its author's: an honest worker may have built on a false record of another, and
//! a true record may be contradicted by a false one. So before anybody is accused the records that are
//! smaller are audited, the smallest first. The first that is contradicted can rest on nothing
//! false, so its author reported it without a proof. If there is none, it is the author of
//! the record itself.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use sproutnet_query as answer;
use sproutnet_solver::play::{self, Archive, Fact};
use sproutnet_solver::search::{Auditor, Verdict};
use sproutnet_store::{OWN, SourcedRecord};

use super::audits::Audits;
use crate::CoordinatorError;
use crate::audit::Claim;

/// How many states the search for each of the smaller records may visit.
const VISITS: u64 = 20_000;

/// What fault attribution finds out.
enum Finding {
    /// This source reported a false record.
    Guilty(Claim),
    /// A false record that several sources may have reported, or only the coordinator.
    False(Claim),
    /// Nothing is proved against anyone.
    Nothing,
}

/// The records of the store, but for those of which it could not be found out whether they are true.
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
        match hidden.contains(key) {
            true => None,
            false => self.store.value(key),
        }
    }
}

impl Audits {
    /// Finds the source of a false record after a contradiction, quarantines that worker, and takes
    /// back what rests on its word.
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
            Finding::Guilty(lie) => {
                let why = format!("it reported `{}`, which is false", self.in_words(&lie));
                self.sources.revoke(Some(lie.source), &why, now)
            }
            Finding::False(lie) => {
                let why = format!("`{}` is false", self.in_words(&lie));
                tracing::error!(why, "a false record has no single author");
                self.sources.revoke(None, &why, now)
            }
            Finding::Nothing => {
                tracing::warn!(author, record, "nothing is proved against anyone");
                Ok(())
            }
        }
    }

    fn find_author(&self, claim: &Claim) -> Result<Finding, CoordinatorError> {
        let proved = Arc::new(Proved {
            store: self.core.ledger.archive(),
            hidden: RwLock::default(),
        });
        let mut auditor = Auditor::over(Arc::clone(&proved) as Arc<dyn Archive>);
        let Some(size) = auditor.size(&claim.key) else {
            return Ok(Finding::Nothing);
        };
        let mut smaller = Vec::new();
        for record in self.core.ledger.store().iter() {
            let record = record?;
            let its_size = auditor.size(&record.record.key);
            // Who repeats what is in the store of the same key did not say it first.
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
                None => return Ok(Finding::Nothing),
                Some(Verdict::Confirmed) => {}
                Some(Verdict::Contradicted) => {
                    let lie = Claim::new(source, key, value);
                    return Ok(match has_one_author(key, value) && source != OWN {
                        true => Finding::Guilty(lie),
                        false => Finding::False(lie),
                    });
                }
                Some(Verdict::Open | Verdict::Inconsistent) => {
                    undecided += 1;
                    proved.hide(record.key);
                }
                Some(Verdict::Idle) => proved.hide(record.key),
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
            Some(Verdict::Contradicted) if claim.source == OWN => Finding::False(claim.clone()),
            Some(Verdict::Contradicted) => Finding::Guilty(claim.clone()),
            _ => Finding::Nothing,
        })
    }

    /// A claim for people to read.
    fn in_words(&self, claim: &Claim) -> String {
        let described = answer::describe(&self.core.knowledge(), &claim.key, claim.value);
        described.map_or_else(
            || format!("{:02x?} = {}", claim.key, claim.value),
            |record| record.to_string(),
        )
    }
}

/// Whether all that a stored record says is from its source: of several excluded nimbers, some may be from
/// others.
fn has_one_author(key: &[u8], value: u64) -> bool {
    match play::fact(key, value) {
        Some(Fact::Excluded(nimbers)) => nimbers.iter().count() == 1,
        _ => true,
    }
}
