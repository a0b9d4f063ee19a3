//! Coordinators, workers and commands on a real disk that is full, and then has room again. The disks are small ones in
//! memory. The tests need the permission to mount them.

use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::command::{LONG, Running, json, run, sproutnet};
use crate::processes::facts::check_known;
use crate::processes::spy::Spy;
use crate::processes::{Fleet, Part, eventually};
use sproutnet_testkit::disk::Disk;
use sproutnet_testkit::folder;

/// A position whose computation takes hours.
const ENDLESS: &str = "0*40";

/// The size of a disk, in MiB. A tenth is the reserve.
const SIZE: u64 = 48;

/// The time for which a disk stays full.
const FULL: Duration = Duration::from_secs(6);

#[test]
fn a_coordinator_stops_before_its_disk_is_full_and_goes_on_with_room() {
    let disk = Disk::mount(SIZE).expect("this test mounts a disk, so it runs as root");
    let mut fleet = Fleet::start_on(disk.path(), &[], 1);
    let commands = fleet.commands();
    commands.ask(&["solve", ENDLESS, "--detach"]);
    eventually(LONG, || {
        match fleet.metric("sproutnet_jobs_finished_total") {
            0..2 => Err("no jobs are done"),
            _ => Ok(()),
        }
    });
    let spy = Spy::start(&fleet.url(), &fleet.token_file(), Rng::with_seed(1));
    let limited = commands.start(&["solve", "0*41", "--deadline", "10s"]);
    eventually(LONG, || match commands.list() {
        list if list.len() == 2 => Ok(()),
        list => Err(list),
    });
    assert_eq!(fleet.page("/healthz"), (200, "ok\n".to_owned()));
    let reserve = fleet.metric("sproutnet_disk_reserve_bytes");
    assert!(reserve >= SIZE << 20 >> 4);

    let began = Instant::now();
    // There is still room for a write under way.
    disk.fill_but(reserve / 2);
    eventually(LONG, || match fleet.page("/healthz") {
        (503, text) if text.starts_with("disk full: ") => Ok(()),
        other => Err(other),
    });
    // To start it again would not help, so container engines must not do that.
    assert!(fleet.healthcheck().success());
    let leased = fleet.metric("sproutnet_jobs_leased_total");
    assert_eq!(fleet.metric("sproutnet_disk_full"), 1);
    let (status, page) = fleet.page("/");
    assert!(status == 200 && page.contains("disk full"), "{page}");
    let listed = commands.run(&["list"]).with_code(0);
    assert!(listed.stderr.contains("disk full"), "{listed:?}");
    let problem = commands.ask(&["fleet"])[0]["problem"].to_string();
    assert!(problem.contains("disk full"), "{problem}");
    let refused = commands
        .run(&["solve", "0*42", "--deadline", "1h"])
        .with_code(1);
    assert_eq!(refused.stderr.lines().count(), 1, "{refused:?}");
    // What is refused has no effect.
    let listed = || {
        let fields = ["status", "weight"];
        let list = commands.list();
        let of = |one: &serde_json::Value| fields.map(|field| one[field].clone());
        list.iter().map(of).collect::<Vec<_>>()
    };
    let before = listed();
    for change in [
        &["pause", "1"][..],
        &["cancel", "1"],
        &["resume", "1"],
        &["weight", "1", "9"],
        &["solve", ENDLESS, "--weight", "7", "--detach"],
    ] {
        let refused = commands.run(change).with_code(1);
        assert!(refused.stderr.contains("disk full"), "{refused:?}");
        assert_eq!(listed(), before, "{change:?}");
    }
    disk.fill();
    // Its deadline passes while the disk is full.
    limited.end(LONG).with_code(3);
    assert_eq!(fleet.metric("sproutnet_jobs_leased_total"), leased);
    let records = fleet.metric("sproutnet_records");
    let log = fleet.log(Part::Worker(0));
    assert!(!log.contains("unreachable"), "{log}");
    let log = fleet.log(Part::Coordinator);
    assert!(!log.contains("failed"), "{log}");
    // The coordinator logs this at once, and then at most once a minute.
    let notices = log.matches("disk full").count() as u64;
    let most = 1 + began.elapsed().as_secs() / 60;
    assert!((1..=most).contains(&notices), "{log}");

    disk.clear();
    eventually(LONG, || match fleet.page("/healthz") {
        (200, _) => Ok(()),
        other => Err(other),
    });
    assert!(fleet.healthcheck().success());
    eventually(LONG, || {
        if fleet.metric("sproutnet_records") > records + 50 {
            Ok(())
        } else {
            Err("no more records")
        }
    });
    let gathered = spy.end();
    let store = gathered.store.expect("it is known");
    let status = fleet.end(Part::Worker(0), LONG);
    assert_eq!(status.code(), Some(0));
    fleet.kill(Part::Coordinator);
    check_acknowledged(&fleet, store, &gathered.acknowledged);
}

#[test]
fn a_coordinator_begins_again_after_a_write_that_failed() {
    let disk = Disk::mount(SIZE).expect("this test mounts a disk, so it runs as root");
    let mut fleet = Fleet::start_on(disk.path(), &["--disk-reserve", "0"], 1);
    let commands = fleet.commands();
    let spy = Spy::start(&fleet.url(), &fleet.token_file(), Rng::with_seed(2));
    commands.ask(&["solve", ENDLESS, "--detach"]);
    for _ in 0..3 {
        let failures = fleet
            .log(Part::Coordinator)
            .matches("restarting to open it again")
            .count();
        disk.fill();
        eventually(LONG, || {
            let log = fleet.log(Part::Coordinator);
            if log.matches("restarting to open it again").count() > failures {
                Ok(())
            } else {
                Err(log)
            }
        });
        thread::sleep(FULL / 3);
        disk.clear();
        fleet.wait_for_coordinator();
        let records = fleet.metric("sproutnet_records");
        eventually(LONG, || {
            // The coordinator may restart meanwhile.
            fleet.wait_for_coordinator();
            if fleet.metric("sproutnet_records") > records + 20 {
                Ok(())
            } else {
                Err(fleet.log(Part::Coordinator))
            }
        });
        assert_eq!(fleet.page("/healthz").0, 200);
    }
    let gathered = spy.end();
    let store = gathered.store.expect("it is known");
    assert_eq!(fleet.end(Part::Worker(0), LONG).code(), Some(0));
    fleet.kill(Part::Coordinator);
    check_acknowledged(&fleet, store, &gathered.acknowledged);
}

#[test]
fn a_coordinator_that_is_about_to_begin_again_ends_when_asked() {
    let disk = Disk::mount(SIZE).expect("this test mounts a disk, so it runs as root");
    let mut fleet = Fleet::start_on(disk.path(), &["--disk-reserve", "0"], 1);
    let commands = fleet.commands();
    commands.ask(&["solve", ENDLESS, "--detach"]);
    disk.fill();
    eventually(LONG, || {
        let log = fleet.log(Part::Coordinator);
        if log.contains("restarting to open it again") {
            Ok(())
        } else {
            Err(log)
        }
    });
    assert_eq!(fleet.end(Part::Coordinator, LONG).code(), Some(0));
    disk.clear();
}

#[test]
fn a_command_ends_with_one_line_on_a_full_disk() {
    let disk = Disk::mount(SIZE).expect("this test mounts a disk, so it runs as root");
    let data = disk.path().join("data");
    run(&data, &["solve", "0*6"]).with_code(0);
    let solving = [
        "solve",
        ENDLESS,
        "--cores",
        "1",
        "--memory",
        "512MiB",
        "--deadline",
        "20s",
    ];
    for pause in [300, 900, 2000] {
        let running = Running::start(sproutnet(&data, &solving));
        thread::sleep(Duration::from_millis(pause));
        let began = Instant::now();
        disk.fill();
        let ended = running.end(LONG).with_code(1);
        check_error_line(&ended.stderr);
        assert!(
            began.elapsed() < Duration::from_secs(8),
            "{:?}",
            began.elapsed()
        );
        // The same if the disk is full from the start.
        let ended = run(&data, &solving).with_code(1);
        check_error_line(&ended.stderr);
        assert!(ended.took < Duration::from_secs(8), "{ended:?}");
        disk.clear();
        run(&data, &["solve", "0*6"]).with_code(0);
    }
}

#[test]
fn a_worker_goes_on_while_its_own_disk_is_full() {
    let disk = Disk::mount(SIZE).expect("this test mounts a disk, so it runs as root");
    let mut fleet = Fleet::start_with_workers_on(disk.path(), 1);
    let commands = fleet.commands();
    commands.ask(&["solve", ENDLESS, "--detach"]);
    let more_records = |fleet: &Fleet| {
        let records = fleet.metric("sproutnet_records");
        eventually(LONG, || {
            if fleet.metric("sproutnet_records") > records + 50 {
                Ok(())
            } else {
                Err(fleet.log(Part::Worker(0)))
            }
        });
    };
    more_records(&fleet);
    disk.fill();
    eventually(LONG, || match fleet.log(Part::Worker(0)) {
        log if log.contains("disk full") => Ok(()),
        log => Err(log),
    });
    more_records(&fleet);
    thread::sleep(FULL);
    let log = fleet.log(Part::Worker(0));
    assert_eq!(log.matches("disk full").count(), 1, "{log}");
    // A worker that starts on a full disk.
    fleet.kill(Part::Worker(0));
    fleet.start_again(Part::Worker(0));
    more_records(&fleet);
    disk.clear();
    more_records(&fleet);
    assert_eq!(fleet.end(Part::Worker(0), LONG).code(), Some(0));
}

#[test]
fn a_standby_whose_disk_is_full_goes_on_with_room() {
    let disk = Disk::mount(SIZE).expect("this test mounts a disk, so it runs as root");
    let store = disk.path().join("standby");
    let fleet = Fleet::start(1);
    let commands = fleet.commands();
    commands.ask(&["solve", ENDLESS, "--detach"]);
    let folder = store.to_str().expect("UTF-8");
    let mut standby = commands.start(&["backup", folder, "--every", "200ms"]);
    standby.line();
    let has = |records: u64| {
        move |line: &str| json(line)["records"].as_u64().expect("a count") >= records
    };
    for _ in 0..2 {
        disk.fill();
        let said = standby.error_line_where(|line| line.starts_with("disk full: "));
        assert!(
            said.contains(folder) && said.contains("tries again"),
            "{said}"
        );
        assert!(standby.runs_for(FULL / 3));
        // A copy of it is a store from which a coordinator starts.
        let copy = tempfile::tempdir().expect("a folder");
        folder::copy(&store, copy.path());
        run(copy.path(), &["list"]).with_code(0);
        run(copy.path(), &["store", "check"]).with_code(0);
        let records = fleet.metric("sproutnet_records");
        disk.clear();
        standby.line_where(has(records));
    }
    standby.interrupt();
    standby.end(LONG).with_code(3);
    run(&store, &["store", "check"]).with_code(0);
}

fn check_error_line(stderr: &str) {
    let lines: Vec<&str> = stderr.lines().collect();
    let [line] = lines[..] else {
        panic!("not one line: {stderr}");
    };
    assert!(line.starts_with("error: ") && line.len() < 300, "{line}");
    assert!(
        line.contains("disk full") || line.contains("No space"),
        "{line}"
    );
}

/// Checks that the store has every record that was acknowledged to the spy or to a worker.
fn check_acknowledged(fleet: &Fleet, store: u64, acknowledged: &crate::processes::facts::Known) {
    let stored = fleet.stored().records;
    check_known(acknowledged, &stored);
    for of_worker in fleet.acknowledged(store) {
        let records = of_worker.records.iter();
        check_known(records.map(|(key, value)| (key, value)), &stored);
    }
}
