//! A wrong clock does no harm. Before 1970 there is an error, because the database cannot be opened.

use crate::command::{Clock, LONG, Running, sproutnet};

#[test]
fn a_wrong_clock_harms_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let clock = Clock::new(folder.path(), "shifted");
    let data = folder.path().join("data");
    let export = folder.path().join("export");
    let export = export.to_str().expect("text");
    // The year is about 2090, then about 1931, where the database cannot be opened.
    for (shift, code) in [(2_000_000_000, 0), (-3_000_000_000, 1)] {
        clock.set(shift);
        for arguments in [
            &["solve", "0*6", "--play", "both"][..],
            &["solve", "0*7", "--nimber"],
            &["query", "0*6"],
            &["table"],
            &["list"],
            &["store", "check"],
            &["store", "stats"],
            &["export", "-o", export],
        ] {
            let mut command = sproutnet(&data, arguments);
            clock.give(&mut command);
            let ended = Running::start(command).end(LONG);
            let (text, seen) = (&ended.stderr, ended.status.code());
            let is_told = text.contains("the system clock is set to before 1970; correct it");
            let is_right = seen == Some(code) && is_told == (code == 1);
            let is_right = is_right && !text.contains("panicked");
            assert!(is_right, "{shift} {arguments:?}: {seen:?}: {text}");
        }
    }
}
