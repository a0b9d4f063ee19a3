//! The coordinator as the solver of the board.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quick_cache::sync::Cache;
use sproutnet_board::{Effort, Solver, SolverError};
use sproutnet_coordinator::{Coordinator, CoordinatorError, Lookup};
use sproutnet_game::{Game, Position};
use sproutnet_model::{Answer, Verdict};
use sproutnet_solver::play::{Outcome, Play};

/// The time for which a position is not searched again after a search without an outcome.
const IN_VAIN: Duration = Duration::from_mins(10);

/// The maximum number of such positions in the cache.
const MOST_IN_VAIN: usize = 1000;

/// The positions whose search found no outcome, with the time of the search. A repeated review does not search them
/// again.
pub(in crate::pages) struct InVain(Cache<(&'static str, Position, Play), Instant>);

impl Default for InVain {
    fn default() -> Self {
        Self(Cache::new(MOST_IN_VAIN))
    }
}

impl InVain {
    /// Whether a search of a position found no outcome within the last [`IN_VAIN`].
    fn has(&self, game: &dyn Game, position: &Position, play: Play, now: Instant) -> bool {
        let searched = self.0.get(&(game.name(), position.clone(), play));
        searched.is_some_and(|then| now.saturating_duration_since(then) < IN_VAIN)
    }

    fn add(&self, game: &dyn Game, position: &Position, play: Play, now: Instant) {
        self.0.insert((game.name(), position.clone(), play), now);
    }
}

/// The questions of one page.
pub(super) struct Asking<'a> {
    coordinator: &'a Coordinator,
    in_vain: &'a InVain,
    begun: Instant,
}

impl<'a> Asking<'a> {
    pub(super) fn new(coordinator: &'a Coordinator, in_vain: &'a InVain) -> Self {
        let begun = Instant::now();
        Self {
            coordinator,
            in_vain,
            begun,
        }
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

    fn outcome(
        &self,
        game: &Arc<dyn Game>,
        position: &Position,
        play: Play,
        effort: Effort,
    ) -> Result<Option<Outcome>, SolverError> {
        let now = Instant::now();
        let until = if self.in_vain.has(&**game, position, play, now) {
            now
        } else {
            self.until(effort)
        };
        // A shortened search proves little: a longer one may find the outcome.
        let has_time = now + effort.each / 2 < until;
        let lookup = self.lookup(game, position);
        let queries = &self.coordinator.queries;
        let answer = queries.answer_under(&lookup, &[play], until)?;
        let outcome = answer.standing(play).outcome.outcome();
        if has_time && outcome.is_none() {
            self.in_vain.add(&**game, position, play, now);
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests;
