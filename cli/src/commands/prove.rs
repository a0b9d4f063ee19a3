//! `sproutnet prove`.

use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, anyhow};
use serde::Serialize;
use sproutnet_certificate::format::{Claim, Reader};
use sproutnet_game::{self as game, Position};
use sproutnet_prover::{Limits, Proof, Stage, prove};
use sproutnet_solver::play::{Archive, Play};
use sproutnet_store::{Store, StoreError};

use crate::args::{Common, Prove};
use crate::exit::{BadInput, Exit, bad_position};
use crate::terminal::rows::Rows;
use crate::terminal::status_line::StatusLine;
use crate::terminal::text;

const HEADING: [&str; 7] = [
    "position", "play", "outcome", "facts", "size", "time", "file",
];

/// Wide enough for most.
const WIDTHS: [usize; 6] = [12, 6, 7, 9, 8, 8];

/// What was written, as JSON.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    position: &'a str,
    play: &'static str,
    outcome: &'static str,
    facts: usize,
    bytes: usize,
    seconds: f64,
}

/// Proves a position and writes the certificate, without a coordinator.
pub(crate) fn run(args: &Prove, common: &Common) -> anyhow::Result<Exit> {
    if common.coordinator.is_some() {
        let problem = "a coordinator cannot prove: stop it, then name its store with --data and omit \
                       --coordinator";
        return Err(BadInput(problem.to_owned()).into());
    }
    let position = sprouts(&args.position)?;
    let target = Target::of(&args.output)?;
    let limits = Limits {
        cores: args.cores.unwrap_or_default().0,
        memory: args
            .memory
            .bytes()
            .context("cannot determine the memory of this machine")?,
        effort: args.effort,
        seed: args.seed,
    };
    let archive = archive(&common.data)?;
    let began = Instant::now();
    let line = StatusLine::new(!common.json);
    let tell = |stage| {
        line.set(match stage {
            Stage::Solving => format!("{}: who wins?", args.position),
            Stage::Found(facts) => {
                let facts = text::count(facts as u64);
                format!(
                    "{}: a proof of {facts} facts; is there a smaller one?",
                    args.position
                )
            }
        });
    };
    let proof = prove(&position, args.play.into(), archive, &limits, &tell);
    line.clear();
    let proof = proof?;
    let mut file = Vec::new();
    proof.write(&mut file)?;
    target.write(&file)?;
    if target != Target::Output {
        let name = args.output.to_string_lossy();
        print(
            &name,
            &proof,
            file.len(),
            began.elapsed().as_secs_f64(),
            common.json,
        )?;
    }
    Ok(Exit::Fine)
}

/// Prints a summary of the certificate.
fn print(name: &str, proof: &Proof, bytes: usize, seconds: f64, json: bool) -> anyhow::Result<()> {
    let Claim {
        play,
        position,
        outcome,
        ..
    } = &proof.claim;
    if json {
        return text::print_json(&Line {
            file: name,
            position,
            play: Play::name(*play),
            outcome: outcome.name(),
            facts: proof.facts.len(),
            bytes,
            seconds,
        });
    }
    let row = [
        position.clone(),
        play.to_string(),
        outcome.to_string(),
        text::count(proof.facts.len() as u64),
        text::bytes(bytes as u64),
        text::time(seconds),
        name.to_owned(),
    ];
    let mut rows = Rows::with_files(&HEADING, &WIDTHS, 3..6, [name]);
    text::print_lines(&rows.next(&row))?;
    Ok(())
}

fn sprouts(text: &str) -> Result<Position, BadInput> {
    let (game, position) = game::parse(text).map_err(|error| bad_position(text, &error))?;
    match game.name() {
        "sprouts" => Ok(position),
        name => Err(BadInput(format!(
            "only positions of sprouts can be proved, not of {name}"
        ))),
    }
}

/// The store in that folder, if there is one: none is made.
fn archive(data: &Path) -> anyhow::Result<Option<Arc<dyn Archive>>> {
    if !data.exists() {
        return Ok(None);
    }
    let opened = Store::open(data, &game::encodings()).map_err(|error| match &error {
        StoreError::InUse { .. } => {
            anyhow!("{error}; if that is a coordinator, stop it first or name a copy")
        }
        _ => error.into(),
    });
    let store = opened.with_context(|| format!("cannot use the store in {}", data.display()))?;
    Ok(Some(Arc::new(store)))
}

/// Where the certificate goes.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    Output,
    File(PathBuf),
}

impl Target {
    /// # Errors
    /// There is no such folder, or there is a file that is no certificate.
    fn of(path: &Path) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::Output);
        }
        let shown = path.display();
        if !folder(path).is_dir() {
            return Err(BadInput(format!("{shown}: there is no such folder")).into());
        }
        match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("cannot look at {shown}")),
            Ok(found) if found.is_file() && (found.len() == 0 || is_certificate(path)) => {}
            Ok(_) => {
                let problem = format!("{shown} is no certificate, and is left as it is");
                return Err(BadInput(problem).into());
            }
        }
        Ok(Self::File(path.to_owned()))
    }

    /// A file is there as a whole or not at all, whenever the machine stops.
    fn write(&self, bytes: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::Output => {
                let mut output = io::stdout().lock();
                output.write_all(bytes)?;
                output.flush()?;
            }
            Self::File(path) => {
                let mut fresh = path.clone().into_os_string();
                fresh.push(format!(".{}.new", std::process::id()));
                let fresh = PathBuf::from(fresh);
                let placed = place(bytes, &fresh, path);
                if placed.is_err() {
                    // The partial file is useless; the write error is reported.
                    let _ = fs::remove_file(&fresh);
                }
                placed.with_context(|| format!("cannot write {}", path.display()))?;
            }
        }
        Ok(())
    }
}

fn place(bytes: &[u8], fresh: &Path, path: &Path) -> io::Result<()> {
    let mut file = File::create(fresh)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(fresh, path)?;
    File::open(folder(path))?.sync_all()
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

fn is_certificate(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| Reader::new(BufReader::new(file)).is_ok())
}
