//! `sproutnet revoke`: revoke the records that may depend on a worker.

use crate::args::{Common, Revoke};
use crate::exit::Exit;
use crate::remote::cluster::ask;
use crate::terminal::text;

/// Quarantines a worker and revokes all records since its first report.
pub(crate) async fn run(revoke: Revoke, common: Common) -> anyhow::Result<Exit> {
    let (source, left) = ask(&common, |client| async move {
        let source = client.revoke(revoke.source).await?;
        Ok((source, client.fleet().await?.records))
    })
    .await?;
    anyhow::ensure!(
        source.quarantine.is_some(),
        "the coordinator did not quarantine it"
    );
    if common.json {
        text::print_json(&source)?;
    } else {
        let (name, peer) = (text::plain(&source.name), text::plain(&source.peer));
        let left = text::count(left);
        text::print_lines(&[format!(
            "{name} ({peer}) is quarantined; all records since its first report are revoked, {left} remain"
        )])?;
    }
    Ok(Exit::Fine)
}
