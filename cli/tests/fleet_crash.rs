//! A coordinator and three workers, each its own process, are killed repeatedly while they solve positions for users of
//! the command line. All outcomes are correct, and no acknowledged record is lost.
//!
//! A plain run kills 8 times, one with `SPROUTNET_FULL_TESTS=1` kills 60 times. `SPROUTNET_TEST_KILLS` overrides the
//! number. `SPROUTNET_TEST_SEED` repeats a run with the seed it printed; the timing may differ.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::command::{Content, published};
use crate::processes::checks::{
    SETTLING, check_all_rest, check_all_work, check_nothing_lost, setting, use_commands,
};
use crate::processes::desk::{Desk, Task};
use crate::processes::facts::check_known;
use crate::processes::spy::Spy;
use crate::processes::{Commands, Fleet, Part, eventually};
use fastrand::Rng;
use sproutnet_solver::play::Play;
use sproutnet_testkit::reference::slow_tests;

const WORKERS: usize = 3;

/// The number of kills of a plain run, and of a full one.
const KILLS: u32 = 8;
const FULL_KILLS: u32 = 60;

/// The time between two kills, in milliseconds: 60 kills take about 80 seconds.
const BETWEEN_KILLS: std::ops::Range<u64> = 300..2300;

/// The time from a kill to the restart, in milliseconds.
const DOWN: std::ops::Range<u64> = 0..1500;

/// The time limit for the remaining work after the last kill, on a busy machine.
const REST: Duration = Duration::from_mins(10);

#[test]
fn nothing_acknowledged_is_lost_when_processes_are_killed() {
    let seed = setting("SPROUTNET_TEST_SEED").unwrap_or_else(|| fastrand::u64(..));
    eprintln!("SPROUTNET_TEST_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    let kills = if slow_tests() { FULL_KILLS } else { KILLS };
    let kills = setting("SPROUTNET_TEST_KILLS").unwrap_or(kills);

    let mut fleet = Fleet::start(WORKERS);
    let commands = fleet.commands();
    let spy = Spy::start(&fleet.url(), &fleet.token_file(), random.fork());
    // These commands wait for their answers during all kills.
    let solving = commands.start(&["solve", "0*12", "0*14"]);
    eventually(SETTLING, || {
        let list = commands.list();
        if list.len() == 2 { Ok(()) } else { Err(list) }
    });
    let watching = commands.start(&["watch", "0*14"]);
    let mut desk = Desk::new(commands.clone(), random.fork());
    for task in tasks() {
        desk.start(task);
    }
    for play in [Play::Normal, Play::Misere] {
        desk.fill(&Task::start(20, play));
    }

    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let using = scope.spawn(|| use_commands(&mut desk, &mut more_tasks().into_iter(), &stop));
        Killer::new(&mut fleet, &spy, &mut random).kill(kills);
        stop.store(true, Ordering::Relaxed);
        using.join().expect("no panic");
    });

    check_all_work(&commands, WORKERS);
    desk.resume_all();
    desk.see_all_solved(REST);
    desk.cancel_fillers();
    let solved = solving.end(REST).with_code(0).json();
    check_start_positions(&solved);
    watching.end(REST).with_code(0);
    check_all_rest(&commands, WORKERS);
    check_table(&commands);
    desk.ask_again();

    check_nothing_lost(&mut fleet, spy);

    fleet.start_again(Part::Coordinator);
    fleet.wait_for_coordinator();
    check_table(&commands);
    desk.ask_again();
    let status = fleet.end(Part::Coordinator, SETTLING);
    assert_eq!(status.code(), Some(0));
}

/// The positions to solve.
fn tasks() -> Vec<Task> {
    let normal = (10..=14).map(|spots| Task::start(spots, Play::Normal));
    let misere = (8..=11).map(|spots| Task::start(spots, Play::Misere));
    normal.chain(misere).collect()
}

/// More positions, started one by one when all others are solved, so that there is always work to lose.
fn more_tasks() -> Vec<Task> {
    vec![
        Task::start(10, Play::Normal).with_nimber(),
        Task::sum(8, 9),
        Task::start(11, Play::Normal).with_nimber(),
        Task::sum(12, 13),
        Task::start(9, Play::Normal).with_nimber(),
        Task::start(15, Play::Normal),
        Task::start(16, Play::Normal),
    ]
}

/// Kills processes and starts them again.
struct Killer<'a> {
    fleet: &'a mut Fleet,
    spy: &'a Spy,
    random: &'a mut Rng,
    /// The killed processes and the times of their restarts.
    down: Vec<(Instant, Part)>,
    counts: BTreeMap<String, u32>,
    /// The content of the coordinator's store after its last kill.
    stored: Content,
}

impl<'a> Killer<'a> {
    fn new(fleet: &'a mut Fleet, spy: &'a Spy, random: &'a mut Rng) -> Self {
        Self {
            fleet,
            spy,
            random,
            down: Vec::new(),
            counts: BTreeMap::new(),
            stored: Content::default(),
        }
    }

    /// Kills processes `kills` times. At the end all processes run.
    fn kill(&mut self, kills: u32) {
        for _ in 0..kills {
            let pause = Duration::from_millis(self.random.u64(BETWEEN_KILLS));
            self.wait_until(Instant::now() + pause);
            let mut up = self.fleet.parts();
            up.retain(|part| self.down.iter().all(|(_, down)| down != part));
            if let Some(&victim) = self.random.choice(&up) {
                self.kill_one(victim);
            }
        }
        while let Some(&(when, _)) = self.down.last() {
            self.wait_until(when);
        }
        self.fleet.wait_for_coordinator();
        eprintln!("killed: {:?}", self.counts);
    }

    fn kill_one(&mut self, victim: Part) {
        self.fleet.kill(victim);
        *self.counts.entry(format!("{victim:?}")).or_default() += 1;
        if victim == Part::Coordinator {
            // All records acknowledged by now were durable before the kill.
            let acknowledged = self.spy.acknowledged();
            let stored = self.fleet.stored();
            check_known(&acknowledged, &stored.records);
            self.stored.check_kept_in(&stored);
            self.stored = stored;
        }
        let down = Duration::from_millis(self.random.u64(DOWN));
        self.down.push((Instant::now() + down, victim));
        // The next process to restart is the last of the list.
        self.down.sort_by_key(|&(when, _)| std::cmp::Reverse(when));
    }

    /// Waits until `end`, and meanwhile restarts processes at their times.
    fn wait_until(&mut self, end: Instant) {
        while let Some(&(when, part)) = self.down.last()
            && when <= end
        {
            sleep_until(when);
            self.fleet.start_again(part);
            self.down.pop();
        }
        sleep_until(end);
    }
}

fn sleep_until(when: Instant) {
    thread::sleep(when.saturating_duration_since(Instant::now()));
}

/// Checks the answers to start positions against the published outcomes.
#[track_caller]
fn check_start_positions(answers: &[serde_json::Value]) {
    let published = published(20);
    assert!(!answers.is_empty());
    for answer in answers {
        let is_this = |entry: &&(String, Play, String)| {
            answer["position"] == entry.0 && answer["play"] == entry.1.name()
        };
        let (.., outcome) = published.iter().find(is_this).expect("it is published");
        assert_eq!(answer["outcome"], *outcome, "{answer}");
    }
}

/// Checks that the table shows the requested positions as solved here, with the published outcomes.
fn check_table(commands: &Commands) {
    let mut table = commands.ask(&["table"]);
    table.retain(|line| line["source"] == "store");
    check_start_positions(&table);
    for (play, spots) in [("normal", 10..=14), ("misere", 8..=11)] {
        for size in spots {
            let is_this = |line: &serde_json::Value| line["size"] == size && line["play"] == play;
            assert!(table.iter().any(is_this), "{size} {play}: {table:?}");
        }
    }
}
