//! The first places of the vertices of a mesh: Tutte's embedding.
//!
//! It is computed several times. Before each time long edges get larger weights, and short ones get smaller weights.

use crate::mesh::{Mesh, Part};
use crate::point::{Point, area};
use crate::tutte;

/// How often Tutte's embedding is computed again.
const ROUNDS: usize = 7;

/// The places of all vertices in the square from -1 to 1. `None` if rounding errors have turned a triangle over.
pub(super) fn layout(mesh: &Mesh) -> Option<Vec<Point>> {
    let mut at = vec![Point::default(); mesh.parts.len()];
    for (i, &vertex) in mesh.frame.iter().enumerate() {
        at[vertex] = on_frame(i as f64 / mesh.frame.len() as f64);
    }
    let edges = mesh.edges();
    let mut weights = vec![1.0; edges.len()];
    tutte::settle(mesh, &edges, &weights, &mut at);
    let mut best = (smallest(mesh, &at), at.clone());
    for _ in 0..ROUNDS {
        reweigh(mesh, &edges, &at, &mut weights);
        tutte::settle(mesh, &edges, &weights, &mut at);
        let now = smallest(mesh, &at);
        if now > best.0 {
            best = (now, at.clone());
        } else if now <= 0.0 {
            break;
        }
    }
    let (smallest, at) = best;
    (smallest > 0.0).then_some(at)
}

/// The radius of the corners of the frame.
const CORNER: f64 = 0.45;

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
    let areas = mesh.triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.map(|vertex| at[vertex]);
        area(a, b, c)
    });
    areas.fold(
        f64::INFINITY,
        |least, area| if area >= least { least } else { area },
    )
}

/// The relative length that an edge should have.
fn wanted(ends: [Part; 2]) -> f64 {
    if ends.contains(&Part::Dead) {
        0.6
    } else if ends.contains(&Part::Spot) {
        1.3
    } else {
        1.0
    }
}

/// Raises the weights of edges that are too long, and lowers those of edges that are too short.
fn reweigh(mesh: &Mesh, edges: &[[usize; 2]], at: &[Point], weights: &mut [f64]) {
    let long = |&[from, to]: &[usize; 2]| {
        at[from].distance(at[to]) / wanted([mesh.parts[from], mesh.parts[to]])
    };
    let mean = edges.iter().map(long).sum::<f64>() / edges.len() as f64;
    for (edge, weight) in edges.iter().zip(weights) {
        *weight *= (long(edge) / mean).clamp(1e-3, 1e3).powf(0.8);
        *weight = weight.clamp(1e-12, 1e12);
    }
}
