//! The lands of which the facts tell.

use rustc_hash::{FxHashMap, FxHashSet};

use super::sprouts::Land;
use super::sprouts::form::{Canoniser, sign};
use super::sprouts::land::Mark;

/// Lands by number, each with what it is said to be worth, if it is.
pub(super) struct Catalogue<W> {
    numbers: FxHashMap<Land, u32>,
    lands: Vec<(Land, Option<W>)>,
    /// What tells quickly that a land is not here.
    signs: FxHashSet<u64>,
    bytes: usize,
}

impl<W: Copy> Catalogue<W> {
    pub(super) fn new() -> Self {
        Self {
            numbers: FxHashMap::default(),
            lands: Vec::new(),
            signs: FxHashSet::default(),
            bytes: 0,
        }
    }

    /// The number of a land, which is entered if it was not here.
    pub(super) fn enter(&mut self, land: Land) -> u32 {
        if let Some(&number) = self.numbers.get(&land) {
            return number;
        }
        let number = self.len();
        self.signs.insert(sign(land.marks()));
        self.bytes += land.bytes() + 4 * size_of::<(Land, Option<W>)>();
        self.lands.push((land.clone(), None));
        self.numbers.insert(land, number);
        number
    }

    /// How many lands are here: their numbers are less.
    pub(super) fn len(&self) -> u32 {
        u32::try_from(self.lands.len()).expect("memory ends before")
    }

    /// The land of a number, if it is here.
    pub(super) fn land(&self, number: u32) -> Option<&Land> {
        self.lands.get(number as usize).map(|(land, _)| land)
    }

    /// Says what a land is worth. False if that was said before.
    pub(super) fn set(&mut self, number: u32, worth: W) -> bool {
        self.lands[number as usize].1.replace(worth).is_none()
    }

    /// What a land is said to be worth.
    pub(super) fn worth(&self, number: u32) -> Option<W> {
        self.lands.get(number as usize)?.1
    }

    /// Whether a land may be here.
    pub(super) fn may_have(&self, marks: &[Mark]) -> bool {
        self.signs.contains(&sign(marks))
    }

    /// The number of a land given in any form, if it is here.
    pub(super) fn find(&self, marks: &[Mark], canoniser: &mut Canoniser) -> Option<u32> {
        let land = self.may_have(marks).then(|| canoniser.land(marks))?;
        self.number(&land)
    }

    /// The number of a land, if it is here.
    pub(super) fn number(&self, land: &Land) -> Option<u32> {
        self.numbers.get(land).copied()
    }

    /// About how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}
