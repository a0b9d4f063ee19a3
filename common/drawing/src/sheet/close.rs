//! Spots that are close to something else, so that their discs must stay small.

use super::Sheet;
use crate::point::distance_to_line;

/// The radius of the largest discs on a board, and half the width of the lines beside them (board.css).
const LARGE: f64 = 26.0;
const HALF_LINE: f64 = 3.0;

impl Sheet {
    /// Whether large discs of this spot and of others would overlap, or a large disc would touch a line that does not end
    /// in the spot.
    pub(super) fn is_close(&self, spot: usize) -> bool {
        let at = self.spots[spot];
        let mut others =
            (0..self.spots.len()).filter(|&other| other != spot && !self.is_middle(other));
        let mut lines = self.lines.iter().filter(|line| !line.ends.contains(&spot));
        others.any(|other| at.distance(self.spots[other]) < 2.0 * LARGE)
            || lines.any(|line| distance_to_line(at, &line.points) < LARGE + HALF_LINE)
    }
}
