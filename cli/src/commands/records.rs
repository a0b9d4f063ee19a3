//! `sproutnet records` and `revoke`: the records of each worker, and revoking them.

use std::io::Write;

use serde::Serialize;
use sproutnet_model::{DescribedRecord, RecordSource};

use crate::args::Common;
use crate::exit::Exit;
use crate::remote::client::Client;
use crate::remote::cluster::{Cluster, ask};
use crate::terminal::table::{Cell, Row, number, print_rows, text};
use crate::terminal::text::{Show, count, plain, print};

/// Shows the number of records that each worker reported, or the records of one worker.
pub(crate) async fn run(source: Option<String>, common: Common) -> anyhow::Result<Exit> {
    match source {
        Some(source) => {
            let cluster = Cluster::connect_to_ask(&common).await?;
            let mut stream = cluster.client().records(source).await?;
            while let Some(some) = stream.message().await? {
                for record in some.records {
                    print(common.json, &DescribedRecord::from(record))?;
                }
            }
            std::io::stdout().flush()?;
            drop(stream);
            cluster.close().await?;
        }
        None => {
            let sources = ask(&common, |client| async move { client.sources().await }).await?;
            print_rows(common.json, &sources, "no worker reported any records")?;
        }
    }
    Ok(Exit::Fine)
}

impl Row for RecordSource {
    fn cells(&self) -> Vec<Cell> {
        vec![
            text("source", self.source),
            text("worker", &self.name),
            text("peer", &self.peer),
            number("records", count(self.records)),
            text("quarantined", self.why_quarantined()),
        ]
    }
}

impl Show for DescribedRecord {
    fn lines(&self) -> Vec<String> {
        let beside = self.value.as_ref().map(|value| format!(" beside {value}"));
        let beside = beside.unwrap_or_default();
        let (play, position) = (self.play, plain(&self.position));
        vec![format!("{play:<6}  {position}{beside}  {}", self.says)]
    }
}

/// A worker that was quarantined.
#[derive(Serialize)]
struct Revoked {
    #[serde(flatten)]
    source: RecordSource,
    /// The number of records that remain in the store.
    #[serde(skip)]
    left: u64,
}

/// Quarantines a worker, and revokes all records received since it first registered.
pub(crate) async fn revoke(source: String, common: Common) -> anyhow::Result<Exit> {
    let cluster = Cluster::connect(&common, None).await?;
    let revoke = |client: Client| async move {
        Ok(Revoked {
            source: client.revoke(source).await?,
            left: client.fleet().await?.records,
        })
    };
    let revoked = cluster.call(revoke).await?;
    anyhow::ensure!(
        revoked.source.quarantine.is_some(),
        "the coordinator did not quarantine it"
    );
    print(common.json, &revoked)?;
    Ok(Exit::Fine)
}

impl Show for Revoked {
    fn lines(&self) -> Vec<String> {
        let (name, peer) = (plain(&self.source.name), plain(&self.source.peer));
        let left = count(self.left);
        vec![format!(
            "{name} ({peer}) is quarantined; all records since it first registered are revoked, {left} remain"
        )]
    }
}
