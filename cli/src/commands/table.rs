//! `sproutnet table`.

use std::collections::BTreeMap;

use sproutnet_game as game;
use sproutnet_model::{Proof, Source, TableEntry};
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

/// Shows the tables of a game.
pub(crate) async fn run(name: String, within: Time, common: Common) -> anyhow::Result<Exit> {
    let (game, _) =
        game::split_game(&format!("{name}:")).map_err(|error| BadInput(error.to_string()))?;
    if game.starts().is_empty() {
        return Err(BadInput(format!("{name} has no table")).into());
    }
    let request = v1::TableRequest {
        game: name,
        within_ms: query::milliseconds(within.0),
    };
    let entries = ask(&common, |client| async move { client.table(request).await });
    let entries = entries.await?;
    if common.json {
        for entry in entries {
            print_json(&entry)?;
        }
    } else {
        print_lines(&lines(entries))?;
    }
    Ok(Exit::Fine)
}

/// A row for each start position, with both conventions.
fn lines(entries: Vec<TableEntry>) -> Vec<String> {
    let mut by_size: BTreeMap<u32, [Option<TableEntry>; 2]> = BTreeMap::new();
    for entry in entries {
        let (size, column) = (entry.size, usize::from(entry.play == Play::Misere));
        by_size.entry(size).or_default()[column] = Some(entry);
    }
    let rows = by_size.into_values().map(|[normal, misere]| {
        let [normal, misere] = [normal.as_ref(), misere.as_ref()];
        let start = normal.or(misere).map(|entry| entry.position.as_str());
        vec![
            text("start", start.unwrap_or_default()),
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
        }) => match Proof::cited(citation) {
            Some(_) => citation.clone(),
            None => format!("literature: {citation}"),
        },
        Some(entry) if entry.verified => "verified here".to_owned(),
        Some(entry) if entry.source == Source::Store => "solved here".to_owned(),
        Some(_) => "proved here".to_owned(),
        None => "-".to_owned(),
    }
}
