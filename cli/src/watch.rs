//! `sproutnet watch`.

use std::time::{Duration, Instant};

use sproutnet_proto::v1::{self, Progress, Status};

use crate::answers::{Answer, Answers};
use crate::args::{Common, Watch};
use crate::cluster::Cluster;
use crate::computation::{Computation, State, describe};
use crate::exit::{BadInput, Exit};
use crate::follow::{Follow, has_ended};
use crate::id::Id;
use crate::named::Named;
use crate::rate::Rate;
use crate::retry::Retry;
use crate::status_line::StatusLine;
use crate::text;

/// How often progress is printed where there is no terminal to update.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// Shows the progress of a computation until it ends, then its answer.
pub(crate) async fn run(watch: Watch, common: Common) -> anyhow::Result<Exit> {
    let named = Named::read(&watch.named, watch.play)?;
    let cluster = Cluster::connect(&common, None).await?;
    let line = StatusLine::new(!common.json);
    let retry = {
        let line = line.clone();
        Retry::new(cluster.is_elsewhere(), move |notice| line.tell(notice))
    };
    let client = cluster.client();
    let list = retry.call(|| client.list()).await?;
    let found = named.find(&list)?;
    let id = Id(found.computation);
    let status = found.progress.clone().unwrap_or_default().status();
    if !cluster.is_elsewhere() && !has_ended(status) {
        cluster.close().await?;
        return Err(nothing_runs_here(&found, &common).into());
    }
    let mut watched = Watched {
        follow: Follow::new(client, retry, id),
        computation: found,
        line,
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
    watched.line.clear();
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

fn nothing_runs_here(computation: &v1::Computation, common: &Common) -> BadInput {
    let (id, position) = (Id(computation.computation), &computation.canonical);
    let data = common.data.display();
    BadInput(format!(
        "nothing works on {id} ({position}) in {data}: `sproutnet solve` goes on with it here, and \
         `--coordinator URL` asks a coordinator that runs"
    ))
}

struct Watched {
    follow: Follow,
    computation: v1::Computation,
    line: StatusLine,
    json: bool,
    /// Options that name the coordinator to other commands.
    hint: String,
}

impl Watched {
    /// Shows progress until the end, and the end.
    async fn show(&mut self) -> anyhow::Result<Exit> {
        let computation = Computation::of(self.computation.clone());
        let title = text::plain(&format!("{} {}", computation.position, computation.task()));
        let (mut rate, mut shown) = (Rate::default(), None);
        let mut last = Progress::default();
        while let Some(progress) = self.follow.next().await? {
            last = progress;
            let line = describe(&title, &last, &mut rate);
            self.line.set(line.clone());
            let is_new = |(at, status): (Instant, Status)| {
                at.elapsed() >= BETWEEN_LINES || status != last.status()
            };
            if !has_ended(last.status()) && shown.is_none_or(is_new) {
                shown = Some((Instant::now(), last.status()));
                self.progress(&line, &last)?;
            }
        }
        self.end(last)
    }

    fn progress(&self, line: &str, progress: &Progress) -> anyhow::Result<()> {
        if self.json {
            self.print_json(progress.clone())?;
        } else if self.line.is_hidden() {
            eprintln!("{line}");
        }
        Ok(())
    }

    fn print_json(&self, progress: Progress) -> anyhow::Result<()> {
        let mut computation = Computation::of(self.computation.clone());
        computation.state = State::of(progress);
        text::print_json(&computation)
    }

    fn end(&self, last: Progress) -> anyhow::Result<Exit> {
        let (status, fault) = (last.status(), text::plain(&last.fault));
        let title = &self.computation.canonical;
        if self.json {
            self.print_json(last)?;
        } else {
            let answer = Answer::of(title, title, self.computation.play, &last);
            Answers::new(false, self.line.clone()).answer(&answer)?;
        }
        let ended = match status {
            Status::Solved => return Ok(Exit::Fine),
            Status::Failed => anyhow::bail!("{title}: {fault}"),
            Status::Expired => "its deadline passed",
            _ => "it was cancelled",
        };
        let (id, hint) = (Id(self.computation.computation), &self.hint);
        self.line.tell(&format!(
            "{ended}; `sproutnet resume {id}{hint}` lets it go on"
        ));
        Ok(Exit::Unknown)
    }
}
