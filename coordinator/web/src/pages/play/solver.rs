//! What the solver knows and plays.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use sproutnet_coordinator::{Coordinator, CoordinatorError, Lookup};
use sproutnet_model::{Answer, Known, Verdict};
use sproutnet_solver::play::Play;

/// The time limit for the search of a position, and for the line to the end.
const WITHIN: Duration = Duration::from_secs(1);

/// Of moves that all lose, so many are looked at for the hardest.
const LOOKED_AT: usize = 12;

/// The opponent, before a position.
pub(in crate::pages) struct Solver<'c> {
    coordinator: &'c Coordinator,
    lookup: Lookup,
    play: Play,
    until: Instant,
}

impl<'c> Solver<'c> {
    pub(in crate::pages) fn new(
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
    pub(in crate::pages) fn known(
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

    /// The outcome for the player to move, without a search.
    pub(in crate::pages) fn known_at_once(&self) -> Result<Known, CoordinatorError> {
        let answer = self.at_once(&self.lookup)?;
        Ok(answer.standing(self.play).outcome)
    }

    /// A position that any move leads to.
    pub(in crate::pages) fn any(&self) -> Result<String, CoordinatorError> {
        let moves = self.moves(&self.at_once(&self.lookup)?)?;
        at_random(moves.iter()).ok_or_else(no_move)
    }

    /// All positions that moves lead to, those of winning moves first.
    pub(in crate::pages) fn all(&self) -> Result<Vec<String>, CoordinatorError> {
        let moves = self.moves(&self.at_once(&self.lookup)?)?;
        Ok(moves.into_iter().map(|of| of.canonical).collect())
    }

    /// The position that the solver moves to: by a winning move if one is found, else by a move that is not
    /// known to lose, else by the one that is hardest to answer.
    pub(in crate::pages) fn reply(&self) -> Result<String, CoordinatorError> {
        let answer = self.answer()?;
        if let Some(text) = self.winning(&answer)? {
            return Ok(text);
        }
        let moves = self.moves(&answer)?;
        let open = moves
            .iter()
            .filter(|of| of.outcome(self.play) != Known::Loss);
        match at_random(open) {
            Some(text) => Ok(text),
            None => self.hardest(&moves)?.ok_or_else(no_move),
        }
    }

    /// Of moves that all lose, the one that leaves the fewest winning replies, as far as that is known; of
    /// equals, one with the most moves left. Looks at a few of the longest.
    fn hardest(&self, moves: &[Verdict]) -> Result<Option<String>, CoordinatorError> {
        let queries = &self.coordinator.queries;
        let mut options = Vec::new();
        for of in moves {
            let lookup = queries.lookup_text(&of.canonical)?;
            let answer = self.at_once(&lookup)?;
            options.push((answer, lookup));
        }
        options.sort_by_key(|(answer, _)| Reverse(answer.most_moves));
        options.truncate(LOOKED_AT);
        let until = self.until.min(queries.until(WITHIN));
        let mut best: Option<(usize, String)> = None;
        for (answer, lookup) in options {
            // The replies that are not known to lose win, or may do so.
            let replies = queries.moves(&lookup, &answer, self.play, until)?;
            let wins = replies
                .iter()
                .filter(|of| of.outcome(self.play) != Known::Loss)
                .count();
            if best.as_ref().is_none_or(|(least, _)| wins < *least) {
                best = Some((wins, answer.canonical));
            }
        }
        Ok(best.map(|(_, text)| text))
    }

    fn at_once(&self, lookup: &Lookup) -> Result<Answer, CoordinatorError> {
        self.coordinator.queries.answer(lookup, Instant::now())
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

fn no_move() -> CoordinatorError {
    CoordinatorError::Invalid("no move is left".to_owned())
}

/// One of several; the first if the system has no random numbers.
fn at_random<'m>(moves: impl Iterator<Item = &'m Verdict>) -> Option<String> {
    let moves: Vec<&Verdict> = moves.collect();
    let random = getrandom::u32().unwrap_or(0) as usize;
    let chosen = moves.get(random % moves.len().max(1))?;
    Some(chosen.canonical.clone())
}
