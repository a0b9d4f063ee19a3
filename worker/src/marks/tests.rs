use sproutnet_store::Timeline;

use super::*;

const STORE: u64 = 7;

fn mark(timeline: u64, cursor: u64) -> Mark {
    Mark { timeline, cursor }
}

/// The history with timelines 1, 2, … that begin after these blocks, and this cursor.
fn history(begins: &[u64], cursor: u64) -> History {
    let timelines = (1..).zip(begins);
    History {
        timelines: timelines
            .map(|(id, &after)| Timeline { id, after })
            .collect(),
        cursor,
    }
}

#[test]
fn a_rollback_is_noticed_once() {
    let marks = Marks::default();
    let compare = |history: &History| marks.compare(STORE, Epoch(0), Some(history));
    let at = compare(&history(&[0], 5));
    assert_eq!(at.rollbacks, 0);
    marks.note(at, Some(mark(1, 5)));
    marks.note(at, Some(mark(1, 3)));
    marks.note(at, None);
    assert_eq!(marks.newest(at), Some(mark(1, 5)));
    assert_eq!(compare(&history(&[0, 5], 9)), at, "it went on");
    assert!(!marks.take_rolled_back(STORE));

    let after = compare(&history(&[0, 4], 9));
    assert_eq!(after.rollbacks, 1);
    assert!(marks.take_rolled_back(STORE) && !marks.take_rolled_back(STORE));
    assert_eq!(marks.newest(after), None);
    // The answer to a call from before arrives late.
    marks.note(at, Some(mark(1, 6)));
    assert_eq!(marks.newest(after), None);
    assert_eq!(compare(&history(&[0, 4], 9)), after);
}

#[test]
fn an_earlier_epoch_is_a_rollback_and_a_later_one_is_not() {
    let marks = Marks::default();
    let compare = |epoch| marks.compare(STORE, Epoch(epoch), Some(&history(&[0], 3)));
    let at = compare(1);
    marks.note(at, Some(mark(1, 5)));
    assert_eq!(compare(2).rollbacks, 0);
    // A late answer of the old epoch.
    marks.note(compare(2), Some(mark(1, 2)));
    marks.note(at, Some(mark(1, 9)));
    assert_eq!(marks.newest(compare(2)), Some(mark(1, 2)));
    assert_eq!(compare(1).rollbacks, 1);
}

#[test]
fn a_coordinator_that_tells_no_history_is_believed() {
    let marks = Marks::new([(STORE, (Epoch(0), mark(1, 5)))].into());
    assert_eq!(marks.compare(STORE, Epoch(0), None).rollbacks, 0);
    let other = marks.compare(STORE + 1, Epoch(0), Some(&history(&[], 0)));
    assert_eq!(other.rollbacks, 0);
    let lost = marks.compare(STORE, Epoch(0), Some(&history(&[], 0)));
    assert_eq!(lost.rollbacks, 1);
}
