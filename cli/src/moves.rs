//! `sproutnet moves`.

use std::io::Write;

use sproutnet_proto::{convert, v1};
use sproutnet_solver::play::Play;

use crate::args::{Common, Moves, Plays};
use crate::exit::Exit;
use crate::query;
use crate::text;

/// Lists the moves of a position, winning ones first.
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
    if common.json {
        for of_move in &moves {
            text::print_json(of_move)?;
        }
        return Ok(Exit::Fine);
    }
    if moves.is_empty() {
        writeln!(std::io::stdout(), "no moves: the game is over")?;
        return Ok(Exit::Fine);
    }
    let head = ["move to", "normal", "nimber", "misere", "genus", "verified"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for of_move in moves {
        rows.push(vec![
            of_move.canonical,
            of_move.normal.to_string(),
            text::nimber(of_move.nimber),
            of_move.misere.to_string(),
            text::genus(of_move.genus.as_deref()),
            text::plays(&of_move.verified),
        ]);
    }
    text::print_columns(&rows, 0..0)?;
    Ok(Exit::Fine)
}
