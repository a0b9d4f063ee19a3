//! What Linux says of this process, and a new start of it. On other systems, and without `/proc`, nothing is known.

use std::os::unix::process::CommandExt;
use std::process::Command;
use std::{env, fs, io};

/// The figures of this process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProcessState {
    /// The memory that it holds, in bytes.
    pub resident_bytes: u64,
    /// The processor time that it used, in seconds.
    pub cpu_seconds: f64,
    /// The number of files that it has open.
    pub open_files: u64,
    /// The time of its start, in seconds since 1970.
    pub started_at: f64,
}

impl ProcessState {
    /// The figures now. `None` if the system does not tell them.
    pub fn now() -> Option<Self> {
        let of_process = fs::read_to_string("/proc/self/stat").ok()?;
        let of_system = fs::read_to_string("/proc/stat").ok()?;
        let ticks = rustix::param::clock_ticks_per_second() as f64;
        let (cpu, start, pages) = figures(&of_process)?;
        let booted = of_system
            .lines()
            .find_map(|line| line.strip_prefix("btime "))?;
        let booted: u64 = booted.trim().parse().ok()?;
        Some(Self {
            resident_bytes: pages.saturating_mul(rustix::param::page_size() as u64),
            cpu_seconds: cpu as f64 / ticks,
            // One of them lists the folder.
            open_files: (fs::read_dir("/proc/self/fd").ok()?.count() as u64).saturating_sub(1),
            started_at: booted as f64 + start as f64 / ticks,
        })
    }
}

/// Replaces this process by a new one of the same program, with the same arguments: only then is no file open any longer.
/// Returns only on failure.
pub fn restart() -> io::Error {
    let mut args = env::args_os();
    let mut program = Command::new("/proc/self/exe");
    program.arg0(args.next().unwrap_or_default()).args(args);
    program.exec()
}

/// The processor time and the start in ticks, and the memory in pages, of the text of `/proc/PID/stat`.
fn figures(stat: &str) -> Option<(u64, u64, u64)> {
    // The name may have spaces and parentheses. The fields after it are numbered from 3.
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    Some((field(14)? + field(15)?, field(22)?, field(24)?))
}

#[cfg(test)]
#[path = "process_tests.rs"]
mod tests;
