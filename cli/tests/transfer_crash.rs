//! `export`, `import` and `store compact` are killed at random times and repeated. No record is lost, no wrong one is
//! kept, and the result is that of a run without kills.
//!
//! A plain run kills 8 times, one with `SPROUTNET_FULL_TESTS=1` kills 30 times. `SPROUTNET_TEST_KILLS` overrides the
//! number. `SPROUTNET_TEST_SEED` repeats a run with the seed it printed; the timing may differ.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::command::{Content, LONG, Running, run, sproutnet};
use fastrand::Rng;
use sproutnet_game::{self as game, Game, Kayles};
use sproutnet_solver::play::{Knowledge, Play, Record, Rules};
use sproutnet_store::{Batch, Sourced, Store, Worth};
use sproutnet_testkit::folder;
use sproutnet_testkit::reference::slow_tests;
use tempfile::{TempDir, tempdir};

/// The number of kills of a plain run, and of a full one.
const KILLS: u64 = 8;
const FULL_KILLS: u64 = 30;

/// The number of records of the store: enough for each command to take some time.
const RECORDS: u32 = 200_000;

/// A folder with a large store. Some of its records are superseded.
fn made() -> TempDir {
    let dir = tempdir().expect("a folder");
    let store = Store::open(&dir.path().join("store"), &game::encodings()).expect("a store");
    let rules = Knowledge::default();
    let misere = &*rules.game("kayles").expect("a game").misere;
    let key = |number: u32| {
        let rows = format!("{}+{}", 100 + number % 9_000, 9_200 + number / 9_000);
        let position = Kayles.parse(&rows).expect("two rows");
        let state = misere.state(&position).encode(misere);
        Record::new(Kayles.code(), Play::Misere, &state.expect("it is small"), 0).key
    };
    for value in [0, 1] {
        for part in 0..20 {
            let mut batch = Batch::default();
            let numbers = (part..RECORDS).step_by(20);
            for number in numbers.filter(|number| value == 0 || number % 3 == 0) {
                batch.push(Sourced {
                    key: &key(number),
                    value,
                    worth: Worth::LEAST,
                    source: 0,
                });
            }
            let merged = store.merge(&batch.records(), |_, _, new| Some(new));
            merged.expect("it is stored");
        }
    }
    dir
}

struct Killing {
    random: Rng,
    kills: u64,
}

impl Killing {
    fn new() -> Self {
        let setting = |name| {
            std::env::var(name)
                .ok()
                .map(|n| n.parse().expect("a number"))
        };
        let seed = setting("SPROUTNET_TEST_SEED").unwrap_or_else(|| fastrand::u64(..));
        eprintln!("SPROUTNET_TEST_SEED={seed}");
        Self {
            random: Rng::with_seed(seed),
            // The kills are divided among three tests.
            kills: setting("SPROUTNET_TEST_KILLS")
                .unwrap_or(if slow_tests() { FULL_KILLS } else { KILLS })
                .div_ceil(3),
        }
    }

    /// Kills or interrupts a command repeatedly, and calls `look` each time to check the result. Then lets the command
    /// end. `anew` prepares for the next run after a complete one.
    fn kill(
        &mut self,
        data: &Path,
        arguments: &[&str],
        mut look: impl FnMut(),
        mut anew: impl FnMut(),
    ) {
        let began = Instant::now();
        run(data, arguments).with_code(0);
        let whole = began.elapsed();
        look();
        anew();
        let mut done = 0;
        let mut through = 0;
        while done < self.kills {
            let delay = self.random.u64(1..=whole.as_micros() as u64);
            let mut running = Running::start(sproutnet(data, arguments));
            let goes_on = running.runs_for(Duration::from_micros(delay));
            let is_killed = self.random.bool();
            if goes_on && !is_killed {
                running.interrupt();
            }
            let ended = if is_killed {
                running.kill()
            } else {
                running.end(LONG)
            };
            look();
            match ended.status.code() {
                None => done += 1,
                Some(3) => {
                    assert!(ended.stderr.starts_with("interrupted; "), "{ended:#?}");
                    done += 1;
                }
                Some(code) => {
                    assert_eq!(code, 0, "{ended:#?}");
                    through += 1;
                    anew();
                }
            }
        }
        eprintln!("{arguments:?}: {done} kills within {whole:?}, {through} runs to the end");
        run(data, arguments).with_code(0);
        look();
    }
}

fn text(path: &Path) -> String {
    path.to_str().expect("a text").to_owned()
}

fn paths<const N: usize>(dir: &TempDir, names: [&str; N]) -> [PathBuf; N] {
    names.map(|name| dir.path().join(name))
}

fn remove(path: &Path) {
    if path.is_dir() {
        std::fs::remove_dir_all(path).expect("it is ours");
    } else if path.exists() {
        std::fs::remove_file(path).expect("it is ours");
    }
}

#[test]
fn an_export_that_is_killed_goes_on() {
    let dir = made();
    let [store, file, other] = paths(&dir, ["store", "x.export", "other"]);
    let content = Content::read(&store).records;
    let name = text(&file);
    let mut whole = None;
    let look = || {
        // The file gets its name only when it is complete.
        if let Ok(length) = file.metadata().map(|file| file.len()) {
            assert_eq!(*whole.get_or_insert(length), length);
        }
    };
    Killing::new().kill(&store, &["export", "-o", &name], look, || remove(&file));
    run(&other, &["import", &name]).with_code(0);
    assert!(Content::read(&other).records == content);
}

#[test]
fn an_import_that_is_killed_goes_on() {
    let dir = made();
    let [store, file, other] = paths(&dir, ["store", "x.export", "other"]);
    let content = Content::read(&store).records;
    let name = text(&file);
    run(&store, &["export", "-o", &name]).with_code(0);
    let mut last = 0;
    let look = || {
        if !Store::is_in(&other) {
            return;
        }
        let taken = Content::read_copy(&other).records;
        let wrong = taken
            .iter()
            .find(|(key, value)| content.get(*key) != Some(value));
        assert_eq!(wrong, None);
        last = taken.len();
    };
    Killing::new().kill(&other, &["import", &name], look, || remove(&other));
    assert_eq!(last, content.len());
    assert!(Content::read(&other).records == content);
}

#[test]
fn a_compaction_that_is_killed_loses_nothing() {
    let dir = made();
    let [store, worn] = paths(&dir, ["store", "worn"]);
    let content = Content::read(&store).records;
    let copy = || {
        remove(&store);
        folder::copy(&worn, &store);
    };
    std::fs::rename(&store, &worn).expect("it is ours");
    copy();
    let look = || assert!(Content::read_copy(&store).records == content);
    Killing::new().kill(&store, &["store", "compact"], look, copy);
    let store = Store::open(&store, &game::encodings()).expect("it opens");
    assert_eq!(store.stats().expect("it is counted").superseded, 0);
}
