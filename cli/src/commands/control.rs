//! `sproutnet pause`, `resume` and `cancel`.

use std::io::Write;

use anyhow::Context;
use serde::Serialize;
use sproutnet_model::Computation;
use sproutnet_notation::ComputationId;

use crate::args::{Chosen, Common};
use crate::commands::computation;
use crate::commands::named::Named;
use crate::exit::Exit;
use crate::remote::cluster::Cluster;
use crate::terminal::text;

/// An action on computations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Lease no more jobs.
    Pause,
    /// Continue.
    Resume,
    /// End.
    Cancel,
}

/// A completed action, as JSON.
#[derive(Serialize)]
struct Done {
    id: ComputationId,
    position: String,
    play: &'static str,
    did: &'static str,
}

impl Act {
    fn past(self) -> &'static str {
        match self {
            Self::Pause => "paused",
            Self::Resume => "resumed",
            Self::Cancel => "cancelled",
        }
    }
}

/// Pauses, resumes or cancels computations. Looks all of them up before the first change.
pub(crate) async fn run(act: Act, chosen: Chosen, common: Common) -> anyhow::Result<Exit> {
    let named = chosen.named.iter();
    let named: Vec<Named> = named
        .map(|text| Named::read(text, chosen.play))
        .collect::<Result<_, _>>()?;
    let cluster = Cluster::connect(&common, None).await?;
    let client = cluster.client();
    let list = client.list().await?;
    let found: Vec<_> = named
        .iter()
        .map(|named| named.find(&list))
        .collect::<Result<_, _>>()?;
    for computation in found {
        let id = ComputationId(computation.id);
        let done = match act {
            Act::Pause => client.pause(id).await,
            Act::Resume => client.resume(id).await,
            Act::Cancel => client.cancel(id).await,
        };
        done.with_context(|| {
            let task = computation::task(&computation);
            format!("{id}, {} {task}", computation.position)
        })?;
        print(act, computation, common.json)?;
    }
    let is_elsewhere = cluster.is_elsewhere();
    cluster.close().await?;
    if act == Act::Resume && !is_elsewhere {
        let data = common.data.display();
        eprintln!(
            "no worker is running: `sproutnet solve` or a coordinator over {data} continues it"
        );
    }
    Ok(Exit::Fine)
}

fn print(act: Act, computation: Computation, json: bool) -> anyhow::Result<()> {
    if json {
        return text::print_json(&Done {
            id: ComputationId(computation.id),
            position: computation.position,
            play: computation.play.name(),
            did: act.past(),
        });
    }
    let (done, id, task) = (
        act.past(),
        ComputationId(computation.id),
        computation::task(&computation),
    );
    let position = text::plain(&computation.position);
    writeln!(std::io::stdout(), "{done} {id}  {position} {task}")?;
    Ok(())
}
