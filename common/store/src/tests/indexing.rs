//! Files of the index are believed only if they are right. Their loss or damage changes no answer.

use super::{
    ENCODINGS, Model, append, assert_index, collect, folder, merge, open, record, records,
    refusals::damage, value,
};
use crate::{Store, StoreError, Stored, Worth, compact, index::files};
use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

/// A store of 24,000 keys, some of them superseded, whose index is in files but for a rest.
fn filled(dir: &Path) -> Model {
    let store = open(dir);
    for round in 0..40 {
        append(&store, &records(round * 600..(round + 1) * 600, 1));
        append(&store, &records(round * 100..round * 100 + 30, 2 + round));
        for key in 0..3 {
            append(&store, &[record(round * 7 + key, 100 + round)]);
        }
        store.inner.keeper.finish();
    }
    assert_index(&store);
    collect(store.iter())
}

/// The files of the index, by name.
fn runs(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir.join(files::FOLDER)).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort_unstable();
    paths
}

fn copy_runs(from: &Path, to: &Path) {
    let folder = to.join(files::FOLDER);
    fs::create_dir_all(&folder).unwrap();
    for path in runs(from) {
        fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
    }
}

/// Every key has its value, and no other key has one.
fn assert_answers(store: &Store, model: &Model) {
    assert_eq!(store.len(), model.len());
    for (key, &(value, source)) in model {
        assert_eq!(
            store.get(key).unwrap(),
            Some(Stored {
                worth: Worth::LEAST,
                value,
                source
            })
        );
    }
    for absent in 100_000..100_300 {
        assert_eq!(value(store, absent), None);
    }
    assert_eq!(&collect(store.iter()), model);
    assert_index(store);
}

#[test]
fn most_of_the_index_is_in_few_files_that_are_opened_as_they_are() {
    let dir = folder();
    let model = filled(dir.path());
    let before = runs(dir.path());
    assert!((1..=6).contains(&before.len()), "{before:?}");
    let store = open(dir.path());
    assert_answers(&store, &model);
    assert_eq!(runs(dir.path()), before);
    let stats = store.stats().unwrap();
    assert!(stats.superseded > 1_000, "{stats:?}");
    assert!(stats.disk_bytes > 24_000 * 8, "{stats:?}");
}

#[test]
fn a_store_without_files_of_its_index_makes_them() {
    let dir = folder();
    let model = filled(dir.path());
    fs::remove_dir_all(dir.path().join(files::FOLDER)).unwrap();
    assert_answers(&open(dir.path()), &model);
    assert!(!runs(dir.path()).is_empty());
    // One that is lost, and one that was not finished.
    for lost in 0..runs(dir.path()).len() {
        let paths = runs(dir.path());
        fs::rename(&paths[lost], paths[lost].with_extension("new")).unwrap();
        assert_answers(&open(dir.path()), &model);
        let is_run = |path: &PathBuf| path.extension().is_none();
        assert!(runs(dir.path()).iter().all(is_run));
    }
}

#[test]
fn a_damaged_file_costs_no_answer() {
    let dir = folder();
    let model = filled(dir.path());
    let kept = folder();
    copy_runs(dir.path(), kept.path());
    let mut random = fastrand::Rng::with_seed(3);
    let mut noticed = 0;
    for round in 0..24 {
        fs::remove_dir_all(dir.path().join(files::FOLDER)).unwrap();
        copy_runs(kept.path(), dir.path());
        let paths = runs(dir.path());
        let path = &paths[random.usize(..paths.len())];
        let mut bytes = fs::read(path).unwrap();
        let at = match round % 3 {
            0 => random.usize(..bytes.len()),
            // Starts, filter and footer are at the end.
            1 => bytes.len() - 1 - random.usize(..100),
            _ => random.usize(..1_000),
        };
        match round % 7 {
            6 => bytes.truncate(at),
            _ => bytes[at] ^= 1 << random.u8(..8),
        }
        // Before it is opened, or while it is open.
        let before = (round % 2 == 0).then(|| open(dir.path()));
        fs::write(path, bytes).unwrap();
        let store = before.unwrap_or_else(|| open(dir.path()));
        for (key, &(value, source)) in &model {
            match store.get(key) {
                Ok(found) => assert_eq!(
                    found,
                    Some(Stored {
                        worth: Worth::LEAST,
                        value,
                        source
                    })
                ),
                Err(StoreError::Index { .. }) => noticed += 1,
                Err(error) => panic!("{error}"),
            }
        }
        // The next merge rebuilds the index.
        append(&store, &[]);
        assert_answers(&store, &model);
        drop(store);
        assert_answers(&open(dir.path()), &model);
    }
    assert!(noticed > 0);
}

#[test]
fn files_of_another_store_or_time_are_not_believed() {
    let dir = folder();
    let early = folder();
    let store = open(dir.path());
    append(&store, &records(0..5_000, 1));
    let cursor = store.cursor();
    append(&store, &records(5_000..12_000, 1));
    append(&store, &records(12_000..12_500, 1));
    store.inner.keeper.finish();
    copy_runs(dir.path(), early.path());
    store.revoke_after(cursor).unwrap();
    // The same keys, in other blocks, and others.
    append(&store, &records(6_000..9_000, 7));
    append(&store, &records(3_000..6_000, 8));
    append(&store, &records(20_000..24_000, 9));
    append(&store, &records(24_000..24_010, 9));
    store.inner.keeper.finish();
    let model = collect(store.iter());
    assert_answers(&store, &model);
    drop(store);
    copy_runs(early.path(), dir.path());
    assert_answers(&open(dir.path()), &model);
    fs::remove_dir_all(dir.path().join(files::FOLDER)).unwrap();
    copy_runs(early.path(), dir.path());
    assert_answers(&open(dir.path()), &model);

    // A store of the same records has blocks of the same numbers and checksums.
    let [one, other] = [folder(), folder()];
    filled(one.path());
    let model = filled(other.path());
    fs::remove_dir_all(other.path().join(files::FOLDER)).unwrap();
    copy_runs(one.path(), other.path());
    let foreign = fs::read(&runs(other.path())[0]).unwrap();
    assert_answers(&open(other.path()), &model);
    assert!(fs::read(&runs(other.path())[0]).unwrap() != foreign);
}

#[test]
fn compacting_makes_an_index_of_its_own() {
    let dir = folder();
    let early = folder();
    let model = filled(dir.path());
    copy_runs(dir.path(), early.path());
    compact(dir.path(), ENCODINGS, &mut |_| ControlFlow::Continue(())).unwrap();
    let compacted = runs(dir.path());
    let store = open(dir.path());
    assert_answers(&store, &model);
    assert_eq!(store.stats().unwrap().superseded, 0);
    drop(store);
    assert_eq!(runs(dir.path()), compacted);
    copy_runs(early.path(), dir.path());
    assert_answers(&open(dir.path()), &model);
}

#[test]
fn what_is_revoked_is_gone_from_files_too() {
    let dir = folder();
    let mut cursors = Vec::new();
    let store = open(dir.path());
    for round in 0..12 {
        append(
            &store,
            &records(round * 1_000..round * 1_000 + 1_300, round),
        );
        store.inner.keeper.finish();
        store.keep_apart(store.cursor());
        cursors.push((store.cursor(), collect(store.iter())));
    }
    while let Some((cursor, model)) = cursors.pop() {
        store.revoke_after(cursor).unwrap();
        assert_answers(&store, &model);
        if cursors.len() % 3 == 0 {
            append(&store, &records(50_000..52_500, 1));
            store.inner.keeper.finish();
        }
    }
}

#[test]
fn lost_blocks_are_noticed() {
    let lose = |dir: &Path, numbers: &mut dyn Iterator<Item = u64>| {
        let db = crate::database::open(dir).unwrap();
        let blocks = db.open_tree("blocks").unwrap();
        for number in numbers {
            blocks.remove(number.to_be_bytes()).unwrap();
        }
        db.flush().unwrap();
    };
    let dir = folder();
    let model = filled(dir.path());
    let last = open(dir.path()).cursor();
    lose(dir.path(), &mut [9].into_iter());
    match Store::open(dir.path(), ENCODINGS) {
        // Had it been among those that are looked at.
        Err(StoreError::Corrupt(_)) => {}
        Err(error) => panic!("{error}"),
        Ok(store) => {
            let missing = model.keys().filter(|key| store.get(key).is_err()).count();
            assert!(missing > 100, "{missing}");
            let last = store.iter().last().unwrap().unwrap_err();
            assert!(last.to_string().contains("blocks are missing"), "{last}");
        }
    }
    lose(dir.path(), &mut (10..last / 2));
    let error = Store::open(dir.path(), ENCODINGS).unwrap_err();
    assert!(matches!(error, StoreError::Corrupt(_)), "{error}");
}

#[test]
fn the_format_before_is_taken_over_with_no_index() {
    let dir = folder();
    let model = filled(dir.path());
    let before = runs(dir.path());
    damage(dir.path(), "meta", b"format", &2u32.to_be_bytes());
    let store = open(dir.path());
    assert_answers(&store, &model);
    assert_ne!(runs(dir.path()), before);
    merge(&store, &records(0..10, 50)).unwrap();
    drop(store);
    assert_eq!(value(&open(dir.path()), 3), Some(50));
}
