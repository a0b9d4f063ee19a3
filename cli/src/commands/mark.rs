//! `sproutnet mark`.

use std::fs::File;
use std::path::PathBuf;

use serde::Serialize;
use sproutnet_notation::{Outcome, Play};
use sproutnet_proto::{convert, v1};

use crate::args::Common;
use crate::commands::verify;
use crate::exit::{Exit, report_certificate};
use crate::remote::client::Client;
use crate::remote::cluster::Cluster;
use crate::remote::upload::upload;
use crate::terminal::table::{Cell, Row, Rows, number, text};
use crate::terminal::text::count;

/// The result for a file that the coordinator accepted.
#[derive(Serialize)]
struct Accepted<'a> {
    file: &'a str,
    position: String,
    play: &'static str,
    outcome: &'static str,
    facts: u64,
    marked: u64,
    newly: u64,
}

impl Row for Accepted<'_> {
    fn cells(&self) -> Vec<Cell> {
        vec![
            text("position", &self.position),
            text("play", self.play),
            text("outcome", self.outcome),
            number("facts", count(self.facts)),
            number("marked", count(self.marked)),
            number("newly", count(self.newly)),
            text("file", self.file),
        ]
    }
}

/// Sends certificates to the coordinator to be checked, one after the other.
pub(crate) async fn run(files: Vec<PathBuf>, common: Common) -> anyhow::Result<Exit> {
    // Connected with the first file that can be read: a local coordinator creates its store.
    let mut cluster = None;
    let mut rows = Rows::new(common.json, &[12, 6, 7, 9, 9, 9]);
    let mut exit = Exit::Fine;
    for path in &files {
        let name = path.to_string_lossy();
        let sent = match verify::open(path) {
            Ok(file) => {
                let connected = match cluster.take() {
                    Some(connected) => connected,
                    None => Cluster::connect(&common, None).await?,
                };
                let client = connected.client();
                cluster = Some(connected);
                send(client, &name, file).await
            }
            Err(error) => Err(error),
        };
        match sent {
            Ok(accepted) => rows.print(&accepted)?,
            Err(error) => exit = exit.max(report_certificate(&name, error)),
        }
    }
    if let Some(cluster) = cluster {
        cluster.close().await?;
    }
    Ok(exit)
}

/// Sends a certificate and waits for the result of its check.
async fn send(client: Client, name: &str, file: File) -> anyhow::Result<Accepted<'_>> {
    let piece = |data| v1::VerifyRequest { data };
    let verified = upload(file, piece, async |pieces| client.verify(pieces).await).await?;
    Ok(Accepted {
        file: name,
        position: verified.canonical,
        play: convert::play(verified.play).map_or("unknown", Play::name),
        outcome: convert::outcome(verified.outcome).map_or("unknown", Outcome::name),
        facts: verified.facts,
        marked: verified.records,
        newly: verified.newly,
    })
}
