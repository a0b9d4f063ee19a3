//! Small named documents beside the records.

use super::{Store, StoreError};

impl Store {
    /// Keeps `bytes` under `key` in place of what was there; on disk when it returns.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn put_document(&self, key: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.inner.documents.insert(key, bytes)?;
        self.inner.documents.flush()?;
        Ok(())
    }

    /// The document under `key`, if there is one.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn get_document(&self, key: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let document = self.inner.documents.get(key)?;
        Ok(document.map(|bytes| bytes.to_vec()))
    }

    /// The documents whose keys begin with `prefix`, as (key, bytes) in ascending order of keys.
    pub fn scan_documents(
        &self,
        prefix: &str,
    ) -> impl Iterator<Item = Result<(String, Vec<u8>), StoreError>> + Send + use<> {
        self.inner.documents.scan_prefix(prefix).map(|entry| {
            let (key, bytes) = entry?;
            let key = String::from_utf8(key.to_vec())
                .map_err(|_| StoreError::Corrupt("a document's name is not UTF-8".into()))?;
            Ok((key, bytes.to_vec()))
        })
    }

    /// Removes the document under `key` and says whether there was one; gone from disk when it
    /// returns.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub fn remove_document(&self, key: &str) -> Result<bool, StoreError> {
        let existed = self.inner.documents.remove(key)?.is_some();
        self.inner.documents.flush()?;
        Ok(existed)
    }
}
