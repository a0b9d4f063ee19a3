//! `sproutnet records`: who told what.

use std::io::Write;

use serde::Serialize;
use sproutnet_model::RecordSource;
use sproutnet_proto::v1;

use crate::args::{Common, Records};
use crate::cluster::Cluster;
use crate::exit::Exit;
use crate::style::Look;
use crate::text::{self, count, print_json};
use crate::wire;

/// A worker as the source of records, as JSON.
#[derive(Serialize)]
struct Author {
    source: u32,
    name: String,
    peer: String,
    records: u64,
    set_aside: Option<SetAside>,
}

/// What a record says, as JSON.
#[derive(Serialize)]
struct Line {
    position: String,
    value: Option<String>,
    play: &'static str,
    says: String,
}

/// Shows who told of how many records, or what one of them told.
pub(crate) async fn run(records: Records, common: Common) -> anyhow::Result<Exit> {
    let cluster = Cluster::connect(&common, None).await?;
    match records.source {
        Some(source) => list(&cluster, source, common.json).await?,
        None => sources(&cluster, common.json).await?,
    }
    cluster.close().await?;
    Ok(Exit::Fine)
}

async fn sources(cluster: &Cluster, json: bool) -> anyhow::Result<()> {
    let sources = cluster.client().sources().await?;
    if json {
        for source in sources {
            print_json(&Author {
                source: source.source,
                name: source.name.clone(),
                peer: source.peer.clone(),
                records: source.records,
                set_aside: set_aside(source),
            })?;
        }
        return Ok(());
    }
    if sources.is_empty() {
        text::print_lines(&["no worker told of any records".to_owned()])?;
        return Ok(());
    }
    let heading = ["source", "worker", "peer", "records", "set aside"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(sources.into_iter().map(|source| {
        vec![
            source.source.to_string(),
            source.name,
            source.peer,
            count(source.records),
            source.aside,
        ]
    }));
    text::print_lines(&text::table(&rows, 3..4, Look::of_stdout()))?;
    Ok(())
}

async fn list(cluster: &Cluster, source: String, json: bool) -> anyhow::Result<()> {
    let mut stream = cluster.client().records(source).await?;
    let mut out = std::io::stdout().lock();
    while let Some(some) = stream.message().await? {
        for told in some.records {
            let line = Line {
                play: wire::play_name(told.play),
                position: told.position,
                value: told.value,
                says: told.says,
            };
            if json {
                serde_json::to_writer(&mut out, &line)?;
                writeln!(out)?;
            } else {
                let beside = line.value.map(|value| format!(" beside {value}"));
                let beside = beside.unwrap_or_default();
                let (play, position) = (line.play, text::plain(&line.position));
                writeln!(out, "{play:<6}  {position}{beside}  {}", line.says)?;
            }
        }
    }
    out.flush()?;
    Ok(())
}

/// That a worker was set aside, if it was.
pub(crate) fn set_aside(source: v1::SourceStatus) -> Option<SetAside> {
    let is_aside = source.aside_at > 0 || !source.aside.is_empty();
    is_aside.then_some(SetAside {
        source: source.source,
        name: source.name,
        peer: source.peer,
        why: source.aside,
        at: source.aside_at,
    })
}
