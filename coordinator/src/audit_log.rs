//! The audit log: who changed what. The last entries are documents of the store. Each is also a line of the program's
//! log with the target `audit`, so that it can be told from the rest.

use std::collections::VecDeque;

use sproutnet_model::{AuditEntry, Solved, Verification};
use sproutnet_notation::{ComputationId, Outcome, Play};
use sproutnet_store::transfer::Imported;
use sproutnet_transport::caller;

use crate::CoordinatorError;
use crate::ledger::{Ledger, WriteRequest, qualified};
use crate::locks::{Lock, Rank};
use crate::scheduler::computation::Request;
use crate::scheduler::shares::Weight;

/// The target of the lines.
const TARGET: &str = "audit";

/// The prefix of the document names.
const PREFIX: &str = "audit/";

/// The number of entries that are kept.
const KEPT: usize = if cfg!(test) { 3 } else { 1000 };

/// The last entries, oldest first.
pub(crate) struct AuditLog(Lock<VecDeque<AuditEntry>>);

impl AuditLog {
    /// The entries in a store. One that cannot be read, such as one of a later version, is left out: it is no reason not
    /// to start.
    pub(crate) fn restore(ledger: &Ledger) -> Self {
        let readable = |found: Result<(String, AuditEntry), CoordinatorError>| match found {
            Ok((_, entry)) => Some(entry),
            Err(error) => {
                tracing::warn!(%error, "an entry of the audit log cannot be read");
                None
            }
        };
        let entries = ledger.documents(PREFIX).filter_map(readable);
        Self(Lock::new(Rank::Innermost, entries.collect()))
    }

    /// The kept entries, newest first.
    pub(crate) fn entries(&self) -> Vec<AuditEntry> {
        self.0.lock().iter().rev().cloned().collect()
    }

    /// Adds an entry of now by the present caller. What it tells has happened, so that a full disk does not undo it:
    /// then only the line in the program's log is left of it after a restart.
    pub(crate) fn add(&self, ledger: &Ledger, entry: AuditEntry) {
        let entry = AuditEntry {
            at: crate::seconds_since_1970(),
            by: match &*entry.by {
                "" => caller::name().to_string(),
                by => by.to_owned(),
            },
            ..entry
        };
        log(&entry);
        let mut request = WriteRequest::default();
        let mut kept = self.0.lock();
        let id = kept.back().map_or(1, |last| last.id + 1);
        let entry = AuditEntry { id, ..entry };
        if let Err(error) = request.document(name(id), &entry) {
            tracing::warn!(%error, "an entry of the audit log was not stored");
        }
        kept.push_back(entry);
        if kept.len() > KEPT
            && let Some(oldest) = kept.pop_front()
        {
            request.removed.push(name(oldest.id));
        }
        drop(kept);
        if let Err(error) = ledger.commit(request) {
            tracing::warn!(%error, "an entry of the audit log was not stored");
        }
    }
}

/// The name of the document of an entry.
fn name(id: u64) -> String {
    format!("{PREFIX}{id:020}")
}

fn log(entry: &AuditEntry) {
    tracing::info!(
        target: TARGET,
        event = entry.event,
        computation = entry.computation,
        position = entry.position,
        play = entry.play.map(Play::name),
        outcome = entry.outcome.map(Outcome::name),
        priority = entry.priority,
        weight = entry.weight,
        source = entry.source,
        why = entry.why,
        records = entry.records,
        computations = entry.computations,
        by = entry.by,
    );
}

/// A change of a computation.
pub(crate) fn computation(
    event: &str,
    id: ComputationId,
    request: &Request,
    priority: i32,
    weight: Weight,
) -> AuditEntry {
    AuditEntry {
        event: event.to_owned(),
        computation: Some(id.0),
        position: Some(qualified(request)),
        play: Some(request.play),
        priority: Some(priority),
        weight: Some(weight.get()),
        ..AuditEntry::default()
    }
}

/// A result that a computation reached, by nobody's call.
pub(crate) fn solved(id: ComputationId, solved: &Solved) -> AuditEntry {
    AuditEntry {
        event: "solved".to_owned(),
        by: caller::LOCAL.to_owned(),
        computation: Some(id.0),
        position: Some(qualified_name(&solved.game, &solved.position)),
        play: Some(solved.play),
        outcome: Some(solved.outcome),
        ..AuditEntry::default()
    }
}

/// A source that was quarantined.
pub(crate) fn quarantined(source: &str, why: &str) -> AuditEntry {
    AuditEntry {
        event: "quarantined".to_owned(),
        source: Some(source.to_owned()),
        why: Some(why.to_owned()),
        ..AuditEntry::default()
    }
}

/// Records that were revoked, all of them or those of a source.
pub(crate) fn revoked(
    source: Option<&str>,
    why: &str,
    records: u64,
    computations: usize,
) -> AuditEntry {
    AuditEntry {
        event: "revoked".to_owned(),
        source: source.map(str::to_owned),
        why: Some(why.to_owned()),
        records: Some(records),
        computations: Some(computations as u64),
        ..AuditEntry::default()
    }
}

/// A certificate that was checked, and the number of records that it verifies.
pub(crate) fn marked(verification: &Verification, records: u64) -> AuditEntry {
    AuditEntry {
        event: "marked".to_owned(),
        position: Some(qualified_name(&verification.game, &verification.position)),
        play: Some(verification.play),
        outcome: Some(verification.outcome),
        records: Some(records),
        ..AuditEntry::default()
    }
}

/// An export that was imported.
pub(crate) fn imported(imported: &Imported) -> AuditEntry {
    AuditEntry {
        event: "imported".to_owned(),
        source: Some(format!("store {:016x}", imported.store)),
        records: Some(imported.new),
        ..AuditEntry::default()
    }
}

/// A position as `game:text`, or as its text alone for the first game.
fn qualified_name(game: &str, position: &str) -> String {
    match sproutnet_game::by_name(game) {
        Some(game) => sproutnet_game::qualified(game.as_ref(), position),
        None => position.to_owned(),
    }
}

#[cfg(test)]
mod tests;
