//! The moves of the solver, and its knowledge.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

use sproutnet_drawing::sheet::{Choice, Sheet, Stroke};
use sproutnet_game::{Game, Position};
use sproutnet_model::{Answer, Known, Verdict};
use sproutnet_solver::play::Play;

use crate::address::Show;
use crate::level::Chance;
use crate::problem::Problem;
use crate::solver::{Effort, Question, Solver, SolverError};
use crate::state::{Match, Mover};

/// The limits of the search of a position, of its moves, and of all for one page.
const SEARCH: Effort = Effort {
    each: Duration::from_secs(1),
    all: Duration::from_secs(2),
};

/// The maximum number of losing moves that are examined for the hardest one.
const LOOKED_AT: usize = 12;

/// The maximum number of moves left in a position whose moves are listed: that in a start of 12 spots. Larger positions
/// may have more moves than can be listed in time.
const MOST_LISTED: u32 = 35;

/// The number of lines from which the solver guesses, and the maximum number of ways to join two spots that are looked at
/// for them.
const GUESSED: usize = 60;
const MOST_WAYS: usize = 250;

/// The solver's knowledge of the current position.
pub(crate) struct Knowledge {
    /// The outcome for the player to move.
    pub(crate) outcome: Known,
    /// A winning move, if a hint is wanted and a winning move is found.
    pub(crate) hint: Option<Stroke>,
}

/// The solver at a position.
struct Opponent<'a> {
    solver: &'a dyn Solver,
    game: Arc<dyn Game>,
    position: Position,
    play: Play,
    chance: Chance,
}

/// The address after the solver's move.
///
/// # Errors
/// There is no room for a line, or the solver fails.
pub(crate) fn reply(solver: &dyn Solver, game: &Match) -> Result<String, Problem> {
    let opponent = Opponent::of(solver, game);
    let is_random = opponent.chance.is_random(game.terms.level);
    let chosen = if is_random {
        opponent.any()?
    } else {
        opponent.best()?
    };
    let drawn = |board: &Match, chosen: Option<&str>| -> Result<Option<String>, SolverError> {
        let stroke = match chosen {
            Some(text) => route(board, text),
            None => opponent.guess(board.sheet(), is_random)?,
        };
        Ok(stroke.map(|stroke| board.after(&stroke)))
    };
    let chosen = chosen.as_deref();
    if let Some(address) = drawn(game, chosen)? {
        return Ok(address);
    }
    // The line has too little room: the drawing is evened out, or another line is drawn.
    let evened = game.evened();
    let evened = evened.as_ref();
    for (board, chosen) in [(evened, chosen), (Some(game), None), (evened, None)] {
        if let Some(board) = board
            && let Some(address) = drawn(board, chosen)?
        {
            return Ok(address);
        }
    }
    Err(Problem::bad(
        "there is too little room on this board for a line",
    ))
}

/// The solver's knowledge. The position is searched only if something is to be shown.
///
/// # Errors
/// The solver fails.
pub(crate) fn known(
    solver: &dyn Solver,
    game: &Match,
    show: Option<Show>,
) -> Result<Knowledge, SolverError> {
    let mut known = Knowledge {
        outcome: Known::Unknown,
        hint: None,
    };
    if game.winner().is_some() || (show.is_none() && game.mover() != Mover::You) {
        return Ok(known);
    }
    let opponent = Opponent::of(solver, game);
    let answer = opponent.answer(show.map_or(Effort::NONE, |_| SEARCH))?;
    known.outcome = answer.standing(game.terms.play).outcome;
    if show == Some(Show::Hint) {
        let winning = opponent.winning(&answer)?;
        known.hint = winning.and_then(|text| route(game, &text));
    }
    Ok(known)
}

impl<'a> Opponent<'a> {
    fn of(solver: &'a dyn Solver, game: &Match) -> Self {
        Self {
            solver,
            game: game.sheet().game().rules(),
            position: game.sheet().position(),
            play: game.terms.play,
            chance: Chance::at(&game.link()),
        }
    }

    /// One of several moves.
    fn at_random<'m>(&self, moves: impl Iterator<Item = &'m Verdict>) -> Option<String> {
        self.chance.choose(moves.map(|of| &*of.canonical))
    }

    /// The position after a random move. `None` if the moves are not listed.
    fn any(&self) -> Result<Option<String>, SolverError> {
        let moves = self.moves(&self.answer(Effort::NONE)?)?;
        Ok(self.at_random(moves.iter()))
    }

    /// The position after the solver's move: a winning move if one is found, or the losing move that is hardest to answer
    /// if all are known to lose. `None` if the solver has to guess.
    fn best(&self) -> Result<Option<String>, SolverError> {
        let answer = self.answer(SEARCH)?;
        match answer.standing(self.play).outcome {
            Known::Win => self.winning(&answer),
            Known::Loss => self.hardest(&self.moves(&answer)?),
            Known::Unknown | Known::InProgress => Ok(None),
        }
    }

    /// A line where no known outcome helps. Of some lines it is one after which the other player is known to lose, or one
    /// after which that player is at least not known to win. Of these it leaves the fewest moves: small positions can be
    /// solved, and whoever solves them first has the better of it. If `is_random`, it is any of these lines. `None` if
    /// there is no room for any.
    fn guess(&self, sheet: &Sheet, is_random: bool) -> Result<Option<Stroke>, SolverError> {
        let mut ranked = Vec::new();
        for choice in self.some_lines(sheet) {
            let about = self.about(&choice.position, Effort::NONE);
            let answer = self.solver.answer(about, &[])?;
            let value = match answer.standing(self.play).outcome {
                Known::Loss => 0,
                Known::Unknown | Known::InProgress => 1,
                Known::Win => 2,
            };
            let worth = if is_random {
                (0, 0)
            } else {
                (value, answer.most_moves)
            };
            ranked.push((worth, self.chance.rank(&answer.canonical), choice));
        }
        ranked.sort_by_key(|(worth, rank, _)| (*worth, *rank));
        let mut choices = ranked.iter().map(|(_, _, choice)| choice);
        Ok(choices.find_map(|choice| sheet.route(choice)))
    }

    /// Some lines on the board: those between pairs of spots, in an order that follows from the address.
    fn some_lines(&self, sheet: &Sheet) -> Vec<Choice> {
        let of = |one: usize| {
            let others = sheet.partners(one).into_iter();
            others
                .filter(move |&other| other >= one)
                .map(move |other| (one, other))
        };
        let mut pairs: Vec<(usize, usize)> = (0..sheet.spots().len()).flat_map(of).collect();
        pairs.sort_by_cached_key(|(one, other)| self.chance.rank(&format!("{one}-{other}")));
        let mut lines: Vec<Choice> = Vec::new();
        for &(one, other) in &pairs {
            if lines.len() >= GUESSED {
                break;
            }
            lines.extend(sheet.options_if_few(one, other, MOST_WAYS));
        }
        if lines.is_empty() {
            let mut all = pairs.iter().map(|&(one, other)| sheet.options(one, other));
            lines = all.find(|ways| !ways.is_empty()).unwrap_or_default();
        }
        lines
    }

    /// The losing move that leaves the fewest replies that win or may win; of equals, one with the most moves left.
    /// Only [`LOOKED_AT`] moves are examined, those with the most moves left.
    fn hardest(&self, moves: &[Verdict]) -> Result<Option<String>, SolverError> {
        let mut options = Vec::new();
        for of in moves {
            let Ok((_, option)) = sproutnet_game::parse(&of.canonical) else {
                continue;
            };
            let answer = self.ask(&option, Effort::NONE)?;
            options.push((answer, option));
        }
        options.sort_by_key(|(answer, _)| Reverse(answer.most_moves));
        options.truncate(LOOKED_AT);
        let mut best: Option<(usize, String)> = None;
        for (answer, option) in options {
            // A reply that is not known to lose may win.
            let about = self.about(&option, SEARCH);
            let replies = self.solver.moves(about, &answer, self.play)?;
            let wins = replies
                .iter()
                .flatten()
                .filter(|of| of.outcome(self.play) != Known::Loss)
                .count();
            if best.as_ref().is_none_or(|(least, _)| wins < *least) {
                best = Some((wins, answer.canonical));
            }
        }
        Ok(best.map(|(_, text)| text))
    }

    fn about<'q>(&'q self, position: &'q Position, effort: Effort) -> Question<'q> {
        Question {
            game: &self.game,
            position,
            effort,
        }
    }

    fn answer(&self, effort: Effort) -> Result<Answer, SolverError> {
        self.ask(&self.position, effort)
    }

    fn ask(&self, position: &Position, effort: Effort) -> Result<Answer, SolverError> {
        self.solver.answer(self.about(position, effort), &Play::ALL)
    }

    /// The moves with their known outcomes, without a search; winning moves first. None if there may be too many.
    fn moves(&self, answer: &Answer) -> Result<Vec<Verdict>, SolverError> {
        if answer.most_moves > MOST_LISTED {
            return Ok(Vec::new());
        }
        let about = self.about(&self.position, Effort::NONE);
        let moves = self.solver.moves(about, answer, self.play)?;
        Ok(moves.unwrap_or_default())
    }

    /// The position after a winning move, if one is found.
    fn winning(&self, answer: &Answer) -> Result<Option<String>, SolverError> {
        if answer.standing(self.play).outcome != Known::Win {
            return Ok(None);
        }
        let moves = self.moves(answer)?;
        let wins = moves
            .iter()
            .filter(|of| of.outcome(self.play) == Known::Win);
        if let Some(text) = self.at_random(wins) {
            return Ok(Some(text));
        }
        let about = self.about(&self.position, SEARCH);
        self.solver.winning_move(about, answer, self.play)
    }
}

/// A line that leads to a position.
fn route(game: &Match, text: &str) -> Option<Stroke> {
    let (_, position) = sproutnet_game::parse(text).ok()?;
    game.sheet().route_to(&position)
}
