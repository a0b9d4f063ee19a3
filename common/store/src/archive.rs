//! The store as an archive of records for a search.

use super::{Record, Store, Stored};
use sproutnet_record::Archive;

impl Archive for Store {
    fn value(&self, key: &[u8]) -> Option<u64> {
        self.known(key).map(|stored| stored.value)
    }

    fn is_verified(&self, record: &Record) -> bool {
        let known = self.known(&record.key);
        known.is_some_and(|stored| stored.value == record.value && stored.is_verified())
    }
}

impl Store {
    /// The record of a key, if it can be read.
    fn known(&self, key: &[u8]) -> Option<Stored> {
        self.get(key).unwrap_or_else(|error| {
            // An unknown record only costs a search.
            tracing::error!(%error, "a record cannot be read");
            None
        })
    }
}
