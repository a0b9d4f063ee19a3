//! `sproutnet list`.

use sproutnet_model::{Computation, Status};

use crate::args::Common;
use crate::cluster::Cluster;
use crate::computation;
use crate::exit::Exit;
use crate::style::Look;
use crate::text::{self, print_json};

/// Lists the computations under way, and the last that ended.
pub(crate) async fn run(common: Common) -> anyhow::Result<Exit> {
    let cluster = Cluster::connect(&common, None).await?;
    let list = cluster.client().list().await?;
    let is_elsewhere = cluster.is_elsewhere();
    cluster.close().await?;
    let list = list.into_iter().map(|mut computation| {
        // No worker runs here.
        if !is_elsewhere && computation.progress.status == Status::Running {
            computation.progress.status = Status::Waiting;
        }
        computation
    });
    if common.json {
        for computation in list {
            print_json(&computation)?;
        }
    } else {
        let list: Vec<Computation> = list.collect();
        let lines = match list.is_empty() {
            true => vec!["no computations".to_owned()],
            false => table(&list, Look::of_stdout()),
        };
        text::print_lines(&lines)?;
    }
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
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for computation in list {
        let task = computation::task(computation);
        let state = &computation.progress;
        rows.push(vec![
            computation.id.to_string(),
            computation.position.clone(),
            task,
            state.status.name().to_owned(),
            state.outcome.to_string(),
            computation.priority.to_string(),
            text::number(state.root.proof),
            text::number(state.root.disproof),
            text::time(state.seconds),
            text::count(state.expansions),
            text::count(state.records),
            state.jobs.to_string(),
        ]);
    }
    text::table(&rows, 5..heading.len(), look)
}
