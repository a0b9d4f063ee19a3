//! The checks at the end of each test that disturbs a fleet, and the user during the test.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::desk::{Desk, Task};
use super::facts::check_known;
use super::spy::{Spy, whole_feed};
use super::{Acknowledged, Commands, Fleet, GRACE, Part, eventually, worker_name};

/// The pause between two actions of the user.
const BETWEEN_COMMANDS: Duration = Duration::from_millis(300);

/// The time limit for workers to register again, and to learn that there is no work.
pub(crate) const SETTLING: Duration = Duration::from_mins(1);

/// Looks at computations, meddles with them and asks for results until `stop`. Starts another task when all are solved.
pub(crate) fn use_commands(
    desk: &mut Desk,
    more: &mut dyn Iterator<Item = Task>,
    stop: &AtomicBool,
) {
    for turn in 0_u32.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        match turn % 3 {
            0 => desk.meddle(),
            1 => desk.ask_again_for_one(),
            _ => {}
        }
        if desk.look().is_empty()
            && let Some(task) = more.next()
        {
            desk.start(task);
        }
        thread::sleep(BETWEEN_COMMANDS);
    }
}

/// Checks that no worker is stuck: each has a job, because there is work for all.
pub(crate) fn check_all_work(commands: &Commands, workers: usize) {
    eventually(SETTLING, || {
        let seen = commands.workers();
        let at_work = |number| {
            let name = worker_name(number);
            let mut named = seen.iter().filter(|worker| worker["name"] == name);
            named.any(|worker| worker["jobs"].as_u64() > Some(0))
        };
        (0..workers).all(at_work).then_some(()).ok_or(seen)
    });
}

/// Checks that each worker is registered and has no job.
pub(crate) fn check_all_rest(commands: &Commands, workers: usize) {
    eventually(SETTLING, || {
        let seen = commands.workers();
        let rests = |number| {
            let name = worker_name(number);
            let mut named = seen.iter().filter(|worker| worker["name"] == name);
            named.any(|worker| worker["jobs"] == 0 && worker["silent"].as_f64() < Some(10.0))
        };
        let all = seen.len() == workers && (0..workers).all(rests);
        all.then_some(()).ok_or(seen)
    });
}

/// Checks that all acknowledged records, of the spy and of the workers, are in the coordinator's store, and those of
/// the spy also in the feed. Ends the workers and kills the coordinator.
pub(crate) fn check_nothing_lost(fleet: &mut Fleet, spy: Spy) {
    let gathered = spy.end();
    eprintln!(
        "{} records acknowledged, {} fed with {} breaks",
        gathered.acknowledged.len(),
        gathered.fed.len(),
        gathered.breaks
    );
    let feed = whole_feed(&fleet.url(), &fleet.token_file());
    check_known(&gathered.acknowledged, &feed);
    // The spy resumed the feed at its cursor after each break, and has missed nothing.
    check_known(&feed, &gathered.fed);

    for part in fleet.parts() {
        if part != Part::Coordinator {
            let status = fleet.end(part, GRACE + SETTLING);
            assert_eq!(status.code(), Some(0), "{part:?}");
        }
    }
    fleet.kill(Part::Coordinator);
    let stored = fleet.stored().records;
    check_known(&gathered.acknowledged, &stored);
    check_known(&feed, &stored);
    for of_worker in fleet.acknowledged(gathered.store.expect("it is known")) {
        let Acknowledged {
            newest,
            cursor,
            records,
        } = of_worker;
        assert_eq!(cursor, newest, "a worker has left with debts");
        check_known(records.iter().map(|(key, value)| (key, value)), &stored);
    }
}

/// The number in an environment variable, if it is set.
pub(crate) fn setting<T: std::str::FromStr<Err: std::fmt::Debug>>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a number"))
}
