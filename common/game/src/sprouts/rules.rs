//! The differences between the games of this engine.

use sproutnet_notation::raw::{RawPosition, Spot};

/// The point that a move puts on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Point {
    /// A spot with two lines. It has one life, which can be used on either side of the line.
    Dot,
    /// A short line across: a free end on either side of the line. Each has a life of its own.
    Cross,
}

/// The rules of a game in which a move joins two spots or free ends by a line and puts a point on it.
///
/// A free end is written as a spot with two lines that occurs once: it has one life, in one region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    /// The points that a move may put on its line.
    pub(super) points: &'static [Point],
    /// Whether regions can lie on other surfaces than the sphere.
    pub(super) has_surfaces: bool,
}

impl Rules {
    /// Sprouts: dots alone.
    pub(crate) const SPROUTS: Self = Self {
        points: &[Point::Dot],
        has_surfaces: false,
    };
    /// Brussels Sprouts: crosses alone.
    pub(crate) const BRUSSELS: Self = Self {
        points: &[Point::Cross],
        has_surfaces: false,
    };
    /// Mixed Sprouts: the player to move chooses between a dot and a cross.
    pub(crate) const MIXED: Self = Self {
        points: &[Point::Dot, Point::Cross],
        has_surfaces: false,
    };

    /// Sprouts on any compact surface.
    pub(crate) const SURFACES: Self = Self {
        points: &[Point::Dot],
        has_surfaces: true,
    };

    /// Whether positions have dots. Otherwise they consist of free ends.
    pub(crate) fn has_spots(self) -> bool {
        self.points.contains(&Point::Dot)
    }

    /// Whether the boundaries of a region with two or three lives do not matter and are merged.
    ///
    /// After a cross there is a life on both sides of the line. Then `2.2` has two moves, and `22` one.
    pub(super) fn merges_small_regions(self) -> bool {
        self.points == [Point::Dot]
    }

    /// The contribution of a region to the [moves](Self::max_moves) of its land: the weights of its spots, and with
    /// crosses its boundaries less 2.
    ///
    /// A move takes one place at each end of its line, and makes two. If it joins two boundaries, there is one boundary
    /// less; if it cuts a region, there is one boundary more, and one region more. So each move takes at least 1. A
    /// region without moves adds nothing: it has one boundary and one place, or is gone. For n crosses at the start the
    /// sum is 5n - 2, the length of each play of Brussels Sprouts.
    pub(super) fn weight(self, spots: u32, boundaries: u32) -> u32 {
        if self.merges_small_regions() {
            spots
        } else {
            (spots + boundaries).saturating_sub(2)
        }
    }

    /// The contribution of a spot to the [weight](Self::weight) of a region, at each place where it occurs.
    ///
    /// Without crosses: twice its lives; a letter has half of them at each place. With crosses: the places from which a
    /// line can still leave it. A dot without lines has four: after a first line it is an end with three, and after a
    /// second one a letter with a place on both sides.
    pub(super) fn weight_of_spot(self, spot: Spot) -> u32 {
        match spot {
            _ if self.merges_small_regions() => halves(spot),
            Spot::ISOLATED => 4,
            Spot::END => 3,
            Spot::DEAD => 0,
            _ => 1,
        }
    }

    /// An upper bound on the number of moves in a land, from the weights of its regions.
    ///
    /// Without crosses, a move takes one life, and the last one needs two.
    pub(super) fn max_moves(self, weight: u32) -> u32 {
        if self.merges_small_regions() {
            (weight / 2).saturating_sub(1)
        } else {
            weight
        }
    }

    /// The same for the land made of some regions of a simplified raw position.
    pub(super) fn max_moves_in(self, simple: &RawPosition, regions: &[usize]) -> u32 {
        let weight = |&region: &usize| {
            let spots = simple.boundaries(region).flatten();
            let spots = spots.map(|&spot| self.weight_of_spot(spot)).sum();
            self.weight(spots, simple.boundaries(region).len() as u32)
        };
        self.max_moves(regions.iter().map(weight).sum())
    }
}

/// Twice the lives of a spot. Each copy of a letter counts as half a life.
pub(super) fn halves(spot: Spot) -> u32 {
    match spot.number() {
        Some(_) => 1,
        None => 2 * spot.lives(),
    }
}
