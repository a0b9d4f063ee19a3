//! Sums of efforts.

use super::*;

#[test]
fn sums_stay_finite_unless_a_term_is_infinite() {
    let large = Numbers::INFINITE - 1;
    assert_eq!(Numbers::add(large, large), large);
    assert_eq!(Numbers::add(1, Numbers::INFINITE), Numbers::INFINITE);
}
