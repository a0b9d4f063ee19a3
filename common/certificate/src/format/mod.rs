//! The file format: a gzip stream of text, so that anyone can read a certificate or write another checker.
//!
//! ```text
//! sproutnet certificate 1
//! game: sprouts
//! play: misere
//! position: 0*5
//! outcome: win
//! small: 8
//! tool: sproutnet 0.1.0
//! facts: 2
//! sha256: <of all bytes after the empty line, as 64 lowercase hexadecimal digits>
//!
//! 0*3.AB|0.AB = 2
//! 0*3.AB|1.AB & 2 & (2 3)+1 lost
//! ```
//!
//! [`Header`] is the part above the empty line, [`Fact`] a line below it, and [`Value`] the value of a land.
//! [`write()`] writes a certificate. [`Reader`] reads facts one by one. The specification is
//! `docs/reference/certificates.md`.

mod fact;
mod header;
mod reader;
mod ruleset;
#[cfg(test)]
mod tests;
mod value;
mod writer;

pub use fact::{Fact, MAX_VALUES};
pub use header::{Claim, Header};
pub use reader::{CertificateError, Line, Reader};
pub use ruleset::Ruleset;
pub use value::{MAX_HEAP, MAX_NESTING, Value};
pub use writer::write;

/// The first line of every certificate of this version.
pub const FIRST_LINE: &str = "sproutnet certificate 1";

/// The maximum length of a line, in bytes, without its end.
pub const MAX_LINE: usize = 1 << 20;

/// The reason why a part of a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct SyntaxError {
    /// The place in the text, in bytes from 1.
    pub column: usize,
    /// The expected and the found content.
    pub problem: String,
}

impl SyntaxError {
    fn new(column: usize, problem: impl Into<String>) -> Self {
        Self {
            column,
            problem: problem.into(),
        }
    }

    fn at(self, line: u64) -> CertificateError {
        CertificateError::Malformed { line, error: self }
    }

    /// The same error with `bytes` more bytes before the text.
    fn after(mut self, bytes: usize) -> Self {
        self.column += bytes;
        self
    }
}
