use super::*;

const SECOND: Duration = Duration::from_secs(1);

/// A budget of 1,000 bytes a second.
const DAILY: u64 = 86_400_000;
const RATE: f64 = 1000.0;

/// A fleet with its rate of sent bytes while nothing is withheld, and its budget.
struct Fleet {
    budget: RecordBudget,
    now: Instant,
    rate: f64,
    /// Doubling the least worth divides the rate by this.
    factor: f64,
    /// The withheld bytes, by the log2 of their worth.
    withheld: Vec<f64>,
    least: LeastWorth,
}

impl Fleet {
    fn new(rate: f64, factor: f64) -> Self {
        let now = Instant::now();
        Self {
            budget: RecordBudget::new(Some(DAILY), now),
            now,
            rate,
            factor,
            withheld: vec![0.0; 16],
            least: LeastWorth::ALL,
        }
    }

    /// The bytes per second worth at least 2^`power`.
    fn worth(&self, power: usize) -> f64 {
        let doublings = (0..power).map(|_| self.factor);
        match power {
            16 => 0.0,
            _ => self.rate / doublings.product::<f64>(),
        }
    }

    /// Runs for a time. Returns the mean bytes sent per second.
    fn run(&mut self, time: Duration) -> f64 {
        let mut sent = 0.0;
        for _ in 0..time.as_secs() {
            self.now += SECOND;
            let least = self.least.visits().ilog2() as usize;
            for power in 0..16 {
                self.withheld[power] += self.worth(power) - self.worth(power + 1);
            }
            let comes: f64 = self.withheld[least..].iter().sum();
            self.withheld[least..].fill(0.0);
            self.budget.count(comes as u64);
            sent += comes;
            // Workers are a second behind.
            let least = self.budget.least_worth(self.now);
            let (low, high) = (self.least.min(least), self.least.max(least));
            assert!(high == low || high == low.raised(), "{low:?} {high:?}");
            assert!(least >= LeastWorth::ALL && least <= LeastWorth::HIGHEST);
            self.least = least;
        }
        sent / time.as_secs_f64()
    }
}

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

#[test]
fn a_large_fleet_comes_to_fit_the_budget() {
    for rate in [1.5, 10.0, 200.0] {
        for factor in [1.5, 1.75, 2.0] {
            let mut fleet = Fleet::new(rate * RATE, factor);
            fleet.run(20 * MINUTE + HOUR);
            let later = fleet.run(6 * HOUR);
            let what = format!("{rate} {factor} {:?}", fleet.least);
            assert!(later <= 1.01 * RATE, "{later} {what}");
            assert!(later > 0.4 * RATE, "{later} {what}");
            let fits = fleet.worth(fleet.least.visits().ilog2() as usize);
            assert!(fits <= RATE, "{fits} {what}");
        }
    }
}

#[test]
fn where_no_worth_fits_it_seldom_changes() {
    // 1.2 of the budget at one worth, 0.4 at the next.
    let mut fleet = Fleet::new(1.2 * RATE, 3.0);
    fleet.run(HOUR);
    let (mut changes, mut before) = (0, fleet.least);
    for _ in 0..5 * HOUR.as_secs() {
        fleet.run(SECOND);
        changes += usize::from(fleet.least != before);
        before = fleet.least;
    }
    assert!((2..50).contains(&changes), "{changes}");
}

#[test]
fn a_burst_at_the_start_and_a_small_fleet_are_free() {
    let mut burst = Fleet::new(3.9 * RATE, 2.0);
    burst.run(3 * MINUTE);
    assert_eq!(burst.least, LeastWorth::ALL);
    burst.rate = 0.0;
    burst.run(10 * MINUTE);
    assert_eq!(burst.least, LeastWorth::ALL);
    // As much again once it is saved up.
    burst.rate = 3.9 * RATE;
    burst.run(3 * MINUTE);
    assert_eq!(burst.least, LeastWorth::ALL);
    burst.run(MINUTE);
    assert!(burst.least > LeastWorth::ALL);

    let mut small = Fleet::new(0.99 * RATE, 2.0);
    for _ in 0..100 {
        small.run(MINUTE);
        assert_eq!(small.least, LeastWorth::ALL);
    }
}

#[test]
fn what_is_saved_is_not_spent_faster_than_a_coordinator_can_take_it() {
    // The saved budget would last for a minute.
    let mut flood = Fleet::new(10.0 * RATE, 2.0);
    flood.run(30 * SECOND);
    let later = flood.run(10 * SECOND);
    assert!(later < MOST_SPENT * RATE, "{later}");
    assert!(later > RATE, "something is saved still: {later}");
}

#[test]
fn it_falls_when_the_fleet_shrinks_and_when_nothing_comes() {
    let mut fleet = Fleet::new(200.0 * RATE, 2.0);
    fleet.run(3 * HOUR);
    assert!(fleet.least.visits() >= 128, "{:?}", fleet.least);
    fleet.rate = 0.1 * RATE;
    fleet.withheld.fill(0.0);
    fleet.run(2 * HOUR);
    assert_eq!(fleet.least, LeastWorth::ALL);

    // Even without calls in between, it falls by one step at a time.
    let now = Instant::now();
    let mut budget = RecordBudget::new(Some(DAILY), now);
    budget.count(DAILY);
    let two = budget.least_worth(now + PERIOD);
    assert_eq!(two.visits(), 2);
    let mut now = now + 2 * HOUR;
    for _ in 1..CALM {
        assert_eq!(budget.least_worth(now), two);
        now += PERIOD;
    }
    assert_eq!(budget.least_worth(now), LeastWorth::ALL);
}

#[test]
fn it_stays_within_its_bounds() {
    let mut fleet = Fleet::new(1e9 * RATE, 1.5);
    fleet.run(HOUR);
    assert_eq!(fleet.least, LeastWorth::HIGHEST);
    fleet.rate = 0.0;
    fleet.withheld.fill(0.0);
    fleet.run(3 * HOUR);
    assert_eq!(fleet.least, LeastWorth::ALL);
}

#[test]
fn a_fixed_least_worth_wins_and_no_budget_withholds_nothing() {
    let mut now = Instant::now();
    let least = LeastWorth::of_visits(64);
    let mut fixed = RecordBudget::fixed(least, now);
    let mut unlimited = RecordBudget::new(None, now);
    for bytes in [u64::MAX, u64::MAX, 0, 0] {
        for _ in 0..100 {
            now += PERIOD;
            fixed.count(bytes);
            unlimited.count(bytes);
            assert_eq!(fixed.least_worth(now), least);
            assert_eq!(unlimited.least_worth(now), LeastWorth::ALL);
        }
    }
}
