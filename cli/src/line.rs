//! `sproutnet line`.

use sproutnet_proto::{convert, v1};

use crate::args::{Common, Line};
use crate::cluster::Cluster;
use crate::exit::Exit;
use crate::query;
use crate::text;

/// Shows how play goes on to the end when the winner plays to win.
pub(crate) async fn run(asked: Line, common: Common) -> anyhow::Result<Exit> {
    query::check(&asked.position)?;
    let cluster = Cluster::connect(&common, None).await?;
    let request = v1::LineRequest {
        position: asked.position,
        play: convert::play_field(asked.play.into()),
        within_ms: query::milliseconds(asked.within),
    };
    let line = cluster.client().line(request).await?;
    cluster.close().await?;
    let exit = match line.complete {
        true => Exit::Fine,
        false => Exit::Unknown,
    };
    if common.json {
        text::print_json(&line)?;
        return Ok(exit);
    }
    let head = ["move", "position", "player to move", "verified"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (number, step) in line.steps.into_iter().enumerate() {
        let outcome = step.outcome.to_string();
        let verified = text::yes(step.verified);
        rows.push(vec![number.to_string(), step.canonical, outcome, verified]);
    }
    text::print_columns(&rows, 0..1)?;
    if !line.complete {
        let unknown = "how it goes on is not known";
        text::print_lines(&[unknown.to_owned()])?;
    }
    Ok(exit)
}
