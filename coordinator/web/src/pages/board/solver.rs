//! The coordinator as the solver of the board.

use std::sync::Arc;
use std::time::Instant;

use sproutnet_board::{Effort, Question, Solver, SolverError};
use sproutnet_coordinator::{Coordinator, CoordinatorError, Lookup};
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

    fn lookup(&self, about: Question<'_>) -> Lookup {
        let queries = &self.coordinator.queries;
        queries.lookup(Arc::clone(about.game), about.position.clone())
    }
}

impl Solver for Asking<'_> {
    fn answer(&self, about: Question<'_>, plays: &[Play]) -> Result<Answer, SolverError> {
        let lookup = self.lookup(about);
        let queries = &self.coordinator.queries;
        Ok(queries.answer_under(&lookup, plays, self.until(about.effort))?)
    }

    fn moves(
        &self,
        about: Question<'_>,
        answer: &Answer,
        play: Play,
    ) -> Result<Option<Vec<Verdict>>, SolverError> {
        let lookup = self.lookup(about);
        let queries = &self.coordinator.queries;
        match queries.moves(&lookup, answer, play, self.until(about.effort)) {
            Err(CoordinatorError::Invalid(_)) => Ok(None),
            moves => Ok(Some(moves?)),
        }
    }

    fn winning_move(
        &self,
        about: Question<'_>,
        answer: &Answer,
        play: Play,
    ) -> Result<Option<String>, SolverError> {
        let lookup = self.lookup(about);
        let queries = &self.coordinator.queries;
        let line = queries.line(&lookup, answer, play, self.until(about.effort))?;
        Ok(line.steps.into_iter().nth(1).map(|step| step.canonical))
    }
}
