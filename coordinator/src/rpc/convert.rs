//! Conversions between domain and wire types. Invalid wire values are refused here, by name.

use std::time::Duration;

use sproutnet_game::{self as game, Sprouts};
use sproutnet_notation::brief::brief;
use sproutnet_notation::{LeaseId, Play, WorkerId};
use sproutnet_proto::{PROTOCOL, convert, v1};
use sproutnet_solver::search::{Found, Numbers};
use sproutnet_store::transfer::Imported;
use sproutnet_store::{History, Mark, Timeline};
use sproutnet_system::causes::with_causes;
use tonic::Status;

use crate::scheduler::Grant;
use crate::scheduler::exchange::Told;
use crate::{CoordinatorError, Fault, Finding, Report, ReportContent, Verified};

/// The status of an error. Takes it by value, so that it can be passed to `map_err`.
#[allow(clippy::needless_pass_by_value)]
pub fn status(error: CoordinatorError) -> Status {
    match &error {
        CoordinatorError::Unknown(_) | CoordinatorError::UnknownSource(_) => {
            Status::not_found(error.to_string())
        }
        CoordinatorError::Invalid(text) => Status::invalid_argument(brief(text)),
        CoordinatorError::NotNow(_) => Status::failed_precondition(error.to_string()),
        CoordinatorError::Quarantined(_) | CoordinatorError::Denied(_) => {
            Status::permission_denied(error.to_string())
        }
        CoordinatorError::Full(_)
        | CoordinatorError::DiskFull(_)
        | CoordinatorError::TooLong(_)
        | CoordinatorError::TooSlow(_) => Status::resource_exhausted(error.to_string()),
        CoordinatorError::Stopped => Status::aborted(error.to_string()),
        CoordinatorError::Store(_)
        | CoordinatorError::Document(..)
        | CoordinatorError::Checkpoints(_)
        | CoordinatorError::Search(_) => {
            let text = with_causes(&error);
            if !error.is_reported_by_health() {
                tracing::error!("{text}");
            }
            Status::internal(text)
        }
    }
}

/// The refusal of a program with another protocol.
pub fn other_protocol(who: &str, its: u32) -> Status {
    let outdated = if its < PROTOCOL {
        who
    } else {
        "the coordinator"
    };
    Status::failed_precondition(format!(
        "{who} speaks protocol {its}, this coordinator speaks {PROTOCOL}: update {outdated}"
    ))
}

/// A required convention.
///
/// # Errors
/// It is missing or unknown.
pub fn play_from(play: i32) -> Result<Play, Status> {
    convert::play(play)
        .ok_or_else(|| Status::invalid_argument("play: normal or misere is expected"))
}

/// Required proof and disproof numbers; the error names `what`.
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

/// A time in milliseconds, at most the largest value of the wire type.
pub fn milliseconds(time: Duration) -> u32 {
    time.as_millis().try_into().unwrap_or(u32::MAX)
}

/// A certificate that was accepted.
pub fn verified(verified: Verified) -> v1::VerifyResponse {
    let Verified {
        mut verification,
        records,
        newly,
    } = verified;
    verification.position = game::qualified(&Sprouts, &verification.position);
    v1::VerifyResponse {
        records,
        newly,
        ..verification.into()
    }
}

/// What an import brought.
pub fn imported(imported: &Imported) -> v1::ImportResponse {
    v1::ImportResponse {
        store: imported.store,
        records: imported.records,
        new: imported.new,
        impossible: imported.impossible,
        results: imported.results,
        new_results: imported.new_results,
    }
}

/// A state of the store.
pub fn mark(Mark { timeline, cursor }: Mark) -> v1::Mark {
    v1::Mark { timeline, cursor }
}

/// The states that the store had.
pub fn history(history: &History) -> v1::History {
    let timeline = |&Timeline { id, after }: &Timeline| v1::Timeline { id, after };
    v1::History {
        timelines: history.timelines.iter().map(timeline).collect(),
        cursor: history.cursor,
    }
}

/// A leased job.
pub fn job(grant: Grant) -> v1::Job {
    v1::Job {
        lease: grant.lease.0,
        game: grant.game.to_owned(),
        play: convert::play_field(grant.play),
        state: grant.state,
        slice_ms: milliseconds(grant.slice),
        expires_ms: milliseconds(grant.expires),
        computation: grant.computation.0,
        limit: Some(grant.limit.into()),
    }
}

/// A report.
///
/// # Errors
/// It has no content, or its numbers are missing or both zero.
pub fn report(request: v1::ReportRequest) -> Result<Report, Status> {
    use v1::report_request::Content;
    let content = match request.content {
        // It is of another protocol. The worker has to register again, and is refused there.
        None => {
            return Err(Status::not_found(
                "unknown worker: the report is of another protocol",
            ));
        }
        Some(Content::Delivery(v1::Delivery { blocks })) => ReportContent::Delivery(blocks),
        Some(Content::Finding(finding)) => ReportContent::Finding(Finding {
            lease: LeaseId(finding.lease),
            found: found(finding.numbers, finding.visits, finding.children)?,
            visits: finding.visits,
            expansions: finding.expansions,
            blocks: finding.blocks,
        }),
        Some(Content::Fault(fault)) => ReportContent::Fault(Fault {
            lease: fault.lease.map(LeaseId),
            reason: fault.reason,
            disputed: Some(fault.disputed).filter(|key| !key.is_empty()),
        }),
    };
    Ok(Report {
        worker: WorkerId(request.worker),
        content,
    })
}

/// The outcome of a state, or its numbers and the entries of its children.
fn found(
    numbers: Option<v1::Numbers>,
    visits: u64,
    children: Vec<v1::Entry>,
) -> Result<Found, Status> {
    let numbers = numbers_from(numbers, "report")?;
    Ok(match numbers.outcome() {
        Some(outcome) => Found::Solved(outcome),
        None => Found::Open {
            numbers,
            visits,
            children: convert::list(children),
        },
    })
}

/// The answer with the news of others.
pub fn told(told: Told) -> v1::ExchangeResponse {
    v1::ExchangeResponse {
        cursor: told.cursor,
        starts_over: told.starts_over,
        entries: convert::list(told.news.entries),
        places: convert::list(told.news.places),
        least_work: told.least_work,
        pause_ms: milliseconds(told.pause),
    }
}
