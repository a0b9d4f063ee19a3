//! The places of the vertices of a mesh: Tutte's embedding, then relaxation.
//!
//! Tutte's embedding is computed several times. Before each time long edges get larger weights, short
//! ones get smaller weights, and edges are flipped to fit the places. Then each vertex moves a little at
//! a time, and only as far as no triangle turns over.

use super::embed::Embedding;
use super::mesh::{Mesh, NONE, Part, before, next};
use super::point::{Point, area};
use super::relax::relax;
use super::tutte;

/// How often Tutte's embedding is computed again.
const ROUNDS: usize = 7;

/// The places of all vertices in the square from -1 to 1. `None` if
/// rounding errors have turned a triangle over.
pub(super) fn layout(mesh: &mut Mesh, map: &Embedding, outer: usize) -> Option<Vec<Point>> {
    let mut at = vec![Point::default(); mesh.parts.len()];
    for (i, &vertex) in mesh.frame.iter().enumerate() {
        at[vertex] = on_frame(i as f64 / mesh.frame.len() as f64);
    }
    let mut weights = vec![1.0; mesh.origin.len()];
    tutte::settle(mesh, &weights, &mut at);
    let mut best = (smallest(mesh, &at), mesh.clone(), at.clone());
    for round in 0..ROUNDS {
        reweigh(mesh, &at, &mut weights);
        if round > 0 {
            flip_all(mesh, &at, &mut weights);
        }
        tutte::settle(mesh, &weights, &mut at);
        let now = smallest(mesh, &at);
        if now > best.0 {
            best = (now, mesh.clone(), at.clone());
        } else if now <= 0.0 {
            break;
        }
    }
    if best.0 <= 0.0 {
        return None;
    }
    (_, *mesh, at) = best;
    relax(mesh, map, outer, &mut at);
    Some(at)
}

/// The radius of the corners of the frame.
pub(super) const CORNER: f64 = 0.45;

/// The point of the frame, a square with round corners, at a part of the way around.
pub(super) fn on_frame(part: f64) -> Point {
    let straight = 2.0 - 2.0 * CORNER;
    let arc = std::f64::consts::FRAC_PI_2 * CORNER;
    let side = straight + arc;
    let way = (part * 4.0).fract() * side;
    let turns = (part * 4.0).floor();
    // From the middle of the right side up to its corner, around it, and on to the middle of the top.
    let inner = 1.0 - CORNER;
    let point = if way < straight / 2.0 {
        Point::new(1.0, way)
    } else if way < straight / 2.0 + arc {
        let angle = (way - straight / 2.0) / CORNER;
        Point::new(inner, inner) + Point::at_angle(angle) * CORNER
    } else {
        Point::new(side - way, 1.0)
    };
    match turns as u32 % 4 {
        0 => point,
        1 => Point::new(-point.y, point.x),
        2 => Point::new(-point.x, -point.y),
        _ => Point::new(point.y, -point.x),
    }
}

/// Twice the area of the smallest triangle. It is not positive if one is turned over.
fn smallest(mesh: &Mesh, at: &[Point]) -> f64 {
    let areas = (0..mesh.origin.len()).step_by(3).map(|half| {
        let [a, b, c] = mesh.triangle(half).map(|vertex| at[vertex]);
        area(a, b, c)
    });
    areas.fold(
        f64::INFINITY,
        |least, area| if area >= least { least } else { area },
    )
}

/// The relative length that an edge should have.
fn wanted(mesh: &Mesh, half: usize) -> f64 {
    let [from, to, _] = mesh.triangle(half).map(|vertex| mesh.parts[vertex]);
    let ends = [from, to];
    if ends.contains(&Part::Dead) {
        0.6
    } else if ends.contains(&Part::Spot) {
        1.3
    } else {
        1.0
    }
}

/// Raises the weights of edges that are too long, and lowers those of edges that are too short.
fn reweigh(mesh: &Mesh, at: &[Point], weights: &mut [f64]) {
    let long = |half: usize| {
        let [from, to, _] = mesh.triangle(half).map(|vertex| at[vertex]);
        from.distance(to) / wanted(mesh, half)
    };
    let mean = (0..weights.len()).map(long).sum::<f64>() / weights.len() as f64;
    for (half, weight) in weights.iter_mut().enumerate() {
        *weight *= (long(half) / mean).clamp(1e-3, 1e3).powf(0.8);
        *weight = weight.clamp(1e-12, 1e12);
    }
}

/// Flips edges until all that may be flipped are Delaunay edges.
pub(super) fn flip_all(mesh: &mut Mesh, at: &[Point], weights: &mut [f64]) {
    for _ in 0..8 {
        let mut flipped = false;
        for half in 0..mesh.origin.len() {
            let other = mesh.twin[half];
            if other == NONE || other < half || mesh.fixed[half] {
                continue;
            }
            let [from, to, left] = mesh.triangle(half).map(|vertex| at[vertex]);
            let right = at[mesh.origin[before(other)]];
            let small = 1e-9 * (to - from).dot(to - from);
            if area(from, right, left) <= small || area(right, to, left) <= small {
                continue;
            }
            let cotangent = |apex: Point| {
                let (a, b) = (from - apex, to - apex);
                a.dot(b) / a.cross(b).abs().max(1e-300)
            };
            // The angles at left and right together are more than two right angles.
            if cotangent(left) + cotangent(right) < -1e-6 {
                let sides = [next(half), before(half), next(other), before(other)];
                let weight = sides.map(|side| weights[side].ln()).iter().sum::<f64>() / 4.0;
                let kept = sides.map(|side| weights[side]);
                mesh.flip(half);
                // The sides of the quadrilateral move on by one place.
                weights[next(half)] = kept[1];
                weights[before(half)] = kept[2];
                weights[next(other)] = kept[3];
                weights[before(other)] = kept[0];
                weights[half] = weight.exp();
                weights[other] = weights[half];
                flipped = true;
            }
        }
        if !flipped {
            return;
        }
    }
}
