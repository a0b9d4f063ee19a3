//! `sproutnet list`.

use sproutnet_model::{Computation, Status, WaitsFor};

use crate::args::Common;
use crate::commands::fleet::problem;
use crate::exit::Exit;
use crate::remote::cluster::ask;
use crate::terminal::table::{Cell, Row, number, print_rows, text};
use crate::terminal::text::{count, estimated, or_dash, proof_number, time};

/// Lists the running and the most recently ended computations, or those of a status. The table begins with those that
/// have not ended.
pub(crate) async fn run(status: Option<Status>, common: Common) -> anyhow::Result<Exit> {
    let asked = ask(&common, |client| async move {
        Ok((client.list().await?, client.fleet().await.ok()))
    });
    let (mut list, fleet) = asked.await?;
    if let Some(problem) = fleet.as_ref().and_then(problem) {
        eprintln!("{problem}");
    }
    list.retain(|one| status.is_none_or(|status| one.progress.status == status));
    if !common.json {
        list.sort_by_key(|one| match one.progress.status {
            Status::Running => 0,
            status if status.has_ended() => 2,
            _ => 1,
        });
    }
    let empty = match status {
        Some(status) => format!("no {} computations", status.name()),
        None => "no computations".to_owned(),
    };
    print_rows(common.json, &list, &empty)?;
    Ok(Exit::Fine)
}

/// The convention of a computation, and whether the nimber is requested.
pub(crate) fn task(computation: &Computation) -> String {
    let nimber = if computation.nimber_wanted {
        "+nimber"
    } else {
        ""
    };
    format!("{}{nimber}", computation.play)
}

/// The text, unless it is empty.
fn written(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

/// Why a computation waits.
pub(crate) fn waits(why: WaitsFor, computation: &Computation) -> String {
    match (why, &computation.paused_by) {
        (WaitsFor::Resumption, Some(by)) => format!("paused by {by}"),
        (why, _) => why.reason().to_owned(),
    }
}

impl Row for Computation {
    fn cells(&self) -> Vec<Cell> {
        let state = &self.progress;
        vec![
            text("id", self.id),
            text("position", &self.position),
            text("play", task(self)),
            text("status", state.status.name()),
            text("outcome", state.outcome),
            number("priority", self.priority),
            number("weight", self.weight),
            text("owner", or_dash(written(&self.owner))),
            text("label", or_dash(written(&self.label))),
            number("proof", proof_number(state.root.proof)),
            number("disproof", proof_number(state.root.disproof)),
            number("time", time(state.seconds)),
            text("estimate", or_dash(state.estimate.map(estimated))),
            number("expansions", count(state.expansions)),
            number("records", count(state.records)),
            number("machine", time(self.machine_seconds)),
            number("jobs", state.jobs),
            text("waits", or_dash(self.waits_for.map(|why| waits(why, self)))),
        ]
    }
}
