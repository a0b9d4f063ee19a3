//! Matches and freely made drawings as text, short enough for an address.
//!
//! All digits are those of base 64 for addresses (RFC 4648, section 5). A coordinate has two digits, in quarters, or
//! four, in parts of 2⁻¹⁴.
//!
//! A move is the numbers of its two spots, with one digit each, the index of its new spot and the number of its points,
//! with two digits each, and the points. Coordinates have two digits after `.`, and four after `~`. After `:` before
//! either, the numbers of the two spots have two digits each, because one of them is 64 or more. `*` after a move evens
//! out the drawing. `x` before the whole puts a cross on the line. `r` before that makes room by
//! [`Revision::Returns`], and no `r` by [`Revision::First`].
//!
//! An edit begins with a letter: `s` and the place of a spot; `l`, the numbers of two spots, with one digit each, the
//! number of points, with two, and the points of a line; in both, four digits for coordinates after a capital letter;
//! `e` evens out; `x` and a digit remove a spot; `c` and two digits remove a line; `m` and two digits put a spot on it,
//! `b` and two digits a cross. `k` and a place put a cross on the sheet, `p` a free end, and `q` the middle of a cross.
//! `-` makes everything before it one step.

use super::stroke::MOST_POINTS;
use super::{Edit, Mark, Revision, Stroke};
use crate::paper::GRAIN;
use crate::point::Point;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The format of coordinates: the number of digits of each, and the unit.
type Precision = (u32, f64);

const COARSE: Precision = (2, 0.25);
const FINE: Precision = (4, GRAIN);

/// The text is no match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no match: a move is incomplete")]
pub struct CodeError;

/// The points of a hand as text: two digits for each coordinate, in quarters.
///
/// # Errors
/// The text is not made of points.
pub fn hand(text: &str) -> Result<Vec<Point>, CodeError> {
    let mut rest = Digits(text.as_bytes());
    let mut points = Vec::new();
    while !rest.0.is_empty() {
        points.push(rest.point(COARSE)?);
    }
    Ok(points)
}

impl Stroke {
    /// The move as text.
    pub fn code(&self) -> String {
        let precision = precision(&self.points);
        let mut out = String::new();
        if self.revision == Revision::Returns {
            out.push('r');
        }
        if self.mark == Mark::Cross {
            out.push('x');
        }
        let is_wide = self.ends.iter().any(|&end| end >= DIGITS.len());
        if is_wide {
            out.push(':');
        }
        out.push(if precision == COARSE { '.' } else { '~' });
        let of_spot = if is_wide { 2 } else { 1 };
        for (number, digits) in [
            (self.ends[0], of_spot),
            (self.ends[1], of_spot),
            (self.spot, 2),
            (self.points.len(), 2),
        ] {
            write(number as u64, digits, &mut out);
        }
        write_points(&self.points, precision, &mut out);
        if self.is_tidied {
            out.push('*');
        }
        out
    }

    /// Reads moves.
    ///
    /// # Errors
    /// The text is not made of moves.
    pub fn decode(text: &str) -> Result<Vec<Self>, CodeError> {
        let mut rest = Digits(text.as_bytes());
        let mut strokes: Vec<Self> = Vec::new();
        while let Some(mut mark) = rest.mark() {
            if mark == b'*' {
                strokes.last_mut().ok_or(CodeError)?.is_tidied = true;
                continue;
            }
            let mut revision = Revision::First;
            if mark == b'r' {
                revision = Revision::Returns;
                mark = rest.mark().ok_or(CodeError)?;
            }
            let mut of_move = Mark::Spot;
            if mark == b'x' {
                of_move = Mark::Cross;
                mark = rest.mark().ok_or(CodeError)?;
            }
            let mut of_spot = 1;
            if mark == b':' {
                of_spot = 2;
                mark = rest.mark().ok_or(CodeError)?;
            }
            let precision = match mark {
                b'.' => COARSE,
                b'~' => FINE,
                _ => return Err(CodeError),
            };
            let ends = [rest.index(of_spot)?, rest.index(of_spot)?];
            let (spot, count) = (rest.index(2)?, rest.index(2)?);
            let points = rest.points(count, precision)?;
            strokes.push(Self {
                revision,
                ..Self::new(ends, points, spot).with(of_move)
            });
        }
        Ok(strokes)
    }
}

impl Edit {
    /// The edit as text.
    pub fn code(&self) -> String {
        let mut out = String::new();
        let (letter, number, digits) = match self {
            Self::Spot(at) => return at_place('s', *at),
            Self::Cross(at) => return at_place('k', *at),
            Self::End(at) => return at_place('p', *at),
            Self::Middle(at) => return at_place('q', *at),
            Self::Line(ends, points) => {
                let precision = precision(points);
                out.push(if precision == COARSE { 'l' } else { 'L' });
                for (number, digits) in [(ends[0], 1), (ends[1], 1), (points.len(), 2)] {
                    write(number as u64, digits, &mut out);
                }
                write_points(points, precision, &mut out);
                return out;
            }
            Self::Even => ('e', 0, 0),
            Self::Given => ('-', 0, 0),
            Self::RemoveSpot(spot) => ('x', *spot, 1),
            Self::RemoveLine(line) => ('c', *line, 2),
            Self::Divide(line) => ('m', *line, 2),
            Self::Bar(line) => ('b', *line, 2),
        };
        out.push(letter);
        write(number as u64, digits, &mut out);
        out
    }

    /// Reads the first edit of a text. Returns it with the rest of the text; `None` if the text is empty.
    ///
    /// # Errors
    /// The text does not begin with an edit.
    pub fn first(text: &str) -> Result<Option<(Self, &str)>, CodeError> {
        let mut rest = Digits(text.as_bytes());
        let Some(mark) = rest.mark() else {
            return Ok(None);
        };
        let precision = if mark.is_ascii_lowercase() {
            COARSE
        } else {
            FINE
        };
        let edit = match mark {
            b's' | b'S' => Self::Spot(rest.point(precision)?),
            b'k' | b'K' => Self::Cross(rest.point(precision)?),
            b'p' | b'P' => Self::End(rest.point(precision)?),
            b'q' | b'Q' => Self::Middle(rest.point(precision)?),
            b'l' | b'L' => {
                let ends = [rest.index(1)?, rest.index(1)?];
                let count = rest.index(2)?;
                Self::Line(ends, rest.points(count, precision)?)
            }
            b'e' => Self::Even,
            b'-' => Self::Given,
            b'x' => Self::RemoveSpot(rest.index(1)?),
            b'c' => Self::RemoveLine(rest.index(2)?),
            b'm' => Self::Divide(rest.index(2)?),
            b'b' => Self::Bar(rest.index(2)?),
            _ => return Err(CodeError),
        };
        // Only ASCII was read, so the rest begins with a whole character.
        Ok(Some((edit, &text[text.len() - rest.0.len()..])))
    }
}

/// The digits that are left to read.
struct Digits<'t>(&'t [u8]);

impl Digits<'_> {
    fn mark(&mut self) -> Option<u8> {
        let (&mark, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(mark)
    }

    fn number(&mut self, digits: u32) -> Result<u64, CodeError> {
        let mut number = 0;
        for _ in 0..digits {
            let digit = self.mark().ok_or(CodeError)?;
            let value = DIGITS.iter().position(|&of| of == digit).ok_or(CodeError)?;
            number = number * 64 + value as u64;
        }
        Ok(number)
    }

    fn index(&mut self, digits: u32) -> Result<usize, CodeError> {
        self.number(digits).map(|number| number as usize)
    }

    fn point(&mut self, (digits, unit): Precision) -> Result<Point, CodeError> {
        let mut coordinate = || self.number(digits).map(|number| number as f64 * unit);
        Ok(Point::new(coordinate()?, coordinate()?))
    }

    fn points(&mut self, count: usize, precision: Precision) -> Result<Vec<Point>, CodeError> {
        let mut points = Vec::with_capacity(count.min(MOST_POINTS));
        for _ in 0..count {
            points.push(self.point(precision)?);
        }
        Ok(points)
    }
}

/// An edit at a place: its letter, which is a capital one before fine coordinates, and the place.
fn at_place(letter: char, at: Point) -> String {
    let precision = precision(&[at]);
    let mut out = String::from(if precision == COARSE {
        letter
    } else {
        letter.to_ascii_uppercase()
    });
    write_points(&[at], precision, &mut out);
    out
}

/// The coarsest precision that represents these points exactly.
fn precision(points: &[Point]) -> Precision {
    let is_coarse = |value: f64| (value / COARSE.1).fract() == 0.0;
    if points.iter().all(|at| is_coarse(at.x) && is_coarse(at.y)) {
        COARSE
    } else {
        FINE
    }
}

fn write_points(points: &[Point], (digits, unit): Precision, out: &mut String) {
    for value in points.iter().flat_map(|point| [point.x, point.y]) {
        write((value / unit) as u64, digits, out);
    }
}

fn write(number: u64, digits: u32, out: &mut String) {
    for place in (0..digits).rev() {
        let digit = (number >> (6 * place)) & 63;
        out.push(char::from(DIGITS[digit as usize]));
    }
}
