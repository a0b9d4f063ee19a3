//! A computation, as it is printed.

use sproutnet_model::{Computation, Progress};
use sproutnet_proto::v1::{self, Progress, Status};

use crate::rate::Rate;
use crate::text;
use crate::wire;

/// A computation as it is printed as JSON.
pub(crate) fn of(computation: v1::Computation) -> Computation {
    Computation {
        id: computation.computation,
        position: computation.canonical,
        play: wire::play_of(computation.play),
        nimber_wanted: computation.nimber,
        priority: computation.priority,
        started_at: computation.started_at,
        state: state_of(computation.progress.unwrap_or_default()),
    }
}

/// How far it is, as it is printed as JSON.
pub(crate) fn state_of(progress: Progress) -> ComputationState {
    let v1::Numbers { proof, disproof } = progress.root.unwrap_or_default();
    ComputationState {
        status: wire::status(progress.status()).to_owned(),
        outcome: wire::known(progress.outcome),
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

/// Whether it makes no progress any more.
pub(crate) fn has_ended(computation: &Computation) -> bool {
    let under_way = [Status::Running, Status::Paused].map(wire::status);
    !under_way.contains(&computation.state.status.as_str())
}

/// Its convention, and whether the nimber is wanted.
pub(crate) fn task(computation: &Computation) -> String {
    let nimber = match computation.nimber_wanted {
        true => "+nimber",
        false => "",
    };
    format!("{}{nimber}", computation.play)
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
