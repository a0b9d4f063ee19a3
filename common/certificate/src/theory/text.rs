//! The lines of a certificate of theory.

use std::fmt::{self, Display};

use super::TheoryError;

/// The number of numbers in a line of a list.
const IN_LINE: usize = 20;

/// Reads lines: printable ASCII, each ended by a line feed.
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// The number of the line that was read last.
    number: u64,
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self {
            rest: bytes,
            number: 0,
        }
    }

    /// An error about the line that was read last.
    pub(super) fn error(&self, why: impl Into<String>) -> TheoryError {
        let (line, why) = (self.number, why.into());
        TheoryError::Malformed { line, why }
    }

    /// The next line.
    pub(super) fn next(&mut self) -> Result<&'a str, TheoryError> {
        self.number += 1;
        let Some(end) = self.rest.iter().position(|&byte| byte == b'\n') else {
            return Err(self.error("the file ends before this line does"));
        };
        let (line, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        let is_printable = line.iter().all(|byte| (b' '..=b'~').contains(byte));
        let text = std::str::from_utf8(line).ok().filter(|_| is_printable);
        text.ok_or_else(|| self.error("expected printable ASCII"))
    }

    /// What follows a word on the next line.
    pub(super) fn after(&mut self, word: &str) -> Result<&'a str, TheoryError> {
        let line = self.next()?;
        let rest = line.strip_prefix(word);
        let rest = rest.and_then(|rest| rest.strip_prefix(' '));
        rest.ok_or_else(|| self.error(format!("expected `{word}`, found `{line}`")))
    }

    /// A number after a word, at most `most`.
    pub(super) fn number_after(&mut self, word: &str, most: u32) -> Result<u32, TheoryError> {
        let text = self.after(word)?;
        self.number(text, most)
    }

    /// A decimal number without leading zeros, at most `most`.
    pub(super) fn number(&self, text: &str, most: u32) -> Result<u32, TheoryError> {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
        let is_plain = is_plain && (text == "0" || !text.starts_with('0'));
        let number: Option<u32> = text.parse().ok().filter(|_| is_plain);
        let number = number.filter(|&number| number <= most);
        number.ok_or_else(|| self.error(format!("expected a number up to {most}, found `{text}`")))
    }

    /// A line of this many numbers.
    pub(super) fn row(&mut self, length: usize, most: u32) -> Result<Vec<u32>, TheoryError> {
        let line = self.next()?;
        let numbers = line.split(' ').map(|text| self.number(text, most));
        let numbers: Vec<u32> = numbers.collect::<Result<_, _>>()?;
        if numbers.len() == length {
            Ok(numbers)
        } else {
            let found = numbers.len();
            Err(self.error(format!("expected {length} numbers, found {found}")))
        }
    }

    /// A list of this many numbers: lines of twenty, and the rest on the last line.
    pub(super) fn list(&mut self, length: usize, most: u32) -> Result<Vec<u32>, TheoryError> {
        let mut numbers = Vec::new();
        while numbers.len() < length {
            let left = length - numbers.len();
            numbers.extend(self.row(left.min(IN_LINE), most)?);
        }
        Ok(numbers)
    }

    /// Checks that `end` comes next, and then nothing.
    pub(super) fn end(&mut self) -> Result<(), TheoryError> {
        if self.next()? != "end" {
            return Err(self.error("expected `end`"));
        }
        if self.rest.is_empty() {
            Ok(())
        } else {
            self.number += 1;
            Err(self.error("expected nothing after `end`"))
        }
    }
}

/// Writes a list as [`Lines::list`] reads it.
pub(super) fn write_list(f: &mut fmt::Formatter<'_>, list: &[impl Display]) -> fmt::Result {
    list.chunks(IN_LINE).try_for_each(|line| write_row(f, line))
}

/// Writes a line of numbers.
pub(super) fn write_row(f: &mut fmt::Formatter<'_>, row: &[impl Display]) -> fmt::Result {
    for (place, number) in row.iter().enumerate() {
        let blank = if place == 0 { "" } else { " " };
        write!(f, "{blank}{number}")?;
    }
    writeln!(f)
}
