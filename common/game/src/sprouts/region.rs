//! The shape of a region: its canonical form without the names of letters that also occur in other regions.
//!
//! The places of these letters are the *slots* of the shape, in the order of the canonical form. A region is a shape
//! and the letters in its slots. Two regions are equal if their shapes are equal and a symmetry of the shape maps the
//! letters of one to those of the other.

use std::cmp::Ordering;
use std::ops::Range;

use smallvec::SmallVec;
use xxhash_rust::xxh3::xxh3_128;

use super::encoding::{self, Writer};
use super::labels::Labels;
use super::rules::Rules;
use super::symmetry::Symmetries;
use sproutnet_notation::raw::{RawPosition, Spot};
use sproutnet_notation::surface::Surface;

/// The letters in the slots of a region, by their numbers in the raw position.
pub(super) type Letters = SmallVec<[u16; 8]>;

/// The maximum number of kept symmetries of a shape. Shapes with more keep none.
const MOST_SYMMETRIES: usize = 1 << 11;

/// A mark on a boundary: the end of it, a spot (1 or 2 lines), a letter that occurs twice on it as the
/// distance to its other copy, or a slot. Slots are all alike, or each has the rank of its letter.
pub(super) type Mark = u16;

const END: Mark = 0;
const FIRST_PAIR: Mark = 3;
const FIRST_RANK: Mark = 0x1000;
pub(super) const SLOT: Mark = Mark::MAX;

/// The canonical form of a region: the smallest rotation of each boundary, the boundaries sorted, and the
/// smaller of both orientations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Shape {
    pub(super) marks: SmallVec<[Mark; 16]>,
    pub(super) isolated: u16,
}

/// A region as marks, both as it is and mirrored.
#[derive(Default)]
pub(super) struct MarkedRegion {
    pub(super) surface: Surface,
    pub(super) isolated: u16,
    pub(super) orientations: [Oriented; 2],
}

/// The boundaries of a region in one orientation.
#[derive(Clone, Default)]
pub(super) struct Oriented {
    /// The marks of all boundaries, with [`END`] after each.
    marks: Vec<Mark>,
    /// The letter at each slot.
    labels: Vec<u16>,
    /// The place of each boundary: in ascending order of marks, or, for a surface without an orientation, as given.
    boundaries: Vec<Range<usize>>,
}

impl Oriented {
    fn clear(&mut self) {
        self.marks.clear();
        self.labels.clear();
        self.boundaries.clear();
    }

    /// The marks of each boundary, without its end, and the letters at its slots.
    pub(super) fn boundaries(&self) -> impl Iterator<Item = (&[Mark], &[u16])> {
        self.boundaries.iter().map(|range| {
            let range = range.start..range.end - 1;
            (&self.marks[range.clone()], &self.labels[range])
        })
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
        let of = |range: &Range<usize>| &marks[range.clone()];
        self.boundaries.sort_by(|a, b| of(a).cmp(of(b)));
    }

    /// The marks of each boundary, in order.
    fn ordered(&self) -> impl Iterator<Item = &[Mark]> {
        self.boundaries
            .iter()
            .map(|range| &self.marks[range.clone()])
    }

    fn all_marks(&self) -> SmallVec<[Mark; 16]> {
        let mut marks = SmallVec::with_capacity(self.marks.len());
        self.ordered()
            .for_each(|boundary| marks.extend_from_slice(boundary));
        marks
    }

    fn slots(&self) -> Letters {
        let at = self.boundaries.iter().cloned().flatten();
        let slots = at.filter(|&at| self.marks[at] == SLOT);
        slots.map(|at| self.labels[at]).collect()
    }

    /// Adds all orders of the slots with the same marks, as places among `letters`. `None` if there are too many.
    fn add_ways(&self, letters: &Letters, all: &mut Vec<Labels>) -> Option<()> {
        let marks = |boundary: usize| &self.marks[self.boundaries[boundary].clone()];
        let with_slots = |&boundary: &usize| marks(boundary).contains(&SLOT);
        let order: SmallVec<[usize; 16]> = (0..self.boundaries.len()).filter(with_slots).collect();
        let first = all.len();
        all.push(Labels::NONE);
        for equal in order.chunk_by(|&a, &b| marks(a) == marks(b)) {
            let boundary = &marks(equal[0])[..marks(equal[0]).len() - 1];
            let is_same = |&from: &usize| {
                let (before, after) = boundary.split_at(from);
                boundary.starts_with(after) && boundary.ends_with(before)
            };
            let turned = (1..boundary.len()).filter(is_same);
            let rotations: SmallVec<[usize; 8]> = std::iter::once(0).chain(turned).collect();
            if let ([boundary], [from]) = (equal, &rotations[..]) {
                for way in &mut all[first..] {
                    self.push_slots(*boundary, *from, letters, way);
                }
                continue;
            }
            // Each way, with the set of its boundaries.
            let mut ways: Vec<(Labels, u16)> = all.drain(first..).map(|way| (way, 0)).collect();
            for _ in equal {
                let mut longer = Vec::with_capacity(ways.len() * equal.len() * rotations.len());
                for &(way, taken) in &ways {
                    let free = (0..equal.len()).filter(|i| taken & 1 << i == 0);
                    for i in free {
                        for &from in &rotations {
                            let mut way = way;
                            self.push_slots(equal[i], from, letters, &mut way);
                            longer.push((way, taken | 1 << i));
                        }
                    }
                }
                if longer.len() > MOST_SYMMETRIES {
                    return None;
                }
                ways = longer;
            }
            all.extend(ways.iter().map(|&(way, _)| way));
        }
        Some(())
    }

    /// Adds the letters in the slots of a boundary, from a place on, to a way.
    fn push_slots(&self, boundary: usize, from: usize, letters: &Letters, way: &mut Labels) {
        let range = self.boundaries[boundary].clone();
        let middle = range.start + from;
        for at in (middle..range.end).chain(range.start..middle) {
            if self.marks[at] == SLOT {
                let letter = self.labels[at];
                let slot = letters.iter().position(|&other| other == letter);
                way.push(slot.expect("the letters are those of this region") as u8);
            }
        }
    }
}

impl MarkedRegion {
    /// Replaces the region by one of a simplified raw position.
    pub(super) fn set(&mut self, raw: &RawPosition, region: usize) {
        self.surface = raw.surface(region);
        self.isolated = 0;
        self.orientations.iter_mut().for_each(Oriented::clear);
        let mut marks: SmallVec<[Mark; 32]> = SmallVec::new();
        let mut labels: SmallVec<[u16; 32]> = SmallVec::new();
        for boundary in raw.boundaries(region) {
            if boundary == [Spot::ISOLATED] {
                self.isolated += 1;
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
                if (FIRST_PAIR..FIRST_RANK).contains(mark) {
                    *mark = FIRST_PAIR + boundary.len() as u16 - (*mark - FIRST_PAIR);
                }
            }
            self.orientations[1].push(&marks, &labels);
        }
        if self.surface.is_orientable() {
            self.orientations.iter_mut().for_each(Oriented::sort);
        }
    }

    /// The region with the ranks of letters in the slots. Without an orientation, each boundary has its smaller one.
    pub(super) fn ranked(&self, rank: &[u16]) -> Self {
        let mut orientations = self.orientations.each_ref().map(|oriented| {
            let mut ranked = Oriented::default();
            for (marks, labels) in oriented.boundaries() {
                let marks = marks.iter().zip(labels).map(|(&mark, &label)| match mark {
                    SLOT => FIRST_RANK + rank[usize::from(label)],
                    _ => mark,
                });
                ranked.push(&marks.collect::<SmallVec<[Mark; 32]>>(), labels);
            }
            ranked
        });
        if !self.surface.is_orientable() {
            let [one, other] = &orientations;
            let mut smaller = Oriented::default();
            for (one, other) in one.boundaries().zip(other.boundaries()) {
                let (marks, labels) = if other.0 < one.0 { other } else { one };
                smaller.push(marks, labels);
            }
            orientations = [smaller.clone(), smaller];
        }
        orientations.iter_mut().for_each(Oriented::sort);
        Self {
            surface: self.surface,
            isolated: self.isolated,
            orientations,
        }
    }

    /// Renames the letters in the slots.
    pub(super) fn rename(&mut self, mut name: impl FnMut(u16) -> u16) {
        for Oriented { marks, labels, .. } in &mut self.orientations {
            let slots = marks.iter().zip(labels).filter(|(mark, _)| **mark == SLOT);
            slots.for_each(|(_, label)| *label = name(*label));
        }
    }

    fn smaller(&self) -> &Oriented {
        &self.orientations[usize::from(self.compare().is_gt())]
    }

    /// The shape of the region.
    pub(super) fn shape(&self) -> Shape {
        Shape {
            isolated: self.isolated,
            marks: self.smaller().all_marks(),
        }
    }

    /// The letters in the slots of the shape.
    pub(super) fn letters(&self) -> Letters {
        self.smaller().slots()
    }

    /// Compares the region with its mirror image. Boundaries end with the least mark, so comparing
    /// boundaries is comparing marks.
    fn compare(&self) -> Ordering {
        let [forward, mirrored] = &self.orientations;
        forward.ordered().cmp(mirrored.ordered())
    }

    /// The symmetries of the shape, given the letters in its slots and its hash. `None` if there are too many.
    pub(super) fn symmetries(&self, letters: &Letters, hash: u128) -> Option<Symmetries> {
        let mut turns = Vec::new();
        let smallest = match self.compare() {
            Ordering::Less => &self.orientations[..1],
            Ordering::Greater => &self.orientations[1..],
            Ordering::Equal => &self.orientations[..],
        };
        for oriented in smallest {
            oriented.add_ways(letters, &mut turns)?;
        }
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
    pub(super) fn slots(&self) -> usize {
        self.marks.iter().filter(|&&mark| mark == SLOT).count()
    }

    /// The contribution of a region of this shape to the moves of its land: [`Rules::weight`].
    pub(super) fn weight(&self, rules: Rules) -> u32 {
        let isolated = u32::from(self.isolated);
        let others = self.boundaries().flatten().map(|mark| match mark {
            1 => rules.weight_of_spot(Spot::END),
            2 => rules.weight_of_spot(Spot::MID),
            _ => rules.weight_of_spot(Spot::letter(0)),
        });
        let spots = isolated * rules.weight_of_spot(Spot::ISOLATED) + others.sum::<u32>();
        rules.weight(spots, isolated + self.boundaries().count() as u32)
    }

    /// A hash that is the same in every process.
    pub(super) fn hash(&self) -> u128 {
        let marks = self.marks.iter().flat_map(|mark| mark.to_be_bytes());
        let isolated = self.isolated.to_be_bytes().into_iter();
        xxh3_128(&isolated.chain(marks).collect::<SmallVec<[u8; 64]>>())
    }

    /// The bytes of regions of this shape, with links of rank 0 in the slots.
    pub(super) fn template(&self) -> Template {
        let mut writer = Writer::default();
        let mut places = SmallVec::new();
        self.encode(&mut writer, |writer, _| {
            places.push(writer.len() as u16);
            0
        });
        let bytes = writer.into_bytes().into();
        Template { bytes, places }
    }

    /// Encodes a region of this shape. `link` returns the number of the letter in the next slot, given its
    /// mark.
    pub(super) fn encode(&self, writer: &mut Writer, mut link: impl FnMut(&Writer, Mark) -> u16) {
        if self.isolated > 0 {
            writer.symbol(encoding::ISOLATED);
            writer.symbol(self.isolated);
        }
        for boundary in self.boundaries() {
            let mut numbers: SmallVec<[u16; 32]> = SmallVec::new();
            let mut pairs = 0;
            for (i, &mark) in boundary.iter().enumerate() {
                let mut number = 0;
                let symbol = match mark {
                    1 => encoding::END,
                    2 => encoding::MID,
                    FIRST_RANK.. => encoding::link(link(writer, mark)),
                    pair => {
                        let other = (i + usize::from(pair - FIRST_PAIR)) % boundary.len();
                        let known = numbers.get(other).copied();
                        number = known.unwrap_or(pairs);
                        pairs += u16::from(known.is_none());
                        encoding::pair(number)
                    }
                };
                numbers.push(number);
                writer.symbol(symbol);
            }
            writer.symbol(encoding::END_OF_BOUNDARY);
        }
        writer.symbol(encoding::END_OF_REGION);
    }

    /// Adds a region of this shape, with these letters in its slots, to a raw position.
    pub(super) fn write(&self, letters: impl IntoIterator<Item = usize>, raw: &mut RawPosition) {
        for _ in 0..self.isolated {
            raw.push_boundary(&[Spot::ISOLATED]);
        }
        let mut letters = letters.into_iter();
        for boundary in self.boundaries() {
            let mut spots: SmallVec<[Spot; 32]> = SmallVec::new();
            for (i, &mark) in boundary.iter().enumerate() {
                spots.push(match mark {
                    1 => Spot::END,
                    2 => Spot::MID,
                    SLOT => Spot::letter(letters.next().expect("one for each slot")),
                    pair => {
                        let other = (i + usize::from(pair - FIRST_PAIR)) % boundary.len();
                        let known = spots.get(other).copied();
                        known.unwrap_or_else(|| raw.new_letter())
                    }
                });
            }
            raw.push_boundary(&spots);
        }
        raw.end_region();
    }

    /// The marks of each boundary, without its end.
    fn boundaries(&self) -> impl Iterator<Item = &[Mark]> {
        let boundaries = self.marks.split_inclusive(|&mark| mark == END);
        boundaries.map(|boundary| &boundary[..boundary.len() - 1])
    }
}

/// The bytes of all regions of one shape, except for the letters in the slots.
#[derive(Clone, Debug)]
pub(super) struct Template {
    /// The bytes, with the letter of rank 0 in every slot.
    pub(super) bytes: SmallVec<[u8; 24]>,
    /// The offsets of the slots, in order.
    places: SmallVec<[u16; 12]>,
}

impl Template {
    /// Appends a region with letters of these ranks, each below [`encoding::SHORT_LINKS`], in its slots.
    pub(super) fn write(&self, ranks: &[u8], to: &mut SmallVec<[u8; 64]>) {
        let start = to.len();
        to.extend_from_slice(&self.bytes);
        for (&place, &rank) in self.places.iter().zip(ranks) {
            to[start + usize::from(place)] = encoding::short_link(rank);
        }
    }
}
