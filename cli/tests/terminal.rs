//! The display on a terminal updates in place, within the terminal's size.

use std::thread;
use std::time::Duration;

use crate::command::{Terminal, bare, sproutnet};
use crate::fake::{Fake, running, solve, with_status};
use sproutnet_proto::v1::{FleetResponse, Play, Status, WorkerStatus};
use tempfile::tempdir;

fn start(fake: &Fake, rows: u16, columns: u16, arguments: &[&str]) -> Terminal {
    let url = fake.url();
    let command = bare(&[arguments, &["--coordinator", &url]].concat());
    Terminal::start(rows, columns, command)
}

fn fleet(workers: u64) -> FleetResponse {
    let worker = |worker| WorkerStatus {
        worker,
        name: format!("東京-{worker:03}"),
        peer: "[2001:db8::1234:5678]:47110".to_owned(),
        ..WorkerStatus::default()
    };
    FleetResponse {
        workers: (1..=workers).map(worker).collect(),
        ..FleetResponse::default()
    }
}

#[test]
fn a_fleet_is_drawn_in_place() {
    let mut fake = Fake::of_fleet(fleet(3));
    let terminal = start(&fake, 24, 120, &["fleet", "--watch"]);
    terminal.wait_for("東京-003");
    for uptime in [1.0, 2.0, 3.0] {
        fake.set_uptime(uptime);
        let text = terminal.wait_for(&format!("running for  {uptime:.3} s"));
        assert!(text.starts_with("running for"), "{text}");
        assert_eq!(text.matches("東京-").count(), 3, "{text}");
    }
    fake.stop();
    let text = terminal.wait_for("trying again");
    assert_eq!(text.matches("東京-").count(), 3, "{text}");
    fake.set_uptime(4.0);
    fake.start_again();
    let text = terminal.wait_for("running for  4.000 s");
    assert!(
        text.starts_with("running for") && !text.contains("trying"),
        "{text}"
    );
    terminal.check_not_scrolled();
    terminal.interrupt();
    assert_eq!(terminal.end(), 0);
}

#[test]
fn a_fleet_larger_than_the_terminal() {
    let fake = Fake::of_fleet(fleet(100));
    let sizes: [(u16, u16); 3] = [(12, 40), (24, 20), (5, 120)];
    // All at once, because each is watched for some time.
    let terminals = sizes.map(|(rows, columns)| {
        let shown = usize::from(rows) - 3;
        let terminal = start(&fake, rows, columns, &["fleet", "--watch"]);
        terminal.wait_for(&format!("{} more", 108 - shown));
        (terminal, shown)
    });
    fake.set_uptime(12.0);
    thread::sleep(Duration::from_millis(2500));
    for (terminal, shown) in terminals {
        let text = terminal.text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), shown + 1, "{text}");
        assert!(lines[0].starts_with("running for"), "{text}");
        terminal.check_not_scrolled();
        terminal.interrupt();
        assert_eq!(terminal.end(), 0);
    }
}

#[test]
fn one_line_of_progress_even_if_narrow() {
    for columns in [200, 80, 30] {
        let fake = Fake::with(vec![running(7, "0*16", Play::Normal)]);
        let terminal = start(&fake, 10, columns, &["solve", "0*16"]);
        terminal.wait_for("0*16 normal: 1 min 15 s");
        for seconds in 76..=80 {
            fake.progress(7, |progress| progress.seconds = f64::from(seconds));
            let text = terminal.wait_for(&format!("0*16 normal: 1 min {} s", seconds - 60));
            assert_eq!(text.trim_end().lines().count(), 1, "{text}");
        }
        fake.progress(7, solve);
        // The line of progress goes away after the answer.
        let is_answer = |text: &str| text.contains(" win ") && text.trim_end().lines().count() == 2;
        let text = terminal.wait_until(is_answer);
        assert!(
            text.starts_with("position") && !text.contains("proof"),
            "{text}"
        );
        assert_eq!(terminal.end(), 0);
    }
}

#[test]
fn a_computation_is_watched_in_place() {
    let fake = Fake::with(vec![running(7, "0*16", Play::Normal)]);
    let terminal = start(&fake, 12, 80, &["watch", "0*16"]);
    let text = terminal.wait_for("nodes       678");
    let expected = "\
0*16 normal, computation 7
status      running
elapsed     1 min 15 s
expansions  12,000, 160/s
records     345
root        proof 17, disproof 2,048
jobs out    3
nodes       678";
    assert_eq!(text.trim_end(), expected);
    for (seconds, expansions, bars) in [(77.0, 13_000, "█"), (79.0, 15_000, "▅█")] {
        fake.progress(7, |progress| {
            (progress.seconds, progress.expansions) = (seconds, expansions);
        });
        let text = terminal.wait_for(&format!("1 min {} s", seconds - 60.0));
        let line = text.lines().nth(3).expect("a line");
        assert!(line.ends_with(&format!("/s  {bars}")), "{text}");
    }
    fake.progress(7, |progress| progress.set_status(Status::Paused));
    let text = terminal.wait_for("paused");
    assert_eq!(text.trim_end().lines().count(), 8, "{text}");
    fake.progress(7, solve);
    let text = terminal.wait_for("search");
    assert!(text.starts_with("position"), "{text}");
    assert_eq!(text.trim_end().lines().count(), 2, "{text}");
    terminal.check_not_scrolled();
    assert_eq!(terminal.end(), 0);
}

#[test]
fn an_interrupt_while_watching() {
    let fake = Fake::with(vec![running(7, "0*16", Play::Normal)]);
    let terminal = start(&fake, 12, 80, &["watch", "7"]);
    terminal.wait_for("nodes");
    terminal.interrupt();
    let text = terminal.wait_for("ends it");
    assert!(text.starts_with("interrupted"), "{text}");
    assert_eq!(terminal.end(), 3);
}

#[test]
fn everything_is_watched_in_place() {
    let computations = vec![
        with_status(running(1, "0*7", Play::Normal), Status::Solved),
        running(2, "0*16", Play::Normal),
        with_status(running(3, "0*17", Play::Misere), Status::Paused),
    ];
    let mut fake = Fake::with(computations);
    fake.set_fleet(fleet(3));
    let terminal = start(&fake, 30, 130, &["watch"]);
    let text = terminal.wait_for("東京-003");
    let at = |text: &str, part: &str| {
        let line = text.lines().position(|line| line.contains(part));
        line.unwrap_or_else(|| panic!("no `{part}`:\n{text}"))
    };
    // Totals, then computations, those under way first, then workers.
    let parts = [
        "running for",
        "computations: 1 running, 1 paused, 1 solved",
        "0*16",
        "0*17",
        "0*7",
        "東京-001",
    ];
    assert!(parts.map(|part| at(&text, part)).is_sorted(), "{text}");
    fake.progress(2, |progress| progress.expansions = 77_777);
    let text = terminal.wait_for("77,777");
    assert_eq!(text.matches("0*16").count(), 1, "{text}");
    fake.stop();
    terminal.wait_for("trying again");
    fake.progress(2, solve);
    fake.start_again();
    let text = terminal.wait_for("computations: 0 running, 1 paused, 2 solved");
    assert!(at(&text, "0*17") < at(&text, "0*16"), "{text}");
    terminal.check_not_scrolled();
    terminal.interrupt();
    assert_eq!(terminal.end(), 0);
}

#[test]
fn what_was_understood_is_said() {
    let data = tempdir().expect("a folder");
    let terminal = Terminal::start(24, 120, sproutnet(data.path(), &["query", "3"]));
    terminal.wait_for("`3` is 0*3: 3 spots, 9 lives");
    assert_eq!(terminal.end(), 0);
}
