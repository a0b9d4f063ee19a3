//! The moves of the solver, and its knowledge.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use sproutnet_coordinator::{Coordinator, CoordinatorError, Lookup};
use sproutnet_drawing::sheet::{Choice, Sheet, Stroke};
use sproutnet_model::{Answer, Known, Verdict};
use sproutnet_solver::play::Play;

use super::address::Show;
use super::level::Chance;
use super::state::{Match, Mover};

/// The time limit for the search of a position, and for the line to the end.
const WITHIN: Duration = Duration::from_secs(1);

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
    let is_random = solver.chance.is_random(game.terms.level);
    let chosen = if is_random {
        solver.any()?
    } else {
        solver.best()?
    };
    let drawn = |board: &Match, chosen: Option<&str>| -> Result<Option<String>, CoordinatorError> {
        let stroke = match chosen {
            Some(text) => route(board, text),
            None => solver.guess(board.sheet(), is_random)?,
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
    Err(CoordinatorError::Invalid(
        "there is too little room on this board for a line".to_owned(),
    ))
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

    /// The position after a random move. `None` if the moves are not listed.
    fn any(&self) -> Result<Option<String>, CoordinatorError> {
        let moves = self.moves(&self.answer(Duration::ZERO)?)?;
        Ok(self.at_random(moves.iter()))
    }

    /// The position after the solver's move: a winning move if one is found, or the losing move that is hardest to answer
    /// if all are known to lose. `None` if the solver has to guess.
    fn best(&self) -> Result<Option<String>, CoordinatorError> {
        let answer = self.answer(WITHIN)?;
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
    fn guess(&self, sheet: &Sheet, is_random: bool) -> Result<Option<Stroke>, CoordinatorError> {
        let mut ranked = Vec::new();
        for choice in self.some_lines(sheet) {
            let queries = &self.coordinator.queries;
            let lookup = queries.lookup(sheet.game().rules(), choice.position.clone());
            let answer = queries.answer_under(&lookup, &[], Instant::now())?;
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

    /// The moves with their known outcomes, without a search; winning moves first. None if there may be too many.
    fn moves(&self, answer: &Answer) -> Result<Vec<Verdict>, CoordinatorError> {
        if answer.most_moves > MOST_LISTED {
            return Ok(Vec::new());
        }
        let queries = &self.coordinator.queries;
        match queries.moves(&self.lookup, answer, self.play, Instant::now()) {
            Err(CoordinatorError::Invalid(_)) => Ok(Vec::new()),
            moves => moves,
        }
    }

    /// The position after a winning move, if one is found.
    fn winning(&self, answer: &Answer) -> Result<Option<String>, CoordinatorError> {
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
        let queries = &self.coordinator.queries;
        let until = self.until.min(queries.until(WITHIN));
        let line = queries.line(&self.lookup, answer, self.play, until)?;
        Ok(line.steps.into_iter().nth(1).map(|step| step.canonical))
    }
}

/// A line that leads to a position.
fn route(game: &Match, text: &str) -> Option<Stroke> {
    let (_, position) = sproutnet_game::parse(text).ok()?;
    game.sheet().route_to(&position)
}
