//! `sproutnet export`, `import` and `merge`: transfer of records between stores.

use std::fs::File;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use serde::Serialize;
use sproutnet_coordinator::with_rules;
use sproutnet_proto::v1;
use sproutnet_store::transfer::{self, Imported, Previous};
use sproutnet_store::{Rules, Watch, Worth};
use tonic::{Code, Status};

use crate::args::{Common, Plays};
use crate::commands::fetch::{self, Fetched, STARTING_OVER};
use crate::commands::task;
use crate::exit::{BadInput, Exit};
use crate::remote::cluster::Cluster;
use crate::remote::retry::Retry;
use crate::remote::upload::upload;
use crate::terminal::text::{Show, bytes, count, print};

/// The memory for sorting an export, in bytes.
const ROOM: usize = 128 << 20;

/// The advice after an interrupt.
const HINT: &str = "the same command continues from here";

/// The id of a store in hexadecimal digits, as it is printed.
pub(crate) fn id(store: u64) -> String {
    format!("{store:016x}")
}

/// The result of an export.
#[derive(Serialize)]
struct Exported {
    file: PathBuf,
    bytes: u64,
    store: String,
    cursor: u64,
    records: u64,
    results: u64,
    sources: u64,
    resumed_at: Option<u64>,
}

impl Show for Exported {
    fn lines(&self) -> Vec<String> {
        vec![format!(
            "{}: {} records, {} results, {} sources, {}",
            self.file.display(),
            count(self.records),
            count(self.results),
            count(self.sources),
            bytes(self.bytes),
        )]
    }
}

/// Writes the records of a store to a file: the store of the coordinator, if one is named, or that of `--data`.
pub(crate) async fn export(
    output: PathBuf,
    play: Plays,
    least_visits: u64,
    common: Common,
) -> anyhow::Result<Exit> {
    let least = Worth::of_visits(least_visits.next_power_of_two());
    if output.is_dir() || output.file_name().is_none() {
        let output = output.display();
        bail!(BadInput(format!(
            "{output} is a folder; name the file to write"
        )));
    }
    transfer::check_target(&output).map_err(task::of_store)?;
    if common.coordinator.is_some() {
        return export_from_coordinator(output, play, least, common).await;
    }
    task::check_is_store(&common.data)?;
    task::run(common.json, HINT, move |watch| {
        let (store, _) = &task::open_to_read(&common)?;
        let exported =
            with_rules(|rules| export_of(play, least, rules).write(store, &output, watch));
        let resumed_at = None;
        report(
            output,
            exported.map_err(task::of_store)?,
            resumed_at,
            common.json,
        )
    })
    .await
}

/// Copies the coordinator's store, then writes the file.
async fn export_from_coordinator(
    output: PathBuf,
    play: Plays,
    least: Worth,
    common: Common,
) -> anyhow::Result<Exit> {
    let cluster = Cluster::connect(&common, None).await?;
    let (client, json) = (cluster.client(), common.json);
    let retry = Retry::new(true, |notice| eprintln!("{notice}"));
    let ended = task::run(json, HINT, move |watch| {
        let fetched = fetch::fetch(&client, &retry, &output, watch)?;
        let Fetched { mirror, resumed_at } = fetched;
        let exported =
            with_rules(|rules| mirror.export(&export_of(play, least, rules), &output, watch));
        report(output, exported.map_err(task::of_store)?, resumed_at, json)
    });
    let exit = ended.await?;
    cluster.close().await?;
    Ok(exit)
}

fn export_of(play: Plays, least: Worth, rules: Rules<'_>) -> transfer::Export<'_> {
    transfer::Export {
        plays: play.list(),
        least,
        rules,
        now: task::now(),
        room: ROOM,
    }
}

/// Prints the result of an export.
fn report(
    file: PathBuf,
    exported: transfer::Exported,
    mut resumed_at: Option<u64>,
    json: bool,
) -> anyhow::Result<Exit> {
    match exported.previous {
        Previous::None => {}
        Previous::Replaced => eprintln!("{STARTING_OVER}"),
        Previous::Resumed(records) => {
            resumed_at = Some(records);
            let records = count(records);
            eprintln!("continuing an earlier export after {records} records");
        }
    }
    if exported.unknown > 0 {
        let unknown = count(exported.unknown);
        eprintln!("{unknown} records of unknown games were left out");
    }
    let header = exported.header;
    let exported = Exported {
        file,
        bytes: exported.bytes,
        store: id(header.store),
        cursor: header.cursor,
        records: header.counts.records,
        results: header.counts.results,
        sources: header.counts.sources,
        resumed_at,
    };
    print(json, &exported)?;
    Ok(Exit::Fine)
}

/// The result of an import.
#[derive(Serialize)]
struct Taken {
    from: PathBuf,
    store: String,
    records: u64,
    new: u64,
    impossible: u64,
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
            impossible: imported.impossible,
            results: imported.results,
            new_results: imported.new_results,
            resumed_at: Some(imported.resumed_at).filter(|&at| at > 0),
        }
    }
}

impl Show for Taken {
    fn lines(&self) -> Vec<String> {
        let mut line = format!(
            "{}: {} records, {} new; {} results, {} new",
            self.from.display(),
            count(self.records),
            count(self.new),
            count(self.results),
            count(self.new_results),
        );
        if self.impossible > 0 {
            line += &format!(
                "; {} records skipped, because their positions cannot be drawn in the plane",
                count(self.impossible)
            );
        }
        vec![line]
    }
}

/// Imports export files.
pub(crate) async fn import(files: Vec<PathBuf>, common: Common) -> anyhow::Result<Exit> {
    if let Some(folder) = files.iter().find(|file| file.is_dir()) {
        bail!(BadInput(format!(
            "{} is a folder: use `sproutnet merge` to import the records of other stores",
            folder.display()
        )));
    }
    if common.coordinator.is_some() {
        return import_by_coordinator(files, common).await;
    }
    merge(files, common).await
}

/// Sends export files to the coordinator, one after the other.
async fn import_by_coordinator(files: Vec<PathBuf>, common: Common) -> anyhow::Result<Exit> {
    let cluster = Cluster::connect(&common, None).await?;
    for path in files {
        let name = path.display().to_string();
        let file = File::open(&path).with_context(|| name.clone())?;
        let client = cluster.client();
        let piece = |data| v1::ImportRequest { data };
        let imported = upload(file, piece, async |pieces| client.import(pieces).await).await;
        let imported = imported.map_err(|error| refused(error, &name))?;
        print(common.json, &Taken::of(path, &imported))?;
    }
    cluster.close().await?;
    Ok(Exit::Fine)
}

/// The error of a file that the coordinator did not import.
fn refused(error: anyhow::Error, file: &str) -> anyhow::Error {
    match error.downcast_ref::<Status>() {
        Some(status) if status.code() == Code::InvalidArgument => {
            BadInput(format!("{file}: {}", status.message())).into()
        }
        _ => error.context(file.to_owned()),
    }
}

/// Imports other stores or export files.
pub(crate) async fn merge(from: Vec<PathBuf>, common: Common) -> anyhow::Result<Exit> {
    for path in &from {
        let problem = || BadInput(format!("there is no file or folder {}", path.display()));
        ensure!(path.exists(), problem());
        if path.is_dir() {
            task::check_is_store(path)?;
        }
    }
    task::run(common.json, HINT, move |watch| {
        take_all(from, &common, watch)
    })
    .await
}

fn take_all(from: Vec<PathBuf>, common: &Common, watch: Watch<'_>) -> anyhow::Result<Exit> {
    let store = task::open(common)?;
    for path in from {
        let imported = with_rules(|rules| {
            let (store, now) = (&store, task::now());
            let import = transfer::Import { store, rules, now };
            if path.is_dir() {
                import.store(&path, watch)
            } else {
                import.file(&path, watch)
            }
        });
        let imported = imported.map_err(task::of_store)?;
        print(common.json, &Taken::of(path, &imported))?;
    }
    Ok(Exit::Fine)
}
