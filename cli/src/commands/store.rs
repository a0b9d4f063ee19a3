//! `sproutnet store`: maintenance of the store in `--data`.

use std::path::PathBuf;

use serde::Serialize;
use sproutnet_game as game;
use sproutnet_query::merge_result;
use sproutnet_solver::play::Knowledge;
use sproutnet_store::{
    self as store, Checkup, Fault, Faulty, Repaired, Rules, Stats, Store, Watch,
};

use crate::args::{Check, Common, StoreAct};
use crate::commands::task;
use crate::commands::transfer::id;
use crate::exit::Exit;
use crate::terminal::style::Look;
use crate::terminal::text::{self, count};

/// Runs the subcommand.
pub(crate) async fn run(act: StoreAct, common: Common) -> anyhow::Result<Exit> {
    task::check_is_store(&common.data)?;
    let hint = match act {
        StoreAct::Check(Check { repair: Some(_) }) => "the same command continues from here",
        _ => "nothing was changed",
    };
    let ended = task::run(common.json, move |watch| match act {
        StoreAct::Check(Check { repair: None }) => check(&common, watch),
        StoreAct::Check(Check { repair: Some(file) }) => repair(&common, &file, watch),
        StoreAct::Stats => stats(&common, watch),
        StoreAct::Compact => compact(&common, watch),
    });
    task::end(ended.await, hint)
}

/// A check, as JSON.
#[derive(Serialize)]
struct Checked {
    blocks: u64,
    records: u64,
    documents: u64,
    faults: Vec<Found>,
    fault_count: u64,
}

/// A fault, as JSON.
#[derive(Serialize)]
struct Found {
    block: Option<u64>,
    document: Option<String>,
    problem: String,
}

impl From<Fault> for Found {
    fn from(fault: Fault) -> Self {
        let (block, document) = match fault.of {
            Faulty::Block(number) => (Some(number), None),
            Faulty::Document(name) => (None, Some(name)),
            Faulty::Store => (None, None),
        };
        Self {
            block,
            document,
            problem: fault.problem,
        }
    }
}

/// Calls `act` with the rules of all games.
pub(crate) fn with_rules<T>(act: impl FnOnce(Rules<'_>) -> T) -> T {
    act(Rules {
        encodings: &game::encodings(),
        records: &Knowledge::default(),
        results: &merge_result,
    })
}

fn check(common: &Common, watch: Watch<'_>) -> anyhow::Result<Exit> {
    let checkup = with_rules(|rules| rules.check(&common.data, watch));
    let checkup = checkup.map_err(task::of_store)?;
    let Checkup {
        blocks,
        records,
        documents,
        faults,
        count: fault_count,
    } = checkup;
    let exit = match fault_count {
        0 => Exit::Fine,
        _ => Exit::Fault,
    };
    if common.json {
        text::print_json(&Checked {
            blocks,
            records,
            documents,
            faults: faults.into_iter().map(Found::from).collect(),
            fault_count,
        })?;
        return Ok(exit);
    }
    let mut lines: Vec<String> = faults
        .iter()
        .map(|fault| text::plain(&fault.to_string()))
        .collect();
    let more = fault_count - lines.len() as u64;
    if more > 0 {
        lines.push(format!("{} more", count(more)));
    }
    let found = match fault_count {
        0 => "no fault".to_owned(),
        1 => "1 fault".to_owned(),
        faults => format!("{} faults", count(faults)),
    };
    let [blocks, records, documents] = [blocks, records, documents].map(count);
    lines.push(format!(
        "{blocks} blocks, {records} records, {documents} documents: {found}"
    ));
    if fault_count > 0 {
        lines.push(
            "`sproutnet store check --repair FILE` restores damaged parts from an export"
                .to_owned(),
        );
    }
    text::print_lines(&lines)?;
    Ok(exit)
}

/// A repair, as JSON.
#[derive(Serialize)]
struct Mended {
    set_aside: Vec<PathBuf>,
    lost: Option<u64>,
    restored: u64,
    missing: Option<u64>,
    new: u64,
}

fn repair(common: &Common, file: &std::path::Path, watch: Watch<'_>) -> anyhow::Result<Exit> {
    let repaired = with_rules(|rules| rules.repair(&common.data, file, task::now(), watch));
    let Some(repaired) = repaired.map_err(task::of_store)? else {
        match common.json {
            true => text::print_json(&Mended {
                set_aside: Vec::new(),
                lost: Some(0),
                restored: 0,
                missing: Some(0),
                new: 0,
            })?,
            false => text::print_lines(&["no faults found; nothing was changed".to_owned()])?,
        }
        return Ok(Exit::Fine);
    };
    let Repaired {
        quarantined,
        lost,
        restored,
        missing,
        imported,
    } = repaired;
    if common.json {
        text::print_json(&Mended {
            set_aside: quarantined,
            lost,
            restored,
            missing,
            new: imported.new,
        })?;
    } else {
        let mut lines: Vec<String> = quarantined
            .iter()
            .map(|path| format!("quarantined: {}", path.display()))
            .collect();
        let lost = lost.map_or("unknown".to_owned(), count);
        lines.push(format!(
            "keys gone: {lost}; brought back: {}",
            count(restored)
        ));
        lines.push(match missing {
            Some(0) => "nothing is missing".to_owned(),
            Some(missing) => format!("{} keys could not be restored", count(missing)),
            None => "whether more is missing is unknown".to_owned(),
        });
        text::print_lines(&lines)?;
    }
    Ok(match missing {
        Some(0) => Exit::Fine,
        _ => Exit::Unknown,
    })
}

/// The size of a store, as JSON.
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
        Self {
            records: stats.records,
            blocks: stats.blocks,
            superseded: stats.superseded,
            disk_bytes: stats.disk_bytes,
            bytes_per_record: (stats.records > 0)
                .then(|| stats.disk_bytes as f64 / stats.records as f64),
            index_bytes: stats.index_bytes,
        }
    }
}

impl Size {
    fn cells(&self) -> [String; 6] {
        let each = self
            .bytes_per_record
            .map_or("-".to_owned(), |each| format!("{each:.1}"));
        [
            count(self.records),
            count(self.blocks),
            count(self.superseded),
            text::bytes(self.disk_bytes),
            each,
            text::bytes(self.index_bytes),
        ]
    }
}

/// The contents of a store, as JSON.
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

/// Records of one game and convention, as JSON.
#[derive(Serialize)]
struct KindCounts {
    game: &'static str,
    play: &'static str,
    records: u64,
    exact: u64,
    exclusions: u64,
    lost: u64,
    won: u64,
    verified: u64,
}

/// A source, as JSON.
#[derive(Serialize)]
struct SourceCounts {
    source: String,
    records: u64,
}

fn stats(common: &Common, watch: Watch<'_>) -> anyhow::Result<Exit> {
    let store = Store::open(&common.data, &game::encodings()).map_err(task::of_store)?;
    let census = store
        .census(&Knowledge::default(), watch)
        .map_err(task::of_store)?;
    let kinds = census.kinds.into_iter().map(|(kind, tally)| KindCounts {
        game: kind.game,
        play: kind.play.name(),
        records: tally.records,
        exact: tally.exact,
        exclusions: tally.exclusions,
        lost: tally.lost,
        won: tally.won,
        verified: tally.verified,
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
    match common.json {
        true => text::print_json(&contents)?,
        false => contents.print()?,
    }
    Ok(Exit::Fine)
}

impl Contents {
    fn print(&self) -> std::io::Result<()> {
        let since = |at: Option<u64>| match at {
            Some(at) => text::ago(task::now().saturating_sub(at) as f64),
            None => "-".to_owned(),
        };
        let [records, blocks, superseded, disk, each, index] = self.size.cells();
        let values = [
            ("store", self.store.clone()),
            ("made", since(self.created_at)),
            ("records", records),
            ("superseded", superseded),
            ("blocks", blocks),
            ("newest block", self.cursor.to_string()),
            ("on disk", disk),
            ("bytes per record", each),
            ("keys", text::bytes(self.key_bytes)),
            ("index in memory", index),
            ("results", count(self.results)),
            ("first result", since(self.first_solved_at)),
            ("last result", since(self.last_solved_at)),
        ];
        text::print_lines(&text::named_values(values, Look::of_stdout()))?;
        let head = [
            "game",
            "play",
            "records",
            "exact",
            "exclusions",
            "lost",
            "won",
            "verified",
        ];
        let rows = self.kinds.iter().map(|kind| {
            let counts = [
                kind.records,
                kind.exact,
                kind.exclusions,
                kind.lost,
                kind.won,
                kind.verified,
            ];
            let names = [kind.game, kind.play].map(str::to_owned);
            [&names[..], &counts.map(count)].concat()
        });
        text::print_lines(&[String::new()])?;
        text::print_table(&head, rows, 2..8)?;
        if self.unknown > 0 {
            text::print_lines(&[format!("{} records of no known game", count(self.unknown))])?;
        }
        let sources = self.sources.iter();
        let rows = sources.map(|source| vec![count(source.records), source.source.clone()]);
        text::print_lines(&[String::new()])?;
        text::print_table(&["records", "source"], rows, 0..1)
    }
}

/// Before and after, as JSON.
#[derive(Serialize)]
struct Shrunk {
    before: Size,
    after: Size,
}

fn compact(common: &Common, watch: Watch<'_>) -> anyhow::Result<Exit> {
    let compacted = store::compact(&common.data, &game::encodings(), watch);
    let compacted = compacted.map_err(task::of_store)?;
    let shrunk = Shrunk {
        before: compacted.before.into(),
        after: compacted.after.into(),
    };
    if common.json {
        text::print_json(&shrunk)?;
        return Ok(Exit::Fine);
    }
    let head = [
        "",
        "records",
        "blocks",
        "superseded",
        "on disk",
        "per record",
        "index",
    ];
    let row = |name: &str, size: &Size| [&[name.to_owned()][..], &size.cells()].concat();
    let rows = [row("before", &shrunk.before), row("after", &shrunk.after)];
    text::print_table(&head, rows, 1..7)?;
    Ok(Exit::Fine)
}
