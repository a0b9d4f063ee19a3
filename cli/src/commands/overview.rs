//! `sproutnet watch` without a computation: the coordinator, its computations and its workers.

use std::time::Duration;

use serde::Serialize;
use sproutnet_model::{Computation, Fleet, Status};

use crate::args::Common;
use crate::commands::fleet;
use crate::exit::Exit;
use crate::remote::cluster::Cluster;
use crate::terminal::live::{self, View};
use crate::terminal::style::{Look, Tone};
use crate::terminal::table::{Row, table};
use crate::terminal::text::Show;

/// The interval of lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// The number of ended computations that are shown on a terminal.
const ENDED_SHOWN: usize = 5;

/// The activity of a coordinator.
#[derive(Serialize)]
struct Overview {
    fleet: Fleet,
    /// The running and the most recently ended computations, oldest first.
    computations: Vec<Computation>,
}

/// Shows the overview until Ctrl-C.
pub(crate) async fn run(common: Common) -> anyhow::Result<Exit> {
    common.need_coordinator(
        "name a computation, or watch all of a coordinator with --coordinator URL",
    )?;
    let cluster = Cluster::connect(&common, None).await?;
    live::show(cluster, common.json, BETWEEN_LINES, |client| async move {
        let (computations, fleet) = tokio::try_join!(client.list(), client.fleet())?;
        Ok(Overview {
            fleet,
            computations,
        })
    })
    .await
}

impl Overview {
    /// The number of computations of each status. Statuses of computations under way come first.
    fn counts(&self) -> String {
        let counts = Status::ALL.into_iter().filter_map(|status| {
            let computations = self.computations.iter();
            let count = computations
                .filter(|one| one.progress.status == status)
                .count();
            let is_shown = count > 0 || status == Status::Running;
            is_shown.then(|| format!("{count} {}", status.name()))
        });
        counts.collect::<Vec<_>>().join(", ")
    }

    /// The computations under way, oldest first, then the most recently ended, newest first; and the number of ended
    /// ones that are left out.
    fn shown(&self) -> (Vec<&Computation>, usize) {
        let (mut shown, ended): (Vec<_>, Vec<_>) = self
            .computations
            .iter()
            .partition(|one| !one.progress.status.has_ended());
        shown.extend(ended.iter().rev().take(ENDED_SHOWN));
        (shown, ended.len().saturating_sub(ENDED_SHOWN))
    }
}

impl Show for Overview {
    fn lines(&self) -> Vec<String> {
        let look = Look::of_stdout();
        let mut lines = fleet::totals(&self.fleet);
        lines.push(String::new());
        lines.push(format!("computations: {}", self.counts()));
        let (shown, left_out) = self.shown();
        lines.extend(table(shown.into_iter().map(Row::cells), look));
        if left_out > 0 {
            let more = format!("… and {left_out} more that ended: `sproutnet list` shows all");
            lines.push(look.paint(Tone::Dim, &more));
        }
        lines.extend(fleet::workers(&self.fleet));
        lines
    }
}

impl View for Overview {
    fn summary(&self) -> String {
        format!("computations: {}; {}", self.counts(), self.fleet.summary())
    }
}
