use super::*;

#[test]
fn the_system_files_are_understood() {
    let meminfo = "MemTotal:       24569820 kB\nMemFree:        23126764 kB\n";
    assert_eq!(kibibytes(meminfo, "MemTotal:"), Some(24_569_820 << 10));
    let cpuinfo = "processor\t: 0\nmodel name\t: A fast one @ 3 GHz\n";
    assert_eq!(processor_in(cpuinfo).as_deref(), Some("A fast one @ 3 GHz"));
    assert_eq!(processor_in("processor: 0\n"), None);
    for bad in ["", "MemTotal: lots", "MemTotal: 5"] {
        assert_eq!(kibibytes(bad, "MemTotal:"), None, "{bad}");
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
