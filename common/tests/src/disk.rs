//! A small disk in memory, which tests fill. Mounting it needs permission.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

/// A disk in memory, gone when dropped.
pub struct Disk(TempDir);

impl Disk {
    /// Mounts a disk of `mebibytes` MiB. `None` if this user has no permission.
    pub fn mount(mebibytes: u64) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={mebibytes}m"), "tmpfs"]);
        let mounted = mount.arg(folder.path()).output();
        if !matches!(&mounted, Ok(mounted) if mounted.status.success()) {
            eprintln!("skipped: this user may not mount a disk: {mounted:?}");
            return None;
        }
        Some(Self(folder))
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }

    /// Writes until nothing is free.
    pub fn fill(&self) {
        self.fill_but(0);
    }

    /// Writes until at most `left` bytes are free.
    pub fn fill_but(&self, left: u64) {
        let mut filler = File::options();
        let filler = filler.create(true).append(true).open(self.filler());
        let mut filler = filler.expect("a file");
        for size in [1 << 24, 1 << 20, 1 << 12] {
            let bytes = vec![1; size];
            while self.free() >= left + size as u64 && filler.write_all(&bytes).is_ok() {}
        }
    }

    /// The number of free bytes.
    fn free(&self) -> u64 {
        let found = rustix::fs::statvfs(self.path()).expect("it is mounted");
        found.f_bavail * found.f_frsize
    }

    /// Removes the filler.
    pub fn clear(&self) {
        std::fs::remove_file(self.filler()).expect("removed");
    }

    /// Makes it read-only.
    pub fn freeze(&self) {
        // A process that another test is starting may hold files of this one for a moment, which makes the disk busy.
        for _ in 0..100 {
            let mut mount = Command::new("mount");
            let mounted = mount.args(["-o", "remount,ro"]).arg(self.path()).status();
            if mounted.expect("there is a `mount`").success() {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        panic!("the disk stays busy");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Lazily, so that other processes with open files can still close them.
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}
