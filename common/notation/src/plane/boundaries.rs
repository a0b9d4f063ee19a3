//! The letters around the boundaries of a position.

use std::ops::Range;

use crate::raw::RawPosition;

/// The boundaries of a position as cyclic lists of letters that occur twice, without the empty ones. The *places* of
/// letters are numbered, boundary after boundary.
#[derive(Debug, Default)]
pub struct Boundaries {
    /// The letter at each place.
    letters: Vec<u32>,
    /// The place of the other copy of that letter.
    partners: Vec<u32>,
    /// The boundary of each place.
    boundary_of: Vec<u32>,
    /// The places of each boundary.
    around: Vec<Range<u32>>,
    /// The region of each boundary.
    region_of: Vec<u32>,
    /// The first place of each letter; [`NONE`] if it is not met yet.
    first: Vec<u32>,
    regions: usize,
}

const NONE: u32 = u32::MAX;

impl Boundaries {
    /// The boundaries of a raw position.
    pub(super) fn of(raw: &RawPosition) -> Self {
        let boundaries = |region| raw.boundaries(region).map(<[_]>::iter);
        let mut copies = vec![0_u8; raw.letters()];
        for spots in (0..raw.regions()).flat_map(boundaries) {
            for letter in spots.filter_map(|spot| spot.number()) {
                copies[letter] += 1;
            }
        }
        let mut found = Self::default();
        for region in 0..raw.regions() {
            for spots in boundaries(region) {
                let letters = spots.filter_map(|spot| spot.number());
                for letter in letters.filter(|&letter| copies[letter] == 2) {
                    found.push(letter);
                }
                found.end_boundary();
            }
            found.end_region();
        }
        found
    }

    /// Removes all boundaries, and keeps the memory.
    pub fn clear(&mut self) {
        self.letters.clear();
        self.partners.clear();
        self.boundary_of.clear();
        self.around.clear();
        self.region_of.clear();
        self.first.clear();
        self.regions = 0;
    }

    /// Adds a letter to the last boundary. In the end, each letter must have been added twice.
    pub fn push(&mut self, letter: usize) {
        let place = self.letters.len() as u32;
        if letter >= self.first.len() {
            self.first.resize(letter + 1, NONE);
        }
        let partner = self.first[letter];
        if partner == NONE {
            self.first[letter] = place;
        } else {
            self.partners[partner as usize] = place;
        }
        self.letters.push(letter as u32);
        self.partners.push(partner);
        self.boundary_of.push(self.around.len() as u32);
    }

    /// Ends the last boundary. One without letters is left out.
    pub fn end_boundary(&mut self) {
        let start = self.around.last().map_or(0, |last| last.end);
        let end = self.letters.len() as u32;
        if end > start {
            self.around.push(start..end);
            self.region_of.push(self.regions as u32);
        }
    }

    /// Ends the last region.
    pub fn end_region(&mut self) {
        self.regions += 1;
    }

    /// The number of boundaries.
    pub(super) fn len(&self) -> usize {
        self.around.len()
    }

    pub(super) fn regions(&self) -> usize {
        self.regions
    }

    /// The number of places.
    pub(super) fn places(&self) -> usize {
        self.letters.len()
    }

    pub(super) fn region(&self, boundary: usize) -> usize {
        self.region_of[boundary] as usize
    }

    pub(super) fn letter(&self, place: usize) -> usize {
        self.letters[place] as usize
    }

    pub(super) fn first_letter(&self, boundary: usize) -> usize {
        self.letter(self.around[boundary].start as usize)
    }

    /// The place of the other copy of the letter at a place.
    pub(super) fn across(&self, place: usize) -> usize {
        self.partners[place] as usize
    }

    pub(super) fn boundary(&self, place: usize) -> usize {
        self.boundary_of[place] as usize
    }

    /// The places of a boundary.
    pub(super) fn around(&self, boundary: usize) -> Range<usize> {
        let Range { start, end } = self.around[boundary];
        start as usize..end as usize
    }

    /// The place that follows a place on its boundary.
    pub(super) fn after(&self, place: usize) -> usize {
        let around = self.around(self.boundary(place));
        if place + 1 < around.end {
            place + 1
        } else {
            around.start
        }
    }
}
