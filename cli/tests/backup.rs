//! `sproutnet export`, `backup` and `import` with a coordinator that runs while workers report.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::command::{Content, answered, column, json, published, run};
use crate::processes::facts::check_known;
use crate::processes::spy::whole_feed;
use crate::processes::{Commands, Fleet, Part, eventually};
use serde_json::Value;
use sproutnet_testkit::folder;
use tempfile::tempdir;

/// Starts a computation that takes hours.
const ENDLESS: [&str; 5] = ["solve", "0*25", "--play", "misere", "--detach"];

/// The time limit for records to arrive, on a busy machine.
const PATIENCE: Duration = Duration::from_mins(3);

fn text(path: &Path) -> &str {
    path.to_str().expect("a text")
}

/// Waits until the coordinator has `more` additional records.
fn wait_for_records(commands: &Commands, more: u64) {
    let records = || {
        commands.ask(&["fleet"])[0]["records"]
            .as_u64()
            .expect("a count")
    };
    let before = records();
    eventually(PATIENCE, || match records() {
        now if now >= before + more => Ok(()),
        now => Err(now),
    });
}

/// Backs up the coordinator to a file; returns the command's result.
fn back_up(commands: &Commands, file: &Path) -> Value {
    commands.ask(&["export", "-o", text(file)]).remove(0)
}

/// The folder of the unfinished copy of an export.
fn mirror(file: &Path) -> PathBuf {
    file.with_extension("export.mirror")
}

#[test]
fn a_backup_under_load_has_all_that_was_acknowledged_before() {
    let fleet = Fleet::start(2);
    let (commands, dir) = (fleet.commands(), tempdir().expect("a folder"));
    let [file, store] = ["x.export", "store"].map(|name| dir.path().join(name));
    let solved = ["solve", "0..=8", "--play", "both"];
    commands.run(&solved).with_code(0);
    commands.run(&ENDLESS).with_code(0);
    let mut written = Value::Null;
    for milliseconds in [10, 30, 60, 100, 150] {
        wait_for_records(&commands, 20);
        // A killed export does not spoil the next one, wherever it was.
        let killed = commands.start(&["export", "-o", text(&file)]);
        thread::sleep(Duration::from_millis(milliseconds));
        drop(killed);
        let before = whole_feed(&fleet.url(), &fleet.token_file());
        written = back_up(&commands, &file);
        assert!(written["records"].as_u64() >= Some(before.len() as u64));
        assert!(!mirror(&file).exists(), "the copy is still there");
        run(&store, &["import", text(&file)]).with_code(0);
        check_known(&before, &Content::read(&store).records);
    }
    assert_eq!(written["results"], 18, "{written}");
    assert!(written["sources"].as_u64() > Some(0), "{written}");
    let checked = run(&store, &["store", "check", "--json"]).with_code(0);
    assert_eq!(checked.json()[0]["fault_count"], 0);
    let answers = [&solved[..], &["--json"]].concat();
    let answers = run(&store, &answers).with_code(0).json();
    assert!(answers.iter().all(|answer| answer["source"] == "store"));
    let outcomes: Vec<_> = answers
        .iter()
        .map(|answer| answer["outcome"].clone())
        .collect();
    let asked = commands.ask(&solved);
    let theirs: Vec<_> = asked
        .iter()
        .map(|answer| answer["outcome"].clone())
        .collect();
    assert_eq!(outcomes, theirs);
}

#[test]
fn a_restart_of_the_coordinator_does_not_end_a_backup() {
    let mut fleet = Fleet::start(1);
    let (commands, dir) = (fleet.commands(), tempdir().expect("a folder"));
    let [file, store] = ["x.export", "store"].map(|name| dir.path().join(name));
    commands.run(&ENDLESS).with_code(0);
    wait_for_records(&commands, 50);
    let before = whole_feed(&fleet.url(), &fleet.token_file());
    // A suspended coordinator accepts connections but does not answer. So the backup is under way at the kill.
    fleet.suspend(Part::Coordinator);
    let waiting = commands.start(&["export", "-o", text(&file)]);
    eventually(PATIENCE, || {
        if mirror(&file).exists() {
            Ok(())
        } else {
            Err("it is not connected")
        }
    });
    fleet.kill(Part::Coordinator);
    fleet.start_again(Part::Coordinator);
    waiting.end(PATIENCE).with_code(0);
    run(&store, &["import", text(&file)]).with_code(0);
    check_known(&before, &Content::read(&store).records);
}

#[test]
fn what_was_exported_is_what_the_folder_exports() {
    let mut fleet = Fleet::start(1);
    let (commands, dir) = (fleet.commands(), tempdir().expect("a folder"));
    commands
        .run(&["solve", "0..=9", "--play", "both"])
        .with_code(0);
    assert_eq!(fleet.end(Part::Worker(0), PATIENCE).code(), Some(0));
    let [far, near] = ["far.export", "near.export"].map(|name| dir.path().join(name));
    let without_file = |mut told: Value| {
        told.as_object_mut().expect("an object").remove("file");
        told
    };
    let from_afar = without_file(back_up(&commands, &far));
    assert_eq!(fleet.end(Part::Coordinator, PATIENCE).code(), Some(0));
    let folder = fleet.store_folder();
    let here = run(&folder, &["export", "-o", text(&near), "--json"]).with_code(0);
    assert_eq!(from_afar, without_file(here.json().remove(0)));
    let other = dir.path().join("other");
    run(&other, &["import", text(&far)]).with_code(0);
    let again = run(&other, &["import", text(&near), "--json"]).with_code(0);
    assert_eq!(again.json()[0]["new"], 0);
    assert_eq!(
        Content::read(&other).records,
        Content::read(&folder).records
    );
    let table = run(&other, &["table", "--json"]).with_code(0).json();
    assert_eq!(answered(&table)[..18], published(8)[..18]);
}

#[test]
fn strangers_export_nothing() {
    let fleet = Fleet::start(0);
    let dir = tempdir().expect("a folder");
    let file = dir.path().join("x.export");
    let stranger = ["export", "-o", text(&file), "--coordinator", &fleet.url()];
    let refused = run(dir.path(), &stranger).with_code(1);
    assert!(refused.stderr.contains("token"), "{refused:?}");
    assert!(!file.exists());
    std::fs::write(&file, "no export").expect("written");
    for command in ["backup", "import"] {
        let stranger = [command, text(&file), "--coordinator", &fleet.url()];
        run(dir.path(), &stranger).with_code(1);
    }
}

#[test]
fn a_coordinator_starts_from_a_backup_and_goes_on() {
    let mut fleet = Fleet::start(1);
    let (commands, dir) = (fleet.commands(), tempdir().expect("a folder"));
    let store = dir.path().join("standby");
    let solved = ["solve", "0..=8", "--play", "both"];
    commands.run(&solved).with_code(0);
    commands.run(&ENDLESS).with_code(0);
    wait_for_records(&commands, 50);
    // It goes on over a restart of the coordinator.
    let mut standby = commands.start(&["backup", text(&store), "--every", "200ms"]);
    let first = json(&standby.line());
    assert_eq!(first["new"], first["records"], "{first}");
    fleet.kill(Part::Coordinator);
    fleet.start_again(Part::Coordinator);
    wait_for_records(&commands, 50);
    let before = whole_feed(&fleet.url(), &fleet.token_file());
    eventually(PATIENCE, || {
        let now = json(&standby.line());
        match now["records"].as_u64() {
            Some(records) if records >= before.len() as u64 => Ok(()),
            _ => Err(now),
        }
    });
    standby.interrupt();
    standby.end(PATIENCE).with_code(3);
    let log = commands.ask(&["list"]);
    fleet.kill(Part::Coordinator);

    let second = Fleet::start_open_on(store.clone());
    let commands = second.commands();
    let listed = commands.list();
    assert_eq!(column(&listed, "computation"), column(&log, "computation"));
    assert_eq!(column(&listed, "status"), column(&log, "status"));
    let answers = commands.ask(&solved);
    assert!(answers.iter().all(|answer| answer["source"] == "store"));
    let refused = commands.run(&["backup", text(&store)]).with_code(1);
    assert!(refused.stderr.contains("is in use"), "{refused:?}");
    drop(second);
    check_known(&before, &Content::read_copy(&store).records);
    let checked = run(&store, &["store", "check", "--json"]).with_code(0);
    assert_eq!(checked.json()[0]["fault_count"], 0);
}

#[test]
fn a_backup_follows_a_revocation_and_refuses_another_coordinator() {
    let fleet = Fleet::start(1);
    let (commands, dir) = (fleet.commands(), tempdir().expect("a folder"));
    let store = dir.path().join("backup");
    let back_up = ["backup", text(&store)];
    commands.run(&["solve", "0..=8"]).with_code(0);
    let first = commands.ask(&back_up).remove(0);
    assert!(first["records"].as_u64() > Some(0), "{first}");
    let again = commands.ask(&back_up).remove(0);
    assert_eq!((&again["new"], &again["documents"]), (&0.into(), &0.into()));
    let worker = commands.workers().remove(0);
    let name = worker["name"].as_str().expect("a name");
    commands.run(&["revoke", "--source", name]).with_code(0);
    let ended = commands.run(&back_up).with_code(0);
    assert!(ended.stderr.contains("starts over"), "{ended:?}");
    let after = ended.json().remove(0);
    assert!(
        after["records"].as_u64() < first["records"].as_u64(),
        "{after}"
    );
    assert!(!dir.path().join("backup.before").exists());
    let other = Fleet::start(0);
    let refused = other.commands().run(&back_up).with_code(2);
    assert!(
        refused.stderr.contains("is a backup of the store"),
        "{refused:?}"
    );
    let nowhere = run(dir.path(), &back_up).with_code(2);
    assert!(nowhere.stderr.contains("--coordinator"), "{nowhere:?}");
}

#[test]
fn a_backup_does_not_go_on_after_the_store_was_rolled_back() {
    let mut fleet = Fleet::start(1);
    let (commands, dir) = (fleet.commands(), tempdir().expect("a folder"));
    let [backup, new, copied, file] =
        ["backup", "new", "copied", "x.export"].map(|name| dir.path().join(name));
    let again = ["backup", text(&backup)];
    commands.run(&["solve", "0..=6"]).with_code(0);
    fleet.kill(Part::Coordinator);
    folder::copy(&fleet.store_folder(), &copied);
    fleet.start_again(Part::Coordinator);
    commands.ask(&["solve", "0..=8"]);
    let first = commands.ask(&again).remove(0);
    fleet.kill(Part::Coordinator);
    folder::put_back(&copied, &fleet.store_folder());
    fleet.start_again(Part::Coordinator);
    // The store grows beyond the numbers of the lost blocks.
    commands.ask(&ENDLESS);
    eventually(PATIENCE, || {
        let now = back_up(&commands, &file);
        if now["cursor"].as_u64() > first["cursor"].as_u64() {
            Ok(())
        } else {
            Err(now)
        }
    });

    let refused = commands.run(&again).with_code(2);
    assert!(refused.stderr.contains("was rolled back"), "{refused:?}");
    assert!(!refused.stderr.contains("revoked"), "{refused:?}");
    // What the store lost is still there.
    let [kept, taken] = ["kept.export", "taken"].map(|name| dir.path().join(name));
    run(&backup, &["export", "-o", text(&kept)]).with_code(0);
    let taken = run(&taken, &["import", text(&kept), "--json"]).with_code(0);
    assert_eq!(taken.json()[0]["records"], first["records"]);
    assert!(!dir.path().join("backup.before").exists());
    commands.ask(&["backup", text(&new)]);
}

#[test]
fn a_running_coordinator_imports_what_another_store_has() {
    let fleet = Fleet::start(1);
    let (commands, dir) = (fleet.commands(), tempdir().expect("a folder"));
    let [file, other] = ["x.export", "other"].map(|name| dir.path().join(name));
    let solved = ["solve", "0..=9", "--play", "both"];
    run(&other, &solved).with_code(0);
    run(&other, &["export", "-o", text(&file)]).with_code(0);
    // Its workers report meanwhile.
    commands.run(&ENDLESS).with_code(0);
    wait_for_records(&commands, 20);
    let import = ["import", text(&file)];
    let imported = commands.ask(&import).remove(0);
    assert_eq!(
        (&imported["results"], &imported["new_results"]),
        (&20.into(), &20.into())
    );
    assert!(imported["new"].as_u64() > Some(0), "{imported}");
    let known = commands.ask(&solved);
    assert!(
        known.iter().all(|answer| answer["source"] == "store"),
        "{known:?}"
    );
    let again = commands.ask(&import).remove(0);
    assert_eq!(
        (&again["new"], &again["new_results"]),
        (&0.into(), &0.into())
    );
    let theirs = Content::read(&other).records;
    check_known(&theirs, &whole_feed(&fleet.url(), &fleet.token_file()));

    let mut bytes = std::fs::read(&file).expect("the export");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).expect("written");
    let refused = commands.run(&import).with_code(2);
    assert!(
        refused
            .stderr
            .contains("x.export: the file is damaged at byte"),
        "{refused:?}"
    );
}
