//! The disks of the hosts: folders that outlive the software of a host.
//!
//! A killed process leaves its files as they are at that moment. Within one process nothing can be killed: dropped
//! values still write. So a kill first copies the folder, and the next run uses the copy. Data not yet written to the
//! system is not in the copy.

use std::cell::Cell;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The file with the store's mark: the amount of data that must be there. It is copied before the data, since a write
/// may go on meanwhile.
const MARK: &str = "acknowledged";

/// The folder of a host, and its copies.
pub(crate) struct Disk {
    all: TempDir,
    lives: Cell<u32>,
}

impl Disk {
    /// An empty folder, in memory where the system offers that: nothing here outlives the system.
    pub(crate) fn new() -> Self {
        let in_memory = Path::new("/dev/shm");
        let all = if in_memory.is_dir() {
            tempfile::tempdir_in(in_memory)
        } else {
            tempfile::tempdir()
        };
        let lives = Cell::new(0);
        let all = all.expect("a folder");
        Self { all, lives }
    }

    /// The folder to use now.
    pub(crate) fn folder(&self) -> PathBuf {
        self.all.path().join(self.lives.get().to_string())
    }

    /// Switches to a copy of the folder as it is now.
    pub(crate) fn outlive(&self) {
        let before = self.folder();
        self.lives.set(self.lives.get() + 1);
        if before.is_dir() {
            copy(&before, &self.folder()).expect("a copy");
        }
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let mut names = Vec::new();
    for entry in fs::read_dir(from)? {
        names.push(entry?.file_name());
    }
    names.sort_by_key(|name| name != MARK);
    for name in names {
        let (source, target) = (from.join(&name), to.join(&name));
        let copied = if source.is_dir() {
            copy(&source, &target)
        } else {
            fs::copy(&source, &target).map(drop)
        };
        match copied {
            // It was a temporary file.
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            copied => copied?,
        }
    }
    Ok(())
}
