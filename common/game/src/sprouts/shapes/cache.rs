//! Regions as they were drawn when their shapes were found, so that what is drawn alike again is known
//! without being formed. Letters count by the order in which they are met, not by their numbers.

use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::super::labels::Labels;
use super::ShapeId;
use sproutnet_notation::raw::RawPosition;

/// When so many are kept, all are given up.
const MOST_KEPT: usize = 1 << 15;

/// Regions drawn, with the numbers of their shapes and, for each slot, the letter in it.
#[derive(Default)]
pub(super) struct ShapeCache {
    kept: RwLock<Kept>,
}

#[derive(Default)]
struct Kept {
    shapes: FxHashMap<Strokes, (ShapeId, Labels)>,
    /// Bytes of strokes that are not in the table itself.
    beside: usize,
}

/// A byte for each spot, and one where a boundary ends.
type Strokes = SmallVec<[u8; 24]>;

const END_OF_BOUNDARY: u8 = 4;
const FIRST_LETTER: u8 = 5;

/// A region as it is drawn.
pub(super) struct RegionKey {
    strokes: Strokes,
    /// The numbers of its letters, in the order in which they are met.
    letters: SmallVec<[u8; 16]>,
}

impl RegionKey {
    /// How a region of a raw position is drawn. `None` if the number of a letter is too large.
    pub(super) fn of(raw: &RawPosition, region: usize) -> Option<Self> {
        let mut drawing = Self {
            strokes: Strokes::new(),
            letters: SmallVec::new(),
        };
        for boundary in raw.boundaries(region) {
            drawing.strokes.reserve(boundary.len() + 1);
            for &spot in boundary {
                let stroke = match spot.number() {
                    None => spot.lives() as u8,
                    Some(number) => {
                        let place = drawing.meet(u8::try_from(number).ok()?);
                        FIRST_LETTER.checked_add(place)?
                    }
                };
                drawing.strokes.push(stroke);
            }
            drawing.strokes.push(END_OF_BOUNDARY);
        }
        Some(drawing)
    }

    /// The place of a letter among those met, this one included.
    fn meet(&mut self, letter: u8) -> u8 {
        let place = self.place(letter);
        if usize::from(place) == self.letters.len() {
            self.letters.push(letter);
        }
        place
    }

    /// The place of a letter among those met, or how many these are.
    fn place(&self, letter: u8) -> u8 {
        let place = self.letters.iter().position(|&other| other == letter);
        place.unwrap_or(self.letters.len()) as u8
    }
}

impl ShapeCache {
    /// The shape of a region, and the letters in its slots, if one was drawn alike.
    pub(super) fn find(&self, drawing: &RegionKey) -> Option<(ShapeId, Labels)> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let &(shape, places) = kept.shapes.get(&drawing.strokes)?;
        let letter = |place: u8| drawing.letters[usize::from(place)];
        Some((shape, places.map(letter)))
    }

    /// Keeps the shape of a region, and the letters in its slots.
    pub(super) fn keep(&self, drawing: RegionKey, shape: ShapeId, labels: Labels) {
        let places = labels.map(|letter| drawing.place(letter));
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.shapes.len() == MOST_KEPT {
            *kept = Kept::default();
        }
        if drawing.strokes.spilled() {
            kept.beside += drawing.strokes.capacity();
        }
        kept.shapes.insert(drawing.strokes, (shape, places));
    }

    /// About how many bytes of memory they take.
    pub(super) fn bytes(&self) -> usize {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let slot = size_of::<(Strokes, (ShapeId, Labels))>() + 1;
        kept.shapes.capacity() * slot + kept.beside
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sproutnet_notation::raw::Spot;

    fn drawing(boundaries: &[&[Spot]]) -> RegionKey {
        let mut raw = RawPosition::default();
        for boundary in boundaries {
            raw.push_boundary(boundary);
        }
        raw.end_region();
        RegionKey::of(&raw, 0).expect("few letters")
    }

    #[test]
    fn letters_count_by_their_order() {
        let [a, b, c] = [7, 3, 9].map(Spot::letter);
        let drawings = ShapeCache::default();
        let labels: Labels = [3, 7].into_iter().collect();
        drawings.keep(drawing(&[&[a, Spot::END], &[b, Spot::MID]]), 5, labels);
        let alike = drawing(&[&[b, Spot::END], &[c, Spot::MID]]);
        let found = drawings.find(&alike).expect("drawn alike");
        assert_eq!((found.0, &found.1[..]), (5, &[9, 3][..]));
        for other in [
            drawing(&[&[b, Spot::END, c, Spot::MID]]),
            drawing(&[&[b, Spot::END], &[b, Spot::MID]]),
            drawing(&[&[b, Spot::END], &[c, Spot::END]]),
            drawing(&[&[Spot::END, b], &[c, Spot::MID]]),
        ] {
            assert!(drawings.find(&other).is_none());
        }
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let drawings = ShapeCache::default();
        let spots = [Spot::END, Spot::MID];
        for number in 0..=MOST_KEPT {
            let boundary: Vec<Spot> = (0..16).map(|bit| spots[number >> bit & 1]).collect();
            drawings.keep(drawing(&[&boundary]), number as ShapeId, Labels::NONE);
        }
        assert!(drawings.bytes() <= 4 * MOST_KEPT * size_of::<(Strokes, (ShapeId, Labels))>());
        let first = [Spot::END; 16];
        assert!(drawings.find(&drawing(&[&first])).is_none());
        let last: Vec<Spot> = (0..16).map(|bit| spots[MOST_KEPT >> bit & 1]).collect();
        assert!(drawings.find(&drawing(&[&last])).is_some());
    }
}
