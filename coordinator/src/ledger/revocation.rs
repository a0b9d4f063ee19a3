//! Taking back what came in since a source was first heard of.
//!
//! What is to be done is written down first, and struck out in the same write that ends it. Until
//! then nothing else is written: so it is done again, as a whole, if the process is killed on the way.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use sproutnet_game as game;
use sproutnet_model::Solved;
use sproutnet_notation::SourceId;
use sproutnet_solver::play::{Knowledge, Play, ProvedOutcomes, Rules};
use sproutnet_store::transfer::UNDER_WAY;
use sproutnet_store::{Quarantine, SourceOfRecords, StoreError};

use super::{Ledger, Saved, saved, write};
use crate::CoordinatorError;

/// The document about a revocation under way.
const NAME: &str = "withdrawal";

/// A revocation under way.
#[derive(Debug, Serialize, Deserialize)]
struct Revocation {
    /// The cursor of the store up to which records stay.
    cursor: u64,
}

impl Ledger {
    /// Quarantines a source for a reason, and takes back all records that came in since it was first
    /// heard of, from whomever; of no source, all since the first of them. So with results that do not
    /// follow from the records left, and with the checkpoint. Returns how many records are gone.
    ///
    /// # Errors
    /// There is no such source, or the store failed: it takes a restart then to end what was begun.
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
            let mut documents = vec![(NAME.to_owned(), write(NAME, &Revocation { cursor })?)];
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

    /// Ends a revocation that was under way when the process was killed.
    pub(super) fn finish_revocation(&self) -> Result<(), CoordinatorError> {
        let Some(Revocation { cursor }) = self.document(NAME)? else {
            return Ok(());
        };
        let gone = self.finish(cursor)?;
        tracing::warn!(gone, "a revocation of records that was broken off is done");
        Ok(())
    }

    /// The store's cursor before a source was heard of.
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
            // The results may follow from records that are there. The next start tries again.
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
        let mut changes = vec![(NAME, None)];
        changes.extend(removed.iter().map(|name| (name.as_str(), None)));
        // An import that was interrupted must not take for done what is gone.
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

/// Whether a result follows from what is known.
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
    /// The names of all results that there are.
    pub(crate) fn names_of_results(&self) -> Result<HashSet<String>, CoordinatorError> {
        let mut names = HashSet::new();
        for game in game::all() {
            for found in self.documents::<Solved>(&Solved::prefix(game.name())) {
                names.insert(found?.0);
            }
        }
        Ok(names)
    }

    /// Why nothing is taken from a source any more, if so.
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

    /// A source for people to read.
    pub(crate) fn describe(&self, source: SourceId) -> String {
        self.sources.lock().describe(source.0)
    }
}
