//! `sproutnet records`: who told what.

use std::io::Write;

use sproutnet_model::DescribedRecord;

use crate::args::{Common, Records};
use crate::cluster::Cluster;
use crate::exit::Exit;
use crate::style::Look;
use crate::text::{self, count, print_json};

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
            print_json(&source)?;
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
            source
                .quarantine
                .map(|quarantine| quarantine.why)
                .unwrap_or_default(),
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
            let record = DescribedRecord::from(told);
            if json {
                serde_json::to_writer(&mut out, &record)?;
                writeln!(out)?;
            } else {
                let beside = record.value.map(|value| format!(" beside {value}"));
                let beside = beside.unwrap_or_default();
                let (play, position) = (record.play, text::plain(&record.position));
                writeln!(out, "{play:<6}  {position}{beside}  {}", record.says)?;
            }
        }
    }
    out.flush()?;
    Ok(())
}
