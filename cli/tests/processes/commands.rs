//! The commands that use a fleet.

use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use serde_json::Value;

use super::{BETWEEN_ATTEMPTS, spy};
use crate::command::{Ended, LONG, Running, bare};

/// The address and the token of a fleet, for commands.
#[derive(Clone)]
pub(crate) struct Commands {
    url: String,
    token_file: PathBuf,
}

impl Commands {
    /// Commands for the coordinator at an address, with the token in a file.
    pub(super) fn new(url: String, token_file: PathBuf) -> Self {
        Self { url, token_file }
    }

    /// Starts a command.
    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        let mut command = bare(arguments);
        command.args(["--json", "--coordinator", &self.url]);
        command.arg("--token-file").arg(&self.token_file);
        Running::start(command)
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        self.start(arguments).end(LONG)
    }

    /// Runs a command again until it no longer fails because of an absent coordinator.
    pub(crate) fn insist(&self, arguments: &[&str]) -> Ended {
        let deadline = Instant::now() + LONG;
        loop {
            let ended = self.run(arguments);
            match ended.status.code() {
                Some(1) if Instant::now() < deadline => thread::sleep(BETWEEN_ATTEMPTS),
                _ => return ended,
            }
        }
    }

    /// The output of a command once it reaches the coordinator.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Vec<Value> {
        self.insist(arguments).with_code(0).json()
    }

    /// The computations as `list` shows them.
    pub(crate) fn list(&self) -> Vec<Value> {
        self.ask(&["list"])
    }

    /// The workers as `fleet` shows them, without the spy.
    pub(crate) fn workers(&self) -> Vec<Value> {
        let fleet = self.ask(&["fleet"]).remove(0);
        let workers = fleet["workers"].as_array().expect("a list").iter();
        let is_process = |worker: &&Value| worker["name"] != spy::NAME;
        workers.filter(is_process).cloned().collect()
    }
}
