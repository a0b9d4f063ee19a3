//! `sproutnet watch` of everything: a coordinator, its computations and its workers.

use std::time::Duration;

use serde::Serialize;
use sproutnet_model::{Computation, Fleet};

use crate::args::Common;
use crate::commands::fleet;
use crate::commands::list;
use crate::exit::{BadInput, Exit};
use crate::remote::cluster::Cluster;
use crate::terminal::live::{Live, View};
use crate::terminal::style::{Look, Tone};

/// The time between two lines where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// Of the computations that ended, how many are shown on a terminal.
const ENDED_SHOWN: usize = 5;

/// How everything is, as JSON.
#[derive(Serialize)]
struct Overview {
    fleet: fleet::State,
    /// Those under way and the last that ended, oldest first.
    computations: Vec<Computation>,
}

/// Shows everything until an interrupt.
pub(crate) async fn run(common: Common) -> anyhow::Result<Exit> {
    if common.coordinator.is_none() {
        let problem = "name a computation, or watch all of a coordinator with --coordinator URL";
        return Err(BadInput(problem.to_owned()).into());
    }
    let cluster = Cluster::connect(&common, None).await?;
    let client = cluster.client();
    let live = Live::new(cluster.is_elsewhere(), common.json, BETWEEN_LINES);
    let ask = || async {
        let (list, fleet) = tokio::try_join!(client.list(), client.fleet())?;
        Ok(Overview::of(list, fleet))
    };
    tokio::select! {
        failed = live.show(ask) => failed?,
        interrupted = tokio::signal::ctrl_c() => interrupted?,
    }
    drop(client);
    cluster.close().await?;
    Ok(Exit::Fine)
}

impl Overview {
    fn of(list: Vec<Computation>, fleet: Fleet) -> Self {
        Self {
            fleet: fleet::State(fleet),
            computations: list,
        }
    }

    /// How many computations are of each status, those under way first.
    fn counts(&self) -> String {
        let statuses = [
            "running",
            "paused",
            "solved",
            "cancelled",
            "expired",
            "failed",
        ];
        let count = |status| {
            let states = self
                .computations
                .iter()
                .map(|one| one.progress.status.name());
            let count = states.filter(|&known| known == status).count();
            (count > 0 || status == "running").then(|| format!("{count} {status}"))
        };
        statuses
            .into_iter()
            .filter_map(count)
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Those under way, oldest first, then the last that ended, newest first; and how many are left out.
    fn shown(&self) -> (Vec<&Computation>, usize) {
        let (mut shown, ended): (Vec<_>, Vec<_>) = self
            .computations
            .iter()
            .partition(|one| !one.progress.status.has_ended());
        shown.extend(ended.iter().rev().take(ENDED_SHOWN));
        (shown, ended.len().saturating_sub(ENDED_SHOWN))
    }
}

impl View for Overview {
    fn lines(&self) -> Vec<String> {
        let look = Look::of_stdout();
        let mut lines = self.fleet.totals(look);
        lines.push(String::new());
        lines.push(format!("computations: {}", self.counts()));
        let (shown, left_out) = self.shown();
        if !shown.is_empty() {
            lines.extend(list::table(shown, look));
        }
        if left_out > 0 {
            let more = format!("… and {left_out} more that ended: `sproutnet list` shows all");
            lines.push(look.paint(Tone::Dim, &more));
        }
        lines.extend(self.fleet.workers(look));
        lines
    }

    fn summary(&self) -> String {
        format!("computations: {}; {}", self.counts(), self.fleet.summary())
    }
}
