//! Salvage restores the sound part of a damaged store, and nothing else.

use super::{
    checking::{NOW, block_of, fill, go_on, key, open, put, values, with_rules},
    folder,
};
use crate::{
    Quarantine, Rules, SourceOfRecords, Sourced, Store, StoreError, Worth, block,
    transfer::{Import, Salvaged},
};
use sproutnet_game as game;
use sproutnet_model::Solved;
use sproutnet_notation::{Outcome, Play};
use std::{collections::BTreeMap, fs, path::Path};

/// Copies a store whose database is `db`.
fn with_database(store: &Path, db: &[u8], to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(store).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
    fs::write(to.join("db"), db).unwrap();
}

fn salvage(from: &Path, to: &Path) -> Result<Salvaged, StoreError> {
    with_rules(|rules: Rules<'_>| {
        let (store, now) = (&open(to), NOW);
        Import { store, rules, now }.salvage(from, &mut go_on)
    })
}

/// Salvages stores whose database is cut to each of many lengths, and passes the length in percent and the
/// values to `check`.
fn cut(store: &Path, mut check: impl FnMut(usize, BTreeMap<Box<[u8]>, u64>)) {
    let sound = fs::read(store.join("db")).unwrap();
    for percent in (0..=100).step_by(4) {
        let dir = folder();
        let [damaged, new] = ["damaged", "new"].map(|name| dir.path().join(name));
        with_database(store, &sound[..sound.len() * percent / 100], &damaged);
        let before = fs::read(damaged.join("db")).unwrap();
        match salvage(&damaged, &new) {
            Ok(_) | Err(StoreError::Unreadable { .. } | StoreError::Corrupt(_)) => {}
            Err(error) => panic!("{percent} %: {error}"),
        }
        assert!(
            fs::read(damaged.join("db")).unwrap() == before,
            "it was written"
        );
        if let Err(error) = Store::open(&damaged, &game::encodings()) {
            assert!(
                error.to_string().contains("sproutnet store salvage"),
                "{error}"
            );
        }
        check(percent, values(&open(&new)));
    }
}

/// Merges the records of a round, in four blocks.
fn fill_round(store: &Store, round: u32) {
    for part in 0..4 {
        let first = (round * 4 + part) * 300;
        fill(store, first..first + 300);
    }
}

#[test]
fn what_is_good_in_a_cut_database_comes_back() {
    let dir = folder();
    let store = dir.path().join("store");
    for round in 0..8 {
        fill_round(&open(&store), round);
    }
    let content = values(&open(&store));
    let mut counts = Vec::new();
    cut(&store, |percent, found| {
        for (key, value) in &found {
            assert_eq!(content.get(key), Some(value), "{percent} %");
        }
        counts.push((percent, found.len()));
    });

    assert_eq!(counts.last(), Some(&(100, content.len())));
    let half = counts.iter().find(|(percent, _)| *percent == 52).unwrap().1;
    assert!(half > content.len() / 4, "{counts:?}");
}

#[test]
fn records_that_the_target_had_do_not_count_as_salvaged() {
    let dir = folder();
    let [store, into] = ["store", "into"].map(|name| dir.path().join(name));
    for first in (0..4_800).step_by(600) {
        fill(&open(&store), first..first + 600);
    }
    fill(&open(&into), 6_000..9_000);
    let sound = fs::read(store.join("db")).unwrap();
    let cut = |percent| {
        let [damaged, new] = ["damaged", "new"].map(|name| format!("{name}-{percent}"));
        let damaged = dir.path().join(damaged);
        with_database(&store, &sound[..sound.len() * percent / 100], &damaged);
        let salvaged = salvage(&damaged, &dir.path().join(new)).ok()?;
        let is_part = salvaged.good > 0 && Some(salvaged.good) < salvaged.expected;
        is_part.then_some((damaged, salvaged))
    };
    let (damaged, alone) = (1..20).find_map(|part| cut(100 - 5 * part)).unwrap();
    for _ in 0..2 {
        let salvaged = salvage(&damaged, &into).unwrap();
        let figures = |salvaged: &Salvaged| (salvaged.good, salvaged.expected);
        assert_eq!(figures(&salvaged), figures(&alone));
    }
}

#[test]
fn what_was_revoked_does_not_come_back() {
    let dir = folder();
    let store = dir.path().join("store");
    {
        let store = open(&store);
        fill(&store, 0..3_000);
        let cursor = store.cursor();
        fill(&store, 3_000..6_000);
        store.revoke_after(cursor).unwrap();
        fill(&store, 6_000..6_500);
    }
    fill(&open(&store), 6_500..7_000);
    let revoked: Vec<_> = (3_000..6_000).map(key).collect();
    let mut most = 0;
    cut(&store, |percent, found| {
        let back = revoked.iter().filter(|&key| found.contains_key(key));
        assert_eq!(back.count(), 0, "{percent} %");
        most = most.max(found.len());
    });
    assert_eq!(most, values(&open(&store)).len());
}

/// Changes sled's file of parameters, so that the database does not open.
fn shut(store: &Path) {
    let path = store.join("conf");
    let mut parameters = fs::read(&path).unwrap();
    parameters[0] ^= 1;
    fs::write(path, parameters).unwrap();
    assert!(Store::open(store, &game::encodings()).is_err());
}

#[test]
fn without_the_database_whole_blocks_come_back_from_its_log() {
    let dir = folder();
    let store = dir.path().join("store");
    for round in 0..4 {
        let store = open(&store);
        fill_round(&store, round);
        let name = Solved::name("nim", Play::Misere, "1");
        let document = serde_json::to_vec(&solved(1)).unwrap();
        store.put_document(&name, &document).unwrap();
    }
    let content = values(&open(&store));
    let all = results(&open(&store));
    let sound = fs::read(store.join("db")).unwrap();
    let mut counts = Vec::new();
    for percent in (0..=100).step_by(10) {
        let [damaged, new] = ["damaged", "new"].map(|name| format!("{name}-{percent}"));
        let [damaged, new] = [damaged, new].map(|name| dir.path().join(name));
        with_database(&store, &sound[..sound.len() * percent / 100], &damaged);
        shut(&damaged);
        match salvage(&damaged, &new) {
            Ok(salvaged) => {
                let found = values(&open(&new)).len() as u64;
                assert_eq!((salvaged.new, salvaged.good), (found, found));
                // Nothing says how many there were.
                assert_eq!(salvaged.expected.filter(|_| found > 0), None, "{percent} %");
                let again = salvage(&damaged, &new).unwrap();
                assert_eq!((again.new, again.new_results), (0, 0), "{percent} %");
            }
            Err(StoreError::Unreadable { .. }) => {}
            Err(error) => panic!("{percent} %: {error}"),
        }
        let found = values(&open(&new));
        let mut each = found.iter();
        let are_theirs = each.all(|(key, value)| content.get(key) == Some(value));
        assert!(are_theirs, "{percent} %");
        counts.push(found.len());
    }

    assert!(counts.is_sorted(), "{counts:?}");
    assert_eq!(counts.last(), Some(&content.len()));
    assert_eq!(results(&open(&dir.path().join("new-100"))), all);
}

#[test]
fn without_the_database_nothing_revoked_comes_back() {
    let dir = folder();
    let [store, unknown] = ["store", "unknown"].map(|name| dir.path().join(name));
    let revoked: Vec<_> = (3_000..6_000).map(key).collect();
    {
        let store = open(&store);
        fill(&store, 0..3_000);
        let cursor = store.cursor();
        fill(&store, 3_000..6_000);
        store.revoke_after(cursor).unwrap();
        fill(&store, 6_000..6_500);
        let name = Solved::name("nim", Play::Misere, "1");
        let document = serde_json::to_vec(&solved(1)).unwrap();
        store.put_document(&name, &document).unwrap();
    }
    let content = values(&open(&store));
    shut(&store);
    let db = fs::read(store.join("db")).unwrap();
    with_database(&store, &db, &unknown);
    let new = dir.path().join("new");
    let salvaged = salvage(&store, &new).unwrap();
    assert!(salvaged.revoked > 0, "{salvaged:?}");
    assert_eq!((salvaged.expected, salvaged.new_results), (None, 0));
    let found = values(&open(&new));
    assert!(found.len() > content.len() / 2, "{}", found.len());
    assert!(found.values().all(|&value| value == 7));
    assert!(!revoked.iter().any(|key| found.contains_key(key)));

    // If the numbers of revoked blocks are lost, any block may be one of them.
    fs::remove_file(unknown.join("revoked")).unwrap();
    let none = dir.path().join("none");
    let salvaged = salvage(&unknown, &none).unwrap();
    assert_eq!((salvaged.blocks, salvaged.new_results), (0, 0));
    assert!(salvaged.revoked > 0, "{salvaged:?}");
    assert!(open(&none).is_empty());
}

#[test]
fn damaged_and_impossible_blocks_and_quarantined_sources_are_left_out() {
    let dir = folder();
    let [store, new] = ["store", "new"].map(|name| dir.path().join(name));
    let mut content = {
        let store = open(&store);
        fill(&store, 0..2_000);
        let source = SourceOfRecords {
            since: store.cursor(),
            quarantine: Some(Quarantine {
                why: "it lied".to_owned(),
                at: NOW,
            }),
            ..SourceOfRecords::default()
        };
        let document = serde_json::to_vec(&source).unwrap();
        let content = values(&store);
        store.put_document("source/0000000004", &document).unwrap();
        fill(&store, 3_000..3_256);
        content
    };
    let mut bytes = block_of(&store, 3);
    for record in block::decode(&bytes).unwrap() {
        content.remove(&record.record.key);
    }
    bytes[40] ^= 1;
    put(&store, 3, &bytes);
    let record = |key| Sourced {
        worth: Worth::LEAST,
        key,
        value: 1,
        source: 0,
    };
    put(&store, 5, &block::encode([record(b"!nonsense")]).unwrap());
    content.retain(|key, _| values_of_block(&store, 5).iter().all(|other| other != key));
    let salvaged = salvage(&store, &new).unwrap();
    assert_eq!(
        (salvaged.damaged, salvaged.revoked > 0),
        (2, true),
        "{salvaged:?}"
    );
    let found = values(&open(&new));
    assert!(
        found
            .iter()
            .all(|(key, value)| content.get(key) == Some(value))
    );
    assert_eq!(found.len() as u64, salvaged.new);
    assert!(found.len() >= 1_200, "{}", found.len());
    // Once more adds nothing.
    let again = salvage(&store, &new).unwrap();
    assert_eq!((again.new, again.damaged), (0, 2));
    assert_eq!(values(&open(&new)), found);
    let refused = {
        let _open = open(&new);
        salvage(&new, &dir.path().join("third"))
    };
    assert!(
        matches!(refused, Err(StoreError::InUse { .. })),
        "{refused:?}"
    );
}

/// The keys of a block behind the store's back.
fn values_of_block(dir: &Path, number: u64) -> Vec<Box<[u8]>> {
    let db = crate::database::open(dir).unwrap();
    let bytes = db
        .open_tree("blocks")
        .unwrap()
        .get(number.to_be_bytes())
        .unwrap()
        .unwrap();
    let records = block::decode(&bytes).unwrap().into_iter();
    records.map(|record| record.record.key).collect()
}

/// The result of a pile of Nim.
fn solved(pile: u32) -> Solved {
    Solved {
        game: "nim".to_owned(),
        position: pile.to_string(),
        play: Play::Misere,
        outcome: Outcome::Win,
        nimber: None,
        expansions: 1,
        records: 50,
        seconds: 0.5,
        solved_at: NOW,
        computation: None,
    }
}

/// The results of a store.
fn results(store: &Store) -> BTreeMap<String, Vec<u8>> {
    store
        .scan_documents("result/")
        .map(Result::unwrap)
        .collect()
}

#[test]
fn results_come_back_as_they_were_or_not_at_all() {
    let dir = folder();
    let store = dir.path().join("store");
    for round in 0..40 {
        let store = open(&store);
        fill(&store, round * 50..(round + 1) * 50);
        let solved = solved(round + 1);
        let name = Solved::name("nim", Play::Misere, &solved.position);
        let document = serde_json::to_vec(&solved).unwrap();
        store.put_document(&name, &document).unwrap();
    }
    let all = results(&open(&store));
    assert_eq!(all.len(), 40);
    let sound = fs::read(store.join("db")).unwrap();
    let mut most = 0;
    let offsets = (0..sound.len()).step_by(sound.len() / 60);
    for offset in offsets.chain([40, 100, 150]) {
        let dir = folder();
        let [damaged, new] = ["damaged", "new"].map(|name| dir.path().join(name));
        let mut db = sound.clone();
        let end = (offset + 8).min(db.len());
        db[offset..end].fill(0x5a);
        with_database(&store, &db, &damaged);
        let Ok(salvaged) = salvage(&damaged, &new) else {
            continue;
        };
        let back = results(&open(&new));
        let is_theirs = |(name, bytes): (&String, &Vec<u8>)| all.get(name) == Some(bytes);
        assert!(back.iter().all(is_theirs), "offset {offset}");
        assert_eq!(salvaged.new_results, back.len() as u64);
        most = most.max(back.len());
    }
    assert_eq!(most, all.len());
    let new = dir.path().join("new");
    assert_eq!(salvage(&store, &new).unwrap().new_results, 40);
    assert_eq!(results(&open(&new)), all);
}
