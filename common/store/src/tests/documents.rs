//! Documents beside records.

use super::{append, folder, merge_with, open, record, value};

#[test]
fn documents_are_kept_by_name() {
    let dir = folder();
    let store = open(dir.path());
    for name in ["result/2", "result/10", "results", "other"] {
        store.put_document(name, name.as_bytes()).unwrap();
    }
    let id = store.id();
    drop(store);
    let store = open(dir.path());
    assert_eq!(store.id(), id);
    let found: Result<Vec<_>, _> = store.scan_documents("result/").collect();
    let expected = ["result/10", "result/2"].map(|name| (name.to_owned(), name.into()));
    assert_eq!(found.unwrap(), expected);
    assert!(store.remove_document("other").unwrap());
    assert!(!store.remove_document("other").unwrap());
    assert_eq!(store.get_document("other").unwrap(), None);
    assert_eq!(store.get_document("results").unwrap().unwrap(), b"results");
}

#[test]
fn changes_of_documents_come_together() {
    let dir = folder();
    let store = open(dir.path());
    let changes = [("a", Some(&b"1"[..])), ("b", Some(b"2")), ("c", Some(b"3"))];
    store.change_documents(&changes).unwrap();
    let changes = [("a", None), ("b", Some(&b"4"[..])), ("b", Some(b"5"))];
    store.change_documents(&changes).unwrap();
    store.change_documents(&[]).unwrap();
    drop(store);
    let documents: Result<Vec<_>, _> = open(dir.path()).scan_documents("").collect();
    let expected = [("b", b"5"), ("c", b"3")].map(|(name, bytes)| (name.into(), bytes.into()));
    assert_eq!(documents.unwrap(), expected);
}

#[test]
fn documents_come_with_records_new_or_not() {
    let dir = folder();
    let store = open(dir.path());
    for text in ["first", "again"] {
        let change = [("progress", Some(text.as_bytes()))];
        merge_with(&store, &[record(1, 5)], &change).unwrap();
        assert_eq!(value(&store, 1), Some(5));
        assert_eq!(
            store.get_document("progress").unwrap().unwrap(),
            text.as_bytes()
        );
    }
    assert_eq!(store.cursor(), 1);
    append(&store, &[record(1, 6)]);
    assert_eq!(store.get_document("progress").unwrap().unwrap(), b"again");
}

/// A document that fills several of sled's segments is kept like any other.
#[test]
fn large_documents_are_kept() {
    let dir = folder();
    let store = open(dir.path());
    let large: Vec<u8> = (0..2_000_000u32).map(|i| (i % 251) as u8).collect();
    let changes = [("large", Some(&large[..])), ("small", Some(b"1"))];
    merge_with(&store, &[record(1, 5)], &changes).unwrap();
    store.put_document("small", b"2").unwrap();
    drop(store);
    let store = open(dir.path());
    assert_eq!(store.get_document("large").unwrap().unwrap(), large);
    assert_eq!(store.get_document("small").unwrap().unwrap(), b"2");
}
