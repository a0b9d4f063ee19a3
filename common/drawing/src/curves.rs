//! Smooth curves along the paths of a layout.
//!
//! A path between two junctions is followed by a quadratic B-spline: from the middle of each step to the
//! middle of the next, with the vertex between them to steer by. Where that brings two curves too
//! close, corners are cut less, down to the path itself, which crosses nothing.

use super::point::{Point, segments_meet};

/// A part of a curve: a quadratic Bézier curve by its three points.
pub(super) type Quad = [Point; 3];

/// Segments that a part is taken for when curves are compared.
const FLAT: usize = 6;

/// How often cut corners are made smaller before they are given up.
const ROUNDS: usize = 6;

/// A chain of steps from junction to junction, or around.
#[derive(Clone, Debug)]
pub(super) struct Strand {
    /// The vertices; of a closed strand the first is not repeated.
    pub(super) vertices: Vec<usize>,
    pub(super) closed: bool,
}

/// The curves of strands: for each the part at each of its vertices that is steered by it.
pub(super) struct Curves {
    /// How much of each corner is cut.
    cut: Vec<Vec<f64>>,
}

impl Strand {
    /// The places where a corner is cut: all but the ends of a strand that is not closed.
    fn corners(&self) -> std::ops::Range<usize> {
        if self.closed {
            0..self.vertices.len()
        } else {
            1..self.vertices.len() - 1
        }
    }

    fn at(&self, i: usize, at: &[Point]) -> Point {
        at[self.vertices[i % self.vertices.len()]]
    }

    /// The quadratic part at a corner.
    fn quad(&self, i: usize, cut: f64, at: &[Point]) -> Quad {
        let here = self.at(i, at);
        let before = self.at(i + self.vertices.len() - 1, at);
        let after = self.at(i + 1, at);
        // All of the last step before an end is free for the corner next to it.
        let reach = |other: usize| {
            let is_end = !self.closed && (other == 0 || other + 1 == self.vertices.len());
            if is_end { 0.8 } else { 0.5 }
        };
        let n = self.vertices.len();
        [
            here.toward(before, cut * reach((i + n - 1) % n)),
            here,
            here.toward(after, cut * reach((i + 1) % n)),
        ]
    }

    /// How many steps there are.
    fn steps(&self) -> usize {
        self.vertices.len() - usize::from(!self.closed)
    }
}

impl Curves {
    /// Curves that do not meet but in junctions.
    pub(super) fn of(strands: &[Strand], at: &[Point]) -> Self {
        let mut curves = Self {
            cut: strands
                .iter()
                .map(|strand| vec![1.0; strand.vertices.len()])
                .collect(),
        };
        for round in 0..=ROUNDS {
            let close = curves.conflicts(strands, at);
            if close.is_empty() {
                break;
            }
            for (strand, corner) in close {
                let cut = &mut curves.cut[strand][corner];
                *cut = if round + 1 >= ROUNDS { 0.0 } else { *cut * 0.5 };
            }
        }
        curves
    }

    /// The parts of a strand: the corner at a vertex, none at the ends.
    pub(super) fn quad(
        &self,
        strands: &[Strand],
        strand: usize,
        corner: usize,
        at: &[Point],
    ) -> Option<Quad> {
        let its = &strands[strand];
        its.corners()
            .contains(&corner)
            .then(|| its.quad(corner, self.cut[strand][corner], at))
    }

    /// The corners at which two curves meet, or a curve itself.
    fn conflicts(&self, strands: &[Strand], at: &[Point]) -> Vec<(usize, usize)> {
        // Segments, each with its strand and the corners that shape it.
        let mut segments: Vec<([Point; 2], usize, usize)> = Vec::new();
        for (s, strand) in strands.iter().enumerate() {
            let mut points: Vec<(Point, usize)> = Vec::new();
            if !strand.closed {
                points.push((strand.at(0, at), 0));
            }
            for corner in strand.corners() {
                let quad = strand.quad(corner, self.cut[s][corner], at);
                points.extend((0..=FLAT).map(|i| (on(&quad, i as f64 / FLAT as f64), corner)));
            }
            match strand.closed {
                true => points.push(points[0]),
                false => points.push((strand.at(strand.steps(), at), strand.steps())),
            }
            let pairs = points
                .windows(2)
                .map(|pair| ([pair[0].0, pair[1].0], s, pair[1].1));
            segments.extend(pairs.filter(|(segment, _, _)| segment[0] != segment[1]));
        }
        let mut close = Vec::new();
        for (i, j) in near_pairs(&segments) {
            let (a, b) = (&segments[i], &segments[j]);
            let touch = a.0.iter().any(|end| b.0.contains(end));
            if !touch && segments_meet(a.0, b.0) {
                for (_, strand, corner) in [a, b] {
                    // A segment between two corners is shaped by both.
                    let n = strands[*strand].vertices.len();
                    close.extend([*corner, (*corner + n - 1) % n].map(|corner| (*strand, corner)));
                }
            }
        }
        close.sort_unstable();
        close.dedup();
        close
    }
}

/// The point of a quadratic curve at a part of it.
pub(super) fn on(quad: &Quad, part: f64) -> Point {
    let first = quad[0].toward(quad[1], part);
    first.toward(quad[1].toward(quad[2], part), part)
}

/// The pairs of segments whose boxes are in one cell of a grid.
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
