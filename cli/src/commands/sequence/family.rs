//! The nimbers of a family of positions, one position for each N, as the solver finds them.

use std::time::{Duration, Instant};

use sproutnet_model::Progress;
use sproutnet_notation::{ComputationId, Play};
use sproutnet_proto::{convert, v1};
use sproutnet_query::Family;
use sproutnet_worker::Config;

use super::{Heaps, range};
use crate::args::{Common, Sequence as Asked};
use crate::commands::{roots, task};
use crate::exit::BadInput;
use crate::remote::client::Client;
use crate::remote::cluster::Cluster;
use crate::remote::follow::Follow;
use crate::remote::retry::Retry;
use crate::terminal::panel::Panel;
use crate::terminal::status_line::StatusLine;
use crate::terminal::text::time;

/// The range if none is asked for.
const RANGE: &str = "0-20";

/// The time for all positions if none is asked for.
const DEADLINE: Duration = Duration::from_secs(60);

/// The nimbers found until the end of the range, the deadline, or Ctrl-C.
pub(super) async fn solve(
    family: &Family,
    asked: &Asked,
    common: &Common,
) -> anyhow::Result<Heaps> {
    let (begin, last) = range(asked.range.as_deref().unwrap_or(RANGE))?;
    // Families begin where there are positions: a cycle has three vertices.
    let first = (begin..=last).find(|&n| roots::parse(&family.member(n)).is_ok());
    let Some(first) = first else {
        roots::parse(&family.member(begin))?;
        return Err(BadInput("the range is empty".to_owned()).into());
    };
    let worker = Config {
        name: "inside the process".to_owned(),
        ..Config::default()
    };
    let mut cluster = Cluster::connect(common, Some(worker)).await?;
    let line = StatusLine::new(!common.json);
    let allowed = asked.deadline.unwrap_or(DEADLINE);
    let mut solving = Solving {
        client: cluster.client(),
        retry: {
            let line = line.clone();
            Retry::new(cluster.is_elsewhere(), move |notice| line.notify(notice))
        },
        line: line.clone(),
        until: Instant::now() + allowed,
        allowed,
        nimbers: Vec::new(),
    };
    let ended = tokio::select! {
        ended = solving.solve_all(family, first..=last) => ended,
        error = cluster.worker_failed() => Err(error),
        interrupted = tokio::signal::ctrl_c() => {
            task::exit_on_ctrl_c();
            interrupted.map(|()| Some("interrupted".to_owned())).map_err(Into::into)
        }
    };
    line.clear();
    let nimbers = std::mem::take(&mut solving.nimbers);
    drop(solving);
    cluster.close().await?;
    let stopped = ended?;
    let text = family.text();
    let remark = match nimbers.len() as u32 {
        0 => format!("{text}: nothing was found"),
        count => format!("{text}: N from {first} to {}", first + count - 1),
    };
    Ok(Heaps {
        game: text.to_owned(),
        first,
        computed: nimbers.len(),
        nimbers,
        period: None,
        stopped,
        remark,
        argument: "N",
    })
}

/// Asks for one position after the other.
struct Solving {
    client: Client,
    retry: Retry,
    line: StatusLine,
    until: Instant,
    /// The time for all positions.
    allowed: Duration,
    nimbers: Vec<u32>,
}

impl Solving {
    /// Solves all positions; returns why it stopped before the last one.
    async fn solve_all(
        &mut self,
        family: &Family,
        all: impl Iterator<Item = u32>,
    ) -> anyhow::Result<Option<String>> {
        for n in all {
            let text = family.member(n);
            if let Err(error) = roots::parse(&text) {
                return Ok(Some(format!("stopped before N = {n}: {error}")));
            }
            match self.solve(&text).await? {
                Some(nimber) => self.nimbers.push(nimber),
                None => {
                    let allowed = time(self.allowed.as_secs_f64());
                    return Ok(Some(format!(
                        "stopped before N = {n}: the nimber of {text} was not found within {allowed}; \
                         --deadline allows more"
                    )));
                }
            }
        }
        Ok(None)
    }

    /// The nimber of a position; `None` if the deadline comes first.
    async fn solve(&self, text: &str) -> anyhow::Result<Option<u32>> {
        let left = self.until.saturating_duration_since(Instant::now());
        let request = v1::StartRequest {
            position: text.to_owned(),
            play: convert::play_field(Play::Normal),
            nimber: true,
            deadline_ms: left.as_millis().max(1) as u64,
            ..v1::StartRequest::default()
        };
        let started = self
            .retry
            .call(|| self.client.start(request.clone()))
            .await?;
        let id = ComputationId(started.computation);
        let mut follow = Follow::new(self.client.clone(), self.retry.clone(), id);
        let mut panel = Panel::new(text);
        let mut last = Progress::default();
        while let Some(progress) = follow.next().await? {
            panel.add(&progress);
            self.line.set(panel.line(&progress));
            last = progress;
        }
        if let Some(fault) = last.fault {
            anyhow::bail!("{text}: {fault}");
        }
        Ok(last.nimber)
    }
}
