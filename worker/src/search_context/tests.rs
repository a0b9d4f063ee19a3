use super::needed;

#[test]
fn facts_that_take_most_of_the_bound_leave_room_for_searches() {
    let bound = 512 << 20;
    // Few facts stay within the bound.
    assert!(needed(64 << 20, bound, false) <= bound);
    let after_import = 436 << 20;
    assert!(needed(after_import, bound, false) >= after_import + bound / 2 + (128 << 20));
}

#[test]
fn facts_in_an_archive_do_not_raise_the_bound() {
    let bound = 512 << 20;
    let with_index = 250 << 20;
    assert!(needed(with_index, bound, true) <= bound);
    assert!(needed(with_index, bound, false) > bound);
}
