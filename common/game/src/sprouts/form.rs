//! Lands without names for large or very symmetric lands, and their form once the links have ranks.

use std::ops::Range;

use super::encoding;
use sproutnet_notation::raw::{RawPosition, Spot};

/// A mark on a boundary: the end of it, a spot, a pair or a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Mark(u16);

/// The kinds of marks are ranges of numbers.
const FIRST_PAIR: u16 = 4;
const FIRST_LINK: u16 = 0x1000;

impl Mark {
    const END: Self = Self(0);

    /// A spot that occurs once.
    fn spot(spot: Spot) -> Self {
        Self(4 - spot.lives() as u16)
    }

    /// A letter whose other copy is `distance` places further on the same boundary.
    fn pair(distance: usize) -> Self {
        Self(FIRST_PAIR + distance as u16)
    }

    /// The letter with this index, whose other copy is on another boundary.
    fn link(index: u16) -> Self {
        Self(FIRST_LINK + index)
    }

    fn as_pair(self) -> Option<usize> {
        (FIRST_PAIR..FIRST_LINK)
            .contains(&self.0)
            .then(|| usize::from(self.0 - FIRST_PAIR))
    }

    /// The index of a link.
    pub(super) fn as_link(self) -> Option<u16> {
        self.0.checked_sub(FIRST_LINK)
    }

    /// A number that identifies the mark, except for links.
    pub(super) fn number(self) -> u64 {
        u64::from(self.0)
    }
}

/// A region: the number of isolated spots, and the other boundaries.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) isolated: u16,
    pub(super) boundaries: Range<usize>,
}

/// A land as marks, each boundary both as it is and mirrored.
#[derive(Default)]
pub(super) struct MarkedLand {
    regions: Vec<Region>,
    /// The place of each boundary in the marks.
    boundaries: Vec<Range<usize>>,
    marks: [Vec<Mark>; 2],
    links: u16,
    link_of: Vec<u16>,
}

impl MarkedLand {
    /// Replaces the land by the one of these regions.
    pub(super) fn set(&mut self, raw: &RawPosition, regions: impl Iterator<Item = usize>) {
        self.regions.clear();
        self.boundaries.clear();
        self.marks.iter_mut().for_each(Vec::clear);
        self.links = 0;
        self.link_of.clear();
        self.link_of.resize(raw.letters(), u16::MAX);
        for region in regions {
            let first = self.boundaries.len();
            let mut isolated = 0;
            for boundary in raw.boundaries(region) {
                if boundary == [Spot::ISOLATED] {
                    isolated += 1;
                } else {
                    self.push_boundary(boundary);
                }
            }
            self.regions.push(Region {
                isolated,
                boundaries: first..self.boundaries.len(),
            });
        }
    }

    fn push_boundary(&mut self, boundary: &[Spot]) {
        let size = boundary.len();
        let start = self.marks[0].len();
        for (i, &spot) in boundary.iter().enumerate() {
            let mark = match spot.number() {
                None => Mark::spot(spot),
                Some(number) => match (1..size).find(|d| boundary[(i + d) % size] == spot) {
                    Some(distance) => Mark::pair(distance),
                    None => {
                        if self.link_of[number] == u16::MAX {
                            self.link_of[number] = self.links;
                            self.links += 1;
                        }
                        Mark::link(self.link_of[number])
                    }
                },
            };
            self.marks[0].push(mark);
        }
        for i in (start..start + size).rev() {
            let mark = self.marks[0][i];
            let mirrored = mark.as_pair().map(|distance| Mark::pair(size - distance));
            self.marks[1].push(mirrored.unwrap_or(mark));
        }
        self.boundaries.push(start..start + size);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    pub(super) fn links(&self) -> usize {
        usize::from(self.links)
    }

    pub(super) fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The marks of a boundary: as it is (0), or mirrored (1).
    pub(super) fn marks(&self, boundary: usize, orientation: usize) -> &[Mark] {
        &self.marks[orientation][self.boundaries[boundary].clone()]
    }

    /// Whether the land has two lives, so that there is exactly one move.
    pub(super) fn is_one_move(&self) -> bool {
        // Each copy of a letter counts as half a life.
        let halves = |mark: &Mark| match mark.0 {
            spot @ 1..FIRST_PAIR => 2 * (4 - u32::from(spot)),
            _ => 1,
        };
        self.marks[0].len() <= 4
            && self.regions.iter().all(|region| region.isolated == 0)
            && self.marks[0].iter().map(halves).sum::<u32>() == 4
    }

    /// The form for these ranks of the links: the smallest rotation of each boundary, the smaller
    /// orientation of each region, boundaries and regions sorted.
    pub(super) fn form(&self, rank: &[u16]) -> Form {
        let mut written = Vec::with_capacity(2 * self.marks[0].len() + self.boundaries.len());
        let mut boundaries: Vec<Range<usize>> = Vec::new();
        let mut regions: Vec<(Vec<Mark>, u16)> = Vec::with_capacity(self.regions.len());
        for region in &self.regions {
            let mut oriented = [Vec::new(), Vec::new()];
            for (orientation, marks) in oriented.iter_mut().enumerate() {
                written.clear();
                boundaries.clear();
                for boundary in region.boundaries.clone() {
                    let start = written.len();
                    push_smallest_rotation(self.marks(boundary, orientation), rank, &mut written);
                    boundaries.push(start..written.len());
                }
                boundaries.sort_unstable_by(|a, b| written[a.clone()].cmp(&written[b.clone()]));
                for boundary in &boundaries {
                    marks.extend_from_slice(&written[boundary.clone()]);
                }
            }
            let [forward, mirrored] = oriented;
            regions.push((forward.min(mirrored), region.isolated));
        }
        regions.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
        Form(regions)
    }
}

/// Appends the smallest rotation of a boundary with links named by rank, and [`Mark::END`].
fn push_smallest_rotation(boundary: &[Mark], rank: &[u16], written: &mut Vec<Mark>) {
    let size = boundary.len();
    let ranked = |i: usize| {
        let mark = boundary[if i < size { i } else { i - size }];
        mark.as_link()
            .map_or(mark, |link| Mark::link(rank[usize::from(link)]))
    };
    let mut best = 0;
    for start in 1..size {
        let differing = (0..size).find(|&i| ranked(start + i) != ranked(best + i));
        if differing.is_some_and(|i| ranked(start + i) < ranked(best + i)) {
            best = start;
        }
    }
    written.extend((best..best + size).map(ranked));
    written.push(Mark::END);
}

/// The sorted regions of a land, each as the marks of its boundaries and the number of isolated spots.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Form(Vec<(Vec<Mark>, u16)>);

impl Form {
    /// The encoding of the land. Letters are named in the order of occurrence.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut writer = encoding::Writer::default();
        let mut numbers: Vec<Option<u16>> = Vec::new();
        let mut links = 0;
        for (marks, isolated) in &self.0 {
            writer.isolated(*isolated);
            for boundary in marks.split_inclusive(|&mark| mark == Mark::END) {
                writer.boundary(&boundary[..boundary.len() - 1], |writer, mark| {
                    if let Some(link) = mark.as_link() {
                        let link = usize::from(link);
                        numbers.resize(numbers.len().max(link + 1), None);
                        writer.symbol(encoding::link(*numbers[link].get_or_insert_with(|| {
                            links += 1;
                            links - 1
                        })));
                    } else if mark == Mark::spot(Spot::END) {
                        writer.symbol(encoding::END);
                    } else if mark == Mark::spot(Spot::MID) {
                        writer.symbol(encoding::MID);
                    }
                    mark.as_pair()
                });
            }
            writer.symbol(encoding::END_OF_REGION);
        }
        writer.into_bytes()
    }
}
