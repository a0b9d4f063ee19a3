//! Octal and hexadecimal codes.
//!
//! The digit of t is the sum of what a move that takes t tokens from a heap may leave: 1 nothing, 2 one heap, 4 two
//! heaps, 8 three heaps. None of the heaps is empty.

use super::TheoryError;
use super::text::Lines;

/// The maximum number of digits after the point.
const MAX_DIGITS: usize = 10_000;

const NOTHING: u8 = 1;
const ONE: u8 = 2;
const TWO: u8 = 4;
const THREE: u8 = 8;

/// A code: its digits from that of 0 to that of k, and the one that repeats for ever after them, or 0.
#[derive(Clone, Debug)]
pub(super) struct Code {
    digits: Vec<u8>,
    repeated: u8,
}

impl Code {
    /// Reads the line `code …`.
    pub(super) fn read(lines: &mut Lines<'_>) -> Result<String, TheoryError> {
        let text = lines.after("code")?;
        let code = Self::of(text);
        code.map_err(|why| lines.error(format!("`{text}` is not a code: {why}")))?;
        Ok(text.to_owned())
    }

    /// Reads a code such as `0.77` or `4.3...`.
    pub(super) fn of(text: &str) -> Result<Self, &'static str> {
        let (written, repeats) = match text.strip_suffix("...") {
            Some(written) => (written, true),
            None => (text, false),
        };
        let mut digits = Vec::new();
        for (place, symbol) in written.bytes().enumerate() {
            match symbol {
                b'.' if place == 1 => {}
                b'0'..=b'9' if place != 1 => digits.push(symbol - b'0'),
                b'A'..=b'F' if place != 1 => digits.push(symbol - b'A' + 10),
                _ => return Err("expected a digit, a point, and digits 0 to 9 or A to F"),
            }
        }
        if digits.len() < 2 || digits.len() > MAX_DIGITS + 1 {
            return Err("expected 1 to 10000 digits after the point");
        }
        if digits[0] & (NOTHING | ONE) > 0 {
            return Err("the digit before the point is not 0, 4, 8 or C");
        }
        let mut repeated = 0;
        if repeats {
            repeated = digits.pop().unwrap_or(0);
            if !(1..TWO).contains(&repeated) {
                return Err("the repeated digit is not 1, 2 or 3");
            }
        }
        Ok(Self { digits, repeated })
    }

    /// k: all moves that take more tokens are alike.
    pub(super) fn most_taken(&self) -> usize {
        self.digits.len() - 1
    }

    /// The largest number of heaps that a move leaves, at least 1.
    pub(super) fn most_left(&self) -> usize {
        let all = self
            .digits
            .iter()
            .fold(self.repeated, |all, &digit| all | digit);
        match all {
            THREE.. => 3,
            TWO.. => 2,
            _ => 1,
        }
    }

    /// Whether any number of tokens above k may be taken from a larger heap.
    pub(super) fn takes_any(&self) -> bool {
        self.repeated & ONE > 0
    }

    /// The digit of a number of tokens.
    fn digit(&self, taken: usize) -> u8 {
        self.digits.get(taken).copied().unwrap_or(self.repeated)
    }

    /// Whether a move takes a whole heap of this size.
    pub(super) fn ends(&self, size: usize) -> bool {
        self.digit(size) & NOTHING > 0
    }

    /// The sizes of the single heaps that moves of at most k tokens leave.
    pub(super) fn singles(&self, size: usize) -> impl Iterator<Item = usize> {
        self.totals(size, ONE)
    }

    /// The totals of the two heaps that moves leave.
    pub(super) fn pairs(&self, size: usize) -> impl Iterator<Item = usize> {
        self.totals(size, TWO)
    }

    /// The totals of the three heaps that moves leave.
    pub(super) fn triples(&self, size: usize) -> impl Iterator<Item = usize> {
        self.totals(size, THREE)
    }

    /// The sizes of the single heaps that moves of more than k tokens leave.
    pub(super) fn far_singles(&self, size: usize) -> std::ops::Range<usize> {
        if self.takes_any() {
            1..size.saturating_sub(self.most_taken()).max(1)
        } else {
            1..1
        }
    }

    fn totals(&self, size: usize, bit: u8) -> impl Iterator<Item = usize> {
        let digits = self.digits.iter().take(size).enumerate();
        digits
            .filter(move |(_, digit)| **digit & bit > 0)
            .map(move |(taken, _)| size - taken)
    }
}
