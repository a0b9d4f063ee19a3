//! The programs of the other crates. Cargo builds only the command for these tests, so the others are built here,
//! before the first use.
//!
//! `SPROUTNET_TEST_PROGRAMS=FOLDER` takes them from a folder instead, without a build.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

pub(super) const COORDINATOR: &str = "sproutnet-coordinator";
pub(super) const WORKER: &str = "sproutnet-worker";

/// The folder with the programs.
pub(super) fn folder() -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let given = || std::env::var_os("SPROUTNET_TEST_PROGRAMS").map(PathBuf::from);
    FOLDER.get_or_init(|| given().unwrap_or_else(build)).clone()
}

/// A program, without settings from the environment.
pub(super) fn command(folder: &Path, name: &str) -> Command {
    let mut command = Command::new(folder.join(name));
    command.env_clear().env("NO_COLOR", "1");
    command
}

/// Builds the programs in the profile of this test, beside its command.
fn build() -> PathBuf {
    let beside = Path::new(env!("CARGO_BIN_EXE_sproutnet"));
    let folder = beside.parent().expect("a folder");
    let target = folder.parent().expect("the target folder");
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        Some("debug") => "dev",
        Some(name) => name,
        None => panic!("no profile is built in {}", folder.display()),
    };
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--profile", profile]);
    // With the whole workspace and a test, dependencies have the same features as in a run of all tests. Otherwise
    // cargo would rebuild most of them.
    cargo.args(["--workspace", "--bins", "--test", "scheduler"]);
    cargo.arg("--target-dir").arg(target);
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    // Cargo sets these variables for a test. Build scripts would run again because of them, and their dependents would
    // be rebuilt.
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            cargo.env_remove(name);
        }
    }
    let built = cargo.status().expect("cargo runs");
    assert!(built.success(), "{cargo:?}: {built}");
    folder.to_owned()
}
