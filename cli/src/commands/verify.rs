//! `sproutnet verify`.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use serde::Serialize;
use sproutnet_certificate::{self as certificate, Options, Verified};
use sproutnet_notation::{Outcome, Play};

use crate::args::{Common, Verify};
use crate::exit::{BadInput, Exit, report_certificate};
use crate::terminal::table::{Cell, Row, Rows, number, text};
use crate::terminal::text::{count, or_dash, print_json, time};

/// The result for a file. Of a file that is refused, most is unknown.
#[derive(Default, Serialize)]
struct Checked<'a> {
    file: &'a str,
    verified: bool,
    position: Option<String>,
    play: Option<Play>,
    outcome: Option<Outcome>,
    tool: Option<String>,
    facts: Option<u64>,
    positions: Option<u64>,
    seconds: f64,
    error: Option<String>,
}

/// Checks certificates one after the other, without a coordinator or a store.
pub(crate) fn run(verify: &Verify, common: &Common) -> anyhow::Result<Exit> {
    let options = Options {
        cores: verify.cores.unwrap_or_default().0,
        memory: verify
            .memory
            .bytes()
            .context("cannot determine the memory of this machine")?,
    };
    let mut rows = Rows::new(common.json, &[12, 6, 7, 9, 13, 8]);
    let mut exit = Exit::Fine;
    for name in &verify.files {
        let start = Instant::now();
        let verified = check(name, &options);
        let seconds = start.elapsed().as_secs_f64();
        match verified {
            Ok(verified) => rows.print(&Checked::accepted(name, verified, seconds))?,
            Err(error) => {
                if common.json {
                    print_json(&Checked {
                        file: name,
                        seconds,
                        error: Some(format!("{error:#}")),
                        ..Checked::default()
                    })?;
                }
                exit = exit.max(report_certificate(name, error));
            }
        }
    }
    Ok(exit)
}

/// Checks a file.
fn check(name: &str, options: &Options) -> anyhow::Result<Verified> {
    let file: Box<dyn BufRead + Send> = match name {
        "-" => Box::new(BufReader::new(io::stdin())),
        _ => Box::new(BufReader::new(open(Path::new(name))?)),
    };
    Ok(certificate::verify(file, options)?)
}

/// Opens a file that the user named.
pub(crate) fn open(path: &Path) -> anyhow::Result<File> {
    File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => BadInput("there is no such file".to_owned()).into(),
        _ => error.into(),
    })
}

impl<'a> Checked<'a> {
    fn accepted(file: &'a str, verified: Verified, seconds: f64) -> Self {
        let claim = verified.header.claim;
        Self {
            file,
            verified: true,
            position: Some(claim.position),
            play: Some(claim.play),
            outcome: Some(claim.outcome),
            tool: Some(claim.tool),
            facts: Some(verified.header.facts),
            positions: Some(verified.positions),
            seconds,
            error: None,
        }
    }
}

impl Row for Checked<'_> {
    fn cells(&self) -> Vec<Cell> {
        vec![
            text("position", or_dash(self.position.as_ref())),
            text("play", or_dash(self.play)),
            text("outcome", or_dash(self.outcome)),
            number("facts", or_dash(self.facts.map(count))),
            number("positions met", or_dash(self.positions.map(count))),
            number("time", time(self.seconds)),
            text("file", self.file),
        ]
    }
}
