//! A position as flat arrays of spots, boundaries and regions, before simplification.

/// The largest number of lives of a position that can be read. A start position has three lives
/// a spot, so that 0*333 is the largest.
pub const MAX_LIVES: u32 = 1000;

/// What is met on a boundary: a spot by its number of lines, or a letter.
///
/// A letter is a spot with two lines that is met twice; both copies carry one number, which is
/// unique in the whole sketch, whether the copies lie on one boundary or in two regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot(u16);

impl Spot {
    /// A spot without lines: three lives.
    pub const ISOLATED: Self = Self(0);
    /// A spot with one line: two lives.
    pub const END: Self = Self(1);
    /// A spot with two lines, met once: one life.
    pub const MID: Self = Self(2);
    /// A spot with three lines.
    pub const DEAD: Self = Self(3);

    /// The letter of a number.
    pub fn letter(number: usize) -> Self {
        Self(4 + u16::try_from(number).expect("letters are few, since each has a life"))
    }

    /// The letter's number, if it is a letter.
    pub fn number(self) -> Option<usize> {
        self.0.checked_sub(4).map(usize::from)
    }

    /// How many lines the spot can still take.
    pub fn lives(self) -> u32 {
        if self.number().is_some() {
            1
        } else {
            u32::from(3 - self.0)
        }
    }
}

/// Regions, each a list of boundaries, each a cyclic list of spots met while walking along it
/// with the region always on the same side.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    spots: Vec<Spot>,
    boundary_ends: Vec<usize>,
    region_ends: Vec<usize>,
    letters: usize,
}

impl Sketch {
    /// Forgets everything but the allocated memory.
    pub fn clear(&mut self) {
        self.spots.clear();
        self.boundary_ends.clear();
        self.region_ends.clear();
        self.letters = 0;
    }

    /// A letter that the sketch does not have yet.
    pub fn new_letter(&mut self) -> Spot {
        self.letters += 1;
        Spot::letter(self.letters - 1)
    }

    /// Makes the numbers of new letters start at least there.
    pub fn reserve_letters(&mut self, count: usize) {
        self.letters = self.letters.max(count);
    }

    /// One above the largest number of a letter.
    pub fn letters(&self) -> usize {
        self.letters
    }

    /// Adds a spot to the boundary being written.
    pub fn push(&mut self, spot: Spot) {
        self.spots.push(spot);
    }

    /// Takes the last spot back from the boundary being written.
    pub fn pop(&mut self) {
        self.spots.pop();
    }

    /// Ends the boundary being written, if it has a spot.
    pub fn end_boundary(&mut self) {
        if !self.open_boundary().is_empty() {
            self.boundary_ends.push(self.spots.len());
        }
    }

    /// Ends the region being written, if it has a boundary.
    pub fn end_region(&mut self) {
        if !self.open_region().is_empty() {
            self.region_ends.push(self.boundary_ends.len());
        }
    }

    /// Adds a whole boundary.
    pub fn push_boundary(&mut self, spots: &[Spot]) {
        self.spots.extend_from_slice(spots);
        self.end_boundary();
    }

    /// The spots of the boundary being written.
    pub fn open_boundary(&self) -> &[Spot] {
        &self.spots[self.boundary_ends.last().copied().unwrap_or(0)..]
    }

    /// The spots of all boundaries of the region being written.
    pub fn open_region(&self) -> &[Spot] {
        &self.spots[self.region_start()..]
    }

    /// Takes back the region being written.
    pub fn drop_region(&mut self) {
        let start = self.region_start();
        self.spots.truncate(start);
        let boundaries = self.region_ends.last().copied().unwrap_or(0);
        self.boundary_ends.truncate(boundaries);
    }

    fn region_start(&self) -> usize {
        match self.region_ends.last().copied().unwrap_or(0) {
            0 => 0,
            boundaries => self.boundary_ends[boundaries - 1],
        }
    }

    /// All spots, in order.
    pub fn spots_mut(&mut self) -> &mut [Spot] {
        &mut self.spots
    }

    /// How many regions there are.
    pub fn regions(&self) -> usize {
        self.region_ends.len()
    }

    /// The boundaries of a region.
    pub fn boundaries(&self, region: usize) -> impl ExactSizeIterator<Item = &[Spot]> {
        let first = match region {
            0 => 0,
            _ => self.region_ends[region - 1],
        };
        (first..self.region_ends[region]).map(|boundary| {
            let start = match boundary {
                0 => 0,
                _ => self.boundary_ends[boundary - 1],
            };
            &self.spots[start..self.boundary_ends[boundary]]
        })
    }

    /// The lives of all spots; a letter counts once.
    pub fn lives(&self) -> u32 {
        let mut met = vec![false; self.letters];
        let mut lives = 0;
        for spot in &self.spots {
            let again = spot
                .number()
                .is_some_and(|number| std::mem::replace(&mut met[number], true));
            if !again {
                lives += spot.lives();
            }
        }
        lives
    }
}
