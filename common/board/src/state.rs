//! A match on the board, as its address describes it: the number of spots or a drawing, the lines as they were drawn,
//! and the players.

use std::sync::Arc;

use sproutnet_drawing::sheet::{Sheet, Stroke};
use sproutnet_game as game;
use sproutnet_solver::play::Play;

use crate::address::{People, Terms};
use crate::links;
use crate::problem::Problem;
use crate::sheets::Sheets;
use crate::start::beginning;

/// The maximum length of a match in an address, in bytes.
pub const LONGEST: usize = 30_000;

/// The reader's place in a match between two devices.
#[derive(Clone, Debug)]
pub struct Seat {
    /// The name of the match.
    pub name: String,
    /// The index of the reader as a player, 0 or 1; `None` if the reader only watches.
    pub side: Option<usize>,
    /// The index of the player who has not joined yet.
    pub free: Option<usize>,
    /// The match that was offered after this one.
    pub rematch: Option<Rematch>,
}

/// The match that a player offered after another one.
#[derive(Clone, Debug)]
pub struct Rematch {
    /// Its name.
    pub name: String,
    /// Whether the reader's seat is free. That of a player who watches this match is not.
    pub is_open: bool,
}

/// The player who makes a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// The reader, against the solver.
    You,
    /// The solver.
    Solver,
    /// The reader's opponent, on another device.
    Other,
    /// The first of two people: the reader watches them, or is both.
    First,
    /// The second of them.
    Second,
}

/// A match.
#[derive(Clone, Debug)]
pub struct Match {
    /// The convention and the players.
    pub terms: Terms,
    /// The reader's place, if the match is between two devices.
    pub place: Option<Seat>,
    /// The index of the player who resigned, 0 or 1.
    pub resigned: Option<usize>,
    /// The start, as text.
    start: String,
    strokes: Vec<Stroke>,
    /// The sheet after each number of moves, from 0 on.
    sheets: Vec<Arc<Sheet>>,
}

impl Match {
    /// Reads a match. This may take a second if none of it is in the cache.
    ///
    /// # Errors
    /// There is no such match.
    pub fn read(sheets: &Sheets, text: &str, terms: Terms) -> Result<Self, Problem> {
        if text.len() > LONGEST {
            return Err(Problem::bad("a match is never that long"));
        }
        let (text, resigned) = resignation(text);
        let (start, code, sheet) = beginning(sheets, text)?;
        let strokes = Stroke::decode(code).map_err(|error| Problem::bad(error.to_string()))?;
        let drawn = sheets.of(start, sheet, &strokes);
        let sheets = drawn.map_err(|(moves, error)| {
            Problem::bad(format!("this is no match: in move {moves}, {error}"))
        })?;
        Ok(Self {
            terms,
            place: None,
            resigned,
            start: start.to_owned(),
            strokes,
            sheets,
        })
    }

    /// The current sheet.
    pub fn sheet(&self) -> &Arc<Sheet> {
        &self.sheets[self.moves()]
    }

    /// The sheet after this number of moves.
    pub(crate) fn sheet_after(&self, moves: usize) -> &Sheet {
        &self.sheets[moves]
    }

    /// The text of the current position.
    pub(crate) fn text(&self) -> String {
        self.text_after(self.moves())
    }

    /// The text of the position after this number of moves.
    pub(crate) fn text_after(&self, moves: usize) -> String {
        let sheet = &self.sheets[moves];
        let rules = sheet.game().rules();
        game::qualified(&*rules, &rules.print(&sheet.position()))
    }

    /// The number of moves so far.
    pub fn moves(&self) -> usize {
        self.strokes.len()
    }

    /// The spots that a move joined, counted from 1. Moves are counted from 0.
    pub(crate) fn ends(&self, index: usize) -> [usize; 2] {
        self.strokes[index].ends.map(|spot| spot + 1)
    }

    /// The player who makes the move after this number of moves.
    pub(crate) fn mover_after(&self, moves: usize) -> Mover {
        let is_first = moves.is_multiple_of(2);
        if let Some(side) = self.place.as_ref().and_then(|place| place.side) {
            let is_you = is_first == (side == 0);
            return if is_you { Mover::You } else { Mover::Other };
        }
        match (self.terms.you, is_first) {
            (People::Both, true) if self.terms.task.is_some() => Mover::You,
            (People::Both, false) if self.terms.task.is_some() => Mover::Other,
            (People::Both, true) => Mover::First,
            (People::Both, false) => Mover::Second,
            (People::First, true) | (People::Second, false) => Mover::You,
            (People::First, false) | (People::Second, true) => Mover::Solver,
        }
    }

    /// The player to move.
    pub(crate) fn mover(&self) -> Mover {
        self.mover_after(self.moves())
    }

    /// The player who resigned.
    pub(crate) fn who_resigned(&self) -> Option<Mover> {
        self.resigned.map(|player| self.mover_after(player))
    }

    /// # Errors
    /// A player resigned: no move follows.
    pub fn need_no_resignation(&self) -> Result<(), Problem> {
        self.who_resigned().map_or(Ok(()), |who| {
            let text = format!("{} resigned, so no more lines can be drawn", who.name());
            Err(Problem::Conflict(text))
        })
    }

    /// The winner, if a player resigned or nobody can move any more.
    pub fn winner(&self) -> Option<Mover> {
        if let Some(player) = self.resigned {
            return Some(self.mover_after(1 - player));
        }
        self.sheet().is_over().then(|| match self.terms.play {
            // The player who cannot move has lost, so the last move won.
            Play::Normal => self.mover_after(self.moves() + 1),
            Play::Misere => self.mover(),
        })
    }

    /// Whether the reader can draw a line now.
    pub fn can_draw(&self) -> bool {
        let is_turn = match (&self.place, self.mover()) {
            (Some(_), mover) => mover == Mover::You,
            // One line is asked for.
            (None, Mover::Other) => false,
            (None, mover) => mover != Mover::Solver,
        };
        is_turn && self.winner().is_none()
    }

    /// Whether the reader can resign a match between two devices.
    pub fn may_resign(&self) -> bool {
        let place = self.place.as_ref();
        let plays = place.is_some_and(|place| place.side.is_some() && place.free.is_none());
        plays && self.winner().is_none()
    }

    /// The start, as in the address.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The match as in its address.
    pub fn played(&self) -> String {
        format!("{}{}", self.start, self.whole())
    }

    /// Its address.
    pub fn link(&self) -> String {
        self.with("")
    }

    /// Its address with more in the query.
    pub(crate) fn with(&self, more: &str) -> String {
        if let Some(place) = &self.place {
            return links::shared(&place.name, more);
        }
        self.address("", &self.whole(), more)
    }

    /// The address to which a line is sent; `line` is its part of the query.
    pub(crate) fn to_draw(&self, line: &str) -> String {
        if self.place.is_some() {
            self.with(&format!("&moves={}{line}", self.moves()))
        } else {
            self.with(line)
        }
    }

    /// The address of a page or a file about the match.
    pub(crate) fn about(&self, what: &str, more: &str) -> String {
        self.address(what, &self.whole(), more)
    }

    /// The address after a move.
    pub(crate) fn after(&self, stroke: &Stroke) -> String {
        self.address("", &(self.code(self.moves()) + &stroke.code()), "")
    }

    /// The address of the review that shows the position after this number of moves.
    pub(crate) fn review_at(&self, moves: usize) -> String {
        self.about("/review", &format!("&at={moves}#turn"))
    }

    /// The address of the match after this number of moves.
    pub(crate) fn as_after(&self, moves: usize, more: &str) -> String {
        self.address("", &self.code(moves), more)
    }

    /// The address at which the reader, or of two people the player to move, has resigned.
    pub(crate) fn given_up(&self) -> String {
        let player = match self.terms.you {
            People::First => 0,
            People::Second => 1,
            People::Both => self.moves() % 2,
        };
        self.address("", &(self.code(self.moves()) + resigns(player)), "")
    }

    /// The address before the resignation or the last move of a person; `None` if there is neither.
    pub(crate) fn taken_back(&self) -> Option<String> {
        if self.resigned.is_some() {
            return Some(self.as_after(self.moves(), ""));
        }
        let mut moves = (0..self.moves()).rev();
        let last = moves.find(|&moves| self.mover_after(moves) != Mover::Solver)?;
        Some(self.as_after(last, ""))
    }

    /// The address of the same match with its drawing evened out; `None` before the first move, or if it is.
    pub(crate) fn tidied(&self) -> Option<String> {
        let last = self.strokes.last().filter(|last| !last.is_tidied)?;
        let tidied = Stroke {
            is_tidied: true,
            ..last.clone()
        };
        Some(self.address("", &(self.code(self.moves() - 1) + &tidied.code()), ""))
    }

    /// The same match with its drawing evened out: where a line has too little room, it may have enough there. `None` as
    /// for [`Self::tidied`].
    pub(crate) fn evened(&self) -> Option<Self> {
        let last = self.strokes.last().filter(|last| !last.is_tidied)?;
        let tidied = Stroke {
            is_tidied: true,
            ..last.clone()
        };
        let sheet = self.sheets[self.moves() - 1].play(&tidied).ok()?;
        let mut evened = self.clone();
        *evened.strokes.last_mut()? = tidied;
        *evened.sheets.last_mut()? = Arc::new(sheet);
        Some(evened)
    }

    /// The address of a new match of the same kind. The solver makes other random choices in it.
    pub(crate) fn again(&self, you: People) -> String {
        let mut again = self.among(you);
        if you != People::Both {
            again.terms.seed = again.terms.seed.next();
        }
        again.as_after(0, "")
    }

    /// The same lines, with these players and no task.
    pub(crate) fn among(&self, you: People) -> Self {
        let terms = Terms {
            you,
            task: None,
            ..self.terms
        };
        Self {
            terms,
            place: None,
            ..self.clone()
        }
    }

    /// All moves as text, and the resignation.
    fn whole(&self) -> String {
        self.code(self.moves()) + self.resigned.map_or("", resigns)
    }

    fn code(&self, moves: usize) -> String {
        self.strokes[..moves].iter().map(Stroke::code).collect()
    }

    fn address(&self, what: &str, code: &str, more: &str) -> String {
        let text = format!("{}{code}", self.start);
        links::board(&text, what, format!("{}{more}", self.terms))
    }
}

/// The text that follows the moves if a player resigned. The player may be either: on two devices, the one who waits may
/// resign too.
fn resigns(player: usize) -> &'static str {
    ["!1", "!2"][player]
}

/// The text of a match without a resignation, and the index of the player who resigned.
fn resignation(text: &str) -> (&str, Option<usize>) {
    let of = |player| Some((text.strip_suffix(resigns(player))?, Some(player)));
    of(0).or_else(|| of(1)).unwrap_or((text, None))
}
