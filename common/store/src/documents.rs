//! Small named documents beside the records.

use super::{Store, StoreError};
use serde::Serialize;

/// A change of the document with that name: its new bytes, or `None` to remove it.
pub type DocumentChange<'a> = (&'a str, Option<&'a [u8]>);

impl Store {
    /// Makes all these changes, or none if the process is killed. They are on disk when this returns.
    /// Of several changes of one name the last counts. To change documents together with records, use
    /// [`merge_with`](Store::merge_with).
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn change_documents(&self, changes: &[DocumentChange<'_>]) -> Result<(), StoreError> {
        self.apply_documents(changes)?;
        self.inner.disk.flush()
    }

    /// Creates or replaces the document `name`. It is on disk when this returns.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn put_document(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.change_documents(&[(name, Some(bytes))])
    }

    /// The document `name`, if there is one.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn get_document(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let document = self.inner.documents.get(name)?;
        Ok(document.map(|bytes| bytes.to_vec()))
    }

    /// The documents whose names begin with `prefix`: names and bytes, in ascending order of names.
    pub fn scan_documents(
        &self,
        prefix: &str,
    ) -> impl Iterator<Item = Result<(String, Vec<u8>), StoreError>> + Send + use<> {
        self.inner.documents.scan_prefix(prefix).map(|entry| {
            let (name, bytes) = entry?;
            let name = String::from_utf8(name.to_vec())
                .map_err(|_| StoreError::Corrupt("a document's name is not UTF-8".into()))?;
            Ok((name, bytes.to_vec()))
        })
    }

    /// Removes the document `name` and returns whether it existed. The removal is on disk when this
    /// returns.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn remove_document(&self, name: &str) -> Result<bool, StoreError> {
        let existed = self.inner.documents.remove(name)?.is_some();
        self.inner.disk.flush()?;
        Ok(existed)
    }

    /// Makes the changes without waiting for the disk.
    pub(super) fn apply_documents(&self, changes: &[DocumentChange<'_>]) -> Result<(), StoreError> {
        if changes.is_empty() {
            return Ok(());
        }
        let mut batch = sled::Batch::default();
        for &(name, bytes) in changes {
            match bytes {
                Some(bytes) => batch.insert(name, bytes),
                None => batch.remove(name),
            }
        }
        Ok(self.inner.documents.apply_batch(batch)?)
    }
}

/// The bytes of a document.
pub(super) fn json(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    Ok(serde_json::to_vec(value)?)
}
