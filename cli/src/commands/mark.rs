//! `sproutnet mark`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use sproutnet_notation::{Outcome, Play};
use sproutnet_proto::{convert, v1};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Code;

use crate::args::{Common, Mark};
use crate::exit::{BadInput, Exit, report};
use crate::remote::client::Client;
use crate::remote::cluster::Cluster;
use crate::terminal::rows::Rows;
use crate::terminal::text;

/// The size of a piece of a file that is sent, in bytes.
const PIECE: usize = 1 << 16;

/// The number of pieces queued to be sent.
const QUEUE: usize = 4;

const HEADING: [&str; 7] = [
    "position", "play", "outcome", "facts", "marked", "newly", "file",
];

/// Wide enough for most; the last column is as wide as the longest name.
const WIDTHS: [usize; 6] = [12, 6, 7, 9, 9, 9];

/// The result for a file, as JSON.
#[derive(Serialize)]
struct Line {
    file: String,
    position: String,
    play: &'static str,
    outcome: &'static str,
    facts: u64,
    marked: u64,
    newly: u64,
}

/// Has the coordinator check certificates, one after the other.
pub(crate) async fn run(mark: Mark, common: Common) -> anyhow::Result<Exit> {
    let cluster = Cluster::connect(&common, None).await?;
    let names: Vec<_> = mark
        .files
        .iter()
        .map(|path| path.to_string_lossy())
        .collect();
    let names = names.iter().map(AsRef::as_ref);
    let mut rows = Rows::with_files(&HEADING, &WIDTHS, 3..6, names);
    let mut exit = Exit::Fine;
    for path in &mark.files {
        match send(cluster.client(), path).await {
            Ok(line) if common.json => text::print_json(&line)?,
            Ok(line) => text::print_lines(&rows.next(&line.cells()))?,
            Err(error) => exit = exit.or_worse(report_file(path, error)),
        }
    }
    cluster.close().await?;
    Ok(exit)
}

impl Line {
    fn cells(&self) -> Vec<String> {
        let counts = [self.facts, self.marked, self.newly].map(text::count);
        let [facts, marked, newly] = counts;
        vec![
            self.position.clone(),
            self.play.to_owned(),
            self.outcome.to_owned(),
            facts,
            marked,
            newly,
            self.file.clone(),
        ]
    }
}

/// Sends a certificate and waits until it is checked.
async fn send(client: Client, path: &Path) -> anyhow::Result<Line> {
    let file = File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => BadInput("there is no such file".to_owned()).into(),
        _ => anyhow::Error::from(error),
    })?;
    let (sender, pieces) = mpsc::channel(QUEUE);
    let reading = tokio::task::spawn_blocking(move || read(file, &sender));
    let verified = client.verify(ReceiverStream::new(pieces)).await;
    // A read error explains the refusal of the rest.
    reading.await.context("the file")?.context("the file")?;
    let verified = verified?;
    Ok(Line {
        file: path.display().to_string(),
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

/// Reports why a file was refused.
fn report_file(path: &Path, error: anyhow::Error) -> Exit {
    let code = error.downcast_ref().map(tonic::Status::code);
    let exit = report(&error.context(text::plain(&path.display().to_string())));
    match code {
        Some(Code::InvalidArgument) => Exit::Refused,
        _ => exit,
    }
}
