use super::*;

fn events(log: &AuditLog) -> Vec<(u64, String)> {
    let entries = log.entries().into_iter();
    entries.map(|entry| (entry.id, entry.event)).collect()
}

#[test]
fn the_last_entries_are_kept_over_a_restart() {
    let dir = tempfile::tempdir().expect("a folder");
    let entry = |event: &str| AuditEntry {
        event: event.to_owned(),
        ..AuditEntry::default()
    };
    let ledger = Ledger::open(dir.path(), Some(0), true).expect("a new store");
    let log = AuditLog::restore(&ledger);
    assert_eq!(events(&log), []);
    for event in ["a", "b", "c", "d"] {
        log.add(&ledger, entry(event));
    }
    let expected = [(4, "d"), (3, "c"), (2, "b")].map(|(id, event)| (id, event.to_owned()));
    assert_eq!(events(&log), expected);
    drop(ledger);
    let ledger = Ledger::open(dir.path(), Some(0), true).expect("the store");
    ledger
        .store()
        .put_document(&name(1), b"from a later version")
        .expect("room");
    let restored = AuditLog::restore(&ledger);
    assert_eq!(restored.entries(), log.entries());
    restored.add(&ledger, entry("e"));
    let newest = restored.entries().swap_remove(0);
    assert_eq!((newest.id, &*newest.by), (5, caller::LOCAL));
    assert!(newest.at > 1_700_000_000);
}
