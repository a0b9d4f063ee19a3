//! Exports of stores whose records do not fit in memory.

use super::*;
use sproutnet_testkit::disk::Disk;
use std::{fs, path::PathBuf};

/// Memory for some tens of records, in bytes.
const LITTLE: usize = 2_000;

fn store_of(dir: &Path, records: u32) -> Store {
    let store = open(dir);
    let rolls: Rolls = (0..records).map(|n| (n, 1, n % 4)).collect();
    fill(&store, &rules(), &rolls);
    put(&store, &result(7, Outcome::Loss, None));
    store
}

fn export_within(
    room: usize,
    store: &Store,
    path: &Path,
    watch: crate::Watch<'_>,
) -> Result<Exported, StoreError> {
    export_of(&Play::ALL, &game::encodings(), room).write(store, path, watch)
}

/// The names of the files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| {
        let name = entry.unwrap().file_name();
        name.into_string().unwrap()
    });
    names.collect()
}

/// The number of files without a name in a folder that this process has open.
fn nameless(folder: &Path) -> usize {
    let folder = folder.canonicalize().unwrap();
    let open = fs::read_dir("/proc/self/fd").unwrap();
    let paths = open.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    let is_nameless = |path: &PathBuf| {
        path.starts_with(&folder) && path.to_string_lossy().ends_with(" (deleted)")
    };
    paths.filter(is_nameless).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn an_export_is_the_same_whatever_the_memory(rolls in rolls(900), room in 0..30_000usize) {
        let (dir, files) = (folder(), folder());
        let [whole, sorted] = ["whole", "sorted"].map(|name| files.path().join(name));
        let store = open(dir.path());
        fill(&store, &rules(), &rolls);
        put(&store, &result(7, Outcome::Loss, None));
        let expected = export(&store, &whole);
        prop_assert_eq!(export_within(room, &store, &sorted, &mut go_on).unwrap(), expected);
        prop_assert!(fs::read(&sorted).unwrap() == fs::read(&whole).unwrap());
    }
}

#[test]
fn more_runs_than_open_files_are_in_one_file_without_a_name() {
    let (dir, at_once, files) = (folder(), folder(), folder());
    // More than a process may have open files, as a rule.
    let store = store_of(dir.path(), 1_200);
    let whole = at_once.path().join("x.export");
    let mut look = |_: Step| {
        assert_eq!(nameless(at_once.path()), 0);
        ControlFlow::Continue(())
    };
    export_within(ROOM, &store, &whole, &mut look).unwrap();

    let file = files.path().join("x.export");
    for stops in [true, false] {
        let mut look = |step: Step| {
            // After the last record, the file is gone.
            if step.what != "writing" || step.done >= 1_200 {
                return ControlFlow::Continue(());
            }
            assert_eq!(nameless(files.path()), 1);
            assert_eq!(names(files.path()), ["x.export.part"]);
            match step.done {
                600.. if stops => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        };
        // Each record is a run.
        let ended = export_within(0, &store, &file, &mut look);
        assert_eq!(ended.is_err(), stops);
        assert_eq!(nameless(files.path()), 0);
    }
    assert!(fs::read(&file).unwrap() == fs::read(&whole).unwrap());
}

#[test]
fn an_export_that_is_stopped_before_it_writes_leaves_nothing() {
    let (dir, files) = (folder(), folder());
    let (store, file) = (store_of(dir.path(), 100), files.path().join("x.export"));
    let stopped = export_within(LITTLE, &store, &file, &mut |_| ControlFlow::Break(()));
    assert!(matches!(stopped, Err(StoreError::Stopped)), "{stopped:?}");
    assert_eq!(names(files.path()), [""; 0]);
}

#[test]
fn a_full_disk_ends_the_sorting_and_leaves_nothing_new() {
    let Some(disk) = Disk::mount(1) else {
        return;
    };
    let (dir, files) = (folder(), folder());
    let store = store_of(dir.path(), 700);
    let whole = files.path().join("x.export");
    export(&store, &whole);
    let whole = fs::read(whole).unwrap();
    let [file, part] = ["x.export", "x.export.part"].map(|name| disk.path().join(name));
    let write = || export_within(LITTLE, &store, &file, &mut go_on);
    let fail = || {
        disk.fill();
        let error = write().unwrap_err();
        let StoreError::Sort { dir, .. } = &error else {
            panic!("{error}");
        };
        assert_eq!(dir, disk.path());
        assert!(error.is_disk_full(), "{error:?}");
        let folder = disk.path().to_str().unwrap();
        assert!(error.to_string().contains(folder), "{error}");
    };
    fail();
    assert_eq!(names(disk.path()), ["filler"]);
    disk.clear();

    // An interrupted export stays as it was.
    let begun = &whole[..whole.len() * 2 / 3];
    fs::write(&part, begun).unwrap();
    fail();
    assert!(fs::read(&part).unwrap() == begun);
    disk.clear();

    write().unwrap();
    assert!(fs::read(&file).unwrap() == whole);
    assert_eq!(names(disk.path()), ["x.export"]);
}

#[test]
fn the_export_of_a_store_in_use_leaves_room_on_the_disk_of_the_store() {
    let dir = folder();
    let store = store_of(dir.path(), 300);
    let encodings = game::encodings();
    let mut file = Vec::new();
    // No disk has this much room.
    let mut stream = |room| {
        let export = export_of(&Play::ALL, &encodings, room);
        file.clear();
        let ended = export.stream(&store, u64::MAX, &mut file, &mut go_on);
        (ended, file.len())
    };
    let (ended, written) = stream(LITTLE);
    let error = ended.unwrap_err();
    let StoreError::Sort { dir: of, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!((&**of, written), (dir.path(), 0));
    assert!(error.is_disk_full(), "{error:?}");
    // In memory there is room.
    let (ended, written) = stream(ROOM);
    ended.unwrap();
    assert!(written > 0);
}
