//! `sproutnet watch` without a computation.

use std::time::{Duration, Instant};

use crate::command;
use crate::command::{LONG, Running, bare, column, json};
use crate::fake::{Fake, running, with_status};
use sproutnet_proto::v1::{FleetResponse, Play, Status, WorkerStatus};

fn busy() -> Fake {
    let fake = Fake::with(vec![
        running(1, "0*16", Play::Normal),
        with_status(running(2, "0*7", Play::Misere), Status::Solved),
    ]);
    let worker = WorkerStatus {
        worker: 1,
        name: "one".to_owned(),
        cores: 4,
        ..WorkerStatus::default()
    };
    fake.set_fleet(FleetResponse {
        workers: vec![worker],
        records: 1234,
        ..FleetResponse::default()
    });
    fake
}

fn start(fake: &Fake, arguments: &[&str]) -> Running {
    let url = fake.url();
    Running::start(bare(
        &[&["watch", "--coordinator", &url], arguments].concat(),
    ))
}

#[test]
fn a_line_now_and_then_without_a_terminal() {
    let fake = busy();
    let mut watched = start(&fake, &[]);
    let expected = "computations: 1 running, 1 solved; 1 worker, 4 cores, 0 jobs, 0 expansions/s, \
                    1,234 records, 0 B, 0 nodes, 0 jobs done\n";
    assert_eq!(watched.line(), expected);
    let began = Instant::now();
    assert_eq!(watched.line(), expected);
    assert!(began.elapsed() > Duration::from_secs(3));
    watched.interrupt();
    watched.end(LONG).with_code(0);
}

#[test]
fn an_object_each_second_over_a_restart() {
    let mut fake = busy();
    let mut watched = start(&fake, &["--json"]);
    for _ in 0..2 {
        let line = json(&watched.line());
        assert_eq!(line["fleet"]["records"], 1234);
        assert_eq!(line["fleet"]["workers"][0]["name"], "one");
        let computations = line["computations"].as_array().expect("a list");
        assert_eq!(column(computations, "id"), [1, 2]);
        assert_eq!(column(computations, "status"), ["running", "solved"]);
    }
    fake.stop();
    watched.error_line_where(|line| line.contains("trying again"));
    fake.start_again();
    watched.error_line_where(|line| line.contains("the coordinator is back"));
    watched.line();
    watched.interrupt();
    watched.end(LONG).with_code(0);
}

#[test]
fn everything_belongs_to_a_coordinator() {
    let data = tempfile::tempdir().expect("a folder");
    let refused = command::run(data.path(), &["watch"]).with_code(2);
    assert!(refused.stderr.contains("--coordinator URL"), "{refused:?}");
}
