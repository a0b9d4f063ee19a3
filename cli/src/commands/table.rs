//! `sproutnet table`.

use std::collections::BTreeMap;

use serde::Serialize;
use sproutnet_game as game;
use sproutnet_model::{Source, TableEntry};
use sproutnet_notation::Play;
use sproutnet_proto::v1;
use sproutnet_system::options::Time;

use crate::args::Common;
use crate::commands::query;
use crate::exit::{BadInput, Exit};
use crate::remote::cluster::ask;
use crate::terminal::style::Look;
use crate::terminal::table::{table, text};
use crate::terminal::text::{or_dash, print_json, print_lines};

/// A start position under one convention.
#[derive(Serialize)]
struct Start {
    position: String,
    #[serde(flatten)]
    entry: TableEntry,
}

/// Shows the tables of a game.
pub(crate) async fn run(name: String, within: Time, common: Common) -> anyhow::Result<Exit> {
    let (game, _) =
        game::split_game(&format!("{name}:")).map_err(|error| BadInput(error.to_string()))?;
    if game.start_text(0).is_none() {
        return Err(BadInput(format!(
            "{name} has no table: a size alone is no position of {}",
            game.notation()
        ))
        .into());
    }
    let request = v1::TableRequest {
        game: name,
        within_ms: query::milliseconds(within.0),
    };
    let entries = ask(&common, |client| async move { client.table(request).await });
    let starts = entries.await?.into_iter().map(|entry| Start {
        position: game::qualified(
            game.as_ref(),
            &game.start_text(entry.size).unwrap_or_default(),
        ),
        entry,
    });
    if common.json {
        for start in starts {
            print_json(&start)?;
        }
    } else {
        print_lines(&lines(starts))?;
    }
    Ok(Exit::Fine)
}

/// A row for each start position, with both conventions.
fn lines(starts: impl Iterator<Item = Start>) -> Vec<String> {
    let mut by_size: BTreeMap<u32, (String, [Option<TableEntry>; 2])> = BTreeMap::new();
    for Start { position, entry } in starts {
        let row = by_size
            .entry(entry.size)
            .or_insert((position, [None, None]));
        let column = usize::from(entry.play == Play::Misere);
        row.1[column] = Some(entry);
    }
    let rows = by_size.into_values().map(|(position, [normal, misere])| {
        let [normal, misere] = [normal.as_ref(), misere.as_ref()];
        vec![
            text("start", position),
            text("normal", outcome(normal)),
            text("nimber", or_dash(normal.and_then(|entry| entry.nimber))),
            text("source", source(normal)),
            text("misere", outcome(misere)),
            text("source", source(misere)),
        ]
    });
    let lines = table(rows, Look::of_stdout());
    match lines.is_empty() {
        true => vec!["no outcomes are known".to_owned()],
        false => lines,
    }
}

fn outcome(entry: Option<&TableEntry>) -> &'static str {
    entry.map_or("unknown", |entry| entry.outcome.name())
}

fn source(entry: Option<&TableEntry>) -> String {
    match entry {
        Some(TableEntry {
            citation: Some(citation),
            ..
        }) => format!("literature: {citation}"),
        Some(entry) if entry.verified => "verified here".to_owned(),
        Some(entry) if entry.source == Source::Store => "solved here".to_owned(),
        Some(_) => "proved here".to_owned(),
        None => "-".to_owned(),
    }
}
