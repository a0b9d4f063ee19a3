//! A run: a whole cluster, its faults, and the checks at the end.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use fastrand::Rng;
use sproutnet_coordinator::Config;
use sproutnet_coordinator::scheduler::job_size::JobSize;
use sproutnet_game as game;
use sproutnet_store::Store;
use turmoil::{Builder, Result, Sim};

use crate::faults::{Fall, Fault, Schedule};
use crate::hosts::{CoordinatorHost, Host, Shared, start_worker};
use crate::network::COORDINATOR;
use crate::people::{self, Trouble};
use crate::positions::ROOTS;
use crate::stranger;
use crate::witness::{Witness, compare, is_in, violation};

/// The step of simulated time. A message takes at least one.
const STEP: Duration = Duration::from_millis(20);

/// The time limit for solving everything after the last fault.
const CALM: Duration = Duration::from_secs(300);

/// The time limit for an end by request after the last fault.
const LEAVING: Duration = Duration::from_secs(5);

const PEOPLE: &str = "people";

struct Run<'a> {
    sim: Sim<'a>,
    coordinator: CoordinatorHost,
    /// All other hosts; the workers come first.
    others: Vec<Host>,
    workers: usize,
    witness: Shared,
    /// The numbers of times that the coordinator, and a worker, went down.
    falls: (u32, u32),
}

/// Runs a seed's cluster. Returns a summary if nothing was violated.
///
/// # Errors
/// A violation, described by the text.
pub(crate) fn run(seed: u64) -> Result<String> {
    // The source of the workers' random waits.
    fastrand::seed(seed);
    let mut random = Rng::with_seed(seed);
    let trouble: Trouble = Rc::new(Cell::new(true));
    let mut run = Run::begin(seed, &mut random, &trouble);
    let lasts = Duration::from_secs(random.u64(10..60));
    let mut schedule = Schedule::new(random.u64(..), run.others.len(), run.workers);
    while run.sim.elapsed() < lasts {
        let now = run.sim.elapsed();
        for fault in schedule.ends(now) {
            run.mend(fault);
        }
        for fault in schedule.begins(now) {
            run.inflict(fault)?;
        }
        run.step()?;
    }
    for fault in schedule.ends(Duration::MAX) {
        run.mend(fault);
    }
    run.sim.set_fail_rate(0.0);
    run.sim.set_max_message_latency(STEP);
    for host in &run.others {
        run.sim.release(COORDINATOR, host.name);
    }
    trouble.set(false);
    run.wait_for_the_end_of(PEOPLE, CALM)?;
    run.end()
}

impl Run<'_> {
    fn begin(seed: u64, random: &mut Rng, trouble: &Trouble) -> Self {
        let count = random.usize(2..=5);
        let roots = random.choose_multiple(ROOTS, count);
        let witness: Shared = Rc::new(RefCell::new(Witness::new(roots)));
        let mut sim = Builder::new()
            .rng_seed(seed)
            .tick_duration(STEP)
            .simulation_duration(Duration::MAX)
            .max_message_latency(Duration::from_millis([20, 100, 1000][random.usize(..3)]))
            .fail_rate([0.0, 0.0, 0.002, 0.01][random.usize(..4)])
            .repair_rate(0.5)
            .tcp_capacity(4096)
            .enable_random_order()
            .build();
        let coordinator = CoordinatorHost::start(&mut sim, &config(random), &witness);
        let workers = random.usize(2..=4);
        let mut others: Vec<Host> = ["worker-0", "worker-1", "worker-2", "worker-3"][..workers]
            .iter()
            .map(|name| start_worker(&mut sim, name, random.usize(1..=2), random.u32(..5) > 0))
            .collect();
        let (seed, shared, until) = (random.u64(..), witness.clone(), trouble.clone());
        others.push(Host::start(&mut sim, PEOPLE, move |_, _| {
            people::run(shared.clone(), until.clone(), seed)
        }));
        if random.u32(..3) == 0 {
            let (seed, until) = (random.u64(..), trouble.clone());
            others.push(Host::start(&mut sim, "stranger", move |_, _| {
                stranger::run(until.clone(), seed)
            }));
        }
        Self {
            sim,
            coordinator,
            others,
            workers,
            witness,
            falls: (0, 0),
        }
    }

    /// Simulates one step. A process that ended leaves nothing in memory.
    fn step(&mut self) -> Result {
        self.sim.step()?;
        for host in self.others.iter().chain([&self.coordinator.host]) {
            if host.has_ended() {
                self.sim.crash(host.name);
            }
        }
        Ok(())
    }

    fn inflict(&mut self, fault: Fault) -> Result {
        tracing::info!(now = ?self.sim.elapsed(), ?fault, "begins");
        let name = |link: usize| self.others[link].name;
        match fault {
            Fault::Cut(link) => self.sim.partition(COORDINATOR, name(link)),
            Fault::CutOneWay(link, true) => self.sim.partition_oneway(COORDINATOR, name(link)),
            Fault::CutOneWay(link, false) => self.sim.partition_oneway(name(link), COORDINATOR),
            Fault::Hold(link) => self.sim.hold(COORDINATOR, name(link)),
            Fault::Worker(worker, fall) => {
                self.falls.1 += 1;
                if fall == Fall::Gone {
                    self.sim.partition(COORDINATOR, name(worker));
                }
                bring_down(&mut self.sim, &self.others[worker], fall);
            }
            Fault::Coordinator(fall) => {
                self.falls.0 += 1;
                if let Some(running) = self.coordinator.running() {
                    self.witness.borrow_mut().remember(running.store())?;
                }
                if fall == Fall::Gone {
                    for host in &self.others {
                        self.sim.partition(COORDINATOR, host.name);
                    }
                }
                bring_down(&mut self.sim, &self.coordinator.host, fall);
            }
        }
        Ok(())
    }

    fn mend(&mut self, fault: Fault) {
        tracing::info!(now = ?self.sim.elapsed(), ?fault, "ends");
        match fault {
            // Restores the link, and delivers messages that were held back.
            Fault::Cut(link) | Fault::CutOneWay(link, _) | Fault::Hold(link) => {
                self.sim.release(COORDINATOR, self.others[link].name);
            }
            Fault::Worker(worker, _) => {
                let host = &self.others[worker];
                self.sim.repair(COORDINATOR, host.name);
                bring_up(&mut self.sim, host);
            }
            Fault::Coordinator(_) => {
                for host in &self.others {
                    self.sim.repair(COORDINATOR, host.name);
                }
                bring_up(&mut self.sim, &self.coordinator.host);
            }
        }
    }

    /// Simulates until the software of a host has ended.
    fn wait_for_the_end_of(&mut self, host: &str, longest: Duration) -> Result {
        let by = self.sim.elapsed() + longest;
        while self.sim.is_host_running(host) {
            if self.sim.elapsed() > by {
                let open = self.witness.borrow().open();
                let problem = format!("{host} does not end; not seen solved: {open:?}");
                return Err(violation(problem).into());
            }
            self.step()?;
        }
        Ok(())
    }

    /// Ends everything in order, and checks the disks.
    fn end(mut self) -> Result<String> {
        for worker in 0..self.workers {
            self.others[worker].request_stop(true);
        }
        for worker in 0..self.workers {
            self.wait_for_the_end_of(self.others[worker].name, LEAVING)?;
        }
        self.coordinator.host.request_stop(true);
        self.wait_for_the_end_of(COORDINATOR, LEAVING)?;
        let time = self.sim.elapsed();
        drop(self.sim);
        let store = Store::open(&self.coordinator.host.disk.folder(), &game::encodings())?;
        self.witness.borrow().found_in(&store)?;
        for worker in &self.others[..self.workers] {
            let own = worker.disk.folder().join("0");
            if !own.is_dir() {
                continue;
            }
            for record in Store::open(&own, &game::encodings())?.iter() {
                let record = record?.record;
                let found = is_in(&store, &record.key, record.value);
                found.map_err(|lost| violation(format!("{} proved: {lost}", worker.name)))?;
            }
        }
        compare(&store)?;
        let (time, records) = (time.as_secs(), store.len());
        let (of_coordinator, of_workers) = self.falls;
        Ok(format!(
            "{time} s simulated, {of_coordinator} falls of the coordinator, {of_workers} of \
             workers, {records} records"
        ))
    }
}

fn config(random: &mut Rng) -> Config {
    Config {
        // A small one makes the proofs restart.
        memory: [64 << 10, 1 << 20, 1 << 30][random.usize(..3)],
        job_size: JobSize {
            slice: Duration::from_millis(4),
            least: [4, 100, 10_000][random.usize(..3)],
        },
        lease: Duration::from_secs([3, 5, 30][random.usize(..3)]),
        checkpoint: Duration::from_secs(2),
        ..Config::default()
    }
}

/// Ends the software of a host, or asks it to end.
fn bring_down(sim: &mut Sim<'_>, host: &Host, fall: Fall) {
    if fall == Fall::Asked {
        return host.request_stop(true);
    }
    host.disk.outlive();
    sim.crash(host.name);
}

/// Starts the software of a host again.
fn bring_up(sim: &mut Sim<'_>, host: &Host) {
    if sim.is_host_running(host.name) {
        // It was asked to end, but open calls keep it running: it is killed.
        bring_down(sim, host, Fall::Killed);
    }
    host.request_stop(false);
    sim.bounce(host.name);
}
