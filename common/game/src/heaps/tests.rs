//! The remains of a heap after a move.

use super::*;

#[test]
fn splits_name_each_way_once() {
    let sizes = |left: Left| left.sizes().collect::<Vec<_>>();
    assert_eq!(sizes(Left::One(0)), [[0, 0, 0]]);
    assert_eq!(sizes(Left::One(5)), [[0, 0, 5]]);
    assert_eq!(sizes(Left::Two(1)), [[0; 3]; 0]);
    assert_eq!(sizes(Left::Two(5)), [[0, 1, 4], [0, 2, 3]]);
    assert_eq!(sizes(Left::Two(6)), [[0, 1, 5], [0, 2, 4], [0, 3, 3]]);
    assert_eq!(sizes(Left::TwoDifferent(6)), [[0, 1, 5], [0, 2, 4]]);
    assert_eq!(sizes(Left::TwoDifferent(2)), [[0; 3]; 0]);
    assert_eq!(sizes(Left::Three(2)), [[0; 3]; 0]);
    assert_eq!(
        sizes(Left::Three(7)),
        [[1, 1, 5], [1, 2, 4], [1, 3, 3], [2, 2, 3]]
    );
}
