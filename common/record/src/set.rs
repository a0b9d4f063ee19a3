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
mod tests {
    use super::*;
    use crate::Worth;

    fn record(key: &[u8], value: u64, visits: u64) -> Record {
        Record {
            key: key.into(),
            value,
            worth: Worth::of_visits(visits),
        }
    }

    #[test]
    fn records_of_one_key_become_one() {
        let (not_0, not_1, is_2) = (2, 4, 5);
        let (set, contradictions) = RecordSet::of(vec![
            record(b"Sny", not_1, 1),
            record(b"Snx", is_2, 4),
            record(b"Snx", not_0, 64),
            record(b"Sny", not_0, 2),
        ]);
        let together = [record(b"Snx", is_2, 64), record(b"Sny", not_0 | not_1, 2)];
        assert_eq!(set.records(), together);
        assert_eq!(contradictions, []);
    }

    #[test]
    fn a_contradiction_is_told_and_one_value_stays() {
        let (is_0, is_1) = (1, 3);
        let (mut set, contradictions) = RecordSet::of(vec![
            record(b"Snx", is_1, 8),
            record(b"Sny", is_1, 1),
            record(b"Snx", is_0, 1),
        ]);
        let contradiction = Contradiction {
            key: (*b"Snx").into(),
            known: is_0,
            new: is_1,
        };
        assert_eq!(contradictions, [contradiction]);
        assert_eq!(
            set.records(),
            [record(b"Snx", is_0, 1), record(b"Sny", is_1, 1)]
        );
        set.remove(b"Snx");
        set.remove(b"Snz");
        assert_eq!(set.into_records(), [record(b"Sny", is_1, 1)]);
    }
}
