//! Smooth curves along the paths of a layout.
//!
//! A quadratic B-spline follows each path between two junctions: from the middle of each step to the
//! middle of the next, with the vertex between them as control point. Where two curves come too close,
//! corners are cut less, down to the path itself, which crosses nothing.

use crate::point::{Point, segments_meet};

/// A part of a curve: the three points of a quadratic Bézier curve.
pub(super) type Quad = [Point; 3];

/// The number of segments that approximate a part when curves are compared.
const FLAT: usize = 6;

/// The number of rounds in which cut corners become smaller. In the last one the cuts are removed.
const ROUNDS: usize = 6;

/// A chain of steps from junction to junction, or a closed one.
pub(super) struct Strand {
    /// The points. A closed strand does not repeat the first one.
    points: Vec<Point>,
    closed: bool,
    /// The share of each corner that is cut, from 0 (the path itself) to 1.
    cut: Vec<f64>,
    /// The maximum distance of the curve from a corner.
    most: f64,
}

impl Strand {
    pub(super) fn new(points: Vec<Point>, closed: bool) -> Self {
        Self {
            cut: vec![1.0; points.len()],
            points,
            closed,
            most: f64::INFINITY,
        }
    }

    /// An open strand whose curve stays this near to its corners.
    pub(super) fn near(points: Vec<Point>, most: f64) -> Self {
        Self {
            most,
            ..Self::new(points, false)
        }
    }

    /// The curve as points.
    pub(super) fn flat(&self) -> Vec<Point> {
        self.flattened().map(|(point, _)| point).collect()
    }

    /// The curve as points, each with its corner.
    fn flattened(&self) -> impl Iterator<Item = (Point, usize)> {
        (0..self.points.len()).flat_map(|corner| {
            let points = match self.quad(corner) {
                Some(quad) => (0..=FLAT)
                    .map(|i| on(&quad, i as f64 / FLAT as f64))
                    .collect(),
                None => vec![self.points[corner]],
            };
            points.into_iter().map(move |point| (point, corner))
        })
    }

    pub(super) fn at(&self, i: usize) -> Point {
        self.points[i % self.points.len()]
    }

    /// The quadratic part at a corner; `None` at the ends of an open strand.
    pub(super) fn quad(&self, i: usize) -> Option<Quad> {
        let n = self.points.len();
        let is_end = |i: usize| !self.closed && (i == 0 || i + 1 == n);
        let (before, i, after) = ((i + n - 1) % n, i % n, (i + 1) % n);
        // A corner next to an end may use more of the step to that end.
        let reach = |other: usize| if is_end(other) { 0.8_f64 } else { 0.5 };
        let way = |other: usize| {
            let way = self.points[other] - self.points[i];
            way * (1.0 / way.length())
        };
        // Cut by a distance d on both sides, the curve is d/4 times the length of this sum from the corner.
        let sharpness = (way(before) + way(after)).length();
        let most = 4.0 * self.most / sharpness;
        let toward = |other: usize| {
            let long = self.points[i].distance(self.points[other]);
            let part = self.cut[i] * reach(other).min(most / long);
            self.points[i].toward(self.points[other], part)
        };
        (!is_end(i)).then(|| [toward(before), self.points[i], toward(after)])
    }
}

/// Cuts the corners of strands less and less, until they meet only in junctions.
pub(super) fn smooth(strands: &mut [Strand]) {
    for round in 1..=ROUNDS + 1 {
        let close = conflicts(strands);
        if close.is_empty() {
            return;
        }
        for (strand, corner) in close {
            let cut = &mut strands[strand].cut[corner];
            *cut = if round >= ROUNDS { 0.0 } else { *cut * 0.5 };
        }
    }
}

/// The corners of curves that meet, each as the index of its strand and of the corner.
fn conflicts(strands: &[Strand]) -> Vec<(usize, usize)> {
    // Segments, each with its strand and its corner.
    let mut segments: Vec<([Point; 2], usize, usize)> = Vec::new();
    for (s, strand) in strands.iter().enumerate() {
        let mut points: Vec<(Point, usize)> = strand.flattened().collect();
        if strand.closed {
            points.push(points[0]);
        }
        let pairs = points.windows(2);
        let pairs = pairs.map(|pair| ([pair[0].0, pair[1].0], s, pair[1].1));
        segments.extend(pairs.filter(|(segment, _, _)| segment[0] != segment[1]));
    }
    let mut close = Vec::new();
    for (i, j) in near_pairs(&segments) {
        let (a, b) = (&segments[i], &segments[j]);
        let touch = a.0.iter().any(|end| b.0.contains(end));
        if !touch && segments_meet(a.0, b.0) {
            for (_, strand, corner) in [a, b] {
                // The corner before may shape the segment too.
                let n = strands[*strand].points.len();
                close.extend([*corner, (*corner + n - 1) % n].map(|corner| (*strand, corner)));
            }
        }
    }
    close.sort_unstable();
    close.dedup();
    close
}

/// The point of a quadratic curve at a parameter from 0 to 1.
pub(super) fn on(quad: &Quad, part: f64) -> Point {
    let first = quad[0].toward(quad[1], part);
    first.toward(quad[1].toward(quad[2], part), part)
}

/// The pairs of segments whose boxes share a cell of a grid.
fn near_pairs(segments: &[([Point; 2], usize, usize)]) -> Vec<(usize, usize)> {
    const CELLS: usize = 48;
    let cell = |value: f64| ((f64::midpoint(value, 1.0) * CELLS as f64) as usize).min(CELLS - 1);
    let mut grid: Vec<Vec<usize>> = vec![Vec::new(); CELLS * CELLS];
    for (i, (segment, _, _)) in segments.iter().enumerate() {
        let [a, b] = *segment;
        for x in cell(a.x.min(b.x))..=cell(a.x.max(b.x)) {
            for y in cell(a.y.min(b.y))..=cell(a.y.max(b.y)) {
                grid[x * CELLS + y].push(i);
            }
        }
    }
    let mut pairs = Vec::new();
    for cell in grid {
        for (k, &i) in cell.iter().enumerate() {
            pairs.extend(cell[..k].iter().map(|&j| (j, i)));
        }
    }
    pairs
}
