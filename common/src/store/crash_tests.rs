//! What is acknowledged survives SIGKILL: the test runs itself as a child that appends, kills it at
//! a random moment, and looks for everything the child had said was stored.

use super::{Record, Store};
use std::{
    collections::{HashMap, hash_map::RandomState},
    env,
    hash::{BuildHasher, Hasher},
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

const FOLDER: &str = "STORE_CRASH_TEST_FOLDER";
const ROUNDS: usize = 10;
const SIZES: [u64; 7] = [1, 30, 2, 300, 5, 700, 90];

fn open(dir: &Path) -> Store {
    Store::open(dir, &[("crash", 1)]).unwrap()
}

fn key(batch: u64, index: u64) -> Box<[u8]> {
    format!("{index}/{batch}").into_bytes().into()
}

/// The records of one batch; the last one is of a key that every batch changes.
fn records(batch: u64) -> Vec<Record> {
    let size = SIZES[batch as usize % SIZES.len()];
    let record = |index| Record {
        key: key(batch, index),
        value: batch * index,
    };
    let latest = Record {
        key: (*b"latest").into(),
        value: batch,
    };
    (0..size).map(record).chain([latest]).collect()
}

fn latest(store: &Store) -> Option<u64> {
    store.get(b"latest").unwrap()
}

fn append_for_ever(dir: &Path) {
    let store = open(dir);
    let first = latest(&store).map_or(0, |batch| batch + 1);
    for batch in first.. {
        store.append(&records(batch)).unwrap();
        let number = batch.to_string();
        store.put_document("latest", number.as_bytes()).unwrap();
        println!("\nstored {batch}");
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
        return append_for_ever(Path::new(&dir));
    }
    let dir = tempfile::tempdir().unwrap();
    let mut acknowledged = None;
    for round in 0..ROUNDS {
        let random = RandomState::new().build_hasher().finish();
        let life = Duration::from_millis(20 + random % 250);
        acknowledged = run_and_kill(dir.path(), life).or(acknowledged);

        let store = open(dir.path());
        let stored = latest(&store);
        assert!(
            stored >= acknowledged,
            "round {round}: {stored:?} < {acknowledged:?}"
        );
        let document = store.get_document("latest").unwrap();
        let document = document.map(|d| String::from_utf8(d).unwrap().parse().unwrap());
        assert!(document >= acknowledged, "round {round}: {document:?}");
        let all: Result<HashMap<_, _>, _> =
            store.iter().map(|r| r.map(|r| (r.key, r.value))).collect();
        let all = all.unwrap();
        for batch in stored.map_or(0..0, |stored| 0..stored + 1) {
            for Record { key, value } in records(batch) {
                if *key != *b"latest" {
                    assert_eq!(all.get(&key), Some(&value), "round {round}, batch {batch}");
                }
            }
            let first = key(batch, 0);
            assert_eq!(store.get(&first).unwrap(), Some(0), "round {round}");
        }
    }
    assert!(
        acknowledged.is_some(),
        "the child never got to store anything"
    );
}
