//! Tests of transfers between stores.

mod backup;
mod conflicts;
mod damage;
mod mirror;
mod resuming;
mod round_trip;
mod sorting;
mod streaming;

use super::{Export, Exported, Import, Imported};
use crate::{
    Mark, Rules, SourceOfRecords, Sourced, Sources, Step, Store, StoreError, Unusable, Worth,
    sources,
};
use proptest::{collection, prelude::*};
use sproutnet_game::{self as game, Game, Kayles};
use sproutnet_model::Solved;
use sproutnet_solver::play::{Knowledge, Outcome, Play, Record, RecordRules, Rules as _};
use std::{collections::BTreeMap, ops::ControlFlow, path::Path, sync::LazyLock};

/// Memory in which an export sorts all records, in bytes.
const ROOM: usize = 1 << 30;

const NOW: u64 = 1_795_000_000;

fn go_on(_: Step) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn open(dir: &Path) -> Store {
    Store::open(dir, &game::encodings()).unwrap()
}

/// The state of the store up to a block.
fn mark(store: &Store, number: u64) -> Mark {
    store.mark(number).unwrap()
}

fn rules() -> Knowledge {
    Knowledge::default()
}

/// A key about a row of pins, of normal and misère play in turn.
fn key(rules: &Knowledge, number: u32) -> Box<[u8]> {
    let position = Kayles.parse(&(200 + number).to_string()).unwrap();
    let (play, subject) = match number % 2 {
        0 => (Play::Normal, position.lands()[0].as_bytes().to_vec()),
        _ => {
            let misere = &*rules.game("kayles").unwrap().misere;
            (
                Play::Misere,
                misere.state(&position).encode(misere).unwrap(),
            )
        }
    };
    Record::new(Kayles.code(), play, &subject, 0).key
}

/// One of the values that do not contradict each other.
fn value(number: u32, roll: u64) -> u64 {
    let nimber = u64::from(number) / 2 % 5;
    let others = roll >> 1 & 0xff & !(1 << nimber);
    match (number % 2, roll & 1) {
        (0, 0) if others != 0 => 2 * others,
        (0, _) => 2 * nimber + 1,
        _ => nimber % 2,
    }
}

/// Numbers of keys, what their values are made of, and their sources.
type Rolls = Vec<(u32, u64, u32)>;

fn rolls(most: usize) -> impl Strategy<Value = Rolls> {
    collection::vec((0..700u32, any::<u64>(), 0..4u32), 0..most)
}

/// A store with records of three workers and its own.
fn fill(store: &Store, rules: &Knowledge, rolls: &Rolls) {
    for number in 1..4 {
        let source = SourceOfRecords {
            identity: store.id() ^ u64::from(number),
            name: format!("worker {number}"),
            peer: "desk:1".to_owned(),
            origin: None,
            since: 0,
            quarantine: None,
        };
        let bytes = serde_json::to_vec(&source).unwrap();
        store
            .put_document(&sources::document(number), &bytes)
            .unwrap();
    }
    add(store, rules, rolls, 200);
}

/// Adds records, this many at a time.
fn add(store: &Store, rules: &Knowledge, rolls: &Rolls, at_a_time: usize) {
    for part in rolls.chunks(at_a_time) {
        let records: Vec<_> = part
            .iter()
            .map(|&(number, roll, source)| (key(rules, number), value(number, roll), source))
            .collect();
        let records: Vec<_> = records
            .iter()
            .map(|&(ref key, value, source)| Sourced {
                worth: Worth::LEAST,
                key,
                value,
                source,
            })
            .collect();
        let merged = store.merge(&records, |key, known, new| rules.both(key, known, new));
        assert_eq!(merged.unwrap().conflicts, []);
    }
}

fn result(spots: u32, outcome: Outcome, nimber: Option<u32>) -> Solved {
    Solved {
        game: "sprouts".to_owned(),
        position: format!("0*{spots}"),
        play: Play::Normal,
        outcome,
        nimber,
        seconds: 1.5,
        expansions: 7,
        records: 3,
        solved_at: NOW,
        computation: Some(9),
    }
}

fn put(store: &Store, solved: &Solved) {
    let name = Solved::name(&solved.game, solved.play, &solved.position);
    store
        .put_document(&name, &serde_json::to_vec(solved).unwrap())
        .unwrap();
}

fn export_of<'a>(plays: &'a [Play], encodings: &'a [(&'a str, u32)], room: usize) -> Export<'a> {
    static RULES: LazyLock<Knowledge> = LazyLock::new(Knowledge::default);
    Export {
        plays,
        least: Worth::LEAST,
        rules: Rules {
            encodings,
            records: &*RULES,
            results: &sproutnet_query::merge_result,
        },
        now: NOW,
        room,
    }
}

fn export(store: &Store, path: &Path) -> Exported {
    let export = export_of(&Play::ALL, &game::encodings(), ROOM).write(store, path, &mut go_on);
    export.unwrap()
}

fn import(store: &Store, path: &Path) -> Result<Imported, StoreError> {
    import_watched(store, path, &mut go_on)
}

fn import_watched(
    store: &Store,
    path: &Path,
    watch: crate::Watch<'_>,
) -> Result<Imported, StoreError> {
    let import = Import {
        store,
        rules: Rules {
            encodings: &game::encodings(),
            records: &rules(),
            results: &sproutnet_query::merge_result,
        },
        now: NOW,
    };
    if path.is_dir() {
        import.store(path, watch)
    } else {
        import.file(path, watch)
    }
}

/// Values by key.
type Values = BTreeMap<Box<[u8]>, u64>;

fn values(store: &Store) -> Values {
    let records = store.iter().map(|stored| stored.unwrap().record);
    records.map(|record| (record.key, record.value)).collect()
}

/// The original source of each record, without its way here.
fn provers(store: &Store) -> BTreeMap<Box<[u8]>, String> {
    let sources = Sources::of(store).unwrap();
    let prover = |stored: crate::SourcedRecord| {
        let source = sources.describe(stored.source);
        let name = source.rsplit("imported from store ").next().unwrap();
        let name = name.split_once(": ").map_or(name, |(_, name)| name);
        (stored.record.key, name.to_owned())
    };
    store.iter().map(|stored| prover(stored.unwrap())).collect()
}
