//! Ctrl-C during `sproutnet solve`: it ends soon, and the same command continues from there.

use std::path::Path;
use std::time::Duration;

use crate::command::{Content, Ended, LOG, Report, Running, json, run, sproutnet};
use tempfile::tempdir;

/// How long the end may take after the signal.
const SOON: Duration = Duration::from_secs(2);

fn start(data: &Path, arguments: &[&str]) -> Running {
    let mut command = sproutnet(data, arguments);
    command.env("RUST_LOG", LOG);
    Running::start(command)
}

fn interrupt(mut running: Running) -> Ended {
    running.interrupt();
    let ended = running.end_with_open_input(SOON).with_code(3);
    let told = ended
        .stderr
        .contains("the same command continues from here");
    assert!(told, "{}", ended.stderr);
    ended
}

/// Waits until something was found, and for some more time.
fn let_work(running: &mut Running) {
    let is_progress = |line: &str| Report::read(line).is_some_and(|report| report.added > 0);
    running.error_line_where(is_progress);
    assert!(running.runs_for(Duration::from_millis(700)));
}

#[test]
fn what_was_found_is_kept() {
    let data = tempdir().expect("a folder");
    let mut before = Content::default();
    for cores in ["1", "2", "1"] {
        let mut running = start(data.path(), &["solve", "0*30", "--cores", cores]);
        let_work(&mut running);
        let ended = interrupt(running);
        assert_eq!(ended.stdout, "");
        let reports = ended.stderr.lines().filter_map(Report::read);
        let appends = reports.filter(|report| report.added > 0).count();
        let after = Content::read(data.path());
        before.check_kept_in(&after);
        assert!(
            after.records.len() > before.records.len(),
            "nothing new was found"
        );
        assert!(after.cursor >= before.cursor + appends as u64);
        before = after;
    }
}

#[test]
fn the_job_under_way_is_reported() {
    let data = tempdir().expect("a folder");
    let mut running = start(data.path(), &["solve", "0*30", "--cores", "1"]);
    let_work(&mut running);
    let ended = interrupt(running);
    let of_signal = ended
        .stderr
        .split("interrupted")
        .nth(1)
        .expect("it is told");
    let reports: Vec<Report> = of_signal.lines().filter_map(Report::read).collect();
    assert!(
        reports.iter().any(|report| report.added > 0),
        "{}",
        ended.stderr
    );
}

#[test]
fn answers_given_before_are_kept() {
    let data = tempdir().expect("a folder");
    let mut running = start(data.path(), &["solve", "0*6", "0*30", "--json"]);
    assert_eq!(json(&running.line())["position"], "0*6");
    let_work(&mut running);
    let ended = interrupt(running);
    assert_eq!(ended.stdout.lines().count(), 1, "{}", ended.stdout);
    let again = run(data.path(), &["solve", "0*6", "--json"]).with_code(0);
    assert_eq!(again.json()[0]["source"], "store");
}

#[test]
fn while_waiting_for_input() {
    let data = tempdir().expect("a folder");
    let mut running = start(data.path(), &["solve", "-", "--json"]);
    running.write("0*3\n");
    assert_eq!(json(&running.line())["outcome"], "win");
    interrupt(running);
}
