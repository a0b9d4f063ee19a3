//! `sproutnet query`.

use serde::Serialize;
use sproutnet_common::game;
use sproutnet_common::play::Play;
use sproutnet_proto::v1;

use crate::args::{Common, Plays, Query};
use crate::cluster::Cluster;
use crate::exit::{BadInput, Exit, bad_position};
use crate::lookups;
use crate::text;
use crate::wire::Verdict;

/// What is known of a position, as JSON.
#[derive(Serialize)]
pub(crate) struct Line {
    position: String,
    game: String,
    #[serde(flatten)]
    verdict: Verdict,
    lands: Vec<Verdict>,
}

/// The columns of what is known.
pub(crate) const HEADING: [&str; 5] = ["position", "normal", "nimber", "misere", "genus"];

/// Tells what is known of a position, or of each on standard input.
pub(crate) async fn run(query: Query, common: Common) -> anyhow::Result<Exit> {
    if query.position == "-" {
        return lookups::run(query.play, &common).await;
    }
    let response = ask(&query.position, false, &common).await?;
    let line = Line::of(query.position, response);
    if common.json {
        text::print_json(&line)?;
    } else {
        line.print()?;
    }
    Ok(line.exit(query.play))
}

impl Line {
    /// From an answer.
    pub(crate) fn of(position: String, response: v1::QueryResponse) -> Self {
        let lands = response.lands.into_iter();
        Self {
            game: response.game,
            verdict: Verdict::of_position(response.verdict.unwrap_or_default()),
            lands: lands.map(Verdict::of_position).collect(),
            position,
        }
    }

    /// Whether the outcome is known under the conventions that matter.
    pub(crate) fn exit(&self, plays: Plays) -> Exit {
        let is_unknown = |play: &Play| {
            "unknown"
                == match play {
                    Play::Normal => self.verdict.normal,
                    Play::Misere => self.verdict.misere,
                }
        };
        match plays.list().iter().any(is_unknown) {
            true => Exit::Unknown,
            false => Exit::Fine,
        }
    }

    /// The row of the whole position.
    pub(crate) fn row(&self) -> Vec<String> {
        row(&self.verdict, self.verdict.canonical.clone())
    }

    /// Prints all of it.
    fn print(&self) -> std::io::Result<()> {
        let mut rows = vec![HEADING.map(str::to_owned).to_vec(), self.row()];
        for land in &self.lands {
            rows.push(row(land, format!("  land {}", land.canonical)));
        }
        text::print_columns(&rows, 0..0)
    }
}

fn row(verdict: &Verdict, name: String) -> Vec<String> {
    vec![
        name,
        verdict.normal.to_owned(),
        text::nimber(verdict.nimber),
        verdict.misere.to_owned(),
        text::genus(verdict.genus.as_deref()),
    ]
}

/// Looks a position up at the coordinator.
pub(crate) async fn ask(
    position: &str,
    moves: bool,
    common: &Common,
) -> anyhow::Result<v1::QueryResponse> {
    game::parse(position).map_err(|error| -> BadInput { bad_position(position, &error) })?;
    let cluster = Cluster::connect(common, None).await?;
    let response = cluster.client().query(request(position, moves)).await?;
    cluster.close().await?;
    Ok(response)
}

/// The question of what is known of a position, and of its moves if wanted.
pub(crate) fn request(position: &str, moves: bool) -> v1::QueryRequest {
    v1::QueryRequest {
        position: position.to_owned(),
        moves,
    }
}
