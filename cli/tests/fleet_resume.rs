//! A coordinator is killed during a computation and started again. It continues the computation under the same id and
//! counts the earlier work. Workers do not find known records again. `watch` only reports that the coordinator was
//! gone.

use std::thread;
use std::time::{Duration, Instant};

use crate::command::LONG;
use crate::processes::{Commands, Fleet, Part, eventually};
use serde_json::Value;

/// The command of a computation that takes hours.
const ENDLESS: [&str; 2] = ["solve", "0*39"];

/// The time limit for finding records, on a busy machine.
const REST: Duration = Duration::from_mins(5);

/// The time before the kill: much longer than the interval of checkpoints.
const WORKED: Duration = Duration::from_secs(50);

/// The first part of that time. Its work is in a checkpoint by the kill, so it still counts afterwards.
const COUNTED: Duration = Duration::from_secs(20);

/// The number of records before the kill of all processes, and the number of new records to wait for afterwards.
const KNOWN: u64 = 400;

/// One in this number of records received after the kill may be known already: the coordinator may derive a record
/// itself while a worker searches for it.
const REPEATED: u64 = 20;

#[test]
fn a_computation_goes_on_after_a_kill_as_it_was() {
    let mut fleet = Fleet::start(2);
    let commands = fleet.commands();
    let id = detach(&commands, &ENDLESS);
    let watching = commands.start(&["watch", &id.to_string()]);
    let began = Instant::now();
    let mut counted = 0;
    while began.elapsed() < WORKED {
        let now = Seen::of(&commands, id);
        if began.elapsed() < COUNTED {
            counted = now.expansions;
        }
        thread::sleep(Duration::from_secs(1));
    }
    let before = Seen::of(&commands, id);
    assert!(0 < counted && counted < before.expansions, "{before:?}");
    fleet.kill(Part::Coordinator);
    fleet.start_again(Part::Coordinator);

    let after = Seen::of(&commands, id);
    eprintln!("{counted} expansions counted, {before:?} before, {after:?} after");
    assert!(after.expansions >= counted, "{after:?}");
    assert!(after.records >= before.records, "{after:?}");
    assert_eq!(after.status, "running");
    eventually(LONG, || {
        let later = Seen::of(&commands, id);
        assert!(later.records >= after.records, "{later:?}");
        let goes_on = later.expansions > before.expansions && later.records > before.records;
        if goes_on { Ok(()) } else { Err(later) }
    });
    commands.insist(&["cancel", &id.to_string()]).with_code(0);
    let watched = watching.end(LONG).with_code(3);
    let shown: Vec<u64> = watched.json().iter().map(expansions).collect();
    assert!(shown.last() > Some(&before.expansions), "{shown:?}");
    assert!(
        watched.stderr.contains("the coordinator is back"),
        "{watched:#?}"
    );
}

#[test]
fn what_is_known_is_not_found_again_after_a_kill() {
    let mut fleet = Fleet::start(1);
    let commands = fleet.commands();
    let id = detach(&commands, &ENDLESS);
    eventually(REST, || {
        let now = Seen::of(&commands, id);
        if now.records >= KNOWN {
            Ok(())
        } else {
            Err(now)
        }
    });
    for part in fleet.parts() {
        fleet.kill(part);
    }
    // The worker now knows only the records that it gets from the coordinator.
    fleet.lose_worker_stores();
    for part in fleet.parts() {
        fleet.start_again(part);
    }
    let before = Seen::of(&commands, id);
    assert!(before.records >= KNOWN, "{before:?}");
    eventually(REST, || {
        let received = fleet.metric("sproutnet_records_received_total");
        let workers = commands.workers();
        let new = workers.iter().map(|worker| worker["records"].as_u64());
        let new: u64 = new.map(|records| records.expect("a number")).sum();
        if new < KNOWN {
            return Err((received, workers));
        }
        eprintln!("{before:?} before, then {new} of {received} records were new");
        let repeated = received.saturating_sub(new);
        assert!(
            repeated <= received / REPEATED,
            "{repeated} of {received} records were known"
        );
        Ok(())
    });
}

/// Starts a computation without waiting for it; returns its id.
fn detach(commands: &Commands, arguments: &[&str]) -> u64 {
    let answers = commands.ask(&[arguments, &["--detach"]].concat());
    answers[0]["id"].as_u64().expect("a number")
}

/// The state that commands show.
#[derive(Debug)]
struct Seen {
    status: String,
    /// The expansions of the computation.
    expansions: u64,
    /// The number of records in the store.
    records: u64,
}

impl Seen {
    /// The state of the store and of the only computation, which must have this id.
    fn of(commands: &Commands, id: u64) -> Self {
        let list = commands.list();
        let [listed] = &list[..] else {
            panic!("there is one computation: {list:?}");
        };
        assert_eq!(listed["id"], id, "{listed}");
        let fleet = commands.ask(&["fleet"]).remove(0);
        Self {
            status: listed["status"].as_str().expect("a text").to_owned(),
            expansions: expansions(listed),
            records: fleet["records"].as_u64().expect("a number"),
        }
    }
}

fn expansions(shown: &Value) -> u64 {
    shown["expansions"].as_u64().expect("a number")
}
