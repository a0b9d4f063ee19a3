//! Where records are imported to: a store that nobody else writes to, or one that a coordinator has open.

use crate::{
    Batch, Conflict, KeptContradiction, Origin, Quarantine, Sources, Store, StoreError,
    documents::Document,
};
use sproutnet_record::RecordRules;
use std::cell::RefCell;

/// Where records are imported to.
pub trait Target {
    /// The error of a write.
    type Error: From<StoreError>;

    /// The store, to be read.
    fn store(&self) -> &Store;

    /// The number here of a source of another store, whose sources are given. Its document is durable when this returns.
    ///
    /// # Errors
    /// Those of writing the store.
    fn source(&self, origin: Origin, theirs: &Sources) -> Result<u32, Self::Error>;

    /// The quarantine of a source here, if it is quarantined.
    fn quarantine(&self, source: u32) -> Option<Quarantine>;

    /// Makes records and documents durable, except for records that contradict known ones.
    ///
    /// # Errors
    /// Those of writing the store.
    fn write(&self, records: Batch, documents: Vec<Document>) -> Result<Written, Self::Error>;

    /// Makes changes that depend on what is stored, while nobody else writes.
    ///
    /// # Errors
    /// Those of `change`, and those of writing the store.
    fn alone(
        &self,
        change: &mut dyn FnMut(&Store) -> Result<(), StoreError>,
    ) -> Result<(), Self::Error>;

    /// Both sides of a contradiction, with their sources, for a document. `now` is in seconds since 1970.
    fn contradicted(&self, conflict: &Conflict, now: u64) -> KeptContradiction;
}

/// The result of a write.
#[derive(Debug, Default)]
pub struct Written {
    /// The number of records that were new.
    pub new: u64,
    /// The records that contradicted known ones.
    pub conflicts: Vec<Conflict>,
}

/// A store that nobody else writes to.
pub(super) struct Closed<'a> {
    store: &'a Store,
    rules: &'a dyn RecordRules,
    sources: RefCell<Sources>,
}

impl<'a> Closed<'a> {
    pub(super) fn new(store: &'a Store, rules: &'a dyn RecordRules) -> Result<Self, StoreError> {
        Ok(Self {
            store,
            rules,
            sources: RefCell::new(Sources::of(store)?),
        })
    }
}

impl Target for Closed<'_> {
    type Error = StoreError;

    fn store(&self) -> &Store {
        self.store
    }

    fn source(&self, origin: Origin, theirs: &Sources) -> Result<u32, StoreError> {
        let (here, since) = (self.store.id(), self.store.cursor());
        let (number, document) = self
            .sources
            .borrow_mut()
            .import(here, since, origin, theirs)?;
        self.store.put_documents(document.as_slice())?;
        Ok(number)
    }

    fn quarantine(&self, source: u32) -> Option<Quarantine> {
        self.sources.borrow().get(source)?.quarantine.clone()
    }

    fn write(&self, records: Batch, documents: Vec<Document>) -> Result<Written, StoreError> {
        let rule = |key: &[u8], known, new| self.rules.merge(key, known, new);
        let merged = self.store.merge(&records.records(), rule)?;
        self.store.put_documents(&documents)?;
        Ok(Written {
            new: merged.new,
            conflicts: merged.conflicts,
        })
    }

    fn alone(
        &self,
        change: &mut dyn FnMut(&Store) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        change(self.store)
    }

    fn contradicted(&self, conflict: &Conflict, now: u64) -> KeptContradiction {
        KeptContradiction::of(conflict, &self.sources.borrow(), now)
    }
}
