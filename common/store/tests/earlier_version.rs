//! A store and an export written by an earlier version of the program still work.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;

use sproutnet_game as game;
use sproutnet_model::Solved;
use sproutnet_query::merge_result;
use sproutnet_solver::play::{Knowledge, RecordRules};
use sproutnet_store::transfer::{Export, Import, Previous};
use sproutnet_store::{
    KeptContradiction, OWN, Rules, SourceOfRecords, Sourced, Step, Store, Worth,
};
use sproutnet_testkit::earlier_version;
use xxhash_rust::xxh3::xxh3_64;

const RECORDS: usize = 105;
const RESULTS: usize = 16;
const STORE_ID: u64 = 0xdd90_6b4a_1b5e_1f0a;
const NOW: u64 = 1_800_000_000;

fn go_on(_: Step) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn earlier_store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    earlier_version::unpack(dir.path());
    let store = Store::open(dir.path(), &game::encodings()).unwrap();
    (dir, store)
}

/// Values by key, as text.
fn described(store: &Store) -> BTreeMap<String, String> {
    let rules = Knowledge::default();
    let records = store.iter().map(|stored| {
        let stored = stored.unwrap();
        assert_eq!(stored.source, OWN);
        let (key, value) = (&stored.record.key, stored.record.value);
        (rules.describe_key(key), rules.describe_value(key, value))
    });
    records.collect()
}

/// Results without the numbers of computations, which an import drops.
fn results(store: &Store) -> Vec<(String, Solved)> {
    let results = store.scan_documents("result/").map(|document| {
        let (name, bytes) = document.unwrap();
        let solved: Solved = serde_json::from_slice(&bytes).unwrap();
        let computation = None;
        (
            name,
            Solved {
                computation,
                ..solved
            },
        )
    });
    results.collect()
}

#[test]
fn the_store_opens_with_all_records_and_results() {
    let (_dir, store) = earlier_store();
    assert_eq!((store.id(), store.cursor()), (STORE_ID, 9));
    assert_eq!(store.created_at().unwrap(), Some(1_795_400_156));
    assert_eq!(store.epoch().0, 0);
    let records = described(&store);
    assert_eq!((store.len(), records.len()), (RECORDS, RECORDS));
    assert_eq!(results(&store).len(), RESULTS);
    let solved = store.get_document("result/sprouts/misere/0*7").unwrap();
    let solved = String::from_utf8(solved.unwrap()).unwrap();
    assert!(solved.contains(r#""outcome":"loss""#), "{solved}");
    let census = store.census(&Knowledge::default(), &mut go_on).unwrap();
    let kinds = census.kinds.iter().map(|(kind, tally)| {
        (
            kind.play.name(),
            tally.records,
            tally.exact,
            tally.lost,
            tally.won,
        )
    });
    assert_eq!(
        kinds.collect::<Vec<_>>(),
        [("normal", 90, 51, 31, 56), ("misere", 15, 0, 13, 2)]
    );
    for (key, value) in [("0*7 normal", "nimber 0"), ("0*7 misere", "loss")] {
        assert_eq!(
            records.get(key).map(String::as_str),
            Some(value),
            "{records:?}"
        );
    }
}

#[test]
fn the_store_is_sound_and_takes_more_records() {
    let dir = tempfile::tempdir().unwrap();
    earlier_version::unpack(dir.path());
    let rules = Rules {
        encodings: &game::encodings(),
        records: &Knowledge::default(),
        results: &merge_result,
    };
    let checkup = rules.check(dir.path(), &mut go_on).unwrap();
    assert_eq!(
        (checkup.count, checkup.records),
        (0, RECORDS as u64),
        "{checkup:?}"
    );
    let store = Store::open(dir.path(), &game::encodings()).unwrap();
    let mut more = store.iter().next().unwrap().unwrap();
    more.record.key = [&more.record.key[..], b"!"].concat().into();
    let merged = store
        .merge(&[more.borrow()], |_, _, new| Some(new))
        .unwrap();
    assert_eq!((merged.new, store.len()), (1, RECORDS + 1));
    drop(store);
    let store = Store::open(dir.path(), &game::encodings()).unwrap();
    assert_eq!((store.id(), store.len()), (STORE_ID, RECORDS + 1));
}

#[test]
fn the_export_is_imported_and_equals_the_store() {
    let (_earlier_dir, earlier) = earlier_store();
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(&dir.path().join("store"), &game::encodings()).unwrap();
    let rules = Rules {
        encodings: &game::encodings(),
        records: &Knowledge::default(),
        results: &merge_result,
    };
    let import = Import {
        store: &store,
        rules,
        now: NOW,
    };
    let file = earlier_version::folder().join("store.export");
    let imported = import.file(&file, &mut go_on).unwrap();
    assert_eq!(imported.store, STORE_ID);
    assert_eq!(
        (imported.records, imported.new),
        (RECORDS as u64, RECORDS as u64)
    );
    assert_eq!(
        (imported.results, imported.new_results),
        (RESULTS as u64, RESULTS as u64)
    );
    assert_eq!(results(&store), results(&earlier));
    let values = |store: &Store| -> BTreeMap<Box<[u8]>, u64> {
        let records = store.iter().map(|stored| stored.unwrap().record);
        records.map(|record| (record.key, record.value)).collect()
    };
    assert_eq!(values(&store), values(&earlier));

    // All content of this program's export of the earlier store is new here, too.
    let again = dir.path().join("again.export");
    let export = Export {
        plays: &sproutnet_notation::Play::ALL,
        least: Worth::LEAST,
        rules,
        now: 1_795_400_157,
        room: 1 << 20,
    };
    let exported = export.write(&earlier, &again, &mut go_on).unwrap();
    assert_eq!(exported.previous, Previous::None);
    let other = Store::open(&dir.path().join("other"), &game::encodings()).unwrap();
    let import = Import {
        store: &other,
        rules,
        now: NOW,
    };
    let imported = import.file(&again, &mut go_on).unwrap();
    assert_eq!(
        (imported.new, imported.new_results),
        (RECORDS as u64, RESULTS as u64)
    );
    assert_eq!(
        (results(&other), values(&other)),
        (results(&earlier), values(&earlier))
    );
}

#[test]
fn the_high_water_mark_keeps_its_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), &game::encodings()).unwrap();
    let keys: [&[u8]; 3] = [b"a", b"b", b"c"];
    for key in keys {
        let record = Sourced {
            worth: Worth::LEAST,
            key,
            value: 1,
            source: OWN,
        };
        store.merge(&[record], |_, _, _| None).unwrap();
    }
    let numbers = [3u64, 3].map(u64::to_be_bytes);
    let checksum = xxh3_64(numbers.as_flattened()).to_be_bytes();
    let expected = [numbers.as_flattened(), &checksum].concat();
    assert_eq!(fs::read(dir.path().join("acknowledged")).unwrap(), expected);
}

#[test]
fn documents_of_contradictions_keep_their_form() {
    let text = r#"{"key":"536d61","known":5,"known_from":"desk","new":7,"new_from":"lap","met_at":1795000000}"#;
    let kept: KeptContradiction = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_string(&kept).unwrap(), text);
    assert_eq!(kept.name(), "contradiction/536d61/5/7");
}

#[test]
fn documents_of_sources_keep_their_form() {
    let text = r#"{"identity":7,"name":"desk","peer":"desk:1","since":3,"aside":{"why":"a false record","at":1795000000}}"#;
    let source: SourceOfRecords = serde_json::from_str(text).unwrap();
    let quarantine = source.quarantine.as_ref().unwrap();
    assert_eq!(
        (&*quarantine.why, quarantine.at),
        ("a false record", 1_795_000_000)
    );
    assert_eq!(serde_json::to_string(&source).unwrap(), text);
}
