//! What the searches of a worker know, and share.

use std::sync::{Arc, OnceLock};

use sproutnet_game as game;
use sproutnet_solver::play::{Contradiction, Knowledge, Record, RecordError};
use sproutnet_solver::search::Table;
use sproutnet_store::Sourced;
use sproutnet_store::block::{self, BlockError};
use tokio::sync::watch;

use sproutnet_system::machine;

/// Facts, and a table of what is not settled. It begins empty, is filled by searches and by the
/// feed, and is given up as a whole: when it takes too much memory, when it contradicts itself, or
/// when it stems from another coordinator.
pub(crate) struct Mind {
    pub(crate) knowledge: Knowledge,
    pub(crate) table: Table,
    contradiction: OnceLock<Contradiction>,
    ready: watch::Sender<bool>,
    /// The memory, in bytes, that the process may use.
    bound: usize,
    /// The memory that it may use with this mind.
    limit: OnceLock<usize>,
}

impl Mind {
    /// Knows nothing yet. `bound` is the memory in bytes that the process may use, half of it for
    /// the table. `None` if there is not so much.
    pub(crate) fn new(bound: usize) -> Option<Arc<Self>> {
        Some(Arc::new(Self {
            knowledge: Knowledge::default(),
            table: Table::new(bound / 2)?,
            contradiction: OnceLock::new(),
            ready: watch::Sender::new(false),
            bound,
            limit: OnceLock::new(),
        }))
    }

    /// Takes note of the records of a block.
    ///
    /// # Errors
    /// The block cannot be read. Records that cannot be taken are passed over, and logged; one that
    /// contradicts what is known condemns this mind.
    pub(crate) fn learn(&self, bytes: &[u8]) -> Result<(), BlockError> {
        let mut records = block::Reader::new(bytes)?;
        while let Some(Sourced { key, value, .. }) = records.next_record()? {
            match self.knowledge.learn(key, value) {
                Ok(()) => {}
                Err(RecordError::Contradiction(contradiction)) => self.condemn(contradiction),
                Err(error) => tracing::error!(%error, "a record from the coordinator is skipped"),
            }
        }
        Ok(())
    }

    /// What was proved since the last call. Nothing once there is a contradiction: what rests on it
    /// cannot be told apart.
    pub(crate) fn take_records(&self) -> Vec<Record> {
        let records = self.knowledge.take_records();
        match self.contradiction() {
            Some(_) => Vec::new(),
            None => records,
        }
    }

    /// Two facts that cannot both be true.
    pub(crate) fn condemn(&self, contradiction: Contradiction) {
        self.contradiction.get_or_init(|| contradiction);
    }

    /// Two facts that cannot both be true, if any were ever found.
    pub(crate) fn contradiction(&self) -> Option<&Contradiction> {
        use sproutnet_solver::play::Convention;
        if let Some(met) = self.contradiction.get() {
            return Some(met);
        }
        let proved = game::encodings().into_iter().find_map(|(name, _)| {
            let game = self.knowledge.game(name)?;
            let normal = game.normal.contradiction();
            normal.or_else(|| game.misere.contradiction()).cloned()
        })?;
        Some(self.contradiction.get_or_init(|| proved))
    }

    /// Resolves when all is known that the coordinator knew when this mind began.
    pub(crate) async fn ready(&self) {
        let mut ready = self.ready.subscribe();
        // The sender lives as long as this mind.
        let _ = ready.wait_for(|&ready| ready).await;
    }

    /// All is known now that the coordinator knew.
    pub(crate) fn is_ready(&self) {
        self.ready.send_replace(true);
    }

    /// How much memory the process uses, in bytes, if that is too much. To be asked when a job ends.
    ///
    /// What is in use after the first job has to be enough, with some room above it: a mind given
    /// up for that would be followed by one that takes as much.
    pub(crate) fn excess(&self) -> Option<usize> {
        let resident = machine::resident_memory()? as usize;
        let limit = *self.limit.get_or_init(|| {
            let least = resident + resident / 4;
            if least > self.bound {
                let (bound, needed) = (self.bound >> 20, least >> 20);
                tracing::warn!(
                    bound_mib = bound,
                    needed_mib = needed,
                    "what is known to begin with takes more memory than this worker may use"
                );
            }
            least.max(self.bound)
        });
        (resident > limit).then_some(resident)
    }
}
