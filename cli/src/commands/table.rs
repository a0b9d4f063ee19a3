//! `sproutnet table`.

use std::collections::BTreeMap;

use sproutnet_game as game;
use sproutnet_model::{Source, TableEntry, keys_of, published};
use sproutnet_notation::Play;
use sproutnet_proto::v1;

use crate::args::{self, Common, Table, TableFormat};
use crate::commands::{query, roots};
use crate::exit::{BadInput, Exit};
use crate::remote::cluster::ask;
use crate::terminal::formats::{self, Cell};
use crate::terminal::style::Look;
use crate::terminal::table::{table, text};
use crate::terminal::text::{or_dash, plain, print_json, print_lines};

/// A start position, with its entries under normal and misère play.
struct Start {
    position: String,
    normal: Option<TableEntry>,
    misere: Option<TableEntry>,
}

/// The columns of the formats for programs.
const COLUMNS: [&str; 7] = [
    "position",
    "size",
    "normal",
    "nimber",
    "normal_source",
    "misere",
    "misere_source",
];

/// Shows the tables of a game.
pub(crate) async fn run(asked: Table, common: Common) -> anyhow::Result<Exit> {
    let format = args::format(asked.format, TableFormat::Text, TableFormat::Json, &common)?;
    let name = asked.game;
    if !name.trim_start().starts_with(char::is_alphabetic) {
        return Err(no_game(&name).into());
    }
    let (_, listed) = game::starts(&name).map_err(|error| BadInput(error.to_string()))?;
    if listed.is_empty() {
        return Err(BadInput(format!("{name} has no table")).into());
    }
    let request = v1::TableRequest {
        game: name,
        within_ms: query::milliseconds(asked.within.0),
    };
    let entries = ask(&common, |client| async move { client.table(request).await });
    let entries = entries.await?;
    if format == TableFormat::Json {
        for entry in entries {
            print_json(&entry)?;
        }
        return Ok(Exit::Fine);
    }
    let starts = starts(entries);
    let rows = || -> Vec<_> {
        starts
            .iter()
            .map(|(&size, start)| start.row(size))
            .collect()
    };
    let lines = match format {
        TableFormat::Csv => formats::csv(&COLUMNS, &rows()),
        TableFormat::Latex => formats::latex(&COLUMNS, &rows()),
        TableFormat::Markdown => formats::markdown(&COLUMNS, &rows()),
        TableFormat::Text | TableFormat::Json => lines(&starts),
    };
    print_lines(&lines)?;
    Ok(Exit::Fine)
}

/// The error about a text that does not begin with the name of a game, such as `0*8-12`.
fn no_game(text: &str) -> BadInput {
    let range = if roots::is_range(text) { text } else { "8-12" };
    BadInput(format!(
        "`{text}` is not a game: a table shows the start positions of a game, such as `sprouts` or `octal(0.137)`; \
         `sproutnet query {range}` asks about some of them"
    ))
}

/// The start positions, by size.
fn starts(entries: Vec<TableEntry>) -> BTreeMap<u32, Start> {
    let mut starts = BTreeMap::new();
    for entry in entries {
        let start = starts.entry(entry.size).or_insert_with(|| Start {
            position: entry.position.clone(),
            normal: None,
            misere: None,
        });
        match entry.play {
            Play::Normal => start.normal = Some(entry),
            Play::Misere => start.misere = Some(entry),
        }
    }
    starts
}

impl Start {
    /// The cells of [`COLUMNS`].
    fn row(&self, size: u32) -> Vec<Cell> {
        let (normal, misere) = (self.normal.as_ref(), self.misere.as_ref());
        let nimber = normal.and_then(|entry| entry.nimber);
        vec![
            plain(&self.position).into(),
            size.to_string().into(),
            outcome(normal).into(),
            nimber
                .map(|nimber| nimber.to_string())
                .unwrap_or_default()
                .into(),
            cited(normal),
            outcome(misere).into(),
            cited(misere),
        ]
    }
}

/// A row for each start position, with both conventions.
fn lines(starts: &BTreeMap<u32, Start>) -> Vec<String> {
    let rows = starts.values().map(|start| {
        let (normal, misere) = (start.normal.as_ref(), start.misere.as_ref());
        vec![
            text("start", &start.position),
            text("normal", outcome(normal)),
            text("nimber", or_dash(normal.and_then(|entry| entry.nimber))),
            text("source", source(normal)),
            text("misere", outcome(misere)),
            text("source", source(misere)),
        ]
    });
    let lines = table(rows, Look::of_stdout());
    if lines.is_empty() {
        vec!["no outcomes are known".to_owned()]
    } else {
        lines
    }
}

fn outcome(entry: Option<&TableEntry>) -> &'static str {
    entry.map_or("unknown", |entry| entry.outcome.name())
}

/// The source of an entry, with its citations; empty if there is no entry. An outcome that is proved here or in the
/// atlas comes with the publication that has it too.
fn cited(entry: Option<&TableEntry>) -> Cell {
    let Some(known) = entry else {
        return Cell::default();
    };
    let mut text = source(entry);
    let mut keys = known.citation.as_deref().map_or(&[][..], keys_of).to_vec();
    if let Some(citation) = also_published(known) {
        text.push_str(&format!("; published: {citation}"));
        keys.extend(keys_of(citation));
    }
    Cell::citing(plain(&text), keys)
}

/// The publication of an outcome of Sprouts whose source is not a publication. The empty position is trivial.
fn also_published(entry: &TableEntry) -> Option<&'static str> {
    let is_start = entry.position == format!("0*{}", entry.size);
    if !is_start || entry.source == Source::Literature {
        return None;
    }
    let known = published(entry.play).find(|known| known.spots == entry.size)?;
    (known.outcome == entry.outcome).then_some(known.citation)
}

fn source(entry: Option<&TableEntry>) -> String {
    match entry {
        Some(TableEntry {
            citation: Some(citation),
            source,
            ..
        }) => match source {
            Source::Literature => format!("literature: {citation}"),
            _ => citation.clone(),
        },
        Some(entry) if entry.verified => "verified here".to_owned(),
        Some(entry) if entry.source == Source::Store => "solved here".to_owned(),
        Some(_) => "proved here".to_owned(),
        None => "-".to_owned(),
    }
}
