//! `sproutnet prove`.

use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use serde::Serialize;
use sproutnet_certificate::format::{Reader, Ruleset};
use sproutnet_game as game;
use sproutnet_notation::{Outcome, Play};
use sproutnet_prover::{Limits, Stage, no_certificates, prove};
use sproutnet_solver::play::Archive;

use crate::args::{Common, Prove};
use crate::commands::roots;
use crate::commands::task::{self, Opened};
use crate::exit::{BadInput, Exit};
use crate::terminal::status_line::StatusLine;
use crate::terminal::table::{Cell, Row, Rows, number, text};
use crate::terminal::text::{bytes, count, time};

/// The certificate that was written.
#[derive(Serialize)]
struct Written<'a> {
    file: &'a str,
    position: String,
    play: Play,
    outcome: Outcome,
    facts: usize,
    bytes: usize,
    seconds: f64,
}

impl Row for Written<'_> {
    fn cells(&self) -> Vec<Cell> {
        vec![
            text("position", &self.position),
            text("play", self.play),
            text("outcome", self.outcome),
            number("facts", count(self.facts as u64)),
            number("size", bytes(self.bytes as u64)),
            number("time", time(self.seconds)),
            text("file", self.file),
        ]
    }
}

/// Proves a position and writes the certificate, without a coordinator.
pub(crate) fn run(args: &Prove, common: &Common) -> anyhow::Result<Exit> {
    let (game, position) = roots::parse(&roots::typed(&args.position)?)?;
    ensure!(
        Ruleset::named(game.name()).is_some(),
        BadInput(no_certificates(game.name()))
    );
    let target = Some(&args.output).filter(|path| *path != Path::new("-"));
    target.map_or(Ok(()), |path| check_target(path))?;
    let limits = Limits {
        cores: args.cores.unwrap_or_default().0,
        memory: args
            .memory
            .bytes()
            .context("cannot determine the memory of this machine")?,
        effort: args.effort,
        seed: args.seed,
    };
    let (store, _copy) = store(common)?.unzip();
    let archive = store.map(|store| Arc::new(store) as Arc<dyn Archive>);
    let began = Instant::now();
    let line = StatusLine::new(!common.json);
    let text = &args.position;
    let show_stage = |stage| {
        line.set(match stage {
            Stage::Solving => format!("{text}: searching for the outcome"),
            Stage::Found(facts) => {
                let facts = count(facts as u64);
                format!("{text}: found a proof of {facts} facts, searching for a smaller one")
            }
        });
    };
    let proof = prove(
        Arc::clone(&game),
        &position,
        args.play,
        archive,
        &limits,
        &show_stage,
    );
    line.clear();
    let proof = proof?;
    let mut file = Vec::new();
    proof.write(&mut file)?;
    let Some(path) = target else {
        io::stdout().write_all(&file)?;
        return Ok(io::stdout().flush().map(|()| Exit::Fine)?);
    };
    place(&file, path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut rows = Rows::new(common.json, &[12, 6, 7, 9, 8, 8]);
    rows.print(&Written {
        file: &path.to_string_lossy(),
        position: game::qualified(&*game, &proof.claim.position),
        play: proof.claim.play,
        outcome: proof.claim.outcome,
        facts: proof.facts.len(),
        bytes: file.len(),
        seconds: began.elapsed().as_secs_f64(),
    })?;
    Ok(Exit::Fine)
}

/// The store of `--data`, if it exists; it is never created.
fn store(common: &Common) -> anyhow::Result<Option<Opened>> {
    if !common.data.exists() {
        return Ok(None);
    }
    let failed = || format!("cannot use the store in {}", common.data.display());
    task::open_to_read(common).map(Some).with_context(failed)
}

/// Checks that a certificate can be written to a file.
///
/// # Errors
/// The folder does not exist, or the file exists and is not a certificate.
fn check_target(path: &Path) -> anyhow::Result<()> {
    let shown = path.display();
    ensure!(
        folder(path).is_dir(),
        BadInput(format!("{shown}: there is no such folder"))
    );
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(|| format!("cannot look at {shown}")),
        Ok(found) if found.is_file() && (found.len() == 0 || is_certificate(path)) => Ok(()),
        Ok(_) => bail!(BadInput(format!(
            "{shown} is not a certificate and is left as it is"
        ))),
    }
}

/// Writes a file atomically, even if the machine crashes.
fn place(bytes: &[u8], path: &Path) -> io::Result<()> {
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(format!(".{}.new", std::process::id()));
    let write = || {
        let mut file = File::create(&fresh)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&fresh, path)?;
        File::open(folder(path))?.sync_all()
    };
    write().inspect_err(|_| {
        // The partial file is useless. The write error is the one to report.
        let _ = fs::remove_file(&fresh);
    })
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    folder.unwrap_or(Path::new("."))
}

fn is_certificate(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| Reader::new(BufReader::new(file)).is_ok())
}
