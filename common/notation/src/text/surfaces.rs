//! Positions on surfaces: the same [notation](super), with `@` and a surface after a region.
//!
//! `0*3@2` is on a sphere with two handles, `0*3@-1` on one with a crosscap; without a suffix, a region is on the
//! sphere. The suffix follows an older mark that ends a region, as in `12}@1`. A letter may be met on two boundaries of
//! a region.

use super::parser::Parser;
use super::{ParseError, ambiguity, mark_numbers, print_land};
use crate::raw::RawPosition;
use crate::surface::Surface;

/// Reads a position, from a text that has no other reading. Does not check that its regions fit together on one
/// surface.
///
/// # Errors
/// As for [`super::parse`]; or there is no such surface, a letter occurs only once, or a land is a number.
pub fn parse(text: &str) -> Result<RawPosition, ParseError> {
    let mut in_suffix = false;
    let spots = text.chars().map(|symbol| {
        in_suffix = symbol == '@' || in_suffix && !matches!(symbol, '|' | '+');
        if in_suffix { ' ' } else { symbol }
    });
    ambiguity::check_numbers(&spots.collect::<String>(), ambiguity::Start::Spots)?;
    let parsed = Parser::of(text).with_surfaces().position()?;
    parsed.check_pairs()?;
    Ok(parsed.raw)
}

/// The text of a land, as [`parse`] reads it.
pub fn print(land: &RawPosition) -> String {
    let text = mark_numbers(&print_land(land));
    let regions = text.split('|').enumerate();
    let regions = regions.map(|(region, text)| match land.surface(region) {
        Surface::SPHERE => text.to_owned(),
        surface => format!("{text}@{}", surface.handles()),
    });
    regions.collect::<Vec<_>>().join("|")
}
