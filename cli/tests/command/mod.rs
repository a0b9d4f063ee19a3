//! The program as a child process, with a bound on every wait.

// Each test file uses a part of this.
#![allow(dead_code)]

#[path = "../../../common/tests/reference/mod.rs"]
pub(crate) mod reference;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use sproutnet_common::game;
use sproutnet_common::play::{self, Play};
use sproutnet_common::store::Store;

/// More than any command here takes, even in a debug build on a busy machine.
pub(crate) const LONG: Duration = Duration::from_mins(3);

/// How often a child is asked whether it has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// The program with a data folder and arguments, free of settings in the environment.
pub(crate) fn sproutnet(data: &Path, arguments: &[&str]) -> Command {
    let mut command = bare(arguments);
    command.arg("--data").arg(data);
    command
}

/// The program with nothing but arguments, free of settings in the environment.
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

/// A child process. It is killed when dropped.
pub(crate) struct Running {
    child: Child,
    began: Instant,
    stdin: Option<ChildStdin>,
    stdout: Output,
    stderr: Output,
}

/// What came of a child process.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// How long it ran, or how long it took to end after a signal.
    pub(crate) took: Duration,
}

impl Running {
    pub(crate) fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        Self {
            began: Instant::now(),
            stdin: child.stdin.take(),
            stdout: Output::of(child.stdout.take().expect("it is piped")),
            stderr: Output::of(child.stderr.take().expect("it is piped")),
            child,
        }
    }

    /// Writes to the child's standard input, which stays open.
    pub(crate) fn write(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().expect("open until the end");
        stdin.write_all(text.as_bytes()).expect("the child reads");
        stdin.flush().expect("the child reads");
    }

    /// The next line of standard output.
    pub(crate) fn line(&mut self) -> String {
        self.stdout.line_where(|_| true)
    }

    /// The next line of standard error that is as wanted.
    pub(crate) fn error_line_where(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        self.stderr.line_where(wanted)
    }

    /// Whether the child runs on for so long.
    pub(crate) fn runs_for(&mut self, time: Duration) -> bool {
        self.wait(time).is_none()
    }

    /// Sends Ctrl-C; the time to the end counts from here.
    pub(crate) fn interrupt(&mut self) {
        self.began = Instant::now();
        let sent = Command::new("kill")
            .args(["-INT", &self.child.id().to_string()])
            .status();
        assert!(sent.expect("there is a `kill`").success());
    }

    /// Kills the child, which has no chance to tidy up.
    pub(crate) fn kill(mut self) -> Ended {
        self.child.kill().expect("the child can be killed");
        self.end(LONG)
    }

    /// Closes standard input and waits for the end.
    pub(crate) fn end(mut self, limit: Duration) -> Ended {
        drop(self.stdin.take());
        self.end_with_open_input(limit)
    }

    /// Waits for the end while standard input stays open.
    pub(crate) fn end_with_open_input(mut self, limit: Duration) -> Ended {
        let ended = self.wait(limit);
        let took = self.began.elapsed();
        let Some(status) = ended else {
            let _ = self.child.kill();
            let (stdout, stderr) = (self.stdout.rest(), self.stderr.rest());
            panic!("it did not end within {limit:?}\nstdout:\n{stdout}\nstderr:\n{stderr}");
        };
        Ended {
            status,
            stdout: self.stdout.rest(),
            stderr: self.stderr.rest(),
            took,
        }
    }

    fn wait(&mut self, limit: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit;
        loop {
            let ended = self.child.try_wait().expect("it is our child");
            if ended.is_some() || Instant::now() >= deadline {
                return ended;
            }
            thread::sleep(PAUSE);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Lines of a child's output, read by a thread so that the child never waits for us.
struct Output {
    lines: Receiver<String>,
    taken: String,
}

impl Output {
    fn of(pipe: impl Read + Send + 'static) -> Self {
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut pipe = BufReader::new(pipe);
            let mut line = Vec::new();
            while pipe.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let text = String::from_utf8_lossy(&line).into_owned();
                if sender.send(text).is_err() {
                    return;
                }
                line.clear();
            }
        });
        Self {
            lines,
            taken: String::new(),
        }
    }

    fn line_where(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + LONG;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    self.taken += &line;
                    if wanted(&line) {
                        return line;
                    }
                }
                Err(error) => panic!("no such line: {error}; so far:\n{}", self.taken),
            }
        }
    }

    /// All output from the first line to the end, which is near: the child has ended.
    fn rest(&mut self) -> String {
        loop {
            match self.lines.recv_timeout(LONG) {
                Ok(line) => self.taken += &line,
                Err(RecvTimeoutError::Disconnected) => return std::mem::take(&mut self.taken),
                Err(RecvTimeoutError::Timeout) => panic!("the output goes on: {}", self.taken),
            }
        }
    }
}

impl Ended {
    /// Checks the exit code.
    #[track_caller]
    pub(crate) fn with_code(self, code: i32) -> Self {
        assert_eq!(self.status.code(), Some(code), "{self:#?}");
        self
    }

    /// Standard output as JSON, one object a line.
    #[track_caller]
    pub(crate) fn json(&self) -> Vec<Value> {
        self.stdout.lines().map(json).collect()
    }
}

/// A line of JSON.
#[track_caller]
pub(crate) fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// One field of each line.
pub(crate) fn column(lines: &[Value], field: &str) -> Vec<Value> {
    lines.iter().map(|line| line[field].clone()).collect()
}

/// Position, convention and outcome, as published, of the start positions up to `last` in the
/// order in which `solve 0..=last --play both` gives them.
pub(crate) fn published(last: u32) -> Vec<(String, Play, String)> {
    let normal = include_str!("../../../common/tests/reference/normal_outcomes.tsv");
    let misere = include_str!("../../../common/tests/reference/misere_outcomes.tsv");
    let normal = reference::rows::<4>(normal).into_iter();
    let normal = normal.map(|[spots, outcome, ..]| (spots, Play::Normal, outcome));
    let misere = reference::rows::<2>(misere).into_iter();
    let misere = misere.map(|[spots, outcome]| (spots, Play::Misere, outcome));
    let mut all: Vec<_> = normal
        .chain(misere)
        .map(|(spots, play, outcome)| (reference::number(spots), play, outcome))
        .filter(|&(spots, ..)| spots <= last)
        .collect();
    all.sort_unstable();
    let position = |spots| match spots {
        0 => "!".to_owned(),
        _ => format!("0*{spots}"),
    };
    all.into_iter()
        .map(|(spots, play, outcome)| (position(spots), play, outcome.to_owned()))
        .collect()
}

/// Position, convention and outcome as answered.
pub(crate) fn answered(lines: &[Value]) -> Vec<(String, Play, String)> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let play = |value: &Value| text(value).parse().expect("a convention");
    lines
        .iter()
        .map(|line| {
            (
                text(&line["position"]),
                play(&line["play"]),
                text(&line["outcome"]),
            )
        })
        .collect()
}

/// What a store holds.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// The number of its newest block.
    pub(crate) cursor: u64,
    /// Its records.
    pub(crate) records: BTreeMap<Box<[u8]>, u64>,
}

impl Content {
    /// Reads a store that no process has open.
    pub(crate) fn read(data: &Path) -> Self {
        let store = Store::open(data, &game::encodings()).expect("the store opens");
        let records = store.iter().map(|record| {
            let record = record.expect("it can be read");
            (record.key, record.value)
        });
        Self {
            cursor: store.cursor(),
            records: records.collect(),
        }
    }

    /// Checks that nothing was lost since: every record is as it was, or says more.
    #[track_caller]
    pub(crate) fn check_kept_in(&self, later: &Self) {
        assert!(self.cursor <= later.cursor);
        for (key, &old) in &self.records {
            let new = later.records.get(key).copied();
            let new = new.unwrap_or_else(|| panic!("the record {key:02x?} is gone"));
            assert_eq!(play::merge(key, old, new), Ok(new), "from {old} to {new}");
        }
    }
}
