//! Runs the program, and reads its output, its log and its store.

#![allow(dead_code, reason = "each test program uses a part")]
#![allow(unused_imports, reason = "each test program uses a part")]

mod answers;
mod clock;
mod log;
mod running;
mod stored;
mod terminal;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

pub(crate) use answers::{answered, column, json, published};
pub(crate) use clock::Clock;
pub(crate) use log::{LOG, Report, logged};
pub(crate) use running::{Ended, Running};
pub(crate) use stored::Content;
pub(crate) use terminal::Terminal;

/// The time limit of a command, for a debug build on a busy machine.
pub(crate) const LONG: Duration = Duration::from_mins(3);

/// The program with a data folder and arguments, without settings from the environment.
pub(crate) fn sproutnet(data: &Path, arguments: &[&str]) -> Command {
    let mut command = bare(arguments);
    command.arg("--data").arg(data);
    command
}

/// The program with only arguments, without settings from the environment.
pub(crate) fn bare(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sproutnet"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SPROUTNET_") {
            command.env_remove(name);
        }
    }
    command.env_remove("RUST_LOG").env("NO_COLOR", "1");
    command.args(arguments);
    command
}

/// Runs the program to its end.
pub(crate) fn run(data: &Path, arguments: &[&str]) -> Ended {
    Running::start(sproutnet(data, arguments)).end(LONG)
}

/// Runs the program to its end with a text on standard input.
pub(crate) fn run_with_input(data: &Path, arguments: &[&str], input: &str) -> Ended {
    let mut running = Running::start(sproutnet(data, arguments));
    running.write(input);
    running.end(LONG)
}
