use super::*;

use std::sync::Arc;

use sproutnet_game as game;
use sproutnet_solver::play::merge;
use sproutnet_store::{OWN, Sourced, Worth};

fn land(number: u32) -> Vec<u8> {
    [&[b's', b'n'][..], &number.to_be_bytes()].concat()
}

#[test]
fn a_filter_knows_what_is_in_it_and_little_else() {
    let filter = LandFilter::new(1 << 16);
    let hash = |number: u32| Lands::hash_of(&number.to_be_bytes());
    let many = (filter.0.len() * 4) as u32;
    (0..many).for_each(|number| filter.insert(hash(number)));
    assert!((0..many).all(|number| filter.may_have(hash(number))));
    let wrong = (many..2 * many).filter(|&number| filter.may_have(hash(number)));
    let wrong = wrong.count() as f64 / f64::from(many);
    assert!(wrong < 0.02, "{wrong}");
}

#[test]
fn all_that_is_in_the_store_is_noted() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), &game::encodings()).expect("a store");
    let keys: Vec<Vec<u8>> = (0..10_000).map(land).collect();
    let records = keys.iter().map(|key| Sourced {
        key,
        value: 1,
        worth: Worth::LEAST,
        source: OWN,
    });
    let records: Vec<_> = records.collect();
    let rule = |key: &[u8], known, new| merge(key, known, new).ok();
    store.merge(&records, rule).expect("stored");
    let archive = Arc::new(OwnArchive::new(store, 0, 1 << 16));
    let knows = |number: u32| archive.may_know(Lands::hash_of(&number.to_be_bytes()));
    assert!(!knows(7));
    OwnArchive::note_all(&Arc::downgrade(&archive));
    assert!((0..10_000).all(knows));
    assert_eq!(archive.value(&land(7)), Some(1));
}
