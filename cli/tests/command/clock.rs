//! The clock of a program, which tests set while the program runs. This needs a C compiler.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = include_str!("clock.c");

/// A clock for programs, by a preloaded library.
pub(crate) struct Clock {
    preloaded: PathBuf,
    /// The file with the number of seconds that the clock is ahead.
    ahead: PathBuf,
}

impl Clock {
    /// A correct clock, with its files in a folder. The name must be unique in that folder.
    pub(crate) fn new(folder: &Path, name: &str) -> Self {
        let (source, library) = (folder.join("clock.c"), folder.join("clock.so"));
        if !library.exists() {
            std::fs::write(&source, SOURCE).expect("written");
            let mut compiler = Command::new("cc");
            compiler.args(["-shared", "-fPIC", "-O", "-o"]);
            compiler.arg(&library).arg(&source).arg("-ldl");
            assert!(compiler.status().expect("a C compiler").success());
        }
        let ahead = folder.join(format!("{name}.clock"));
        let clock = Self {
            preloaded: library,
            ahead,
        };
        clock.set(0);
        clock
    }

    /// Sets the clock this many seconds ahead of the real time; behind it, if negative.
    pub(crate) fn set(&self, seconds: i64) {
        let file = File::options()
            .create(true)
            .write(true)
            .truncate(false)
            .open(&self.ahead);
        let written = file.and_then(|file| file.write_all_at(&seconds.to_ne_bytes(), 0));
        written.expect("written");
    }

    /// Makes a program use the clock. Call this before the program starts.
    pub(crate) fn give(&self, command: &mut Command) {
        command.env("LD_PRELOAD", &self.preloaded);
        command.env("CLOCK", &self.ahead);
    }
}
