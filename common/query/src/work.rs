//! The work of making options, as a number. It bounds the time of queries.

use sproutnet_game::Position;

/// The maximum work for one line of play, or for the moves on a page. That takes some hundredths of a second. Only
/// large positions need more.
pub(super) const MOST: usize = 15_000;

/// The length from which an encoded position counts as large, in bytes.
pub(super) const LARGE: usize = 64;

/// The length of an encoded position, in bytes.
pub(super) fn length(position: &Position) -> usize {
    let lands = position.lands().iter();
    lands.map(|land| land.as_bytes().len()).sum()
}

/// The work of making an option: 1, and more for a large position, since all of it is brought into canonical form.
pub(super) fn of(option: &Position) -> usize {
    1 + 4 * (length(option) / LARGE)
}
