use super::*;

#[test]
fn a_disk_holds_its_size_without_the_reserve() {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |reserve| Disk::of(folder.path(), Some(reserve)).capacity();
    let all = of(0).expect("a disk");
    assert_eq!(of(1 << 20), Some(all - (1 << 20)));
    assert!(all >= Disk::of(folder.path(), None).space().expect("a disk").free);
}

#[test]
fn a_disk_is_full_below_its_reserve() {
    let folder = std::env::temp_dir();
    let DiskSpace { free, reserve } = Disk::of(&folder, None).space().expect("a disk");
    assert!(
        free > 0 && (1..=RESERVE).contains(&reserve),
        "{free} {reserve}"
    );
    let full = Disk::of(&folder, Some(u64::MAX));
    assert!(!full.is_full());
    let error = full.check().expect_err("nothing is as large").to_string();
    assert!(error.starts_with("disk full: "), "{error}");
    assert!(full.is_full());
    assert!(Disk::of(&folder, Some(0)).check().is_ok());
}

#[test]
fn a_disk_that_was_full_takes_some_more_room_to_have_room_again() {
    let folder = std::env::temp_dir();
    let free = Disk::of(&folder, None).space().expect("a disk").free;
    let disk = Disk::of(&folder, Some(free - free / 16));
    assert!(disk.check().is_ok());
    disk.is_full.store(true, Ordering::Relaxed);
    assert!(disk.check().is_err());
}

#[test]
fn a_folder_that_is_gone_has_room() {
    assert!(
        Disk::of(Path::new("/no/such/folder"), Some(1))
            .check()
            .is_ok()
    );
}
