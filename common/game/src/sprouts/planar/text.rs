//! The position in the notation of Applegate, Jacobson and Sleator, raw.

use std::ops::RangeInclusive;

use super::{Corner, PlanarMap};

impl PlanarMap {
    /// The position as text, with nothing left out and nothing simplified.
    ///
    /// All faces are joined by `|` into one land, the boundaries of a face by `.`; a boundary is
    /// the list of spots met on it. `0`, `1` and `3` are spots with that many lines. A spot with
    /// two lines is a small letter if it is met twice on one boundary (names restart in every
    /// boundary), and a capital one if it is met in two faces (names run through the text). Past
    /// `z` and `Z` names are `m(27)`, `n(27)` and so on. Without spots the text is `!`.
    ///
    /// Dead spots and dead faces are written, and so are lands that have nothing in common:
    /// finding the equivalences is the reader's work.
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
        let degrees = self.degrees();
        let met: Vec<usize> = self
            .corners(boundary)
            .into_iter()
            .map(|corner| self.spot(corner))
            .collect();
        let mut smalls = Names::default();
        met.iter()
            .map(|&spot| match degrees[spot] {
                // Both lines of such a spot belong to one connected piece, which has one boundary
                // at most in any face: off this boundary is in another face.
                2 if met.iter().filter(|&&other| other == spot).count() == 2 => {
                    name('a'..='z', 'm', smalls.number(spot))
                }
                2 => name('A'..='Z', 'n', capitals.number(spot)),
                lines => lines.to_string(),
            })
            .collect()
    }
}

/// Numbers for spots, from 1, in the order they are first met.
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

/// The name with this number: one of the letters, past their end the number marked with `long`.
pub(super) fn name(mut letters: RangeInclusive<char>, long: char, number: usize) -> String {
    letters
        .nth(number - 1)
        .map_or_else(|| format!("{long}({number})"), String::from)
}
