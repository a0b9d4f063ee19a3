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
