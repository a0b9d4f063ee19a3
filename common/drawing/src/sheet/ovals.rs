//! Loops: an oval around what a loop encloses, or else the rounded hull of it.
//!
//! A loop leaves its spot and comes back on one straight line, so the spot is on a smooth curve.

use super::plain::CLEAR;
use super::stroke::coarse;
use super::{Mark, Sheet, Stroke};
use crate::paper::MARGIN;
use crate::point::{Point, area, encloses, length};
use crate::tight::border;
use sproutnet_game::sprouts::planar::{Corner, Joined};
use std::f64::consts::TAU;

/// The share of a distance that is enough: what is enclosed is widened by polygons in place of circles.
const NEARLY: f64 = 0.94;

/// The least distance between the points of a loop. Nearer to the spot, the two halves of the loop would count as tight.
const SPACING: f64 = 28.0;

/// Near the spot of the loop, what is enclosed is widened by this share of the distance from the spot.
const BESIDE_SPOT: f64 = 0.5;

/// The number of directions in which a loop can lie at its spot, and of points around what it encloses.
const DIRECTIONS: usize = 36;
const AROUND: usize = 12;

/// The number of points of an oval before they are spaced.
const FINE: usize = 120;

/// The lengths of ovals, as multiples of the length of what they enclose. A short oval is wide.
const LENGTHS: [f64; 6] = [1.02, 1.06, 1.12, 1.2, 1.35, 1.55];

/// The length and width of loops that enclose nothing.
const EMPTY: [[f64; 2]; 5] = [
    [150.0, 116.0],
    [128.0, 102.0],
    [108.0, 88.0],
    [90.0, 76.0],
    [76.0, 62.0],
];

/// The maximum number of loops that are checked for each distance.
const MOST_CHECKED: usize = 4;

impl Sheet {
    /// An oval for a loop that `fits`, with at most this sum of missing distances. `None` if each would be too near to
    /// something.
    pub(super) fn oval(
        &self,
        joined: &Joined,
        mark: Mark,
        most: f64,
        fits: impl Fn(&Self) -> bool,
    ) -> Option<Stroke> {
        let [from, to] = joined.corners;
        if from != to {
            return None;
        }
        let spot = self.map.spot(from);
        let sides = self.things_on_sides(joined)?;
        let mut orders = [[&sides[0], &sides[1]], [&sides[1], &sides[0]]];
        orders.sort_by_key(|[inside, _]| inside.len());
        let ways = orders.iter().flat_map(|[inside, outside]| {
            CLEAR.iter().flat_map(move |&clear| {
                let is_clear = move |way: &Vec<Point>| {
                    way[1..way.len() - 1].iter().all(|&at| {
                        border(at) >= MARGIN && self.is_clear(at, [spot, spot], NEARLY * clear)
                    }) && !outside.iter().any(|&at| encloses(way, at))
                };
                let at = self.spots[spot];
                let loops = if inside.is_empty() {
                    self.empty_loops(at)
                } else {
                    loops(at, [inside, outside], clear)
                };
                loops.into_iter().filter(is_clear).take(MOST_CHECKED)
            })
        });
        let strokes = ways.map(|way| {
            let points = way[1..way.len() - 1].to_vec();
            Stroke::through([spot, spot], [self.spots[spot]; 2], points).with(mark)
        });
        let is_plain = |stroke: &Stroke| {
            let drawn = self.drawn(stroke);
            drawn.is_ok_and(|drawn| drawn.is_plain(most) && fits(&drawn))
        };
        strokes.into_iter().find(is_plain)
    }

    /// Loops around nothing, the largest ones first, and those first that lead to where most room is.
    fn empty_loops(&self, spot: Point) -> Vec<Vec<Point>> {
        let room = |way: Point| self.clearance(spot + way * EMPTY[0][0]);
        let mut ways: Vec<(f64, Point)> = directions().map(|way| (room(way), way)).collect();
        ways.sort_by(|a, b| b.0.total_cmp(&a.0));
        let of_size = |&[long, wide]: &[f64; 2]| {
            let halves = [long / 2.0, wide / 2.0];
            let ovals = ways.iter().map(move |&(_, way)| oval(spot, way, halves));
            ovals.collect::<Vec<_>>()
        };
        EMPTY.iter().flat_map(of_size).collect()
    }

    /// The points of what is on either side of a loop, without its spot.
    fn things_on_sides(&self, joined: &Joined) -> Option<[Vec<Point>; 2]> {
        let [outer, inner] = joined.around.as_ref()?;
        let corner = joined.corners[0];
        let spot = self.spots[self.map.spot(corner)];
        let of = |corner: &Corner| {
            let boundary = self.boundary(*corner);
            let lines = boundary.into_iter().flat_map(|dart| self.along(dart));
            lines.chain([self.spots[self.map.spot(*corner)]])
        };
        // Where nothing can be drawn, it does not matter on which side of the loop it is.
        let is_live = |corner: &&Corner| {
            let mut corners = self.map.corners(**corner).into_iter();
            corners.any(|corner| self.lives(self.map.spot(corner)) > 0)
        };
        // The boundary at the spot itself is on the first side.
        let rim = of(&corner);
        let outer = outer.iter().filter(is_live).flat_map(of).chain(rim);
        let inner = inner.iter().filter(is_live).flat_map(of);
        Some([
            outer.filter(|&at| at != spot).collect(),
            inner.filter(|&at| at != spot).collect(),
        ])
    }
}

/// Loops from a spot around what is inside, at this distance from it, and not around what is outside. The shortest ones
/// come first, and ovals before hulls.
fn loops(spot: Point, [inside, outside]: [&[Point]; 2], clear: f64) -> Vec<Vec<Point>> {
    let around = inside.iter().flat_map(|&at| {
        let radius = clear.min(BESIDE_SPOT * spot.distance(at));
        circle(at, radius)
    });
    let hull = hull(around.collect());
    if outside.iter().any(|&at| encloses(&hull, at)) {
        return Vec::new();
    }
    let ovals = directions().flat_map(|way| {
        let lengths = LENGTHS.iter();
        let halves = lengths.filter_map(|&length| halves(spot, way, &hull, length));
        halves
            .map(|halves| oval(spot, way, halves))
            .collect::<Vec<_>>()
    });
    let hulls = directions().filter_map(|way| {
        let ahead = |at: &Point| (*at - spot).dot(way) >= 0.0;
        hull.iter()
            .all(ahead)
            .then(|| hull_at(spot, way, &hull, clear))?
    });
    let [ovals, hulls] = [ovals.collect(), hulls.collect()].map(sorted);
    [ovals, hulls].concat()
}

fn directions() -> impl Iterator<Item = Point> {
    (0..DIRECTIONS).map(|i| Point::at_angle(TAU * i as f64 / DIRECTIONS as f64))
}

/// Loops, the shortest ones first.
fn sorted(mut loops: Vec<Vec<Point>>) -> Vec<Vec<Point>> {
    loops.sort_by(|a, b| length(a).total_cmp(&length(b)));
    loops
}

/// Half the length and half the width of the oval that lies in a direction from a spot and encloses these points.
fn halves(spot: Point, way: Point, points: &[Point], length: f64) -> Option<[f64; 2]> {
    let along = |at: &Point| (*at - spot).dot(way);
    if points.iter().any(|at| along(at) <= 0.0) {
        return None;
    }
    let half = points.iter().map(along).fold(0.0, f64::max) * length / 2.0;
    let wide = points.iter().map(|at| {
        let part = along(at) / half - 1.0;
        way.cross(*at - spot).abs() / (1.0 - part * part).sqrt()
    });
    let wide = wide.fold(0.0, f64::max);
    // Not much wider than long, and not so narrow that its halves read as one line.
    (wide <= 1.6 * half).then_some([half, wide.max(half / 3.0)])
}

/// An oval that lies in a direction from a spot, with half its length and half its width.
fn oval(spot: Point, way: Point, [long, wide]: [f64; 2]) -> Vec<Point> {
    let across = Point::new(-way.y, way.x);
    let at = |i: usize| {
        let turn = Point::at_angle(TAU * i as f64 / FINE as f64);
        spot + way * (long * (1.0 - turn.x)) + across * (wide * turn.y)
    };
    let between = (1..FINE).map(at);
    let all: Vec<Point> = [spot].into_iter().chain(between).chain([spot]).collect();
    spaced(&all)
}

/// The hull of these points and of a circle that touches the spot from a direction.
fn hull_at(spot: Point, way: Point, points: &[Point], radius: f64) -> Option<Vec<Point>> {
    let round = circle(spot + way * radius, radius).filter(|at| at.distance(spot) > 1.0);
    let points = points.iter().copied().chain(round).chain([spot]);
    let mut hull = hull(points.collect());
    let start = hull.iter().position(|at| *at == spot)?;
    hull.rotate_left(start);
    hull.push(spot);
    Some(spaced(&hull))
}

/// The same closed line with points at equal distances, one of which is in its middle.
fn spaced(line: &[Point]) -> Vec<Point> {
    let length = length(line);
    let parts = 2 * ((length / SPACING / 2.0) as usize).max(2);
    let mut points = vec![line[0]];
    let mut so_far = 0.0;
    for step in line.windows(2) {
        let long = step[0].distance(step[1]);
        while points.len() < parts {
            let part = (points.len() as f64 * length / parts as f64 - so_far) / long;
            if part > 1.0 {
                break;
            }
            points.push(coarse(step[0].toward(step[1], part)));
        }
        so_far += long;
    }
    points.push(line[0]);
    points
}

fn circle(middle: Point, radius: f64) -> impl Iterator<Item = Point> {
    let angles = (0..AROUND).map(|i| TAU * i as f64 / AROUND as f64);
    angles.map(move |angle| middle + Point::at_angle(angle) * radius)
}

/// The convex hull of points (Andrew 1979).
fn hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    let half = |points: &mut dyn Iterator<Item = Point>| {
        let mut half: Vec<Point> = Vec::new();
        for point in points {
            while let [.., a, b] = half[..]
                && area(a, b, point) <= 0.0
            {
                half.pop();
            }
            half.push(point);
        }
        half.pop();
        half
    };
    let lower = half(&mut points.iter().copied());
    let upper = half(&mut points.iter().rev().copied());
    [lower, upper].concat()
}
