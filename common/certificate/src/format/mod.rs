//! Certificates as files: a gzip stream of text, so that anyone can look at one or write another checker.
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
//! sha256: <of all bytes after the empty line, as 64 small hexadecimal digits>
//!
//! 0*3.AB|0.AB = 2
//! 0*3.AB|1.AB & 2 & (2 3)+1 lost
//! ```
//!
//! [`Header`] is what stands above the empty line, [`Fact`] a line below it, [`Value`] what a land may be
//! worth. [`Writer`] writes and [`Reader`] reads them one by one, so that neither keeps a file in memory.
//! `docs/proofs.md` has the grammar and says what the facts mean.

mod fact;
mod header;
mod reader;
#[cfg(test)]
mod tests;
mod value;
mod writer;

pub use fact::Fact;
pub use header::{Claim, Header};
pub use reader::{CertificateError, Line, Reader};
pub use value::{MAX_HEAP, MAX_NESTING, Value};
pub use writer::Writer;

/// The first line of every certificate of this version.
pub const FIRST_LINE: &str = "sproutnet certificate 1";

/// The longest line that is read, in bytes, without its end.
pub const MAX_LINE: usize = 1 << 20;

/// Why a part of a line cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct SyntaxError {
    /// Where in the text, counted in bytes from 1.
    pub column: usize,
    /// What was expected there, and what was found.
    pub problem: String,
}

impl SyntaxError {
    fn new(column: usize, problem: impl Into<String>) -> Self {
        Self {
            column,
            problem: problem.into(),
        }
    }

    /// The same place in a text that has so many bytes more in front.
    fn after(mut self, bytes: usize) -> Self {
        self.column += bytes;
        self
    }
}
