//! Sets as text.

use sproutnet_notation::ParseError;

use super::bytes::{self, END, Parts};
use super::{DEEPEST, LONGEST, MOST};
use crate::{Land, Position};

/// Reads a sum of games.
pub(super) fn read(text: &str) -> Result<Position, ParseError> {
    let mut reader = Reader {
        symbols: text.chars().collect(),
        at: 0,
    };
    let mut lands = Vec::new();
    loop {
        reader.skip_blanks();
        let begin = reader.at;
        let land = reader.game(0)?;
        if land.len() > LONGEST {
            reader.at = begin;
            return Err(reader.error(&format!("a game has at most {LONGEST} bytes")));
        }
        if land != END {
            lands.push(Land::from_canonical(&land));
        }
        reader.skip_blanks();
        match reader.symbol() {
            None => return Ok(Position::new(lands)),
            Some('+') => reader.at += 1,
            Some(_) => return Err(reader.expected("`+` or the end")),
        }
    }
}

/// Prints a game.
pub(super) fn print(land: &[u8]) -> String {
    match bytes::parts(land) {
        Parts::Heap(0) => "0".to_owned(),
        Parts::Heap(size) => format!("*{size}"),
        Parts::Set(options) => {
            let options: Vec<String> = options.map(print).collect();
            format!("{{{}}}", options.join(","))
        }
    }
}

struct Reader {
    symbols: Vec<char>,
    at: usize,
}

impl Reader {
    fn symbol(&self) -> Option<char> {
        self.symbols.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.symbol().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Reads `0`, a heap or a set, as bytes.
    fn game(&mut self, depth: usize) -> Result<Vec<u8>, ParseError> {
        match self.symbol() {
            Some('{') if depth == DEEPEST => {
                Err(self.error(&format!("at most {DEEPEST} sets are within one another")))
            }
            Some('{') => self.set(depth),
            Some('*') => {
                self.at += 1;
                self.size().map(|size| vec![0, size])
            }
            Some('0') => {
                self.at += 1;
                Ok(END.to_vec())
            }
            Some('1'..='9') => Err(self
                .expected("`0`, a heap such as `*2`, or a set such as `{*2}`; a heap has a star")),
            _ => Err(self.expected("`0`, a heap such as `*2`, or a set such as `{0,{*2}}`")),
        }
    }

    /// Reads the size of a heap. A star alone is `*1`.
    fn size(&mut self) -> Result<u8, ParseError> {
        let digits = self.symbols[self.at..].iter();
        let digits: String = digits
            .take_while(|symbol| symbol.is_ascii_digit())
            .collect();
        if digits.is_empty() {
            return Ok(1);
        }
        let size = digits.parse();
        let size = size.map_err(|_| self.expected(&format!("the size of a heap, up to {MOST}")))?;
        self.at += digits.len();
        Ok(size)
    }

    fn set(&mut self, depth: usize) -> Result<Vec<u8>, ParseError> {
        let begin = self.at;
        self.at += 1;
        self.skip_blanks();
        let mut options = Vec::new();
        if self.symbol() != Some('}') {
            loop {
                options.push(self.game(depth + 1)?);
                self.skip_blanks();
                match self.symbol() {
                    Some('}') => break,
                    Some(',') => self.at += 1,
                    _ => return Err(self.expected("`,` or `}`")),
                }
                self.skip_blanks();
            }
        }
        self.at += 1;
        bytes::set(options).ok_or_else(|| {
            self.at = begin;
            self.error(&format!("a set has at most {MOST} options"))
        })
    }

    fn expected(&self, what: &str) -> ParseError {
        let found: String = self.symbols[self.at..].iter().take(1).collect();
        let found = match found.as_str() {
            "" => "the end".to_owned(),
            found => format!("`{found}`"),
        };
        self.error(&format!("expected {what}, found {found}"))
    }

    fn error(&self, problem: &str) -> ParseError {
        ParseError {
            column: self.at + 1,
            problem: problem.to_owned(),
        }
    }
}
