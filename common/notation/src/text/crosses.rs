//! Positions of games with crosses: the same [notation](super), and `x` for a cross without lines.
//!
//! A cross has four free ends. Each can take one line, as a spot that occurs once and has two lines already, so `x` is
//! the boundary `2222`. It stands alone on its boundary, and `x*3` is `x.x.x`. Elsewhere on a boundary, `x` is a
//! letter.

use super::parser::Parser;
use super::print::print;
use super::{ParseError, ambiguity};
use crate::raw::RawPosition;

/// Reads a position, as [`super::parse`] does.
///
/// # Errors
/// As for [`super::parse`].
pub fn parse(text: &str) -> Result<RawPosition, ParseError> {
    Ok(Parser::of(text).with_crosses().position()?.raw)
}

/// Reads a position that can be drawn in the plane.
///
/// # Errors
/// As for [`super::parse_drawable`].
pub fn parse_drawable(text: &str) -> Result<RawPosition, ParseError> {
    Parser::of(text).with_crosses().position()?.drawable()
}

/// Reads a position that can be drawn in the plane, from a text that has no other reading.
///
/// # Errors
/// As for [`super::parse_unambiguous`].
pub fn parse_unambiguous(text: &str) -> Result<RawPosition, ParseError> {
    ambiguity::check_numbers(text, ambiguity::Start::Crosses)?;
    let parsed = Parser::of(text).with_crosses().position()?;
    parsed.check_pairs()?;
    parsed.drawable()
}

/// The text of a land, as [`super::print_land`] writes it. The crosses of a region follow its isolated spots.
pub fn print_land(land: &RawPosition) -> String {
    print(land, true)
}
