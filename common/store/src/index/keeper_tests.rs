//! No part of the index is written twice.

use super::is_idle;
use crate::{
    tests::{append, assert_index, folder, open, records},
    unpoisoned,
};
use std::{thread, time::Duration};

#[test]
fn a_part_that_was_written_meanwhile_is_not_written_again() {
    let dir = folder();
    let store = open(dir.path());
    let cursor = append(&store, &records(0..1_500, 1));
    store.keep_apart(cursor);
    let keeper = &store.inner.keeper;
    {
        let content = &mut *unpoisoned(keeper.content.write());
        let numbering = keeper.files.numbering();
        content.index.freeze(content.extent, numbering);
    }
    thread::scope(|scope| {
        let mut threads = unpoisoned(keeper.threads.lock());
        scope.spawn(|| keeper.tend());
        // Time for the other thread to run until it blocks.
        thread::sleep(Duration::from_millis(200));
        let frozen = unpoisoned(keeper.content.read()).index.frozen.clone();
        let frozen = frozen.expect("nobody wrote it");
        keeper.start(&mut threads[0], move |work| work.write(&frozen));
        while !is_idle(threads[0].as_ref()) {
            thread::sleep(Duration::from_millis(1));
        }
    });
    keeper.finish();
    assert_index(&store);
}
