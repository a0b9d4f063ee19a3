//! A child process, with a bound on every wait.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{LONG, json};

/// The interval at which the end of a child is checked.
const PAUSE: Duration = Duration::from_millis(5);

/// A child process. It is killed when dropped.
pub(crate) struct Running {
    child: Child,
    began: Instant,
    stdin: Option<ChildStdin>,
    stdout: Output,
    stderr: Output,
}

/// The exit status and the output of a child process.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The time from the start, or from Ctrl-C, to the end.
    pub(crate) took: Duration,
}

impl Running {
    /// Starts a program. Its standard input stays open until [`Self::end`].
    pub(crate) fn start(command: Command) -> Self {
        Self::start_between(Stdio::piped(), command, Stdio::piped())
    }

    /// Starts a program with the given standard input and output.
    pub(crate) fn start_between(stdin: Stdio, mut command: Command, stdout: Stdio) -> Self {
        command.stdin(stdin).stdout(stdout).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        Self {
            began: Instant::now(),
            stdin: child.stdin.take(),
            stdout: Output::of(child.stdout.take()),
            stderr: Output::of(child.stderr.take()),
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

    /// The next line of standard output for which `wanted` is true.
    pub(crate) fn line_where(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        self.stdout.line_where(wanted)
    }

    /// The next line of standard error for which `wanted` is true.
    pub(crate) fn error_line_where(&mut self, wanted: impl Fn(&str) -> bool) -> String {
        self.stderr.line_where(wanted)
    }

    /// Waits up to `time`; returns whether the child is still running.
    pub(crate) fn runs_for(&mut self, time: Duration) -> bool {
        self.wait(time).is_none()
    }

    /// Sends Ctrl-C. [`Ended::took`] counts from here.
    pub(crate) fn interrupt(&mut self) {
        self.began = Instant::now();
        let sent = Command::new("kill")
            .args(["-INT", &self.child.id().to_string()])
            .status();
        assert!(sent.expect("there is a `kill`").success());
    }

    /// Kills the child with SIGKILL, so that it cannot tidy up.
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

/// Lines of a child's output. A thread reads them, so that the child never blocks on a full pipe.
struct Output {
    lines: Receiver<String>,
    taken: String,
}

impl Output {
    fn of(pipe: Option<impl Read + Send + 'static>) -> Self {
        let (sender, lines) = channel();
        thread::spawn(move || {
            let Some(pipe) = pipe else { return };
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

    /// The whole output, from the first line. This waits for the end of the output, so the child must have ended.
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

    /// Standard output as JSON, one object for each line.
    #[track_caller]
    pub(crate) fn json(&self) -> Vec<Value> {
        self.stdout.lines().map(json).collect()
    }
}
