//! Exports of a store that is in use.

use super::*;
use std::{
    fs, io,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

/// The export of a store in use.
fn streamed(store: &Store, room: usize) -> Result<Vec<u8>, StoreError> {
    let mut file = Vec::new();
    export_of(&Play::ALL, &game::encodings(), room).stream(store, 0, &mut file, &mut go_on)?;
    Ok(file)
}

/// Imports the bytes of an export into an empty store, and returns its records.
fn arrived(bytes: &[u8]) -> Result<Values, StoreError> {
    let (dir, file) = (folder(), folder());
    let (store, file) = (open(dir.path()), file.path().join("export"));
    fs::write(&file, bytes).unwrap();
    import(&store, &file)?;
    Ok(values(&store))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn it_is_the_export_of_the_same_store_at_rest(
        rolls in rolls(900),
        room in prop_oneof![Just(ROOM), 200..30_000usize],
    ) {
        let (dir, file) = (folder(), folder());
        let (store, file) = (open(dir.path()), file.path().join("export"));
        fill(&store, &rules(), &rolls);
        put(&store, &result(7, Outcome::Loss, None));
        export(&store, &file);
        prop_assert!(streamed(&store, room).unwrap() == fs::read(&file).unwrap());
    }
}

#[test]
fn records_that_arrive_meanwhile_harm_nothing() {
    let dir = folder();
    let store = open(dir.path());
    fill(&store, &rules(), &(0..300).map(|n| (n, 1, n % 4)).collect());
    let before = values(&store);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in (300..700).cycle() {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                add(&store, &rules(), &vec![(number, 1, number % 4)], 1);
            }
        });
        for room in [ROOM, 20_000, 2_000] {
            let records = arrived(&streamed(&store, room).unwrap()).unwrap();
            assert!(
                before
                    .iter()
                    .all(|(key, value)| records.get(key) == Some(value))
            );
        }
        is_over.store(true, Ordering::Relaxed);
    });
}

#[test]
fn it_has_no_end_if_a_source_is_revoked_meanwhile_or_the_receiver_leaves() {
    let dir = folder();
    let store = open(dir.path());
    fill(&store, &rules(), &(0..300).map(|n| (n, 1, 1)).collect());
    let mut file = Vec::new();
    let mut is_first = true;
    let mut revoke = |step: Step| {
        if step.what == "writing" && std::mem::take(&mut is_first) {
            store.revoke_after(0).unwrap();
        }
        ControlFlow::Continue(())
    };
    let encodings = game::encodings();
    let of_all = export_of(&Play::ALL, &encodings, ROOM);
    let error = of_all
        .stream(&store, 0, &mut file, &mut revoke)
        .unwrap_err();
    assert!(matches!(error, StoreError::Stopped), "{error}");
    let error = arrived(&file).unwrap_err();
    let StoreError::Unusable { reason, .. } = error else {
        panic!("{error}");
    };
    assert!(matches!(reason, Unusable::Truncated(_)), "{reason}");

    let gone = io::LineWriter::new(Gone);
    let error = of_all.stream(&store, 0, gone, &mut go_on).unwrap_err();
    assert!(matches!(error, StoreError::File { .. }), "{error}");
}

/// A receiver that has left.
struct Gone;

impl io::Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
