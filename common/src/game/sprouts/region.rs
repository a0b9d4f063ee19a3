//! A region for itself: its shape, whatever the letters that join it to other regions are called.
//!
//! The places of these letters are the *slots* of the shape, in the order in which its canonical form
//! meets them. A region is a shape and the letters in its slots; two regions are equal if their
//! shapes are, and some symmetry of the shape takes the letters of the one to those of the other.

use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_128;

use super::encoding;
use super::labels::Labels;
use super::sketch::{Sketch, Spot};
use super::symmetry::Symmetries;

/// Letters in the slots of a region, by their numbers in a sketch.
pub(super) type Letters = SmallVec<[u16; 8]>;

/// Shapes with more symmetries do not know them.
const MOST_SYMMETRIES: usize = 1 << 11;

/// A mark on a boundary: zero ends it, then come spots, letters met twice on the boundary by the
/// distance to their other copy, and slots.
type Mark = u16;

const END: Mark = 0;
const FIRST_PAIR: Mark = 3;
const SLOT: Mark = Mark::MAX;

/// The canonical form of a region: the smallest rotation of each boundary, the boundaries sorted, and
/// of both orientations the smaller.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    /// Spots that are alone on their boundaries, without lines.
    isolated: u16,
    /// The other boundaries.
    marks: SmallVec<[Mark; 16]>,
}

/// A region on its way to its form.
#[derive(Default)]
pub(super) struct Former {
    orientations: [Oriented; 2],
}

/// The boundaries of a region in one orientation.
#[derive(Default)]
struct Oriented {
    /// Each ended by [`END`].
    marks: Vec<Mark>,
    /// The letter at each mark, if it is a slot.
    labels: Vec<u16>,
    /// Where each boundary is, in ascending order of its marks.
    boundaries: Vec<std::ops::Range<usize>>,
}

impl Oriented {
    fn clear(&mut self) {
        self.marks.clear();
        self.labels.clear();
        self.boundaries.clear();
    }

    /// Adds a boundary in its smallest rotation.
    fn push(&mut self, marks: &[Mark], labels: &[u16]) {
        let size = marks.len();
        let mut best = 0;
        for start in 1..size {
            let at = |from: usize, i: usize| marks[(from + i) % size];
            let differing = (0..size).find(|&i| at(start, i) != at(best, i));
            if differing.is_some_and(|i| at(start, i) < at(best, i)) {
                best = start;
            }
        }
        let start = self.marks.len();
        for i in 0..size {
            self.marks.push(marks[(best + i) % size]);
            self.labels.push(labels[(best + i) % size]);
        }
        self.marks.push(END);
        self.labels.push(0);
        self.boundaries.push(start..self.marks.len());
    }

    fn sort(&mut self) {
        let marks = &self.marks;
        let of = |range: &std::ops::Range<usize>| &marks[range.clone()];
        self.boundaries.sort_by(|a, b| of(a).cmp(of(b)));
    }

    fn ordered(&self) -> impl Iterator<Item = Mark> {
        let all = self.boundaries.iter().cloned().flatten();
        all.map(|i| self.marks[i])
    }

    /// The letters in the slots, boundaries being taken in that order and from those places on.
    fn labels(&self, boundaries: &[(usize, usize)]) -> Letters {
        let mut labels = Letters::new();
        for &(boundary, from) in boundaries {
            let range = self.boundaries[boundary].clone();
            let size = range.len() - 1;
            for i in 0..size {
                let at = range.start + (from + i) % size;
                if self.marks[at] == SLOT {
                    labels.push(self.labels[at]);
                }
            }
        }
        labels
    }

    /// All ways to write the slots that give the same marks; `None` if there are too many.
    fn ways(&self) -> Option<Vec<Letters>> {
        let marks = |boundary: usize| &self.marks[self.boundaries[boundary].clone()];
        let with_slots = |&boundary: &usize| marks(boundary).contains(&SLOT);
        let order: Vec<usize> = (0..self.boundaries.len()).filter(with_slots).collect();
        let mut ways: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
        for equal in order.chunk_by(|&a, &b| marks(a) == marks(b)) {
            let boundary = &marks(equal[0])[..marks(equal[0]).len() - 1];
            let size = boundary.len();
            let is_same =
                |from: usize| (0..size).all(|i| boundary[(from + i) % size] == boundary[i]);
            let rotations: Vec<usize> = (0..size).filter(|&from| is_same(from)).collect();
            let mut left: Vec<_> = ways.drain(..).map(|way| (way, equal.to_vec())).collect();
            for _ in equal {
                let mut longer = Vec::new();
                for (way, left) in &left {
                    for (i, &boundary) in left.iter().enumerate() {
                        for &from in &rotations {
                            let mut way = way.clone();
                            way.push((boundary, from));
                            let mut left = left.clone();
                            left.remove(i);
                            longer.push((way, left));
                        }
                    }
                }
                if longer.len() > MOST_SYMMETRIES {
                    return None;
                }
                left = longer;
            }
            ways = left.into_iter().map(|(way, _)| way).collect();
        }
        Some(ways.iter().map(|way| self.labels(way)).collect())
    }
}

impl Former {
    /// The shape of a simplified region, and the letters in its slots.
    pub(super) fn form(&mut self, sketch: &Sketch, region: usize) -> (Shape, Letters) {
        let mut isolated = 0;
        self.orientations.iter_mut().for_each(Oriented::clear);
        let mut marks: SmallVec<[Mark; 32]> = SmallVec::new();
        let mut labels: SmallVec<[u16; 32]> = SmallVec::new();
        for boundary in sketch.boundaries(region) {
            if boundary == [Spot::ISOLATED] {
                isolated += 1;
                continue;
            }
            marks.clear();
            labels.clear();
            for (i, &spot) in boundary.iter().enumerate() {
                marks.push(mark(boundary, i));
                labels.push(spot.number().map_or(0, |number| number as u16));
            }
            self.orientations[0].push(&marks, &labels);
            marks.reverse();
            labels.reverse();
            for mark in &mut marks {
                if (FIRST_PAIR..SLOT).contains(mark) {
                    *mark = FIRST_PAIR + boundary.len() as u16 - (*mark - FIRST_PAIR);
                }
            }
            self.orientations[1].push(&marks, &labels);
        }
        self.orientations.iter_mut().for_each(Oriented::sort);
        let [forward, mirrored] = &self.orientations;
        let chosen = match forward.ordered().cmp(mirrored.ordered()) {
            std::cmp::Ordering::Greater => mirrored,
            _ => forward,
        };
        let shape = Shape {
            isolated,
            marks: chosen.ordered().collect(),
        };
        let first: SmallVec<[_; 8]> = (0..chosen.boundaries.len()).map(|i| (i, 0)).collect();
        (shape, chosen.labels(&first))
    }

    /// The symmetries of the shape formed last, which has these letters in its slots, and that hash.
    /// `None` if there are too many.
    pub(super) fn symmetries(&self, letters: &Letters, hash: u128) -> Option<Symmetries> {
        let [forward, mirrored] = &self.orientations;
        let ways = match forward.ordered().cmp(mirrored.ordered()) {
            std::cmp::Ordering::Less => forward.ways()?,
            std::cmp::Ordering::Greater => mirrored.ways()?,
            std::cmp::Ordering::Equal => [forward.ways()?, mirrored.ways()?].concat(),
        };
        let slot_of = |letter: &u16| {
            let slot = letters.iter().position(|other| other == letter);
            slot.expect("the same letters") as u8
        };
        let mut turns: Vec<Labels> = ways
            .iter()
            .map(|way| way.iter().map(slot_of).collect())
            .collect();
        turns.sort_unstable();
        turns.dedup();
        (turns.len() <= MOST_SYMMETRIES).then(|| Symmetries::new(&turns, hash))
    }
}

fn mark(boundary: &[Spot], i: usize) -> Mark {
    let size = boundary.len();
    match boundary[i] {
        Spot::END => 1,
        Spot::MID => 2,
        letter => {
            let other = (1..size).find(|d| boundary[(i + d) % size] == letter);
            other.map_or(SLOT, |distance| FIRST_PAIR + distance as u16)
        }
    }
}

impl Shape {
    /// How many slots there are.
    pub(super) fn slots(&self) -> usize {
        self.marks.iter().filter(|&&mark| mark == SLOT).count()
    }

    /// The lives in the region.
    pub(super) fn lives(&self) -> u32 {
        let halves = |mark: &Mark| match *mark {
            END => 0,
            1 => 4,
            2 | SLOT => 2,
            _ => 1,
        };
        3 * u32::from(self.isolated) + self.marks.iter().map(halves).sum::<u32>() / 2
    }

    /// A hash that is the same in every process.
    pub(super) fn hash(&self) -> u128 {
        let marks = self.marks.iter().flat_map(|mark| mark.to_be_bytes());
        let bytes: SmallVec<[u8; 64]> = self
            .isolated
            .to_be_bytes()
            .into_iter()
            .chain(marks)
            .collect();
        xxh3_128(&bytes)
    }

    /// Writes the region; `link` writes the letter in the next slot.
    pub(super) fn encode(
        &self,
        writer: &mut encoding::Writer,
        link: &mut dyn FnMut(&mut encoding::Writer),
    ) {
        writer.isolated(self.isolated);
        let mut names: SmallVec<[u16; 32]> = SmallVec::new();
        for boundary in self.marks.split_inclusive(|&mark| mark == END) {
            let boundary = &boundary[..boundary.len() - 1];
            names.clear();
            let mut pairs = 0;
            for (i, &mark) in boundary.iter().enumerate() {
                let mut name = 0;
                match mark {
                    1 => writer.end(),
                    2 => writer.mid(),
                    SLOT => link(writer),
                    pair => {
                        let other = (i + usize::from(pair - FIRST_PAIR)) % boundary.len();
                        let known = names.get(other).copied();
                        name = known.unwrap_or(pairs);
                        pairs += u16::from(known.is_none());
                        writer.pair(name);
                    }
                }
                names.push(name);
            }
            writer.end_boundary();
        }
        writer.end_region();
    }

    /// Draws the region, with these letters in its slots; letters met twice get new names.
    pub(super) fn draw(&self, letters: impl IntoIterator<Item = usize>, sketch: &mut Sketch) {
        for _ in 0..self.isolated {
            sketch.push_boundary(&[Spot::ISOLATED]);
        }
        let mut letters = letters.into_iter();
        for boundary in self.marks.split_inclusive(|&mark| mark == END) {
            let boundary = &boundary[..boundary.len() - 1];
            let mut drawn: SmallVec<[Spot; 32]> = SmallVec::new();
            for (i, &mark) in boundary.iter().enumerate() {
                drawn.push(match mark {
                    1 => Spot::END,
                    2 => Spot::MID,
                    SLOT => Spot::letter(letters.next().expect("one for each slot")),
                    pair => {
                        let other = (i + usize::from(pair - FIRST_PAIR)) % boundary.len();
                        let drawn = drawn.get(other).copied();
                        drawn.unwrap_or_else(|| sketch.new_letter())
                    }
                });
            }
            sketch.push_boundary(&drawn);
        }
        sketch.end_region();
    }
}
