//! Values of lands under misère play. Small lands are valued by the rules, others by the facts.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::catalogue::Catalogue;
use super::games::{Game, Games, Sum};
use super::halt::Halt;
use super::sprouts::canonical::Canoniser;
use super::sprouts::working_position::Lands;
use super::sprouts::{Land, land, moves};
use crate::format::Ruleset;

/// A sum: the numbers of the lands without a value, and the values of all others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// Sorted.
    pub(super) lands: Vec<u32>,
    pub(super) sum: Sum,
}

impl State {
    /// Adds a land without a value.
    pub(super) fn insert(&mut self, number: u32) {
        let at = self.lands.partition_point(|&before| before < number);
        self.lands.insert(at, number);
    }

    /// Sets this to `state` with its land at `place` replaced by an option of that land.
    pub(super) fn set_replaced(&mut self, state: &Self, place: usize, option: &Self) {
        self.lands.clone_from(&state.lands);
        self.lands.remove(place);
        for &land in &option.lands {
            self.insert(land);
        }
        self.sum.set_joined(&state.sum, &option.sum);
    }

    /// The memory in a set, in bytes.
    pub(super) fn bytes(&self) -> usize {
        2 * size_of::<Self>() + size_of_val(&*self.lands) + self.sum.heap_bytes()
    }
}

/// Values of lands, with caches.
#[derive(Clone)]
pub(super) struct Values {
    pub(super) game: Ruleset,
    /// The maximum rank of a land that is valued by the rules.
    small: u32,
    pub(super) games: Games,
    pub(super) canoniser: Canoniser,
    known: FxHashMap<Land, Game>,
}

impl Values {
    pub(super) fn new(game: Ruleset, small: u32, games: Games, canoniser: Canoniser) -> Self {
        Self {
            game,
            small,
            games,
            canoniser,
            known: FxHashMap::default(),
        }
    }

    /// The same values with another canoniser and its cache.
    pub(super) fn with(self, canoniser: Canoniser) -> Self {
        Self { canoniser, ..self }
    }

    pub(super) fn is_small(&self, marks: &[land::Mark]) -> bool {
        self.game.rank(marks) <= self.small
    }

    /// The value of a small land.
    fn value(&mut self, land: &Land) -> Result<Game, Halt> {
        if let Some(&game) = self.known.get(land) {
            return Ok(game);
        }
        let mut options = Vec::new();
        let flow = moves::each(
            land,
            self.game,
            &mut |lands| match self.value_of_sum(lands) {
                Ok(game) => {
                    options.push(game);
                    ControlFlow::Continue(())
                }
                Err(error) => ControlFlow::Break(error),
            },
        );
        flow.break_value().map_or(Ok(()), Err)?;
        let game = self.games.simplified(options)?;
        let bytes = 2 * (land.bytes() + size_of::<(Land, Game)>());
        self.games.spend(bytes)?;
        self.known.insert(land.clone(), game);
        Ok(game)
    }

    /// The value of a sum of small lands.
    fn value_of_sum(&mut self, lands: &Lands) -> Result<Game, Halt> {
        let mut sum = Game::ZERO;
        for index in 0..lands.len() {
            let land = self.canoniser.land(lands.marks(index))?;
            let value = self.value(&land)?;
            sum = self.games.plus(sum, value)?;
        }
        Ok(sum)
    }

    /// Adds a land to a state: its value if it is small or has one in the catalogue, else its number in the
    /// catalogue. If it has neither, adds nothing and returns false.
    pub(super) fn fold(
        &mut self,
        marks: &[land::Mark],
        catalogue: &Catalogue<Game>,
        state: &mut State,
    ) -> Result<bool, Halt> {
        let value = if self.is_small(marks) {
            let land = self.canoniser.land(marks)?;
            self.value(&land)?
        } else {
            let Some(number) = catalogue.find(marks, &mut self.canoniser)? else {
                return Ok(false);
            };
            let Some(value) = catalogue.worth(number) else {
                state.insert(number);
                return Ok(true);
            };
            value
        };
        self.games.add(&mut state.sum, value)?;
        Ok(true)
    }

    /// A state of lands in the catalogue, with each valued land folded.
    pub(super) fn folded(
        &mut self,
        state: &State,
        catalogue: &Catalogue<Game>,
    ) -> Result<State, Halt> {
        let mut folded = State {
            lands: Vec::new(),
            sum: state.sum.clone(),
        };
        for &number in &state.lands {
            self.fold(catalogue.land(number).marks(), catalogue, &mut folded)?;
        }
        Ok(folded)
    }
}
