//! Copies of stores that are in use.

use super::*;
use crate::transfer::mirror::is_mount_point;
use crate::transfer::{Mirror, MirrorCursor, RESULTS, SOURCES};
use std::fs;

fn open_mirror(dir: &Path) -> Mirror {
    Mirror::open(dir, &game::encodings()).unwrap()
}

/// Sends a mirror at most `most` blocks of a store that it lacks.
fn send_blocks(mirror: &mut Mirror, store: &Store, most: usize) {
    for block in store.blocks_after(mirror.place().cursor).take(most) {
        let (number, bytes) = block.unwrap();
        mirror.add_block(mark(store, number), &bytes).unwrap();
    }
}

fn send_documents(mirror: &mut Mirror, store: &Store) {
    for kind in [RESULTS, SOURCES, "computation/"] {
        for document in store.scan_documents(kind) {
            let (name, bytes) = document.unwrap();
            mirror.add_document(name, bytes);
        }
    }
}

fn place_of(store: &Store) -> MirrorCursor {
    MirrorCursor {
        store: store.id(),
        epoch: store.epoch().into(),
        ..MirrorCursor::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn an_export_of_the_copy_is_that_of_the_store(
        parts in collection::vec((rolls(400), 0..6usize, any::<bool>()), 1..5),
    ) {
        let (from, here) = (folder(), folder());
        let (rules, dir) = (rules(), here.path().join("x.mirror"));
        let from = open(from.path());
        let mut mirror = open_mirror(&dir).restart(place_of(&from), &game::encodings()).unwrap();
        for (rolls, blocks, is_killed) in &parts {
            // The store changes meanwhile, and small blocks become larger ones.
            fill(&from, &rules, rolls);
            send_blocks(&mut mirror, &from, *blocks);
            if !is_killed {
                mirror.commit().unwrap();
            }
            drop(mirror);
            mirror = open_mirror(&dir);
            prop_assert!(mirror.place().cursor <= from.cursor());
        }
        put(&from, &result(7, Outcome::Loss, None));
        from.put_document("computation/1", b"{}").unwrap();
        if mirror.place().store == 0 {
            mirror = mirror.restart(place_of(&from), &game::encodings()).unwrap();
        }
        send_blocks(&mut mirror, &from, usize::MAX);
        send_documents(&mut mirror, &from);
        prop_assert_eq!(mirror.place().cursor, from.cursor());

        let [copied, own] = ["copied", "own"].map(|name| here.path().join(name));
        let encodings = game::encodings();
        let plays = export_of(&Play::ALL, &encodings, ROOM);
        let exported = mirror.export(&plays, &copied, &mut go_on).unwrap();
        prop_assert_eq!(&exported, &export(&from, &own));
        prop_assert_eq!(fs::read(&copied).unwrap(), fs::read(&own).unwrap());
        prop_assert!(!dir.exists());
    }
}

#[test]
fn mount_points_are_known() {
    for (dir, is_one) in [("/proc", true), ("/proc/self", false), ("/", false)] {
        assert_eq!(is_mount_point(Path::new(dir)), is_one, "{dir}");
    }
}

#[test]
fn a_store_is_not_taken_for_a_copy() {
    let dir = folder();
    fill(&open(dir.path()), &rules(), &vec![(1, 1, 0)]);
    let refused = Mirror::open(dir.path(), &game::encodings());
    let refused = refused.err().map(|error| error.to_string());
    assert!(refused.is_some_and(|error| error.contains("is the folder of a store")));
    assert_eq!(open(dir.path()).len(), 1);
}

#[test]
fn a_copy_whose_removal_was_interrupted_is_begun_anew() {
    let (from, here) = (folder(), folder());
    let from = open(from.path());
    fill(&from, &rules(), &vec![(1, 1, 0)]);
    let [dir, discarded] = ["x.mirror", "x.mirror.discarded"].map(|name| here.path().join(name));
    let mut mirror = open_mirror(&dir);
    send_blocks(&mut mirror, &from, usize::MAX);
    mirror.commit().unwrap();
    drop(mirror);
    fs::rename(&dir, &discarded).unwrap();
    // The high-water mark is still there, but not the database that it belongs to.
    fs::remove_file(discarded.join("db")).unwrap();
    let mirror = open_mirror(&dir);
    assert_eq!(mirror.records(), 0);
    assert!(!discarded.exists());
    // A copy of another store is removed and begun anew as well.
    let mirror = mirror.restart(place_of(&from), &game::encodings());
    assert_eq!(mirror.unwrap().place(), place_of(&from));
    assert!(!discarded.exists());
}
