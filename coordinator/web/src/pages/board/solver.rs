//! The coordinator as the solver of the board.

use std::sync::Arc;
use std::time::Instant;

use sproutnet_board::{Effort, Solver, SolverError};
use sproutnet_coordinator::{Coordinator, CoordinatorError, Lookup};
use sproutnet_game::{Game, Position};
use sproutnet_model::{Answer, Verdict};
use sproutnet_solver::play::Play;

/// The questions of one page.
pub(super) struct Asking<'a> {
    coordinator: &'a Coordinator,
    begun: Instant,
}

impl<'a> Asking<'a> {
    pub(super) fn new(coordinator: &'a Coordinator) -> Self {
        let begun = Instant::now();
        Self { coordinator, begun }
    }

    fn until(&self, effort: Effort) -> Instant {
        let until = self.coordinator.queries.until(effort.each);
        until.min(self.begun + effort.all)
    }

    fn lookup(&self, game: &Arc<dyn Game>, position: &Position) -> Lookup {
        let queries = &self.coordinator.queries;
        queries.lookup(Arc::clone(game), position.clone())
    }
}

impl Solver for Asking<'_> {
    fn answer(
        &self,
        game: &Arc<dyn Game>,
        position: &Position,
        plays: &[Play],
        effort: Effort,
    ) -> Result<Answer, SolverError> {
        let lookup = self.lookup(game, position);
        let queries = &self.coordinator.queries;
        Ok(queries.answer_under(&lookup, plays, self.until(effort))?)
    }

    fn moves(
        &self,
        game: &Arc<dyn Game>,
        position: &Position,
        answer: &Answer,
        play: Play,
        effort: Effort,
    ) -> Result<Option<Vec<Verdict>>, SolverError> {
        let lookup = self.lookup(game, position);
        let queries = &self.coordinator.queries;
        match queries.moves(&lookup, answer, play, self.until(effort)) {
            Err(CoordinatorError::Invalid(_)) => Ok(None),
            moves => Ok(Some(moves?)),
        }
    }

    fn winning_move(
        &self,
        game: &Arc<dyn Game>,
        position: &Position,
        answer: &Answer,
        play: Play,
        effort: Effort,
    ) -> Result<Option<String>, SolverError> {
        let lookup = self.lookup(game, position);
        let queries = &self.coordinator.queries;
        let line = queries.line(&lookup, answer, play, self.until(effort))?;
        Ok(line.steps.into_iter().nth(1).map(|step| step.canonical))
    }
}
