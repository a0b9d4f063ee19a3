//! `sproutnet pause`, `resume` and `cancel`.

use std::io::Write;

use anyhow::Context;
use serde::Serialize;
use sproutnet_model::Computation;

use crate::args::{Chosen, Common};
use crate::cluster::Cluster;
use crate::computation;
use crate::exit::Exit;
use crate::id::Id;
use crate::named::Named;
use crate::text;

/// What is to be done with computations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// No more jobs until it is resumed.
    Pause,
    /// On from where it was.
    Resume,
    /// The end.
    Cancel,
}

/// What was done, as JSON.
#[derive(Serialize)]
struct Done {
    id: Id,
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

/// Pauses, resumes or cancels computations. All are looked up before the first is touched.
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
        let id = Id(computation.id);
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
        eprintln!("nothing works on it yet: `sproutnet solve`, or a coordinator over {data}, will");
    }
    Ok(Exit::Fine)
}

fn print(act: Act, computation: Computation, json: bool) -> anyhow::Result<()> {
    if json {
        return text::print_json(&Done {
            id: Id(computation.id),
            position: computation.position,
            play: computation.play.name(),
            did: act.past(),
        });
    }
    let (done, id, task) = (
        act.past(),
        Id(computation.id),
        computation::task(&computation),
    );
    let position = text::plain(&computation.position);
    writeln!(std::io::stdout(), "{done} {id}  {position} {task}")?;
    Ok(())
}
