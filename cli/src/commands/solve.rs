//! `sproutnet solve`.

use std::io::Write;

use serde::Serialize;
use sproutnet_model::{Progress, Status};
use sproutnet_notation::ComputationId;
use sproutnet_worker::Config;
use tokio::sync::mpsc;
use tonic::Code;

use crate::args::{Common, Solve};
use crate::commands::answers::{Answer, Answers};
use crate::commands::computation::describe;
use crate::commands::roots;
use crate::commands::start::{Next, Started, Starting, start};
use crate::exit::{BadInput, Exit};
use crate::remote::client::Client;
use crate::remote::cluster::Cluster;
use crate::remote::follow::Follow;
use crate::remote::retry::Retry;
use crate::terminal::rate::Rate;
use crate::terminal::status_line::StatusLine;
use crate::terminal::text;

/// The number of computations listed after an interrupt.
const MOST_NAMED: usize = 10;

/// A computation left to the coordinator, as JSON.
#[derive(Serialize)]
struct Detached<'a> {
    id: ComputationId,
    position: &'a str,
    canonical: &'a str,
    play: &'static str,
}

/// Solves positions and prints the answers in the order asked.
pub(crate) async fn run(solve: Solve, common: Common) -> anyhow::Result<Exit> {
    let roots = roots::read(&solve.roots)?;
    if solve.detach && common.coordinator.is_none() {
        let problem = "--detach needs a running coordinator: name it with --coordinator URL";
        return Err(BadInput(problem.to_owned()).into());
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
        answers: Answers::new(common.json, line.clone()),
        line,
        json: common.json,
        detach: solve.detach,
        under_way: None,
    };
    let starting = Starting {
        roots,
        solve,
        client: cluster.client(),
        retry,
    };
    let (mut started, starting) = starting.spawn();
    let answered = tokio::select! {
        answered = solving.answer_all(&mut started) => answered,
        error = cluster.worker_failed() => Err(error),
        interrupted = tokio::signal::ctrl_c() => interrupted.map(|()| None).map_err(Into::into),
    };
    solving.line.clear();
    starting.abort();
    if matches!(answered, Ok(None)) {
        solving.interrupted(&mut started);
        tokio::spawn(async {
            if tokio::signal::ctrl_c().await.is_ok() {
                std::process::exit(130);
            }
        });
    }
    drop((solving, started));
    cluster.close().await?;
    Ok(answered?.unwrap_or(Exit::Unknown))
}

/// Waits for answers and prints them.
struct Solving {
    client: Client,
    retry: Retry,
    is_elsewhere: bool,
    /// Options that name the coordinator to other commands.
    hint: String,
    answers: Answers,
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
        let mut is_first = true;
        while let Some(next) = started.recv().await {
            let exit = match next? {
                Ok(started) if self.detach => {
                    self.detached(&started, std::mem::take(&mut is_first))?;
                    Exit::Fine
                }
                Ok(started) => self.answer(started).await?,
                Err(refused) => {
                    self.answers.refuse(&refused)?;
                    Exit::BadInput
                }
            };
            worst = worst.or_worse(exit);
        }
        Ok(Some(worst))
    }

    /// Waits for the end of a computation and prints its answer.
    async fn answer(&mut self, started: Started) -> anyhow::Result<Exit> {
        let position = started.request.position.clone();
        let play = started.play;
        let canonical = started.canonical.clone();
        let mut id = started.id;
        self.under_way = Some(started);
        let mut last = Progress::default();
        while let Err(error) = self.follow(id, &mut last).await {
            // The coordinator may have dropped it, after a restart or among many ended ones.
            let request = match &self.under_way {
                Some(started) if error.code() == Code::NotFound => started.request.clone(),
                _ => return Err(error.into()),
            };
            let again = start(&self.client, &self.retry, request).await?;
            if again.id == id {
                return Err(error.into());
            }
            id = again.id;
            self.under_way = Some(again);
        }
        self.under_way = None;
        let answer = Answer::of(&position, &canonical, play, &last);
        self.answers.answer(&answer)?;
        if last.status == Status::Failed {
            anyhow::bail!(
                "{position}: {}",
                text::plain(last.fault.as_deref().unwrap_or_default())
            );
        }
        Ok(match answer.outcome {
            "unknown" => Exit::Unknown,
            _ => Exit::Fine,
        })
    }

    /// Shows progress until the computation ends.
    async fn follow(&self, id: ComputationId, last: &mut Progress) -> Result<(), tonic::Status> {
        let title = match &self.under_way {
            Some(started) => format!("{} {}", started.request.position, started.play),
            None => id.to_string(),
        };
        let mut follow = Follow::new(self.client.clone(), self.retry.clone(), id);
        let mut rate = Rate::default();
        while let Some(progress) = follow.next().await? {
            self.line.set(describe(&title, &progress, &mut rate));
            let is_paused = progress.status == Status::Paused;
            if is_paused && last.status != Status::Paused {
                self.paused(id, &title).await?;
            }
            *last = progress;
        }
        Ok(())
    }

    /// A remote pause is intentional. A local one can only be ended by this command.
    async fn paused(&self, id: ComputationId, title: &str) -> Result<(), tonic::Status> {
        if !self.is_elsewhere {
            return self.client.resume(id).await;
        }
        let hint = &self.hint;
        self.line.notify(&format!(
            "{title} is paused; `sproutnet resume {id}{hint}` continues it"
        ));
        Ok(())
    }

    fn detached(&self, started: &Started, is_first: bool) -> anyhow::Result<()> {
        let Started { id, canonical, .. } = started;
        let play = started.play.name();
        if self.json {
            return text::print_json(&Detached {
                id: *id,
                position: &started.request.position,
                canonical,
                play,
            });
        }
        let mut out = std::io::stdout();
        if is_first {
            writeln!(out, "{:<13}  {:<7}  position", "id", "play")?;
        }
        writeln!(out, "{id}  {play:<7}  {canonical}")?;
        Ok(())
    }

    /// Reports which computations continue.
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
        for Started {
            id,
            canonical,
            play,
            ..
        } in left.iter().take(MOST_NAMED)
        {
            eprintln!("  {canonical} {play}: sproutnet watch {id}{hint}");
        }
        if left.len() > MOST_NAMED {
            let more = left.len() - MOST_NAMED;
            eprintln!("  {more} more: sproutnet list{hint}");
        }
    }
}
