//! A match as text, short enough for an address.
//!
//! A move is the numbers of its two spots, with one digit each, the index of its new spot and the number of its points,
//! with two digits each, and the points. All digits are those of base 64 for addresses (RFC 4648, section 5). A
//! coordinate has two digits, in quarters, or four, in parts of 2⁻¹⁴: after `.` and after `~`.

use super::stroke::MOST_POINTS;
use super::{GRAIN, Stroke};
use crate::point::Point;

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The text is no match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no match: a move is incomplete")]
pub struct CodeError;

/// The points of a hand as text: two digits for each coordinate, in quarters.
///
/// # Errors
/// The text is not made of points.
pub fn hand(text: &str) -> Result<Vec<Point>, CodeError> {
    let digits: Option<Vec<f64>> = text
        .bytes()
        .map(|byte| {
            let value = DIGITS.iter().position(|&of| of == byte)?;
            Some(value as f64)
        })
        .collect();
    let digits = digits.ok_or(CodeError)?;
    let (points, []) = digits.as_chunks::<4>() else {
        return Err(CodeError);
    };
    let coordinate = |high: f64, low: f64| (64.0 * high + low) * 0.25;
    let point = |&[a, b, c, d]: &[f64; 4]| Point::new(coordinate(a, b), coordinate(c, d));
    Ok(points.iter().map(point).collect())
}

impl Stroke {
    /// The move as text.
    pub fn code(&self) -> String {
        let is_coarse = self
            .points
            .iter()
            .all(|point| (point.x * 4.0).fract() == 0.0 && (point.y * 4.0).fract() == 0.0);
        let (mark, digits, unit) = if is_coarse {
            ('.', 2, 0.25)
        } else {
            ('~', 4, GRAIN)
        };
        let mut out = String::from(mark);
        for (number, digits) in [
            (self.ends[0], 1),
            (self.ends[1], 1),
            (self.spot, 2),
            (self.points.len(), 2),
        ] {
            write(number as u64, digits, &mut out);
        }
        for value in self.points.iter().flat_map(|point| [point.x, point.y]) {
            write((value / unit) as u64, digits, &mut out);
        }
        out
    }

    /// Reads moves.
    ///
    /// # Errors
    /// The text is not made of moves.
    pub fn decode(text: &str) -> Result<Vec<Self>, CodeError> {
        let mut rest = text.bytes();
        let mut strokes = Vec::new();
        while let Some(mark) = rest.next() {
            let (digits, unit) = match mark {
                b'.' => (2, 0.25),
                b'~' => (4, GRAIN),
                _ => return Err(CodeError),
            };
            let mut read = |digits: usize| {
                let mut number = 0_u64;
                for _ in 0..digits {
                    let digit = rest.next().ok_or(CodeError)?;
                    let value = DIGITS.iter().position(|&of| of == digit).ok_or(CodeError)?;
                    number = number * 64 + value as u64;
                }
                Ok(number)
            };
            let ends = [read(1)? as usize, read(1)? as usize];
            let (spot, count) = (read(2)? as usize, read(2)? as usize);
            let mut points = Vec::with_capacity(count.min(MOST_POINTS));
            for _ in 0..count {
                points.push(Point::new(
                    read(digits)? as f64 * unit,
                    read(digits)? as f64 * unit,
                ));
            }
            strokes.push(Self { ends, points, spot });
        }
        Ok(strokes)
    }
}

fn write(number: u64, digits: u32, out: &mut String) {
    for place in (0..digits).rev() {
        let digit = (number >> (6 * place)) & 63;
        out.push(char::from(DIGITS[digit as usize]));
    }
}
