//! The moves of the solver, and its knowledge.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use sproutnet_coordinator::{Coordinator, CoordinatorError, Lookup};
use sproutnet_drawing::sheet::Stroke;
use sproutnet_game::{Game, Sprouts};
use sproutnet_model::{Answer, Known, Verdict};
use sproutnet_solver::play::Play;

use super::level::Chance;
use super::state::{Match, Mover, Show};

/// The time limit for the search of a position, and for the line to the end.
const WITHIN: Duration = Duration::from_secs(1);

/// The maximum number of losing moves that are examined for the hardest one.
const LOOKED_AT: usize = 12;

/// The solver's knowledge of the current position.
pub(super) struct Knowledge {
    /// The outcome for the player to move.
    pub(super) outcome: Known,
    /// A winning move, if a hint is wanted and a winning move is found.
    pub(super) hint: Option<Stroke>,
}

/// The solver at a position.
struct Solver<'c> {
    coordinator: &'c Coordinator,
    lookup: Lookup,
    play: Play,
    until: Instant,
    chance: Chance,
}

/// The address after the solver's move.
pub(super) fn reply(
    coordinator: &Coordinator,
    game: &Match,
    now: Instant,
) -> Result<String, CoordinatorError> {
    let solver = Solver::of(coordinator, game, now)?;
    let chosen = if solver.chance.is_random(game.terms.level) {
        let moves = solver.moves()?;
        solver.at_random(moves.iter()).ok_or_else(no_move)?
    } else {
        solver.best()?
    };
    let after = |game: &Match, text: &str| route(game, text).map(|stroke| game.after(&stroke));
    if let Some(address) = after(game, &chosen) {
        return Ok(address);
    }
    // The line has too little room: the drawing is evened out, or the first move with enough room is made.
    let evened = game.evened().and_then(|evened| after(&evened, &chosen));
    let others = solver.moves()?;
    let address = evened.or_else(|| others.iter().find_map(|of| after(game, &of.canonical)));
    address.ok_or_else(|| {
        CoordinatorError::Invalid("there is too little room on this board for a line".to_owned())
    })
}

/// The solver's knowledge. The position is searched only if something is to be shown.
pub(super) fn known(
    coordinator: &Coordinator,
    game: &Match,
    show: Option<Show>,
    now: Instant,
) -> Result<Knowledge, CoordinatorError> {
    let mut known = Knowledge {
        outcome: Known::Unknown,
        hint: None,
    };
    if game.winner().is_some() || (show.is_none() && game.mover() != Mover::You) {
        return Ok(known);
    }
    let solver = Solver::of(coordinator, game, now)?;
    let within = show.map_or(Duration::ZERO, |_| WITHIN);
    let answer = solver.answer(within)?;
    known.outcome = answer.standing(game.terms.play).outcome;
    if show == Some(Show::Hint) {
        let winning = solver.winning(&answer)?;
        known.hint = winning.and_then(|text| route(game, &text));
    }
    Ok(known)
}

impl<'c> Solver<'c> {
    fn of(
        coordinator: &'c Coordinator,
        game: &Match,
        now: Instant,
    ) -> Result<Self, CoordinatorError> {
        Ok(Self {
            coordinator,
            lookup: coordinator.queries.lookup_text(&game.text())?,
            play: game.terms.play,
            until: now + 2 * WITHIN,
            chance: Chance::at(&game.link()),
        })
    }

    /// One of several moves.
    fn at_random<'m>(&self, moves: impl Iterator<Item = &'m Verdict>) -> Option<String> {
        self.chance.choose(moves.map(|of| &*of.canonical))
    }

    /// The position after the solver's move: a winning move if one is found, else a move that is not known to lose,
    /// else the losing move that is hardest to answer.
    fn best(&self) -> Result<String, CoordinatorError> {
        let answer = self.answer(WITHIN)?;
        if let Some(text) = self.winning(&answer)? {
            return Ok(text);
        }
        let moves = self.moves_of(&answer)?;
        let open = moves
            .iter()
            .filter(|of| of.outcome(self.play) != Known::Loss);
        match self.at_random(open) {
            Some(text) => Ok(text),
            None => self.hardest(&moves)?.ok_or_else(no_move),
        }
    }

    /// The losing move that leaves the fewest replies that win or may win; of equals, one with the most moves left.
    /// Only [`LOOKED_AT`] moves are examined, those with the most moves left.
    fn hardest(&self, moves: &[Verdict]) -> Result<Option<String>, CoordinatorError> {
        let queries = &self.coordinator.queries;
        let mut options = Vec::new();
        for of in moves {
            let lookup = queries.lookup_text(&of.canonical)?;
            options.push((queries.answer(&lookup, Instant::now())?, lookup));
        }
        options.sort_by_key(|(answer, _)| Reverse(answer.most_moves));
        options.truncate(LOOKED_AT);
        let until = self.until.min(queries.until(WITHIN));
        let mut best: Option<(usize, String)> = None;
        for (answer, lookup) in options {
            // A reply that is not known to lose may win.
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

    fn answer(&self, within: Duration) -> Result<Answer, CoordinatorError> {
        let queries = &self.coordinator.queries;
        queries.answer(&self.lookup, queries.until(within))
    }

    /// The moves with their known outcomes, without a search; winning moves first.
    fn moves(&self) -> Result<Vec<Verdict>, CoordinatorError> {
        self.moves_of(&self.answer(Duration::ZERO)?)
    }

    fn moves_of(&self, answer: &Answer) -> Result<Vec<Verdict>, CoordinatorError> {
        let queries = &self.coordinator.queries;
        queries.moves(&self.lookup, answer, self.play, Instant::now())
    }

    /// The position after a winning move, if one is found.
    fn winning(&self, answer: &Answer) -> Result<Option<String>, CoordinatorError> {
        if answer.standing(self.play).outcome != Known::Win {
            return Ok(None);
        }
        let moves = self.moves_of(answer)?;
        let wins = moves
            .iter()
            .filter(|of| of.outcome(self.play) == Known::Win);
        if let Some(text) = self.at_random(wins) {
            return Ok(Some(text));
        }
        let queries = &self.coordinator.queries;
        let until = self.until.min(queries.until(WITHIN));
        let line = queries.line(&self.lookup, answer, self.play, until)?;
        Ok(line.steps.into_iter().nth(1).map(|step| step.canonical))
    }
}

/// A line that leads to a position.
fn route(game: &Match, text: &str) -> Option<Stroke> {
    game.sheet().route_to(&Sprouts.parse(text).ok()?)
}

fn no_move() -> CoordinatorError {
    CoordinatorError::Invalid("no move is left".to_owned())
}
