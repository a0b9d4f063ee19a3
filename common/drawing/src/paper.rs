//! The square of paper on which spots and lines are drawn.
//!
//! Coordinates are multiples of [`GRAIN`], so that "left or right of a line" is decided exactly.

use std::ops::Range;

use crate::point::{Point, distance_to_line};

/// The side of the square.
pub const SIDE: f64 = 1024.0;

/// The distance between neighbouring coordinates, 2⁻¹⁴: products of differences are exact in 53 bits.
pub(crate) const GRAIN: f64 = 1.0 / 16384.0;

/// The distance that spots and lines keep from the border.
pub(crate) const MARGIN: f64 = 24.0;

/// The maximum distance of a smooth curve from a corner of the line that it follows.
pub(crate) const CORNER: f64 = 2.5;

/// The minimum distance of a point from the border.
pub(crate) const EDGE: f64 = 0.5;

/// The middle of the square.
pub(crate) const CENTRE: Point = Point {
    x: SIDE / 2.0,
    y: SIDE / 2.0,
};

/// A line between two spots, with no other spot on it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    /// The spots at its ends.
    pub(crate) ends: [usize; 2],
    /// Its points, including those of the spots.
    pub(crate) points: Vec<Point>,
}

impl Line {
    /// The points between those of the spots.
    pub(crate) fn inner(&self) -> &[Point] {
        &self.points[1..self.points.len() - 1]
    }

    /// Its points in the direction of one of its darts, without the last.
    pub(crate) fn along(&self, dart: usize) -> Vec<Point> {
        let points = &self.points;
        if dart.is_multiple_of(2) {
            points[..points.len() - 1].to_vec()
        } else {
            points[1..].iter().rev().copied().collect()
        }
    }

    /// The indices of its points that have left a spot: all but those at its ends in the spot, up to the first that is
    /// farther than this from the spot. All if the line does not end there.
    pub(crate) fn beyond(&self, spot: usize, distance: f64) -> Range<usize> {
        let points = &self.points;
        let is_far = |from: Point| move |at: &Point| at.distance(from) > distance;
        let (first, last) = (points[0], points[points.len() - 1]);
        let start = if self.ends[0] == spot {
            points.iter().position(is_far(first))
        } else {
            Some(0)
        };
        let end = if self.ends[1] == spot {
            points.iter().rposition(is_far(last)).map(|last| last + 1)
        } else {
            Some(points.len())
        };
        match (start, end) {
            (Some(start), Some(end)) => start..end,
            _ => 0..0,
        }
    }

    /// The distance of a spot from what has left it.
    pub(crate) fn distance_beyond(&self, spot: usize, at: Point, distance: f64) -> f64 {
        distance_to_line(at, &self.points[self.beyond(spot, distance)])
    }

    /// The distance of a point from it.
    pub(crate) fn distance(&self, point: Point) -> f64 {
        distance_to_line(point, &self.points)
    }
}

/// Whether a point is on the paper, with coordinates of the paper.
pub(crate) fn is_on_paper(point: Point) -> bool {
    [point.x, point.y]
        .iter()
        .all(|&value| (EDGE..=SIDE - EDGE).contains(&value) && (value / GRAIN).fract() == 0.0)
}

/// The nearest point with coordinates of the paper. A point nearer to the border than [`EDGE`] is moved inwards.
pub(crate) fn snapped(point: Point) -> Point {
    snapped_within(point, EDGE)
}

/// The nearest point with coordinates of the paper that is at least this far from the border.
pub(crate) fn snapped_within(point: Point, distance: f64) -> Point {
    let snap = |value: f64| {
        let inside = value.clamp(distance, SIDE - distance);
        (inside / GRAIN).round() * GRAIN
    };
    Point::new(snap(point.x), snap(point.y))
}

/// The way by which a point is nearer to the border than this margin, inwards.
pub(crate) fn inwards(at: Point, margin: f64) -> Point {
    let of = |value: f64| (margin - value).max(0.0) - (value - SIDE + margin).max(0.0);
    Point::new(of(at.x), of(at.y))
}

/// Maps a point of the square from -1 to 1 to the paper.
pub(crate) fn on_paper(point: Point) -> Point {
    CENTRE + point * (SIDE / 2.0)
}

/// Maps a point of the paper to the square from -1 to 1.
pub(crate) fn off_paper(point: Point) -> Point {
    (point - CENTRE) * (2.0 / SIDE)
}
