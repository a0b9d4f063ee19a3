//! What holds in the end of every test that disturbs a fleet, and its user meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::desk::{Desk, Task};
use super::facts::check_known;
use super::spy::{Spy, whole_feed};
use super::{Acknowledged, Commands, Fleet, GRACE, Part, eventually, worker_name};

/// Between what the user does.
const BETWEEN_COMMANDS: Duration = Duration::from_millis(300);

/// How long workers may take to be known again, and to hear that there is nothing to do.
pub(crate) const SETTLING: Duration = Duration::from_mins(1);

/// Looks, meddles and asks until this is to stop; starts a task whenever all are solved.
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

/// No worker is stuck: each holds a job, as there is work for all.
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

/// Each worker is there, and has nothing to do.
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

/// Everything that was acknowledged is in the feed and in the coordinator's store, also what workers were told
/// that it has. Ends the workers and kills the coordinator for it.
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
    // A cursor that was taken up after each break has missed nothing.
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

/// A number given in the environment.
pub(crate) fn setting<T: std::str::FromStr<Err: std::fmt::Debug>>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().expect("a number"))
}
