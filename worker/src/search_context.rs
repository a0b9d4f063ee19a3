//! The facts and the transposition table that a worker's searches share.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use sproutnet_game as game;
use sproutnet_solver::play::{
    Archive, Contradiction, Knowledge, LeastWorth, ProvedOutcomes, Record, RecordError,
};
use sproutnet_solver::search::{Table, Team};
use sproutnet_store::{Batch, Sourced};
use sproutnet_system::machine;
use tokio::sync::watch;

/// Facts, and a table of unsettled states. Searches and the feed fill it. It is
/// dropped as a whole when it takes too much memory, contradicts itself, or belongs to another
/// store or epoch.
pub(crate) struct SearchContext {
    pub(crate) knowledge: Knowledge,
    pub(crate) table: Table,
    /// The threads of all searches.
    pub(crate) team: Team,
    contradiction: OnceLock<Contradiction>,
    ready: watch::Sender<bool>,
    /// The memory in bytes that the process may use.
    bound: usize,
    /// Whether facts of others are in an archive, and not in memory.
    has_archive: bool,
    /// The least memory in bytes that the process had since the coordinator's records were imported: what it takes
    /// without searches. At first, memory of an earlier context may not be returned to the system yet.
    least: AtomicUsize,
}

impl SearchContext {
    /// A context for `threads` threads over an archive. Without an archive it starts empty, and keeps all records of
    /// the feed in memory. Half of `bound`, the process's memory in bytes, is for the table. `None` if there is too
    /// little memory.
    pub(crate) fn new(
        bound: usize,
        threads: usize,
        archive: Option<Arc<dyn Archive>>,
    ) -> Option<Arc<Self>> {
        Some(Arc::new(Self {
            has_archive: archive.is_some(),
            knowledge: archive.map_or_else(Knowledge::default, Knowledge::over),
            table: Table::new(bound / 2)?,
            team: Team::new(threads),
            contradiction: OnceLock::new(),
            ready: watch::Sender::new(false),
            bound,
            least: AtomicUsize::new(usize::MAX),
        }))
    }

    /// Imports records. Skips and logs invalid ones. A contradiction condemns this context.
    pub(crate) fn import(&self, records: &Batch) {
        for Sourced { key, value, .. } in records.iter() {
            match self.knowledge.learn(key, value) {
                Ok(()) => {}
                Err(RecordError::Contradiction(contradiction)) => self.condemn(contradiction),
                Err(error) => tracing::error!(%error, "a record from the coordinator is skipped"),
            }
        }
    }

    /// The new records of at least this worth that were not taken yet. Empty after a contradiction, as any of them may
    /// rest on it.
    pub(crate) fn take_records(&self, least: LeastWorth) -> Vec<Record> {
        let records = self.knowledge.take_worthy_records(least);
        match self.contradiction() {
            Some(_) => Vec::new(),
            None => records,
        }
    }

    /// Notes two facts that cannot both be true.
    pub(crate) fn condemn(&self, contradiction: Contradiction) {
        self.contradiction.get_or_init(|| contradiction);
    }

    /// The first contradiction found.
    pub(crate) fn contradiction(&self) -> Option<&Contradiction> {
        if let Some(noted) = self.contradiction.get() {
            return Some(noted);
        }
        let proved = game::encodings().into_iter().find_map(|(name, _)| {
            let game = self.knowledge.game(name)?;
            let normal = game.normal.contradiction();
            normal.or_else(|| game.misere.contradiction()).cloned()
        })?;
        Some(self.contradiction.get_or_init(|| proved))
    }

    /// Resolves once the coordinator's records have been imported.
    pub(crate) async fn ready(&self) {
        let mut ready = self.ready.subscribe();
        // The sender lives as long as this context.
        let _ = ready.wait_for(|&ready| ready).await;
    }

    /// The coordinator's records have been imported.
    pub(crate) fn set_ready(&self) {
        // Before searches take memory.
        self.limit();
        self.ready.send_replace(true);
    }

    /// The process's memory in bytes, if it exceeds the limit. Call this at the end of a job.
    pub(crate) fn excess(&self) -> Option<usize> {
        let (resident, limit) = self.limit()?;
        if resident <= limit {
            return None;
        }
        if limit > self.bound {
            let (bound_mib, needed_mib) = (self.bound >> 20, limit >> 20);
            tracing::warn!(
                bound_mib,
                needed_mib,
                "the memory bound leaves too little for searches"
            );
        }
        Some(resident)
    }

    /// The memory in bytes that the process uses, and may use. `None` if unknown.
    fn limit(&self) -> Option<(usize, usize)> {
        let resident = machine::resident_memory()? as usize;
        let least = self.least.fetch_min(resident, Ordering::Relaxed);
        let needed = needed(least.min(resident), self.bound, self.has_archive);
        Some((resident, needed.max(self.bound)))
    }
}

/// The memory in bytes that a process needs that had `resident` before its first search. It needs at least the full
/// table. Without an archive, `resident` includes the imported facts, and it needs a quarter of the bound for new ones:
/// with less, it would soon have to import all facts again and again.
fn needed(resident: usize, bound: usize, has_archive: bool) -> usize {
    let new_facts = if has_archive { 0 } else { bound / 4 };
    resident + bound / 2 + new_facts
}

#[cfg(test)]
mod tests;
