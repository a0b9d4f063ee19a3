//! What a worker's own store remembers about coordinators and contradictions.

use std::collections::BTreeSet;

use sproutnet_notation::Epoch;
use sproutnet_store::StoreError;

use crate::client::StoreEpoch;
use crate::folder::OwnStore;

/// Up to which block the coordinator with a store has all records.
const ACKNOWLEDGED: &str = "acknowledged/";
/// The epoch of a coordinator's store in which this worker last registered.
const EPOCH: &str = "epoch/";
/// The keys of contradictions, in hex.
const DISPUTED: &str = "disputed/";

fn name(prefix: &str, store: u64) -> String {
    format!("{prefix}{store:016x}")
}

impl OwnStore {
    fn number(&self, prefix: &str, store: u64) -> Result<Option<u64>, StoreError> {
        let bytes = self.store.get_document(&name(prefix, store))?;
        Ok(bytes.and_then(|bytes| Some(u64::from_be_bytes(bytes.try_into().ok()?))))
    }

    /// The last block up to which a coordinator has all records.
    pub(crate) fn acknowledged(&self, store: u64) -> Result<Option<u64>, StoreError> {
        self.number(ACKNOWLEDGED, store)
    }

    pub(crate) fn put_acknowledged(&self, store: u64, cursor: u64) -> Result<(), StoreError> {
        let name = name(ACKNOWLEDGED, store);
        self.store.put_document(&name, &cursor.to_be_bytes())
    }

    /// The epoch in which this worker last registered with a store.
    pub(crate) fn last_epoch(&self, store: u64) -> Result<Option<Epoch>, StoreError> {
        let noted = self.number(EPOCH, store)?;
        // Earlier versions noted no epoch; there was only the first.
        let registered = self.acknowledged(store)?.is_some();
        Ok(noted.or(registered.then_some(0)).map(Epoch))
    }

    pub(crate) fn put_epoch(&self, at: StoreEpoch) -> Result<(), StoreError> {
        let name = name(EPOCH, at.store);
        self.store.put_document(&name, &at.epoch.0.to_be_bytes())
    }

    /// The keys of contradictions.
    pub(crate) fn disputed(&self) -> Result<BTreeSet<Box<[u8]>>, StoreError> {
        let documents = self.store.scan_documents(DISPUTED);
        documents.map(|document| Ok(document?.1.into())).collect()
    }

    pub(crate) fn put_disputed(&self, key: &[u8]) -> Result<(), StoreError> {
        let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        self.store.put_document(&format!("{DISPUTED}{hex}"), key)
    }

    /// Removes all records, and what rests on them.
    pub(crate) fn forget(&self) -> Result<(), StoreError> {
        for prefix in [ACKNOWLEDGED, DISPUTED] {
            for document in self.store.scan_documents(prefix) {
                self.store.remove_document(&document?.0)?;
            }
        }
        self.store.revoke_after(0)?;
        Ok(())
    }
}
