//! `sproutnet solve`.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use sproutnet_common::play::Play;
use sproutnet_proto::v1;
use sproutnet_worker::Config;
use tokio::sync::mpsc;
use tonic::Streaming;

use crate::args::{Common, Solve};
use crate::cluster::{Client, Cluster};
use crate::exit::{BadInput, Exit};
use crate::roots::{self, Roots};
use crate::text;
use crate::wire;

/// Computations asked for ahead of the one whose answer is printed next.
const AHEAD: usize = 64;

/// An answer, as JSON.
#[derive(Serialize)]
struct Answer {
    position: String,
    canonical: String,
    play: &'static str,
    outcome: &'static str,
    nimber: Option<u32>,
    source: Option<&'static str>,
    seconds: f64,
    expansions: u64,
    records: u64,
}

/// A position on standard input that cannot be read, as JSON.
#[derive(Serialize)]
struct Refused {
    error: String,
}

/// A computation that was started.
struct Started {
    position: String,
    canonical: String,
    play: Play,
    progress: Streaming<v1::Progress>,
}

/// Solves positions and prints the answers in the order asked.
pub(crate) async fn run(solve: Solve, common: Common) -> anyhow::Result<Exit> {
    let roots = roots::read(&solve.roots)?;
    let all_cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let worker = Config {
        cores: solve.cores.unwrap_or_else(all_cores),
        memory: solve.memory,
        name: "inside the process".to_owned(),
    };
    let cluster = Cluster::connect(&common, Some(worker)).await?;
    let (sender, mut started) = mpsc::channel(AHEAD);
    let starting = tokio::spawn(start_all(roots, solve, cluster.client(), sender));
    let mut printer = Printer::new(common.json);
    let answered = tokio::select! {
        answered = printer.print_all(&mut started) => answered,
        interrupted = tokio::signal::ctrl_c() => interrupted.map(|()| None).map_err(Into::into),
    };
    printer.bar.finish_and_clear();
    starting.abort();
    if matches!(answered, Ok(None)) {
        eprintln!("interrupted; the same command goes on from here");
        tokio::spawn(async {
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(130);
            }
        });
    }
    drop(started);
    cluster.close().await?;
    Ok(answered?.unwrap_or(Exit::Unknown))
}

/// Starts computations as long as there is room in the channel.
async fn start_all(
    roots: Roots,
    solve: Solve,
    client: Client,
    sender: mpsc::Sender<anyhow::Result<Result<Started, BadInput>>>,
) {
    let (texts, mut next) = mpsc::channel(1);
    // Reading standard input blocks. The thread ends with the input, or when nobody listens.
    std::thread::spawn(move || {
        for root in roots {
            if texts.blocking_send(root).is_err() {
                return;
            }
        }
    });
    while let Some(root) = next.recv().await {
        let position = match root {
            Ok(position) => position,
            Err(refused) => {
                if sender.send(Ok(Err(refused))).await.is_err() {
                    return;
                }
                continue;
            }
        };
        for &play in solve.play.list() {
            let started = start(&position, play, &solve, client.clone()).await;
            if sender.send(started.map(Ok)).await.is_err() {
                return;
            }
        }
    }
}

async fn start(
    position: &str,
    play: Play,
    solve: &Solve,
    mut client: Client,
) -> anyhow::Result<Started> {
    let both = solve.play.list().len() > 1;
    let request = v1::StartRequest {
        position: position.to_owned(),
        play: wire::play(play),
        nimber: solve.nimber && !(both && play == Play::Misere),
        deadline_ms: solve
            .deadline
            .map_or(0, |deadline| deadline.as_millis().max(1) as u64),
        priority: 0,
    };
    let response = client.start(request).await?.into_inner();
    let computation = response.computation;
    let progress = client
        .watch(v1::WatchRequest { computation })
        .await?
        .into_inner();
    Ok(Started {
        position: position.to_owned(),
        canonical: response.canonical,
        play,
        progress,
    })
}

/// Prints answers, and progress in between if someone is watching.
struct Printer {
    json: bool,
    bar: ProgressBar,
    heading: bool,
}

impl Printer {
    fn new(json: bool) -> Self {
        let watched = !json && std::io::stderr().is_terminal();
        let target = match watched {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style = ProgressStyle::with_template("{spinner} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self {
            json,
            bar,
            heading: false,
        }
    }

    /// Prints all answers; tells the worst that happened.
    async fn print_all(
        &mut self,
        started: &mut mpsc::Receiver<anyhow::Result<Result<Started, BadInput>>>,
    ) -> anyhow::Result<Option<Exit>> {
        let mut worst = Exit::Fine;
        while let Some(next) = started.recv().await {
            let exit = match next? {
                Ok(started) => self.follow(started).await?,
                Err(refused) => {
                    self.refuse(&refused)?;
                    Exit::BadInput
                }
            };
            let severity = |exit| {
                [Exit::Fine, Exit::Unknown, Exit::BadInput, Exit::Fault]
                    .iter()
                    .position(|&other| other == exit)
            };
            if severity(exit) > severity(worst) {
                worst = exit;
            }
        }
        Ok(Some(worst))
    }

    /// Waits for the end of a computation and prints its answer.
    async fn follow(&mut self, mut started: Started) -> anyhow::Result<Exit> {
        let mut last = v1::Progress::default();
        while let Some(progress) = started.progress.message().await? {
            self.bar.set_message(describe(&started, &progress));
            last = progress;
        }
        let answer = Answer {
            position: started.position,
            canonical: started.canonical,
            play: started.play.name(),
            outcome: wire::outcome(last.outcome),
            nimber: last.nimber,
            source: wire::source(last.source),
            seconds: last.seconds,
            expansions: last.expansions,
            records: last.records,
        };
        self.answer(&answer)?;
        if last.status() == v1::Status::Failed {
            anyhow::bail!("{}: {}", answer.position, last.fault);
        }
        Ok(if answer.outcome == "unknown" {
            Exit::Unknown
        } else {
            Exit::Fine
        })
    }

    fn answer(&mut self, answer: &Answer) -> anyhow::Result<()> {
        if self.json {
            return text::print_json(answer);
        }
        let is_first = !std::mem::replace(&mut self.heading, true);
        let heading = [
            "position",
            "play",
            "outcome",
            "nimber",
            "source",
            "time",
            "expansions",
            "records",
        ];
        let row = [
            &answer.position,
            answer.play,
            answer.outcome,
            &text::nimber(answer.nimber),
            answer.source.unwrap_or("-"),
            &text::time(answer.seconds),
            &text::count(answer.expansions),
            &text::count(answer.records),
        ];
        self.bar.suspend(|| {
            if is_first {
                print_row(heading)?;
            }
            print_row(row)
        })?;
        Ok(())
    }

    fn refuse(&self, refused: &BadInput) -> anyhow::Result<()> {
        self.bar.suspend(|| eprintln!("error: {refused}"));
        if self.json {
            let error = refused.0.lines().next().unwrap_or_default().to_owned();
            text::print_json(&Refused { error })?;
        }
        Ok(())
    }
}

/// Answers come one by one, so that the columns cannot wait for the widest.
fn print_row(row: [&str; 8]) -> std::io::Result<()> {
    let [
        position,
        play,
        outcome,
        nimber,
        source,
        time,
        expansions,
        records,
    ] = row;
    writeln!(
        std::io::stdout(),
        "{position:<16} {play:<7} {outcome:<8} {nimber:<6} {source:<7} {time:>12} {expansions:>12} \
         {records:>10}"
    )
}

/// One line about a computation under way.
fn describe(started: &Started, progress: &v1::Progress) -> String {
    let seconds = progress.seconds;
    let rate = if seconds > 0.0 {
        progress.expansions as f64 / seconds
    } else {
        0.0
    };
    let v1::Numbers { proof, disproof } = progress.root.unwrap_or_default();
    format!(
        "{} {}: {}, {} expansions ({}/s), {} records, proof {} disproof {}",
        started.position,
        started.play,
        text::time(seconds),
        text::count(progress.expansions),
        text::count(rate as u64),
        text::count(progress.records),
        text::count(proof.into()),
        text::count(disproof.into()),
    )
}
