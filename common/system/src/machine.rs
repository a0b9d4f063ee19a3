//! The machine: its memory, its processor, and what this process uses of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Where control groups are mounted.
const CONTROL_GROUPS: &str = "/sys/fs/cgroup";

/// The name of the machine.
pub fn host_name() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

/// The memory that this process may use, in bytes: that of the machine, or of its control group
/// if that has less. `None` if that is unknown.
pub fn total_memory() -> Option<u64> {
    let machine = in_meminfo(&fs::read_to_string("/proc/meminfo").ok()?)?;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = group_limit(Path::new(CONTROL_GROUPS), &groups);
    Some(group.map_or(machine, |group| group.min(machine)))
}

/// The memory that this process has in use, in bytes. `None` if that is unknown.
pub fn resident_memory() -> Option<u64> {
    let pages = in_statm(&fs::read_to_string("/proc/self/statm").ok()?)?;
    pages.checked_mul(rustix::param::page_size() as u64)
}

/// The most memory that this process had in use at a time, in bytes, since it began or since
/// [`forget_peak_memory`]. `None` if that is unknown.
pub fn peak_memory() -> Option<u64> {
    in_kibibytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Lets [`peak_memory`] start again from what is in use now. Where the machine does not let it, nothing
/// happens.
pub fn forget_peak_memory() {
    // The peak of all that came before is an upper bound too.
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The processor, as its maker calls it. `None` if that is unknown.
pub fn processor() -> Option<String> {
    in_cpuinfo(&fs::read_to_string("/proc/cpuinfo").ok()?)
}

/// The time that all threads of this process had a processor for.
pub fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    // Neither is negative.
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The processor's name, in the form of `/proc/cpuinfo`.
fn in_cpuinfo(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let (_, name) = lines.find_map(|line| line.strip_prefix("model name")?.split_once(':'))?;
    Some(name.trim().to_owned())
}

/// A line of kibibytes, in bytes, in the form of `/proc/meminfo` and `/proc/self/status`.
fn in_kibibytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The machine's memory, in the form of `/proc/meminfo`.
fn in_meminfo(text: &str) -> Option<u64> {
    in_kibibytes(text, "MemTotal:")
}

/// Resident pages, in the form of `/proc/self/statm`.
fn in_statm(text: &str) -> Option<u64> {
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// The least memory limit of the control groups listed in the form of `/proc/self/cgroup`. Each
/// group is bound by those above it.
fn group_limit(mounted_at: &Path, groups: &str) -> Option<u64> {
    groups
        .lines()
        .filter_map(|line| {
            let mut parts = line.splitn(3, ':');
            let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
            // Version 2 lists no controllers.
            let (hierarchy, file) = if controllers.is_empty() {
                (mounted_at.to_owned(), "memory.max")
            } else if controllers.split(',').any(|name| name == "memory") {
                (mounted_at.join("memory"), "memory.limit_in_bytes")
            } else {
                return None;
            };
            least_limit(&hierarchy, path, file)
        })
        .min()
}

fn least_limit(hierarchy: &Path, path: &str, file: &str) -> Option<u64> {
    let group: PathBuf = hierarchy.join(path.trim_start_matches('/'));
    group
        .ancestors()
        .take_while(|folder| folder.starts_with(hierarchy))
        // "max" in version 2 means no limit, and is no number.
        .filter_map(|folder| {
            fs::read_to_string(folder.join(file))
                .ok()?
                .trim()
                .parse()
                .ok()
        })
        .min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_files_are_understood() {
        let meminfo = "MemTotal:       24569820 kB\nMemFree:        23126764 kB\n";
        assert_eq!(in_meminfo(meminfo), Some(24_569_820 << 10));
        assert_eq!(in_statm("5000 1234 900 1 0 800 0\n"), Some(1234));
        let cpuinfo = "processor\t: 0\nmodel name\t: A fast one @ 3 GHz\n";
        assert_eq!(in_cpuinfo(cpuinfo).as_deref(), Some("A fast one @ 3 GHz"));
        assert_eq!(in_cpuinfo("processor: 0\n"), None);
        for bad in ["", "MemTotal: lots", "MemTotal: 5"] {
            assert_eq!(in_meminfo(bad), None, "{bad}");
            assert_eq!(in_statm(bad).filter(|_| bad.is_empty()), None);
        }
    }

    #[test]
    fn this_process_uses_some_memory_of_the_machine() {
        let (used, total) = (resident_memory(), total_memory());
        assert!(used > Some(0) && used < total, "{used:?} of {total:?}");
    }

    #[test]
    fn the_peak_includes_what_was_given_back() {
        const SIZE: usize = 32 << 20;
        forget_peak_memory();
        let before = resident_memory().expect("it tells");
        drop(std::hint::black_box(vec![1u8; SIZE]));
        let peak = peak_memory().expect("it tells");
        assert!(peak >= before + (SIZE as u64) / 2, "{before} {peak}");
    }

    #[test]
    fn work_takes_processor_time() {
        let before = cpu_time();
        while cpu_time() < before + Duration::from_millis(5) {
            std::hint::black_box(processor());
        }
        assert!(cpu_time() > before);
    }

    #[test]
    fn the_least_limit_of_all_groups_above_counts() {
        let root = tempfile::tempdir().expect("a folder");
        let inner = root.path().join("machine/worker");
        fs::create_dir_all(&inner).expect("a folder");
        fs::write(inner.join("memory.max"), "max\n").expect("written");
        let limit = || group_limit(root.path(), "0::/machine/worker\n");
        assert_eq!(limit(), None);
        fs::write(root.path().join("machine/memory.max"), "1073741824\n").expect("written");
        assert_eq!(limit(), Some(1 << 30));
        fs::write(inner.join("memory.max"), "2147483648\n").expect("written");
        assert_eq!(limit(), Some(1 << 30));
        assert_eq!(group_limit(root.path(), "nonsense"), None);
    }

    #[test]
    fn limits_of_version_1_are_found_even_where_the_path_is_the_hosts() {
        let root = tempfile::tempdir().expect("a folder");
        let memory = root.path().join("memory");
        fs::create_dir_all(&memory).expect("a folder");
        fs::write(memory.join("memory.limit_in_bytes"), "536870912\n").expect("written");
        let groups = "5:cpu,cpuacct:/docker/f00\n4:memory:/docker/f00\n";
        assert_eq!(group_limit(root.path(), groups), Some(512 << 20));
    }
}
