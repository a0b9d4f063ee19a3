//! Describes the machine and the measured commit.

use std::fs;
use std::process::Command;

use anyhow::Context;

/// The processor, the number of cores and the system.
pub(crate) fn describe() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| {
        let value = line.strip_prefix("model name")?;
        Some(value.trim_start_matches([' ', '\t', ':']).to_owned())
    });
    let cores = info
        .lines()
        .filter(|line| line.starts_with("processor"))
        .count();
    let system = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{}, {cores} cores, Linux {}",
        model.as_deref().unwrap_or("unknown processor"),
        system.trim()
    )
}

/// The commit that is checked out, and whether the working tree differs from it.
pub(crate) fn commit() -> String {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let Some(commit) = git(&["rev-parse", "--short", "HEAD"]) else {
        return "unknown".to_owned();
    };
    match git(&["status", "--porcelain", "--untracked-files=no"]) {
        Some(changed) if changed.is_empty() => commit,
        _ => format!("{commit} and changes"),
    }
}

/// The CPU time of a process in seconds: in the program itself, and in the system for it.
pub(crate) fn cpu_seconds(process: u32) -> anyhow::Result<(f64, f64)> {
    let path = format!("/proc/{process}/stat");
    let stat = fs::read_to_string(&path).with_context(|| path.clone())?;
    // The name, in parentheses, may contain anything.
    let (_, fields) = stat.rsplit_once(')').with_context(|| path.clone())?;
    let mut ticks = fields.split_whitespace().skip(11).map(str::parse::<u64>);
    let (Some(Ok(user)), Some(Ok(system))) = (ticks.next(), ticks.next()) else {
        anyhow::bail!("{path}: unexpected text");
    };
    let each = rustix::param::clock_ticks_per_second() as f64;
    Ok((user as f64 / each, system as f64 / each))
}
