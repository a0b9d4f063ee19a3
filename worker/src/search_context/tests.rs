use std::sync::{Arc, OnceLock};

use sproutnet_game as game;
use sproutnet_store::Store;

use super::{SearchContext, needed};

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

#[test]
fn a_reset_does_not_raise_the_bound() {
    let dir = tempfile::tempdir().expect("a folder");
    let store = Store::open(dir.path(), &game::encodings()).expect("a new store");
    let (bound, at_first) = (64 << 20, Arc::default());
    let limit = |resident| {
        let archive = Some(Arc::new(store.clone()) as Arc<_>);
        let context =
            SearchContext::new(bound, 1, archive, Arc::<OnceLock<usize>>::clone(&at_first));
        context.expect("memory").limit(resident)
    };
    // What the program takes at first may be too much for the bound.
    assert_eq!(limit(40 << 20), 72 << 20);
    // What it has not returned to the system yet does not count.
    for resident in [70 << 20, 100 << 20] {
        assert_eq!(limit(resident), 72 << 20);
    }
    assert_eq!(limit(10 << 20), bound);
}
