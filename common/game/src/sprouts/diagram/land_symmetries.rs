//! Which regions and moves of a land are images of others by a symmetry of the land, so that they give
//! the same options.
//!
//! Not all symmetries are looked for: those that swap two letters, and those that swap two regions of
//! one shape with what is behind them. Each is proved before it is used: it takes the regions to
//! themselves.

use smallvec::SmallVec;

use super::super::labels::Labels;
use super::super::shapes::Shapes;
use super::Region;

/// Lands with more regions are not looked at: to compare each pair would take long.
const MOST_REGIONS: usize = 24;

/// How a symmetry of a land turns a region that it leaves in its place: for each slot, to which it goes.
type Turn = Labels;

/// What is known to be alike in a land.
pub(super) struct LandSymmetries {
    /// For each region whether all moves in it are images of moves in a region before it.
    repeats: SmallVec<[bool; 8]>,
    /// Turns of regions by symmetries.
    turns: SmallVec<[(u8, Turn); 8]>,
}

/// The letters that others go to.
struct LetterMap {
    of: [u8; 256],
    moved: SmallVec<[u8; 16]>,
}

impl LandSymmetries {
    /// What is alike in a land.
    pub(super) fn of(land: &[Region], shapes: &Shapes) -> Self {
        let mut land_symmetries = Self {
            repeats: SmallVec::from_elem(false, land.len()),
            turns: SmallVec::new(),
        };
        if land.len() > MOST_REGIONS {
            return land_symmetries;
        }
        for (first, region) in land.iter().enumerate() {
            for (second, other) in land.iter().enumerate().skip(first + 1) {
                if region.shape == other.shape
                    && !land_symmetries.repeats[second]
                    && let Some(images) = LetterMap::swapping(first, second, land)
                {
                    land_symmetries.add(&images, land, shapes);
                }
                land_symmetries.add_swaps(region, other, land, shapes);
            }
        }
        land_symmetries
    }

    /// Adds the symmetries that swap two letters which both join two regions.
    fn add_swaps(&mut self, region: &Region, other: &Region, land: &[Region], shapes: &Shapes) {
        let labels = region.labels.iter().copied();
        let common: SmallVec<[u8; 8]> = labels.filter(|&l| other.labels.has(l)).collect();
        for (place, &a) in common.iter().enumerate() {
            for &b in &common[place + 1..] {
                let mut images = LetterMap::none();
                images.swap(a, b);
                self.add(&images, land, shapes);
            }
        }
    }

    /// Adds what is shown by a symmetry, if it is one.
    fn add(&mut self, images: &LetterMap, land: &[Region], shapes: &Shapes) {
        let mut turned: SmallVec<[(usize, usize); 8]> = SmallVec::new();
        for (at, region) in land.iter().enumerate() {
            if !region
                .labels
                .iter()
                .any(|label| images.moved.contains(label))
            {
                continue;
            }
            let Some(symmetries) = &shapes.entry(region.shape).symmetries else {
                return;
            };
            let image = region.labels.map(|label| images.of[usize::from(label)]);
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
                let slot = |label: &u8| labels.slot_of(images.of[usize::from(*label)]);
                let turn: Turn = labels.iter().filter_map(slot).map(|s| s as u8).collect();
                if !self.turns.contains(&(at as u8, turn)) {
                    self.turns.push((at as u8, turn));
                }
            }
        }
    }

    /// Whether all moves in a region are images of moves in a region before it.
    pub(super) fn is_repeated(&self, region: usize) -> bool {
        self.repeats[region]
    }

    /// The turns of a region of that shape by symmetries of the land.
    pub(super) fn turns(&self, region: usize) -> impl Iterator<Item = &Turn> {
        let turns = self.turns.iter();
        turns.filter_map(move |(at, turn)| (usize::from(*at) == region).then_some(turn))
    }
}

impl LetterMap {
    /// Every letter goes to itself.
    fn none() -> Self {
        Self {
            of: std::array::from_fn(|letter| letter as u8),
            moved: SmallVec::new(),
        }
    }

    /// Swaps two letters, if neither is swapped already.
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

    /// Swaps the letters of two regions, slot by slot, and so for the regions behind them if these are
    /// not the same. `None` if that cannot be.
    fn swapping(first: usize, second: usize, land: &[Region]) -> Option<Self> {
        let mut images = Self::none();
        let mut pairs: SmallVec<[(usize, usize); 8]> = SmallVec::from_slice(&[(first, second)]);
        let mut next = 0;
        while let Some(&(one, two)) = pairs.get(next) {
            next += 1;
            let [here, there] = [&land[one], &land[two]];
            if here.shape != there.shape {
                return None;
            }
            for (&a, &b) in here.labels.iter().zip(there.labels.iter()) {
                if !images.swap(a, b) {
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
        Some(images)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::Sprouts;
    use super::super::of_land;
    use super::*;
    use crate::Game;

    #[test]
    fn what_a_symmetry_repeats_is_seen() {
        // Each with how many regions repeat others, and how many turns of regions are symmetries.
        for (text, repeats, turns) in [
            ("0.A|0.1.A", 0, 0),
            // Two letters that join the same regions, which are turned by their swap.
            ("0.A.B|0.1.A.B", 0, 2),
            // Three leaves of one region: one is played in, and the two swaps with it turn the region.
            ("0.A.B.C|0.A|0.B|0.C", 2, 2),
            ("0.A.B.C|0.A|0.B|0.1.C", 1, 1),
            // Two regions that are swapped with the leaves behind them.
            ("0.A.B|0.A.C|0.B.D|0.1.C|0.1.D", 2, 1),
        ] {
            let position = Sprouts.parse(text).expect("a position");
            let shapes = Shapes::default();
            let land = of_land(position.lands()[0].as_bytes(), &shapes).expect("a small land");
            let land_symmetries = LandSymmetries::of(&land, &shapes);
            let repeated = (0..land.len()).filter(|&at| land_symmetries.is_repeated(at));
            assert_eq!(
                (repeated.count(), land_symmetries.turns.len()),
                (repeats, turns),
                "{text}"
            );
        }
    }
}
