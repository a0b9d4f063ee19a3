//! Between domain and wire types. What came over the wire and makes no sense is refused here, by name.

use std::time::Duration;

use sproutnet_notation::{LeaseId, Play, WorkerId};
use sproutnet_proto::{convert, v1};
use sproutnet_solver::search::Numbers;
use tonic::Status;

use crate::error::with_causes;
use crate::scheduler::{Found, Grant};
use crate::{CoordinatorError, Report, Verified};

/// Takes the error whole, so that it can be named where errors are mapped.
#[allow(clippy::needless_pass_by_value)]
pub fn status(error: CoordinatorError) -> Status {
    match &error {
        CoordinatorError::Unknown(_) => Status::not_found(error.to_string()),
        CoordinatorError::Invalid(_) => Status::invalid_argument(error.to_string()),
        CoordinatorError::NotNow(_) => Status::failed_precondition(error.to_string()),
        CoordinatorError::Quarantined(_) => Status::permission_denied(error.to_string()),
        CoordinatorError::Full(_) => Status::resource_exhausted(error.to_string()),
        CoordinatorError::Store(_)
        | CoordinatorError::Document(..)
        | CoordinatorError::Checkpoints(_)
        | CoordinatorError::Search(_) => {
            let text = with_causes(&error);
            tracing::error!("{text}");
            Status::internal(text)
        }
    }
}

/// A convention that has to be said.
///
/// # Errors
/// It is neither.
pub fn play_from(play: i32) -> Result<Play, Status> {
    convert::play(play)
        .ok_or_else(|| Status::invalid_argument("play: normal or misere is expected"))
}

/// Numbers that have to be said of `what`.
///
/// # Errors
/// They are missing, or both zero.
pub fn numbers_from(numbers: Option<v1::Numbers>, what: &str) -> Result<Numbers, Status> {
    match numbers {
        Some(v1::Numbers { proof, disproof }) if proof > 0 || disproof > 0 => {
            Ok(Numbers { proof, disproof })
        }
        _ => Err(Status::invalid_argument(format!(
            "{what}: numbers, not both zero, are expected"
        ))),
    }
}

/// As long a time as the wire type holds.
pub fn milliseconds(time: Duration) -> u32 {
    time.as_millis().try_into().unwrap_or(u32::MAX)
}

/// A certificate that was accepted.
pub fn verified(verified: Verified) -> v1::VerifyResponse {
    let Verified {
        verification,
        records,
        newly,
    } = verified;
    v1::VerifyResponse {
        records,
        newly,
        ..verification.into()
    }
}

/// A job that was given out.
pub fn job(grant: Grant) -> v1::Job {
    v1::Job {
        lease: grant.lease.0,
        game: grant.game.to_owned(),
        play: convert::play_field(grant.play),
        state: grant.state,
        slice_ms: milliseconds(grant.slice),
        expires_ms: milliseconds(grant.expires),
        computation: grant.computation.0,
    }
}

/// What a worker reports. What the report does not use of the message is not looked at: a fault ends a
/// job without numbers, and records are handed over without a job.
///
/// # Errors
/// Numbers that are needed are missing or make no sense.
pub fn report(request: v1::ReportRequest) -> Result<Report, Status> {
    let fault = Some(request.fault).filter(|fault| !fault.is_empty());
    let found = match &fault {
        Some(_) => Err(Vec::new()),
        // Only records are handed over.
        None if request.lease == 0 => Err(Vec::new()),
        None => found(request.numbers, request.children)?,
    };
    Ok(Report {
        worker: WorkerId(request.worker),
        lease: LeaseId(request.lease),
        found,
        blocks: request.blocks,
        visits: request.visits,
        expansions: request.expansions,
        disputed: Some(request.disputed).filter(|key| fault.is_some() && !key.is_empty()),
        fault,
    })
}

/// The outcome of a state, or the numbers of its children.
fn found(numbers: Option<v1::Numbers>, children: Vec<v1::ChildNumbers>) -> Result<Found, Status> {
    if let Some(outcome) = numbers_from(numbers, "report")?.outcome() {
        return Ok(Ok(outcome));
    }
    let child = |child: v1::ChildNumbers| Ok((child.state, numbers_from(child.numbers, "child")?));
    children
        .into_iter()
        .map(child)
        .collect::<Result<_, _>>()
        .map(Err)
}
