//! The course of a soak test: faults begin and end, and checks are made between them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;

use super::WORKERS;
use super::fault::{Disks, Fault};
use crate::command::{Content, LONG};
use crate::processes::checks::{SETTLING, check_all_work};
use crate::processes::facts::check_known;
use crate::processes::proxy::Network;
use crate::processes::spy::Spy;
use crate::processes::{Fleet, GRACE, Part, eventually};
use sproutnet_testkit::disk::Disk;

/// The duration of a fault in milliseconds, and that of one in five faults of a long run.
const HOLD: Range<u64> = 300..4500;
const LONG_HOLD: Range<u64> = 300..20_000;

/// The pause between two faults, in milliseconds.
const BETWEEN: Range<u64> = 0..2000;

/// The interval of reports in a long run.
const BETWEEN_REPORTS: Duration = Duration::from_mins(1);

/// The minimum time between two comparisons of the whole store with the acknowledged records.
const BETWEEN_COMPARISONS: Duration = Duration::from_mins(2);

/// The duration above which a recovery is printed.
const SLOW: Duration = Duration::from_secs(5);

/// The coordinator's `--memory`, and the limit of its actual peak in bytes.
const MEMORY: &str = "1GiB";
const MOST_MEMORY: u64 = 3 << 29;

/// A soak test in progress.
pub(super) struct Soak<'a> {
    fleet: &'a mut Fleet,
    spy: &'a Spy,
    disks: &'a Disks,
    /// The programs of this version.
    programs: PathBuf,
    /// The programs of an earlier version, if given.
    earlier: Option<PathBuf>,
    /// The processes that run the earlier version.
    of_earlier: Vec<Part>,
    /// Whether the coordinator stops before its disk is full.
    keeps_reserve: bool,
    random: Rng,
    began: Instant,
    reported: Instant,
    compared: Option<Instant>,
    counts: BTreeMap<String, u32>,
    peak_memory: u64,
    /// The longest recovery: the time from the end of faults until all was well.
    slowest: Duration,
    /// The content of the coordinator's store at its last comparison.
    stored: Content,
}

impl<'a> Soak<'a> {
    pub(super) fn new(
        fleet: &'a mut Fleet,
        spy: &'a Spy,
        disks: &'a Disks,
        earlier: Option<PathBuf>,
        random: Rng,
    ) -> Self {
        Self {
            programs: fleet.programs().to_owned(),
            fleet,
            spy,
            disks,
            earlier,
            of_earlier: Vec::new(),
            keeps_reserve: true,
            random,
            began: Instant::now(),
            reported: Instant::now(),
            compared: None,
            counts: BTreeMap::new(),
            peak_memory: 0,
            slowest: Duration::ZERO,
            stored: Content::default(),
        }
    }

    /// Runs through all faults in random order: once, or repeatedly for `length`. Checks at the end that all is well.
    pub(super) fn run(mut self, length: Option<Duration>, ends_early: &dyn Fn() -> bool) {
        let is_over = |soak: &Self| {
            ends_early() || length.is_some_and(|length| soak.began.elapsed() >= length)
        };
        loop {
            let mut round = Fault::all(self.disks, &mut self.random);
            while let Some(fault) = round.pop()
                && !is_over(&self)
            {
                let mut together = vec![fault];
                if let Some(&other) = round.last()
                    && other.goes_with(fault)
                    && self.random.bool()
                {
                    together.push(other);
                    round.pop();
                }
                let is_long = length.is_some() && self.random.u8(..5) == 0;
                let hold = if is_long { LONG_HOLD } else { HOLD };
                let hold = Duration::from_millis(self.random.u64(hold));
                self.meet(&together, hold);
                if self.random.u8(..3) == 0 {
                    self.check_well();
                }
                if self.reported.elapsed() >= BETWEEN_REPORTS {
                    self.report();
                }
                thread::sleep(Duration::from_millis(self.random.u64(BETWEEN)));
            }
            if length.is_none() || is_over(&self) {
                self.check_well();
                self.report();
                return;
            }
        }
    }

    /// Begins faults, holds them, and ends them.
    fn meet(&mut self, faults: &[Fault], hold: Duration) {
        let faults: Vec<Fault> = faults.iter().map(|&fault| self.begin(fault)).collect();
        let texts: Vec<String> = faults.iter().map(Fault::to_string).collect();
        let since = self.began.elapsed().as_secs_f64();
        eprintln!(
            "{since:8.1} s  {} for {:.1} s",
            texts.join(", "),
            hold.as_secs_f64()
        );
        for fault in &faults {
            *self.counts.entry(fault.kind()).or_default() += 1;
        }
        // A coordinator with a reserve notices the full disk before a write fails. Only on a disk without any space, a
        // write under way may fail.
        if let [Fault::Fill(1..)] = faults[..]
            && self.keeps_reserve
        {
            eventually(LONG, || match self.fleet.page("/healthz") {
                (503, _) => Ok(()),
                other => Err(other),
            });
        }
        thread::sleep(hold);
        // Processes are started last: they cannot start on a full disk or behind a broken network.
        let starts = |fault: &Fault| matches!(fault, Fault::Kill(_) | Fault::Restart(_));
        for fault in faults.iter().filter(|fault| !starts(fault)) {
            self.heal(*fault);
        }
        for fault in faults.iter().filter(|fault| starts(fault)) {
            self.heal(*fault);
        }
    }

    /// Begins a fault; a different one if it would hit a version that is known not to tolerate it.
    fn begin(&mut self, fault: Fault) -> Fault {
        let fault = match fault {
            Fault::Fill(_) | Fault::FillWorkers(_) => {
                let parts = fault.parts();
                let unable = parts
                    .into_iter()
                    .find(|part| self.of_earlier.contains(part));
                unable.map_or(fault, Fault::Kill)
            }
            _ => fault,
        };
        match fault {
            Fault::Kill(part) => {
                self.note_memory();
                assert!(self.fleet.runs(part), "{part:?}");
                self.fleet.kill(part);
                if part == Part::Coordinator {
                    self.compare();
                }
            }
            Fault::Restart(part) => {
                self.note_memory();
                assert!(self.fleet.runs(part), "{part:?}");
                let status = self.fleet.end(part, GRACE + SETTLING);
                // A process that has only just started is ended by the signal itself.
                let is_well = status.success() || status.signal() == Some(15);
                assert!(is_well, "{part:?}: {status}");
            }
            Fault::Suspend(part) => self.fleet.suspend(part),
            Fault::Break(network, part) => self.fleet.network(part).set(network),
            Fault::BreakAll(network) => self.set_all(network),
            Fault::Fill(left) => {
                self.fleet.wait_for_coordinator();
                fill(self.disks.coordinator.as_ref(), left);
            }
            Fault::FillWorkers(left) => fill(self.disks.workers.as_ref(), left),
            Fault::Jump(part, seconds) => self.fleet.clock(part).set(seconds),
        }
        fault
    }

    /// Ends a fault.
    fn heal(&mut self, fault: Fault) {
        match fault {
            Fault::Kill(part) | Fault::Restart(part) => self.start_again(part),
            Fault::Suspend(part) => self.fleet.resume(part),
            Fault::Break(_, part) => self.fleet.network(part).set(Network::Sound),
            Fault::BreakAll(_) => self.set_all(Network::Sound),
            Fault::Fill(_) => clear(self.disks.coordinator.as_ref()),
            Fault::FillWorkers(_) => clear(self.disks.workers.as_ref()),
            Fault::Jump(part, _) => self.fleet.clock(part).set(0),
        }
    }

    fn set_all(&self, network: Network) {
        for part in self.fleet.parts() {
            self.fleet.network(part).set(network);
        }
    }

    /// Starts a process, of this version or the earlier one at random.
    fn start_again(&mut self, part: Part) {
        self.of_earlier.retain(|&other| other != part);
        let earlier = self.earlier.clone().filter(|_| self.random.bool());
        let mut options = vec!["--memory", MEMORY];
        let programs: &Path = match &earlier {
            Some(programs) => {
                self.of_earlier.push(part);
                *self
                    .counts
                    .entry("starts of the earlier version".into())
                    .or_default() += 1;
                programs
            }
            None => {
                if self.random.bool() {
                    options.extend(["--disk-reserve", "0"]);
                }
                &self.programs
            }
        };
        if part == Part::Coordinator {
            self.keeps_reserve = earlier.is_none() && !options.contains(&"--disk-reserve");
        }
        self.fleet.use_programs(programs, &options);
        self.fleet.start_again(part);
    }

    /// Checks that the store of a killed coordinator has all acknowledged records, and all it had before. Does this at
    /// most every [`BETWEEN_COMPARISONS`].
    fn compare(&mut self) {
        if self
            .compared
            .is_some_and(|at| at.elapsed() < BETWEEN_COMPARISONS)
        {
            return;
        }
        self.compared = Some(Instant::now());
        let acknowledged = self.spy.acknowledged();
        let stored = self.fleet.stored();
        check_known(&acknowledged, &stored.records);
        self.stored.check_kept_in(&stored);
        self.stored = stored;
        *self
            .counts
            .entry("comparisons of the store".into())
            .or_default() += 1;
    }

    /// Waits until all processes run, the coordinator is well, and all workers have jobs.
    fn check_well(&mut self) {
        let began = Instant::now();
        for part in self.fleet.parts() {
            assert!(self.fleet.runs(part), "{part:?}");
        }
        self.fleet.wait_for_coordinator();
        eventually(LONG, || match self.fleet.page("/healthz") {
            (200, _) => Ok(()),
            other => Err(other),
        });
        assert!(self.fleet.healthcheck().success());
        check_all_work(&self.fleet.commands(), WORKERS);
        self.note_memory();
        *self.counts.entry("times well".into()).or_default() += 1;
        let took = began.elapsed();
        if took > SLOW {
            eprintln!("well again after {:.1} s", took.as_secs_f64());
        }
        self.slowest = self.slowest.max(took);
    }

    fn note_memory(&mut self) {
        if self.fleet.runs(Part::Coordinator) {
            self.peak_memory = self.peak_memory.max(self.fleet.peak_memory());
            assert!(self.peak_memory < MOST_MEMORY, "{} bytes", self.peak_memory);
        }
    }

    fn report(&mut self) {
        self.reported = Instant::now();
        let (acknowledged, fed, breaks) = self.spy.counts();
        eprintln!(
            "== {:.0} s: {:?}; {acknowledged} records acknowledged to the spy, {fed} fed to it with {breaks} breaks; \
             {} in the store; the coordinator had at most {} MiB; all was well after at most {:.1} s",
            self.began.elapsed().as_secs_f64(),
            self.counts,
            self.stored.records.len(),
            self.peak_memory >> 20,
            self.slowest.as_secs_f64(),
        );
    }
}

fn fill(disk: Option<&Disk>, left: u64) {
    disk.expect("it is mounted").fill_but(left);
}

fn clear(disk: Option<&Disk>) {
    disk.expect("it is mounted").clear();
}
