use super::*;
use sproutnet_testkit::log::Log;

#[test]
fn a_taken_over_backup_is_logged_with_its_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut backup = Backup::open(folder.path(), &game::encodings()).expect("a backup");
    backup.complete(1_795_000_000).expect("it is written");
    drop(backup);
    let log = Log::default();
    let _listening = log.listen();
    Ledger::open(folder.path(), Some(0), true).expect("a ledger");
    let text = log.take();
    let line = text.lines().find(|line| line.contains("was a backup"));
    let line = line.unwrap_or_else(|| panic!("no such line: {text}"));
    assert!(line.contains(" at=2026-11-18T11:06:40Z"), "{line}");
}

#[test]
fn a_budget_beyond_the_disk_is_warned_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let ledger = Ledger::open(folder.path(), None, true).expect("a ledger");
    let log = Log::default();
    let _listening = log.listen();
    let capacity = ledger.disk.capacity().expect("it is known");
    ledger.check_budget(capacity);
    assert_eq!(log.take(), "");
    ledger.check_budget(capacity.saturating_mul(2));
    let text = log.take();
    assert!(text.contains("more than the disk can hold"), "{text}");
}

#[test]
fn a_source_for_which_there_was_no_room_is_saved_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ledger = Ledger::open(folder.path(), Some(0), true).expect("a ledger");
    ledger.disk = Disk::of(folder.path(), Some(u64::MAX));
    for _ in 0..2 {
        let refused = ledger.source(7, "worker", "peer");
        let is_full = matches!(refused, Err(CoordinatorError::DiskFull(_)));
        assert!(is_full, "{refused:?}");
    }
    ledger.disk = Disk::of(folder.path(), Some(0));
    let number = ledger.source(7, "worker", "peer").expect("there is room");
    drop(ledger);
    let again = Ledger::open(folder.path(), Some(0), true).expect("a ledger");
    assert_eq!(again.sources.lock().known(7), Some(number.0));
    let known = again.source(7, "worker", "peer").expect("it is known");
    assert_eq!(known, number);
}

#[test]
fn a_contradiction_met_on_a_full_disk_is_kept_later() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut ledger = Ledger::open(folder.path(), Some(0), true).expect("a ledger");
    ledger.disk = Disk::of(folder.path(), Some(u64::MAX));
    let conflict = Conflict {
        key: vec![7].into(),
        known: 1,
        known_source: 0,
        new: 3,
        new_source: 0,
        position: 0,
    };
    let described = ledger.keep_contradiction(&conflict).expect("it waits");
    assert!(described.contains("`[07] = 1`"), "{described}");
    let refused = ledger.commit_what_was_left();
    assert!(refused.is_ok(), "nobody waits for it: {refused:?}");
    let kept = || ledger.values::<KeptContradiction>("contradiction/");
    assert_eq!(kept().expect("documents"), []);
    ledger.disk = Disk::of(folder.path(), Some(0));
    ledger.commit_what_was_left().expect("there is space");
    let kept = ledger.values::<KeptContradiction>("contradiction/");
    let kept = kept.expect("documents");
    assert_eq!(kept.len(), 1);
    assert_eq!((kept[0].known, kept[0].new), (1, 3));
}
