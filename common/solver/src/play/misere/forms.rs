//! The reduced canonical forms of positions of any size, within limits of time and memory.
//!
//! A search values only small lands, because the forms of larger ones take more time than they save. Here a person asked
//! for one: all lands that can be reached are valued, smallest first.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};

pub use super::form::Form;
use super::genus::Class;
use super::tree::{Tree, Trees};
use sproutnet_game::{Game, LandId, Lands, Position};

/// The maximum number of moves of a position. Sums and genera recurse as deep as the longest play.
const MOST_MOVES: u32 = 1000;

/// The number of steps between two looks at the memory.
const STEPS: u32 = 64;

/// The limits of one question.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The deadline.
    pub until: Instant,
    /// The maximum memory of lands and forms together, in bytes.
    pub bytes: usize,
}

/// Why a form was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stopped {
    /// The deadline passed.
    #[error("it takes longer than the time limit")]
    Time,
    /// The lands and forms would take too much memory.
    #[error("it takes more memory than the limit")]
    Memory,
    /// The position has too many moves left.
    #[error("it may have more than {MOST_MOVES} moves left")]
    Moves,
}

/// The forms of the lands of one game. They are kept for later questions.
pub struct Forms {
    lands: Lands,
    trees: Trees,
    found: FxHashMap<LandId, Tree>,
}

impl Forms {
    /// No forms yet.
    pub fn new(game: Arc<dyn Game>) -> Self {
        Self {
            lands: Lands::new(game),
            trees: Trees::new(),
            found: FxHashMap::default(),
        }
    }

    /// The table of the forms.
    pub fn trees(&self) -> &Trees {
        &self.trees
    }

    /// The reduced canonical form of a position.
    ///
    /// # Errors
    /// A limit is reached.
    pub fn of(&mut self, position: &Position, limits: Limits) -> Result<Tree, Stopped> {
        if self.lands.game().max_moves_of(position) > MOST_MOVES {
            return Err(Stopped::Moves);
        }
        let ids = self.lands.intern_position(position);
        for land in self.below(&ids, limits)? {
            let form = self.of_land(land, limits)?;
            self.found.insert(land, form);
        }
        self.within(limits, |stop| self.sum(&ids, stop))
    }

    /// The genus of a form, and whether it is tame.
    ///
    /// # Errors
    /// A limit is reached.
    pub fn class(&self, form: Tree, limits: Limits) -> Result<Class, Stopped> {
        self.within(limits, |stop| self.trees.class_until(form, &stop))
    }

    /// The lands without a form that can be reached from some lands, and these, smallest first.
    fn below(&self, lands: &[LandId], limits: Limits) -> Result<Vec<LandId>, Stopped> {
        let mut open = lands.to_vec();
        let mut met = FxHashSet::default();
        self.within(limits, |stop| {
            while let Some(land) = open.pop() {
                // A land with few options is expanded without that question.
                if stop() {
                    return None;
                }
                if !self.found.contains_key(&land) && met.insert(land) {
                    open.extend(self.lands.options(land, stop)?.iter().flatten());
                }
            }
            Some(())
        })?;
        let mut met: Vec<LandId> = met.into_iter().collect();
        met.sort_by_key(|&land| self.lands.max_moves(land));
        Ok(met)
    }

    /// The form of a land, if those of all lands of its options are found.
    fn of_land(&self, land: LandId, limits: Limits) -> Result<Tree, Stopped> {
        self.within(limits, |stop| {
            if stop() {
                return None;
            }
            let options = self.lands.options(land, stop)?.iter();
            let forms: Option<Vec<Tree>> = options.map(|option| self.sum(option, stop)).collect();
            Some(self.trees.simplify(&forms?))
        })
    }

    /// The form of a sum of lands whose forms are found.
    fn sum(&self, lands: &[LandId], stop: &dyn Fn() -> bool) -> Option<Tree> {
        let mut forms = lands.iter().map(|land| self.found[land]);
        forms.try_fold(Tree::ZERO, |sum, form| {
            self.trees.add_until(sum, form, &|| stop())
        })
    }

    /// The result of `work`, which asks at each step whether to stop.
    fn within<T>(
        &self,
        limits: Limits,
        work: impl FnOnce(&dyn Fn() -> bool) -> Option<T>,
    ) -> Result<T, Stopped> {
        let (steps, stopped) = (Cell::new(0_u32), Cell::new(None));
        let stop = || {
            let step = steps.replace(steps.get().wrapping_add(1));
            let bytes = || self.lands.bytes() + self.trees.bytes();
            if Instant::now() >= limits.until {
                stopped.set(Some(Stopped::Time));
            } else if step.is_multiple_of(STEPS) && bytes() > limits.bytes {
                stopped.set(Some(Stopped::Memory));
            }
            stopped.get().is_some()
        };
        let result = work(&stop);
        result.ok_or_else(|| stopped.get().unwrap_or(Stopped::Time))
    }
}

#[cfg(test)]
mod tests;
