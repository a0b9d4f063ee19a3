//! A fleet is used while faults of all kinds begin and end. All outcomes are correct, no acknowledged record is lost,
//! and the fleet recovers from each fault by itself.
//!
//! A plain run goes through the faults once. `.ci/soak` runs it for `SPROUTNET_SOAK_SECONDS`. `SPROUTNET_SOAK_EARLIER`
//! is a folder with the programs of an earlier version, which then take turns with those of this one.
//! `SPROUTNET_TEST_SEED` repeats a run; the timing may differ.

mod course;
mod fault;
mod tasks;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::command::{Content, run};
use crate::processes::Fleet;
use crate::processes::checks::{
    check_all_rest, check_all_work, check_nothing_lost, setting, use_commands,
};
use crate::processes::desk::Desk;
use crate::processes::spy::Spy;
use course::Soak;
use fault::Disks;
use sproutnet_testkit::{disk::Disk, earlier_version};

const WORKERS: usize = 3;

/// The size of a disk in a plain run and in a long one, in MiB of memory. A tenth is the reserve. A million records
/// take about 55 MiB; a plain run finds a quarter of a million.
const DISK_SIZE: u64 = 64;
const LONG_DISK_SIZE: u64 = 1024;

/// The time limit for the remaining work after the last fault, on a busy machine.
const REST: Duration = Duration::from_mins(15);

#[test]
fn a_fleet_survives_faults_of_all_kinds() {
    let seed = setting("SPROUTNET_TEST_SEED").unwrap_or_else(|| fastrand::u64(..));
    let length = setting("SPROUTNET_SOAK_SECONDS").map(Duration::from_secs);
    let earlier = std::env::var_os("SPROUTNET_SOAK_EARLIER").map(PathBuf::from);
    eprintln!("SPROUTNET_TEST_SEED={seed}");
    let mut random = Rng::with_seed(seed);

    let folder = tempfile::tempdir().expect("a folder");
    let size = length.map_or(DISK_SIZE, |_| LONG_DISK_SIZE);
    let disks = Disks {
        coordinator: Disk::mount(size),
        workers: Disk::mount(size),
    };
    let on = |disk: &Option<Disk>| disk.as_ref().map_or(folder.path(), Disk::path).to_owned();
    let store = on(&disks.coordinator).join("store");
    fs::create_dir(&store).expect("a folder");
    earlier_version::unpack(&store);
    let earliest = Content::read_copy(&store);

    let own_stores = on(&disks.workers).join("workers");
    let mut fleet = Fleet::start_breakable(store, own_stores, WORKERS);
    let commands = fleet.commands();
    let spy = Spy::start(&fleet.url(), &fleet.token_file(), random.fork());
    let mut desk = Desk::new(commands.clone(), random.fork());
    for task in tasks::endless() {
        desk.fill(&task);
    }
    let mut more = tasks::with_pauses(tasks::all(&mut random.fork()), length);

    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let using = scope.spawn(|| use_commands(&mut desk, &mut more, &stop));
        let soak = Soak::new(&mut fleet, &spy, &disks, earlier, random.fork());
        // If the user or the soak fails, the other stops too.
        let is_over = || using.is_finished();
        let ended = thread::scope(|scope| scope.spawn(|| soak.run(length, &is_over)).join());
        stop.store(true, Ordering::Relaxed);
        using.join().expect("no panic");
        ended.expect("no panic");
    });

    check_all_work(&commands, WORKERS);
    desk.resume_all();
    let began = Instant::now();
    desk.see_all_solved(REST);
    eprintln!(
        "{} positions solved, the last ones after {:?}",
        desk.started(),
        began.elapsed()
    );
    desk.cancel_fillers();
    check_all_rest(&commands, WORKERS);
    desk.ask_again();
    assert_eq!(fleet.metric("sproutnet_contradictions_total"), 0);
    check_nothing_lost(&mut fleet, spy);
    earliest.check_kept_in(&fleet.stored());
    let checked = run(&fleet.store_folder(), &["store", "check", "--json"]).with_code(0);
    let checked = &checked.json()[0];
    assert_eq!(checked["fault_count"], 0, "{checked}");
    eprintln!("all well: {checked}");
}
