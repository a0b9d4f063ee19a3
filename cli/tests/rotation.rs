//! Tokens are rotated while a fleet works. Nothing is restarted.

use crate::command::LONG;
use crate::processes::{Fleet, Part, TOKEN, eventually};

#[test]
fn workers_go_on_with_another_token() {
    let mut fleet = Fleet::start(1);
    let commands = fleet.commands();
    commands.ask(&["solve", "0*40", "--detach"]);
    let goes_on = |fleet: &Fleet| {
        let finished = fleet.metric("sproutnet_jobs_finished_total");
        eventually(LONG, || {
            if fleet.metric("sproutnet_jobs_finished_total") > finished + 2 {
                Ok(())
            } else {
                Err(fleet.log(Part::Worker(0)))
            }
        });
    };
    goes_on(&fleet);
    // Whoever still shows the old token may no longer work.
    let next = "the-next-token-for-tests";
    let tokens = format!("next admin {next}\nlast read {TOKEN}\n");
    std::fs::write(fleet.token_file(), tokens).expect("written");
    std::fs::write(fleet.token_file_of_workers(), next).expect("written");
    fleet.hang_up(Part::Worker(0));
    fleet.hang_up(Part::Coordinator);
    eventually(LONG, || match fleet.log(Part::Coordinator) {
        log if log.contains("next (admin), last (read)") => Ok(()),
        log => Err(log),
    });
    goes_on(&fleet);
    commands.ask(&["solve", "0*41", "--detach"]);
    let log = fleet.log(Part::Coordinator);
    let mut lines = log.lines().filter(|line| line.contains(" audit: "));
    let line = lines.find(|line| line.contains(r#"position="0*41""#));
    assert!(
        line.is_some_and(|line| line.contains(r#"by="next""#)),
        "{log}"
    );
    assert!(fleet.runs(Part::Coordinator) && fleet.runs(Part::Worker(0)));
}
