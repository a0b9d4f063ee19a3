//! The differences between the games.

use sproutnet_notation::ParseError;
use sproutnet_notation::raw::RawPosition;
use sproutnet_notation::text::{self, crosses};

use super::land::{self, END, ISOLATED, Mark};
use crate::format::Ruleset;

/// The point that a move puts on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Point {
    /// A spot with two lines, which is on both sides.
    Spot,
    /// A short line across, with a free end on either side. A free end has one life, like a spot with two lines.
    Cross,
}

impl Ruleset {
    /// The points that a move may put on its line.
    pub(super) fn points(self) -> &'static [Point] {
        match self {
            Self::Sprouts => &[Point::Spot],
            Self::Mixed => &[Point::Spot, Point::Cross],
        }
    }

    /// Whether equivalences 5 and 8 hold. They do not if a move can leave a life on each side of its line.
    pub(super) fn merges_small_regions(self) -> bool {
        self == Self::Sprouts
    }

    /// The rank of a land, from its marks: every move lowers the sum of the ranks of all lands.
    ///
    /// In Sprouts, the lives. In Mixed Sprouts, for each region: its boundaries, plus the places from which lines can
    /// still leave its spots, minus 2 (`docs/explanation/proofs.md`).
    pub(crate) fn rank(self, marks: &[Mark]) -> u32 {
        if self == Self::Sprouts {
            return land::lives(marks);
        }
        let of_region = |region: &[Mark]| {
            // The end of a boundary counts as one, like a spot with one place there.
            let places = region.iter().map(|&mark| match mark {
                ISOLATED => 4,
                END => 3,
                _ => 1,
            });
            places.sum::<u32>().saturating_sub(2)
        };
        land::regions(marks).map(of_region).sum()
    }

    /// The maximum number of moves in a land of this rank. In Sprouts, a move takes one life, and the last one needs
    /// two.
    pub(crate) fn longest_play(self, rank: u32) -> u32 {
        match self {
            Self::Sprouts => rank.saturating_sub(1),
            Self::Mixed => rank,
        }
    }

    /// Reads a position of a fact, possibly one that cannot occur.
    pub(crate) fn parse(self, text: &str) -> Result<RawPosition, ParseError> {
        match self {
            Self::Sprouts => text::parse(text),
            Self::Mixed => crosses::parse(text),
        }
    }

    /// Reads a position that can be drawn in the plane.
    pub(crate) fn parse_drawable(self, text: &str) -> Result<RawPosition, ParseError> {
        match self {
            Self::Sprouts => text::parse_drawable(text),
            Self::Mixed => crosses::parse_drawable(text),
        }
    }
}
