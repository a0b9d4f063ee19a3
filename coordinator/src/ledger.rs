//! What the coordinator knows, and the store behind it.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use sproutnet_common::answer::Solved;
use sproutnet_common::game;
use sproutnet_common::play::{self, Contradiction, GameKnowledge, Knowledge, Record, RecordError};
use sproutnet_common::store::{Store, block};
use tokio::sync::watch;

use crate::CoordinatorError;

/// Solved records and results: on disk, and in memory for the search.
pub(crate) struct Ledger {
    store: Store,
    knowledge: Knowledge,
    /// The store's cursor, for those who wait for new records.
    cursor: watch::Sender<u64>,
    /// Held while records are merged with what is stored: two reports about one land add up.
    merging: Mutex<()>,
}

impl Ledger {
    /// Opens or creates the store in a folder and learns all that it holds.
    pub(crate) fn open(data: &Path) -> Result<Self, CoordinatorError> {
        let store = Store::open(data, &game::encodings())?;
        let knowledge = Knowledge::default();
        for record in store.iter() {
            let taken = knowledge.learn(&record?);
            taken
                .map_err(|error| CoordinatorError::Invalid(format!("a stored record: {error}")))?;
        }
        tracing::info!(
            records = store.len(),
            cursor = store.cursor(),
            "store opened"
        );
        Ok(Self {
            cursor: watch::Sender::new(store.cursor()),
            store,
            knowledge,
            merging: Mutex::new(()),
        })
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn cursor(&self) -> watch::Receiver<u64> {
        self.cursor.subscribe()
    }

    pub(crate) fn game(&self, name: &str) -> Result<&GameKnowledge, CoordinatorError> {
        self.knowledge
            .game(name)
            .ok_or(CoordinatorError::Unknown("game"))
    }

    /// Checks records, learns them in memory and makes them durable; returns how many said something
    /// new. The inner error is a contradiction: the records before it are kept.
    ///
    /// # Errors
    /// A record is malformed, and none is taken; or the store failed.
    pub(crate) fn take_in(
        &self,
        records: &[Record],
    ) -> Result<Result<u64, Contradiction>, CoordinatorError> {
        let invalid = |error: &dyn ToString| CoordinatorError::Invalid(error.to_string());
        for record in records {
            if record.key.len() > block::MAX_KEY {
                return Err(invalid(&"malformed record: the key is too long"));
            }
            self.knowledge
                .check(record)
                .map_err(|error| invalid(&error))?;
        }
        for (i, record) in records.iter().enumerate() {
            match self.knowledge.learn(record) {
                Ok(()) => {}
                Err(RecordError::Contradiction(contradiction)) => {
                    self.append(&records[..i])?;
                    return Ok(Err(contradiction));
                }
                Err(error) => return Err(invalid(&error)),
            }
        }
        self.append(records).map(Ok)
    }

    /// Makes records durable, merged with what is stored; returns how many said something new.
    fn append(&self, records: &[Record]) -> Result<u64, CoordinatorError> {
        let _merging = self.merging.lock().unwrap_or_else(PoisonError::into_inner);
        let mut new = Vec::new();
        for record in records {
            let known = self.store.get(&record.key)?;
            let merged = known.map_or(Ok(record.value), |known| {
                play::merge(&record.key, known, record.value)
            });
            let value = merged.map_err(|error| CoordinatorError::Invalid(error.to_string()))?;
            if known != Some(value) {
                let key = record.key.clone();
                new.push(Record { key, value });
            }
        }
        if !new.is_empty() {
            let cursor = self.store.append(&new)?;
            self.cursor.send_if_modified(|seen| {
                let is_new = cursor > *seen;
                *seen = cursor.max(*seen);
                is_new
            });
        }
        Ok(new.len() as u64)
    }

    /// Makes durable what was proved in this process; returns how many records said something new.
    pub(crate) fn append_own(&self) -> Result<u64, CoordinatorError> {
        self.append(&self.knowledge.take_records())
    }

    /// The result kept under a name.
    pub(crate) fn result(&self, name: &str) -> Result<Option<Solved>, CoordinatorError> {
        let bytes = self.store.get_document(name)?;
        bytes.map(|bytes| read(name, &bytes)).transpose()
    }

    /// All results of a game.
    pub(crate) fn results(&self, game: &str) -> Result<Vec<Solved>, CoordinatorError> {
        let documents = self.store.scan_documents(&Solved::prefix(game));
        documents
            .map(|document| {
                let (name, bytes) = document?;
                read(&name, &bytes)
            })
            .collect()
    }

    /// Makes a result durable.
    pub(crate) fn keep_result(&self, solved: &Solved) -> Result<(), CoordinatorError> {
        let name = Solved::name(&solved.game, solved.play, &solved.position);
        let bytes = serde_json::to_vec(solved);
        let bytes = bytes.map_err(|error| CoordinatorError::Result(name.clone(), error))?;
        Ok(self.store.put_document(&name, &bytes)?)
    }
}

fn read(name: &str, bytes: &[u8]) -> Result<Solved, CoordinatorError> {
    serde_json::from_slice(bytes).map_err(|error| CoordinatorError::Result(name.to_owned(), error))
}
