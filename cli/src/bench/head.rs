//! The header: machine and settings.

use serde::Serialize;
use sproutnet_system::options::Cores;
use sproutnet_system::{build, machine};

use super::suites::Suite;
use super::world::Budget;
use crate::args::Bench;
use crate::terminal::text::{Show, bytes, counted, named_values};

/// The header of the figures.
#[derive(Serialize)]
pub(super) struct Head {
    /// Null if positions were given instead of a suite.
    suite: Option<Suite>,
    /// The name of the processor.
    machine: String,
    /// The number of cores that this process may use.
    cores: usize,
    version: &'static str,
    commit: &'static str,
    threads: usize,
    repeat: u16,
    /// The first seed; the others follow it.
    seed: u64,
    seeds: u16,
    without: Vec<&'static str>,
    warm: bool,
    /// The memory of the transposition table, in bytes.
    table: usize,
}

impl Head {
    /// Describes a benchmark and its machine.
    pub(super) fn of(bench: &Bench, suite: Option<Suite>, budget: &Budget) -> Self {
        Self {
            suite,
            machine: machine::processor().unwrap_or_else(|| "unknown".to_owned()),
            cores: Cores::default().0,
            version: env!("CARGO_PKG_VERSION"),
            commit: build::COMMIT,
            threads: bench.threads.0,
            repeat: bench.repeat,
            seed: bench.seed,
            seeds: bench.seeds,
            without: bench.without.iter().map(|switch| switch.name()).collect(),
            warm: bench.warm,
            table: budget.table,
        }
    }
}

impl Show for Head {
    fn lines(&self) -> Vec<String> {
        let mut means = vec![
            if self.warm { "warm" } else { "cold" }.to_owned(),
            counted(self.threads as u64, "thread"),
            match self.seeds {
                1 => format!("seed {}", self.seed),
                seeds => {
                    let last = self.seed.wrapping_add(u64::from(seeds) - 1);
                    format!("medians of seeds {} to {last}", self.seed)
                }
            },
            format!("table of {}", bytes(self.table as u64)),
        ];
        if self.repeat > 1 {
            means.push(format!("median of {} runs", self.repeat));
        }
        if !self.without.is_empty() {
            means.push(format!("without {}", self.without.join(", ")));
        }
        let suite = self.suite.map_or("positions given", Suite::name);
        let (machine, cores) = (&self.machine, counted(self.cores as u64, "core"));
        let mut lines = named_values([
            ("machine", format!("{machine}, {cores}")),
            (
                "commit",
                format!("{}, version {}", self.commit, self.version),
            ),
            ("suite", format!("{suite}: {}", means.join(", "))),
        ]);
        lines.push(String::new());
        lines
    }
}
