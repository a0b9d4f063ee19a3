//! `sproutnet fleet`.

use serde::Serialize;
use sproutnet_model as model;

use crate::args::{Common, Fleet};
use crate::exit::{BadInput, Exit};
use crate::remote::cluster::Cluster;
use crate::terminal::live::{EVERY_SECOND, Live, View};
use crate::terminal::style::Look;
use crate::terminal::text::{self, ago, bytes, count, print_json, time};

/// The printed state of the coordinator and its workers.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct State(pub(crate) model::Fleet);

/// Shows the state of the coordinator and its workers.
pub(crate) async fn run(fleet: Fleet, common: Common) -> anyhow::Result<Exit> {
    if common.coordinator.is_none() {
        let problem = "a fleet needs a running coordinator: name it with --coordinator URL";
        return Err(BadInput(problem.to_owned()).into());
    }
    let cluster = Cluster::connect(&common, None).await?;
    if fleet.watch {
        let client = cluster.client();
        let live = Live::new(cluster.is_elsewhere(), common.json, EVERY_SECOND);
        let ask = || async { client.fleet().await.map(State) };
        tokio::select! {
            failed = live.show(ask) => failed?,
            interrupted = tokio::signal::ctrl_c() => interrupted?,
        }
    } else {
        let state = State(cluster.client().fleet().await?);
        if common.json {
            print_json(&state)?;
        } else {
            text::print_lines(&state.lines())?;
        }
    }
    cluster.close().await?;
    Ok(Exit::Fine)
}

impl State {
    /// The totals, a line each.
    pub(crate) fn totals(&self, look: Look) -> Vec<String> {
        let totals = [
            ("running for", time(self.0.uptime)),
            (
                "workers",
                format!(
                    "{} with {} cores, {} jobs, {} expansions/s",
                    self.0.workers.len(),
                    count(self.0.cores),
                    count(self.0.jobs),
                    count(self.0.expansions_per_second as u64)
                ),
            ),
            (
                "store",
                format!(
                    "{} records, {}",
                    count(self.0.records),
                    bytes(self.0.store_bytes)
                ),
            ),
            ("proofs", format!("{} nodes", count(self.0.nodes))),
            (
                "jobs",
                format!(
                    "{} given out: {} finished, {} ran out, {} handed back",
                    count(self.0.leased),
                    count(self.0.finished),
                    count(self.0.expired),
                    count(self.0.released)
                ),
            ),
        ];
        text::named_values(totals, look)
    }

    /// A line for each worker that is quarantined, after an empty line; nothing if there are none.
    pub(crate) fn quarantined(&self) -> Vec<String> {
        let line = |aside: &model::RecordSource| {
            let (name, peer) = (text::plain(&aside.name), text::plain(&aside.peer));
            let why = aside
                .quarantine
                .as_ref()
                .map_or("", |quarantine| &quarantine.why);
            let (source, why) = (aside.source, text::plain(why));
            format!("quarantined: {name} ({peer}, source {source}): {why}")
        };
        let lines = self.0.quarantined.iter().map(line);
        let empty = (!self.0.quarantined.is_empty()).then(String::new);
        empty.into_iter().chain(lines).collect()
    }

    /// The workers as a table after an empty line; nothing if there are none.
    pub(crate) fn workers(&self, look: Look) -> Vec<String> {
        if self.0.workers.is_empty() {
            return Vec::new();
        }
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
        let rows = self.0.workers.iter().map(|worker| {
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
        });
        let mut lines = vec![String::new()];
        lines.extend(text::table(&heading, rows, 2..heading.len(), look));
        lines
    }
}

impl View for State {
    fn lines(&self) -> Vec<String> {
        let look = Look::of_stdout();
        [self.totals(look), self.workers(look), self.quarantined()].concat()
    }

    fn summary(&self) -> String {
        format!(
            "{} workers, {} cores, {} jobs, {} expansions/s, {} records, {}, {} nodes, {} jobs done",
            self.0.workers.len(),
            count(self.0.cores),
            count(self.0.jobs),
            count(self.0.expansions_per_second as u64),
            count(self.0.records),
            bytes(self.0.store_bytes),
            count(self.0.nodes),
            count(self.0.finished),
        )
    }
}
