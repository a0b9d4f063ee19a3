//! Places with room for a spot.

use super::Sheet;
use crate::paper::{MARGIN, SIDE};
use crate::point::{Point, is_within};
use crate::relax::mesh_of;
use crate::tight::border;
use crate::triangles::{FRAME, Triangles};

/// The step of the grid of places that are tried, in addition to the middle of each triangle.
const STEP: f64 = 32.0;

/// A place for a spot in a face.
#[derive(Clone, Debug, PartialEq)]
pub struct Room {
    /// The place, as far from everything as possible.
    pub at: Point,
    /// The spots at the face, counted from 0.
    pub spots: Vec<usize>,
}

impl Sheet {
    /// The best place for a spot in each face that has room for one.
    pub fn rooms(&self) -> Vec<Room> {
        let Some((mesh, _)) = mesh_of(&self.spots, &self.lines, &[]) else {
            return Vec::new();
        };
        let mut met = vec![false; mesh.all.len()];
        let faces = (0..met.len()).map(|first| mesh.face(first, &mut met));
        let faces: Vec<Vec<usize>> = faces.filter(|face| !face.is_empty()).collect();
        let room = |face: &Vec<usize>| {
            let places = face.iter().flat_map(|&triangle| places(&mesh, triangle));
            let free = places.map(|at| (at, self.clearance(at)));
            let (at, _) = free.max_by(|a, b| a.1.total_cmp(&b.1))?;
            let corners = face.iter().flat_map(|&triangle| mesh.all[triangle].corners);
            let spots = FRAME..FRAME + self.spots.len();
            let mut spots: Vec<usize> = corners
                .filter(|vertex| spots.contains(vertex))
                .map(|vertex| vertex - FRAME)
                .filter(|&spot| !self.is_middle(spot))
                .collect();
            spots.sort_unstable();
            spots.dedup();
            self.put(at).is_ok().then_some(Room { at, spots })
        };
        faces.iter().filter_map(room).collect()
    }

    /// The distance of a place from spots, lines and the border.
    pub(super) fn clearance(&self, at: Point) -> f64 {
        let spots = self.spots.iter().map(|spot| spot.distance(at));
        let lines = self.lines.iter().map(|line| line.distance(at));
        spots.chain(lines).fold(border(at), f64::min)
    }
}

/// The places in a triangle that are tried: those of a grid over the sheet, and the middle of the triangle.
fn places(mesh: &Triangles, triangle: usize) -> Vec<Point> {
    let corners = mesh.all[triangle].corners.map(|corner| mesh.points[corner]);
    let [a, b, c] = corners;
    let steps = |axis: fn(Point) -> f64| {
        let (low, high) = corners
            .iter()
            .map(|&corner| axis(corner).clamp(MARGIN, SIDE - MARGIN))
            .fold((SIDE, 0.0_f64), |(low, high), at| {
                (low.min(at), high.max(at))
            });
        let (first, last) = ((low / STEP).ceil() as usize, (high / STEP).floor() as usize);
        (first..=last).map(|step| step as f64 * STEP)
    };
    let grid = steps(|at| at.x).flat_map(|x| steps(|at| at.y).map(move |y| Point::new(x, y)));
    let inside = grid.filter(|&at| is_within(corners, at));
    let middle = (a + b + c) * (1.0 / 3.0);
    inside.chain([middle]).collect()
}
