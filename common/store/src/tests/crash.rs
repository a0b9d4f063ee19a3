//! What is acknowledged survives SIGKILL: the test runs itself as a child that merges, kills it at
//! a random moment, and looks for everything the child had said was stored.

use crate::{Batch, DocumentChange, Sourced, Store};
use std::{
    collections::{BTreeMap, hash_map::RandomState},
    env,
    hash::{BuildHasher, Hasher},
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

const FOLDER: &str = "STORE_CRASH_TEST_FOLDER";
const ROUNDS: usize = 15;
const SIZES: [u64; 7] = [1, 30, 2, 300, 5, 2_000, 90];
const MASKS: u64 = 5;

fn open(dir: &Path) -> Store {
    Store::open(dir, &[("crash", 1)]).unwrap()
}

/// Values of masks add up; others are equal or contradict each other.
fn rule(key: &[u8], known: u64, new: u64) -> Option<u64> {
    match key.starts_with(b"mask/") {
        true => Some(known | new),
        false => (known == new).then_some(known),
    }
}

fn mask(batch: u64) -> (String, u64) {
    (format!("mask/{}", batch % MASKS), 1 << (batch % 64))
}

/// The records of one batch: some of its own, and a bit more of a mask.
fn records(batch: u64) -> Batch {
    let size = SIZES[batch as usize % SIZES.len()];
    let own = (0..size).map(|index| (format!("{index}/{batch}"), batch * index));
    let mut records = Batch::default();
    for (key, value) in own.chain([mask(batch)]) {
        records.push(Sourced {
            key: key.as_bytes(),
            value,
            source: batch as u32,
        });
    }
    records
}

fn number(store: &Store, document: &str) -> Option<u64> {
    let bytes = store.get_document(document).unwrap()?;
    Some(String::from_utf8(bytes).unwrap().parse().unwrap())
}

/// Merges batch after batch with documents that tell how far it came, and changes two documents
/// together all the while.
fn merge_for_ever(dir: &Path) {
    let store = open(dir);
    let first = number(&store, "latest").map_or(0, |batch| batch + 1);
    let pairs = store.clone();
    thread::spawn(move || {
        for count in 0u64.. {
            let text = count.to_string();
            let change = ["left", "right"].map(|name| (name, Some(text.as_bytes())));
            pairs.change_documents(&change).unwrap();
        }
    });
    for batch in first.. {
        let [name, before] = [batch, batch.wrapping_sub(1)].map(|batch| format!("batch/{batch}"));
        let text = batch.to_string();
        let documents: [DocumentChange<'_>; 3] = [
            ("latest", Some(text.as_bytes())),
            (&name, Some(&[7; 3_000])),
            (&before, None),
        ];
        let batch = records(batch);
        let merged = store.merge_with(&batch.records(), rule, &documents);
        assert_eq!(merged.unwrap().conflicts, []);
        println!("\nstored {text}");
        std::io::stdout().flush().unwrap();
    }
}

/// Runs the child for about `life` and returns the last batch it acknowledged.
fn run_and_kill(dir: &Path, life: Duration) -> Option<u64> {
    let (_, module) = module_path!().split_once("::").unwrap();
    let mut child = Command::new(env::current_exe().unwrap())
        .args([&format!("{module}::acknowledged_records_survive_a_kill")])
        .args(["--exact", "--nocapture"])
        .env(FOLDER, dir)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let stdout = BufReader::new(child.stdout.take().unwrap());
    let reader = thread::spawn(move || {
        let lines = stdout.lines().map_while(Result::ok);
        let stored = lines.filter_map(|line| line.strip_prefix("stored ")?.parse().ok());
        stored.last()
    });
    thread::sleep(life);
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap()
}

#[test]
fn acknowledged_records_survive_a_kill() {
    if let Some(dir) = env::var_os(FOLDER) {
        return merge_for_ever(Path::new(&dir));
    }
    let dir = tempfile::tempdir().unwrap();
    let mut acknowledged = None;
    let mut masks = BTreeMap::new();
    for round in 0..ROUNDS {
        let random = RandomState::new().build_hasher().finish();
        let life = Duration::from_millis(20 + random % 250);
        acknowledged = run_and_kill(dir.path(), life).or(acknowledged);

        let store = open(dir.path());
        let latest = number(&store, "latest");
        assert!(
            latest >= acknowledged,
            "{round}: {latest:?} < {acknowledged:?}"
        );
        check_documents(&store, latest);
        check_records(&store, latest.map_or(0, |latest| latest + 1), &mut masks);
    }
    assert!(acknowledged.is_some(), "the child never stored anything");
}

/// Documents changed together are from one change.
fn check_documents(store: &Store, latest: Option<u64>) {
    assert_eq!(number(store, "left"), number(store, "right"));
    let found = store.scan_documents("batch/").map(|document| {
        let (name, bytes) = document.unwrap();
        assert_eq!(bytes, [7; 3_000], "{name}");
        name
    });
    let expected: Vec<_> = latest
        .iter()
        .map(|latest| format!("batch/{latest}"))
        .collect();
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

/// All records of the batches before `end` are there, and what there is of later ones is right.
/// Masks have no bits less than those given, which become those found.
fn check_records(store: &Store, end: u64, masks: &mut BTreeMap<String, u64>) {
    let mut found = BTreeMap::new();
    for stored in store.iter() {
        let stored = stored.unwrap();
        let key = String::from_utf8(stored.record.key.into()).unwrap();
        found.insert(key, (stored.record.value, stored.source));
    }
    for batch in 0..end {
        for record in records(batch).records() {
            let key = std::str::from_utf8(record.key).unwrap();
            let Some(&(value, source)) = found.get(key) else {
                panic!("{key} of batch {batch} is gone");
            };
            assert_eq!(rule(record.key, value, record.value), Some(value), "{key}");
            assert!(source == record.source || key.starts_with("mask/"), "{key}");
        }
    }
    for (key, &(value, source)) in &found {
        let batch = key.split_once('/').unwrap().1.parse::<u64>().unwrap();
        match key.starts_with("mask/") {
            true => {
                let before = masks.insert(key.clone(), value).unwrap_or(0);
                assert_eq!(value & before, before, "{key} lost bits");
                assert_eq!(u64::from(source) % MASKS, batch, "{key}");
            }
            false => assert_eq!((u64::from(source), batch <= end), (batch, true), "{key}"),
        }
    }
}
