//! Computations and their progress.

use sproutnet_model::{Computation, Estimate, Known, Progress, Status};
use sproutnet_notation::Numbers;

use super::{known_field, outcome, play_field, play_of, source, source_field, text};
use crate::v1;

impl From<Numbers> for v1::Numbers {
    fn from(Numbers { proof, disproof }: Numbers) -> Self {
        Self { proof, disproof }
    }
}

impl From<v1::Numbers> for Numbers {
    fn from(v1::Numbers { proof, disproof }: v1::Numbers) -> Self {
        Self { proof, disproof }
    }
}

impl From<Status> for v1::Status {
    fn from(status: Status) -> Self {
        match status {
            Status::Running | Status::Waiting => Self::Running,
            Status::Paused => Self::Paused,
            Status::Solved => Self::Solved,
            Status::Cancelled => Self::Cancelled,
            Status::Expired => Self::Expired,
            Status::Failed => Self::Failed,
        }
    }
}

impl From<v1::Status> for Status {
    fn from(status: v1::Status) -> Self {
        match status {
            v1::Status::Running | v1::Status::Unspecified => Self::Running,
            v1::Status::Paused => Self::Paused,
            v1::Status::Solved => Self::Solved,
            v1::Status::Cancelled => Self::Cancelled,
            v1::Status::Expired => Self::Expired,
            v1::Status::Failed => Self::Failed,
        }
    }
}

impl From<Computation> for v1::Computation {
    fn from(computation: Computation) -> Self {
        Self {
            computation: computation.id,
            canonical: computation.position,
            play: play_field(computation.play),
            nimber: computation.nimber_wanted,
            priority: computation.priority,
            started_at: computation.started_at,
            progress: Some(computation.progress.into()),
        }
    }
}

impl From<v1::Computation> for Computation {
    fn from(computation: v1::Computation) -> Self {
        Self {
            id: computation.computation,
            position: computation.canonical,
            play: play_of(computation.play),
            nimber_wanted: computation.nimber,
            priority: computation.priority,
            started_at: computation.started_at,
            progress: computation.progress.unwrap_or_default().into(),
        }
    }
}

impl From<Estimate> for v1::Estimate {
    fn from(Estimate { low, high, behind }: Estimate) -> Self {
        Self { low, high, behind }
    }
}

impl From<v1::Estimate> for Estimate {
    fn from(v1::Estimate { low, high, behind }: v1::Estimate) -> Self {
        Self { low, high, behind }
    }
}

impl From<Progress> for v1::Progress {
    fn from(progress: Progress) -> Self {
        Self {
            status: v1::Status::from(progress.status).into(),
            outcome: known_field(progress.outcome),
            nimber: progress.nimber,
            source: source_field(progress.source),
            seconds: progress.seconds,
            expansions: progress.expansions,
            records: progress.records,
            root: Some(progress.root.into()),
            fault: progress.fault.unwrap_or_default(),
            nodes: progress.nodes,
            jobs: progress.jobs,
            estimate: progress.estimate.map(Into::into),
        }
    }
}

impl From<v1::Progress> for Progress {
    fn from(progress: v1::Progress) -> Self {
        Self {
            status: progress.status().into(),
            outcome: Known::from(outcome(progress.outcome)),
            nimber: progress.nimber,
            source: source(progress.source),
            root: progress.root.unwrap_or_default().into(),
            seconds: progress.seconds,
            expansions: progress.expansions,
            records: progress.records,
            nodes: progress.nodes,
            jobs: progress.jobs,
            fault: text(progress.fault),
            estimate: progress.estimate.map(Into::into),
        }
    }
}
