//! A position during a move: spots with names and lives, and its simplification.

use super::land::{self, BOUNDARY, END, ISOLATED, Mark, PAIR, REGION, SHARED, SINGLE};
use crate::format::Ruleset;

/// The name of a spot.
pub(super) type Spot = u16;

/// Ends a boundary; no spot has that name.
pub(super) const END_OF_BOUNDARY: Spot = Spot::MAX;
/// Ends a region; no spot has that name.
pub(super) const END_OF_REGION: Spot = Spot::MAX - 1;

/// Regions of boundaries of spots, with an end after each boundary and each region. A spot has the same name
/// in all its places, at most three.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorkingPosition {
    pub(super) spots: Vec<Spot>,
    /// The lives of each spot, by its name.
    pub(super) lives: Vec<u8>,
    game: Ruleset,
    lands: Lands,
}

impl WorkingPosition {
    /// An empty position of a game.
    pub(super) fn new(game: Ruleset) -> Self {
        Self {
            game,
            ..Self::default()
        }
    }

    /// Gives names to the spots of a land or position. A spot has the same place as its mark.
    pub(super) fn of(marks: &[Mark], game: Ruleset) -> Self {
        let mut position = Self::new(game);
        let mut spots: Vec<Option<Spot>> = vec![None; marks.len()];
        let mut shared: Vec<Option<Spot>> = Vec::new();
        for (at, &mark) in marks.iter().enumerate() {
            let spot = match mark {
                BOUNDARY => END_OF_BOUNDARY,
                REGION => END_OF_REGION,
                ISOLATED => position.new_spot(3),
                END => position.new_spot(2),
                SINGLE => position.new_spot(1),
                SHARED.. => {
                    let number = usize::from(mark - SHARED);
                    shared.resize(shared.len().max(number + 1), None);
                    *shared[number].get_or_insert_with(|| position.new_spot(1))
                }
                // The first copy of a pair names the second as well.
                _ => spots[at].unwrap_or_else(|| {
                    let spot = position.new_spot(1);
                    spots[at + usize::from(mark - PAIR)] = Some(spot);
                    spot
                }),
            };
            position.spots.push(spot);
        }
        position
    }

    pub(super) fn new_spot(&mut self, lives: u8) -> Spot {
        self.lives.push(lives);
        (self.lives.len() - 1) as Spot
    }

    /// Simplifies the position, and returns its lands:
    ///
    /// 1. dead spots vanish;
    /// 2. copies of a spot that are neighbors on a boundary become one;
    /// 3. empty boundaries vanish, and regions with fewer than two lives;
    /// 4. a spot is written by where it occurs: once, twice on a boundary, or in two regions;
    /// 5. the spots of a region with two or three lives are put on one boundary, each once;
    /// 7. regions that share no spot are separate lands;
    /// 8. a land with two lives has exactly one move, the last, and is written as `1`.
    ///
    /// Rules 5 and 8 hold in Sprouts alone.
    ///
    /// One pass is enough. Rule 2 moves no spot and makes no new neighbors, because the copies of a living spot
    /// that occurs three times are side by side. The lives of a region do not depend on other regions.
    pub(crate) fn simplified(&mut self) -> &Lands {
        let Self {
            spots,
            lives,
            game,
            lands,
        } = self;
        lands.merges_small_regions = game.merges_small_regions();
        lands.simplify(spots, lives);
        lands.separate();
        lands.write(lives);
        lands
    }
}

/// The lands of a simplified position, not in canonical form.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lands {
    merges_small_regions: bool,
    /// The remaining spots, with an end after each boundary.
    spots: Vec<Spot>,
    /// The ends of regions.
    regions: Vec<usize>,
    /// For each region the first region of its land.
    first: Vec<usize>,
    /// For each spot: the number of its copies, the region of its first copy, and its number if two regions share it.
    copies: Vec<u8>,
    home: Vec<usize>,
    numbers: Vec<Mark>,
    marks: Vec<Mark>,
    /// The ends of lands in `marks`.
    ends: Vec<usize>,
}

const NOWHERE: usize = usize::MAX;
const NO_NUMBER: Mark = Mark::MAX;

impl Lands {
    /// The number of lands.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The marks of a land.
    pub(crate) fn marks(&self, index: usize) -> &[Mark] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.marks[start..self.ends[index]]
    }

    /// Applies rules 1, 2, 3 and 5.
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

    /// Ends the region that starts at `start`: drops it, puts its spots on one boundary, or leaves it.
    fn end_region(&mut self, start: usize, lives: &[u8]) {
        let number = self.regions.len();
        let mut sum = 0;
        // At most three distinct spots, because each has a life.
        let (mut distinct, mut count) = ([0; 3], 0);
        for &spot in &self.spots[start..] {
            if spot != END_OF_BOUNDARY && !distinct[..count].contains(&spot) {
                sum += u32::from(lives[usize::from(spot)]);
                if sum > 3 {
                    break;
                }
                distinct[count] = spot;
                count += 1;
            }
        }
        if sum < 2 {
            self.spots.truncate(start);
            return;
        }
        if sum <= 3 && self.merges_small_regions {
            self.spots.truncate(start);
            self.spots.extend_from_slice(&distinct[..count]);
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

    /// Applies rule 7: finds the first region of each region's land.
    fn separate(&mut self) {
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
        self.numbers.clear();
        self.numbers.resize(lives.len(), NO_NUMBER);
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
            if self.merges_small_regions && land::lives(&self.marks[start..]) == 2 {
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
        for boundary in spots.split_inclusive(|&spot| spot == END_OF_BOUNDARY) {
            let boundary = &boundary[..boundary.len() - 1];
            for (at, &name) in boundary.iter().enumerate() {
                let spot = usize::from(name);
                let mark = match (lives[spot], self.copies[spot]) {
                    (3, _) => ISOLATED,
                    (2, _) => END,
                    (_, 1) => SINGLE,
                    _ if self.numbers[spot] != NO_NUMBER => SHARED + self.numbers[spot],
                    _ => {
                        let mut around = boundary[at + 1..].iter().chain(&boundary[..at]);
                        around.position(|&other| other == name).map_or_else(
                            || {
                                self.numbers[spot] = *shared;
                                *shared += 1;
                                SHARED + self.numbers[spot]
                            },
                            |between| PAIR + between as Mark + 1,
                        )
                    }
                };
                self.marks.push(mark);
            }
            self.marks.push(BOUNDARY);
        }
        self.marks.push(REGION);
    }
}
