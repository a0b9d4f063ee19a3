//! `sproutnet moves`.

use std::io::Write;

use crate::args::{Common, Moves, Plays};
use crate::exit::Exit;
use crate::query;
use crate::text;
use crate::wire::Verdict;

/// Lists the moves of a position, winning ones first.
pub(crate) async fn run(moves: Moves, common: Common) -> anyhow::Result<Exit> {
    let response = query::ask(&moves.position, true, &common).await?;
    let mut verdicts: Vec<Verdict> = response.moves.into_iter().map(Verdict::of_move).collect();
    verdicts.sort_by_cached_key(|verdict| {
        let (first, second) = match moves.play {
            Plays::Misere => (verdict.misere, verdict.normal),
            Plays::Normal | Plays::Both => (verdict.normal, verdict.misere),
        };
        (
            rank(first),
            rank(second),
            verdict.canonical.len(),
            verdict.canonical.clone(),
        )
    });
    if common.json {
        for verdict in &verdicts {
            text::print_json(verdict)?;
        }
        return Ok(Exit::Fine);
    }
    if verdicts.is_empty() {
        writeln!(std::io::stdout(), "no moves: the game is over")?;
        return Ok(Exit::Fine);
    }
    let mut rows = vec![
        ["move to", "normal", "nimber", "misere", "genus"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for verdict in verdicts {
        let nimber = text::nimber(verdict.nimber);
        rows.push(vec![
            verdict.canonical,
            verdict.normal.into(),
            nimber,
            verdict.misere.into(),
            text::genus(verdict.genus.as_deref()),
        ]);
    }
    text::print_columns(&rows, 0..0)?;
    Ok(Exit::Fine)
}

fn rank(outcome: &str) -> u8 {
    match outcome {
        "win" => 0,
        "unknown" => 1,
        _ => 2,
    }
}
