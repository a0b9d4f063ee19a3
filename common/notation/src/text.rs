//! Positions as text, in the notation of Applegate, Jacobson and Sleator (1991) as extended by
//! Lemoine and Viennot (2010).
//!
//! ```text
//! position := "!" | land ("+" land)*
//! land     := region ("|" region)*
//! region   := boundary ("." boundary)*
//! boundary := spot+ | "0*" count
//! spot     := "0" | "1" | "2" | "3" | small letter | capital letter | "m(" k ")" | "n(" k ")"
//! ```
//!
//! A position is a sum of lands, which are independent of each other; `!` has no land. A boundary
//! lists the spots met while walking along it, with the region always on the same side.
//!
//! - `0`, `1`, `2`, `3`: a spot with that many lines. `0` is alone on its boundary; `0*5` is
//!   `0.0.0.0.0`. A `2` occurs only once: the other region next to it is dead. A `3` is dead and
//!   may be left out.
//! - A small letter: a spot with two lines that occurs twice on this boundary. Names start again on
//!   every boundary.
//! - A capital letter: a spot with two lines that occurs in two regions. Names hold for the whole
//!   land.
//! - `m(k)` and `n(k)`: the small and the capital letters after `z` and `Z`, numbered from 1.
//!
//! The older marks that end a boundary (`.`), a region (`}`), a land (`]`) and the position (`!`)
//! are read as well. Blanks may stand at both ends, and around separators and marks.
//!
//! - [`parse`] reads whatever is in the notation. A letter that occurs only once counts as a `2`. It rejects
//!   a letter that occurs twice in one region but on different boundaries.
//! - [`parse_drawable`] also rejects what cannot be drawn in the plane.
//! - [`check_unambiguous`] rejects what somebody may mean otherwise: a letter that occurs only once, and a
//!   land that is a number. `21` could be 21 spots, which is `0*21`, or a boundary, which is
//!   [marked](mark_numbers) as `21}`.

use std::collections::HashMap;
use std::fmt;
use std::iter::Peekable;
use std::str::Chars;

use crate::plane::{self, NotPlanar};
use crate::raw::{MAX_LIVES, RawPosition, Spot};

/// The text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct ParseError {
    /// The column of the problem, in characters from 1.
    pub column: usize,
    /// What was expected and what was found.
    pub problem: String,
}

/// Reads a position.
///
/// # Errors
/// The text is not in the notation, or the position has more than [`MAX_LIVES`] lives.
pub fn parse(text: &str) -> Result<RawPosition, ParseError> {
    Ok(Parser::of(text).position()?.raw)
}

/// Reads a position that can be drawn in the plane.
///
/// # Errors
/// As for [`parse`], or no drawing has these regions.
pub fn parse_drawable(text: &str) -> Result<RawPosition, ParseError> {
    let parsed = Parser::of(text).position()?;
    match plane::mirrored_regions(&parsed.raw) {
        Ok(_) => Ok(parsed.raw),
        Err(problem) => Err(parsed.not_planar(problem)),
    }
}

/// Checks that nobody can mean something else by a text.
///
/// # Errors
/// As for [`parse`]; or a letter occurs only once, or a land is a number.
pub fn check_unambiguous(text: &str) -> Result<(), ParseError> {
    check_numbers(text)?;
    let parsed = Parser::of(text).position()?;
    let letters = parsed.letters.iter();
    let single = letters.filter(|(_, letter)| letter.copies == 1);
    match single.min_by_key(|(_, letter)| letter.column) {
        None => Ok(()),
        Some((name, letter)) => Err(ParseError {
            column: letter.column,
            problem: format!(
                "the letter `{name}` occurs once, but letters come in pairs; `2` is a spot met once"
            ),
        }),
    }
}

/// Refuses lands that are numbers.
fn check_numbers(text: &str) -> Result<(), ParseError> {
    let mut before = 0;
    for land in text.split('+') {
        let number = land.trim();
        if is_number(number) {
            let blanks = land.chars().take_while(|symbol| symbol.is_whitespace());
            let other = match number.contains(|digit| !matches!(digit, '1'..='3')) {
                _ if number == "0" => ", `0*1` one spot".to_owned(),
                true => String::new(),
                false => format!(", `{number}}}` a boundary of {}", in_words(number)),
            };
            let start = match number {
                "0" => "`!` is no spot".to_owned(),
                "1" => "`0*1` is one spot".to_owned(),
                _ => format!("`0*{number}` is {number} spots"),
            };
            return Err(ParseError {
                column: before + blanks.count() + 1,
                problem: format!("a number alone can be misread: {start}{other}"),
            });
        }
        before += land.chars().count() + 1;
    }
    Ok(())
}

/// Whether a text is a number.
pub fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Spots that are written as digits, in words.
fn in_words(digits: &str) -> String {
    match digits.as_bytes() {
        &[one] => format!("a spot {}", char::from(one)),
        &[one, other] => format!("spots {} and {}", char::from(one), char::from(other)),
        digits => format!("{} spots", digits.len()),
    }
}

/// The text of a position for people and programs, from the lands as [printed](print_land) and linked by
/// `+`: a land that is a number is marked, so that the text is [unambiguous](check_unambiguous).
pub fn mark_numbers(text: &str) -> String {
    let mark = |land: &str| match land {
        "0" => "0*1".to_owned(),
        _ if is_number(land) => format!("{land}}}"),
        _ => land.to_owned(),
    };
    let lands: Vec<String> = text.split('+').map(mark).collect();
    lands.join("+")
}

/// What was read last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastRead {
    /// Nothing.
    Nothing,
    /// A separator, which a spot must follow.
    Separator,
    /// A full stop, which a spot must follow unless an older mark ends the region.
    Stop,
    /// A spot.
    Boundary,
    /// An isolated spot, after which the boundary must end.
    Isolated,
    /// An older mark, after which anything may follow.
    Closed,
}

/// The name of a letter: where it holds, and its number.
#[derive(PartialEq, Eq, Hash)]
enum Name {
    /// On a boundary.
    Small(usize, u32),
    /// In a land.
    Capital(usize, u32),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match *self {
            Self::Small(_, index) => letter_name('a', 'm', index as usize),
            Self::Capital(_, index) => letter_name('A', 'n', index as usize),
        })
    }
}

/// A letter, and where its first copy is.
struct Letter {
    spot: Spot,
    /// The column of the first copy.
    column: usize,
    boundary: usize,
    region: usize,
    copies: u8,
}

struct Parser<'a> {
    chars: Peekable<Chars<'a>>,
    /// The last character taken; `None` at the end.
    last: Option<char>,
    /// Its column, from 1.
    column: usize,
    raw: RawPosition,
    lives: u32,
    letters: HashMap<Name, Letter>,
    /// The numbers of the open boundary, region and land.
    boundary: usize,
    region: usize,
    land: usize,
    last_read: LastRead,
    /// The column of the last blank, if it is the last character read.
    blank: Option<usize>,
}

impl<'a> Parser<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            chars: text.chars().peekable(),
            last: None,
            column: 0,
            raw: RawPosition::default(),
            lives: 0,
            letters: HashMap::new(),
            boundary: 0,
            region: 0,
            land: 0,
            last_read: LastRead::Nothing,
            blank: None,
        }
    }

    /// Reads to the end.
    fn position(mut self) -> Result<Self, ParseError> {
        use LastRead::{Boundary, Closed, Isolated, Nothing, Separator, Stop};
        while let Some(symbol) = self.take() {
            if matches!(symbol, ' ' | '\t') {
                self.blank = Some(self.column);
                continue;
            }
            match (symbol, self.last_read) {
                ('.', Boundary | Isolated) => {
                    self.end_boundary();
                    self.last_read = Stop;
                }
                ('|', Boundary | Isolated | Closed) => {
                    self.end_region();
                    self.last_read = Separator;
                }
                ('+', Boundary | Isolated | Closed) => {
                    self.end_land();
                    self.last_read = Separator;
                }
                ('.' | '|' | '+', _) => return Err(self.unexpected("a spot")),
                ('}', Stop | Boundary | Isolated) => {
                    self.end_region();
                    self.last_read = Closed;
                }
                (']', Stop | Boundary | Isolated | Closed) => {
                    self.end_land();
                    self.last_read = Closed;
                }
                ('!', last) if last != Separator => return self.finished(),
                (_, Boundary | Isolated) if let Some(column) = self.blank => {
                    self.column = column;
                    return Err(self.error("a blank stands between spots"));
                }
                _ => self.spot(symbol)?,
            }
            self.blank = None;
        }
        if matches!(self.last_read, Boundary | Isolated | Closed) {
            self.end_land();
            return Ok(self);
        }
        self.column += 1;
        let hint = match self.last_read {
            Nothing => "; the position with nothing left to play is written `!`",
            _ => "",
        };
        Err(self.error(format!("expected a spot, found the end{hint}")))
    }

    /// Reads on after `!`, which ends the text.
    fn finished(mut self) -> Result<Self, ParseError> {
        while let Some(symbol) = self.take() {
            if !matches!(symbol, ' ' | '\t' | '\r' | '\n') {
                return Err(self.error(format!("expected the end after `!`, found `{symbol}`")));
            }
        }
        self.end_land();
        Ok(self)
    }

    fn spot(&mut self, symbol: char) -> Result<(), ParseError> {
        if self.last_read == LastRead::Isolated {
            return Err(self.unexpected(
                "a separator after `0`, which stands alone on its boundary (`0*k` is k of them)",
            ));
        }
        let column = self.column;
        let spot = match symbol {
            '0' if self.last_read == LastRead::Boundary => {
                return Err(self.unexpected(
                    "a spot with lines or a separator; `0` stands alone on its boundary",
                ));
            }
            '0' => return self.isolated(),
            '1' => self.alive(Spot::END)?,
            '2' => self.alive(Spot::MID)?,
            '3' => Spot::DEAD,
            'm' if self.chars.peek() == Some(&'(') => {
                let name = Name::Small(self.boundary, self.name_in_brackets()?);
                self.letter(name, column)?
            }
            'n' if self.chars.peek() == Some(&'(') => {
                let name = Name::Capital(self.land, self.name_in_brackets()?);
                self.letter(name, column)?
            }
            'a'..='z' => self.letter(
                Name::Small(self.boundary, symbol as u32 - 'a' as u32),
                column,
            )?,
            'A'..='Z' => {
                self.letter(Name::Capital(self.land, symbol as u32 - 'A' as u32), column)?
            }
            _ => return Err(self.unexpected("a spot or a separator")),
        };
        if spot != Spot::DEAD {
            self.raw.push(spot);
        }
        self.last_read = LastRead::Boundary;
        Ok(())
    }

    /// Reads `0` or `0*k`, after its first character.
    fn isolated(&mut self) -> Result<(), ParseError> {
        let mut count = 1;
        if self.chars.peek() == Some(&'*') {
            self.take();
            count = self.number()?;
        }
        for _ in 0..count {
            let spot = self.alive(Spot::ISOLATED)?;
            self.raw.push_boundary(&[spot]);
        }
        self.last_read = LastRead::Isolated;
        Ok(())
    }

    /// Counts the lives of a new spot.
    fn alive(&mut self, spot: Spot) -> Result<Spot, ParseError> {
        self.lives += spot.lives();
        if self.lives > MAX_LIVES {
            return Err(self.error(format!(
                "the position has more than {MAX_LIVES} lives, which is the limit"
            )));
        }
        Ok(spot)
    }

    fn letter(&mut self, name: Name, column: usize) -> Result<Spot, ParseError> {
        let (boundary, region) = (self.boundary, self.region);
        let Some(letter) = self.letters.get_mut(&name) else {
            let spot = self.raw.new_letter();
            let letter = Letter {
                spot,
                column,
                boundary,
                region,
                copies: 1,
            };
            self.letters.insert(name, letter);
            return self.alive(spot);
        };
        letter.copies += 1;
        if letter.copies > 2 {
            return Err(self.error("a letter occurs at most twice, found it a third time"));
        }
        if letter.region == region && letter.boundary != boundary {
            return Err(self.error("both copies of a letter in one region must be on one boundary"));
        }
        Ok(letter.spot)
    }

    /// Reads `(k)`, and returns the number of the letter after the alphabet.
    fn name_in_brackets(&mut self) -> Result<u32, ParseError> {
        self.take();
        let k = self.number()?;
        if k == 0 {
            return Err(self.error("names in brackets are numbered from 1"));
        }
        match self.take() {
            Some(')') => Ok(25 + k),
            found => {
                self.column += usize::from(found.is_none());
                Err(self.unexpected("`)`"))
            }
        }
    }

    fn number(&mut self) -> Result<u32, ParseError> {
        let mut number: Option<u32> = None;
        while let Some(digit) = self.chars.peek().and_then(|symbol| symbol.to_digit(10)) {
            self.take();
            let larger = number.unwrap_or(0) * 10 + digit;
            if larger > 9_999 {
                return Err(self.error("numbers go up to 9999"));
            }
            number = Some(larger);
        }
        number.ok_or_else(|| {
            self.column += 1;
            self.last = self.chars.peek().copied();
            self.unexpected("a number")
        })
    }

    fn end_boundary(&mut self) {
        self.raw.end_boundary();
        self.boundary += 1;
    }

    fn end_region(&mut self) {
        self.end_boundary();
        self.raw.end_region();
        self.region += 1;
    }

    fn end_land(&mut self) {
        self.end_region();
        self.land += 1;
    }

    /// The error at the letters of a position that has no drawing.
    fn not_planar(self, problem: NotPlanar) -> ParseError {
        let letter = |number| {
            let mut letters = self.letters.iter();
            let found = letters.find(|(_, letter)| letter.spot.number() == Some(number));
            found.map_or((1, String::new()), |(name, letter)| {
                (letter.column, name.to_string())
            })
        };
        let (column, problem) = match problem {
            NotPlanar::Linked {
                letter: number,
                region,
            } => {
                let (column, name) = letter(number);
                let problem = format!(
                    "no drawing in the plane has these regions: in region {}, the boundary with `{name}` \
                     is linked to another boundary through other regions",
                    region + 1
                );
                (column, problem)
            }
            NotPlanar::Crossing { letters } => {
                let [(column, one), (_, other)] = letters.map(letter);
                let problem = format!(
                    "no drawing in the plane has these regions: the lines through `{one}` and `{other}` \
                     would cross"
                );
                (column, problem)
            }
        };
        ParseError { column, problem }
    }

    fn take(&mut self) -> Option<char> {
        let symbol = self.chars.next();
        self.column += usize::from(symbol.is_some());
        self.last = symbol;
        symbol
    }

    fn unexpected(&self, expected: &str) -> ParseError {
        let found = self.last.map(|symbol| format!("`{symbol}`"));
        let found = found.as_deref().unwrap_or("the end");
        self.error(format!("expected {expected}, found {found}"))
    }

    fn error(&self, problem: impl Into<String>) -> ParseError {
        ParseError {
            column: self.column,
            problem: problem.into(),
        }
    }
}

/// The text of a land, with its regions, boundaries and spots in their order, except that the isolated
/// spots of a region come first.
pub fn print_land(land: &RawPosition) -> String {
    let mut capitals = Vec::new();
    let regions = (0..land.regions()).map(|region| {
        let boundaries = land.boundaries(region);
        let (isolated, others): (Vec<_>, Vec<_>) =
            boundaries.partition(|boundary| *boundary == [Spot::ISOLATED]);
        let isolated = match isolated.len() {
            0 => None,
            1 => Some("0".to_owned()),
            count => Some(format!("0*{count}")),
        };
        let others = others.into_iter();
        let others = others.map(|boundary| print_boundary(boundary, &mut capitals));
        let boundaries: Vec<String> = isolated.into_iter().chain(others).collect();
        boundaries.join(".")
    });
    regions.collect::<Vec<_>>().join("|")
}

fn print_boundary(boundary: &[Spot], capitals: &mut Vec<Spot>) -> String {
    let mut text = String::new();
    let mut small = Vec::new();
    for &spot in boundary {
        match spot {
            Spot::END => text.push('1'),
            Spot::MID => text.push('2'),
            letter if boundary.iter().filter(|&&other| other == letter).count() == 2 => {
                text.push_str(&letter_name('a', 'm', index_of(letter, &mut small)));
            }
            letter => text.push_str(&letter_name('A', 'n', index_of(letter, capitals))),
        }
    }
    text
}

/// The index of a letter among those met so far, to which it is added.
fn index_of(letter: Spot, met: &mut Vec<Spot>) -> usize {
    let known = met.iter().position(|&other| other == letter);
    known.unwrap_or_else(|| {
        met.push(letter);
        met.len() - 1
    })
}

/// The name of a letter, by its index from 0; beyond the alphabet its number in brackets.
fn letter_name(first: char, beyond: char, index: usize) -> String {
    match (first..).nth(index) {
        Some(letter) if index < 26 => letter.to_string(),
        _ => format!("{beyond}({})", index - 25),
    }
}

#[cfg(test)]
mod tests;
