use std::time::{SystemTime, UNIX_EPOCH};

use super::*;

#[test]
fn the_figures_follow_the_name() {
    let stat = "7 (a) b) S 1 7 7 0 -1 4194560 1 2 3 4 150 50 5 6 20 0 9 0 1234 8192000 321 18 1";
    assert_eq!(figures(stat), Some((200, 1234, 321)));
    assert_eq!(figures("7 (a) S 1"), None);
    assert_eq!(figures(""), None);
}

#[cfg(target_os = "linux")]
#[test]
fn this_process_is_known() {
    let before = ProcessState::now().expect("the system tells it");
    let held: Vec<_> = (0..50)
        .map(|_| fs::File::open("/proc/self/stat").expect("a file"))
        .collect();
    let after = ProcessState::now().expect("the system tells it");
    // Other tests open files at the same time.
    assert!(
        after.open_files >= before.open_files + 40,
        "{before:?} {after:?}"
    );
    drop(held);
    assert!(after.resident_bytes > 1 << 20, "{after:?}");
    assert!(after.cpu_seconds >= before.cpu_seconds);
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("after 1970");
    let age = now.as_secs_f64() - after.started_at;
    assert!((-2.0..3600.0).contains(&age), "{age}");
}
