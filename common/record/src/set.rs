//! Sets of records.

use crate::{Contradiction, Record, merge};

/// Records in ascending order of keys, one for each key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordSet(Vec<Record>);

impl RecordSet {
    /// The set of some records. Records of one key are [merged](merge), with the largest of their worths. Of
    /// contradicting values the smallest stays, and the others are returned as contradictions to it.
    pub fn of(mut records: Vec<Record>) -> (Self, Vec<Contradiction>) {
        let mut contradictions = Vec::new();
        records.sort_unstable();
        records.dedup_by(|next, kept| {
            let is_same = next.key == kept.key;
            if is_same {
                match merge(&kept.key, kept.value, next.value) {
                    Ok(value) => {
                        kept.value = value;
                        kept.worth = kept.worth.max(next.worth);
                    }
                    Err(contradiction) => contradictions.push(contradiction),
                }
            }
            is_same
        });
        (Self(records), contradictions)
    }

    /// The records, in ascending order of keys.
    pub fn records(&self) -> &[Record] {
        &self.0
    }

    /// Removes the record of a key.
    pub fn remove(&mut self, key: &[u8]) {
        if let Ok(place) = self.0.binary_search_by(|record| (*record.key).cmp(key)) {
            self.0.remove(place);
        }
    }

    /// The records, in ascending order of keys.
    pub fn into_records(self) -> Vec<Record> {
        self.0
    }
}

#[cfg(test)]
mod tests;
