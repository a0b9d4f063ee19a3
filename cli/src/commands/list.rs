//! `sproutnet list`.

use sproutnet_model::{Computation, Status};

use crate::args::Common;
use crate::commands::computation;
use crate::exit::Exit;
use crate::remote::cluster::ask;
use crate::terminal::style::Look;
use crate::terminal::text;

/// Lists the running and the most recently ended computations.
pub(crate) async fn run(common: Common) -> anyhow::Result<Exit> {
    let mut list = ask(&common, |client| async move { client.list().await }).await?;
    if common.coordinator.is_none() {
        // No worker runs here.
        for progress in list.iter_mut().map(|one| &mut one.progress) {
            if progress.status == Status::Running {
                progress.status = Status::Waiting;
            }
        }
    }
    text::print_list(common.json, &list, "no computations", |list| {
        table(list, Look::of_stdout())
    })?;
    Ok(Exit::Fine)
}

/// Computations as a table.
pub(crate) fn table<'a>(
    list: impl IntoIterator<Item = &'a Computation>,
    look: Look,
) -> Vec<String> {
    let heading = [
        "id",
        "position",
        "play",
        "status",
        "outcome",
        "priority",
        "proof",
        "disproof",
        "time",
        "expansions",
        "records",
        "jobs",
    ];
    let rows = list.into_iter().map(|computation| {
        let state = &computation.progress;
        vec![
            computation.id.to_string(),
            computation.position.clone(),
            computation::task(computation),
            state.status.name().to_owned(),
            state.outcome.to_string(),
            computation.priority.to_string(),
            text::number(state.root.proof),
            text::number(state.root.disproof),
            text::time(state.seconds),
            text::count(state.expansions),
            text::count(state.records),
            state.jobs.to_string(),
        ]
    });
    text::table(&heading, rows, 5..heading.len(), look)
}
