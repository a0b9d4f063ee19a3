//! A program that runs in the background of a test.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// The interval at which the end of a process is checked.
const PAUSE: Duration = Duration::from_millis(10);

/// The number of lines of the log that a failure shows.
const LAST_LINES: usize = 40;

/// A process, killed when dropped. Its output is appended to a file.
pub(crate) struct Process {
    child: Child,
    log: PathBuf,
}

impl Process {
    /// Starts a program.
    pub(crate) fn start(mut command: Command, log: PathBuf) -> Self {
        let file = File::options().create(true).append(true).open(&log);
        let file = file.expect("a log");
        let same = file.try_clone().expect("a handle");
        command.stdin(Stdio::null()).stdout(file).stderr(same);
        let child = command.spawn().expect("the program starts");
        Self { child, log }
    }

    /// Fails if the process has ended by itself.
    #[track_caller]
    pub(crate) fn check_it_runs(&mut self) {
        let ended = self.child.try_wait().expect("it is our child");
        assert!(ended.is_none(), "{ended:?}: {}", self.last_lines());
    }

    /// Kills the process; fails if it had ended before.
    #[track_caller]
    pub(crate) fn kill(mut self) {
        self.check_it_runs();
        self.child.kill().expect("the child can be killed");
        self.child.wait().expect("it is our child");
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, signal).expect("the child can be signalled");
    }

    /// Sends SIGTERM and waits for the end.
    #[track_caller]
    pub(crate) fn end(mut self, limit: Duration) -> ExitStatus {
        self.check_it_runs();
        self.signal(Signal::TERM);
        let deadline = Instant::now() + limit;
        loop {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status;
            }
            let log = || self.last_lines();
            assert!(Instant::now() < deadline, "it goes on: {}", log());
            thread::sleep(PAUSE);
        }
    }

    /// The peak memory of the process, in bytes.
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()));
        let status = status.expect("it runs");
        let mut peak = status
            .lines()
            .filter_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.next().and_then(|line| line.trim().strip_suffix(" kB"));
        peak.and_then(|kib| kib.parse::<u64>().ok())
            .expect("a number of kB")
            * 1024
    }

    /// The processor time of the process.
    pub(crate) fn time_on_cores(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()));
        let stat = stat.expect("it runs");
        // The name of the program comes first, and may contain any characters.
        let (_, fields) = stat.rsplit_once(") ").expect("a name");
        let ticks = fields.split(' ').skip(11).take(2);
        let ticks: u64 = ticks
            .map(|field| field.parse::<u64>().expect("a number"))
            .sum();
        Duration::from_secs(ticks) / rustix::param::clock_ticks_per_second() as u32
    }

    fn last_lines(&self) -> String {
        let log = std::fs::read(&self.log).unwrap_or_default();
        let log = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = log.lines().collect();
        let first = lines.len().saturating_sub(LAST_LINES);
        format!("{}\n{}", self.log.display(), lines[first..].join("\n"))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{}", self.last_lines());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
