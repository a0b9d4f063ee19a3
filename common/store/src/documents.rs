//! Small named documents beside the records.

use super::{Store, StoreError};

/// What becomes of the document of that name: its new bytes, or `None` to remove it.
pub type DocumentChange<'a> = (&'a str, Option<&'a [u8]>);

impl Store {
    /// Makes all these changes or, if the process is killed in between, none; on disk when it
    /// returns. Of several changes of one name the last counts. See
    /// [`merge_with`](Store::merge_with) for documents and records together.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn change_documents(&self, changes: &[DocumentChange<'_>]) -> Result<(), StoreError> {
        self.apply_documents(changes)?;
        self.inner.disk.flush()
    }

    /// Keeps `bytes` under `name` in place of what was there; on disk when it returns.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn put_document(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.change_documents(&[(name, Some(bytes))])
    }

    /// The document under `name`, if there is one.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn get_document(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let document = self.inner.documents.get(name)?;
        Ok(document.map(|bytes| bytes.to_vec()))
    }

    /// The documents whose names begin with `prefix`, as (name, bytes) in ascending order of names.
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

    /// Removes the document under `name` and says whether there was one; gone from disk when it
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
