//! How large the discs of spots are: as large as the picture wants them, unless another spot or a line is near.

use super::Sheet;
use crate::paper::CORNER;
use crate::tight::{BEYOND, border};

/// The radius of a spot in large pictures, and that of a spot that can take no line any more.
pub(super) const RADIUS: f64 = 15.0;
const DEAD_RADIUS: f64 = 11.25;

/// The share of the distance between two spots up to which each disc reaches. The pips on the rim of a spot stand out by
/// half of its radius, and must not touch the disc of the other spot.
const SHARE: f64 = 0.38;

/// The same for the distance from the border of the paper.
const SHARE_OF_MARGIN: f64 = 0.6;

/// The size at which a picture of a sheet is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Size {
    /// Large: all spots with lives have the same radius, 15.
    #[default]
    Large,
    /// That of a board on a phone: lines are at most 6 units wide, and spots as large as there is room, up to a radius of
    /// 26. The style of a page makes them smaller on larger boards.
    Board,
    /// About 200 pixels wide: lines and spots are larger still, and only large spots have numbers.
    Small,
}

impl Sheet {
    /// The radius of the disc of a spot, which is counted from 0. Discs do not touch each other, nor lines that pass the
    /// spot, unless even discs of the least radius would.
    pub fn disc(&self, spot: usize, size: Size) -> f64 {
        // The least and the largest radius, and half the width of lines.
        let (least, largest, half_line) = match (size, self.lives(spot)) {
            (Size::Large, 0) => return DEAD_RADIUS,
            (Size::Large, _) => return RADIUS,
            (Size::Board, 0) => (DEAD_RADIUS, 21.0, 3.0),
            (Size::Board, _) => (RADIUS, 26.0, 3.0),
            (Size::Small, 0) => (DEAD_RADIUS, 17.0, 9.5),
            (Size::Small, _) => (DEAD_RADIUS, 31.0, 9.5),
        };
        let at = self.spots[spot];
        let others = (0..self.spots.len()).filter(|&other| other != spot && !self.is_middle(other));
        let others = others.map(|other| SHARE * at.distance(self.spots[other]));
        let beside = half_line + CORNER;
        let left = BEYOND * (largest + beside);
        let lines = self.lines.iter();
        let lines = lines.map(|line| line.distance_beyond(spot, at, left) - beside);
        let inside = SHARE_OF_MARGIN * border(at);
        let room = others.chain(lines).fold(inside, f64::min);
        room.clamp(least, largest)
    }
}
