//! Spots with names and lives, as a move leaves them, and what may be left out of that.

use super::land::{self, BOUNDARY, END, ISOLATED, Mark, PAIR, REGION, SHARED, SINGLE};
use sproutnet_notation::raw::RawPosition;

/// A spot on a paper.
pub(super) type Spot = u16;

/// Ends a boundary; no spot has that name.
pub(super) const END_OF_BOUNDARY: Spot = Spot::MAX;
/// Ends a region; no spot has that name.
pub(super) const END_OF_REGION: Spot = Spot::MAX - 1;

/// Regions of boundaries of spots, with an end after each boundary and each region. A spot is found under
/// one name wherever it is met, at most three times.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paper {
    pub(super) spots: Vec<Spot>,
    /// The lives of each spot, by its name.
    pub(super) lives: Vec<u8>,
    lands: Lands,
}

impl Paper {
    /// A position as its text has it.
    pub(super) fn of(raw: &RawPosition) -> Self {
        let mut paper = Self::default();
        let mut letters: Vec<Option<Spot>> = vec![None; raw.letters()];
        for region in 0..raw.regions() {
            for boundary in raw.boundaries(region) {
                for spot in boundary {
                    let lives = spot.lives() as u8;
                    let spot = match spot.number() {
                        None => paper.new_spot(lives),
                        Some(number) => {
                            *letters[number].get_or_insert_with(|| paper.new_spot(lives))
                        }
                    };
                    paper.spots.push(spot);
                }
                paper.spots.push(END_OF_BOUNDARY);
            }
            paper.spots.push(END_OF_REGION);
        }
        paper
    }

    /// The same land with names for its spots.
    pub(super) fn of_land(marks: &[Mark]) -> Self {
        let mut paper = Self::default();
        let mut shared: Vec<Option<Spot>> = Vec::new();
        for region in land::regions(marks) {
            for boundary in land::boundaries(region) {
                let start = paper.spots.len();
                for (at, &mark) in boundary.iter().enumerate() {
                    let spot = match mark {
                        ISOLATED => paper.new_spot(3),
                        END => paper.new_spot(2),
                        SINGLE => paper.new_spot(1),
                        SHARED.. => {
                            let number = usize::from(mark - SHARED);
                            shared.resize(shared.len().max(number + 1), None);
                            *shared[number].get_or_insert_with(|| paper.new_spot(1))
                        }
                        _ => {
                            let other = (at + usize::from(mark - PAIR)) % boundary.len();
                            if other < at {
                                paper.spots[start + other]
                            } else {
                                paper.new_spot(1)
                            }
                        }
                    };
                    paper.spots.push(spot);
                }
                paper.spots.push(END_OF_BOUNDARY);
            }
            paper.spots.push(END_OF_REGION);
        }
        paper
    }

    pub(super) fn new_spot(&mut self, lives: u8) -> Spot {
        self.lives.push(lives);
        (self.lives.len() - 1) as Spot
    }

    /// The lands that are left when all is simplified:
    ///
    /// 1. dead spots vanish;
    /// 2. copies of a spot that are neighbours on a boundary are one;
    /// 3. empty boundaries vanish, and regions with fewer than two lives;
    /// 4. whether a spot is met once, twice on a boundary or in two regions is seen by where it is met;
    /// 5. in a region with two or three lives its spots stand on one boundary, each once;
    /// 7. regions that share no spot are separate lands;
    /// 8. a land with two lives has one move, after which none is left, and is written as `1`.
    ///
    /// One pass reaches the end of this: 2 leaves each spot where it was met, and makes no new neighbours,
    /// for no spot that is alive is met three times but side by side; the lives of a region depend on no
    /// other region.
    pub(crate) fn simplified(&mut self) -> &Lands {
        let Self {
            spots,
            lives,
            lands,
        } = self;
        lands.simplify(spots, lives);
        lands.part();
        lands.write(lives);
        lands
    }
}

/// Lands that were just simplified, not in canonical form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lands {
    /// What is left of the spots, with an end after each boundary.
    spots: Vec<Spot>,
    /// Where regions end.
    regions: Vec<usize>,
    /// For each region the first region of its land.
    first: Vec<usize>,
    /// For each spot how often it is met, and where it was met first: the region, and in a boundary where.
    copies: Vec<u8>,
    home: Vec<usize>,
    place: Vec<usize>,
    marks: Vec<Mark>,
    /// Where lands end in `marks`.
    ends: Vec<usize>,
}

const NOWHERE: usize = usize::MAX;

impl Lands {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The marks of a land.
    pub(crate) fn marks(&self, index: usize) -> &[Mark] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.marks[start..self.ends[index]]
    }

    /// Equivalences 1, 2, 3 and 5.
    fn simplify(&mut self, from: &[Spot], lives: &[u8]) {
        self.spots.clear();
        self.regions.clear();
        self.copies.clear();
        self.copies.resize(lives.len(), 0);
        self.home.clear();
        self.home.resize(lives.len(), NOWHERE);
        let (mut boundary, mut region) = (0, 0);
        for &spot in from {
            match spot {
                END_OF_BOUNDARY => {
                    if self.spots.len() > boundary + 1
                        && self.spots.last() == self.spots.get(boundary)
                    {
                        self.spots.pop();
                    }
                    if self.spots.len() > boundary {
                        self.spots.push(END_OF_BOUNDARY);
                    }
                    boundary = self.spots.len();
                }
                END_OF_REGION => {
                    self.end_region(region, lives);
                    (boundary, region) = (self.spots.len(), self.spots.len());
                }
                _ => {
                    let is_again = self.spots.len() > boundary && self.spots.last() == Some(&spot);
                    if lives[usize::from(spot)] > 0 && !is_again {
                        self.spots.push(spot);
                    }
                }
            }
        }
    }

    /// Ends the region that starts there: drops it, or puts its spots on one boundary, or leaves it.
    fn end_region(&mut self, start: usize, lives: &[u8]) {
        let number = self.regions.len();
        let mut sum = 0;
        // A spot that was met in an earlier region has its home there; no mark of it is needed here.
        let mut met: smallvec::SmallVec<[Spot; 4]> = smallvec::SmallVec::new();
        for &spot in &self.spots[start..] {
            if spot != END_OF_BOUNDARY && !met.contains(&spot) {
                sum += u32::from(lives[usize::from(spot)]);
                if sum > 3 {
                    break;
                }
                met.push(spot);
            }
        }
        if sum <= 3 {
            self.spots.truncate(start);
            if sum < 2 {
                return;
            }
            self.spots.extend_from_slice(&met);
            self.spots.push(END_OF_BOUNDARY);
        }
        for &spot in &self.spots[start..] {
            if spot != END_OF_BOUNDARY {
                let spot = usize::from(spot);
                self.copies[spot] += 1;
                if self.home[spot] == NOWHERE {
                    self.home[spot] = number;
                }
            }
        }
        self.regions.push(self.spots.len());
    }

    /// Equivalence 7: finds the first region of each region's land.
    fn part(&mut self) {
        self.first.clear();
        self.first.extend(0..self.regions.len());
        let mut start = 0;
        for region in 0..self.regions.len() {
            let end = self.regions[region];
            for i in start..end {
                if self.spots[i] != END_OF_BOUNDARY {
                    let home = self.home[usize::from(self.spots[i])];
                    let (a, b) = (self.first[home], self.first[region]);
                    if a != b {
                        let (low, high) = (a.min(b), a.max(b));
                        for first in &mut self.first[..=region] {
                            if *first == high {
                                *first = low;
                            }
                        }
                    }
                }
            }
            start = end;
        }
    }

    /// Writes each land as marks.
    fn write(&mut self, lives: &[u8]) {
        self.marks.clear();
        self.ends.clear();
        self.place.clear();
        self.place.resize(lives.len(), NOWHERE);
        for land in 0..self.regions.len() {
            if self.first[land] != land {
                continue;
            }
            let mut shared = 0;
            for region in land..self.regions.len() {
                if self.first[region] == land {
                    self.write_region(region, &mut shared, lives);
                }
            }
            let start = self.ends.last().copied().unwrap_or(0);
            if land::lives(&self.marks[start..]) == 2 {
                self.marks.truncate(start);
                self.marks.extend(land::ONE_MOVE);
            }
            self.ends.push(self.marks.len());
        }
    }

    fn write_region(&mut self, region: usize, shared: &mut Mark, lives: &[u8]) {
        let start = region
            .checked_sub(1)
            .map_or(0, |before| self.regions[before]);
        let spots = &self.spots[start..self.regions[region]];
        for boundary in spots.split(|&spot| spot == END_OF_BOUNDARY) {
            if boundary.is_empty() {
                continue;
            }
            let first = self.marks.len();
            for (at, &spot) in boundary.iter().enumerate() {
                let spot = usize::from(spot);
                let mark = match (lives[spot], self.copies[spot]) {
                    (3, _) => ISOLATED,
                    (2, _) => END,
                    (_, 1) => SINGLE,
                    _ if self.home[spot] != region || is_elsewhere(spot, boundary) => {
                        // The first copy gives the number, the second takes it.
                        if self.place[spot] == NOWHERE {
                            self.place[spot] = usize::from(*shared);
                            *shared += 1;
                        }
                        SHARED + self.place[spot] as Mark
                    }
                    _ if self.place[spot] == NOWHERE => {
                        self.place[spot] = at;
                        PAIR
                    }
                    _ => {
                        let other = self.place[spot];
                        self.marks[first + other] = PAIR + (at - other) as Mark;
                        PAIR + (boundary.len() + other - at) as Mark
                    }
                };
                self.marks.push(mark);
            }
            self.marks.push(BOUNDARY);
        }
        self.marks.push(REGION);
    }
}

/// Whether the other copy of a spot that is met twice is not on this boundary.
fn is_elsewhere(spot: usize, boundary: &[Spot]) -> bool {
    let here = boundary.iter().filter(|&&other| usize::from(other) == spot);
    here.count() < 2
}
