//! The first places of spots and lines: Tutte's embedding of the mesh of a map, then, in rounds, of the Delaunay
//! triangulation of the result. Each round gives vertices with long edges larger weights.

use crate::mesh::Mesh;
use crate::paper::{CENTRE, EDGE, Line, SIDE, on_paper, snapped};
use crate::point::{Point, area};
use crate::triangles::{FRAME, Triangles, take, vertices};
use crate::tutte;

/// The number of rounds in which Tutte's embedding is computed again.
const ROUNDS: usize = 10;

/// The exponent of the mean length of its edges in the factor by which the weight of a vertex grows in a round.
const GROWTH: f64 = 0.4;

/// The exponent of an edge's length in its weight.
const STIFFNESS: f64 = 0.5;

/// The spots and the lines of a map, inside a fence. `None` if rounding errors have turned a triangle over.
pub(super) fn layout(
    mesh: &Mesh,
    spots: usize,
    fence: &[Point],
) -> Option<(Vec<Point>, Vec<Line>)> {
    let mut at = vec![CENTRE; mesh.vertices];
    for (i, &vertex) in mesh.frame.iter().enumerate() {
        at[vertex] = post(i, mesh.frame.len());
    }
    let edges = edges(&mesh.triangles);
    let is_frame = |vertex: usize| mesh.frame.contains(&vertex);
    tutte::settle(is_frame, &edges, &vec![1.0; edges.len()], &mut at);
    if is_turned(&mesh.triangles, &at) {
        return None;
    }
    let line = |path: &Vec<usize>| Line {
        ends: [path[0], path[path.len() - 1]],
        points: path.iter().map(|&vertex| at[vertex]).collect(),
    };
    let mut lines: Vec<Line> = mesh.lines.iter().map(line).collect();
    let mut spots = at[..spots].to_vec();
    let points = spread(&spots, &lines, fence);
    take(points.into_iter().map(snapped), &mut spots, &mut lines);
    Some((spots, lines))
}

/// The points of a drawing, evenly spread inside a fence.
fn spread(spots: &[Point], lines: &[Line], fence: &[Point]) -> Vec<Point> {
    let (mut points, paths) = vertices(spots, lines, fence);
    let inside = FRAME..FRAME + points.len() - fence.len();
    let is_fence = |vertex: usize| !inside.contains(&vertex);
    let mut weight_of = vec![1.0_f64; FRAME + points.len()];
    for _ in 0..ROUNDS {
        // It fails if rounding has made lines meet. The points of the last round are then the result.
        let Some(mesh) = Triangles::of(&points, &paths) else {
            break;
        };
        let triangles: Vec<[usize; 3]> = mesh.all.iter().map(|of| of.corners).collect();
        let mut edges = edges(&triangles);
        edges.retain(|&[a, b]| !is_fence(a) || !is_fence(b));
        let long = |&[a, b]: &[usize; 2]| mesh.points[a].distance(mesh.points[b]).ln();
        let mean = edges.iter().map(long).sum::<f64>() / edges.len() as f64;
        let mut sums = vec![(0.0, 0.0); weight_of.len()];
        for edge in &edges {
            for &vertex in edge {
                sums[vertex].0 += long(edge) - mean;
                sums[vertex].1 += 1.0;
            }
        }
        for (weight, (sum, count)) in weight_of.iter_mut().zip(sums) {
            let longer = sum / f64::max(count, 1.0);
            *weight = (*weight * (GROWTH * longer).exp()).clamp(1e-9, 1e9);
        }
        let weight = |edge: &[usize; 2]| {
            let stiff = (STIFFNESS * (long(edge) - mean)).exp();
            weight_of[edge[0]] * weight_of[edge[1]] * stiff.clamp(1e-6, 1e6)
        };
        let weights: Vec<f64> = edges.iter().map(weight).collect();
        let mut at = mesh.points;
        tutte::settle(is_fence, &edges, &weights, &mut at);
        if is_turned(&triangles, &at) {
            break;
        }
        points = at.split_off(FRAME);
    }
    points
}

/// The edges of triangles, each once.
fn edges(triangles: &[[usize; 3]]) -> Vec<[usize; 2]> {
    let sides = triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<_> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Whether a triangle is turned over.
fn is_turned(triangles: &[[usize; 3]], at: &[Point]) -> bool {
    let mut triangles = triangles.iter();
    triangles.any(|triangle| {
        let [a, b, c] = triangle.map(|vertex| at[vertex]);
        let area = area(a, b, c);
        area.is_nan() || area <= 0.0
    })
}

/// The radius of the round corners of the frame, in units of half its side.
const CORNER: f64 = 0.45;

/// The point `i` of `of` points that are evenly spread along the frame of the paper.
pub(super) fn post(i: usize, of: usize) -> Point {
    let inside = 1.0 - 2.0 * EDGE / SIDE;
    on_paper(on_frame(i as f64 / of as f64) * inside)
}

/// The point at a part, from 0 to 1, of the way around the frame: a square with round corners.
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
