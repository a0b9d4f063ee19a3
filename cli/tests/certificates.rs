//! A certificate that would be checked for ever, sent to a real coordinator: it is stopped at the limit, its
//! sender is told so, and no core stays busy.

use std::fs::File;
use std::thread;
use std::time::{Duration, Instant};

use crate::command::{Running, bare};
use crate::processes::{Fleet, eventually};
use sproutnet_certificate::format::{Claim, write};
use sproutnet_solver::play::{Outcome, Play};
use tempfile::tempdir;

/// How long a coordinator checks, and how soon after that it is at rest.
const LIMIT: Duration = Duration::from_secs(2);
const SOON: Duration = Duration::from_secs(5);

#[test]
fn an_endless_check_is_stopped_at_the_limit() {
    let data = tempdir().expect("a folder");
    let path = |name: &str| data.path().join(name).to_str().expect("a text").to_owned();
    // A curve can part these boundaries in more ways than anyone can count.
    let kinds: Vec<String> = (1..=20).map(|ends| "1".repeat(ends)).collect();
    let endless = format!("{} = 0", kinds.join("."));
    let [endless, good] = [("endless", &*endless), ("good", "0 = 0")].map(|(name, fact)| {
        let claim = Claim {
            play: Play::Normal,
            position: "0*1".to_owned(),
            outcome: Outcome::Loss,
            small: 0,
            tool: "test".to_owned(),
        };
        let file = File::create(path(name)).expect("a file");
        write(claim, &[fact.parse().expect(fact)], file).expect("a file");
        path(name)
    });
    let fleet = Fleet::start_on(data.path(), &["--verify-limit", "2s"], 0);
    let commands = fleet.commands();

    let began = Instant::now();
    let stopped = commands.run(&["mark", &endless]).with_code(1);
    let took = began.elapsed();
    assert!(took >= LIMIT && took < LIMIT + SOON, "{stopped:?}");
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
    check_at_rest(&fleet);

    // A sender that goes away ends the check as well.
    let mut leaving = commands.start(&["mark", &endless]);
    assert!(leaving.runs_for(LIMIT / 4));
    leaving.kill();
    eventually(LIMIT / 2, || match commands.run(&["mark", &good]) {
        ended if ended.status.success() => Ok(()),
        ended => Err(ended),
    });
    check_at_rest(&fleet);

    // The coordinator that `mark` runs itself has no limit.
    let mut command = bare(&["mark", &endless, "--data", &path("own")]);
    command.env("SPROUTNET_VERIFY_LIMIT", "1ms");
    let mut local = Running::start(command);
    assert!(local.runs_for(2 * LIMIT));
    local.interrupt();
    local.end(SOON);
}

/// Checks that the coordinator keeps no core busy.
fn check_at_rest(fleet: &Fleet) {
    let before = fleet.time_on_cores();
    thread::sleep(Duration::from_secs(1));
    let busy = fleet.time_on_cores().saturating_sub(before);
    assert!(busy < Duration::from_millis(200), "{busy:?}");
}
