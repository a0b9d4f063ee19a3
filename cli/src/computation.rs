//! A computation, as it is printed.

use serde::Serialize;
use sproutnet_proto::v1::{self, Progress, Status};

use crate::id::Id;
use crate::rate::Rate;
use crate::text;
use crate::wire;

/// A computation, as JSON.
#[derive(Serialize)]
pub(crate) struct Computation {
    /// Its number.
    pub(crate) id: Id,
    /// The canonical text.
    pub(crate) position: String,
    /// The convention.
    pub(crate) play: &'static str,
    /// Whether the nimber is wanted beside the outcome.
    pub(crate) nimber_wanted: bool,
    /// Higher ones get jobs first.
    pub(crate) priority: i32,
    /// When it was started, in seconds since 1970.
    pub(crate) started_at: u64,
    /// How far it is.
    #[serde(flatten)]
    pub(crate) state: State,
}

/// How far a computation is, as JSON.
#[derive(Serialize)]
pub(crate) struct State {
    pub(crate) status: &'static str,
    pub(crate) outcome: &'static str,
    pub(crate) nimber: Option<u32>,
    pub(crate) source: Option<&'static str>,
    /// The numbers of the state that is being proved.
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
    pub(crate) seconds: f64,
    pub(crate) expansions: u64,
    pub(crate) records: u64,
    /// The nodes of the proof-number DAG.
    pub(crate) nodes: u64,
    /// The jobs that are out.
    pub(crate) jobs: u32,
    /// Why it failed.
    pub(crate) fault: Option<String>,
}

impl State {
    /// From an answer.
    pub(crate) fn of(progress: Progress) -> Self {
        let v1::Numbers { proof, disproof } = progress.root.unwrap_or_default();
        Self {
            status: wire::status(progress.status()),
            outcome: wire::outcome(progress.outcome),
            nimber: progress.nimber,
            source: wire::source(progress.source),
            proof,
            disproof,
            seconds: progress.seconds,
            expansions: progress.expansions,
            records: progress.records,
            nodes: progress.nodes,
            jobs: progress.jobs,
            fault: Some(progress.fault).filter(|fault| !fault.is_empty()),
        }
    }
}

impl Computation {
    /// From an answer.
    pub(crate) fn of(computation: v1::Computation) -> Self {
        Self {
            id: Id(computation.computation),
            position: computation.canonical,
            play: wire::play_name(computation.play),
            nimber_wanted: computation.nimber,
            priority: computation.priority,
            started_at: computation.started_at,
            state: State::of(computation.progress.unwrap_or_default()),
        }
    }

    /// Whether it makes no progress any more.
    pub(crate) fn has_ended(&self) -> bool {
        let under_way = [Status::Running, Status::Paused].map(wire::status);
        !under_way.contains(&self.state.status)
    }

    /// Its convention, and whether the nimber is wanted.
    pub(crate) fn task(&self) -> String {
        let nimber = if self.nimber_wanted { "+nimber" } else { "" };
        format!("{}{nimber}", self.play)
    }
}

/// One line about a computation under way; what matters most comes first, for terminals that are
/// narrow.
pub(crate) fn describe(title: &str, progress: &Progress, rate: &mut Rate) -> String {
    let v1::Numbers { proof, disproof } = progress.root.unwrap_or_default();
    let status = match progress.status() {
        Status::Running => String::new(),
        other => format!("{}, ", wire::status(other)),
    };
    let rate = rate.at(progress.seconds, progress.expansions);
    format!(
        "{title}: {status}{}, proof {} disproof {}, {} expansions ({}/s), {} records, {} jobs, \
         {} nodes",
        text::time(progress.seconds),
        text::number(proof),
        text::number(disproof),
        text::count(progress.expansions),
        text::count(rate as u64),
        text::count(progress.records),
        progress.jobs,
        text::count(progress.nodes),
    )
}
