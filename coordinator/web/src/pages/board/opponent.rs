//! The moves of the solver, and what it knows, on the board.

use std::time::Instant;

use sproutnet_coordinator::{Coordinator, CoordinatorError};
use sproutnet_drawing::sheet::Stroke;
use sproutnet_game::{Game, Position, Sprouts, by_name};
use sproutnet_model::Known;

use super::state::{Level, Match, Mover, Show};
use crate::pages::play::Solver;

/// Of the moves of the careless solver, one in so many is random.
const CARELESS: u32 = 3;

/// What the solver knows of the position now.
pub(super) struct Knowledge {
    /// The outcome for the player to move.
    pub(super) outcome: Known,
    /// A winning move, if it is wanted and there is one.
    pub(super) hint: Option<Stroke>,
}

/// The address after the solver's move.
pub(super) fn reply(
    coordinator: &Coordinator,
    game: &Match,
    now: Instant,
) -> Result<String, CoordinatorError> {
    let solver = solver(coordinator, game, now)?;
    let is_random = match game.level {
        Level::Perfect => false,
        Level::Careless => getrandom::u32().unwrap_or(0).is_multiple_of(CARELESS),
        Level::Random => true,
    };
    let chosen = match is_random {
        true => solver.any()?,
        false => solver.reply()?,
    };
    if let Some(stroke) = route(game, &chosen) {
        return Ok(game.after(&stroke));
    }
    // There is too little room for that line.
    let others = solver.all()?;
    let stroke = others.iter().find_map(|text| route(game, text));
    let stroke = stroke.ok_or_else(|| {
        CoordinatorError::Invalid("there is too little room on this board for a line".to_owned())
    })?;
    Ok(game.after(&stroke))
}

/// What the solver knows. Searches only if something is to be shown.
pub(super) fn known(
    coordinator: &Coordinator,
    game: &Match,
    show: Option<Show>,
    now: Instant,
) -> Result<Knowledge, CoordinatorError> {
    let nothing = |outcome| Knowledge {
        outcome,
        hint: None,
    };
    if game.winner().is_some() || (show.is_none() && game.mover() != Mover::You) {
        return Ok(nothing(Known::Unknown));
    }
    let solver = solver(coordinator, game, now)?;
    let Some(show) = show else {
        return Ok(nothing(solver.known_at_once()?));
    };
    let (outcome, winning) = solver.known(show == Show::Hint)?;
    let hint = winning.and_then(|text| route(game, &text));
    Ok(Knowledge { outcome, hint })
}

pub(super) fn solver<'c>(
    coordinator: &'c Coordinator,
    game: &Match,
    now: Instant,
) -> Result<Solver<'c>, CoordinatorError> {
    let position = game.sheet().position();
    let sprouts = by_name("sprouts").ok_or(CoordinatorError::Unknown("game"))?;
    let lookup = coordinator.queries.lookup(sprouts, position);
    Ok(Solver::new(coordinator, lookup, game.play, now))
}

/// A line that leads to a position.
fn route(game: &Match, text: &str) -> Option<Stroke> {
    let position: Position = Sprouts.parse(text).ok()?;
    game.sheet().route_to(&position)
}
