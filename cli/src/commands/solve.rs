//! `sproutnet solve`.

use std::time::Duration;

use serde::Serialize;
use sproutnet_coordinator::check_names;
use sproutnet_model::{Estimate, Known, Progress, Status};
use sproutnet_notation::{ComputationId, Play};
use sproutnet_proto::{convert, v1};
use sproutnet_worker::Config;
use tokio::sync::mpsc;
use tonic::Code;

use crate::args::{Common, Solve};
use crate::commands::answers::{self, Answer};
use crate::commands::roots::{self, Refused, Roots};
use crate::commands::task;
use crate::exit::{BadInput, Exit};
use crate::remote::client::Client;
use crate::remote::cluster::Cluster;
use crate::remote::follow::Follow;
use crate::remote::retry::Retry;
use crate::terminal::panel::Panel;
use crate::terminal::status_line::StatusLine;
use crate::terminal::table::{Cell, Row, Rows, text};
use crate::terminal::text::{estimated, plain, time};

/// The number of computations started ahead of the next answer.
const AHEAD: usize = 64;

/// The number of computations listed after an interrupt.
const MOST_NAMED: usize = 10;

/// The wait for an answer from a coordinator elsewhere, before it is asked for its workers.
const BEFORE_ASKING: Duration = Duration::from_secs(1);

/// The estimated seconds from which an estimate is printed.
const LONG: f64 = 10.0;

/// A computation that was started.
#[derive(Clone, Serialize)]
struct Started {
    id: ComputationId,
    /// The position as the user wrote it.
    position: String,
    /// The canonical text of the position.
    canonical: String,
    play: Play,
    /// The request, to start it again if the coordinator has dropped it.
    #[serde(skip)]
    request: v1::StartRequest,
}

impl Row for Started {
    fn cells(&self) -> Vec<Cell> {
        vec![
            text("id", self.id),
            text("play", self.play),
            text("position", &self.canonical),
        ]
    }
}

/// A started computation, a refused line of standard input, or a failed call.
type Next = anyhow::Result<Result<Started, Refused>>;

/// Solves positions and prints the answers in the order of the positions.
pub(crate) async fn run(solve: Solve, common: Common) -> anyhow::Result<Exit> {
    let roots = roots::read(&solve.roots)?;
    if common.coordinator.is_none() {
        check(&solve)?;
    }
    if solve.detach {
        common.need_coordinator(
            "--detach needs a running coordinator: name it with --coordinator URL",
        )?;
    }
    let worker = Config {
        cores: solve.cores.unwrap_or_default().0,
        memory: solve.memory,
        name: "inside the process".to_owned(),
        ..Config::default()
    };
    let mut cluster = Cluster::connect(&common, Some(worker)).await?;
    let line = StatusLine::new(!common.json && !solve.detach);
    let retry = {
        let line = line.clone();
        Retry::new(cluster.is_elsewhere(), move |notice| line.notify(notice))
    };
    let mut solving = Solving {
        client: cluster.client(),
        retry: retry.clone(),
        is_elsewhere: cluster.is_elsewhere(),
        hint: cluster.hint(),
        rows: if solve.detach {
            Rows::new(common.json, &[13, 7])
        } else {
            answers::rows(common.json, &solve.roots)
        },
        line,
        json: common.json,
        detach: solve.detach,
        under_way: None,
    };
    let idle = cluster.is_elsewhere().then(|| {
        let (client, line, hint) = (cluster.client(), solving.line.clone(), cluster.hint());
        tokio::spawn(tell_if_no_workers(client, line, hint))
    });
    let (sender, mut started) = mpsc::channel(AHEAD);
    let starting = tokio::spawn(start_all(roots, solve, cluster.client(), retry, sender));
    let answered = tokio::select! {
        answered = solving.answer_all(&mut started) => answered,
        error = cluster.worker_failed() => Err(error),
        interrupted = tokio::signal::ctrl_c() => interrupted.map(|()| None).map_err(Into::into),
    };
    if let Some(idle) = idle {
        if solving.detach && answered.is_ok() {
            // With `--detach`, the notice still matters: the computations wait for workers.
            idle.await?;
        } else {
            idle.abort();
        }
    }
    solving.line.clear();
    starting.abort();
    if matches!(answered, Ok(None)) {
        solving.interrupted(&mut started);
        task::exit_on_ctrl_c();
    }
    drop((solving, started));
    cluster.close().await?;
    Ok(answered?.unwrap_or(Exit::Unknown))
}

/// Refuses what a coordinator would refuse, before one in this process creates its store.
fn check(solve: &Solve) -> Result<(), BadInput> {
    if solve.nimber && solve.play.list() == [Play::Misere] {
        let problem = "nimbers under misère play are not supported";
        return Err(BadInput(problem.to_owned()));
    }
    let [owner, label] = [&solve.owner, &solve.label].map(|text| text.as_deref().unwrap_or(""));
    check_names(owner, label).map_err(|error| BadInput(error.to_string()))
}

/// Waits for answers and prints them.
struct Solving {
    client: Client,
    retry: Retry,
    is_elsewhere: bool,
    /// Options that name the coordinator to other commands.
    hint: String,
    rows: Rows,
    line: StatusLine,
    json: bool,
    detach: bool,
    /// The computation whose answer comes next.
    under_way: Option<Started>,
}

impl Solving {
    /// Prints all answers; returns the worst exit.
    async fn answer_all(
        &mut self,
        started: &mut mpsc::Receiver<Next>,
    ) -> anyhow::Result<Option<Exit>> {
        let mut worst = Exit::Fine;
        while let Some(next) = started.recv().await {
            worst = worst.max(match next? {
                Ok(started) if self.detach => {
                    self.rows.print(&started)?;
                    Exit::Fine
                }
                Ok(started) => self.answer(started).await?,
                Err(refused) => {
                    self.line.suspend(|| answers::refuse(self.json, &refused))?;
                    Exit::BadInput
                }
            });
        }
        Ok(Some(worst))
    }

    /// Waits for the end of a computation and prints its answer.
    async fn answer(&mut self, mut started: Started) -> anyhow::Result<Exit> {
        let mut last = Progress::default();
        self.under_way = Some(started.clone());
        while let Err(error) = self.follow(&started, &mut last).await {
            if error.code() != Code::NotFound {
                return Err(error.into());
            }
            // The coordinator may have dropped it: after a restart, or because many others have ended since.
            let again = start(&self.client, &self.retry, started.request.clone()).await?;
            if again.id == started.id {
                return Err(error.into());
            }
            self.under_way = Some(again.clone());
            started = again;
        }
        self.under_way = None;
        let Started {
            position,
            canonical,
            play,
            ..
        } = &started;
        let answer = Answer::of(position, canonical, *play, &last);
        self.line.suspend(|| self.rows.print(&answer))?;
        if last.status == Status::Solved
            && let Some(estimate) = self.estimate_to_tell(&last)
        {
            let (took, estimate) = (time(last.seconds), estimated(estimate));
            let notice = format!("{position} {play}: took {took}, estimated {estimate}");
            self.line.notify(&notice);
        }
        if last.status == Status::Failed {
            let fault = plain(last.fault.as_deref().unwrap_or_default());
            anyhow::bail!("{position}: {fault}");
        }
        Ok(match last.outcome {
            Known::Unknown => Exit::Unknown,
            _ => Exit::Fine,
        })
    }

    /// The estimate of a computation, if it is at least [`LONG`] and the output is for people.
    fn estimate_to_tell(&self, progress: &Progress) -> Option<Estimate> {
        progress.estimate.filter(|of| of.high >= LONG && !self.json)
    }

    /// Shows progress until the computation ends.
    async fn follow(&self, started: &Started, last: &mut Progress) -> tonic::Result<()> {
        let (id, hint) = (started.id, &self.hint);
        let title = format!("{} {}", started.position, started.play);
        let mut follow = Follow::new(self.client.clone(), self.retry.clone(), id);
        let mut panel = Panel::new(&title);
        let mut is_told = false;
        while let Some(progress) = follow.next().await? {
            if !is_told
                && !progress.status.has_ended()
                && let Some(estimate) = self.estimate_to_tell(&progress)
            {
                is_told = true;
                let (time, behind) = (estimated(estimate), estimate.behind);
                self.line.notify(&format!(
                    "{title}: may take {time}, judging by {behind} smaller starts"
                ));
            }
            panel.add(&progress);
            self.line.set(panel.line(&progress));
            let is_paused = progress.status == Status::Paused;
            if is_paused && last.status != Status::Paused {
                // A remote pause is intentional. Only this command can end a pause at its local coordinator.
                if self.is_elsewhere {
                    self.line.notify(&format!(
                        "{title} is paused; `sproutnet resume {id}{hint}` continues it"
                    ));
                } else {
                    self.client.resume(id).await?;
                }
            }
            *last = progress;
        }
        Ok(())
    }

    /// Prints the computations that go on after an interrupt.
    fn interrupted(&mut self, started: &mut mpsc::Receiver<Next>) {
        if !self.is_elsewhere {
            eprintln!("interrupted; the same command continues from here");
            return;
        }
        let mut left: Vec<Started> = self.under_way.take().into_iter().collect();
        while let Ok(next) = started.try_recv() {
            left.extend(next.into_iter().flatten());
        }
        eprintln!("interrupted; the coordinator goes on with the computations");
        let hint = &self.hint;
        for one in left.iter().take(MOST_NAMED) {
            let (id, position, play) = (one.id, &one.canonical, one.play);
            eprintln!("  {position} {play}: sproutnet watch {id}{hint}");
        }
        if left.len() > MOST_NAMED {
            let more = left.len() - MOST_NAMED;
            eprintln!("  {more} more: sproutnet list{hint}");
        }
    }
}

/// Prints a notice if the coordinator has no workers [`BEFORE_ASKING`] after the start.
async fn tell_if_no_workers(client: Client, line: StatusLine, hint: String) {
    tokio::time::sleep(BEFORE_ASKING).await;
    // Errors are ignored: the awaited calls report an unreachable coordinator.
    if client
        .fleet()
        .await
        .is_ok_and(|fleet| fleet.workers.is_empty())
    {
        line.notify(&format!(
            "note: the coordinator has no workers, so nothing is searched; start one: sproutnet-worker{hint}"
        ));
    }
}

/// Starts computations one by one, up to [`AHEAD`] ahead of the receiver. Ends after the last position, or when the
/// receiver is dropped.
async fn start_all(
    roots: Roots,
    solve: Solve,
    client: Client,
    retry: Retry,
    sender: mpsc::Sender<Next>,
) {
    let mut roots = roots::channel(roots);
    while let Some(root) = roots.recv().await {
        let position = match root {
            Ok(root) => root.text,
            Err(refused) => match sender.send(Ok(Err(refused))).await {
                Ok(()) => continue,
                Err(_) => return,
            },
        };
        for &play in solve.play.list() {
            // Reserve a slot before starting, so that an interrupt finds every started computation.
            let Ok(place) = sender.reserve().await else {
                return;
            };
            let started = start(&client, &retry, request(&position, play, &solve)).await;
            place.send(started.map(Ok).map_err(Into::into));
        }
    }
}

fn request(position: &str, play: Play, solve: &Solve) -> v1::StartRequest {
    let both = solve.play.list().len() > 1;
    v1::StartRequest {
        position: position.to_owned(),
        play: convert::play_field(play),
        nimber: solve.nimber && !(both && play == Play::Misere),
        deadline_ms: solve
            .deadline
            .map_or(0, |deadline| deadline.as_millis().max(1) as u64),
        priority: solve.priority,
        weight: solve.weight,
        owner: solve.owner.clone().unwrap_or_default(),
        label: solve.label.clone().unwrap_or_default(),
    }
}

/// Starts or joins a computation. Idempotent.
async fn start(
    client: &Client,
    retry: &Retry,
    request: v1::StartRequest,
) -> tonic::Result<Started> {
    let response = retry.call(|| client.start(request.clone())).await?;
    Ok(Started {
        id: ComputationId(response.computation),
        position: request.position.clone(),
        canonical: response.canonical,
        play: convert::play(request.play).unwrap_or(Play::Normal),
        request,
    })
}
