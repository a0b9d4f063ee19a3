//! What came of it.

use std::time::{Duration, Instant};

use crate::machine;
use crate::measures::{Measures, Times};
use crate::metrics::Metrics;
use crate::program::Program;

/// Leases and reports a second.
const CYCLES: f64 = 2000.0;

/// New records a second.
const RECORDS: f64 = 500_000.0;

/// What 99 of 100 calls for a job must not exceed, in milliseconds.
const LEASE: f64 = 20.0;

/// The coordinator's counts at one time.
pub(crate) struct Snapshot {
    at: Instant,
    records: f64,
    bytes: f64,
    nodes: f64,
    lease: [f64; 2],
    report: [f64; 2],
    /// CPU time of the coordinator and of this process.
    cpu: [(f64, f64); 2],
}

impl Snapshot {
    /// Reads them.
    pub(crate) async fn take(program: &Program) -> anyhow::Result<Self> {
        let metrics = Metrics::read(program.http()).await?;
        let get = |name: &str| metrics.get(&format!("sproutnet_{name}"));
        let timing = |name: &str| {
            let sum = get(&format!("{name}_seconds_sum"))?;
            anyhow::Ok([sum, get(&format!("{name}_seconds_count"))?])
        };
        Ok(Self {
            records: get("records")?,
            bytes: get("store_bytes")?,
            nodes: get("dag_nodes")?,
            lease: timing("lease")?,
            report: timing("report")?,
            cpu: [
                machine::cpu_seconds(program.process())?,
                machine::cpu_seconds(std::process::id())?,
            ],
            at: Instant::now(),
        })
    }
}

/// What was measured in the time between two snapshots.
pub(crate) struct Figures {
    measures: Measures,
    time: Duration,
    /// Records added to the store.
    records: f64,
    /// What a record takes on disk, all of them together, in bytes.
    bytes_of_record: f64,
    nodes: f64,
    /// Milliseconds inside the coordinator, on the average.
    lease: f64,
    report: f64,
    cpu: [(f64, f64); 2],
}

impl Figures {
    /// What was measured between these.
    pub(crate) fn new(measures: Measures, before: &Snapshot, after: &Snapshot) -> Self {
        let mean = |of: fn(&Snapshot) -> [f64; 2]| {
            let (before, after) = (of(before), of(after));
            1e3 * (after[0] - before[0]) / (after[1] - before[1]).max(1.0)
        };
        let cpu = |who: usize| {
            let (before, after) = (before.cpu[who], after.cpu[who]);
            (after.0 - before.0, after.1 - before.1)
        };
        Self {
            measures,
            time: after.at - before.at,
            records: after.records - before.records,
            bytes_of_record: after.bytes / after.records.max(1.0),
            nodes: after.nodes,
            lease: mean(|snapshot| snapshot.lease),
            report: mean(|snapshot| snapshot.report),
            cpu: [cpu(0), cpu(1)],
        }
    }

    fn per_second(&self, count: f64) -> f64 {
        count / self.time.as_secs_f64()
    }

    fn cycles(&self) -> f64 {
        self.measures.reports.count() as f64
    }

    fn lease_p99(&self) -> f64 {
        let [_, p99, _] = self.measures.leases.quantiles();
        p99
    }

    /// Whether all targets are met.
    pub(crate) fn meets_targets(&self) -> bool {
        self.per_second(self.cycles()) >= CYCLES
            && self.per_second(self.records) >= RECORDS
            && self.lease_p99() < LEASE
    }

    /// Prints them.
    pub(crate) fn print(&self) {
        let Measures {
            leases,
            reports,
            renewals,
            ..
        } = &self.measures;
        let (cycles, seconds) = (self.cycles(), self.time.as_secs_f64());
        println!("measured     {seconds:.2} s");
        println!(
            "cycles       {:.0}/s, at least {CYCLES:.0}/s wanted; {} jobs not there at once",
            self.per_second(cycles),
            self.measures.idle
        );
        println!(
            "records      {:.0}/s new in the store, at least {RECORDS:.0}/s wanted; {:.0}/s acknowledged",
            self.per_second(self.records),
            self.per_second(self.measures.records as f64)
        );
        print_times(
            "lease",
            leases,
            &format!(
                "p99 below {LEASE} wanted; {:.3} in the coordinator",
                self.lease
            ),
        );
        print_times(
            "report",
            reports,
            &format!("{:.3} in the coordinator", self.report),
        );
        print_times("renew", renewals, "");
        println!(
            "children     {:.1} a report, {} outcomes, {:.0} nodes in the end",
            self.measures.children as f64 / cycles.max(1.0),
            self.measures.outcomes,
            self.nodes
        );
        let (blocks, bytes) = self.measures.fed;
        println!(
            "feeds        {:.0} blocks/s, {:.1} MB/s",
            self.per_second(blocks as f64),
            self.per_second(bytes as f64) / 1e6
        );
        for (who, (user, system)) in ["coordinator", "workers"].into_iter().zip(self.cpu) {
            println!(
                "CPU          {who}: {:.0} % ({:.0} % of it in the system), {:.3} ms a cycle",
                100.0 * (user + system) / seconds,
                100.0 * system / (user + system).max(f64::MIN_POSITIVE),
                1e3 * (user + system) / cycles.max(1.0)
            );
        }
        println!("disk         {:.1} bytes a record", self.bytes_of_record);
    }
}

fn print_times(what: &str, times: &Times, more: &str) {
    let [p50, p99, max] = times.quantiles();
    println!("{what:12} p50 {p50:.2} p99 {p99:.2} max {max:.2} ms; {more}");
}
