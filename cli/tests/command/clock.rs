//! The clock of a program, which tests set while it runs. It takes a C compiler.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = include_str!("clock.c");

/// A clock.
pub(crate) struct Clock {
    preloaded: PathBuf,
    /// The file with how many seconds it is ahead.
    ahead: PathBuf,
}

impl Clock {
    /// A clock that is right, with its files in a folder. Its name is its own there.
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

    /// Sets it so many seconds ahead of what is right.
    pub(crate) fn set(&self, seconds: i64) {
        let file = File::options()
            .create(true)
            .write(true)
            .truncate(false)
            .open(&self.ahead);
        let written = file.and_then(|file| file.write_all_at(&seconds.to_ne_bytes(), 0));
        written.expect("written");
    }

    /// Gives it to a program that is to be started.
    pub(crate) fn give(&self, command: &mut Command) {
        command.env("LD_PRELOAD", &self.preloaded);
        command.env("CLOCK", &self.ahead);
    }
}
