//! Positions and moves with crosses.

use super::moves::Move;
use super::{Corner, PlanarMap};

/// The number of lines of the middle of a cross.
const MIDDLE: usize = 4;
/// The maximum number of lines of an end of a cross: the one to its middle, and one more.
const END: usize = 2;

impl PlanarMap {
    /// The start position with `dots` dots and `crosses` crosses in one face.
    #[must_use]
    pub fn start_with_crosses(dots: usize, crosses: usize) -> Self {
        let mut map = Self::start(dots);
        for _ in 0..crosses {
            let middle = Corner::Isolated(map.add_spot(MIDDLE));
            let mut around = map.add_end(middle);
            for _ in 1..MIDDLE {
                around = map.add_end(around);
            }
            map.faces[0].boundaries.push(around);
        }
        map
    }

    /// Every map after one move that puts a cross on its line. Isomorphic maps can occur several times.
    #[must_use]
    pub fn moves_with_crosses(&self) -> Vec<PlanarMap> {
        let curves = self.curves();
        curves.iter().map(|curve| self.play_cross(curve)).collect()
    }

    /// The map after drawing a curve with a cross on it: the new spot becomes the middle of a cross, with an end on
    /// either side.
    pub(super) fn play_cross(&self, curve: &Move) -> PlanarMap {
        let mut map = self.play(curve);
        let middle = map.spots - 1;
        map.most_lines[middle] = MIDDLE;
        let around = |map: &PlanarMap| -> Vec<usize> {
            let darts = map.darts.iter().enumerate();
            darts
                .filter(|(_, dart)| dart.origin == middle)
                .map(|(index, _)| index)
                .collect()
        };
        for dart in around(&map) {
            map.add_end(Corner::Before(dart));
        }
        map
    }

    /// Draws a line from a corner of a middle to a new end in the same face. Returns a corner of the middle on that
    /// boundary.
    fn add_end(&mut self, corner: Corner) -> Corner {
        let end = self.add_spot(END);
        let (out, _) = self.join(corner, Corner::Isolated(end));
        Corner::Before(out)
    }
}
