//! A land as a sequence of marks.

use std::fmt;
use std::sync::Arc;

use super::WorkingPosition;
use super::canonical::Canoniser;
use crate::check::halt::Halt;
use crate::format::Ruleset;
use sproutnet_notation::raw::{RawPosition, Spot};
use sproutnet_notation::text;

/// A spot on a boundary, or the end of a boundary or region. Two copies of a spot on one boundary need no
/// name: each gives the distance to the other.
pub(crate) type Mark = u16;

/// Ends a boundary.
pub(super) const BOUNDARY: Mark = 0;
/// Ends a region, after the end of its last boundary.
pub(super) const REGION: Mark = 1;
/// A spot without lines: three lives.
pub(super) const ISOLATED: Mark = 2;
/// A spot with one line: two lives.
pub(super) const END: Mark = 3;
/// A spot with two lines and one copy: one life.
pub(super) const SINGLE: Mark = 4;
/// A spot with two lines and two copies on this boundary, plus the number of steps to the other copy.
pub(super) const PAIR: Mark = 5;
/// A spot with two lines and copies in two regions, plus its number.
pub(super) const SHARED: Mark = 0x4000;

/// The form of every land of Sprouts with two lives: a spot with one line.
pub(super) const ONE_MOVE: [Mark; 3] = [END, BOUNDARY, REGION];

/// A land in canonical form: two lands have the same marks exactly if they are equal up to the names of
/// letters, the order of regions and boundaries, rotation of boundaries and mirroring of regions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Land(Arc<[Mark]>);

impl Land {
    pub(super) fn from_canonical(marks: &[Mark]) -> Self {
        Self(marks.into())
    }

    /// The lands of a position, simplified.
    ///
    /// # Errors
    /// The canoniser was stopped.
    pub(crate) fn all_of(
        raw: &RawPosition,
        game: Ruleset,
        canoniser: &mut Canoniser,
    ) -> Result<Vec<Self>, Halt> {
        let mut position = WorkingPosition::of(&written(raw), game);
        let lands = position.simplified();
        let canonical = |index| canoniser.land(lands.marks(index));
        (0..lands.len()).map(canonical).collect()
    }

    /// [Its rank](Ruleset::rank).
    pub(crate) fn rank(&self, game: Ruleset) -> u32 {
        game.rank(&self.0)
    }

    /// Its marks.
    pub(crate) fn marks(&self) -> &[Mark] {
        &self.0
    }

    /// The memory in addition to its own size, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.0)
    }
}

/// The marks of a position as in its text, not simplified except that dead spots are left out.
fn written(raw: &RawPosition) -> Vec<Mark> {
    let mark = |spot: &Spot| match (spot.number(), spot.lives()) {
        (Some(number), _) => Some(SHARED + number as Mark),
        (None, 3) => Some(ISOLATED),
        (None, 2) => Some(END),
        (None, 1) => Some(SINGLE),
        (None, _) => None,
    };
    let mut marks = Vec::new();
    for region in 0..raw.regions() {
        for boundary in raw.boundaries(region) {
            marks.extend(boundary.iter().filter_map(mark));
            marks.push(BOUNDARY);
        }
        marks.push(REGION);
    }
    marks
}

/// The regions of a land, each the marks of its boundaries with an end after each.
pub(super) fn regions(marks: &[Mark]) -> impl Iterator<Item = &[Mark]> + Clone {
    marks
        .split(|&mark| mark == REGION)
        .filter(|region| !region.is_empty())
}

/// The boundaries of a region.
pub(super) fn boundaries(region: &[Mark]) -> impl Iterator<Item = &[Mark]> + Clone {
    region
        .split(|&mark| mark == BOUNDARY)
        .filter(|boundary| !boundary.is_empty())
}

/// The lives of all spots in a land.
pub(super) fn lives(marks: &[Mark]) -> u32 {
    let halves = |&mark: &Mark| match mark {
        BOUNDARY | REGION => 0,
        ISOLATED => 6,
        END => 4,
        SINGLE => 2,
        _ => 1,
    };
    marks.iter().map(halves).sum::<u32>() / 2
}

impl fmt::Display for Land {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut raw = RawPosition::default();
        for (&mark, &spot) in self
            .0
            .iter()
            .zip(&WorkingPosition::of(&self.0, Ruleset::Sprouts).spots)
        {
            match mark {
                BOUNDARY => raw.end_boundary(),
                REGION => raw.end_region(),
                ISOLATED => raw.push(Spot::ISOLATED),
                END => raw.push(Spot::END),
                SINGLE => raw.push(Spot::MID),
                _ => raw.push(Spot::letter(spot.into())),
            }
        }
        f.write_str(&text::print_land(&raw))
    }
}
