//! Smooth curves along the paths of a layout.
//!
//! A quadratic B-spline follows each path between two junctions: from the middle of each step to the
//! middle of the next, with the vertex between them as control point. Where two curves come too close,
//! corners are cut less, down to the path itself, which crosses nothing.

use super::point::{Point, segments_meet};

/// A part of a curve: the three points of a quadratic Bézier curve.
pub(super) type Quad = [Point; 3];

/// The number of segments that approximate a part when curves are compared.
const FLAT: usize = 6;

/// The number of rounds in which cut corners become smaller. The last one removes them.
const ROUNDS: usize = 6;

/// A chain of steps from junction to junction, or a closed one.
#[derive(Clone, Debug)]
pub(super) struct Strand {
    /// The vertices. A closed strand does not repeat the first one.
    pub(super) vertices: Vec<usize>,
    pub(super) closed: bool,
}

pub(super) struct Curves {
    /// The share of each corner that is cut.
    cut: Vec<Vec<f64>>,
}

impl Strand {
    /// The places of corners: all but the ends of an open strand.
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
        // A corner next to an end can use more of the last step.
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

    fn steps(&self) -> usize {
        self.vertices.len() - usize::from(!self.closed)
    }
}

impl Curves {
    /// Curves that meet only in junctions.
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

    /// The part of a strand at a corner; `None` at the ends.
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

    /// The corners at which two curves meet, or a curve meets itself.
    fn conflicts(&self, strands: &[Strand], at: &[Point]) -> Vec<(usize, usize)> {
        // Segments, each with its strand and the corner that shapes it.
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
