//! The store as the place where knowledge looks up what is known.

use super::Store;
use crate::play::Archive;

impl Archive for Store {
    fn value(&self, key: &[u8]) -> Option<u64> {
        match self.get(key) {
            Ok(stored) => stored.map(|stored| stored.value),
            Err(error) => {
                // What is not known is searched; nothing wrong comes of that.
                tracing::error!(%error, "a record cannot be read");
                None
            }
        }
    }
}
