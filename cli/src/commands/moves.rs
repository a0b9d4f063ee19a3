//! `sproutnet moves`.

use sproutnet_proto::{convert, v1};
use sproutnet_solver::play::Play;

use crate::args::{Common, Moves, Plays};
use crate::commands::query;
use crate::exit::Exit;
use crate::terminal::style::Look;
use crate::terminal::text;

const HEADING: [&str; 6] = ["move to", "normal", "nimber", "misere", "genus", "verified"];

/// Lists the moves of a position, winning moves first.
pub(crate) async fn run(moves: Moves, common: Common) -> anyhow::Result<Exit> {
    let play = match moves.play {
        Plays::Misere => Play::Misere,
        Plays::Normal | Plays::Both => Play::Normal,
    };
    let request = v1::QueryRequest {
        position: moves.position,
        moves: true,
        play: convert::play_field(play),
        ..v1::QueryRequest::default()
    };
    let (_, moves) = query::ask(request, &common).await?;
    text::print_list(common.json, &moves, "no moves: the game is over", |moves| {
        let rows = moves.iter().map(|of_move| {
            vec![
                of_move.canonical.clone(),
                of_move.normal.to_string(),
                text::nimber(of_move.nimber),
                of_move.misere.to_string(),
                text::genus(of_move.genus.as_deref()),
                text::plays(&of_move.verified),
            ]
        });
        text::table(&HEADING, rows, 0..0, Look::of_stdout())
    })?;
    Ok(Exit::Fine)
}
