//! Positions as text, for lands that are written one by one with `+` between them.

use sproutnet_notation::ParseError;

use super::{Land, Position};

/// The text of a position without lands.
const NOTHING: &str = "0";

/// Reads a sum. `read` reads a term: it returns its lands, possibly none or several, or the problem with it.
///
/// # Errors
/// The problem from `read`, with the column at which the text of that land begins.
pub(crate) fn read_sum<L: IntoIterator<Item = Land>>(
    text: &str,
    mut read: impl FnMut(&str) -> Result<L, String>,
) -> Result<Position, ParseError> {
    let mut lands = Vec::new();
    let mut column = 1;
    for term in text.split('+') {
        lands.extend(read(term).map_err(|problem| ParseError { column, problem })?);
        column += term.chars().count() + 1;
    }
    Ok(Position::new(lands))
}

/// Prints a sum; `0` if it has no land.
pub(crate) fn print_sum(position: &Position, print: impl FnMut(&Land) -> String) -> String {
    if position.lands().is_empty() {
        return NOTHING.to_owned();
    }
    let lands: Vec<String> = position.lands().iter().map(print).collect();
    lands.join("+")
}
