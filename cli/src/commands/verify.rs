//! `sproutnet verify`.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use serde::Serialize;
use sproutnet_certificate::format::Claim;
use sproutnet_certificate::theory::{self, Theory};
use sproutnet_certificate::{self as certificate, Options, Progress, Verified};
use sproutnet_game as game;
use sproutnet_notation::brief::brief;
use sproutnet_notation::{Outcome, Play};
use tokio::sync::oneshot;

use crate::args::{Common, Verify};
use crate::exit::{BadInput, Exit, report_certificate};
use crate::terminal::status_line::StatusLine;
use crate::terminal::table::{Cell, Row, Rows, number, text};
use crate::terminal::text::{count, or_dash, plain, print_json, time};

/// The update interval of the status line.
const OFTEN: Duration = Duration::from_millis(200);

/// The result for a file. If the file is refused, most fields are unknown.
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

/// A certificate of theory that was accepted.
#[derive(Serialize)]
struct CheckedTheory<'a> {
    file: &'a str,
    verified: bool,
    kind: &'static str,
    code: String,
    play: Play,
    claim: String,
    /// The number of heaps whose nimbers or values are stated.
    heaps: usize,
    seconds: f64,
    error: Option<String>,
}

/// An accepted certificate.
enum Accepted {
    Outcome(Box<Verified>),
    Theory(Theory),
}

/// Checks certificates one after the other, without a coordinator or a store. Ctrl-C ends the process at once.
pub(crate) async fn run(verify: Verify, common: Common) -> anyhow::Result<Exit> {
    let options = Options {
        cores: verify.cores.unwrap_or_default().0,
        memory: verify
            .memory
            .bytes()
            .context("cannot determine the memory of this machine")?,
    };
    let mut rows = Rows::new(common.json, &[12, 6, 7, 11, 9, 13, 8]);
    let mut exit = Exit::Fine;
    let line = StatusLine::new(!common.json);
    let mut interrupt = std::pin::pin!(tokio::signal::ctrl_c());
    for name in &verify.files {
        let start = Instant::now();
        let verified = tokio::select! {
            verified = check(name, options, &line) => verified,
            interrupted = &mut interrupt => {
                interrupted?;
                line.clear();
                eprintln!("interrupted; {} is not checked", plain(name));
                return Ok(exit.max(Exit::Unknown));
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        line.suspend(|| match verified {
            Ok(Accepted::Outcome(verified)) => {
                rows.print(&Checked::accepted(name, *verified, seconds))
            }
            Ok(Accepted::Theory(theory)) => rows.print(&CheckedTheory::of(name, &theory, seconds)),
            Err(error) => {
                if common.json {
                    print_json(&Checked {
                        file: name,
                        seconds,
                        error: Some(brief(&format!("{error:#}"))),
                        ..Checked::default()
                    })?;
                }
                exit = exit.max(report_certificate(name, error));
                Ok(())
            }
        })?;
    }
    line.clear();
    Ok(exit)
}

/// Checks a file on its own thread, so that the process can end during the check.
async fn check(name: &str, options: Options, line: &StatusLine) -> anyhow::Result<Accepted> {
    let progress = Arc::new(Progress::default());
    let (sender, mut checked) = oneshot::channel();
    let work = {
        let (name, progress) = (name.to_owned(), Arc::clone(&progress));
        move || {
            let mut file: Box<dyn BufRead + Send> = match &*name {
                "-" => Box::new(BufReader::new(io::stdin())),
                _ => Box::new(BufReader::new(open(Path::new(&name))?)),
            };
            if file.fill_buf()?.first() == Some(&theory::FIRST) {
                return Ok(Accepted::Theory(theory::verify(file, options.cores)?));
            }
            let verified = certificate::verify_watched(file, &options, &progress)?;
            Ok(Accepted::Outcome(Box::new(verified)))
        }
    };
    // Not a task of the runtime: after an interrupt, the process ends without waiting for it.
    thread::Builder::new().spawn(move || sender.send(work()).is_ok())?;
    let mut began = None;
    let mut ticks = tokio::time::interval(OFTEN);
    loop {
        tokio::select! {
            checked = &mut checked => return checked.context("the checker failed")?,
            _ = ticks.tick() => line.set(describe(name, &progress, &mut began)),
        }
    }
}

/// The progress of a check, with an estimate of the remaining time. `began` is the time of the first checked facts.
fn describe(name: &str, progress: &Progress, began: &mut Option<Instant>) -> String {
    let name = plain(name);
    let (done, all) = progress.facts();
    if done == 0 {
        return format!("{name}: reading {} facts", count(all));
    }
    let took = began.get_or_insert_with(Instant::now).elapsed();
    let left = took.as_secs_f64() * (all - done) as f64 / done as f64;
    let percent = 100 * done / all;
    format!(
        "{name}: {} of {} facts ({percent} %), about {} left",
        count(done),
        count(all),
        time(left)
    )
}

/// The proved position, with the name of its game.
fn qualified(claim: &Claim) -> String {
    let game = game::by_name(claim.game.name()).expect("certificates are about games of the list");
    game::qualified(&*game, &claim.position)
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
            position: Some(qualified(&claim)),
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

impl<'a> CheckedTheory<'a> {
    fn of(file: &'a str, theory: &Theory, seconds: f64) -> Self {
        Self {
            file,
            verified: true,
            kind: theory.kind(),
            code: theory.code().to_owned(),
            play: theory.play(),
            claim: theory.claim(),
            heaps: theory.heaps(),
            seconds,
            error: None,
        }
    }
}

impl Row for CheckedTheory<'_> {
    fn cells(&self) -> Vec<Cell> {
        vec![
            text("position", &self.code),
            text("play", self.play),
            text("outcome", &self.claim),
            text("certificate", "accepted"),
            number("facts", count(self.heaps as u64)),
            number("positions met", "-"),
            number("time", time(self.seconds)),
            text("file", self.file),
        ]
    }
}

impl Row for Checked<'_> {
    fn cells(&self) -> Vec<Cell> {
        vec![
            text("position", or_dash(self.position.as_ref())),
            text("play", or_dash(self.play)),
            text("outcome", or_dash(self.outcome)),
            text(
                "certificate",
                if self.verified { "accepted" } else { "refused" },
            ),
            number("facts", or_dash(self.facts.map(count))),
            number("positions met", or_dash(self.positions.map(count))),
            number("time", time(self.seconds)),
            text("file", self.file),
        ]
    }
}
