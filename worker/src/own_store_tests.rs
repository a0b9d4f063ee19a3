use super::*;

#[test]
fn each_worker_takes_the_first_free_folder() {
    let above = tempfile::tempdir().expect("a folder");
    let open = || super::open(above.path(), None, None).expect("a store");
    let [zero, one, two] = [open(), open(), open()];
    let number = |own: &OwnStore| own.dir.file_name().map(ToOwned::to_owned);
    assert_eq!(number(&zero), Some("0".into()));
    assert_eq!(number(&two), Some("2".into()));
    let id = one.store.id();
    drop(one);
    let again = open();
    assert_eq!((number(&again), again.store.id()), (Some("1".into()), id));
}

#[test]
fn a_store_that_cannot_be_read_is_an_error_that_names_it() {
    let above = tempfile::tempdir().expect("a folder");
    fs::write(above.path().join("0"), "in the way").expect("written");
    let error = super::open(above.path(), None, None).expect_err("no folder");
    assert!(error.to_string().ends_with("/0"), "{error}");
}
