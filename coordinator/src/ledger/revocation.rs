//! Revocation: removes all records received since a source registered.
//!
//! A document about the revocation is written first, and removed in the write that ends it. Nothing else is written in
//! between. So if the process is killed, the next start repeats the revocation as a whole.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use sproutnet_game as game;
use sproutnet_model::Solved;
use sproutnet_notation::SourceId;
use sproutnet_solver::play::{Knowledge, Play, ProvedOutcomes, Rules};
use sproutnet_store::transfer::{REVOCATION, UNDER_WAY};
use sproutnet_store::{Quarantine, SourceOfRecords, StoreError};

use super::{Ledger, Saved, saved, write};
use crate::CoordinatorError;

/// A revocation under way.
#[derive(Debug, Serialize, Deserialize)]
struct Revocation {
    /// The cursor up to which records stay.
    cursor: u64,
}

impl Ledger {
    /// Quarantines `source` and removes every record received since it first registered, from any source (`None`: since
    /// the first source), every result that no longer follows, and the checkpoint. Returns the number of removed
    /// records.
    ///
    /// # Errors
    /// There is no such source, the disk is full, or the store failed: a revocation that had begun is then completed at
    /// the next start.
    pub(crate) fn revoke(
        &self,
        source: Option<SourceId>,
        why: &str,
    ) -> Result<u64, CoordinatorError> {
        self.check_disk()?;
        self.group_commit.meanwhile(|| {
            let cursor = self.since(source)?;
            let aside = Quarantine {
                why: why.to_owned(),
                at: crate::seconds_since_1970(),
            };
            let aside = source.map(|source| (source.0, &aside));
            let mut documents = vec![(
                REVOCATION.to_owned(),
                write(REVOCATION, &Revocation { cursor })?,
            )];
            for (name, source) in self.sources.lock().revoke(cursor, aside) {
                let bytes = write(&name, &source)?;
                documents.push((name, bytes));
            }
            let changes = documents.iter();
            let changes: Vec<_> = changes
                .map(|(name, bytes)| (name.as_str(), Some(bytes.as_slice())))
                .collect();
            self.noting(self.store.change_documents(&changes))?;
            self.finish(cursor)
        })
    }

    /// Completes a revocation that was under way when the process was killed.
    pub(super) fn finish_revocation(&self) -> Result<(), CoordinatorError> {
        let Some(Revocation { cursor }) = self.document(REVOCATION)? else {
            return Ok(());
        };
        let gone = self.finish(cursor)?;
        tracing::warn!(gone, "a revocation of records that was broken off is done");
        Ok(())
    }

    /// The store's cursor when a source first registered; with `None`, when the first one did.
    fn since(&self, source: Option<SourceId>) -> Result<u64, CoordinatorError> {
        let sources = self.sources.lock();
        match source {
            Some(number) => {
                let source = sources.get(number.0);
                Ok(source.ok_or(CoordinatorError::Unknown("source"))?.since)
            }
            None => {
                let first = sources.iter().map(|(_, source)| source.since).min();
                Ok(first.unwrap_or_else(|| self.store.cursor()))
            }
        }
    }

    fn finish(&self, cursor: u64) -> Result<u64, CoordinatorError> {
        let gone = self.noting(self.store.revoke_after(cursor))?;
        self.checkpoints.remove();
        let knowledge = self.knowledge();
        let mut removed = HashSet::new();
        let unreadable = self.store.unreadable();
        for found in self.documents::<Solved>("result/") {
            let (name, solved) = found?;
            if !follows(&knowledge, &solved) {
                removed.insert(name);
            }
        }
        if self.store.unreadable() > unreadable {
            // Unreadable records may support the results. The next start tries again.
            let problem = "records cannot be read that results may follow from";
            return Err(StoreError::Corrupt(problem.to_owned()).into());
        }
        let mut reopened = Vec::new();
        for found in self.documents::<Saved>(saved::PREFIX) {
            let (name, saved) = found?;
            if let Some(saved) = saved.reopened(|result| removed.contains(result)) {
                let bytes = write(&name, &saved)?;
                reopened.push((name, bytes));
            }
        }
        let mut changes = vec![(REVOCATION, None)];
        changes.extend(removed.iter().map(|name| (name.as_str(), None)));
        // A resumed import must not count removed records as imported.
        let imports = self.store.scan_documents(UNDER_WAY);
        let imports: Vec<String> = imports
            .map(|document| Ok(document?.0))
            .collect::<Result<_, CoordinatorError>>()?;
        changes.extend(imports.iter().map(|name| (name.as_str(), None)));
        for (name, bytes) in &reopened {
            changes.push((name.as_str(), Some(bytes.as_slice())));
        }
        self.noting(self.store.change_documents(&changes))?;
        self.cursor.send_replace(self.store.cursor());
        Ok(gone)
    }
}

/// Whether a result follows from knowledge without a search.
fn follows(knowledge: &Knowledge, solved: &Solved) -> bool {
    let Some(known) = knowledge.game(&solved.game) else {
        return false;
    };
    let Ok(position) = known.game().parse(&solved.position) else {
        return false;
    };
    match solved.play {
        Play::Normal => {
            let mut state = known.normal.state(&position);
            let outcome = known.normal.resolve(&mut state);
            let has_nimber = |nimber| state.lands.is_empty() && state.value == nimber;
            outcome == Some(solved.outcome) && solved.nimber.is_none_or(has_nimber)
        }
        Play::Misere => {
            let mut state = known.misere.state(&position);
            known.misere.resolve(&mut state) == Some(solved.outcome)
        }
    }
}

impl Ledger {
    /// The document names of all results.
    pub(crate) fn names_of_results(&self) -> Result<HashSet<String>, CoordinatorError> {
        let mut names = HashSet::new();
        for game in game::all() {
            for found in self.documents::<Solved>(&Solved::prefix(game.name())) {
                names.insert(found?.0);
            }
        }
        Ok(names)
    }

    /// The quarantine of a source, if it is quarantined.
    pub(crate) fn quarantine(&self, source: SourceId) -> Option<Quarantine> {
        self.sources.lock().get(source.0)?.quarantine.clone()
    }

    /// All sources by their numbers, the oldest first.
    pub(crate) fn all_sources(&self) -> Vec<(SourceId, SourceOfRecords)> {
        let sources = self.sources.lock();
        let all = sources
            .iter()
            .map(|(number, source)| (SourceId(number), source.clone()));
        let mut all: Vec<_> = all.collect();
        all.sort_by_key(|(number, _)| *number);
        all
    }

    /// A source as readable text.
    pub(crate) fn describe(&self, source: SourceId) -> String {
        self.sources.lock().describe(source.0)
    }
}
