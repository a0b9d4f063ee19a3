//! A certificate with an endless check, sent to a real coordinator: the check stops at the limit, the sender gets an
//! error, and no core stays busy.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::command::{LONG, Running, sproutnet};
use crate::processes::{Fleet, eventually};
use sproutnet_testkit::certificates;
use tempfile::tempdir;

/// The coordinator's time limit for a check.
const LIMIT: Duration = Duration::from_secs(2);

/// The processor time below which a coordinator is at rest, per second.
const REST: Duration = Duration::from_millis(200);

/// The files of a certificate with an endless check, and of one that is accepted.
fn certificates(folder: &Path) -> [String; 2] {
    [
        ("endless", certificates::endless()),
        ("good", certificates::good()),
    ]
    .map(|(name, bytes)| {
        let file = folder.join(name);
        fs::write(&file, bytes).expect("written");
        file.to_str().expect("a text").to_owned()
    })
}

#[test]
fn an_endless_check_is_stopped_at_the_limit() {
    let data = tempdir().expect("a folder");
    let [endless, good] = certificates(data.path());
    let fleet = Fleet::start_on(data.path(), &["--verify-limit", "2s"], 0);
    let commands = fleet.commands();

    let began = Instant::now();
    let stopped = commands.run(&["mark", &endless]).with_code(1);
    assert!(began.elapsed() >= LIMIT, "{stopped:?}");
    for part in [
        "endless: ",
        " after 2s",
        "--verify-limit",
        "sproutnet verify",
    ] {
        assert!(stopped.stderr.contains(part), "{stopped:?}");
    }
    let accepted = commands.run(&["mark", &good]).with_code(0);
    assert_eq!(accepted.json()[0]["facts"], 1);
    wait_for_rest(&fleet);

    // The coordinator that `mark` runs itself has no limit.
    let mut command = sproutnet(&data.path().join("own"), &["mark", &endless]);
    command.env("SPROUTNET_VERIFY_LIMIT", "1ms");
    let mut local = Running::start(command);
    assert!(local.runs_for(2 * LIMIT));
    local.interrupt();
    local.end(LONG);
}

#[test]
fn the_check_of_a_sender_that_goes_away_is_stopped() {
    let data = tempdir().expect("a folder");
    let [endless, good] = certificates(data.path());
    // The default limit is longer than this test.
    let fleet = Fleet::start(0);
    let commands = fleet.commands();
    let before = fleet.time_on_cores();
    let leaving = commands.start(&["mark", &endless]);
    // Only a check takes this much processor time.
    eventually(LONG, || {
        match fleet.time_on_cores().saturating_sub(before) {
            busy if busy > REST => Ok(()),
            busy => Err(busy),
        }
    });
    leaving.kill();
    eventually(LONG, || match commands.run(&["mark", &good]) {
        ended if ended.status.success() => Ok(()),
        ended => Err(ended),
    });
    wait_for_rest(&fleet);
}

/// Waits until the coordinator keeps no core busy.
fn wait_for_rest(fleet: &Fleet) {
    eventually(LONG, || {
        let before = fleet.time_on_cores();
        thread::sleep(Duration::from_secs(1));
        match fleet.time_on_cores().saturating_sub(before) {
            busy if busy < REST => Ok(()),
            busy => Err(busy),
        }
    });
}
