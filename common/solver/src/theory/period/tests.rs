//! Proofs of periods, and insufficient evidence.

use super::*;

const SPLITS: Reach = Reach {
    most_taken: 2,
    most_left: 2,
    takes_any: false,
};

#[test]
fn as_many_nimbers_as_the_theorem_needs_are_needed() {
    // From 3 on with period 2: 2·3 + 2·2 + 2 − 1 = 11 is the last heap to compare.
    let nimbers = [9, 9, 9, 1, 2, 1, 2, 1, 2, 1, 2, 1];
    assert_eq!(Period::find(&nimbers[..11], SPLITS), None);
    let found = Period::find(&nimbers, SPLITS).expect("it is proved");
    assert_eq!((found.start, found.length, found.verified), (3, 2, 11));
    assert_eq!(
        [2, 3, 4, 5, 6].map(|n| found.first_like(n)),
        [2, 3, 4, 3, 4]
    );
}

#[test]
fn without_splits_a_window_of_what_is_taken_is_enough() {
    let takes = Reach {
        most_left: 1,
        ..SPLITS
    };
    let nimbers = [9, 9, 9, 1, 2, 1, 2];
    assert_eq!(Period::find(&nimbers[..6], takes), None);
    let found = Period::find(&nimbers, takes).expect("it is proved");
    assert_eq!((found.start, found.length, found.verified), (3, 2, 6));
}

#[test]
fn a_certificate_states_the_period_twice() {
    let takes = Reach {
        most_left: 1,
        ..SPLITS
    };
    // The heaps up to 7 prove a period of 5 from 0 on: 1 + 2 − 1 + 5 = 7. The second one ends with 9.
    let found = Period::find(&[0, 0, 1, 1, 2].repeat(3), takes).expect("it is proved");
    assert_eq!((found.start, found.length), (0, 5));
    assert_eq!((found.verified, found.stated()), (7, 9));
    let nimbers = [9, 9, 9].into_iter().chain([1, 2].repeat(6));
    let found = Period::find(&nimbers.collect::<Vec<_>>(), SPLITS).expect("it is proved");
    assert_eq!((found.verified, found.stated()), (11, 11));
}

#[test]
fn what_does_not_repeat_has_no_period() {
    let nimbers: Vec<u32> = (0..1000).collect();
    assert_eq!(Period::find(&nimbers, SPLITS), None);
    assert_eq!(Period::find(&[], SPLITS), None);
    assert_eq!(Period::find(&[0], SPLITS), None);
}

#[test]
fn three_heaps_need_more_nimbers() {
    let three = Reach {
        most_left: 3,
        ..SPLITS
    };
    // From 3 on with period 2: 3·3 + 2·2 + 2 − 1 + 2 = 16 is the last heap to compare.
    let nimbers: Vec<u32> = [9, 9, 9].into_iter().chain([1, 2].repeat(7)).collect();
    assert_eq!(Period::find(&nimbers[..16], three), None);
    let found = Period::find(&nimbers, three).expect("it is proved");
    assert_eq!((found.start, found.length, found.verified), (3, 2, 16));
}

#[test]
fn moves_that_take_any_number_have_no_such_period() {
    let any = Reach {
        takes_any: true,
        ..SPLITS
    };
    assert_eq!(Period::find(&[1; 100], any), None);
}
