//! `sproutnet export`, `import` and `merge`: transfer of records between stores.

use std::path::PathBuf;

use serde::Serialize;
use sproutnet_game as game;
use sproutnet_store::transfer::{self, Imported, Previous};
use sproutnet_store::{Store, Watch};

use crate::args::{Common, Export, Import, Merge};
use crate::commands::store::with_rules;
use crate::commands::task;
use crate::exit::{BadInput, Exit};
use crate::terminal::text::{self, count};

/// The memory in which an export sorts, in bytes.
const ROOM: usize = 128 << 20;

/// An export, as JSON.
#[derive(Serialize)]
struct Written {
    file: PathBuf,
    bytes: u64,
    store: String,
    cursor: u64,
    records: u64,
    results: u64,
    sources: u64,
    resumed_at: Option<u64>,
}

/// An import, as JSON.
#[derive(Serialize)]
struct Taken {
    from: PathBuf,
    store: String,
    records: u64,
    new: u64,
    results: u64,
    new_results: u64,
    resumed_at: Option<u64>,
}

impl Taken {
    fn of(from: PathBuf, imported: &Imported) -> Self {
        Self {
            from,
            store: id(imported.store),
            records: imported.records,
            new: imported.new,
            results: imported.results,
            new_results: imported.new_results,
            resumed_at: Some(imported.resumed_at).filter(|&at| at > 0),
        }
    }
}

/// The printed id of a store.
pub(crate) fn id(store: u64) -> String {
    format!("{store:016x}")
}

/// Writes the records of the store to a file.
pub(crate) async fn export(export: Export, common: Common) -> anyhow::Result<Exit> {
    task::check_is_store(&common.data)?;
    let Export { output, play } = export;
    if output.is_dir() || output.file_name().is_none() {
        let problem = format!("{} is a folder; name the file to write", output.display());
        return Err(BadInput(problem).into());
    }
    let ended = task::run(common.json, move |watch| {
        let store = Store::open(&common.data, &game::encodings()).map_err(task::of_store)?;
        let exported = with_rules(|rules| {
            let export = transfer::Export {
                plays: play.list(),
                rules,
                now: task::now(),
                room: ROOM,
            };
            export.write(&store, &output, watch)
        });
        let exported = exported.map_err(task::of_store)?;
        let counts = exported.header.counts;
        let written = Written {
            bytes: exported.bytes,
            store: id(exported.header.store),
            cursor: exported.header.cursor,
            records: counts.records,
            results: counts.results,
            sources: counts.sources,
            resumed_at: match exported.previous {
                Previous::Resumed(records) => Some(records),
                Previous::None | Previous::Replaced => None,
            },
            file: output,
        };
        match exported.previous {
            Previous::Replaced => eprintln!(
                "the unfinished export belongs to a changed store or other records; starting over"
            ),
            Previous::Resumed(records) => {
                eprintln!(
                    "continuing an earlier export after {} records",
                    count(records)
                );
            }
            Previous::None => {}
        }
        if exported.unknown > 0 {
            let unknown = count(exported.unknown);
            eprintln!("{unknown} records of no known game were left out");
        }
        match common.json {
            true => text::print_json(&written)?,
            false => written.print()?,
        }
        Ok(Exit::Fine)
    });
    task::end(ended.await, "the same command continues from here")
}

impl Written {
    fn print(&self) -> std::io::Result<()> {
        text::print_lines(&[format!(
            "{}: {} records, {} results, {} sources, {}",
            self.file.display(),
            count(self.records),
            count(self.results),
            count(self.sources),
            text::bytes(self.bytes),
        )])
    }
}

impl Taken {
    fn print(&self) -> std::io::Result<()> {
        text::print_lines(&[format!(
            "{}: {} records, {} new; {} results, {} new",
            self.from.display(),
            count(self.records),
            count(self.new),
            count(self.results),
            count(self.new_results),
        )])
    }
}

/// Imports export files.
pub(crate) async fn import(import: Import, common: Common) -> anyhow::Result<Exit> {
    for file in &import.files {
        if file.is_dir() {
            let problem =
                "is a folder: use `sproutnet merge` to import the records of other stores";
            return Err(BadInput(format!("{} {problem}", file.display())).into());
        }
    }
    take(import.files, common).await
}

/// Imports other stores or export files.
pub(crate) async fn merge(merge: Merge, common: Common) -> anyhow::Result<Exit> {
    take(merge.from, common).await
}

async fn take(from: Vec<PathBuf>, common: Common) -> anyhow::Result<Exit> {
    for path in &from {
        if !path.exists() {
            let problem = format!("there is no file or folder {}", path.display());
            return Err(BadInput(problem).into());
        }
        if path.is_dir() {
            task::check_is_store(path)?;
        }
    }
    let ended = task::run(common.json, move |watch| take_all(from, &common, watch));
    task::end(ended.await, "the same command continues from here")
}

fn take_all(from: Vec<PathBuf>, common: &Common, watch: Watch<'_>) -> anyhow::Result<Exit> {
    let store = Store::open(&common.data, &game::encodings()).map_err(task::of_store)?;
    for path in from {
        let imported = with_rules(|rules| {
            let (store, now) = (&store, task::now());
            let import = transfer::Import { store, rules, now };
            match path.is_dir() {
                true => import.store(&path, watch),
                false => import.file(&path, watch),
            }
        });
        let taken = Taken::of(path, &imported.map_err(task::of_store)?);
        match common.json {
            true => text::print_json(&taken)?,
            false => taken.print()?,
        }
    }
    Ok(Exit::Fine)
}
