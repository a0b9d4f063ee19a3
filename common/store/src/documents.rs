//! Small named documents beside the records.

use super::{Conflict, Sources, Store, StoreError};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

/// The prefix of the names of contradictions.
pub(super) const CONTRADICTIONS: &str = "contradiction/";

/// The name of the document that exists during a repair.
pub(super) const REPAIR: &str = "repair";

/// A change of the document `name`: its new bytes, or `None` to remove it.
pub type DocumentChange<'a> = (&'a str, Option<&'a [u8]>);

/// The name and the bytes of a document.
pub(super) type Document = (String, Vec<u8>);

impl Store {
    /// Makes all these changes, or none if the process is killed. They are on disk when this returns.
    /// Of several changes of one name the last counts. To change documents together with records, use
    /// [`merge_with`](Store::merge_with).
    ///
    /// # Errors
    /// [`StoreError::Database`], and [`StoreError::WriteFailed`] after a failed write.
    pub fn change_documents(&self, changes: &[DocumentChange<'_>]) -> Result<(), StoreError> {
        let db = &self.inner.db;
        db.write(|| {
            self.apply_documents(changes)?;
            db.flush()
        })
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
        let document = self.inner.db.documents.get(name)?;
        Ok(document.map(|bytes| bytes.to_vec()))
    }

    /// The documents whose names begin with `prefix`: names and bytes, in ascending order of names.
    pub fn scan_documents(
        &self,
        prefix: &str,
    ) -> impl Iterator<Item = Result<(String, Vec<u8>), StoreError>> + Send + use<> {
        self.inner.db.documents.scan_prefix(prefix).map(|entry| {
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
        let existed = self.inner.db.documents.contains_key(name)?;
        if existed {
            self.change_documents(&[(name, None)])?;
        }
        Ok(existed)
    }

    /// Creates or replaces documents.
    pub(super) fn put_documents(&self, documents: &[Document]) -> Result<(), StoreError> {
        if documents.is_empty() {
            return Ok(());
        }
        let changes = documents.iter().map(|(name, b)| (&**name, Some(&**b)));
        self.change_documents(&changes.collect::<Vec<_>>())
    }

    /// The progress of the interrupted work that the document `name` describes. An unreadable document counts as none.
    pub(super) fn progress<T: DeserializeOwned>(
        &self,
        name: &str,
    ) -> Result<Option<T>, StoreError> {
        let document = self.get_document(name)?;
        Ok(document.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
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
        Ok(self.inner.db.documents.apply_batch(batch)?)
    }
}

/// The bytes of a document.
pub(super) fn json(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    Ok(serde_json::to_vec(value)?)
}

/// Two contradicting records of one key. They are kept as a document so that neither is lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptContradiction {
    /// The key in hexadecimal digits.
    pub key: String,
    /// The value that was known, and stays.
    pub known: u64,
    /// Its source, as text.
    pub known_from: String,
    /// The other value.
    pub new: u64,
    /// The source of the other value, as text.
    pub new_from: String,
    /// When the contradiction was found, in seconds since 1970.
    pub met_at: u64,
}

impl KeptContradiction {
    /// The document of a conflict.
    pub fn of(conflict: &Conflict, sources: &Sources, met_at: u64) -> Self {
        Self {
            key: conflict.key.iter().map(|b| format!("{b:02x}")).collect(),
            known: conflict.known,
            known_from: sources.describe(conflict.known_source),
            new: conflict.new,
            new_from: sources.describe(conflict.new_source),
            met_at,
        }
    }

    /// The name of the document.
    pub fn name(&self) -> String {
        format!("{CONTRADICTIONS}{}/{}/{}", self.key, self.known, self.new)
    }
}
