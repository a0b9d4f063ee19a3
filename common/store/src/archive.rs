//! The store as the place where knowledge looks up what is known.

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
    /// What can be read of a key.
    fn known(&self, key: &[u8]) -> Option<Stored> {
        self.get(key).unwrap_or_else(|error| {
            // What is not known is searched; nothing wrong comes of that.
            tracing::error!(%error, "a record cannot be read");
            None
        })
    }
}
