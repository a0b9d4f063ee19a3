//! `sproutnet fleet`.

use sproutnet_model::{Fleet, FleetWorker, RecordSource};

use crate::args::Common;
use crate::exit::Exit;
use crate::remote::cluster::{Cluster, ask};
use crate::terminal::live::{self, EVERY_SECOND, View};
use crate::terminal::style::Look;
use crate::terminal::table::{Cell, Row, number, table, text};
use crate::terminal::text::{Show, ago, bytes, count, counted, named_values, plain, print, time};

/// Shows the state of the coordinator and its workers.
pub(crate) async fn run(watch: bool, common: Common) -> anyhow::Result<Exit> {
    common
        .need_coordinator("a fleet needs a running coordinator: name it with --coordinator URL")?;
    if watch {
        let cluster = Cluster::connect(&common, None).await?;
        return live::show(cluster, common.json, EVERY_SECOND, |client| async move {
            client.fleet().await
        })
        .await;
    }
    let fleet = ask(&common, |client| async move { client.fleet().await }).await?;
    print(common.json, &fleet)?;
    Ok(Exit::Fine)
}

/// The totals, one line for each.
pub(crate) fn totals(fleet: &Fleet) -> Vec<String> {
    let workers = format!(
        "{} with {}, {}, {} expansions/s",
        fleet.workers.len(),
        counted(fleet.cores, "core"),
        counted(fleet.jobs, "job"),
        count(fleet.expansions_per_second as u64)
    );
    let jobs = format!(
        "{} given out: {} finished, {} ran out, {} handed back",
        count(fleet.leased),
        count(fleet.finished),
        count(fleet.expired),
        count(fleet.released)
    );
    let free = fleet
        .disk_free
        .map(|free| format!(" ({} free)", bytes(free)));
    let free = free.unwrap_or_default();
    let (records, size) = (count(fleet.records), bytes(fleet.store_bytes));
    let mut totals = named_values([
        ("running for", time(fleet.uptime)),
        ("workers", workers),
        ("store", format!("{records} records, {size}{free}")),
        ("proofs", format!("{} nodes", count(fleet.nodes))),
        ("jobs", jobs),
        ("facts sent", facts_sent(fleet.least_worth)),
    ]);
    totals.extend(problem(fleet));
    totals
}

/// The reason why the coordinator leases no jobs; `None` if it is well.
pub(crate) fn problem(fleet: &Fleet) -> Option<String> {
    let why = fleet.problem.as_ref()?;
    Some(format!("no jobs are handed out: {}", plain(why)))
}

/// The workers as a table after an empty line; no lines if there are no workers.
pub(crate) fn workers(fleet: &Fleet) -> Vec<String> {
    let lines = table(fleet.workers.iter().map(Row::cells), Look::of_stdout());
    after_empty_line(lines)
}

/// A line for each quarantined worker, after an empty line; no lines if there are none.
fn quarantined(fleet: &Fleet) -> Vec<String> {
    let line = |worker: &RecordSource| {
        let (name, peer) = (plain(&worker.name), plain(&worker.peer));
        let (source, why) = (worker.source, plain(worker.why_quarantined()));
        format!("quarantined: {name} ({peer}, source {source}): {why}")
    };
    after_empty_line(fleet.quarantined.iter().map(line).collect())
}

/// A description of the facts that workers send: those of at least this worth.
fn facts_sent(least_worth: u64) -> String {
    match least_worth {
        0..=1 => "all".to_owned(),
        visits => format!("those of {} visits or more", count(visits)),
    }
}

fn after_empty_line(mut lines: Vec<String>) -> Vec<String> {
    if !lines.is_empty() {
        lines.insert(0, String::new());
    }
    lines
}

impl Row for FleetWorker {
    fn cells(&self) -> Vec<Cell> {
        vec![
            text("worker", &self.name),
            text("peer", &self.peer),
            text("version", &self.version),
            number("cores", self.cores),
            number("jobs", self.jobs),
            number("expansions/s", count(self.expansions_per_second as u64)),
            number("expansions", count(self.expansions)),
            number("records", count(self.records)),
            number("memory", bytes(self.memory)),
            number("seen", ago(self.silent)),
        ]
    }
}

impl Show for Fleet {
    fn lines(&self) -> Vec<String> {
        [totals(self), workers(self), quarantined(self)].concat()
    }
}

impl View for Fleet {
    fn summary(&self) -> String {
        format!(
            "{}, {}, {}, {} expansions/s, {}, {}, {}, {} done",
            counted(self.workers.len() as u64, "worker"),
            counted(self.cores, "core"),
            counted(self.jobs, "job"),
            count(self.expansions_per_second as u64),
            counted(self.records, "record"),
            bytes(self.store_bytes),
            counted(self.nodes, "node"),
            counted(self.finished, "job"),
        )
    }
}
