//! `sproutnet watch`.

use std::time::{Duration, Instant};

use sproutnet_model::{Computation, Progress, Status};
use sproutnet_notation::ComputationId;

use crate::args::{Common, Watch};
use crate::commands::answers::{Answer, Answers};
use crate::commands::computation::{self, describe};
use crate::commands::named::Named;
use crate::commands::overview;
use crate::exit::{BadInput, Exit};
use crate::remote::cluster::Cluster;
use crate::remote::follow::Follow;
use crate::remote::retry::Retry;
use crate::terminal::panel::Panel;
use crate::terminal::rate::Rate;
use crate::terminal::screen::Screen;
use crate::terminal::status_line::StatusLine;
use crate::terminal::style::Look;
use crate::terminal::text;

/// The interval of progress lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// Shows the progress of a computation until it ends, then its answer; or everything.
pub(crate) async fn run(watch: Watch, common: Common) -> anyhow::Result<Exit> {
    let Some(named) = &watch.named else {
        return overview::run(common).await;
    };
    let named = Named::read(named, watch.play)?;
    let cluster = Cluster::connect(&common, None).await?;
    let shown = match Screen::new().filter(|_| !common.json) {
        Some(screen) => Shown::Screen(screen),
        None => Shown::Line(StatusLine::new(!common.json)),
    };
    let retry = {
        let shown = shown.clone();
        Retry::new(cluster.is_elsewhere(), move |notice| shown.notify(notice))
    };
    let client = cluster.client();
    let list = retry.call(|| client.list()).await?;
    let found = named.find(&list)?;
    let id = ComputationId(found.id);
    let status = found.progress.status;
    if !cluster.is_elsewhere() && !status.has_ended() {
        cluster.close().await?;
        return Err(nothing_runs_here(&found, &common).into());
    }
    let mut watched = Watched {
        follow: Follow::new(client, retry, id),
        computation: found,
        shown,
        json: common.json,
        hint: cluster.hint(),
    };
    let exit = tokio::select! {
        exit = watched.show() => Some(exit),
        interrupted = tokio::signal::ctrl_c() => {
            interrupted?;
            None
        }
    };
    watched.shown.clear();
    drop(watched);
    let hint = cluster.hint();
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

/// Where progress is shown.
#[derive(Clone)]
enum Shown {
    /// On standard output, a terminal.
    Screen(Screen),
    /// On standard error, which may be a terminal or not.
    Line(StatusLine),
}

impl Shown {
    /// Shows a notice beside the progress.
    fn notify(&self, notice: &str) {
        match self {
            // The terminal is gone, so the error cannot be shown.
            Self::Screen(screen) => _ = screen.notify(notice),
            Self::Line(line) => line.notify(notice),
        }
    }

    /// Removes the progress.
    fn clear(&self) {
        match self {
            Self::Screen(screen) => _ = screen.show(Vec::new()),
            Self::Line(line) => line.clear(),
        }
    }
}

struct Watched {
    follow: Follow,
    computation: Computation,
    shown: Shown,
    json: bool,
    /// Options that name the coordinator to other commands.
    hint: String,
}

impl Watched {
    /// Shows progress until the end, and the end.
    async fn show(&mut self) -> anyhow::Result<Exit> {
        let computation = &self.computation;
        let title = text::plain(&format!(
            "{} {}",
            computation.position,
            computation::task(computation)
        ));
        let mut panel = Panel::new(&format!("{title}, computation {}", computation.id));
        let (mut rate, mut shown) = (Rate::default(), None);
        let mut last = Progress::default();
        while let Some(progress) = self.follow.next().await? {
            last = progress;
            let line = match &self.shown {
                Shown::Screen(screen) => {
                    screen.show(panel.lines(&last, Look::of_stdout()))?;
                    continue;
                }
                Shown::Line(line) => line,
            };
            let text = describe(&title, &last, &mut rate);
            line.set(text.clone());
            let is_new = |(at, status): (Instant, Status)| {
                at.elapsed() >= BETWEEN_LINES || status != last.status
            };
            if !last.status.has_ended() && shown.is_none_or(is_new) {
                shown = Some((Instant::now(), last.status));
                self.progress(&text, line.is_hidden(), &last)?;
            }
        }
        self.end(last)
    }

    /// Prints progress where no line can be updated.
    fn progress(&self, text: &str, is_hidden: bool, progress: &Progress) -> anyhow::Result<()> {
        if self.json {
            self.print_json(progress.clone())?;
        } else if is_hidden {
            eprintln!("{text}");
        }
        Ok(())
    }

    fn print_json(&self, progress: Progress) -> anyhow::Result<()> {
        text::print_json(&Computation {
            progress,
            ..self.computation.clone()
        })
    }

    fn end(&self, last: Progress) -> anyhow::Result<Exit> {
        let (status, fault) = (
            last.status,
            text::plain(last.fault.as_deref().unwrap_or_default()),
        );
        let title = &self.computation.position;
        self.shown.clear();
        if self.json {
            self.print_json(last)?;
        } else {
            let answer = Answer::of(title, title, self.computation.play, &last);
            Answers::new(false, StatusLine::new(false)).answer(&answer)?;
        }
        let ended = match status {
            Status::Solved => return Ok(Exit::Fine),
            Status::Failed => anyhow::bail!("{title}: {fault}"),
            Status::Expired => "its deadline passed",
            _ => "it was cancelled",
        };
        let (id, hint) = (ComputationId(self.computation.id), &self.hint);
        eprintln!("{ended}; `sproutnet resume {id}{hint}` continues it");
        Ok(Exit::Unknown)
    }
}
