//! Tests of the newest blocks.

use super::*;

fn numbers(recent: &Recent, cursor: u64) -> Option<Vec<u64>> {
    let above = recent.above(cursor, 3)?;
    Some(above.into_iter().map(|(number, _)| number).collect())
}

#[test]
fn only_readers_that_keep_up_find_their_blocks() {
    let mut recent = Recent::new(4);
    assert_eq!(numbers(&recent, 3), None);
    assert_eq!(numbers(&recent, 4), Some(vec![]));
    let block = vec![0; MOST_BYTES / 4];
    for number in 5..=8 {
        recent.push(number, &block);
    }
    assert_eq!(numbers(&recent, 4), Some(vec![5, 6, 7]));
    recent.push(9, &block);
    assert_eq!(numbers(&recent, 4), None);
    assert_eq!(numbers(&recent, 5), Some(vec![6, 7, 8]));
    assert_eq!(numbers(&recent, 8), Some(vec![9]));
}

#[test]
fn blocks_that_were_replaced_are_not_shown() {
    let mut recent = Recent::new(0);
    for number in 1..=3 {
        recent.push(number, b"small");
    }
    recent.truncate(2);
    recent.push(4, b"of both");
    assert_eq!(numbers(&recent, 0), Some(vec![1, 4]));
    assert_eq!(numbers(&recent, 2), Some(vec![4]));
    assert_eq!(recent.bytes, "small".len() + "of both".len());
}
