//! The position as text, or as a raw position, without simplification.

use std::ops::RangeInclusive;

use sproutnet_notation::raw::{RawPosition, Spot};

use super::{Corner, PlanarMap};

impl PlanarMap {
    /// The raw position of [`Self::text`], without dead spots.
    pub(crate) fn raw(&self) -> RawPosition {
        let (degrees, lives) = (self.degrees(), self.lives_of_spots());
        let mut raw = RawPosition::with_capacity(self.darts.len());
        let mut letters = vec![None; self.spots];
        for face in &self.faces {
            for &boundary in &face.boundaries {
                for corner in self.corners(boundary) {
                    let spot = self.spot(corner);
                    let spot = match (degrees[spot], lives[spot]) {
                        (_, 0) => continue,
                        (1, 1) => Spot::MID,
                        (0, _) => Spot::ISOLATED,
                        (1, _) => Spot::END,
                        _ => *letters[spot].get_or_insert_with(|| raw.new_letter()),
                    };
                    raw.push(spot);
                }
                raw.end_boundary();
            }
            raw.end_region();
        }
        raw
    }

    /// The position in the [notation](sproutnet_notation::text), with dead spots and dead faces.
    ///
    /// All faces are written as the regions of one land, even if they fall into separate lands. Names
    /// past `z` and `Z` are `m(27)`, `n(27)` and so on. Without spots the text is `!`.
    #[must_use]
    pub fn text(&self) -> String {
        if self.spots == 0 {
            return "!".to_owned();
        }
        let mut capitals = Names::default();
        let faces: Vec<String> = self
            .faces
            .iter()
            .map(|face| {
                let boundaries: Vec<String> = face
                    .boundaries
                    .iter()
                    .map(|&boundary| self.boundary_text(boundary, &mut capitals))
                    .collect();
                boundaries.join(".")
            })
            .collect();
        faces.join("|")
    }

    fn boundary_text(&self, boundary: Corner, capitals: &mut Names) -> String {
        let (degrees, lives) = (self.degrees(), self.lives_of_spots());
        let met: Vec<usize> = self
            .corners(boundary)
            .into_iter()
            .map(|corner| self.spot(corner))
            .collect();
        let mut smalls = Names::default();
        met.iter()
            .map(|&spot| match degrees[spot] {
                // An end of a cross has one corner, and is written by its remaining lines.
                1 if lives[spot] == 1 => "2".to_owned(),
                _ if lives[spot] == 0 => "3".to_owned(),
                // A connected piece has at most one boundary in a face, so a copy that is not on
                // this boundary is in another face.
                2 if met.iter().filter(|&&other| other == spot).count() == 2 => {
                    name('a'..='z', 'm', smalls.number(spot))
                }
                2 => name('A'..='Z', 'n', capitals.number(spot)),
                lines => lines.to_string(),
            })
            .collect()
    }
}

/// The numbers of spots, from 1, in the order of occurrence.
#[derive(Default)]
struct Names {
    spots: Vec<usize>,
}

impl Names {
    fn number(&mut self, spot: usize) -> usize {
        let known = self.spots.iter().position(|&named| named == spot);
        let index = known.unwrap_or_else(|| {
            self.spots.push(spot);
            self.spots.len() - 1
        });
        index + 1
    }
}

/// The name with this number: a letter, or past the last one the number in brackets after `long`.
pub(super) fn name(mut letters: RangeInclusive<char>, long: char, number: usize) -> String {
    letters
        .nth(number - 1)
        .map_or_else(|| format!("{long}({number})"), String::from)
}
