//! Ctrl-C during `sproutnet solve` and `export`: the command ends soon, and the same command continues from there.

use std::net::TcpListener;
use std::path::Path;
use std::time::Duration;

use crate::command::{Content, Ended, LOG, Report, Running, bare, json, run, sproutnet};
use crate::fake::Fake;
use sproutnet_game as game;
use sproutnet_proto::v1::NumberedBlock;
use sproutnet_store::Store;
use tempfile::tempdir;

/// The time limit from the signal to the end.
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

/// Waits for the first new record, and then for some time.
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
    // A job that has just begun may have found no record yet, so there are several attempts.
    let is_reported = (0..10).any(|_| {
        let mut running = start(data.path(), &["solve", "0*30", "--cores", "1"]);
        let_work(&mut running);
        let ended = interrupt(running);
        let of_signal = ended.stderr.split("interrupted").nth(1);
        let mut lines = of_signal.expect("it is told").lines();
        lines.any(|line| Report::read(line).is_some_and(|report| report.added > 0))
    });
    assert!(is_reported, "no job had found anything");
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

#[test]
fn what_was_fetched_is_kept() {
    let dir = tempdir().expect("a folder");
    let [from, file] = ["store", "x.export"].map(|name| dir.path().join(name));
    run(&from, &["solve", "0..=5"]).with_code(0);
    let store = Store::open(&from, &game::encodings()).expect("a store");
    let blocks = store.blocks_after(0).map(|block| {
        let (number, bytes) = block.expect("a block");
        NumberedBlock {
            number,
            bytes,
            timeline: 0,
        }
    });
    let fake = Fake::of_blocks(blocks.collect());
    let file = file.to_str().expect("a text");
    let mirror = Path::new(file).with_extension("export.mirror");
    // On a busy machine the blocks take longer to arrive.
    let is_kept = [500, 5_000].into_iter().any(|milliseconds| {
        let export = ["export", "-o", file, "--coordinator", &fake.url()];
        let mut running = Running::start(bare(&export));
        assert!(running.runs_for(Duration::from_millis(milliseconds)));
        interrupt(running);
        let mirror = Store::open(&mirror, &game::encodings()).expect("a store");
        mirror.len() == store.len()
    });
    assert!(is_kept, "nothing of {} records was kept", store.len());
}

#[test]
fn a_coordinator_that_does_not_answer_keeps_no_export_running() {
    let dir = tempdir().expect("a folder");
    let silent = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let url = format!("http://{}", silent.local_addr().expect("an address"));
    let file = dir.path().join("x.export");
    let file = file.to_str().expect("a text");
    let mut running = Running::start(bare(&["export", "-o", file, "--coordinator", &url]));
    assert!(running.runs_for(Duration::from_millis(1_500)));
    interrupt(running);
}
