//! A fleet in simulated time shares its machine time between computations by their weights.

use std::time::{Duration, Instant};

use sproutnet_coordinator::scheduler::computation::{Computation, Request};
use sproutnet_coordinator::scheduler::fleet::{Games, Registration};
use sproutnet_coordinator::scheduler::job_size::JobSize;
use sproutnet_coordinator::scheduler::leases::WorkerSlot;
use sproutnet_coordinator::scheduler::quotas::Quota;
use sproutnet_coordinator::scheduler::shares::Weight;
use sproutnet_coordinator::scheduler::{Deadline, Grant, Scheduler};
use sproutnet_game as game;
use sproutnet_notation::{ComputationId, SourceId, WorkerId};
use sproutnet_solver::play::Play;
use sproutnet_solver::search::{Found, Numbers};

const WORKERS: usize = 30;

/// The duration of a lease without a renewal.
const LEASE: Duration = Duration::from_secs(30);

/// The time between two looks at the fleet.
const STEP: Duration = Duration::from_millis(50);

/// A simulated worker with one slot.
struct Worker {
    number: WorkerId,
    cores: u32,
    /// Its job, when it began, and when it ends.
    job: Option<(Grant, Instant, Instant)>,
    /// When it is up again, if it was killed.
    down: Option<Instant>,
}

/// A fleet whose workers are killed, around a scheduler.
struct Fleet {
    scheduler: Scheduler,
    workers: Vec<Worker>,
    now: Instant,
    random: fastrand::Rng,
    identities: u64,
    /// The machine time that each computation got.
    got: Vec<(ComputationId, Duration)>,
    /// The chance that a worker is killed in a step.
    killed: f64,
}

impl Fleet {
    fn new(seed: u64, killed: f64) -> Self {
        let size = JobSize::default();
        let mut fleet = Self {
            scheduler: Scheduler::new(std::sync::Arc::default(), size, LEASE, 1),
            workers: Vec::new(),
            now: Instant::now(),
            random: fastrand::Rng::with_seed(seed),
            identities: 0,
            got: Vec::new(),
            killed,
        };
        for number in 0..WORKERS {
            // Every third has four cores.
            let cores = if number % 3 == 0 { 4 } else { 1 };
            let number = fleet.register(cores);
            fleet.workers.push(Worker {
                number,
                cores,
                job: None,
                down: None,
            });
        }
        fleet
    }

    fn register(&mut self, cores: u32) -> WorkerId {
        self.identities += 1;
        let registration = Registration {
            name: "simulated".to_owned(),
            peer: "nowhere".to_owned(),
            version: String::new(),
            cores,
            slots: 1,
            identity: self.identities,
            source: SourceId(1),
            games: Games::All,
        };
        let registered = self.scheduler.register(registration, self.now);
        registered.expect("few workers")
    }

    /// Starts a computation that takes longer than the simulation.
    fn start(&mut self, position: &str, weight: u32) -> ComputationId {
        self.start_for("", position, weight)
    }

    fn start_for(&mut self, owner: &str, position: &str, weight: u32) -> ComputationId {
        let (game, position) = game::parse(position).expect("a position");
        let request = Request {
            game: game.name(),
            position,
            play: Play::Normal,
            nimber: false,
        };
        let mut computation = Computation::new(request, 0);
        let weight = Weight::new(weight).expect("a weight");
        computation.restore_account(weight, Duration::ZERO);
        owner.clone_into(&mut computation.owner);
        let id = self.scheduler.add(computation);
        self.got.push((id, Duration::ZERO));
        id
    }

    /// Sets the priority of a computation.
    fn prefer(&mut self, id: ComputationId, priority: i32) {
        let (deadline, now) = (Deadline::AsItIs, self.now);
        self.scheduler.resume(id, Some(priority), deadline, now);
    }

    /// Lets time pass.
    fn run(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            self.now += STEP;
            for number in 0..WORKERS {
                self.turn(number);
            }
            self.scheduler.tick(self.now);
        }
    }

    /// What a worker does in a step.
    fn turn(&mut self, number: usize) {
        let now = self.now;
        let is_killed = self.random.f64() < self.killed;
        let worker = &mut self.workers[number];
        let cores = worker.cores;
        if worker.down.is_some_and(|until| until > now) {
            return;
        }
        if worker.down.take().is_some() {
            self.workers[number].number = self.register(cores);
        }
        let worker = &mut self.workers[number];
        if is_killed {
            worker.down = Some(now + Duration::from_secs(self.random.u64(1..90)));
            if let Some((grant, began, _)) = worker.job.take() {
                self.count(grant.computation, (now - began) * cores);
            }
            return;
        }
        let of = worker.number;
        if let Some((grant, began, _)) = worker.job.take_if(|job| job.2 <= now) {
            self.count(grant.computation, (now - began) * cores);
            // It is never solved, and never large enough to be divided.
            let found = Found::Open {
                numbers: Numbers {
                    proof: 5,
                    disproof: 5,
                },
                visits: 1,
                children: Vec::new(),
            };
            let reported = self.scheduler.report(grant.lease, of, found, 1, now);
            assert_eq!(reported, Some(grant.computation));
        }
        if self.workers[number].job.is_none() {
            let slot = WorkerSlot {
                worker: of,
                number: 0,
            };
            let leased = self.scheduler.lease(slot, now).expect("it is registered");
            let grant = leased.expect("there is always a job");
            let slice = grant.slice.as_millis() as u64;
            // The jobs of the first computation take a third of the others'.
            let is_first = grant.computation == self.got[0].0;
            let longest = if is_first { slice / 3 } else { slice };
            let took = Duration::from_millis(self.random.u64(1..=longest));
            self.workers[number].job = Some((grant, now, now + took));
        }
    }

    fn count(&mut self, of: ComputationId, time: Duration) {
        let mut got = self.got.iter_mut();
        let (_, all) = got.find(|(id, _)| *id == of).expect("it was started");
        *all += time;
    }

    /// The machine time that a computation got, in seconds.
    fn got(&self, of: ComputationId) -> f64 {
        let got = self.got.iter().find(|(id, _)| *id == of);
        got.expect("it was started").1.as_secs_f64()
    }
}

#[test]
fn an_hour_of_thirty_workers_is_shared_three_to_one_under_kills() {
    for seed in 1..=4 {
        // Each worker is killed about twelve times in an hour.
        let mut fleet = Fleet::new(seed, 12.0 / 72_000.0);
        let (three, one) = (fleet.start("0*30", 3), fleet.start("0*31", 1));
        fleet.run(Duration::from_hours(1));
        let ratio = fleet.got(three) / fleet.got(one);
        println!("seed {seed}: {ratio:.3}");
        assert!((ratio - 3.0).abs() < 0.3, "{ratio}, seed {seed}");
        let known = |id| fleet.scheduler.computations()[&id].account().used();
        for id in [three, one] {
            let (known, got) = (known(id).as_secs_f64(), fleet.got(id));
            assert!((known - got).abs() < 0.05 * got, "{known} of {got}");
        }
    }
}

#[test]
fn who_begins_late_gets_its_share_at_once_and_the_older_one_goes_on() {
    for seed in 1..=4 {
        let mut fleet = Fleet::new(seed, 1.0 / 72_000.0);
        let old = fleet.start("0*30", 1);
        fleet.run(Duration::from_mins(30));
        let late = fleet.start("0*31", 1);
        let before = fleet.got(old);
        fleet.run(Duration::from_secs(20));
        let (of_late, of_old) = (fleet.got(late), fleet.got(old) - before);
        assert!(of_late > of_old, "{of_late} and {of_old}, seed {seed}");
        fleet.run(Duration::from_mins(2));
        let before = [old, late].map(|id| fleet.got(id));
        fleet.run(Duration::from_mins(10));
        let since = [old, late].map(|id| fleet.got(id));
        let ratio = (since[0] - before[0]) / (since[1] - before[1]);
        assert!((ratio - 1.0).abs() < 0.1, "{ratio}, seed {seed}");
    }
}

#[test]
fn the_computations_of_an_owner_share_its_quota() {
    for seed in 1..=4 {
        let mut fleet = Fleet::new(seed, 12.0 / 72_000.0);
        let quotas = ["anna=2", "*=1"].map(|quota| quota.parse::<Quota>().expect(quota));
        fleet.scheduler = fleet.scheduler.with_quotas(quotas.into_iter().collect());
        // Anna has weight 12 in all, Bob 2, and Carla no more than her quota.
        let anna = [3, 4, 5].map(|weight| {
            (
                weight,
                fleet.start_for("anna", &format!("0*3{weight}"), weight),
            )
        });
        let bob = [0, 1].map(|size| fleet.start_for("bob", &format!("0*3{size}"), 1));
        let carla = fleet.start_for("carla", "0*36", 1);
        fleet.run(Duration::from_mins(30));
        let unit = fleet.got(carla);
        let is_near = |id, share: f64| {
            let got = fleet.got(id) / unit;
            assert!(
                (got / share - 1.0).abs() < 0.1,
                "{got} for {share}, seed {seed}"
            );
        };
        for (weight, id) in anna {
            is_near(id, 2.0 * f64::from(weight) / 12.0);
        }
        for id in bob {
            is_near(id, 0.5);
        }
    }
}

#[test]
fn a_quota_takes_nothing_that_nobody_else_wants() {
    let mut fleet = Fleet::new(1, 0.0);
    let quota: Quota = "anna=1".parse().expect("a quota");
    fleet.scheduler = fleet.scheduler.with_quotas([quota].into_iter().collect());
    let anna = [5, 1].map(|weight| fleet.start_for("anna", &format!("0*3{weight}"), weight));
    fleet.run(Duration::from_mins(10));
    // Ten workers with four cores, twenty with one.
    let all: f64 = anna.map(|id| fleet.got(id)).iter().sum();
    assert!(all > 0.95 * 60.0 * 600.0, "{all}");
}

#[test]
fn another_priority_begins_a_share_anew() {
    let mut fleet = Fleet::new(1, 0.0);
    let (old, other) = (fleet.start("0*30", 1), fleet.start("0*31", 1));
    fleet.run(Duration::from_mins(10));
    // They get all workers for a while, and the other none.
    fleet.prefer(old, 1);
    fleet.run(Duration::from_mins(10));
    let before = fleet.got(other);
    fleet.run(Duration::from_mins(10));
    assert!((fleet.got(other) - before).abs() < f64::EPSILON);
    // The time of higher priority is no debt.
    fleet.prefer(old, 0);
    let before = [old, other].map(|id| fleet.got(id));
    fleet.run(Duration::from_mins(10));
    let since = [old, other].map(|id| fleet.got(id));
    let ratio = (since[0] - before[0]) / (since[1] - before[1]);
    assert!((ratio - 1.0).abs() < 0.15, "{ratio}");
}
