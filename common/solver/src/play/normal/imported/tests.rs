use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use super::*;
use sproutnet_game::{Game, Kayles};

#[test]
fn a_thread_that_reads_while_a_fact_is_imported_gets_it() {
    let lands = &Lands::new(Arc::new(Kayles));
    let imported = &Imported::InMemory(Box::default());
    let position = Kayles.parse("9").expect("a row");
    let row = &position.lands()[0];
    let read = thread::scope(|scope| {
        let (send, read) = channel();
        let find = || {
            let found = lands.find(Lands::hash_of(row.as_bytes()));
            scope.spawn(move || {
                let land = lands.intern(row);
                send.send(imported.fact(lands, land))
                    .expect("the test waits");
            });
            // Time enough to read, for a thread that need not wait.
            thread::sleep(Duration::from_millis(50));
            found
        };
        let kept = imported.keep(Lands::hash_of(row.as_bytes()), Fact::of_land(9), 9, find);
        assert_eq!(kept, Ok(None));
        read.recv().expect("it reads")
    });
    assert_eq!(read, Fact::of_land(9));
}
