//! Queries work on a store that cannot be opened for writing, because its folder is read-only or another process has it
//! open.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use tempfile::{TempDir, tempdir};

use crate::command::{Ended, LONG, Running, json, run, sproutnet};

/// Queries, with a part of the answer.
const QUESTIONS: [(&[&str], &str); 6] = [
    (&["query", "0*5"], "solved here"),
    (&["moves", "0*3"], "0*2"),
    (&["table"], "solved here"),
    (&["list"], "0*5"),
    (&["records"], "no worker"),
    (&["store", "stats"], "records"),
];

fn solved() -> TempDir {
    let dir = tempdir().expect("a folder");
    fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).expect("permissions");
    run(&dir.path().join("store"), &["solve", "0..=5"]).with_code(0);
    dir
}

/// Makes all queries, and runs the commands that write only outside the store.
fn ask(store: &Path, elsewhere: &Path, ask: impl Fn(&[&str]) -> Ended) {
    for (question, part) in QUESTIONS {
        let answered = ask(question).with_code(0);
        assert!(answered.stdout.contains(part), "{question:?}: {answered:?}");
        assert!(
            answered.stderr.starts_with("note: the store in "),
            "{answered:?}"
        );
    }
    let file = |name: &str| elsewhere.join(name).to_string_lossy().into_owned();
    ask(&["export", "-o", &file("all.export")]).with_code(0);
    ask(&["prove", "0*5", "-o", &file("5.sprout")]).with_code(0);
    run(store, &["verify", &file("5.sprout")]).with_code(0);
    run(&elsewhere.join("new"), &["import", &file("all.export")]).with_code(0);
    let imported = run(&elsewhere.join("new"), &["query", "0*5", "--json"]).with_code(0);
    assert_eq!(
        json(&imported.stdout)["normal"]["source"],
        "store",
        "{imported:?}"
    );
}

fn mount(arguments: &[&str], dir: &Path) -> bool {
    let mounted = Command::new("mount").args(arguments).arg(dir).status();
    mounted.is_ok_and(|status| status.success())
}

#[test]
fn a_read_only_disk_can_be_asked() {
    let dir = solved();
    let (store, elsewhere) = (dir.path().join("store"), tempdir().expect("a folder"));
    let bound = store.to_string_lossy().into_owned();
    let is_mounted = mount(&["--bind", &bound], &store);
    assert!(is_mounted, "this test mounts a folder, so it runs as root");
    assert!(mount(&["-o", "remount,bind,ro"], &store));
    let asked = std::panic::catch_unwind(|| {
        ask(&store, elsewhere.path(), |question| run(&store, question));
        let failed = run(&store, &["solve", "0*6"]).with_code(1);
        assert_eq!(failed.stderr.lines().count(), 1, "{failed:?}");
        assert!(
            failed.stderr.contains("cannot be written: Read-only"),
            "{failed:?}"
        );
    });
    let unmounted = Command::new("umount").arg(&store).status();
    assert!(unmounted.expect("a program").success());
    asked.expect("all is asked");
    run(&store, &["solve", "0*6"]).with_code(0);
}

#[test]
fn a_folder_of_somebody_else_can_be_asked() {
    let dir = solved();
    let (store, elsewhere) = (dir.path().join("store"), tempdir().expect("a folder"));
    fs::set_permissions(&store, Permissions::from_mode(0o555)).expect("permissions");
    fs::set_permissions(elsewhere.path(), Permissions::from_mode(0o777)).expect("permissions");
    let as_nobody = |question: &[&str]| {
        let mut command = sproutnet(&store, question);
        command
            .uid(65_534)
            .gid(65_534)
            .current_dir(elsewhere.path());
        command
    };
    let other = as_nobody(&["table"]).output();
    other.expect("this test acts as another user, so it runs as root");
    ask(&store, elsewhere.path(), |question| {
        Running::start(as_nobody(question)).end(LONG)
    });
    let failed = Running::start(as_nobody(&["solve", "0*6"]))
        .end(LONG)
        .with_code(1);
    assert!(
        failed
            .stderr
            .contains("cannot be written: Permission denied"),
        "{failed:?}"
    );
}

#[test]
fn a_store_that_a_computation_holds_can_be_asked() {
    let dir = solved();
    let (store, elsewhere) = (dir.path().join("store"), tempdir().expect("a folder"));
    let mut command = sproutnet(&store, &["solve", "0*30", "--cores", "1"]);
    command.env("RUST_LOG", "sproutnet_coordinator=info");
    let mut holder = Running::start(command);
    holder.error_line_where(|line| line.contains("store opened"));
    ask(&store, elsewhere.path(), |question| run(&store, question));
    holder.interrupt();
    holder.end_with_open_input(LONG);
    run(&store, &["store", "check"]).with_code(0);
}

#[test]
fn what_is_left_of_most_of_a_store_is_saved() {
    let dir = solved();
    let [store, new] = ["store", "new"].map(|name| dir.path().join(name));
    run(&store, &["solve", "6..=8"]).with_code(0);
    let db = fs::read(store.join("db")).expect("the database");
    let last = db.iter().rposition(|&byte| byte != 0).expect("a byte");
    fs::write(store.join("db"), &db[..last * 5 / 8]).expect("most of it");
    let failed = run(&store, &["solve", "0*3"]).with_code(1);
    let hint = "`sproutnet store salvage NEW-FOLDER`";
    assert!(failed.stderr.contains(hint), "{failed:?}");
    let new_text = new.to_string_lossy();
    let salvaged = run(&store, &["store", "salvage", &new_text, "--json"]).with_code(3);
    let salvaged = json(&salvaged.stdout);
    assert!(salvaged["records"].as_u64() > Some(0), "{salvaged}");
    assert!(salvaged["missing"].as_u64() > Some(0), "{salvaged}");
    let same = run(&store, &["store", "salvage", &store.to_string_lossy()]).with_code(2);
    assert!(
        same.stderr.contains("a different target folder"),
        "{same:?}"
    );
    run(&new, &["store", "check"]).with_code(0);
    run(&new, &["solve", "0..=5"]).with_code(0);
}
