//! The remains of a heap after a move.

use super::*;

#[test]
fn splits_name_each_pair_once() {
    let sizes = |left: Left| left.sizes().collect::<Vec<_>>();
    assert_eq!(sizes(Left::One(0)), [(0, 0)]);
    assert_eq!(sizes(Left::One(5)), [(0, 5)]);
    assert_eq!(sizes(Left::Two(1)), []);
    assert_eq!(sizes(Left::Two(5)), [(1, 4), (2, 3)]);
    assert_eq!(sizes(Left::Two(6)), [(1, 5), (2, 4), (3, 3)]);
    assert_eq!(sizes(Left::TwoDifferent(6)), [(1, 5), (2, 4)]);
    assert_eq!(sizes(Left::TwoDifferent(2)), []);
}
