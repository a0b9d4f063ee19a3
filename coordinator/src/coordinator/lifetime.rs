//! How long the coordinator keeps what people share: matches and short addresses.

use crate::CoordinatorError;

/// The maximum number of each kind.
pub(super) const MOST: usize = 1000;

pub(super) const DAY: u64 = 24 * 60 * 60;

/// The time without a change after which one is removed, in seconds.
pub(super) const LIFETIME: u64 = 30 * DAY;

/// At the maximum number, the time without a change after which one is removed to make room, in seconds.
const IDLE: u64 = DAY;

/// The names of those to remove when another one is made. `idle` are all, each with the time without a change, in seconds.
///
/// # Errors
/// There are too many; `full` says of what.
pub(super) fn forgotten<'n>(
    idle: impl IntoIterator<Item = (u64, &'n String)>,
    full: &'static str,
) -> Result<Vec<String>, CoordinatorError> {
    let idle: Vec<(u64, &String)> = idle.into_iter().collect();
    let old = idle.iter().filter(|(idle, _)| *idle > LIFETIME);
    let mut forgotten: Vec<String> = old.map(|(_, name)| (*name).clone()).collect();
    if idle.len() - forgotten.len() >= MOST {
        let longest = idle.iter().max().filter(|(idle, _)| *idle > IDLE);
        forgotten.push(longest.ok_or(CoordinatorError::Full(full))?.1.clone());
    }
    Ok(forgotten)
}
