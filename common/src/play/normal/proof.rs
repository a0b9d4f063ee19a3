//! What a step of a search tells of a land under normal play.

use super::super::{Convention, Outcome, State};
use crate::game::LandId;

/// Lands with at most that many moves left are valued at sight.
pub const AT_SIGHT: u32 = 5;

/// Nimbers above this are not kept as excluded; they are met rarely.
pub const LARGEST_EXCLUDED: u32 = 61;

/// What the outcome of a land and a nimber says of the land, as the value of a record. `None` if that
/// is not kept.
pub fn fact(nimber: u32, outcome: Outcome) -> Option<u64> {
    match outcome {
        Outcome::Loss => Some(u64::from(nimber) << 1 | 1),
        Outcome::Win => (nimber <= LARGEST_EXCLUDED).then_some(2 << nimber),
    }
}

/// The options of a land and a nimber, as far as possible resolved by what the convention knows.
/// `exclude` is given what they say of the land, as the value of a record. `None` if `stop` became
/// true.
pub fn options<C: Convention<Value = u32>>(
    convention: &C,
    land: LandId,
    nimber: u32,
    stop: &dyn Fn() -> bool,
    exclude: impl Fn(u64),
) -> Option<Vec<State<u32>>> {
    let options = convention.lands().options(land, stop)?;
    let mut states = Vec::with_capacity(options.len() + nimber as usize);
    for option in options.iter() {
        let mut option = State {
            lands: option.into(),
            value: 0,
        };
        convention.resolve(&mut option);
        if option.lands.is_empty()
            && let Some(fact) = fact(option.value, Outcome::Win)
        {
            // The land can move to that nimber, so it has another (Beling and Rogalski 2020).
            exclude(fact);
        }
        option.value ^= nimber;
        states.push(option);
    }
    states.extend((0..nimber).map(|smaller| State::single(land, smaller)));
    Some(states)
}
