//! Backups of stores that are in use.

use super::*;
use crate::transfer::{Backup, MirrorCursor, SOURCES, is_of_one_store};
use crate::{Batch, number_of};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

/// A pass over a store; a new source begins before it.
#[derive(Clone, Debug)]
struct Step {
    rolls: Rolls,
    /// The number of blocks after which the pass is interrupted.
    blocks: usize,
    ends: End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Killed,
    Interrupted,
    Complete,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let end = prop_oneof![
        Just(End::Killed),
        Just(End::Interrupted),
        Just(End::Complete)
    ];
    let step = (rolls(300), 0..8usize, end).prop_map(|(rolls, blocks, ends)| Step {
        rolls,
        blocks,
        ends,
    });
    collection::vec(step, 1..6)
}

fn open_backup(dir: &Path) -> Backup {
    Backup::open(dir, &game::encodings()).unwrap()
}

/// The source of the number `number`, whose records follow.
fn begin_source(store: &Store, number: u32) {
    let since = store.cursor();
    store.keep_apart(since);
    let source = SourceOfRecords {
        identity: number.into(),
        name: format!("worker {number}"),
        since,
        ..SourceOfRecords::default()
    };
    let bytes = serde_json::to_vec(&source).unwrap();
    let name = sources::document(number);
    store.put_document(&name, &bytes).unwrap();
}

fn add_records(store: &Store, rules: &Knowledge, rolls: &Rolls, source: u32) {
    let rolls = rolls
        .iter()
        .map(|&(number, roll, _)| (number, roll, source));
    add(store, rules, &rolls.collect(), 50);
}

/// The place before the first block of a store.
fn start_of(store: &Store) -> MirrorCursor {
    MirrorCursor {
        store: store.id(),
        epoch: store.epoch().into(),
        ..MirrorCursor::default()
    }
}

/// Sends what a coordinator sends: documents, at most `most` blocks, and the sources again.
fn send(mut backup: Backup, store: &Store, most: usize) -> Backup {
    let place = MirrorCursor {
        store: store.id(),
        epoch: store.epoch().into(),
        ..backup.place()
    };
    if backup.place() != place {
        let place = start_of(store);
        backup = backup.restart(place, &game::encodings()).unwrap();
    }
    send_documents(&mut backup, store, "");
    for block in store.blocks_after(backup.place().cursor).take(most) {
        let (number, bytes) = block.unwrap();
        backup.add_block(mark(store, number), &bytes).unwrap();
    }
    send_documents(&mut backup, store, SOURCES);
    backup
}

fn send_documents(backup: &mut Backup, store: &Store, prefix: &str) {
    for document in store.scan_documents(prefix) {
        let (name, bytes) = document.unwrap();
        if !is_of_one_store(&name) {
            backup.add_document(name, bytes).unwrap();
        }
    }
}

/// All records with their values and sources.
fn content(store: &Store) -> BTreeMap<Box<[u8]>, (u64, u32)> {
    let mut records = Batch::default();
    for block in store.blocks_after(0) {
        let (number, bytes) = block.unwrap();
        records.push_stored(number, &bytes).unwrap();
    }
    let each = records.iter();
    each.map(|record| (record.key.into(), (record.value, number_of(record.source))))
        .collect()
}

/// All documents but those of the sources.
fn documents(store: &Store) -> BTreeMap<String, Vec<u8>> {
    let documents = store.scan_documents("").map(Result::unwrap);
    documents
        .filter(|(name, _)| !name.starts_with(SOURCES))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_backup_has_all_of_a_store_and_revokes_as_it_does(steps in steps()) {
        let (from, here) = (folder(), folder());
        let (rules, dir) = (rules(), here.path().join("backup"));
        let store = open(from.path());
        let mut backup = open_backup(&dir);
        let mut number = 0;
        for (at, Step { rolls, blocks, ends }) in (1..).zip(&steps) {
            number += 1;
            begin_source(&store, number);
            add_records(&store, &rules, rolls, number);
            put(&store, &result(at, Outcome::Loss, None));
            store.put_document("computation/1", at.to_string().as_bytes()).unwrap();
            store.put_document(&format!("match/{at}"), b"{}").unwrap();
            store.remove_document(&format!("match/{}", at - 1)).unwrap();
            backup = send(backup, &store, if *ends == End::Complete { usize::MAX } else { *blocks });
            match ends {
                End::Killed => {}
                End::Interrupted => backup.interrupt().unwrap(),
                End::Complete => {
                    backup.complete(NOW).unwrap();
                }
            }
            if *ends != End::Complete {
                drop(backup);
                backup = open_backup(&dir);
            }
        }
        backup = send(backup, &store, usize::MAX);
        backup.complete(NOW).unwrap();
        let is_idle = send(backup, &store, usize::MAX).complete(NOW + 1).unwrap();
        prop_assert_eq!(is_idle, 0);

        let copy = open(&dir);
        let before = copy.id();
        let taken = Backup::take_over(&copy).unwrap().unwrap();
        let renewed = copy.id();
        prop_assert_ne!(renewed, before);
        prop_assert_eq!((taken.store, taken.at), (store.id(), NOW + 1));
        prop_assert_eq!(Backup::take_over(&copy).unwrap(), None);
        prop_assert_eq!(content(&copy), content(&store));
        prop_assert_eq!(documents(&copy), documents(&store));
        drop(copy);
        prop_assert_eq!(open(&dir).id(), renewed);
        // Every source is revoked, each in a copy of its own: the youngest first, as each leaves the older ones.
        let copy = open(&dir);
        let sources = Sources::of(&copy).unwrap();
        prop_assert_eq!(sources.iter().count(), number as usize);
        for revoked in (1..=number).rev() {
            let since = sources.get(revoked).unwrap().since;
            copy.revoke_after(since).unwrap();
            let left: BTreeSet<u32> = content(&copy).values().map(|&(_, source)| source).collect();
            prop_assert!(left.iter().all(|&source| source < revoked), "{revoked}: {left:?}");
        }
    }

    #[test]
    fn a_backup_in_one_pass_keeps_what_the_store_keeps_after_a_revocation(
        parts in collection::vec(rolls(300), 1..5),
        choice in any::<prop::sample::Index>(),
    ) {
        let (from, here) = (folder(), folder());
        let (rules, dir) = (rules(), here.path().join("backup"));
        let store = open(from.path());
        for (number, rolls) in (1..).zip(&parts) {
            begin_source(&store, number);
            add_records(&store, &rules, rolls, number);
        }
        let mut backup = send(open_backup(&dir), &store, usize::MAX);
        backup.complete(NOW).unwrap();
        drop(backup);
        let copy = open(&dir);
        let revoked = 1 + choice.index(parts.len()) as u32;
        for store in [&store, &copy] {
            let since = Sources::of(store).unwrap().get(revoked).unwrap().since;
            store.revoke_after(since).unwrap();
        }
        prop_assert_eq!(content(&copy), content(&store));
    }
}

#[test]
fn a_complete_backup_stays_until_the_next_one_is_complete() {
    let (from, here) = (folder(), folder());
    let [dir, before] = ["backup", "backup.before"].map(|name| here.path().join(name));
    let (rules, store) = (rules(), open(from.path()));
    begin_source(&store, 1);
    add_records(&store, &rules, &vec![(1, 1, 0), (2, 2, 0)], 1);
    let mut backup = send(open_backup(&dir), &store, usize::MAX);
    backup.complete(NOW).unwrap();
    store.revoke_after(0).unwrap();
    for _ in 0..2 {
        backup = send(backup, &store, 0);
        drop(backup);
        let previous = open(&before);
        assert_eq!(previous.len(), 2);
        drop(previous);
        backup = open_backup(&dir);
        assert_eq!(backup.records(), 0);
    }
    // The new one is not complete, so a coordinator does not start from it.
    let place = start_of(&store);
    assert!(Backup::take_over(backup.mirror().store()).is_err());
    backup = send(
        backup.restart(place, &game::encodings()).unwrap(),
        &store,
        9,
    );
    backup.complete(NOW).unwrap();
    assert!(!before.exists());
    // Another store does not replace it.
    let other = MirrorCursor { store: 7, ..place };
    let refused = backup.restart(other, &game::encodings()).err().unwrap();
    assert!(
        refused.to_string().contains("is a backup of the store"),
        "{refused}"
    );
}

#[test]
fn a_backup_of_what_the_store_lost_is_kept() {
    let (from, here) = (folder(), folder());
    let dir = here.path().join("backup");
    let (rules, store) = (rules(), open(from.path()));
    add_records(&store, &rules, &vec![(3, 1, 0)], 1);
    store.revoke_after(0).unwrap();
    add_records(&store, &rules, &vec![(1, 1, 0), (2, 2, 0)], 1);
    let mut backup = send(open_backup(&dir), &store, usize::MAX);
    backup.complete(NOW).unwrap();
    let place = backup.place();
    assert_eq!(mark(&store, place.cursor).timeline, place.timeline);
    for epoch in [0, 1] {
        let lost = MirrorCursor {
            epoch,
            ..start_of(&store)
        };
        let refused = backup.restart(lost, &game::encodings()).err().unwrap();
        assert!(refused.to_string().contains("was rolled back"), "{refused}");
        backup = open_backup(&dir);
        assert_eq!((backup.records(), backup.place()), (2, place));
    }
}

#[test]
fn a_backup_of_an_earlier_version_goes_on() {
    let text = r#"{"store":7,"epoch":1,"cursor":9}"#;
    let place: MirrorCursor = serde_json::from_str(text).unwrap();
    assert_eq!((place.cursor, place.timeline), (9, 0));
}

#[test]
fn a_folder_with_other_files_is_neither_used_nor_removed() {
    let (from, here) = (folder(), folder());
    let dir = here.path().join("precious");
    fs::create_dir(&dir).unwrap();
    fs::write(dir.join("keep.txt"), "a secret").unwrap();
    let refused = Backup::open(&dir, &game::encodings()).err().unwrap();
    assert!(
        refused.to_string().contains("holds `keep.txt`"),
        "{refused}"
    );
    assert_eq!(fs::read(dir.join("keep.txt")).unwrap(), b"a secret");
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);

    // Files that came into a backup later stay as well.
    let dir = here.path().join("backup");
    let (rules, store) = (rules(), open(from.path()));
    add_records(&store, &rules, &vec![(1, 1, 0)], 1);
    let mut backup = send(open_backup(&dir), &store, usize::MAX);
    backup.complete(NOW).unwrap();
    fs::write(dir.join("notes"), "mine").unwrap();
    store.revoke_after(0).unwrap();
    let place = start_of(&store);
    let refused = backup.restart(place, &game::encodings()).err().unwrap();
    assert!(refused.to_string().contains("holds `notes`"), "{refused}");
    assert_eq!(fs::read(dir.join("notes")).unwrap(), b"mine");
    assert_eq!(open_backup(&dir).records(), 1);
}

#[test]
fn a_backup_behind_a_link_starts_over_there() {
    let (from, here) = (folder(), folder());
    let [real, link] = ["real", "link"].map(|name| here.path().join(name));
    fs::create_dir(&real).unwrap();
    symlink(&real, &link).unwrap();
    let (rules, store) = (rules(), open(from.path()));
    add_records(&store, &rules, &vec![(1, 1, 0), (2, 2, 0)], 1);
    let mut backup = send(open_backup(&link), &store, usize::MAX);
    backup.complete(NOW).unwrap();
    store.revoke_after(0).unwrap();
    add_records(&store, &rules, &vec![(3, 1, 0)], 1);
    let mut backup = send(backup, &store, usize::MAX);
    backup.complete(NOW).unwrap();
    drop(backup);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(
        fs::metadata(&real).unwrap().permissions().mode() & 0o777,
        0o700
    );
    assert_eq!(open(&real).len(), 1);
}

#[test]
fn an_export_of_a_backup_is_one_of_the_store() {
    let (from, here) = (folder(), folder());
    let [dir, file] = ["backup", "file"].map(|name| here.path().join(name));
    let (rules, store) = (rules(), open(from.path()));
    begin_source(&store, 1);
    add_records(&store, &rules, &vec![(1, 1, 0), (2, 2, 0)], 1);
    let mut backup = send(open_backup(&dir), &store, usize::MAX);
    backup.complete(NOW).unwrap();
    drop(backup);
    let exported = export(&open(&dir), &file);
    assert_eq!(exported.header.store, store.id());
    assert_eq!(exported.header.cursor, store.cursor());
}

#[test]
fn a_store_does_not_become_a_backup() {
    let dir = folder();
    open(dir.path())
        .put_document("computation/1", b"{}")
        .unwrap();
    let refused = Backup::open(dir.path(), &game::encodings()).err().unwrap();
    assert!(
        refused.to_string().contains("is the folder of a store"),
        "{refused}"
    );
}
