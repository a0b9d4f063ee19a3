//! Records of matches, in the notation of the World Game of Sprouts Association.
//!
//! ```text
//! 8+ (AuntBeast* - Peltier) 1(9)2 1(10)1[3,4] 3(11)10 2(12)5 5(13)5 6(14)6[7,8] 7(15)8 6(16@2)14 II
//! ```
//!
//! A record begins with the number of spots, and `+` for normal or `-` for misère play. The players may follow in
//! brackets. In a move `f(g)h`, a line from spot `f` to spot `h` gets the new spot `g`. Spots have numbers from 1, in
//! the order in which they were made. `[…]` lists spots that the line separates from others; `@i` says that the new spot
//! shares a region with spot `i`. `!` marks a line that is drawn against the order of the clock. `/n`, which is no part of
//! the association's notation, chooses one of several readings. The record ends with the winner: `I` for the player who began, `II` for the other. From `#` to the end of a line is a comment.
//!
//! This module reads and writes records. The rules of Sprouts tell what a move means, and whether there is such a move.

use std::fmt;

use crate::Play;

/// The maximum number of spots of a record.
pub const MOST_SPOTS: u32 = 333;

/// A match as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number of spots at the beginning.
    pub spots: u32,
    /// The play convention.
    pub play: Play,
    /// The players, as in the record.
    pub players: Option<String>,
    /// The moves.
    pub moves: Vec<Move>,
    /// The player who won, if the record tells.
    pub winner: Option<Player>,
}

/// A player of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The player who moves first, written `I`.
    First,
    /// The player who moves second, written `II`.
    Second,
}

/// A move as it is written. Spots have numbers from 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Move {
    /// The spot at which the line begins.
    pub from: u32,
    /// The new spot.
    pub new: u32,
    /// A spot in a region with the new spot: `@i`.
    pub beside: Option<u32>,
    /// The spot at which the line ends.
    pub to: u32,
    /// The spots that the line separates from others: `[…]`.
    pub separated: Vec<u32>,
    /// Whether `!` stands after `from`, before `to` and after `to`.
    pub marks: [bool; 3],
    /// Which of several readings is meant, from 1: `/n`.
    pub reading: Option<u32>,
}

/// A text is no record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The problem.
    pub problem: String,
}

impl Player {
    /// The player who makes the move with this number, from 0.
    pub fn of_move(number: usize) -> Self {
        if number.is_multiple_of(2) {
            Self::First
        } else {
            Self::Second
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "I",
            Self::Second => "II",
        })
    }
}

/// Reads the records of a text, one after another.
///
/// # Errors
/// The text has something else than records.
pub fn read(text: &str) -> Result<Vec<Record>, RecordError> {
    let mut reader = Reader::new(text);
    let mut records = Vec::new();
    while reader.peek().is_some() {
        records.push(reader.record()?);
    }
    Ok(records)
}

impl fmt::Display for Record {
    /// The record on one line, as [`read`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.play {
            Play::Normal => '+',
            Play::Misere => '-',
        };
        write!(f, "{}{sign}", self.spots)?;
        if let Some(players) = &self.players {
            write!(f, " ({players})")?;
        }
        for made in &self.moves {
            write!(f, " {made}")?;
        }
        match self.winner {
            Some(winner) => write!(f, " {winner}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [at_from, before_to, after_to] = self.marks.map(|mark| if mark { "!" } else { "" });
        write!(f, "{}{at_from}({}", self.from, self.new)?;
        if let Some(beside) = self.beside {
            write!(f, "@{beside}")?;
        }
        write!(f, "){before_to}{}{after_to}", self.to)?;
        if !self.separated.is_empty() {
            write!(f, "[{}]", ranges(&self.separated))?;
        }
        match self.reading {
            Some(reading) => write!(f, "/{reading}"),
            None => Ok(()),
        }
    }
}

/// Numbers, where `a-b` stands for three or more consecutive ones.
fn ranges(numbers: &[u32]) -> String {
    let follow = |a: &u32, b: &u32| *a + 1 == *b;
    let runs = numbers.chunk_by(follow).flat_map(|run| match run {
        [first, _, .., last] => vec![format!("{first}-{last}")],
        few => few.iter().map(u32::to_string).collect(),
    });
    runs.collect::<Vec<_>>().join(",")
}

/// The characters of a text, without comments, and their places.
struct Reader {
    characters: Vec<Placed>,
    next: usize,
    end: (usize, usize),
}

#[derive(Clone, Copy)]
struct Placed {
    character: char,
    line: usize,
    column: usize,
}

impl Reader {
    fn new(text: &str) -> Self {
        let mut characters = Vec::new();
        let mut end = (1, 1);
        for (line, content) in (1..).zip(text.lines()) {
            let content = content.split('#').next().unwrap_or_default();
            // A line ends a number.
            for (column, character) in (1..).zip(content.chars().chain([' '])) {
                characters.push(Placed {
                    character,
                    line,
                    column,
                });
                end = (line, column);
            }
        }
        Self {
            characters,
            next: 0,
            end,
        }
    }

    /// The next character that is not blank.
    fn peek(&mut self) -> Option<char> {
        while let Some(placed) = self.characters.get(self.next) {
            if !placed.character.is_whitespace() {
                return Some(placed.character);
            }
            self.next += 1;
        }
        None
    }

    fn takes(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.next += usize::from(found);
        found
    }

    /// A hyphen, or a dash that stands for one.
    fn takes_hyphen(&mut self) -> bool {
        ['-', '–', '−'].into_iter().any(|dash| self.takes(dash))
    }

    fn wants(&mut self, wanted: char, after: &str) -> Result<(), RecordError> {
        if self.takes(wanted) {
            return Ok(());
        }
        Err(self.expected(&format!("`{wanted}` after {after}")))
    }

    fn expected(&mut self, what: &str) -> RecordError {
        let found = match self.peek() {
            Some(found) => format!("found `{found}`"),
            None => "found the end".to_owned(),
        };
        self.problem(format!("expected {what}, {found}"))
    }

    fn problem(&self, problem: String) -> RecordError {
        let placed = self.characters.get(self.next);
        let (line, column) = placed.map_or(self.end, |placed| (placed.line, placed.column));
        RecordError {
            line,
            column,
            problem,
        }
    }

    fn number(&mut self, what: &str) -> Result<u32, RecordError> {
        let _ = self.peek();
        let digits = self.characters[self.next..].iter();
        let digits: String = digits
            .map(|placed| placed.character)
            .take_while(char::is_ascii_digit)
            .collect();
        if digits.is_empty() {
            return Err(self.expected(what));
        }
        let number = digits.parse().ok();
        let number = number.filter(|number| (1..10_000).contains(number));
        let number = number
            .ok_or_else(|| self.problem(format!("expected a number up to 9999, found {digits}")))?;
        self.next += digits.len();
        Ok(number)
    }

    fn record(&mut self) -> Result<Record, RecordError> {
        let begin = self.next;
        let spots = self.number("a number of spots such as `8+` or `8-`")?;
        if spots > MOST_SPOTS {
            self.next = begin;
            let _ = self.peek();
            return Err(self.problem(format!("a match has at most {MOST_SPOTS} spots")));
        }
        let play = if self.takes('+') {
            Play::Normal
        } else if self.takes_hyphen() {
            Play::Misere
        } else {
            return Err(self.expected("`+` for normal or `-` for misère play"));
        };
        let players = self.players()?;
        let mut moves = Vec::new();
        while self.peek().is_some_and(|next| next.is_ascii_digit()) && !self.is_at_serve() {
            moves.push(self.made()?);
        }
        Ok(Record {
            spots,
            play,
            players,
            moves,
            winner: self.winner()?,
        })
    }

    /// Whether the next number begins a record, not a move.
    fn is_at_serve(&self) -> bool {
        let rest = self.characters[self.next..].iter();
        let mut rest = rest
            .map(|placed| placed.character)
            .skip_while(|next| next.is_ascii_digit() || next.is_whitespace());
        rest.next().is_some_and(|next| "+-–−".contains(next))
    }

    fn players(&mut self) -> Result<Option<String>, RecordError> {
        if !self.takes('(') {
            return Ok(None);
        }
        let rest = self.characters[self.next..].iter();
        let names: Vec<char> = rest
            .map(|placed| placed.character)
            .take_while(|&next| next != ')')
            .collect();
        self.next += names.len();
        self.wants(')', "the players")?;
        let names: String = names.into_iter().collect();
        Ok(Some(names.split_whitespace().collect::<Vec<_>>().join(" ")))
    }

    fn made(&mut self) -> Result<Move, RecordError> {
        let from = self.number("a spot")?;
        let at_from = self.takes('!');
        self.wants('(', "the first spot of a move")?;
        let new = self.number("the new spot")?;
        let beside = if self.takes('@') {
            Some(self.number("a spot after `@`")?)
        } else {
            None
        };
        self.wants(')', "the new spot")?;
        let before_to = self.takes('!');
        let to = self.number("the last spot of a move")?;
        let mut after_to = self.takes('!');
        let separated = if self.takes('[') {
            self.list()?
        } else {
            Vec::new()
        };
        after_to |= self.takes('!');
        let reading = if self.takes('/') {
            Some(self.number("a number of a reading")?)
        } else {
            None
        };
        Ok(Move {
            from,
            new,
            beside,
            to,
            separated,
            marks: [at_from, before_to, after_to],
            reading,
        })
    }

    /// The spots up to `]`, sorted, each once.
    fn list(&mut self) -> Result<Vec<u32>, RecordError> {
        let mut spots = Vec::new();
        loop {
            let first = self.number("a spot")?;
            let last = if self.takes_hyphen() {
                self.number("a spot after `-`")?
            } else {
                first
            };
            if last < first {
                return Err(self.problem(format!("the range {first}-{last} ends before it begins")));
            }
            spots.extend(first..=last);
            if !self.takes(',') {
                break;
            }
        }
        self.wants(']', "a list of spots")?;
        spots.sort_unstable();
        spots.dedup();
        Ok(spots)
    }

    fn winner(&mut self) -> Result<Option<Player>, RecordError> {
        let mut strokes = 0;
        while self.takes('I') {
            strokes += 1;
        }
        match strokes {
            0 if self.peek().is_none_or(|next| next.is_ascii_digit()) => Ok(None),
            1 => Ok(Some(Player::First)),
            2 => Ok(Some(Player::Second)),
            _ => Err(self.expected("a move, or `I` or `II` for the winner")),
        }
    }
}

#[cfg(test)]
mod tests;
