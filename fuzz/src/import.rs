//! Exports of a store's records.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use sproutnet_game as game;
use sproutnet_solver::play::{Knowledge, Play};
use sproutnet_store::transfer::{Export, FORMAT, Import, Imported};
use sproutnet_store::{Rules, Store, StoreError, Worth};
use xxhash_rust::xxh3::Xxh3;

use super::block::sealed;

/// The first bytes of an export, before its format.
const MAGIC: &[u8] = b"sproutnet\r\n\x1a";

/// The type of a part that is a block of records.
const BLOCK: u8 = 3;

/// The time of exports and imports, in seconds since 1970.
const NOW: u64 = 1_790_000_000;

/// The memory for sorting records, in bytes.
const ROOM: usize = 1 << 20;

/// A file is imported or refused. A refused file leaves the store unchanged, unless its records contradict each other.
/// Imported records are sound, and a second import changes nothing. An export of them, imported into another store, has
/// the same content.
///
/// The bytes are taken as a file, and again as its parts: a byte for the type, two for the length, and the body. The
/// parts become frames with valid checksums, and so do the blocks in them.
pub fn import(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    for written in [bytes.to_vec(), framed(bytes)] {
        fs::write(&file, written).expect("room");
        of_file(&file, folder.path());
    }
}

/// A file with the parts in the bytes.
fn framed(mut bytes: &[u8]) -> Vec<u8> {
    let mut file = [MAGIC, &FORMAT.to_le_bytes()].concat();
    let mut hash = Xxh3::new();
    hash.update(&file);
    while let [part, low, high, rest @ ..] = bytes {
        let length = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
        let (body, after) = rest.split_at(length);
        bytes = after;
        let body = match *part {
            BLOCK => sealed(body),
            _ => body.to_vec(),
        };
        let frame = [&[*part], &(body.len() as u32).to_le_bytes()[..], &body].concat();
        hash.update(&frame);
        file.extend(frame);
        file.extend(hash.digest().to_le_bytes());
    }
    file
}

fn of_file(file: &Path, folder: &Path) {
    let (one, other) = (folder.join("one"), folder.join("other"));
    // Most files are refused before a store is needed.
    let store = open(&one);
    let empty = content(&store);
    match take(&store, file) {
        Ok(_) => {}
        Err(StoreError::Contradiction(_)) => return close(store, &one),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            assert_eq!(content(&store), empty, "{error}");
            return close(store, &one);
        }
    }
    let taken = content(&store);
    let again = take(&store, file).expect("it was taken in before");
    assert_eq!((again.new, again.new_results), (0, 0));
    assert_eq!(content(&store), taken);

    let exported = folder.join("exported");
    let rules = Rules {
        encodings: &game::encodings(),
        records: &Knowledge::default(),
        results: &sproutnet_query::merge_result,
    };
    let export = Export {
        plays: &Play::ALL,
        least: Worth::LEAST,
        rules,
        now: NOW,
        room: ROOM,
    };
    let written = export.write(&store, &exported, &mut |_| ControlFlow::Continue(()));
    assert_eq!(
        written.expect("a store").header.counts.records,
        store.len() as u64
    );
    let there = open(&other);
    take(&there, &exported).expect("what was exported can be taken in");
    assert_eq!(content(&there), taken);
    close(there, &other);
    drop(store);
    let checked = rules.check(&one, &mut |_| ControlFlow::Continue(()));
    let checked = checked.expect("a store");
    assert_eq!(checked.faults, []);
    fs::remove_dir_all(&one).expect("it is there");
    fs::remove_file(exported).expect("it is there");
}

fn open(folder: &Path) -> Store {
    Store::open(folder, &game::encodings()).expect("a store")
}

fn close(store: Store, folder: &Path) {
    drop(store);
    fs::remove_dir_all(folder).expect("it is there");
}

fn take(store: &Store, file: &Path) -> Result<Imported, StoreError> {
    let import = Import {
        store,
        rules: Rules {
            encodings: &game::encodings(),
            records: &Knowledge::default(),
            results: &sproutnet_query::merge_result,
        },
        now: NOW,
    };
    import.file(file, &mut |_| ControlFlow::Continue(()))
}

/// Records by their keys, and results by their names.
type Content = (Vec<(Box<[u8]>, u64)>, Vec<(String, Vec<u8>)>);

/// The content of a store, without the sources of records.
fn content(store: &Store) -> Content {
    let records = store.iter().map(|record| {
        let record = record.expect("a sound store").record;
        (record.key, record.value)
    });
    let mut records: Vec<_> = records.collect();
    records.sort_unstable();
    let results = store.scan_documents("result/");
    (
        records,
        results
            .map(|result| result.expect("a sound store"))
            .collect(),
    )
}
