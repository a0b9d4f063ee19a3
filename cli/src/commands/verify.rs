//! `sproutnet verify`.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use serde::Serialize;
use sproutnet_certificate as proof;
use sproutnet_certificate::format::Claim;
use sproutnet_certificate::{Options, Verified, VerifyError};

use crate::args::{Common, Verify};
use crate::exit::{BadInput, Exit, report};
use crate::terminal::rows::Rows;
use crate::terminal::text;

const HEADING: [&str; 7] = [
    "position",
    "play",
    "outcome",
    "facts",
    "positions met",
    "time",
    "file",
];

/// Wide enough for most; the last column is as wide as the longest name.
const WIDTHS: [usize; 6] = [12, 6, 7, 9, 13, 8];

/// The result for a file, as JSON.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    verified: bool,
    position: Option<&'a str>,
    play: Option<&'static str>,
    outcome: Option<&'static str>,
    tool: Option<&'a str>,
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
    let names = verify.files.iter().map(String::as_str);
    let mut rows = Rows::with_files(&HEADING, &WIDTHS, 3..6, names);
    let mut exit = Exit::Fine;
    for name in &verify.files {
        let start = Instant::now();
        let checked = check(name, &options);
        let seconds = start.elapsed().as_secs_f64();
        if common.json {
            text::print_json(&line(name, &checked, seconds))?;
        } else if let Ok(verified) = &checked {
            text::print_lines(&rows.next(&row(name, verified, seconds)))?;
        }
        if let Err(error) = checked {
            exit = exit.or_worse(report_file(name, error));
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
    Ok(proof::verify(file, options)?)
}

fn open(path: &Path) -> anyhow::Result<File> {
    File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => BadInput("there is no such file".to_owned()).into(),
        _ => error.into(),
    })
}

/// Reports why a file was refused.
fn report_file(name: &str, error: anyhow::Error) -> Exit {
    let is_refused = error
        .downcast_ref::<VerifyError>()
        .is_some_and(VerifyError::is_refusal);
    let exit = report(&error.context(text::plain(name)));
    match is_refused {
        true => Exit::Refused,
        false => exit,
    }
}

fn row(name: &str, verified: &Verified, seconds: f64) -> Vec<String> {
    let Claim {
        position,
        play,
        outcome,
        ..
    } = &verified.header.claim;
    vec![
        position.clone(),
        play.to_string(),
        outcome.to_string(),
        text::count(verified.header.facts),
        text::count(verified.positions),
        text::time(seconds),
        name.to_owned(),
    ]
}

fn line<'a>(name: &'a str, checked: &'a anyhow::Result<Verified>, seconds: f64) -> Line<'a> {
    let verified = checked.as_ref().ok();
    let claim = verified.map(|verified| &verified.header.claim);
    Line {
        file: name,
        verified: verified.is_some(),
        position: claim.map(|claim| claim.position.as_str()),
        play: claim.map(|claim| claim.play.name()),
        outcome: claim.map(|claim| claim.outcome.name()),
        tool: claim.map(|claim| claim.tool.as_str()),
        facts: verified.map(|verified| verified.header.facts),
        positions: verified.map(|verified| verified.positions),
        seconds,
        error: checked.as_ref().err().map(|error| format!("{error:#}")),
    }
}
