//! A computation proves eight times as many facts as the store may keep. Its outcome is correct although the
//! coordinator is killed meanwhile, and there is a certificate of it.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use tempfile::tempdir;

use crate::command::{Running, sproutnet};
use crate::processes::{Fleet, Part, eventually};

/// The time limit of the computation, on a busy machine.
const LIMIT: Duration = Duration::from_mins(8);

/// A start position whose search proves about 125,000 facts, which take 2.3 MB in blocks. With a budget of 1 MB, blocks
/// may take 210 kB.
const START: &str = "0*24";

/// The limit of the records in the store: about an eighth of these facts.
const KEPT: u64 = 15_000;

/// The numbers of expansions after which the coordinator is killed. The search takes about a million.
const KILLS: [u64; 2] = [150_000, 400_000];

#[test]
fn a_computation_that_proves_more_than_its_store_may_keep_ends_right() {
    let data = tempdir().expect("a folder");
    let mut fleet = Fleet::start_on(data.path(), &["--store-budget", "1MB"], 2);
    let commands = fleet.commands();
    let id = commands.ask(&["solve", START, "--detach"])[0]["id"].clone();
    for kill in KILLS {
        eventually(LIMIT, || match &commands.list()[0] {
            listed if number(listed, "expansions") > kill || listed["status"] == "solved" => Ok(()),
            listed => Err(listed.clone()),
        });
        fleet.kill(Part::Coordinator);
        fleet.start_again(Part::Coordinator);
        fleet.wait_for_coordinator();
    }
    let solved = eventually(LIMIT, || match commands.list().remove(0) {
        listed if listed["status"] == "solved" => Ok(listed),
        listed => Err(listed),
    });
    assert_eq!(
        (&solved["id"], &solved["outcome"]),
        (&id, &Value::from("loss"))
    );
    // The store shrinks within seconds.
    let kept = eventually(LIMIT, || {
        let fleet = commands.ask(&["fleet"]).remove(0);
        let kept = number(&fleet, "records");
        if kept < KEPT { Ok(kept) } else { Err(fleet) }
    });
    let status = fleet.end(Part::Coordinator, Duration::from_mins(1));
    assert!(status.success(), "{status:?}");
    let disk = size(&fleet.store_folder());
    eprintln!("{solved}: {kept} records and {disk} bytes are left");
    // Even an almost empty database takes some megabytes.
    assert!(disk < 6 << 20, "the store takes {disk} bytes");

    if std::env::var_os("SPROUTNET_FULL_TESTS").is_none() {
        return;
    }
    // The facts that left the store are searched again, which takes some minutes.
    let certificate = data.path().join("certificate.sprout");
    let certificate = certificate.to_str().expect("a text");
    let store = fleet.store_folder();
    let run = |arguments: &[&str]| Running::start(sproutnet(&store, arguments)).end(LIMIT);
    run(&["prove", START, "-o", certificate]).with_code(0);
    run(&["verify", certificate]).with_code(0);
}

fn number(shown: &Value, name: &str) -> u64 {
    shown[name].as_u64().expect("a number")
}

/// The bytes of all files below a folder.
fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let sizes = entries.map(|entry| {
        let entry = entry.expect("an entry");
        match entry.metadata().expect("it is there") {
            of if of.is_dir() => size(&entry.path()),
            of => of.len(),
        }
    });
    sizes.sum()
}
