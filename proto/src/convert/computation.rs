//! Computations and their progress.

use sproutnet_model::{Computation, Estimate, Progress, Status};
use sproutnet_notation::Numbers;

use super::{
    known, known_field, optional, part, play_field, play_of, source, source_field, text, text_field,
};
use crate::v1;

twins!(Numbers, Numbers { proof, disproof });

twins!(Estimate, Estimate { low, high, behind });

twins!(Progress, Progress {
    nimber, seconds, expansions, records, nodes, jobs;
    status: status_field, status;
    outcome: known_field, known;
    source: source_field, source;
    root: |root: Numbers| Some(root.into()), part;
    fault: text_field, text;
    estimate: optional, optional;
});

fn status_field(status: Status) -> i32 {
    v1::Status::from(status).into()
}

fn status(field: i32) -> Status {
    v1::Status::try_from(field).unwrap_or_default().into()
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
            progress: part(computation.progress),
        }
    }
}
