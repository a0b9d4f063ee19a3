//! Acknowledged records survive SIGKILL: the test runs itself as a child that merges, kills it at a random moment, and
//! looks for everything the child had acknowledged.

use super::assert_index;
use crate::{Batch, DocumentChange, Sourced, Store, StoreError, Worth};
use std::{
    collections::{BTreeMap, hash_map::RandomState},
    env,
    hash::{BuildHasher, Hasher},
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{self, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

pub(super) const FOLDER: &str = "STORE_CRASH_TEST_FOLDER";
/// The test that a child runs.
pub(super) const TEST: &str = "tests::crash::acknowledged_records_survive_a_kill";
const ROUNDS: usize = 15;
const SIZES: [u64; 7] = [1, 30, 2, 300, 5, 2_000, 90];
const MASKS: u64 = 5;

/// The worth below which records are shed in some tests.
const WORTHY: Worth = Worth::of_visits(1_000);

pub(super) fn open(dir: &Path) -> Store {
    Store::open(dir, &[("crash", 1)]).unwrap()
}

/// Values of masks add up; others are equal or contradict each other.
pub(super) fn rule(key: &[u8], known: u64, new: u64) -> Option<u64> {
    if key.starts_with(b"mask/") {
        Some(known | new)
    } else {
        (known == new).then_some(known)
    }
}

fn mask(batch: u64) -> (String, u64) {
    (format!("mask/{}", batch % MASKS), 1 << (batch % 64))
}

/// The records of one batch: some of its own, and a bit more of a mask.
pub(super) fn records(batch: u64) -> Batch {
    let size = SIZES[batch as usize % SIZES.len()];
    let own = (0..size).map(|index| {
        let worth = if index % 3 == 0 { Worth::LEAST } else { WORTHY };
        ((format!("{index}/{batch}"), batch * index), worth)
    });
    let mut records = Batch::default();
    for ((key, value), worth) in own.chain([(mask(batch), WORTHY)]) {
        records.push(Sourced {
            key: key.as_bytes(),
            value,
            worth,
            source: batch as u32,
        });
    }
    records
}

pub(super) fn number(store: &Store, document: &str) -> Option<u64> {
    let bytes = store.get_document(document).unwrap()?;
    Some(String::from_utf8(bytes).unwrap().parse().unwrap())
}

/// The content of the document about a batch. A few are so large that sled puts them into files of their own.
fn content(batch: u64) -> Vec<u8> {
    vec![7; if batch % 8 == 3 { 200_000 } else { 3_000 }]
}

/// Merges batch after batch with documents about the progress, and changes two documents together all the while.
/// Returns the first error.
pub(super) fn merge_for_ever(store: &Store) -> StoreError {
    let first = number(store, "latest").map_or(0, |batch| batch + 1);
    let pairs = store.clone();
    let pairs = thread::spawn(move || {
        let mut texts = (0u64..).map(|count| count.to_string());
        texts.find_map(|text| {
            let change = ["left", "right"].map(|name| (name, Some(text.as_bytes())));
            pairs.change_documents(&change).err()
        })
    });
    for batch in first.. {
        let [name, before] = [batch, batch.wrapping_sub(1)].map(|batch| format!("batch/{batch}"));
        let text = batch.to_string();
        let content = content(batch);
        let documents: [DocumentChange<'_>; 3] = [
            ("latest", Some(text.as_bytes())),
            (&name, Some(&content)),
            (&before, None),
        ];
        let batch = records(batch);
        match store.merge_with(&batch.records(), rule, &documents) {
            Ok(merged) => assert_eq!(merged.conflicts, []),
            Err(error) => {
                pairs.join().unwrap();
                return error;
            }
        }
        println!("\nstored {text}");
        std::io::stdout().flush().unwrap();
    }
    unreachable!("batches never end")
}

/// A test of this program in a process of its own, which merges until it is dropped.
pub(super) struct Child {
    process: process::Child,
    /// The number of the batch that it will acknowledge next.
    next: Arc<AtomicU64>,
    reader: Option<JoinHandle<()>>,
}

impl Child {
    /// Starts a test with the folder in its environment.
    pub(super) fn start(test: &str, dir: &Path) -> Self {
        let mut process = Command::new(env::current_exe().unwrap())
            .args([test, "--exact", "--nocapture"])
            .env(FOLDER, dir)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(process.stdout.take().unwrap());
        let next = Arc::new(AtomicU64::new(0));
        let reader = {
            let next = Arc::clone(&next);
            thread::spawn(move || {
                for line in stdout.lines().map_while(Result::ok) {
                    if let Some(batch) = line.strip_prefix("stored ") {
                        next.store(batch.parse::<u64>().unwrap() + 1, Ordering::Release);
                    }
                }
            })
        };
        Self {
            process,
            next,
            reader: Some(reader),
        }
    }

    /// The last batch that it acknowledged.
    pub(super) fn acknowledged(&self) -> Option<u64> {
        self.next.load(Ordering::Acquire).checked_sub(1)
    }

    /// Kills it.
    pub(super) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        if let Some(reader) = self.reader.take() {
            reader.join().unwrap();
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Runs a child for about `life`, and returns the last batch it acknowledged.
pub(super) fn run_and_kill(test: &str, dir: &Path, life: Duration) -> Option<u64> {
    let mut child = Child::start(test, dir);
    thread::sleep(life);
    child.kill();
    child.acknowledged()
}

pub(super) fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[test]
fn acknowledged_records_survive_a_kill() {
    if let Some(dir) = env::var_os(FOLDER) {
        panic!("{}", merge_for_ever(&open(Path::new(&dir))));
    }
    survive(TEST, |_| false);
}

#[test]
fn acknowledged_records_of_worth_survive_a_kill_while_others_are_shed() {
    if let Some(dir) = env::var_os(FOLDER) {
        let store = open(Path::new(&dir));
        let shedding = store.clone();
        thread::spawn(move || {
            while shedding.shed_below(WORTHY).is_ok() {
                thread::sleep(Duration::from_millis(1));
            }
        });
        panic!("{}", merge_for_ever(&store));
    }
    let test = "tests::crash::acknowledged_records_of_worth_survive_a_kill_while_others_are_shed";
    survive(test, |worth| worth < WORTHY);
}

/// Runs a test as a child that merges, kills it, and looks for the acknowledged records, again and again. Records of
/// some worths may be gone.
fn survive(test: &str, may_go: fn(Worth) -> bool) {
    let dir = tempfile::tempdir().unwrap();
    let mut acknowledged = None;
    let mut masks = BTreeMap::new();
    for round in 0..ROUNDS {
        let life = Duration::from_millis(20 + random() % 250);
        acknowledged = run_and_kill(test, dir.path(), life).or(acknowledged);

        let store = open(dir.path());
        let latest = number(&store, "latest");
        assert!(
            latest >= acknowledged,
            "{round}: {latest:?} < {acknowledged:?}"
        );
        check_documents(&store, latest);
        let end = latest.map_or(0, |latest| latest + 1);
        check_records(&store, end, may_go, &mut masks);
        assert_index(&store);
    }
    assert!(acknowledged.is_some(), "the child never stored anything");
}

/// Documents changed together are from one change.
pub(super) fn check_documents(store: &Store, latest: Option<u64>) {
    assert_eq!(number(store, "left"), number(store, "right"));
    let found = store.scan_documents("batch/").map(|document| {
        let (name, bytes) = document.unwrap();
        let batch = name.split_once('/').unwrap().1.parse().unwrap();
        assert!(bytes == content(batch), "{name}");
        name
    });
    let expected: Vec<_> = latest
        .iter()
        .map(|latest| format!("batch/{latest}"))
        .collect();
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

/// All records of the batches before `end` are there but those of some worths, and what there is of later ones is
/// right. Masks have no bits less than those given, which become those found.
pub(super) fn check_records(
    store: &Store,
    end: u64,
    may_go: fn(Worth) -> bool,
    masks: &mut BTreeMap<String, u64>,
) {
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
                if may_go(record.worth) {
                    continue;
                }
                panic!("{key} of batch {batch} is gone");
            };
            assert_eq!(rule(record.key, value, record.value), Some(value), "{key}");
            assert!(source == record.source || key.starts_with("mask/"), "{key}");
        }
    }
    for (key, &(value, source)) in &found {
        let batch = key.split_once('/').unwrap().1.parse::<u64>().unwrap();
        if key.starts_with("mask/") {
            let before = masks.insert(key.clone(), value).unwrap_or(0);
            assert_eq!(value & before, before, "{key} lost bits");
            assert_eq!(u64::from(source) % MASKS, batch, "{key}");
        } else {
            assert_eq!((u64::from(source), batch <= end), (batch, true), "{key}");
        }
    }
}
