//! The audit log: who changed what. Each line has the target `audit`, so that it can be told from the rest of the log.

use sproutnet_model::{Solved, Verification};
use sproutnet_notation::ComputationId;
use sproutnet_transport::caller;

use crate::ledger::qualified;
use crate::scheduler::computation::Request;
use crate::scheduler::shares::Weight;

/// The target of the lines.
const TARGET: &str = "audit";

/// Logs what the present caller did to a computation.
pub(crate) fn computation(
    event: &str,
    id: ComputationId,
    request: &Request,
    priority: i32,
    weight: Weight,
) {
    let (id, position, play) = (id.0, qualified(request), request.play.name());
    let (weight, by) = (weight.get(), &*caller::name());
    tracing::info!(target: TARGET, event, computation = id, position, play, priority, weight, by);
}

/// Logs a result that a computation reached.
pub(crate) fn solved(id: ComputationId, solved: &Solved) {
    let (id, position, play) = (
        id.0,
        qualified_name(&solved.game, &solved.position),
        solved.play.name(),
    );
    let outcome = solved.outcome.name();
    let by = caller::LOCAL;
    tracing::info!(target: TARGET, event = "solved", computation = id, position, play, outcome, by);
}

/// Logs that the present caller, or an audit, revoked records; `source` is quarantined.
pub(crate) fn revoked(source: Option<&str>, why: &str, records: u64, computations: usize) {
    let by = &*caller::name();
    if let Some(source) = source {
        tracing::info!(target: TARGET, event = "quarantined", source, why, by);
    }
    tracing::info!(target: TARGET, event = "revoked", source, why, records, computations, by);
}

/// Logs that the present caller had a certificate checked, and the facts that it proves marked.
pub(crate) fn marked(verification: &Verification, records: u64) {
    let position = qualified_name(&verification.game, &verification.position);
    let (play, outcome) = (verification.play.name(), verification.outcome.name());
    let by = &*caller::name();
    tracing::info!(target: TARGET, event = "marked", position, play, outcome, records, by);
}

/// A position as `game:text`, or as its text alone for the first game.
fn qualified_name(game: &str, position: &str) -> String {
    match sproutnet_game::by_name(game) {
        Some(game) => sproutnet_game::qualified(game.as_ref(), position),
        None => position.to_owned(),
    }
}
