//! `sproutnet withdraw`: take back what rests on a worker's word.

use std::io::Write;

use crate::args::{Common, Withdraw};
use crate::cluster::Cluster;
use crate::exit::Exit;
use crate::text;

/// Sets a worker aside, and withdraws all records that came in since it was first heard of.
pub(crate) async fn run(withdraw: Withdraw, common: Common) -> anyhow::Result<Exit> {
    let cluster = Cluster::connect(&common, None).await?;
    let source = cluster.client().withdraw(withdraw.source).await?;
    let left = cluster.client().fleet().await?.records;
    cluster.close().await?;
    anyhow::ensure!(
        source.quarantine.is_some(),
        "the coordinator did not quarantine it"
    );
    if common.json {
        text::print_json(&source)?;
    } else {
        let (name, peer) = (text::plain(&source.name), text::plain(&source.peer));
        let left = text::count(left);
        writeln!(
            std::io::stdout(),
            "{name} ({peer}) is set aside; all records since it was first heard of are withdrawn, \
             {left} are left"
        )?;
    }
    Ok(Exit::Fine)
}
