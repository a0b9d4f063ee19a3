//! `sproutnet watch`.

use std::time::{Duration, Instant};

use sproutnet_model::{Computation, Progress, Status};
use sproutnet_notation::ComputationId;

use crate::args::{Common, Plays};
use crate::commands::answers::{self, Answer};
use crate::commands::list::task;
use crate::commands::named::Named;
use crate::commands::overview;
use crate::exit::{BadInput, Exit};
use crate::remote::client::Client;
use crate::remote::cluster::Cluster;
use crate::remote::follow::Follow;
use crate::remote::retry::Retry;
use crate::terminal::panel::Panel;
use crate::terminal::screen::Display;
use crate::terminal::text::{plain, print_json};

/// The interval of progress lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// Shows the progress of a computation until it ends, then its answer. Without a computation, shows the overview.
pub(crate) async fn run(
    named: Option<String>,
    play: Option<Plays>,
    common: Common,
) -> anyhow::Result<Exit> {
    let Some(named) = named else {
        return overview::run(common).await;
    };
    let named = Named::read(&named, play)?;
    named.check(&common)?;
    let cluster = Cluster::connect(&common, None).await?;
    let display = Display::new(common.json);
    let retry = {
        let display = display.clone();
        Retry::new(cluster.is_elsewhere(), move |notice| display.notify(notice))
    };
    let client = cluster.client();
    let list = retry.call(|| client.list()).await?;
    let computation = named.find(&list)?;
    let id = ComputationId(computation.id);
    if !cluster.is_elsewhere() && !computation.progress.status.has_ended() {
        cluster.close().await?;
        return Err(nothing_runs_here(&computation, &common).into());
    }
    let hint = cluster.hint();
    let mut watched = Watched {
        follow: Follow::new(client.clone(), retry, id),
        client,
        computation,
        display,
        json: common.json,
        hint: &hint,
    };
    let exit = tokio::select! {
        exit = watched.show() => Some(exit),
        interrupted = tokio::signal::ctrl_c() => {
            interrupted?;
            None
        }
    };
    watched.display.clear();
    drop(watched);
    cluster.close().await?;
    exit.unwrap_or_else(|| {
        eprintln!(
            "interrupted; the computation goes on: `sproutnet watch {id}{hint}` shows it again, \
             `sproutnet cancel {id}{hint}` ends it"
        );
        Ok(Exit::Unknown)
    })
}

fn nothing_runs_here(computation: &Computation, common: &Common) -> BadInput {
    let (id, position) = (ComputationId(computation.id), &computation.position);
    let data = common.data.display();
    BadInput(format!(
        "no worker is running for {id} ({position}) in {data}: `sproutnet solve` continues it here; \
         `--coordinator URL` names a running coordinator"
    ))
}

struct Watched<'a> {
    client: Client,
    follow: Follow,
    computation: Computation,
    display: Display,
    json: bool,
    /// Options that name the coordinator to other commands.
    hint: &'a str,
}

impl Watched<'_> {
    /// Shows progress until the computation ends, then its answer.
    async fn show(&mut self) -> anyhow::Result<Exit> {
        let Computation { id, position, .. } = &self.computation;
        let mut panel = Panel::new(&format!("{position} {}", task(&self.computation)));
        let mut shown = None;
        let mut last = Progress::default();
        while let Some(progress) = self.follow.next().await? {
            last = progress;
            panel.add(&last);
            let line = match &self.display {
                Display::Screen(screen) => {
                    screen.show(panel.lines(*id, &last))?;
                    continue;
                }
                Display::Line(line) => line,
            };
            let text = panel.line(&last);
            line.set(text.clone());
            let is_new = |(at, status): (Instant, Status)| {
                at.elapsed() >= BETWEEN_LINES || status != last.status
            };
            if !last.status.has_ended() && shown.is_none_or(is_new) {
                shown = Some((Instant::now(), last.status));
                if self.json {
                    self.print_json(&last).await?;
                } else if line.is_hidden() {
                    // Without a status line, the progress is printed as a line of its own.
                    eprintln!("{text}");
                }
            }
        }
        self.end(&last).await
    }

    /// Prints the computation as it is listed now, with this progress.
    async fn print_json(&self, progress: &Progress) -> anyhow::Result<()> {
        let list = self.client.list().await.unwrap_or_default();
        let mut list = list.into_iter();
        let listed = list.find(|listed| listed.id == self.computation.id);
        print_json(&Computation {
            progress: progress.clone(),
            ..listed.unwrap_or_else(|| self.computation.clone())
        })
    }

    async fn end(&self, last: &Progress) -> anyhow::Result<Exit> {
        let Computation { position, play, .. } = &self.computation;
        self.display.clear();
        if self.json {
            self.print_json(last).await?;
        } else {
            answers::rows(false, &[position])
                .print(&Answer::of(position, position, *play, last))?;
        }
        let ended = match last.status {
            Status::Solved => return Ok(Exit::Fine),
            Status::Failed => {
                let fault = plain(last.fault.as_deref().unwrap_or_default());
                anyhow::bail!("{position}: {fault}")
            }
            Status::Expired => "its deadline passed",
            _ => "it was cancelled",
        };
        let (id, hint) = (ComputationId(self.computation.id), self.hint);
        eprintln!("{ended}; `sproutnet resume {id}{hint}` continues it");
        Ok(Exit::Unknown)
    }
}
