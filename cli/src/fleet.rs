//! `sproutnet fleet`.

use std::time::Duration;

use serde::Serialize;
use sproutnet_proto::v1;
use tokio::time::MissedTickBehavior;

use crate::args::{Common, Fleet};
use crate::cluster::Cluster;
use crate::exit::{BadInput, Exit};
use crate::retry::Retry;
use crate::screen::Screen;
use crate::text::{self, ago, bytes, count, print_json, time};

/// How often `--watch` asks.
const INTERVAL: Duration = Duration::from_secs(1);

/// How the coordinator and its workers do, as JSON.
#[derive(Serialize)]
struct State {
    /// Seconds since the coordinator began.
    uptime: f64,
    /// Sums over the workers.
    cores: u64,
    jobs: u64,
    expansions_per_second: f64,
    /// The store.
    records: u64,
    store_bytes: u64,
    /// Of all proof-number DAGs.
    nodes: u64,
    /// Jobs since the coordinator began.
    leased: u64,
    finished: u64,
    expired: u64,
    released: u64,
    workers: Vec<Worker>,
}

/// How a worker does, as JSON.
#[derive(Serialize)]
struct Worker {
    id: String,
    name: String,
    peer: String,
    cores: u32,
    jobs: u32,
    expansions: u64,
    expansions_per_second: f64,
    records: u64,
    /// In bytes.
    memory: u64,
    /// Seconds since it was last heard of.
    silent: f64,
}

/// Shows how the coordinator and its workers do.
pub(crate) async fn run(fleet: Fleet, common: Common) -> anyhow::Result<Exit> {
    if common.coordinator.is_none() {
        let problem = "a fleet belongs to a coordinator that runs: name it with --coordinator URL";
        return Err(BadInput(problem.to_owned()).into());
    }
    let cluster = Cluster::connect(&common, None).await?;
    if fleet.watch {
        tokio::select! {
            failed = watch(&cluster, common.json) => failed?,
            interrupted = tokio::signal::ctrl_c() => interrupted?,
        }
    } else {
        let state = State::of(cluster.client().fleet().await?);
        if common.json {
            print_json(&state)?;
        } else {
            text::print_lines(&state.lines())?;
        }
    }
    cluster.close().await?;
    Ok(Exit::Fine)
}

/// Shows it again and again; ends only by a failure.
async fn watch(cluster: &Cluster, json: bool) -> anyhow::Result<()> {
    let screen = Screen::new().filter(|_| !json);
    let retry = {
        let screen = screen.clone();
        Retry::new(cluster.is_elsewhere(), move |notice| {
            // Nobody is left to tell that the terminal is gone.
            let is_shown = screen
                .as_ref()
                .is_some_and(|screen| screen.tell(notice).is_ok());
            if !is_shown {
                eprintln!("{notice}");
            }
        })
    };
    let client = cluster.client();
    let mut ticks = tokio::time::interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let state = State::of(retry.call(|| client.fleet()).await?);
        if json {
            print_json(&state)?;
        } else if let Some(screen) = &screen {
            screen.show(state.lines())?;
        } else {
            text::print_lines(&[state.summary()])?;
        }
    }
}

impl State {
    fn of(fleet: v1::FleetResponse) -> Self {
        let workers: Vec<Worker> = fleet.workers.into_iter().map(Worker::of).collect();
        let sum = |part: fn(&Worker) -> u32| workers.iter().map(|w| u64::from(part(w))).sum();
        Self {
            uptime: fleet.uptime,
            cores: sum(|worker| worker.cores),
            jobs: sum(|worker| worker.jobs),
            expansions_per_second: workers.iter().map(|w| w.expansions_per_second).sum(),
            records: fleet.records,
            store_bytes: fleet.store_bytes,
            nodes: fleet.nodes,
            leased: fleet.leased,
            finished: fleet.finished,
            expired: fleet.expired,
            released: fleet.released,
            workers,
        }
    }

    /// All of it in one line.
    fn summary(&self) -> String {
        format!(
            "{} workers, {} cores, {} jobs, {} expansions/s, {} records, {}, {} nodes, {} jobs done",
            self.workers.len(),
            count(self.cores),
            count(self.jobs),
            count(self.expansions_per_second as u64),
            count(self.records),
            bytes(self.store_bytes),
            count(self.nodes),
            count(self.finished),
        )
    }

    /// Totals, then a table of the workers.
    fn lines(&self) -> Vec<String> {
        let totals = [
            ("running for", time(self.uptime)),
            (
                "workers",
                format!(
                    "{} with {} cores, {} jobs, {} expansions/s",
                    self.workers.len(),
                    count(self.cores),
                    count(self.jobs),
                    count(self.expansions_per_second as u64)
                ),
            ),
            (
                "store",
                format!(
                    "{} records, {}",
                    count(self.records),
                    bytes(self.store_bytes)
                ),
            ),
            ("proofs", format!("{} nodes", count(self.nodes))),
            (
                "jobs",
                format!(
                    "{} given out: {} finished, {} ran out, {} handed back",
                    count(self.leased),
                    count(self.finished),
                    count(self.expired),
                    count(self.released)
                ),
            ),
        ];
        let mut lines: Vec<String> = totals
            .into_iter()
            .map(|(name, value)| format!("{name:<11}  {value}"))
            .collect();
        if !self.workers.is_empty() {
            lines.push(String::new());
            lines.extend(self.table());
        }
        lines
    }

    fn table(&self) -> Vec<String> {
        let heading = [
            "worker",
            "peer",
            "cores",
            "jobs",
            "expansions/s",
            "expansions",
            "records",
            "memory",
            "seen",
        ];
        let mut rows = vec![heading.map(str::to_owned).to_vec()];
        rows.extend(self.workers.iter().map(|worker| {
            vec![
                worker.name.clone(),
                worker.peer.clone(),
                worker.cores.to_string(),
                worker.jobs.to_string(),
                count(worker.expansions_per_second as u64),
                count(worker.expansions),
                count(worker.records),
                bytes(worker.memory),
                ago(worker.silent),
            ]
        }));
        text::columns(&rows, 2..heading.len())
    }
}

impl Worker {
    fn of(worker: v1::WorkerStatus) -> Self {
        Self {
            id: worker.worker.to_string(),
            name: worker.name,
            peer: worker.peer,
            cores: worker.cores,
            jobs: worker.jobs,
            expansions: worker.expansions,
            expansions_per_second: worker.expansions_per_second,
            records: worker.records,
            memory: worker.memory,
            silent: worker.silent,
        }
    }
}
