//! Positions as they are read or as a move leaves them, before simplification.

use crate::surface::Surface;

/// The maximum number of lives of a readable position. A start position has three lives per spot, so the largest one is
/// `0*333`.
pub const MAX_LIVES: u32 = 1000;

/// An entry of a boundary: a spot that occurs once, by its number of lines, or a letter.
///
/// A letter is a spot with two lines that occurs twice. Both copies carry the same number, which is
/// unique in the position, whether the copies are on one boundary or in two regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot(u16);

impl Spot {
    /// A spot without lines: three lives.
    pub const ISOLATED: Self = Self(0);
    /// A spot with one line: two lives.
    pub const END: Self = Self(1);
    /// A spot with two lines that occurs once: one life.
    pub const MID: Self = Self(2);
    /// A spot with three lines.
    pub const DEAD: Self = Self(3);

    /// The letter with this number.
    ///
    /// # Panics
    /// The number does not fit in 16 bits with the four other spots. Each letter has a life, so
    /// positions have at most [`MAX_LIVES`] of them.
    #[inline]
    pub fn letter(number: usize) -> Self {
        Self(4 + u16::try_from(number).expect("letters are few, since each has a life"))
    }

    /// The number of a letter; `None` for other spots.
    #[inline]
    pub fn number(self) -> Option<usize> {
        self.0.checked_sub(4).map(usize::from)
    }

    /// The number of lines that the spot can still take.
    #[inline]
    pub fn lives(self) -> u32 {
        if self.number().is_some() {
            1
        } else {
            u32::from(3 - self.0)
        }
    }
}

/// A position as regions of boundaries of spots, in flat arrays.
///
/// A boundary is the cyclic list of spots met while walking along it, with the region always on the
/// same side. The arrays are filled from left to right; the last boundary and region stay *open*
/// until they are ended.
#[derive(Clone, Debug, Default)]
pub struct RawPosition {
    spots: Vec<Spot>,
    /// The end of each boundary in `spots`.
    boundary_ends: Vec<usize>,
    /// The end of each region in `boundary_ends`.
    region_ends: Vec<usize>,
    /// The surface of each region.
    surfaces: Vec<Surface>,
    letters: usize,
}

impl RawPosition {
    /// No regions, with room for `spots` spots.
    pub fn with_capacity(spots: usize) -> Self {
        Self {
            spots: Vec::with_capacity(spots),
            boundary_ends: Vec::with_capacity(spots / 2),
            region_ends: Vec::with_capacity(spots / 2),
            surfaces: Vec::with_capacity(spots / 2),
            letters: 0,
        }
    }

    /// Empties the position and keeps the allocated memory.
    #[inline]
    pub fn clear(&mut self) {
        self.spots.clear();
        self.boundary_ends.clear();
        self.region_ends.clear();
        self.surfaces.clear();
        self.letters = 0;
    }

    /// Returns a letter that is new in the position.
    #[inline]
    pub fn new_letter(&mut self) -> Spot {
        self.letters += 1;
        Spot::letter(self.letters - 1)
    }

    /// Makes the numbers of new letters start at `count` or above.
    #[inline]
    pub fn reserve_letters(&mut self, count: usize) {
        self.letters = self.letters.max(count);
    }

    /// One above the largest number of a letter.
    #[inline]
    pub fn letters(&self) -> usize {
        self.letters
    }

    /// Adds a spot to the open boundary.
    #[inline]
    pub fn push(&mut self, spot: Spot) {
        self.spots.push(spot);
    }

    /// Removes the last spot of the open boundary.
    #[inline]
    pub fn pop(&mut self) {
        self.spots.pop();
    }

    /// Ends the open boundary, unless it is empty.
    #[inline]
    pub fn end_boundary(&mut self) {
        if !self.open_boundary().is_empty() {
            self.boundary_ends.push(self.spots.len());
        }
    }

    /// Ends the open region, unless it is empty. It lies on the sphere.
    #[inline]
    pub fn end_region(&mut self) {
        self.end_region_on(Surface::SPHERE);
    }

    /// Ends the open region, unless it is empty. It lies on this surface.
    #[inline]
    pub fn end_region_on(&mut self, surface: Surface) {
        if !self.open_region().is_empty() {
            self.region_ends.push(self.boundary_ends.len());
            self.surfaces.push(surface);
        }
    }

    /// Adds a whole boundary to the open region.
    #[inline]
    pub fn push_boundary(&mut self, spots: &[Spot]) {
        self.spots.extend_from_slice(spots);
        self.end_boundary();
    }

    /// The spots of the open boundary.
    #[inline]
    pub fn open_boundary(&self) -> &[Spot] {
        &self.spots[end(&self.boundary_ends, self.boundary_ends.len())..]
    }

    /// The spots of all boundaries of the open region.
    #[inline]
    pub fn open_region(&self) -> &[Spot] {
        &self.spots[self.open_region_start()..]
    }

    /// Removes the open region.
    #[inline]
    pub fn drop_region(&mut self) {
        self.spots.truncate(self.open_region_start());
        let boundaries = end(&self.region_ends, self.region_ends.len());
        self.boundary_ends.truncate(boundaries);
    }

    fn open_region_start(&self) -> usize {
        let boundaries = end(&self.region_ends, self.region_ends.len());
        end(&self.boundary_ends, boundaries)
    }

    /// All spots, in order.
    #[inline]
    pub fn spots_mut(&mut self) -> &mut [Spot] {
        &mut self.spots
    }

    /// The number of regions.
    #[inline]
    pub fn regions(&self) -> usize {
        self.region_ends.len()
    }

    /// The surface of a region after closing each boundary with a disc.
    #[inline]
    pub fn surface(&self, region: usize) -> Surface {
        self.surfaces[region]
    }

    /// The boundaries of a region.
    #[inline]
    pub fn boundaries(&self, region: usize) -> impl ExactSizeIterator<Item = &[Spot]> {
        let first = end(&self.region_ends, region);
        (first..self.region_ends[region]).map(|boundary| {
            &self.spots[end(&self.boundary_ends, boundary)..self.boundary_ends[boundary]]
        })
    }
}

/// The end of the first `count` parts, which is the start of the next one.
#[inline]
fn end(ends: &[usize], count: usize) -> usize {
    count.checked_sub(1).map_or(0, |last| ends[last])
}
