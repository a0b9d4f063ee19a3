//! A worker's configuration.

use std::path::PathBuf;
use std::time::Duration;

use sproutnet_system::options::{Cores, Memory, Name};

/// The resources that a worker may use, and its name.
#[derive(Clone, Debug)]
pub struct Config {
    /// The number of search threads. The runtime needs this many blocking threads, and a few more.
    pub cores: usize,
    /// The number of threads per job. `None` for all: threads of one job repeat less than several jobs do.
    pub team: Option<usize>,
    /// The memory for the process. Half of it is for the transposition table. A process that exceeds it drops its facts
    /// in memory, and goes on with those in its own store. Only Linux tells how much a process uses: elsewhere, facts are
    /// not bounded.
    pub memory: Memory,
    /// A display name of at most 256 bytes.
    pub name: String,
    /// The folder for workers' own stores. The worker takes the first free subfolder `0`, `1`, ….
    /// Without it, undelivered records and those of the feed are held in memory.
    pub data: Option<PathBuf>,
    /// The space kept free on the disk of that folder, in bytes. With less free, undelivered records are held in memory
    /// only. `None` for 256 MiB, or a tenth of a smaller disk.
    pub disk_reserve: Option<u64>,
    /// The limit on the size of its own store on disk, in bytes. `None` for no limit.
    pub store_budget: Option<u64>,
    /// The time limit for a clean stop.
    pub grace: Duration,
}

impl Default for Config {
    /// All cores in one team, half of the memory, the host name, no store, 20 seconds of grace.
    fn default() -> Self {
        Self {
            cores: Cores::default().0,
            team: None,
            memory: Memory::default(),
            name: Name::default().0,
            data: None,
            disk_reserve: None,
            store_budget: None,
            grace: Duration::from_secs(20),
        }
    }
}

impl Config {
    /// The number of concurrent jobs.
    pub(crate) fn slots(&self) -> usize {
        let team = self.team.unwrap_or(self.cores);
        self.cores.div_ceil(team.max(1)).max(1)
    }

    /// The number of threads of a slot. Slots differ by at most one.
    pub(crate) fn threads(&self, slot: usize) -> usize {
        let slots = self.slots();
        let more = usize::from(slot < self.cores % slots);
        (self.cores / slots + more).max(1)
    }
}
