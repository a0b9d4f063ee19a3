//! `sproutnet table`.

use std::collections::BTreeMap;

use serde::Serialize;
use sproutnet_game as game;

use crate::args::{Common, Table};
use crate::exit::{BadInput, Exit};
use crate::remote::cluster::ask;
use crate::terminal::text;

#[derive(Serialize)]
struct Line {
    position: String,
    size: u32,
    play: &'static str,
    outcome: &'static str,
    nimber: Option<u32>,
    source: Option<&'static str>,
    citation: Option<String>,
    verified: bool,
}

/// Shows the tables of a game.
pub(crate) async fn run(table: Table, common: Common) -> anyhow::Result<Exit> {
    let game = game::by_name(&table.game);
    let game = game.ok_or_else(|| BadInput(format!("there is no game called `{}`", table.game)))?;
    let entries = ask(
        &common,
        |client| async move { client.table(table.game).await },
    )
    .await?;
    let lines = entries.into_iter().map(|entry| Line {
        position: game::qualified(game.as_ref(), &game.start_text(entry.size)),
        size: entry.size,
        play: entry.play.name(),
        outcome: entry.outcome.name(),
        nimber: entry.nimber,
        source: Some(entry.source.name()),
        citation: entry.citation,
        verified: entry.verified,
    });
    if common.json {
        for line in lines {
            text::print_json(&line)?;
        }
        return Ok(Exit::Fine);
    }
    print(lines)?;
    Ok(Exit::Fine)
}

fn print(lines: impl Iterator<Item = Line>) -> std::io::Result<()> {
    let mut by_size: BTreeMap<u32, [Option<Line>; 2]> = BTreeMap::new();
    for line in lines {
        let (size, column) = (line.size, usize::from(line.play == "misere"));
        by_size.entry(size).or_default()[column] = Some(line);
    }
    let head = ["start", "normal", "nimber", "source", "misere", "source"];
    let mut rows = Vec::new();
    for (_, [normal, misere]) in by_size {
        let position = normal
            .as_ref()
            .or(misere.as_ref())
            .map(|line| line.position.clone());
        let mut row = vec![position.unwrap_or_default()];
        row.push(outcome(normal.as_ref()));
        row.push(text::nimber(normal.as_ref().and_then(|line| line.nimber)));
        row.push(source(normal.as_ref()));
        row.push(outcome(misere.as_ref()));
        row.push(source(misere.as_ref()));
        rows.push(row);
    }
    text::print_table(&head, rows, 0..0)
}

fn outcome(line: Option<&Line>) -> String {
    line.map_or("unknown", |line| line.outcome).to_owned()
}

fn source(line: Option<&Line>) -> String {
    match line {
        Some(Line {
            citation: Some(citation),
            ..
        }) => format!("literature: {citation}"),
        Some(Line { verified: true, .. }) => "verified here".to_owned(),
        Some(Line {
            source: Some("store"),
            ..
        }) => "solved here".to_owned(),
        _ => "-".to_owned(),
    }
}
