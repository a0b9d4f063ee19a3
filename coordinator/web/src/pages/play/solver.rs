//! What the solver knows, and plays.

use std::time::{Duration, Instant};

use sproutnet_model::{Known, Verdict};
use sproutnet_solver::play::Play;

use sproutnet_coordinator::{Coordinator, CoordinatorError, Lookup};

/// For so long a position is searched, and for so long the line to the end.
const WITHIN: Duration = Duration::from_secs(1);

/// What is known of a position to somebody who is to move there.
pub(super) struct Insight {
    pub(super) outcome: Known,
    /// What a winning move leads to, if that was asked for and is known.
    pub(super) winning: Option<String>,
}

/// Finds out who wins, and how if that is asked for.
pub(super) fn known(
    coordinator: &Coordinator,
    lookup: &Lookup,
    play: Play,
    wants_move: bool,
    now: Instant,
) -> Result<Insight, CoordinatorError> {
    let outcome = outcome(coordinator, lookup, play)?;
    let winning = match outcome {
        Known::Win if wants_move => winning(coordinator, lookup, play, now)?,
        _ => None,
    };
    Ok(Insight { outcome, winning })
}

/// The position that the solver moves to: by a winning move if one is found, else by any that is not
/// known to lose, else by any.
pub(super) fn reply(
    coordinator: &Coordinator,
    lookup: &Lookup,
    play: Play,
    now: Instant,
) -> Result<String, CoordinatorError> {
    if outcome(coordinator, lookup, play)? == Known::Win
        && let Some(text) = winning(coordinator, lookup, play, now)?
    {
        return Ok(text);
    }
    let moves = coordinator.queries.moves(lookup, play)?;
    let open = moves.iter().filter(|of| of.outcome(play) != Known::Loss);
    let mut choice: Vec<&Verdict> = open.collect();
    if choice.is_empty() {
        choice = moves.iter().collect();
    }
    let chosen = at_random(&choice);
    chosen.ok_or_else(|| CoordinatorError::Invalid("nothing is left to play".to_owned()))
}

fn outcome(
    coordinator: &Coordinator,
    lookup: &Lookup,
    play: Play,
) -> Result<Known, CoordinatorError> {
    Ok(coordinator
        .queries
        .answer(lookup, WITHIN)?
        .standing(play)
        .outcome)
}

fn winning(
    coordinator: &Coordinator,
    lookup: &Lookup,
    play: Play,
    now: Instant,
) -> Result<Option<String>, CoordinatorError> {
    let moves = coordinator.queries.moves(lookup, play)?;
    let wins = moves.iter().filter(|of| of.outcome(play) == Known::Win);
    if let Some(text) = at_random(&wins.collect::<Vec<_>>()) {
        return Ok(Some(text));
    }
    let left = (now + 2 * WITHIN).saturating_duration_since(Instant::now());
    let line = coordinator.queries.line(lookup, play, left.min(WITHIN))?;
    Ok(line.steps.into_iter().nth(1).map(|step| step.canonical))
}

/// One of several; the first if the system has no random numbers.
fn at_random(moves: &[&Verdict]) -> Option<String> {
    let random = getrandom::u32().unwrap_or(0) as usize;
    let chosen = moves.get(random % moves.len().max(1))?;
    Some(chosen.canonical.clone())
}
