use super::*;

fn weight(weight: u32) -> Weight {
    Weight::new(weight).expect("a weight")
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Accounts on a machine with `cores` cores, each of which runs one job at a time, in simulated time.
struct Machine {
    accounts: Vec<Account>,
    /// For each core: when its job ends, whose it is, when it began, and its charge.
    jobs: Vec<Option<(u64, usize, u64, Charge)>>,
    /// In milliseconds.
    now: u64,
    random: fastrand::Rng,
    /// The machine time of each account, in milliseconds.
    used: Vec<u64>,
}

const SLICE: u64 = 2000;

impl Machine {
    fn new(cores: usize, seed: u64) -> Self {
        Self {
            accounts: Vec::new(),
            jobs: vec![None; cores],
            now: 0,
            random: fastrand::Rng::with_seed(seed),
            used: Vec::new(),
        }
    }

    fn add(&mut self, weight: Weight) -> usize {
        self.accounts.push(Account::new(weight, Duration::ZERO));
        self.used.push(0);
        self.enter(self.accounts.len() - 1);
        self.accounts.len() - 1
    }

    fn enter(&mut self, number: usize) {
        let mut account = self.accounts[number];
        let others = self.accounts.iter_mut().enumerate();
        let others = others.filter(|(other, account)| *other != number && account.is_active());
        let mut others: Vec<&mut Account> = others.map(|(_, account)| account).collect();
        account.enter(&mut others, self.jobs.len() as u32);
        self.accounts[number] = account;
    }

    /// Lets time pass; the jobs of the account `n` take at most `longest(n)`.
    fn run(&mut self, time: Duration, longest: impl Fn(usize) -> u64) {
        let end = self.now + time.as_millis() as u64;
        while self.now < end {
            for job in &mut self.jobs {
                if let Some((_, of, began, charge)) = job.take_if(|job| job.0 <= self.now) {
                    let took = self.now - began;
                    self.used[of] += took;
                    self.accounts[of].settle(charge, Duration::from_millis(took));
                }
                if job.is_none() {
                    let accounts = self.accounts.iter().enumerate();
                    let active = accounts.filter(|(_, account)| account.is_active());
                    let first = active.min_by_key(|(number, account)| (account.due(), *number));
                    let Some((first, _)) = first else { continue };
                    let took = self.random.u64(5..=longest(first));
                    let charge = self.accounts[first].charge(Duration::from_millis(SLICE), None);
                    *job = Some((self.now + took, first, self.now, charge));
                }
            }
            self.now += 5;
        }
    }

    /// The machine time of each account since `before`, in seconds.
    fn since(&self, before: &[u64]) -> Vec<f64> {
        let before = before.iter().chain(std::iter::repeat(&0));
        let used = self.used.iter().zip(before);
        used.map(|(used, before)| (used - before) as f64 / 1e3)
            .collect()
    }
}

#[test]
fn a_weight_is_from_1_to_1000() {
    assert_eq!(Weight::new(0), None);
    assert_eq!(Weight::new(1), Some(Weight::default()));
    assert_eq!(Weight::new(1000).map(Weight::get), Some(1000));
    assert_eq!(Weight::new(1001), None);
}

#[test]
fn machine_time_is_shared_by_weight_whatever_jobs_take() {
    for (seed, cores) in [(1, 1), (2, 4), (3, 30)] {
        let mut machine = Machine::new(cores, seed);
        for of in [3, 1, 6] {
            machine.add(weight(of));
        }
        // The jobs of the second take a tenth of the slice.
        machine.run(seconds(1200), |of| if of == 1 { SLICE / 10 } else { SLICE });
        let all: f64 = machine.since(&[]).iter().sum();
        for (got, part) in machine.since(&[]).into_iter().zip([0.3, 0.1, 0.6]) {
            let part = part * all;
            assert!((got - part).abs() < 0.03 * part, "{got} of {all}, {cores}");
        }
    }
}

#[test]
fn a_changed_weight_counts_from_then_on() {
    let mut machine = Machine::new(4, 1);
    let (changed, other) = (machine.add(weight(1)), machine.add(weight(1)));
    machine.run(seconds(600), |_| SLICE);
    machine.accounts[changed].set_weight(weight(5));
    let before = machine.used.clone();
    machine.run(seconds(600), |_| SLICE);
    let since = machine.since(&before);
    let ratio = since[changed] / since[other];
    assert!((ratio - 5.0).abs() < 0.25, "{since:?}");
}

#[test]
fn who_begins_late_has_a_head_start_and_then_its_share() {
    let mut machine = Machine::new(30, 1);
    let old = machine.add(weight(1));
    machine.run(seconds(3600), |_| SLICE);
    let before = machine.used.clone();
    let late = machine.add(weight(1));
    machine.run(seconds(30), |_| SLICE);
    let since = machine.since(&before);
    assert!(since[late] > 0.85 * 30.0 * 30.0, "{since:?}");
    machine.run(seconds(570), |_| SLICE);
    // A minute of its share is 900 seconds of a core; of the rest, each gets a half.
    let since = machine.since(&before);
    let ahead = since[late] - since[old];
    assert!((ahead - 900.0).abs() < 120.0, "{since:?}");
}

#[test]
fn head_starts_cost_the_older_at_most_a_quarter_of_what_it_used() {
    let mut machine = Machine::new(30, 1);
    let old = machine.add(weight(1));
    machine.run(seconds(3600), |_| SLICE);
    let before = machine.used.clone();
    // Another begins every twenty seconds, and ends before its head start does.
    for _ in 0..180 {
        let late = machine.add(weight(1));
        machine.run(seconds(20), |_| SLICE);
        machine.accounts[late].leave();
    }
    // Without head starts it would get half of the machine.
    let since = machine.since(&before);
    let all: f64 = since.iter().sum();
    assert!(since[old] > 0.35 * all, "{} of {all}", since[old]);
}

#[test]
fn who_begins_just_after_another_has_no_head_start() {
    let mut machine = Machine::new(4, 1);
    let (old, late) = (machine.add(weight(1)), machine.add(weight(1)));
    assert_eq!(machine.accounts[late], machine.accounts[old]);
}

#[test]
fn time_without_jobs_earns_a_head_start_at_most_and_time_alone_costs_nothing() {
    let mut machine = Machine::new(4, 1);
    let (steady, absent) = (machine.add(weight(1)), machine.add(weight(1)));
    machine.accounts[absent].leave();
    machine.run(seconds(3600), |_| SLICE);
    machine.enter(absent);
    let before = machine.used.clone();
    machine.run(seconds(600), |_| SLICE);
    // A minute of its share is 120 seconds of a core.
    let since = machine.since(&before);
    let ahead = since[absent] - since[steady];
    assert!((ahead - 120.0).abs() < 16.0, "{since:?}");

    // The steady one is away, and a third begins alone. The steady one does not wait until that one used as much.
    for account in &mut machine.accounts {
        account.leave();
    }
    let third = machine.add(weight(1));
    machine.run(seconds(60), |_| SLICE);
    machine.enter(steady);
    let before = machine.used.clone();
    machine.run(seconds(600), |_| SLICE);
    let since = machine.since(&before);
    assert!(since[steady] > 0.9 * since[third], "{since:?}");
}

#[test]
fn a_restored_account_is_due_like_a_new_one() {
    let restored = Account::new(weight(7), seconds(5000));
    assert_eq!(
        (restored.used(), restored.due()),
        (seconds(5000), Duration::ZERO)
    );
}
