//! `sproutnet store`: maintenance of the store in `--data`.

use std::panic;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use serde::Serialize;
use sproutnet_coordinator::with_rules;
use sproutnet_game as game;
use sproutnet_notation::Play;
use sproutnet_solver::play::Knowledge;
use sproutnet_store::transfer::Import;
use sproutnet_store::{self as store, Checkup, Repaired, Stats, Store, StoreError, Tally, Watch};

use crate::args::{Common, StoreAct};
use crate::commands::task;
use crate::commands::transfer::id;
use crate::exit::{BadInput, Exit};
use crate::terminal::style::Look;
use crate::terminal::table::{Cell, number, table, text};
use crate::terminal::text::{Show, ago, bytes, count, named_values, or_dash, plain};
use crate::terminal::text::{print, print_json, print_lines};

/// Runs a subcommand of `store`.
pub(crate) async fn run(act: StoreAct, common: Common) -> anyhow::Result<Exit> {
    task::check_is_store(&common.data)?;
    let hint = match act {
        StoreAct::Check { repair: Some(_) } | StoreAct::Salvage { .. } => {
            "the same command continues from here"
        }
        _ => "nothing was changed",
    };
    task::run(common.json, hint, move |watch| match act {
        StoreAct::Check { repair: None } => check(&common, watch),
        StoreAct::Check { repair: Some(file) } => repair(&common, &file, watch),
        StoreAct::Salvage { into } => salvage(&common, into, watch),
        StoreAct::Stats => stats(&common, watch),
        StoreAct::Compact => compact(&common, watch),
    })
    .await
}

impl Show for Checkup {
    fn lines(&self) -> Vec<String> {
        let faults = self.faults.iter();
        let mut lines: Vec<String> = faults.map(|fault| plain(&fault.to_string())).collect();
        let more = self.count - lines.len() as u64;
        if more > 0 {
            lines.push(format!("{} more", count(more)));
        }
        let found = match self.count {
            0 => "no fault".to_owned(),
            1 => "1 fault".to_owned(),
            faults => format!("{} faults", count(faults)),
        };
        let [blocks, records, documents] = [self.blocks, self.records, self.documents].map(count);
        lines.push(format!(
            "{blocks} blocks, {records} records, {documents} documents: {found}"
        ));
        if self.count > 0 {
            let hints = [
                "`sproutnet store check --repair FILE` restores damaged parts from an export",
                "`sproutnet store salvage NEW-FOLDER` saves what is good into another folder",
            ];
            lines.extend(hints.map(str::to_owned));
        }
        lines
    }
}

fn check(common: &Common, watch: Watch<'_>) -> anyhow::Result<Exit> {
    let checkup = with_rules(|rules| rules.check(&common.data, watch));
    let checkup = checkup.map_err(task::of_store)?;
    print(common.json, &checkup)?;
    Ok(match checkup.count {
        0 => Exit::Fine,
        _ => Exit::Fault,
    })
}

impl Show for Repaired {
    fn lines(&self) -> Vec<String> {
        let moved = self.quarantined.iter();
        let mut lines: Vec<String> = moved
            .map(|path| format!("quarantined: {}", path.display()))
            .collect();
        let lost = self.lost.map_or("unknown".to_owned(), count);
        let restored = count(self.restored);
        lines.push(format!("keys lost: {lost}; restored: {restored}"));
        lines.push(match self.missing {
            Some(0) => "nothing is missing".to_owned(),
            Some(missing) => format!("{} keys could not be restored", count(missing)),
            None => "whether more is missing is unknown".to_owned(),
        });
        lines
    }
}

fn repair(common: &Common, file: &Path, watch: Watch<'_>) -> anyhow::Result<Exit> {
    let repaired = with_rules(|rules| rules.repair(&common.data, file, task::now(), watch));
    let Some(repaired) = repaired.map_err(task::of_store)? else {
        if common.json {
            print_json(&Repaired {
                lost: Some(0),
                missing: Some(0),
                ..Repaired::default()
            })?;
        } else {
            print_lines(&["no faults found; nothing was changed".to_owned()])?;
        }
        return Ok(Exit::Fine);
    };
    print(common.json, &repaired)?;
    Ok(match repaired.missing {
        Some(0) => Exit::Fine,
        _ => Exit::Unknown,
    })
}

/// The result of a salvage.
#[derive(Serialize)]
struct Salvaged {
    into: PathBuf,
    blocks: u64,
    damaged: u64,
    revoked: u64,
    records: u64,
    new: u64,
    new_results: u64,
    missing: Option<u64>,
}

impl Show for Salvaged {
    fn lines(&self) -> Vec<String> {
        let into = self.into.display();
        let [records, new, results] = [self.records, self.new, self.new_results].map(count);
        let [blocks, damaged] = [self.blocks, self.damaged].map(count);
        let mut lines = vec![
            format!("{into}: {records} records, {new} new; {results} new results"),
            format!("{blocks} good blocks, {damaged} damaged"),
        ];
        if self.revoked > 0 {
            let revoked = count(self.revoked);
            lines.push(format!(
                "{revoked} blocks left out: they may have been revoked"
            ));
        }
        lines.push(match self.missing {
            Some(0) => "no records are missing".to_owned(),
            Some(missing) => format!("{} records are missing", count(missing)),
            None => "whether records are missing is unknown".to_owned(),
        });
        let results = "whether results are missing is unknown; restore them from an export with `sproutnet import`";
        lines.push(results.to_owned());
        lines
    }
}

/// Runs a task on a damaged database. Its panics are told as errors, and only then.
fn without_panic_messages<T>(task: impl FnOnce() -> T) -> T {
    let report = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let done = task();
    panic::set_hook(report);
    done
}

fn salvage(common: &Common, into: PathBuf, watch: Watch<'_>) -> anyhow::Result<Exit> {
    let is_same = |path: &Path| path.canonicalize().ok() == common.data.canonicalize().ok();
    if into.exists() && is_same(&into) {
        let problem = "choose a different target folder: the damaged store is not modified";
        bail!(BadInput(problem.to_owned()));
    }
    let store = Store::open(&into, &game::encodings()).map_err(task::of_store)?;
    let salvaged = without_panic_messages(|| {
        with_rules(|rules| {
            let (store, now) = (&store, task::now());
            Import { store, rules, now }.salvage(&common.data, watch)
        })
    });
    let salvaged = salvaged.map_err(|error| match error {
        // Its message advises to salvage.
        StoreError::Unreadable { dir, source } => anyhow!(
            "nothing can be recovered from the store in {}: {source}; restore it from an export with `sproutnet import`",
            dir.display()
        ),
        error => task::of_store(error),
    })?;
    let records = store.len() as u64;
    let salvaged = Salvaged {
        into,
        blocks: salvaged.blocks,
        damaged: salvaged.damaged,
        revoked: salvaged.revoked,
        records,
        new: salvaged.new,
        new_results: salvaged.new_results,
        missing: salvaged
            .expected
            .map(|keys| keys.saturating_sub(salvaged.good)),
    };
    print(common.json, &salvaged)?;
    // How many results there were is not kept.
    Ok(Exit::Unknown)
}

/// The size of a store, in records and bytes.
#[derive(Serialize)]
struct Size {
    records: u64,
    blocks: u64,
    superseded: u64,
    disk_bytes: u64,
    bytes_per_record: Option<f64>,
    index_bytes: u64,
}

impl From<Stats> for Size {
    fn from(stats: Stats) -> Self {
        let per_record = || stats.disk_bytes as f64 / stats.records as f64;
        Self {
            records: stats.records,
            blocks: stats.blocks,
            superseded: stats.superseded,
            disk_bytes: stats.disk_bytes,
            bytes_per_record: (stats.records > 0).then(per_record),
            index_bytes: stats.index_bytes,
        }
    }
}

impl Size {
    fn per_record(&self) -> String {
        or_dash(self.bytes_per_record.map(|bytes| format!("{bytes:.1}")))
    }

    fn cells(&self, when: &str) -> Vec<Cell> {
        vec![
            text("", when),
            number("records", count(self.records)),
            number("blocks", count(self.blocks)),
            number("superseded", count(self.superseded)),
            number("on disk", bytes(self.disk_bytes)),
            number("per record", self.per_record()),
            number("index", bytes(self.index_bytes)),
        ]
    }
}

/// The contents of a store.
#[derive(Serialize)]
struct Contents {
    store: String,
    cursor: u64,
    created_at: Option<u64>,
    #[serde(flatten)]
    size: Size,
    key_bytes: u64,
    kinds: Vec<KindCounts>,
    unknown: u64,
    results: u64,
    first_solved_at: Option<u64>,
    last_solved_at: Option<u64>,
    sources: Vec<SourceCounts>,
}

/// The records of one game and convention.
#[derive(Serialize)]
struct KindCounts {
    game: &'static str,
    play: Play,
    #[serde(flatten)]
    tally: Tally,
}

impl KindCounts {
    fn cells(&self) -> Vec<Cell> {
        let tally = &self.tally;
        vec![
            text("game", self.game),
            text("play", self.play),
            number("records", count(tally.records)),
            number("exact", count(tally.exact)),
            number("exclusions", count(tally.exclusions)),
            number("lost", count(tally.lost)),
            number("won", count(tally.won)),
            number("verified", count(tally.verified)),
        ]
    }
}

#[derive(Serialize)]
struct SourceCounts {
    source: String,
    records: u64,
}

fn stats(common: &Common, watch: Watch<'_>) -> anyhow::Result<Exit> {
    let (store, _) = &task::open_to_read(common)?;
    let census = store
        .census(&Knowledge::default(), watch)
        .map_err(task::of_store)?;
    let kinds = census.kinds.into_iter().map(|(kind, tally)| KindCounts {
        game: kind.game,
        play: kind.play,
        tally,
    });
    let sources = census.sources.into_iter();
    let contents = Contents {
        store: id(store.id()),
        cursor: store.cursor(),
        created_at: store.created_at()?,
        size: store.stats()?.into(),
        key_bytes: census.key_bytes,
        kinds: kinds.collect(),
        unknown: census.unknown,
        results: census.results,
        first_solved_at: census.solved_at.map(|(first, _)| first),
        last_solved_at: census.solved_at.map(|(_, last)| last),
        sources: sources
            .map(|(source, records)| SourceCounts { source, records })
            .collect(),
    };
    print(common.json, &contents)?;
    Ok(Exit::Fine)
}

impl Show for Contents {
    fn lines(&self) -> Vec<String> {
        let look = Look::of_stdout();
        let since =
            |at: Option<u64>| or_dash(at.map(|at| ago(task::now().saturating_sub(at) as f64)));
        let size = &self.size;
        let mut lines = named_values([
            ("store", self.store.clone()),
            ("created", since(self.created_at)),
            ("records", count(size.records)),
            ("superseded", count(size.superseded)),
            ("blocks", count(size.blocks)),
            ("newest block", self.cursor.to_string()),
            ("on disk", bytes(size.disk_bytes)),
            ("bytes per record", size.per_record()),
            ("keys", bytes(self.key_bytes)),
            ("index in memory", bytes(size.index_bytes)),
            ("results", count(self.results)),
            ("first result", since(self.first_solved_at)),
            ("last result", since(self.last_solved_at)),
        ]);
        lines.push(String::new());
        lines.extend(table(self.kinds.iter().map(KindCounts::cells), look));
        if self.unknown > 0 {
            lines.push(format!("{} records of unknown games", count(self.unknown)));
        }
        lines.push(String::new());
        let sources = self.sources.iter().map(|of| {
            vec![
                number("records", count(of.records)),
                text("source", &of.source),
            ]
        });
        lines.extend(table(sources, look));
        lines
    }
}

/// The sizes before and after compacting.
#[derive(Serialize)]
struct Compacted {
    before: Size,
    after: Size,
}

impl Show for Compacted {
    fn lines(&self) -> Vec<String> {
        let rows = [self.before.cells("before"), self.after.cells("after")];
        table(rows, Look::of_stdout())
    }
}

fn compact(common: &Common, watch: Watch<'_>) -> anyhow::Result<Exit> {
    let compacted = store::compact(&common.data, &game::encodings(), watch);
    let compacted = compacted.map_err(task::of_store)?;
    let (before, after) = (compacted.before.into(), compacted.after.into());
    print(common.json, &Compacted { before, after })?;
    Ok(Exit::Fine)
}
