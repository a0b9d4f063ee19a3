//! `sproutnet moves`.

use sproutnet_model::Verdict;
use sproutnet_notation::Play;
use sproutnet_proto::{convert, v1};
use sproutnet_system::options::Time;

use crate::args::{Common, Plays};
use crate::commands::{query, roots};
use crate::exit::Exit;
use crate::terminal::table::{Cell, Row, print_rows, text};
use crate::terminal::text::plays;

/// Lists the moves of a position, winning moves first.
pub(crate) async fn run(
    position: String,
    play: Plays,
    within: Time,
    common: Common,
) -> anyhow::Result<Exit> {
    let play = match play {
        Plays::Misere => Play::Misere,
        Plays::Normal | Plays::Both => Play::Normal,
    };
    let request = v1::QueryRequest {
        position: roots::typed(&position)?,
        moves: true,
        play: convert::play_field(play),
        within_ms: query::milliseconds(within.0),
    };
    let (_, moves) = query::ask(request, &common).await?;
    print_rows(common.json, &moves, "no moves: the game is over")?;
    Ok(Exit::Fine)
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
