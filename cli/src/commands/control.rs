//! `sproutnet pause`, `resume`, `cancel` and `weight`.

use anyhow::Context;
use serde::Serialize;
use sproutnet_model::Computation;
use sproutnet_notation::{ComputationId, Play};

use crate::args::{Chosen, Common, Plays};
use crate::commands::list::task;
use crate::commands::named::Named;
use crate::exit::Exit;
use crate::remote::cluster::Cluster;
use crate::terminal::text::{self, Show};

/// An action on computations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Stop leasing jobs.
    Pause,
    /// Lease jobs again.
    Resume,
    /// End without a result.
    Cancel,
}

/// A completed action.
#[derive(Serialize)]
struct Done {
    id: ComputationId,
    position: String,
    play: Play,
    did: &'static str,
    #[serde(skip)]
    task: String,
}

impl Show for Done {
    fn lines(&self) -> Vec<String> {
        let position = text::plain(&self.position);
        vec![format!(
            "{} {}  {position} {}",
            self.did, self.id, self.task
        )]
    }
}

/// Pauses, resumes or cancels computations. Looks all of them up before the first change.
pub(crate) async fn run(act: Act, chosen: Chosen, common: Common) -> anyhow::Result<Exit> {
    let named = chosen.named.iter();
    let named: Vec<Named> = named
        .map(|text| Named::read(text, chosen.play))
        .collect::<Result<_, _>>()?;
    for named in &named {
        named.check(&common)?;
    }
    let cluster = Cluster::connect(&common, None).await?;
    let client = cluster.client();
    let list = client.list().await?;
    let found: Vec<Computation> = named
        .iter()
        .map(|named| named.find(&list))
        .collect::<Result<_, _>>()?;
    for computation in found {
        let id = ComputationId(computation.id);
        let task = task(&computation);
        let (did, done) = match act {
            Act::Pause => ("paused", client.pause(id).await),
            Act::Resume => ("resumed", client.resume(id).await),
            Act::Cancel => ("cancelled", client.cancel(id).await),
        };
        let Computation { position, play, .. } = computation;
        done.with_context(|| format!("{id}, {position} {task}"))?;
        let done = Done {
            id,
            position,
            play,
            did,
            task,
        };
        text::print(common.json, &done)?;
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

/// A changed weight.
#[derive(Serialize)]
struct Reweighted {
    id: ComputationId,
    position: String,
    play: Play,
    weight: u32,
    #[serde(skip)]
    task: String,
}

impl Show for Reweighted {
    fn lines(&self) -> Vec<String> {
        let position = text::plain(&self.position);
        let Self {
            id, weight, task, ..
        } = self;
        vec![format!("weight {weight}  {id}  {position} {task}")]
    }
}

/// Changes the weight of a computation.
pub(crate) async fn set_weight(
    named: String,
    weight: u32,
    play: Option<Plays>,
    common: Common,
) -> anyhow::Result<Exit> {
    let named = Named::read(&named, play)?;
    named.check(&common)?;
    let cluster = Cluster::connect(&common, None).await?;
    let client = cluster.client();
    let found = named.find(&client.list().await?)?;
    let (id, task) = (ComputationId(found.id), task(&found));
    let Computation { position, play, .. } = found;
    let changed = client.set_weight(id, weight).await;
    changed.with_context(|| format!("{id}, {position} {task}"))?;
    let changed = Reweighted {
        id,
        position,
        play,
        weight,
        task,
    };
    text::print(common.json, &changed)?;
    cluster.close().await?;
    Ok(Exit::Fine)
}
