//! Reads the text character by character.

use std::collections::HashMap;
use std::fmt;
use std::iter::Peekable;
use std::str::Chars;

use super::ParseError;
use super::print::{CROSS, letter_name};
use crate::plane::{self, NotPlanar};
use crate::raw::{MAX_LIVES, RawPosition, Spot};
use crate::surface::Surface;

/// The kind of the last symbol.
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
    /// An isolated spot or a cross, after which the boundary must end.
    Isolated,
    /// The surface of a region, which a separator or a mark must follow.
    Surface,
    /// An older mark, after which anything may follow.
    Closed,
}

/// The name of a letter: its scope, and its number.
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

/// A letter, and the place of its first copy.
struct Letter {
    spot: Spot,
    /// The column of the first copy.
    column: usize,
    boundary: usize,
    region: usize,
    copies: u8,
}

/// The parsed part of a position.
pub(super) struct Parser<'a> {
    chars: Peekable<Chars<'a>>,
    /// The last character taken; `None` at the end.
    last: Option<char>,
    /// Its column, from 1.
    column: usize,
    pub(super) raw: RawPosition,
    lives: u32,
    letters: HashMap<Name, Letter>,
    /// Whether `x` is a cross.
    crosses: bool,
    /// Whether regions have surfaces.
    surfaces: bool,
    /// The surface of the open region.
    surface: Surface,
    /// The numbers of the open boundary, region and land.
    boundary: usize,
    region: usize,
    land: usize,
    last_read: LastRead,
    /// The column of the last blank, if it is the last character read.
    blank: Option<usize>,
}

impl<'a> Parser<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self {
            chars: text.chars().peekable(),
            last: None,
            column: 0,
            raw: RawPosition::default(),
            lives: 0,
            letters: HashMap::new(),
            crosses: false,
            surfaces: false,
            surface: Surface::SPHERE,
            boundary: 0,
            region: 0,
            land: 0,
            last_read: LastRead::Nothing,
            blank: None,
        }
    }

    /// Reads `x` at the start of a boundary as a cross.
    pub(super) fn with_crosses(self) -> Self {
        Self {
            crosses: true,
            ..self
        }
    }

    /// Reads `@` and a surface after a region.
    pub(super) fn with_surfaces(self) -> Self {
        Self {
            surfaces: true,
            ..self
        }
    }

    /// Reads the rest of the text.
    pub(super) fn position(mut self) -> Result<Self, ParseError> {
        use LastRead::{Boundary, Closed, Isolated, Nothing, Separator, Stop, Surface};
        while let Some(symbol) = self.take() {
            if matches!(symbol, ' ' | '\t') {
                self.blank = Some(self.column);
                continue;
            }
            match (symbol, self.last_read) {
                (_, Surface) if !"|+}]!".contains(symbol) => {
                    return Err(self.unexpected("`|`, `+` or the end after a surface"));
                }
                ('.', Boundary | Isolated) => {
                    self.end_boundary();
                    self.last_read = Stop;
                }
                ('|', Boundary | Isolated | Surface | Closed) => {
                    self.end_region();
                    self.last_read = Separator;
                }
                ('+', Boundary | Isolated | Surface | Closed) => {
                    self.end_land();
                    self.last_read = Separator;
                }
                ('.' | '|' | '+', _) => return Err(self.unexpected("a spot")),
                ('@', Boundary | Isolated) if self.surfaces => {
                    self.surface()?;
                    self.last_read = Surface;
                }
                ('}', Stop | Boundary | Isolated | Surface) => {
                    if self.surfaces && self.chars.peek() == Some(&'@') {
                        self.take();
                        self.surface()?;
                    }
                    self.end_region();
                    self.last_read = Closed;
                }
                (']', Stop | Boundary | Isolated | Surface | Closed) => {
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
        if matches!(self.last_read, Boundary | Isolated | Surface | Closed) {
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

    /// Reads the rest after `!`, which ends the position.
    fn finished(mut self) -> Result<Self, ParseError> {
        while let Some(symbol) = self.take() {
            if !matches!(symbol, ' ' | '\t' | '\r' | '\n') {
                return Err(self.error(format!("expected the end after `!`, found `{symbol}`")));
            }
        }
        self.end_land();
        Ok(self)
    }

    /// Reads the surface of the open region, after `@`.
    fn surface(&mut self) -> Result<(), ParseError> {
        let expected = ParseError {
            column: self.column + 1,
            problem: format!(
                "expected the number of handles after `@`, up to {most}, or of crosscaps after `@-`",
                most = Surface::MOST
            ),
        };
        let mut sign = 1;
        while let Some(' ' | '-') = self.chars.peek() {
            sign = if self.take() == Some('-') { -1 } else { sign };
        }
        let number = self
            .number()
            .ok()
            .and_then(|number| i8::try_from(number).ok());
        let surface = number.and_then(|number| Surface::new(sign * number));
        self.surface = surface.ok_or(expected)?;
        Ok(())
    }

    fn spot(&mut self, symbol: char) -> Result<(), ParseError> {
        if self.last_read == LastRead::Isolated {
            return Err(self.unexpected(if self.crosses {
                "a separator after `0` or `x`, which stand alone on their boundaries"
            } else {
                "a separator after `0`, which stands alone on its boundary (`0*k` is k of them)"
            }));
        }
        let column = self.column;
        let spot = match symbol {
            '0' if self.last_read == LastRead::Boundary => {
                return Err(self.unexpected(
                    "a spot with lines or a separator; `0` stands alone on its boundary",
                ));
            }
            '0' => return self.alone(&[Spot::ISOLATED]),
            'x' if self.crosses && self.last_read != LastRead::Boundary => {
                return self.alone(&CROSS);
            }
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

    /// Reads `0`, `0*k`, `x` or `x*k`, after its first character.
    fn alone(&mut self, boundary: &[Spot]) -> Result<(), ParseError> {
        let mut count = 1;
        if self.chars.peek() == Some(&'*') {
            self.take();
            count = self.number()?;
        }
        for _ in 0..count {
            for &spot in boundary {
                self.alive(spot)?;
            }
            self.raw.push_boundary(boundary);
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
        if letter.region == region && letter.boundary != boundary && !self.surfaces {
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
        self.raw.end_region_on(std::mem::take(&mut self.surface));
        self.region += 1;
    }

    fn end_land(&mut self) {
        self.end_region();
        self.land += 1;
    }

    /// Checks that each letter occurs twice.
    pub(super) fn check_pairs(&self) -> Result<(), ParseError> {
        let letters = self.letters.iter();
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

    /// The position, if it can be drawn in the plane.
    pub(super) fn drawable(self) -> Result<RawPosition, ParseError> {
        match plane::mirrored_regions(&self.raw) {
            Ok(_) => Ok(self.raw),
            Err(problem) => Err(self.not_planar(problem)),
        }
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
