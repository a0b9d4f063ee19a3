//! Computations, their progress, and the news of searches.

use std::convert::identity;

use sproutnet_model::{Computation, Estimate, Progress, Status, WaitsFor};
use sproutnet_notation::{Entry, Numbers, Place};

use super::{
    known, known_field, optional, part, play_field, play_of, source, source_field, text, text_field,
};
use crate::v1;

twins!(Numbers, Numbers { proof, disproof });

twins!(Place, Place { key, threads });

impl From<Entry> for v1::Entry {
    fn from(Entry { key, numbers, work }: Entry) -> Self {
        let Numbers { proof, disproof } = numbers;
        Self {
            key,
            proof,
            disproof,
            work,
        }
    }
}

impl From<v1::Entry> for Entry {
    /// Not validated: see [`Entry::is_sound`].
    fn from(entry: v1::Entry) -> Self {
        let v1::Entry {
            key,
            proof,
            disproof,
            work,
        } = entry;
        Self {
            key,
            numbers: Numbers { proof, disproof },
            work,
        }
    }
}

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
            Status::Running => Self::Running,
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

variants!(
    WaitsFor,
    WaitsFor {
        Resumption,
        Worker,
        Job,
        Priority,
        Turn,
        Disk,
        Game
    }
);

fn waits_for_field(waits_for: Option<WaitsFor>) -> i32 {
    let field = waits_for.map(v1::WaitsFor::from);
    field.unwrap_or_default().into()
}

fn waits_for(field: i32) -> Option<WaitsFor> {
    v1::WaitsFor::try_from(field).ok()?.known()
}

twins!(Computation, Computation {
    priority, weight, owner, label, started_at, machine_seconds, paused_by;
    play: play_field, play_of;
    waits_for: waits_for_field, waits_for;
    progress: |progress: Progress| Some(progress.into()), part;
    => id = computation: identity, identity;
    => position = canonical: identity, identity;
    => nimber_wanted = nimber: identity, identity;
});
