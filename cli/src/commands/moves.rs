//! `sproutnet moves`.

use serde::Serialize;
use sproutnet_model::Verdict;
use sproutnet_notation::Play;
use sproutnet_proto::{convert, v1};
use sproutnet_system::options::Time;

use crate::args::{Common, Plays};
use crate::commands::roots::{self, Root};
use crate::commands::{answers, query};
use crate::exit::Exit;
use crate::remote::cluster::Cluster;
use crate::remote::retry::Retry;
use crate::terminal::table::{Cell, Row, print_rows, text};
use crate::terminal::text::{plain, plays, print_json, print_lines};

/// What is printed in place of the moves of the end of a game.
const NO_MOVES: &str = "no moves: the game is over";

/// A position with its moves.
#[derive(Serialize)]
struct Listed {
    position: String,
    moves: Vec<Verdict>,
}

/// Lists the moves of positions, winning moves first.
pub(crate) async fn run(
    positions: Vec<String>,
    play: Plays,
    within: Time,
    common: Common,
) -> anyhow::Result<Exit> {
    let play = match play {
        Plays::Misere => Play::Misere,
        Plays::Normal | Plays::Both => Play::Normal,
    };
    let request = |position| v1::QueryRequest {
        position,
        moves: true,
        play: convert::play_field(play),
        within_ms: query::milliseconds(within.0),
    };
    if let [position] = &positions[..]
        && position != "-"
        && !roots::is_range(position)
    {
        let (_, moves) = query::ask(request(roots::typed(position)?), &common).await?;
        print_rows(common.json, &moves, NO_MOVES)?;
        return Ok(Exit::Fine);
    }
    let cluster = Cluster::connect_to_ask(&common).await?;
    let client = cluster.client();
    let retry = Retry::new(cluster.is_elsewhere(), |notice| eprintln!("{notice}"));
    let mut worst = Exit::Fine;
    let mut roots = roots::channel(roots::read(&positions)?);
    while let Some(root) = roots.recv().await {
        match root {
            Ok(Root { text, .. }) => {
                let asked = request(text.clone());
                let answer = retry.call(|| client.query(asked.clone())).await;
                let (_, moves) = answer?;
                let listed = Listed {
                    position: text,
                    moves,
                };
                if common.json {
                    print_json(&listed)?;
                } else {
                    print_lines(&[format!("moves of {}", plain(&listed.position))])?;
                    print_rows(false, &listed.moves, NO_MOVES)?;
                }
            }
            Err(refused) => {
                answers::refuse(common.json, &refused)?;
                worst = Exit::BadInput;
            }
        }
    }
    cluster.close().await?;
    Ok(worst)
}

impl Row for Verdict {
    /// The row of a move, with the position after it.
    fn cells(&self) -> Vec<Cell> {
        let mut cells = vec![text("move to", &self.canonical)];
        cells.extend(query::verdict_cells(self));
        cells.push(text("verified", plays(&self.verified)));
        cells
    }
}
