//! `sproutnet query`.

use serde::Serialize;
use sproutnet_common::game;
use sproutnet_common::play::Play;
use sproutnet_proto::v1;

use crate::args::{Common, Query};
use crate::cluster::Cluster;
use crate::exit::{BadInput, Exit, bad_position};
use crate::text;
use crate::wire::Verdict;

#[derive(Serialize)]
struct Line {
    position: String,
    game: String,
    #[serde(flatten)]
    verdict: Verdict,
    lands: Vec<Verdict>,
}

/// Tells what is known of a position.
pub(crate) async fn run(query: Query, common: Common) -> anyhow::Result<Exit> {
    let response = ask(&query.position, false, &common).await?;
    let verdict = response.verdict.unwrap_or_default();
    let line = Line {
        game: response.game,
        verdict: Verdict::of_position(verdict),
        lands: response
            .lands
            .into_iter()
            .map(Verdict::of_position)
            .collect(),
        position: query.position,
    };
    if common.json {
        text::print_json(&line)?;
    } else {
        print(&line)?;
    }
    let unknown = query.play.list().iter().any(|play| {
        "unknown"
            == match play {
                Play::Normal => line.verdict.normal,
                Play::Misere => line.verdict.misere,
            }
    });
    Ok(if unknown { Exit::Unknown } else { Exit::Fine })
}

fn print(line: &Line) -> std::io::Result<()> {
    let head = ["position", "normal", "nimber", "misere", "genus"]
        .map(str::to_owned)
        .to_vec();
    let row = |verdict: &Verdict, name: String| {
        let nimber = text::nimber(verdict.nimber);
        vec![
            name,
            verdict.normal.to_owned(),
            nimber,
            verdict.misere.to_owned(),
            text::genus(verdict.genus.as_deref()),
        ]
    };
    let mut rows = vec![head, row(&line.verdict, line.verdict.canonical.clone())];
    for land in &line.lands {
        rows.push(row(land, format!("  land {}", land.canonical)));
    }
    text::print_columns(&rows, 0..0)
}

/// Looks a position up at the coordinator.
pub(crate) async fn ask(
    position: &str,
    moves: bool,
    common: &Common,
) -> anyhow::Result<v1::QueryResponse> {
    game::parse(position).map_err(|error| -> BadInput { bad_position(position, &error) })?;
    let cluster = Cluster::connect(common, None).await?;
    let request = v1::QueryRequest {
        position: position.to_owned(),
        moves,
    };
    let response = cluster.client().query(request).await?;
    cluster.close().await?;
    Ok(response)
}
