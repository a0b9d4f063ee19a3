//! The figures of a load, and their targets.

use std::time::{Duration, Instant};

use crate::machine;
use crate::measures::{Measures, Times};
use crate::metrics::Metrics;
use crate::program::Program;

/// The target rate of leases and reports, per second.
const CYCLES: f64 = 2000.0;

/// The target rate of new records, per second.
const RECORDS: f64 = 500_000.0;

/// The target for the 99th percentile of lease calls, in milliseconds.
const LEASE: f64 = 20.0;

/// The target for the 99th percentile of HTTP queries, in milliseconds.
const QUERY: f64 = 10.0;

/// The targets of a load: the fixed targets, or the rates of the load where these are lower.
#[derive(Clone, Copy)]
pub(crate) struct Targets {
    cycles: f64,
    records: f64,
    queries: f64,
}

impl Targets {
    /// The targets of a load with these rates, per second.
    pub(crate) fn of(cycles: u32, records: u32, queries: u32) -> Self {
        // Some calls are under way when the measurement begins or ends.
        let nearly = |rate: u32| f64::from(rate) * 0.98;
        Self {
            cycles: CYCLES.min(nearly(cycles)),
            records: RECORDS.min(nearly(records)),
            queries: nearly(queries),
        }
    }
}

/// The coordinator's counts at one time.
pub(crate) struct Snapshot {
    at: Instant,
    records: f64,
    bytes: f64,
    nodes: f64,
    lease: [f64; 2],
    report: [f64; 2],
    /// The CPU time of the coordinator and of this process, in seconds: in the program, and in the system.
    cpu: [(f64, f64); 2],
}

impl Snapshot {
    /// Reads the counts.
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
            nodes: get("shared_states")?,
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

/// The figures of the time between two snapshots.
pub(crate) struct Figures {
    measures: Measures,
    time: Duration,
    /// Records added to the store.
    records: f64,
    /// The mean size of a record on disk, in bytes.
    bytes_of_record: f64,
    nodes: f64,
    /// The mean times inside the coordinator, in milliseconds.
    lease: f64,
    report: f64,
    cpu: [(f64, f64); 2],
    wanted: Targets,
}

impl Figures {
    /// The figures between two snapshots.
    pub(crate) fn new(
        measures: Measures,
        before: &Snapshot,
        after: &Snapshot,
        wanted: Targets,
    ) -> Self {
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
            wanted,
        }
    }

    fn per_second(&self, count: f64) -> f64 {
        count / self.time.as_secs_f64()
    }

    fn cycles(&self) -> f64 {
        self.measures.cycles as f64
    }

    fn queries(&self) -> f64 {
        self.measures.queries.count() as f64
    }

    /// Whether all targets are met.
    pub(crate) fn meets_targets(&self) -> bool {
        let p99 = |times: &Times| times.quantiles()[1];
        self.per_second(self.cycles()) >= self.wanted.cycles
            && self.per_second(self.records) >= self.wanted.records
            && self.per_second(self.queries()) >= self.wanted.queries
            && p99(&self.measures.leases) < LEASE
            && p99(&self.measures.queries) < QUERY
    }

    /// Prints them.
    pub(crate) fn print(&self) {
        let Measures {
            leases,
            reports,
            renewals,
            exchanges,
            queries,
            ..
        } = &self.measures;
        let (cycles, seconds) = (self.cycles(), self.time.as_secs_f64());
        println!("measured     {seconds:.2} s");
        println!(
            "cycles       {:.0}/s, at least {:.0}/s wanted; {} jobs not there at once",
            self.per_second(cycles),
            self.wanted.cycles,
            self.measures.idle
        );
        println!(
            "records      {:.0}/s new in the store, at least {:.0}/s wanted; {:.0}/s acknowledged in {:.0} reports/s",
            self.per_second(self.records),
            self.wanted.records,
            self.per_second(self.measures.records as f64),
            self.per_second(reports.count() as f64)
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
        if exchanges.count() > 0 {
            let rate = self.per_second(exchanges.count() as f64);
            print_times("exchange", exchanges, &format!("{rate:.0}/s"));
        }
        if queries.count() > 0 {
            let rate = self.per_second(self.queries());
            let more = format!("p99 below {QUERY} wanted; {rate:.0}/s");
            print_times("query", queries, &more);
        }
        println!(
            "children     {:.1} a report, {} outcomes, {:.0} nodes in the end",
            self.measures.children as f64 / cycles.max(1.0),
            self.measures.outcomes,
            self.nodes
        );
        println!(
            "withheld     what took fewer than {} visits; after {} reports more waited",
            self.measures.least_worth, self.measures.behind
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
