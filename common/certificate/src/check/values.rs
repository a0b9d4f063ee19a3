//! Values of lands under misère play: of small ones by the rules, of others by the facts.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::OutOfMemory;
use super::catalogue::Catalogue;
use super::games::{Game, Games, Sum};
use super::sprouts::form::Canoniser;
use super::sprouts::paper::Lands;
use super::sprouts::{Land, land, moves};

/// A sum of lands that are not valued, by number, and the values of all others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// Sorted.
    pub(super) lands: SmallVec<[u32; 4]>,
    pub(super) sum: Sum,
}

impl State {
    /// The memory that it takes in a set, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let lands = if self.lands.spilled() {
            4 * self.lands.capacity()
        } else {
            0
        };
        2 * size_of::<Self>() + lands + self.sum.heap_bytes()
    }
}

/// Values lands of so many lives by the rules.
#[derive(Clone)]
pub(super) struct Values {
    small: u32,
    pub(super) games: Games,
    known: FxHashMap<Land, Game>,
}

impl Values {
    pub(super) fn new(small: u32, games: Games) -> Self {
        Self {
            small,
            games,
            known: FxHashMap::default(),
        }
    }

    /// About how much memory they take.
    pub(super) fn bytes(&self) -> usize {
        self.games.bytes()
    }

    pub(super) fn is_small(&self, marks: &[land::Mark]) -> bool {
        land::lives(marks) <= self.small
    }

    /// The value of a small land.
    pub(super) fn value(
        &mut self,
        land: &Land,
        canoniser: &mut Canoniser,
    ) -> Result<Game, OutOfMemory> {
        if let Some(&game) = self.known.get(land) {
            return Ok(game);
        }
        let mut options = Vec::new();
        let flow = moves::each(land, &mut |lands| match self.of_all(lands, canoniser) {
            Ok(game) => {
                options.push(game);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(error),
        });
        if let ControlFlow::Break(error) = flow {
            return Err(error);
        }
        let game = self.games.simplified(options)?;
        let bytes = 2 * (land.bytes() + size_of::<(Land, Game)>());
        self.games.spend(bytes)?;
        self.known.insert(land.clone(), game);
        Ok(game)
    }

    /// The value of a sum of small lands.
    fn of_all(&mut self, lands: &Lands, canoniser: &mut Canoniser) -> Result<Game, OutOfMemory> {
        let mut sum = Game::ZERO;
        for index in 0..lands.len() {
            let land = canoniser.land(lands.marks(index));
            let value = self.value(&land, canoniser)?;
            sum = self.games.plus(sum, value)?;
        }
        Ok(sum)
    }

    /// Adds a land to a state: its value if it is small or the catalogue tells, or else its number. False if
    /// it has neither, and nothing was added.
    pub(super) fn fold(
        &mut self,
        marks: &[land::Mark],
        catalogue: &Catalogue<Game>,
        canoniser: &mut Canoniser,
        state: &mut State,
    ) -> Result<bool, OutOfMemory> {
        let value = if self.is_small(marks) {
            let land = canoniser.land(marks);
            Some(self.value(&land, canoniser)?)
        } else {
            let Some(number) = catalogue.find(marks, canoniser) else {
                return Ok(false);
            };
            let worth = catalogue.worth(number);
            if worth.is_none() {
                state.insert(number);
            }
            worth
        };
        if let Some(value) = value {
            self.games.add(&mut state.sum, value)?;
        }
        Ok(true)
    }
}

impl State {
    /// Adds a land that is not valued.
    pub(super) fn insert(&mut self, number: u32) {
        let at = self.lands.partition_point(|&before| before < number);
        self.lands.insert(at, number);
    }
}
