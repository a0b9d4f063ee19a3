//! A coordinator is killed in the middle of a computation. Started again it goes on with it, under the
//! same number, with the work counted that went before, and nobody finds again what it knows. Whoever
//! watches hears no more of it than that the coordinator was gone.

use std::thread;
use std::time::{Duration, Instant};

use crate::command::LONG;
use crate::processes::{Commands, Fleet, Part, eventually};
use serde_json::Value;

/// It takes hours.
const ENDLESS: [&str; 2] = ["solve", "0*39"];

/// How long finding records may take, on a busy machine.
const REST: Duration = Duration::from_mins(5);

/// Longer than a coordinator works between two checkpoints, by far.
const WORKED: Duration = Duration::from_secs(50);

/// By then there was a checkpoint, which counts what was done until then.
const COUNTED: Duration = Duration::from_secs(20);

/// Records that are known when all processes are killed, and that are found afterwards.
const KNOWN: u64 = 400;

/// One of so many records that come in after the kill may have been known: one that the coordinator
/// concluded itself while a worker was at it.
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
    // What the worker knows from now on it has from the coordinator.
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

/// Starts a computation and does not wait for it.
fn detach(commands: &Commands, arguments: &[&str]) -> u64 {
    let answers = commands.ask(&[arguments, &["--detach"]].concat());
    answers[0]["id"].as_u64().expect("a number")
}

/// What commands show.
#[derive(Debug)]
struct Seen {
    status: String,
    /// Of the computation.
    expansions: u64,
    /// In the store.
    records: u64,
}

impl Seen {
    /// A computation, which must be listed, and the store.
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
