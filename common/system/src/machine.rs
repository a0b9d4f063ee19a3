//! The machine: its memory, its processor, and their use by this process.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The mount point of control groups.
const CONTROL_GROUPS: &str = "/sys/fs/cgroup";

/// The name of the machine.
pub fn host_name() -> String {
    let names = rustix::system::uname();
    names.nodename().to_string_lossy().into_owned()
}

/// The memory limit of this process, in bytes: the memory of the machine, or the limit of its control group if that is
/// less. `None` if unknown.
pub fn total_memory() -> Option<u64> {
    let machine = kibibytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")?;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = group_limit(Path::new(CONTROL_GROUPS), &groups);
    Some(group.map_or(machine, |group| group.min(machine)))
}

/// The memory used by this process, in bytes. `None` if unknown.
pub fn resident_memory() -> Option<u64> {
    kibibytes(&fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// The peak memory of this process, in bytes, since it began or since [`forget_peak_memory`]. `None` if unknown.
pub fn peak_memory() -> Option<u64> {
    kibibytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Resets [`peak_memory`] to the present use, if the machine permits it.
pub fn forget_peak_memory() {
    // Otherwise the earlier peak remains, as an upper bound.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The processor's name. `None` if unknown.
pub fn processor() -> Option<String> {
    processor_in(&fs::read_to_string("/proc/cpuinfo").ok()?)
}

/// The processor time of all threads of this process.
pub fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    // Neither is negative.
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The processor's name, in the form of `/proc/cpuinfo`.
fn processor_in(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let (_, name) = lines.find_map(|line| line.strip_prefix("model name")?.split_once(':'))?;
    Some(name.trim().to_owned())
}

/// A line of kibibytes, in bytes, in the form of `/proc/meminfo` and `/proc/self/status`.
fn kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The least memory limit of the control groups listed in the form of `/proc/self/cgroup`. Each
/// group is bound by those above it.
fn group_limit(mounted_at: &Path, groups: &str) -> Option<u64> {
    let limits = groups.lines().filter_map(|line| {
        let [_, controllers, path] = line.splitn(3, ':').collect::<Vec<_>>().try_into().ok()?;
        match controllers {
            // Version 2 lists no controllers.
            "" => least_limit(mounted_at, path, "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                least_limit(&mounted_at.join("memory"), path, "memory.limit_in_bytes")
            }
            _ => None,
        }
    });
    limits.min()
}

fn least_limit(hierarchy: &Path, path: &str, file: &str) -> Option<u64> {
    let group = hierarchy.join(path.trim_start_matches('/'));
    let groups = group.ancestors();
    let limits = groups
        .take_while(|folder| folder.starts_with(hierarchy))
        .filter_map(|folder| fs::read_to_string(folder.join(file)).ok());
    // "max" in version 2 means no limit, and does not parse as a number.
    limits.filter_map(|limit| limit.trim().parse().ok()).min()
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;
