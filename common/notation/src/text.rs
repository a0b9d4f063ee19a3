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
//! - `0`, `1`, `2`, `3`: a spot with 0, 1, 2 or 3 lines. `0` is alone on its boundary; `0*5` is
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
//! [`crosses`] has the additions for games with crosses, [`surfaces`] those for surfaces.
//!
//! - [`parse`] reads any position in the notation. A letter that occurs only once counts as a `2`. It rejects a letter
//!   that occurs twice in one region but on different boundaries.
//! - [`parse_drawable`] also rejects positions that cannot be drawn in the plane.
//! - [`parse_unambiguous`] also rejects texts with two readings: a letter that occurs only once, and a land that is a
//!   number. `21` could be 21 spots, which is `0*21`, or a boundary, which is [marked](mark_numbers) as `21}`.

mod ambiguity;
pub mod crosses;
mod parser;
mod print;
pub mod surfaces;

use self::parser::Parser;
use crate::raw::RawPosition;

pub use self::ambiguity::{is_number, mark_numbers};
pub use self::print::print_land;

/// The text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct ParseError {
    /// The column of the problem, in characters from 1.
    pub column: usize,
    /// The expected and the found text.
    pub problem: String,
}

/// Reads a position.
///
/// # Errors
/// The text is not in the notation, or the position has more than [`MAX_LIVES`](crate::MAX_LIVES) lives.
pub fn parse(text: &str) -> Result<RawPosition, ParseError> {
    Ok(Parser::of(text).position()?.raw)
}

/// Reads a position that can be drawn in the plane.
///
/// # Errors
/// As for [`parse`], or no drawing has these regions.
pub fn parse_drawable(text: &str) -> Result<RawPosition, ParseError> {
    Parser::of(text).position()?.drawable()
}

/// Reads a position that can be drawn in the plane, from a text that has no other reading.
///
/// # Errors
/// As for [`parse_drawable`]; or a letter occurs only once, or a land is a number.
pub fn parse_unambiguous(text: &str) -> Result<RawPosition, ParseError> {
    ambiguity::check_numbers(text, ambiguity::Start::Spots)?;
    let parsed = Parser::of(text).position()?;
    parsed.check_pairs()?;
    parsed.drawable()
}

#[cfg(test)]
mod tests;
