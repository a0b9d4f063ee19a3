//! A clock that is wrong harms nothing. Before 1970, that is said, since the database cannot be opened.

use std::path::Path;
use std::process::Command;

use crate::command::{LONG, Running, sproutnet};

/// Shifts the clock of a program by as many seconds as a variable says.
const SHIFT: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(clock, time);
    const char *shift = getenv("SHIFT");
    if (!failed && clock == CLOCK_REALTIME && shift) time->tv_sec += atoll(shift);
    return failed;
}
"#;

/// A library with that function, if there is a C compiler.
fn library(folder: &Path) -> String {
    let (source, library) = (folder.join("shift.c"), folder.join("shift.so"));
    std::fs::write(&source, SHIFT).expect("written");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]);
    compiler.arg(&library).arg(&source).arg("-ldl");
    assert!(compiler.status().expect("a C compiler").success());
    library.to_str().expect("text").to_owned()
}

#[test]
fn a_wrong_clock_harms_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = library(folder.path());
    let data = folder.path().join("data");
    let export = folder.path().join("export");
    let export = export.to_str().expect("text");
    // About 2090; then 1931, where the database cannot be opened.
    for (shift, code) in [("2000000000", 0), ("-3000000000", 1)] {
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
            command.env("LD_PRELOAD", &library).env("SHIFT", shift);
            let ended = Running::start(command).end(LONG);
            let (text, seen) = (&ended.stderr, ended.status.code());
            let is_told = text.contains("the clock of this machine is before 1970");
            let is_right = seen == Some(code) && is_told == (code == 1);
            let is_right = is_right && !text.contains("panicked");
            assert!(is_right, "{shift} {arguments:?}: {seen:?}: {text}");
        }
    }
}
