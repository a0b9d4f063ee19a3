//! What a step of a search tells of a land under normal play.

use std::ops::ControlFlow;

use super::super::{Convention, Outcome, State};
use crate::game::{LandId, Look};

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

/// The options of a land and a nimber on their way: they are folded as they are found.
pub struct Folding<'a, C> {
    /// Resolves them.
    pub convention: &'a C,
    /// The land.
    pub land: LandId,
    /// The nimber.
    pub nimber: u32,
    /// Is given what they say of the land, as the value of a record.
    pub exclude: &'a dyn Fn(u64),
    /// Whether something was told of a land by its hash: see [`Look`].
    pub is_told: &'a dyn Fn(u128) -> bool,
    /// Takes them.
    pub sink: &'a mut dyn FnMut(State<u32>) -> ControlFlow<()>,
}

impl<C: Convention<Value = u32>> Folding<'_, C> {
    /// Hands them on, as far as possible resolved by what the convention knows: see
    /// [`Convention::each_option`].
    pub fn each(mut self, stop: &dyn Fn() -> bool) -> Option<ControlFlow<()>> {
        let lands = self.convention.lands();
        if lands.look(self.land, stop, &mut self)?.is_break() {
            return Some(ControlFlow::Break(()));
        }
        Some(smaller(self.land, self.nimber).try_for_each(self.sink))
    }
}

/// The options of a land and a nimber as they are, given all those of the land.
pub fn unfolded<'a>(
    land: LandId,
    nimber: u32,
    options: impl Iterator<Item = &'a [LandId]>,
) -> impl Iterator<Item = State<u32>> {
    let with_nimber = move |lands: &[LandId]| State {
        lands: lands.into(),
        value: nimber,
    };
    options.map(with_nimber).chain(smaller(land, nimber))
}

/// The options in which the nimber is made smaller.
fn smaller(land: LandId, nimber: u32) -> impl Iterator<Item = State<u32>> {
    (0..nimber).map(move |smaller| State::single(land, smaller))
}

impl<C: Convention<Value = u32>> Look for Folding<'_, C> {
    fn is_told(&self, hash: u128) -> bool {
        (self.is_told)(hash)
    }

    fn option(&mut self, lands: &[LandId]) -> ControlFlow<()> {
        let mut option = State {
            lands: lands.into(),
            value: self.nimber,
        };
        self.convention.resolve(&mut option);
        if option.lands.is_empty()
            && let Some(fact) = fact(option.value ^ self.nimber, Outcome::Win)
        {
            // The land can move to that nimber, so it has another (Beling and Rogalski 2020).
            (self.exclude)(fact);
        }
        (self.sink)(option)
    }
}
