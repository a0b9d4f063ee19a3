//! Positions as text, in the notation of Applegate, Jacobson and Sleator as extended by Lemoine
//! and Viennot.
//!
//! ```text
//! position := "!" | land ("+" land)*
//! land     := region ("|" region)*
//! region   := boundary ("." boundary)*
//! boundary := spot+ | "0*" count
//! spot     := "0" | "1" | "2" | "3" | small letter | capital letter | "m(" k ")" | "n(" k ")"
//! ```
//!
//! `0*5` is `0.0.0.0.0`. A small letter is met twice on its boundary and names restart there; a
//! capital is met in two regions and names run through the land. `m(k)` and `n(k)` continue the
//! small and the capital alphabet. The older marks that close a boundary (`.`), a region (`}`), a
//! land (`]`) and the position (`!`) are read as well, and so are blanks.
//!
//! Whether the position can be drawn in the plane is not checked beyond this: both copies of a
//! letter met twice in one region are on one boundary of it.

use std::collections::HashMap;
use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

use crate::raw::{MAX_LIVES, Sketch, Spot};

/// Text that is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct ParseError {
    /// Where, counted in characters from 1.
    pub column: usize,
    /// What was expected there, and what was found.
    pub problem: String,
}

/// Reads a position.
///
/// # Errors
/// The text is not in the notation, or the position has more than [`MAX_LIVES`] lives.
pub fn parse(text: &str) -> Result<Sketch, ParseError> {
    Parser {
        chars: text.chars().peekable(),
        last: None,
        column: 0,
        sketch: Sketch::default(),
        lives: 0,
        small: HashMap::new(),
        capital: HashMap::new(),
        boundary: 0,
        region: 0,
        open: Open::Position,
    }
    .position()
}

/// How much has been written since the last mark.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// Nothing yet.
    Position,
    /// A separator: something must follow.
    Separator,
    /// A full stop: something must follow, unless an older mark closes the region.
    Stop,
    /// A spot.
    Boundary,
    /// An isolated spot, which is a boundary of its own.
    Isolated,
    /// An older mark, after which all may follow.
    Closed,
}

/// Where the copies of a letter were met.
struct Letter {
    spot: Spot,
    boundary: usize,
    region: usize,
    copies: u8,
}

struct Parser<'a> {
    chars: Peekable<Chars<'a>>,
    /// The last character taken, none at the end.
    last: Option<char>,
    /// Its column, from 1.
    column: usize,
    sketch: Sketch,
    lives: u32,
    small: HashMap<u32, Letter>,
    capital: HashMap<u32, Letter>,
    /// Numbers of the boundary and region being read.
    boundary: usize,
    region: usize,
    open: Open,
}

impl Parser<'_> {
    fn position(mut self) -> Result<Sketch, ParseError> {
        while let Some(symbol) = self.take() {
            match symbol {
                ' ' | '\t' => {}
                '.' => self.separator(Open::Stop)?,
                '|' => {
                    self.separator(Open::Separator)?;
                    self.end_region();
                }
                '+' => {
                    self.separator(Open::Separator)?;
                    self.end_land();
                }
                '}' if matches!(self.open, Open::Stop | Open::Boundary | Open::Isolated) => {
                    self.end_region();
                    self.open = Open::Closed;
                }
                ']' if !matches!(self.open, Open::Position | Open::Separator) => {
                    self.end_land();
                    self.open = Open::Closed;
                }
                '!' if self.open != Open::Separator => return self.finished(),
                _ => self.spot(symbol)?,
            }
        }
        if matches!(self.open, Open::Boundary | Open::Isolated | Open::Closed) {
            self.end_land();
            return Ok(self.sketch);
        }
        self.column += 1;
        let hint = if self.open == Open::Position {
            "; the position with nothing left to play is written `!`"
        } else {
            ""
        };
        Err(self.error(format!("expected a spot, found the end{hint}")))
    }

    /// After `!`, which ends the text.
    fn finished(mut self) -> Result<Sketch, ParseError> {
        while let Some(symbol) = self.take() {
            if !matches!(symbol, ' ' | '\t' | '\r' | '\n') {
                return Err(self.error(format!("expected the end after `!`, found `{symbol}`")));
            }
        }
        self.end_land();
        Ok(self.sketch)
    }

    fn separator(&mut self, then: Open) -> Result<(), ParseError> {
        let closed_land = self.open == Open::Closed && then == Open::Separator;
        if !matches!(self.open, Open::Boundary | Open::Isolated) && !closed_land {
            return Err(self.unexpected("a spot"));
        }
        self.end_boundary();
        self.open = then;
        Ok(())
    }

    fn spot(&mut self, symbol: char) -> Result<(), ParseError> {
        if self.open == Open::Isolated {
            return Err(self.unexpected(
                "a separator after `0`, which stands alone on its boundary (`0*k` is k of them)",
            ));
        }
        let spot = match symbol {
            '0' if self.open == Open::Boundary => {
                return Err(self.unexpected(
                    "a spot with lines or a separator; `0` stands alone on its boundary",
                ));
            }
            '0' => return self.isolated(),
            '1' => self.alive(Spot::END)?,
            '2' => self.alive(Spot::MID)?,
            '3' => Spot::DEAD,
            'm' if self.chars.peek() == Some(&'(') => {
                let k = self.name_in_brackets()?;
                self.letter(26 + k, false)?
            }
            'n' if self.chars.peek() == Some(&'(') => {
                let k = self.name_in_brackets()?;
                self.letter(26 + k, true)?
            }
            'a'..='z' => self.letter(u32::from(symbol) - u32::from('a'), false)?,
            'A'..='Z' => self.letter(u32::from(symbol) - u32::from('A'), true)?,
            _ => return Err(self.unexpected("a spot or a separator")),
        };
        if spot != Spot::DEAD {
            self.sketch.push(spot);
        }
        self.open = Open::Boundary;
        Ok(())
    }

    /// `0` or `0*k`, the first character already taken.
    fn isolated(&mut self) -> Result<(), ParseError> {
        let mut count = 1;
        if self.chars.peek() == Some(&'*') {
            self.take();
            count = self.number()?;
        }
        for _ in 0..count {
            let spot = self.alive(Spot::ISOLATED)?;
            self.sketch.push_boundary(&[spot]);
        }
        self.open = Open::Isolated;
        Ok(())
    }

    /// Counts the lives of a new spot.
    fn alive(&mut self, spot: Spot) -> Result<Spot, ParseError> {
        self.lives += spot.lives();
        if self.lives > MAX_LIVES {
            return Err(self.error(format!(
                "the position has more than {MAX_LIVES} lives, the most that can be handled"
            )));
        }
        Ok(spot)
    }

    fn letter(&mut self, name: u32, capital: bool) -> Result<Spot, ParseError> {
        let (boundary, region) = (self.boundary, self.region);
        let names = if capital {
            &mut self.capital
        } else {
            &mut self.small
        };
        if let Some(letter) = names.get_mut(&name) {
            letter.copies += 1;
            if letter.copies > 2 {
                return Err(self.error("a letter is met twice at most, found it a third time"));
            }
            if letter.region == region && letter.boundary != boundary {
                return Err(self.error(
                    "in the plane both copies of a letter in one region are on one boundary",
                ));
            }
            return Ok(letter.spot);
        }
        let spot = self.sketch.new_letter();
        let letter = Letter {
            spot,
            boundary,
            region,
            copies: 1,
        };
        names.insert(name, letter);
        self.alive(spot)
    }

    /// `(k)`.
    fn name_in_brackets(&mut self) -> Result<u32, ParseError> {
        self.take();
        let k = self.number()?;
        if k == 0 {
            return Err(self.error("names in brackets are numbered from 1"));
        }
        match self.take() {
            Some(')') => Ok(k - 1),
            Some(_) => Err(self.unexpected("`)`")),
            None => {
                self.column += 1;
                Err(self.error("expected `)`, found the end"))
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
            let found = self.chars.peek();
            let found = found.map_or("the end".to_owned(), |symbol| format!("`{symbol}`"));
            self.error(format!("expected a number, found {found}"))
        })
    }

    fn end_boundary(&mut self) {
        self.sketch.end_boundary();
        self.boundary += 1;
        self.small.clear();
    }

    fn end_region(&mut self) {
        self.end_boundary();
        self.sketch.end_region();
        self.region += 1;
    }

    fn end_land(&mut self) {
        self.end_region();
        self.capital.clear();
    }

    fn take(&mut self) -> Option<char> {
        let symbol = self.chars.next();
        self.column += usize::from(symbol.is_some());
        self.last = symbol;
        symbol
    }

    fn unexpected(&self, expected: &str) -> ParseError {
        let found = self
            .last
            .map_or("the end".to_owned(), |symbol| format!("`{symbol}`"));
        self.error(format!("expected {expected}, found {found}"))
    }

    fn error(&self, problem: impl Into<String>) -> ParseError {
        ParseError {
            column: self.column,
            problem: problem.into(),
        }
    }
}

/// Writes a land, as its regions, boundaries and spots are ordered.
pub fn print_land(land: &Sketch) -> String {
    let mut text = String::new();
    let mut capitals: Vec<Option<usize>> = vec![None; land.letters()];
    let mut named = 0;
    for region in 0..land.regions() {
        if region > 0 {
            text.push('|');
        }
        let mut isolated = 0;
        let mut parts = Vec::new();
        for boundary in land.boundaries(region) {
            if boundary == [Spot::ISOLATED] {
                isolated += 1;
            } else {
                parts.push(print_boundary(boundary, &mut capitals, &mut named));
            }
        }
        match isolated {
            0 => {}
            1 => parts.insert(0, "0".to_owned()),
            _ => parts.insert(0, format!("0*{isolated}")),
        }
        text.push_str(&parts.join("."));
    }
    text
}

fn print_boundary(boundary: &[Spot], capitals: &mut [Option<usize>], named: &mut usize) -> String {
    let mut text = String::new();
    let mut small: Vec<usize> = Vec::new();
    for spot in boundary {
        let Some(number) = spot.number() else {
            text.push(if *spot == Spot::END { '1' } else { '2' });
            continue;
        };
        let copies = boundary.iter().filter(|other| *other == spot).count();
        if copies == 2 {
            let known = small.iter().position(|&other| other == number);
            let name = known.unwrap_or_else(|| {
                small.push(number);
                small.len() - 1
            });
            push_name(&mut text, name, b'a', 'm');
        } else {
            let name = *capitals[number].get_or_insert_with(|| {
                *named += 1;
                *named - 1
            });
            push_name(&mut text, name, b'A', 'n');
        }
    }
    text
}

/// The letter of an index from 0; beyond the alphabet its number in brackets.
fn push_name(text: &mut String, index: usize, first: u8, beyond: char) {
    match u8::try_from(index) {
        Ok(offset) if offset < 26 => text.push(char::from(first + offset)),
        _ => write!(text, "{beyond}({})", index - 25).expect("a string takes all that is written"),
    }
}
