//! The program is killed at random times and started again. No acknowledged record is lost, and none is found twice.
//!
//! `SPROUTNET_TEST_SEED` repeats a run with the seed it printed. The timing may differ.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::command::sproutnet;
use crate::command::{
    Content, Ended, LOG, LONG, Report, Running, answered, json, logged, published,
};
use sproutnet_solver::play::Play;
use sproutnet_testkit::reference;
use tempfile::{TempDir, tempdir};

const KILLS: u32 = 10;

#[test]
fn nothing_acknowledged_is_lost_or_found_twice() {
    let mut random = Random::new();
    let last = if reference::slow_tests() { 12 } else { 11 };
    let (mut kills, mut folders) = (0, 1);
    let mut solving = Solving::of_start_positions(last);
    while kills < KILLS {
        let delay = Duration::from_millis(random.between(50, 2000));
        if solving.run_for(delay) {
            eprintln!("solved within {delay:?}; a new folder");
            solving = Solving::of_start_positions(last);
            folders += 1;
        } else {
            kills += 1;
            let records = solving.content.records.len();
            eprintln!(
                "killed after {delay:?}: {} answers, {records} records",
                solving.given
            );
        }
    }
    eprintln!("{kills} kills in {folders} folders");
    assert!(solving.run_for(LONG));
    // The last run takes all answers from the store.
    assert!(solving.run_for(LONG));
}

/// One command, run repeatedly on one folder.
struct Solving {
    data: TempDir,
    range: String,
    expected: Vec<(String, Play, String)>,
    /// The highest number of answers that a run gave.
    given: usize,
    /// The content of the store after the last run.
    content: Content,
}

impl Solving {
    fn of_start_positions(last: u32) -> Self {
        Self {
            data: tempdir().expect("a folder"),
            range: format!("0..={last}"),
            expected: published(last),
            given: 0,
            content: Content::default(),
        }
    }

    /// Runs the command, and kills it after `time`. True if it had ended before.
    fn run_for(&mut self, time: Duration) -> bool {
        let arguments = [
            "solve",
            &self.range,
            "--play",
            "both",
            "--cores",
            "1",
            "--json",
        ];
        let mut command = sproutnet(self.data.path(), &arguments);
        command.env("RUST_LOG", LOG);
        let mut running = Running::start(command);
        running.runs_for(time);
        let ended = running.kill();
        let is_through = ended.status.code().is_some();
        self.check_answers(&ended, is_through);
        self.check_store(&ended);
        is_through
    }

    /// Checks that answers are correct, and that answers of earlier runs come from the store.
    fn check_answers(&mut self, ended: &Ended, is_through: bool) {
        let lines: Vec<_> = whole_lines(&ended.stdout).map(json).collect();
        assert_eq!(answered(&lines), self.expected[..lines.len()]);
        for line in lines.iter().take(self.given) {
            assert_eq!(line["source"], "store", "answered before: {line}");
        }
        self.given = self.given.max(lines.len());
        if is_through {
            assert_eq!(ended.status.code(), Some(0), "{ended:#?}");
            assert_eq!(lines.len(), self.expected.len());
        }
    }

    /// Checks that the store has its earlier content and all acknowledged records, and that no record was found twice.
    fn check_store(&mut self, ended: &Ended) {
        let log = &ended.stderr;
        let opened = whole_lines(log).find(|line| line.contains("store opened"));
        if let Some(line) = opened {
            assert_eq!(logged(line, "cursor"), Some(self.content.cursor), "{log}");
            let records = self.content.records.len() as u64;
            assert_eq!(logged(line, "records"), Some(records), "{log}");
        }
        let reports = whole_lines(log).filter(|line| line.contains("repeated="));
        let reports: Vec<Report> = reports
            .map(|line| Report::read(line).expect("a report"))
            .collect();
        assert!(
            reports.iter().all(|report| report.repeated == 0),
            "found twice:\n{log}"
        );

        let content = Content::read_copy(self.data.path());
        self.content.check_kept_in(&content);
        // Every append makes a block with a new number.
        let appends = reports.iter().filter(|report| report.added > 0).count() as u64;
        let acknowledged = self.content.cursor + appends;
        assert!(
            content.cursor >= acknowledged,
            "{} blocks:\n{log}",
            content.cursor
        );
        self.content = content;
    }
}

/// The complete lines of a text, without a last one that was cut off.
fn whole_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n')
        .filter_map(|line| line.strip_suffix('\n'))
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn new() -> Self {
        let chosen = std::env::var("SPROUTNET_TEST_SEED").ok();
        let seed = chosen.map_or_else(
            || {
                let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
                since_1970.expect("it is later").as_nanos() as u64
            },
            |seed| seed.parse().expect("a number"),
        );
        eprintln!("SPROUTNET_TEST_SEED={seed}");
        Self(seed)
    }

    fn between(&mut self, low: u64, high: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (mixed ^ mixed >> 31) % (high - low)
    }
}
