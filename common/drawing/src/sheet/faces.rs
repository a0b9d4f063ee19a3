//! The planar map of a sheet.

use std::cmp::Ordering;

use super::{Sheet, StrokeError};
use crate::point::{Point, area_of, encloses};
use sproutnet_game::sprouts::planar::{Corner, PlanarMap};

impl Sheet {
    /// Reads the map off the drawing. The rules engine checks it.
    ///
    /// # Errors
    /// Lines touch, so that this is no map.
    pub(super) fn read_map(&mut self) -> Result<(), StrokeError> {
        let (next, faces) = self.walks();
        let darts = next.iter().enumerate();
        let darts: Vec<[usize; 3]> = darts
            .map(|(dart, &next)| [self.origin(dart), dart ^ 1, next])
            .collect();
        // Two lines that touch at the place of a spot would share it.
        let most_lines = (0..self.spots.len()).map(|spot| self.most_lines(spot));
        let map = PlanarMap::from_parts_with(most_lines.collect(), &darts, faces);
        self.map = map.map_err(|_| StrokeError::Itself)?;
        Ok(())
    }

    /// The spot that a dart leaves.
    pub(super) fn origin(&self, dart: usize) -> usize {
        self.lines[dart / 2].ends[dart % 2]
    }

    /// The points of a dart, without the last.
    pub(super) fn along(&self, dart: usize) -> Vec<Point> {
        self.lines[dart / 2].along(dart)
    }

    /// The darts of the boundary of a corner, from that corner on. An isolated spot has none.
    pub(super) fn boundary(&self, corner: Corner) -> Vec<usize> {
        let corners = self.map.corners(corner).into_iter();
        let darts = corners.filter_map(|corner| match corner {
            Corner::Before(dart) => Some(dart),
            Corner::Isolated(_) => None,
        });
        darts.collect()
    }

    /// The darts that leave a spot, counterclockwise.
    fn leaving(&self, spot: usize) -> Vec<usize> {
        let darts = (0..2 * self.lines.len()).filter(|&dart| self.origin(dart) == spot);
        let mut darts: Vec<usize> = darts.collect();
        let way = |dart: usize| {
            let points = &self.lines[dart / 2].points;
            let next = if dart.is_multiple_of(2) {
                points[1]
            } else {
                points[points.len() - 2]
            };
            next - self.spots[spot]
        };
        darts.sort_by(|&a, &b| by_angle(way(a), way(b)));
        darts
    }

    /// The spots at each face, without repetition.
    pub(super) fn spots_of_faces(&self) -> Vec<Vec<usize>> {
        let faces = self.map.faces().map(|face| {
            let corners = face.iter().flat_map(|&corner| self.map.corners(corner));
            let mut spots: Vec<usize> = corners.map(|corner| self.map.spot(corner)).collect();
            spots.sort_unstable();
            spots.dedup();
            spots
        });
        faces.collect()
    }

    /// The faces in which something can be drawn, or those in which nothing can, except the outermost face.
    fn inner_faces(&self, are_live: bool) -> impl Iterator<Item = &[Corner]> {
        let faces = self.map.faces().zip(self.spots_of_faces()).skip(1);
        faces.filter_map(move |(face, spots)| {
            let lives: usize = spots.iter().map(|&spot| self.lives(spot)).sum();
            ((lives >= 2) == are_live).then_some(face)
        })
    }

    /// The faces in which nothing more can be drawn, except the outermost face: the darts of each of their boundaries.
    pub(super) fn dead_faces(&self) -> Vec<Vec<Vec<usize>>> {
        let boundaries = |face: &[Corner]| {
            let boundaries = face.iter().map(|&corner| self.boundary(corner));
            boundaries.filter(|darts| !darts.is_empty()).collect()
        };
        self.inner_faces(false).map(boundaries).collect()
    }

    /// The darts around each face in which something can be drawn, except the outermost face.
    pub(super) fn rims_of_live_faces(&self) -> Vec<Vec<usize>> {
        let live = self.inner_faces(true);
        live.map(|face| self.boundary(face[0])).collect()
    }

    /// The dart that follows each dart, with the face on the left; and the boundaries of each face, as one corner each.
    fn walks(&self) -> (Vec<usize>, Vec<Vec<Corner>>) {
        let mut next = vec![0; 2 * self.lines.len()];
        let mut isolated = Vec::new();
        for spot in 0..self.spots.len() {
            let around = self.leaving(spot);
            for (i, &dart) in around.iter().enumerate() {
                // A dart is followed by the next one clockwise at its end.
                next[dart ^ 1] = around[(i + around.len() - 1) % around.len()];
            }
            if around.is_empty() {
                isolated.push(spot);
            }
        }
        // Walks around a face from inside are counterclockwise, all others are outlines.
        let mut faces: Vec<Vec<Corner>> = vec![Vec::new()];
        let mut rims: Vec<(f64, Vec<Point>)> = Vec::new();
        let mut outlines: Vec<(Corner, Point)> = Vec::new();
        let mut met = vec![false; next.len()];
        for first in 0..next.len() {
            if met[first] {
                continue;
            }
            let mut rim = Vec::new();
            let mut dart = first;
            while !met[dart] {
                met[dart] = true;
                rim.extend(self.along(dart));
                dart = next[dart];
            }
            let size = area_of(&rim);
            if size > 0.0 {
                faces.push(vec![Corner::Before(first)]);
                rims.push((size, rim));
            } else {
                // Its first point may be on rims of the same piece, but not on the rim of the face around the piece.
                outlines.push((Corner::Before(first), rim[0]));
            }
        }
        outlines.extend(
            isolated
                .into_iter()
                .map(|spot| (Corner::Isolated(spot), self.spots[spot])),
        );
        for (corner, point) in outlines {
            let around = rims.iter().enumerate();
            let around =
                around.filter(|(_, (_, rim))| !rim.contains(&point) && encloses(rim, point));
            let face = around
                .min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0))
                .map_or(0, |(i, _)| i + 1);
            faces[face].push(corner);
        }
        // As long as no rim is closed, there is one face.
        (next, faces)
    }
}

/// Compares directions by their angles, exactly.
fn by_angle(a: Point, b: Point) -> Ordering {
    let is_lower = |way: Point| way.y < 0.0 || (way.y == 0.0 && way.x < 0.0);
    is_lower(a)
        .cmp(&is_lower(b))
        .then_with(|| 0.0_f64.total_cmp(&a.cross(b)))
}
