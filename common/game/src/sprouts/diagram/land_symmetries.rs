//! Symmetries of a land, and the regions and moves that they take to others. These give no new options.
//!
//! Only two kinds of symmetries are searched: those that swap two letters, and those that swap two regions of one shape
//! with everything behind them. Each candidate is checked: it must map the regions of the land to each other.

use smallvec::SmallVec;

use super::super::labels::Labels;
use super::super::shapes::Shapes;
use super::Region;

#[cfg(test)]
mod tests;

/// The maximum number of regions for a search. In larger lands, comparing each pair would take too long.
const MOST_REGIONS: usize = 24;

/// The effect of a symmetry on a region that it maps to itself: the image of each slot.
type Turn = Labels;

/// The redundant regions and moves by symmetries of a land.
pub(super) struct LandSymmetries {
    /// For each region, whether a symmetry takes it to an earlier one.
    repeats: SmallVec<[bool; 8]>,
    turns: SmallVec<[(u8, Turn); 8]>,
}

/// A permutation of letters.
struct LetterMap {
    of: [u8; 256],
    moved: SmallVec<[u8; 16]>,
}

impl LandSymmetries {
    /// Searches the symmetries of a land.
    pub(super) fn of(land: &[Region], shapes: &Shapes) -> Self {
        let mut symmetries = Self {
            repeats: SmallVec::from_elem(false, land.len()),
            turns: SmallVec::new(),
        };
        if land.len() > MOST_REGIONS {
            return symmetries;
        }
        for (first, region) in land.iter().enumerate() {
            for (second, other) in land.iter().enumerate().skip(first + 1) {
                if region.shape == other.shape
                    && !symmetries.repeats[second]
                    && let Some(map) = LetterMap::swapping(first, second, land)
                {
                    symmetries.add(&map, land, shapes);
                }
                symmetries.add_swaps(region, other, land, shapes);
            }
        }
        symmetries
    }

    /// Adds the symmetries that swap two letters of the same two regions.
    fn add_swaps(&mut self, region: &Region, other: &Region, land: &[Region], shapes: &Shapes) {
        let labels = region.labels.iter().copied();
        let common: SmallVec<[u8; 8]> = labels.filter(|&l| other.labels.has(l)).collect();
        for (place, &a) in common.iter().enumerate() {
            for &b in &common[place + 1..] {
                let mut map = LetterMap::identity();
                map.swap(a, b);
                self.add(&map, land, shapes);
            }
        }
    }

    /// Adds the consequences of a permutation of letters, if it is a symmetry.
    fn add(&mut self, map: &LetterMap, land: &[Region], shapes: &Shapes) {
        let mut turned: SmallVec<[(usize, usize); 8]> = SmallVec::new();
        for (at, region) in land.iter().enumerate() {
            if !region.labels.iter().any(|label| map.moved.contains(label)) {
                continue;
            }
            let Some(symmetries) = &shapes.entry(region.shape).symmetries else {
                return;
            };
            let image = region.labels.map(|label| map.of[usize::from(label)]);
            let least = symmetries.least(image);
            let is_image = |other: &Region| {
                other.shape == region.shape
                    && other.labels.has(image[0])
                    && symmetries.least(other.labels) == least
            };
            match land.iter().position(is_image) {
                Some(to) => turned.push((at, to)),
                None => return,
            }
        }
        for (at, to) in turned {
            if to < at {
                self.repeats[at] = true;
            } else if to == at {
                let labels = &land[at].labels;
                let slot = |label: &u8| labels.slot_of(map.of[usize::from(*label)]);
                let turn: Turn = labels.iter().filter_map(slot).map(|s| s as u8).collect();
                if !self.turns.contains(&(at as u8, turn)) {
                    self.turns.push((at as u8, turn));
                }
            }
        }
    }

    /// Whether a symmetry takes the region to an earlier one, with all its moves.
    pub(super) fn is_repeated(&self, region: usize) -> bool {
        self.repeats[region]
    }

    /// The turns of a region by symmetries of the land.
    pub(super) fn turns(&self, region: usize) -> impl Iterator<Item = &Turn> {
        let turns = self.turns.iter();
        turns.filter_map(move |(at, turn)| (usize::from(*at) == region).then_some(turn))
    }
}

impl LetterMap {
    fn identity() -> Self {
        Self {
            of: std::array::from_fn(|letter| letter as u8),
            moved: SmallVec::new(),
        }
    }

    /// Swaps two letters. False if one of them is swapped with another already.
    fn swap(&mut self, a: u8, b: u8) -> bool {
        if a == b || self.of[usize::from(a)] == b {
            return true;
        }
        if self.moved.contains(&a) || self.moved.contains(&b) {
            return false;
        }
        self.of[usize::from(a)] = b;
        self.of[usize::from(b)] = a;
        self.moved.extend([a, b]);
        true
    }

    /// Swaps the letters of two regions, slot by slot, and then those of the regions behind them if these differ.
    /// `None` if that is impossible.
    fn swapping(first: usize, second: usize, land: &[Region]) -> Option<Self> {
        let mut map = Self::identity();
        let mut pairs: SmallVec<[(usize, usize); 8]> = SmallVec::from_slice(&[(first, second)]);
        let mut next = 0;
        while let Some(&(one, two)) = pairs.get(next) {
            next += 1;
            let [here, there] = [&land[one], &land[two]];
            if here.shape != there.shape {
                return None;
            }
            for (&a, &b) in here.labels.iter().zip(there.labels.iter()) {
                if !map.swap(a, b) {
                    return None;
                }
                let behind = |label: u8, from: usize| {
                    let has = |(at, region): (usize, &Region)| {
                        (at != from && region.labels.has(label)).then_some(at)
                    };
                    land.iter().enumerate().find_map(has)
                };
                let (x, y) = (behind(a, one)?, behind(b, two)?);
                let is_known = |&(p, q): &(usize, usize)| (p, q) == (x, y) || (q, p) == (x, y);
                if x != y && !pairs.iter().any(is_known) {
                    pairs.push((x, y));
                }
            }
        }
        Some(map)
    }
}
