//! `sproutnet records`: the records of each worker.

use std::io::Write;

use sproutnet_model::DescribedRecord;

use crate::args::{Common, Records};
use crate::exit::Exit;
use crate::remote::cluster::{Cluster, ask};
use crate::terminal::style::Look;
use crate::terminal::text::{self, count};

const HEADING: [&str; 5] = ["source", "worker", "peer", "records", "quarantined"];

/// Shows how many records each worker reported, or the records of one worker.
pub(crate) async fn run(records: Records, common: Common) -> anyhow::Result<Exit> {
    match records.source {
        Some(source) => {
            let cluster = Cluster::connect(&common, None).await?;
            list(&cluster, source, common.json).await?;
            cluster.close().await?;
        }
        None => sources(&common).await?,
    }
    Ok(Exit::Fine)
}

async fn sources(common: &Common) -> anyhow::Result<()> {
    let sources = ask(common, |client| async move { client.sources().await }).await?;
    text::print_list(
        common.json,
        &sources,
        "no worker reported any records",
        |sources| {
            let rows = sources.iter().map(|source| {
                let quarantine = source.quarantine.as_ref();
                vec![
                    source.source.to_string(),
                    source.name.clone(),
                    source.peer.clone(),
                    count(source.records),
                    quarantine
                        .map(|quarantine| quarantine.why.clone())
                        .unwrap_or_default(),
                ]
            });
            text::table(&HEADING, rows, 3..4, Look::of_stdout())
        },
    )
}

async fn list(cluster: &Cluster, source: String, json: bool) -> anyhow::Result<()> {
    let mut stream = cluster.client().records(source).await?;
    let mut out = std::io::stdout().lock();
    while let Some(some) = stream.message().await? {
        for record in some.records {
            let record = DescribedRecord::from(record);
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
