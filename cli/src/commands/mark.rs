//! `sproutnet mark`.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use anyhow::Context;
use serde::Serialize;
use sproutnet_notation::{Outcome, Play};
use sproutnet_proto::{convert, v1};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::args::Common;
use crate::commands::verify;
use crate::exit::{Exit, report_certificate};
use crate::remote::client::Client;
use crate::remote::cluster::Cluster;
use crate::terminal::table::{Cell, Row, Rows, number, text};
use crate::terminal::text::count;

/// The size of one message with a piece of a file, in bytes.
const PIECE: usize = 1 << 16;

/// The maximum number of pieces in the send queue.
const QUEUE: usize = 4;

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
    let cluster = Cluster::connect(&common, None).await?;
    let mut rows = Rows::new(common.json, &[12, 6, 7, 9, 9, 9]);
    let mut exit = Exit::Fine;
    for path in &files {
        let file = path.to_string_lossy();
        match send(cluster.client(), &file, verify::open(path)).await {
            Ok(accepted) => rows.print(&accepted)?,
            Err(error) => exit = exit.max(report_certificate(&file, error)),
        }
    }
    cluster.close().await?;
    Ok(exit)
}

/// Sends a certificate and waits for the result of its check.
async fn send(
    client: Client,
    name: &str,
    file: anyhow::Result<File>,
) -> anyhow::Result<Accepted<'_>> {
    let file = file?;
    let (sender, pieces) = mpsc::channel(QUEUE);
    let reading = tokio::task::spawn_blocking(move || read(file, &sender));
    let verified = client.verify(ReceiverStream::new(pieces)).await;
    // A read error is the reason why the coordinator refuses an incomplete file, so it is reported first.
    reading.await.context("the file")?.context("the file")?;
    let verified = verified?;
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

/// Reads a file piece by piece, until the receiver is dropped.
fn read(mut file: File, pieces: &mpsc::Sender<v1::VerifyRequest>) -> io::Result<()> {
    loop {
        let mut data = Vec::with_capacity(PIECE);
        file.by_ref().take(PIECE as u64).read_to_end(&mut data)?;
        if data.is_empty() || pieces.blocking_send(v1::VerifyRequest { data }).is_err() {
            return Ok(());
        }
    }
}
