//! Positions that can be drawn in the plane.
//!
//! Take the boundaries as vertices with a cyclic order of letters, and the letters that occur twice as
//! edges. The letters link the boundaries into *pieces*. A position can be drawn if and only if
//!
//! 1. pieces and regions, linked by the boundaries, have no circuit: a line that is drawn once around a
//!    piece inside a region separates it from all other boundaries of that region;
//! 2. each piece fits on the sphere. Each region may be mirrored for that, which changes no game.
//!
//! A boundary without letters is a piece of its own. It lies on no circuit and is left out.
//!
//! For 2, contract a spanning tree of the piece. The other letters become *chords* of a circle, the walk
//! around the tree, and the piece fits if and only if no two chords cross. Whether two chords cross
//! depends on where the paths between their four ends branch: at one vertex, and then mirroring changes
//! nothing, or at two, and then on whether one of the two is mirrored and the other is not. So each
//! pair of chords gives at most one condition on two vertices, and all of them together are solved by
//! colouring.

mod boundaries;
mod chords;
mod sides;

pub use self::boundaries::Boundaries;
use self::sides::Sides;
use crate::raw::RawPosition;

/// The reason why no drawing in the plane has the regions of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPlanar {
    /// Two boundaries of one region belong to one piece.
    #[error("two boundaries of region {} are linked through other regions", region + 1)]
    Linked {
        /// The number of the region, from 0.
        region: usize,
        /// The number of a letter on one of the boundaries.
        letter: usize,
    },
    /// The lines through two letters cross, whichever regions are mirrored.
    #[error("the lines through two letters cross")]
    Crossing {
        /// The numbers of the letters.
        letters: [usize; 2],
    },
}

/// Checks positions. Reuses its memory, since a coordinator checks hundreds of thousands of positions a second.
#[derive(Debug, Default)]
pub struct Checker {
    chords: chords::Finder,
    /// For two boundaries of a piece, whether both or only one must be mirrored.
    sides: Sides,
    /// The regions linked by the pieces met so far.
    linked: Sides,
}

impl Checker {
    /// Checks that the boundaries can be drawn in the plane.
    ///
    /// # Errors
    /// They cannot be drawn.
    pub fn check(&mut self, boundaries: &Boundaries) -> Result<(), NotPlanar> {
        self.sides.reset(boundaries.len());
        self.linked.reset(boundaries.regions());
        self.chords.begin(boundaries);
        while let Some(piece) = self.chords.next_piece(boundaries) {
            let first = boundaries.region(piece.boundaries[0]);
            for &boundary in &piece.boundaries[1..] {
                let region = boundaries.region(boundary);
                if !self.linked.link(first, region) {
                    // Only letters link boundaries.
                    let letter = boundaries.first_letter(boundary);
                    return Err(NotPlanar::Linked { region, letter });
                }
            }
            piece.separate_chords(boundaries, &mut self.sides)?;
        }
        Ok(())
    }
}

/// For each region whether it must be mirrored, so that the position can be drawn in the plane.
///
/// # Errors
/// It cannot be drawn.
pub fn mirrored_regions(raw: &RawPosition) -> Result<Vec<bool>, NotPlanar> {
    let boundaries = Boundaries::of(raw);
    let mut checker = Checker::default();
    checker.check(&boundaries)?;
    let mut sides = checker.sides;
    // All boundaries of a region are on one side. That is always possible, because pieces and regions form a forest,
    // and a piece can be mirrored as a whole.
    let mut first: Vec<Option<usize>> = vec![None; raw.regions()];
    for boundary in 0..boundaries.len() {
        let first = first[boundaries.region(boundary)].get_or_insert(boundary);
        let met = sides.join(*first, boundary, false);
        debug_assert!(met, "a condition between the pieces closes a circuit");
    }
    let mut is_mirrored = |boundary| sides.find(boundary).1;
    Ok(first
        .into_iter()
        .map(|first| first.is_some_and(&mut is_mirrored))
        .collect())
}

#[cfg(test)]
mod tests;
