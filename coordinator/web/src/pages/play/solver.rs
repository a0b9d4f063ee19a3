//! What the solver knows and plays.

use std::time::{Duration, Instant};

use sproutnet_coordinator::{Coordinator, CoordinatorError, Lookup};
use sproutnet_model::{Answer, Known, Verdict};
use sproutnet_solver::play::Play;

/// The time limit for the search of a position, and for the line to the end.
const WITHIN: Duration = Duration::from_secs(1);

/// The opponent, before a position.
pub(super) struct Solver<'c> {
    coordinator: &'c Coordinator,
    lookup: Lookup,
    play: Play,
    until: Instant,
}

impl<'c> Solver<'c> {
    pub(super) fn new(
        coordinator: &'c Coordinator,
        lookup: Lookup,
        play: Play,
        now: Instant,
    ) -> Self {
        let until = now + 2 * WITHIN;
        Self {
            coordinator,
            lookup,
            play,
            until,
        }
    }

    /// The outcome for the player to move and, if wanted and found, the position that a winning move
    /// leads to.
    pub(super) fn known(
        &self,
        wants_move: bool,
    ) -> Result<(Known, Option<String>), CoordinatorError> {
        let answer = self.answer()?;
        let outcome = answer.standing(self.play).outcome;
        let winning = match wants_move {
            true => self.winning(&answer)?,
            false => None,
        };
        Ok((outcome, winning))
    }

    /// The position that the solver moves to: by a winning move if one is found, else by a move that is not
    /// known to lose, else by any move.
    pub(super) fn reply(&self) -> Result<String, CoordinatorError> {
        let answer = self.answer()?;
        if let Some(text) = self.winning(&answer)? {
            return Ok(text);
        }
        let moves = self.moves(&answer)?;
        let open = moves
            .iter()
            .filter(|of| of.outcome(self.play) != Known::Loss);
        let chosen = at_random(open).or_else(|| at_random(moves.iter()));
        chosen.ok_or_else(|| CoordinatorError::Invalid("no move is left".to_owned()))
    }

    fn answer(&self) -> Result<Answer, CoordinatorError> {
        let queries = &self.coordinator.queries;
        queries.answer(&self.lookup, queries.until(WITHIN))
    }

    /// The moves as they are known.
    fn moves(&self, answer: &Answer) -> Result<Vec<Verdict>, CoordinatorError> {
        let queries = &self.coordinator.queries;
        queries.moves(&self.lookup, answer, self.play, Instant::now())
    }

    fn winning(&self, answer: &Answer) -> Result<Option<String>, CoordinatorError> {
        if answer.standing(self.play).outcome != Known::Win {
            return Ok(None);
        }
        let moves = self.moves(answer)?;
        let wins = moves
            .iter()
            .filter(|of| of.outcome(self.play) == Known::Win);
        if let Some(text) = at_random(wins) {
            return Ok(Some(text));
        }
        let queries = &self.coordinator.queries;
        let until = self.until.min(queries.until(WITHIN));
        let line = queries.line(&self.lookup, answer, self.play, until)?;
        Ok(line.steps.into_iter().nth(1).map(|step| step.canonical))
    }
}

/// One of several; the first if the system has no random numbers.
fn at_random<'m>(moves: impl Iterator<Item = &'m Verdict>) -> Option<String> {
    let moves: Vec<&Verdict> = moves.collect();
    let random = getrandom::u32().unwrap_or(0) as usize;
    let chosen = moves.get(random % moves.len().max(1))?;
    Some(chosen.canonical.clone())
}
