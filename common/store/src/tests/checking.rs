//! Checking finds faults, and repairing restores the records of an export.

use super::{folder, refusals::damage};
use crate::index::tests::forge_run;
use crate::{
    Checkup, DamagedPart, Repaired, Rules, Sourced, Step, Store, StoreError, Unusable, Worth,
    block, transfer::Export,
};
use sproutnet_game::{self as game, Game, Kayles};
use sproutnet_solver::play::{Knowledge, Play, Record};
use std::{
    collections::BTreeMap,
    fs,
    ops::{ControlFlow, Range},
    path::Path,
};

pub(super) const NOW: u64 = 1_795_000_000;

pub(super) fn go_on(_: Step) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

pub(super) fn with_rules<T>(act: impl FnOnce(Rules<'_>) -> T) -> T {
    act(Rules {
        encodings: &game::encodings(),
        records: &Knowledge::default(),
        results: &sproutnet_query::merge_result,
    })
}

fn check(dir: &Path) -> Checkup {
    let checked = with_rules(|rules| rules.check(dir, &mut go_on));
    checked.unwrap()
}

fn repair(dir: &Path, export: &Path) -> Result<Option<Repaired>, StoreError> {
    with_rules(|rules| rules.repair(dir, export, NOW, &mut go_on))
}

fn faulty(checkup: &Checkup) -> Vec<&DamagedPart> {
    checkup.faults.iter().map(|fault| &fault.of).collect()
}

pub(super) fn key(number: u32) -> Box<[u8]> {
    let land = Kayles.parse(&(200 + number).to_string()).unwrap();
    Record::new(Kayles.code(), Play::Normal, land.lands()[0].as_bytes(), 0).key
}

pub(super) fn open(dir: &Path) -> Store {
    Store::open(dir, &game::encodings()).unwrap()
}

/// Merges records of these numbers.
pub(super) fn fill(store: &Store, numbers: Range<u32>) {
    let keys: Vec<_> = numbers.map(key).collect();
    let records: Vec<_> = keys
        .iter()
        .map(|key| Sourced {
            worth: Worth::LEAST,
            key,
            value: 7,
            source: 0,
        })
        .collect();
    store.merge(&records, |_, _, _| None).unwrap();
}

/// Makes a store of 2,000 records in full blocks, and a last one; and an export of it.
fn made(dir: &Path) -> BTreeMap<Box<[u8]>, u64> {
    let store = open(&dir.join("store"));
    fill(&store, 0..2_000);
    let exported = with_rules(|rules| {
        let export = Export {
            plays: &Play::ALL,
            least: Worth::LEAST,
            rules,
            now: NOW,
            room: 1 << 30,
        };
        export.write(&store, &dir.join("export"), &mut go_on)
    });
    exported.unwrap();
    values(&store)
}

pub(super) fn values(store: &Store) -> BTreeMap<Box<[u8]>, u64> {
    let records = store.iter().map(|stored| stored.unwrap().record);
    records.map(|record| (record.key, record.value)).collect()
}

/// The bytes of a block.
pub(super) fn block_of(dir: &Path, number: u64) -> Vec<u8> {
    let store = open(dir);
    let mut blocks = store.blocks_after(number - 1);
    let (found, bytes) = blocks.next().unwrap().unwrap();
    assert_eq!(found, number);
    bytes
}

pub(super) fn put(dir: &Path, number: u64, bytes: &[u8]) {
    damage(dir, "blocks", &number.to_be_bytes(), bytes);
}

#[test]
fn a_sound_store_has_no_fault() {
    let dir = folder();
    made(dir.path());
    let checkup = check(&dir.path().join("store"));
    assert_eq!(
        (checkup.blocks, checkup.records, checkup.count),
        (8, 2_000, 0),
        "{checkup:?}"
    );
    assert_eq!(
        repair(&dir.path().join("store"), &dir.path().join("export")).unwrap(),
        None
    );
}

#[test]
fn a_changed_byte_in_a_block_is_found_and_repaired() {
    for position in [0, 9, 500, usize::MAX] {
        let dir = folder();
        let content = made(dir.path());
        let (store, export) = (dir.path().join("store"), dir.path().join("export"));
        let id = open(&store).id();
        let mut bytes = block_of(&store, 3);
        let last = bytes.len() - 1;
        bytes[position.min(last)] ^= 0x10;
        put(&store, 3, &bytes);

        let checkup = check(&store);
        assert_eq!(faulty(&checkup), [&DamagedPart::Block(3)], "{checkup:?}");
        assert!(Store::open(&store, &game::encodings()).is_err());
        let repaired = repair(&store, &export).unwrap().unwrap();
        let Repaired {
            lost,
            restored,
            missing,
            ..
        } = repaired;
        assert_eq!((lost, restored, missing), (Some(256), 256, Some(0)));
        let [file] = &repaired.quarantined[..] else {
            panic!("{:?}", repaired.quarantined)
        };
        assert_eq!(fs::read(file).unwrap(), bytes);
        assert_eq!(check(&store).count, 0);
        let store = open(&store);
        assert_eq!(values(&store), content);
        // A reader that remembers a cursor has to start again.
        assert_ne!(store.id(), id);
    }
}

#[test]
fn what_the_export_does_not_have_is_counted() {
    let dir = folder();
    made(dir.path());
    let (store, export) = (dir.path().join("store"), dir.path().join("export"));
    fill(&open(&store), 5_000..5_600);
    let last = open(&store).cursor();
    put(&store, last, b"nothing");
    put(&store, 1, b"nothing");
    let checkup = check(&store);
    assert_eq!(
        faulty(&checkup),
        [&DamagedPart::Block(1), &DamagedPart::Block(last)]
    );
    let repaired = repair(&store, &export).unwrap().unwrap();
    let (lost, missing) = (repaired.lost.unwrap(), repaired.missing.unwrap());
    assert_eq!(lost, repaired.restored + missing, "{repaired:?}");
    assert!(missing > 0 && repaired.restored >= 256, "{repaired:?}");
    assert_eq!(check(&store).count, 0);
}

#[test]
fn records_that_cannot_be_are_found() {
    let dir = folder();
    made(dir.path());
    let store = dir.path().join("store");
    let record = Sourced {
        worth: Worth::LEAST,
        key: b"!nonsense",
        value: 1,
        source: 0,
    };
    put(&store, 3, &block::encode([record]).unwrap());
    let checkup = check(&store);
    assert_eq!(faulty(&checkup), [&DamagedPart::Block(3)]);
    assert!(
        checkup.faults[0].problem.contains("no known game"),
        "{checkup:?}"
    );
}

#[test]
fn an_index_that_lies_is_found() {
    let dir = folder();
    {
        let store = open(dir.path());
        for first in (0..2_400).step_by(240) {
            fill(&store, first..first + 240);
        }
        store.inner.keeper.finish();
    }
    assert_eq!(check(dir.path()).count, 0);
    forge_run(dir.path());
    let checkup = check(dir.path());
    assert_eq!(faulty(&checkup), [&DamagedPart::Store], "{checkup:?}");
    let problem = &checkup.faults[0].problem;
    assert!(problem.contains("remove the folder `index`"), "{problem}");
    fs::remove_dir_all(dir.path().join("index")).unwrap();
    assert_eq!(check(dir.path()).count, 0);
}

#[test]
fn blocks_that_disagree_and_strange_sources_are_found() {
    let dir = folder();
    made(dir.path());
    let store = dir.path().join("store");
    let last = open(&store).cursor() + 1;
    let key = key(10);
    let record = Sourced {
        worth: Worth::LEAST,
        key: &key,
        value: 9,
        source: 4,
    };
    put(&store, last, &block::encode([record]).unwrap());
    let faults: Vec<_> = check(&store)
        .faults
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(faults[0].contains("source 4"), "{faults:?}");
    let disagree = format!("kayles:210 normal has value 7 there, and 9 in block {last}");
    assert!(faults[1].contains(&disagree), "{faults:?}");
}

#[test]
fn an_end_that_is_gone_is_found_and_repaired() {
    let dir = folder();
    let content = made(dir.path());
    let (store, export) = (dir.path().join("store"), dir.path().join("export"));
    {
        let db = crate::database::open(&store).unwrap();
        let blocks = db.open_tree("blocks").unwrap();
        blocks.remove(8u64.to_be_bytes()).unwrap();
        db.flush().unwrap();
    }
    let checkup = check(&store);
    assert_eq!(faulty(&checkup), [&DamagedPart::Store], "{checkup:?}");
    let repaired = repair(&store, &export).unwrap().unwrap();
    assert_eq!((repaired.lost, repaired.missing), (Some(208), Some(0)));
    assert_eq!(values(&open(&store)), content);
}

#[test]
fn a_malformed_result_is_found_and_quarantined() {
    let dir = folder();
    made(dir.path());
    let (store, export) = (dir.path().join("store"), dir.path().join("export"));
    damage(&store, "documents", b"result/sprouts/normal/0*8", b"win");
    let checkup = check(&store);
    let name = "result/sprouts/normal/0*8".to_owned();
    assert_eq!(faulty(&checkup), [&DamagedPart::Document(name)]);
    let repaired = repair(&store, &export).unwrap().unwrap();
    assert_eq!(repaired.quarantined.len(), 1);
    assert_eq!(check(&store).count, 0);
}

#[test]
fn nothing_is_touched_without_a_sound_export() {
    let dir = folder();
    made(dir.path());
    let (store, export) = (dir.path().join("store"), dir.path().join("export"));
    put(&store, 3, b"nothing");
    let bytes = fs::read(&export).unwrap();
    fs::write(&export, &bytes[..bytes.len() / 2]).unwrap();
    let error = repair(&store, &export).unwrap_err();
    let StoreError::Unusable { reason, .. } = error else {
        panic!("{error}")
    };
    assert!(matches!(reason, Unusable::Truncated(_)), "{reason}");
    assert!(!store.join("set-aside").exists());
    assert_eq!(faulty(&check(&store)), [&DamagedPart::Block(3)]);
}

#[test]
fn a_killed_repair_is_reported_and_resumes() {
    let dir = folder();
    let content = made(dir.path());
    let (store, export) = (dir.path().join("store"), dir.path().join("export"));
    put(&store, 3, b"nothing");
    let stopped = with_rules(|rules| {
        rules.repair(&store, &export, NOW, &mut |step: Step| match step.what {
            "importing" => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    });
    assert!(matches!(stopped, Err(StoreError::Stopped)), "{stopped:?}");
    let checkup = check(&store);
    assert!(
        checkup.faults[0].problem.contains("repair was begun"),
        "{checkup:?}"
    );
    let repaired = repair(&store, &export).unwrap().unwrap();
    assert_eq!((repaired.lost, repaired.missing), (Some(256), Some(0)));
    assert_eq!(values(&open(&store)), content);
    assert_eq!(check(&store).count, 0);
}

/// Damage of the database's own file is reported, unless all records are intact.
#[test]
fn a_damaged_database_is_reported() {
    let dir = folder();
    let content = made(dir.path());
    let store = dir.path().join("store");
    drop(open(&store));
    let sound = fs::read(store.join("db")).unwrap();
    let mut reported = 0;
    for part in 0..32 {
        let mut damaged = sound.clone();
        damaged[sound.len() * part / 32 + 99] ^= 0x55;
        let dir = folder();
        for file in ["conf", "acknowledged"] {
            fs::copy(store.join(file), dir.path().join(file)).unwrap();
        }
        fs::write(dir.path().join("db"), &damaged).unwrap();
        match with_rules(|rules| rules.check(dir.path(), &mut go_on)) {
            Ok(checkup) if checkup.count == 0 => {
                assert_eq!(values(&open(dir.path())), content);
            }
            Ok(_) => reported += 1,
            Err(error) => {
                let is_known = matches!(
                    error,
                    StoreError::Unreadable { .. } | StoreError::Corrupt(_)
                );
                assert!(is_known, "{error:?}");
                assert!(
                    error.to_string().contains("sproutnet store salvage"),
                    "{error}"
                );
                reported += 1;
            }
        }
    }
    assert!(reported > 0);
}

#[test]
fn a_missing_or_damaged_high_water_mark_is_a_fault() {
    let dir = folder();
    let [store, export] = ["store", "export"].map(|name| dir.path().join(name));
    drop(open(&store));
    assert_eq!(check(&store).count, 0, "a new store has a mark");
    made(dir.path());
    let mark = store.join("acknowledged");
    let sound = fs::read(&mark).unwrap();
    let damages: [&dyn Fn(); 3] = [
        &|| fs::remove_file(&mark).unwrap(),
        &|| fs::write(&mark, b"").unwrap(),
        &|| fs::write(&mark, [7; 24]).unwrap(),
    ];
    for damage in damages {
        damage();
        let checkup = check(&store);
        assert_eq!(faulty(&checkup), [&DamagedPart::Store]);
        assert!(checkup.faults[0].problem.contains("`acknowledged`"));
        assert_eq!(check(&store), checkup, "a check changes nothing");
        repair(&store, &export).unwrap().unwrap();
        assert_eq!(check(&store).count, 0);
        assert_eq!(fs::read(&mark).unwrap(), sound);
    }
}
