//! The sources of records, and revocation.

use std::sync::Arc;
use std::time::Instant;

use sproutnet_model::{DescribedRecord, Quarantine, RecordSource, Solved};
use sproutnet_notation::SourceId;
use sproutnet_query as answer;
use sproutnet_solver::play::Knowledge;
use sproutnet_store::{SourceOfRecords, StoreError};

use super::core::{Core, source_of};
use crate::ledger::canonical;
use crate::scheduler::computation::Request;
use crate::{CoordinatorError, audit_log};

fn record_source(number: SourceId, source: SourceOfRecords, records: u64) -> RecordSource {
    RecordSource {
        source: number,
        name: source.name,
        peer: source.peer,
        records,
        quarantine: source.quarantine.map(|q| Quarantine {
            why: q.why,
            at: q.at,
        }),
    }
}

/// The sources of records.
pub struct RecordSources(pub(super) Arc<Core>);

impl RecordSources {
    /// All sources, the oldest first, each with its number of records.
    ///
    /// # Errors
    /// The store failed.
    pub fn list(&self) -> Result<Vec<RecordSource>, CoordinatorError> {
        let mut counts = std::collections::HashMap::<SourceId, u64>::new();
        for record in self.0.ledger.store().iter() {
            *counts.entry(source_of(record?.source)).or_default() += 1;
        }
        let sources = self.0.ledger.all_sources().into_iter();
        let count = |number: SourceId| counts.get(&number).copied().unwrap_or(0);
        Ok(sources
            .map(|(number, source)| record_source(number, source, count(number)))
            .collect())
    }

    /// The quarantined workers. Their records are not counted: the number is 0.
    pub fn quarantined(&self) -> Vec<RecordSource> {
        let sources = self.0.ledger.all_sources().into_iter();
        sources
            .filter(|(_, source)| source.quarantine.is_some())
            .map(|(number, source)| record_source(number, source, 0))
            .collect()
    }

    /// The number of a source, given by its number or its name.
    ///
    /// # Errors
    /// There is no such source, or several have this name.
    pub fn named(&self, named: &str) -> Result<SourceId, CoordinatorError> {
        let sources = self.0.ledger.all_sources();
        let is_number = |number: SourceId| sources.iter().any(|(known, _)| *known == number);
        if let Some(number) = named.parse().ok().filter(|&number| is_number(number)) {
            return Ok(number);
        }
        let of_name = sources.iter().filter(|(_, source)| source.name == named);
        let numbers: Vec<u32> = of_name.map(|(number, _)| number.0).collect();
        match numbers[..] {
            [number] => Ok(SourceId(number)),
            [] => Err(CoordinatorError::UnknownSource(named.to_owned())),
            _ => Err(CoordinatorError::Invalid(format!(
                "several workers are called `{named}`; name one by its number: {numbers:?}"
            ))),
        }
    }

    /// The records of a source in words, in no particular order. Records that no search can meet are left out.
    pub fn records_of(
        &self,
        source: SourceId,
    ) -> impl Iterator<Item = Result<DescribedRecord, StoreError>> + Send + use<> {
        let rules = Knowledge::default();
        let records = self.0.ledger.store().iter();
        records.filter_map(move |record| match record {
            Ok(record) if source_of(record.source) != source => None,
            Ok(record) => {
                let record = record.record;
                answer::describe(&rules, &record.key, record.value).map(Ok)
            }
            Err(error) => Some(Err(error)),
        })
    }

    /// Quarantines `source` and removes every record received since it first registered, from any source, since these
    /// may rest on its records. Computations that failed, and solved ones whose result no longer follows, run again.
    /// All workers have to register again.
    ///
    /// With `None`, removes all records since the first source registered, and quarantines nobody.
    ///
    /// Returns false, and changes nothing, if the source is quarantined and none of its records are left: it would only
    /// remove sound records.
    ///
    /// # Errors
    /// The source is the coordinator or unknown, the disk is full, or the store failed: a revocation that had begun is
    /// then completed when the store is opened again.
    pub fn revoke(
        &self,
        source: Option<SourceId>,
        why: &str,
        now: Instant,
    ) -> Result<bool, CoordinatorError> {
        if source == Some(SourceId::OWN) {
            let problem = "what the coordinator proved itself cannot be revoked";
            return Err(CoordinatorError::Invalid(problem.to_owned()));
        }
        let _one_at_a_time = self.0.revoking.lock();
        let who = source.map_or_else(
            || "nobody".to_owned(),
            |source| self.0.ledger.describe(source),
        );
        if let Some(source) = source
            && self.is_revoked(source)?
        {
            tracing::warn!(quarantined = who, why, "there is nothing left to revoke");
            return Ok(false);
        }
        tracing::error!(quarantined = who, why, "records are revoked");
        let gone = self.0.ledger.revoke(source, why)?;
        let results = self.0.ledger.names_of_results()?;
        let is_solved = |request: &Request| {
            let name = Solved::name(request.game, request.play, &canonical(request));
            results.contains(&name)
        };
        let knowledge = Arc::new(self.0.ledger.knowledge());
        let epoch = self.0.ledger.store().epoch();
        let computations = self.0.transact(now, |scheduler, changes| {
            changes.saved = scheduler.revoke(knowledge, epoch, is_solved);
            for &id in &changes.saved {
                scheduler.look_at(id, now);
            }
            self.0.plan.reset();
            Ok(changes.saved.len())
        })?;
        tracing::error!(
            quarantined = who,
            records = gone,
            computations,
            "records were revoked; computations go on without them"
        );
        let source = source.map(|_| &*who);
        if let Some(source) = source {
            self.0.log(audit_log::quarantined(source, why));
        }
        self.0
            .log(audit_log::revoked(source, why, gone, computations));
        self.0.work.notify_one();
        Ok(true)
    }

    /// Whether a source is quarantined, and none of its records are left.
    fn is_revoked(&self, source: SourceId) -> Result<bool, CoordinatorError> {
        if self.0.ledger.quarantine(source).is_none() {
            return Ok(false);
        }
        for record in self.0.ledger.store().iter() {
            if source_of(record?.source) == source {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
