//! Where a drawing is tight: where it has too little room to be read, or to draw in.

use crate::paper::{Line, MARGIN, SIDE};
use crate::point::{Point, area_of};

/// A drawing is tight where two spots, a line and a spot, or two lines are nearer to each other than this.
const TIGHT: Distances = Distances {
    spots: 47.0,
    line_and_spot: 32.0,
    lines: 17.0,
};

/// A line has left its spot where it is farther from it than this, as a multiple of the distance between a line and a spot.
/// Where it comes back, it would read as another line of the spot.
pub(crate) const BEYOND: f64 = 1.25;

/// Two lines from the same spot are never tight nearer to it than this, and beyond only below this share of the
/// distance from it.
const FORK: f64 = 26.0;
const FORKED: f64 = 0.3;

/// The same for two lines with the same ends, which would read as one.
const FORK_OF_TWINS: f64 = 12.0;
const FORKED_OF_TWINS: f64 = 0.7;

/// The largest share of the distances that can be measured.
pub(crate) const MOST_SHARE: f64 = 1.5;

/// The share of the distances below which a drawing is too tight to be read.
pub(crate) const UNREADABLE: f64 = 0.72;

/// A face in which something can be drawn is to have this area. Half of it is enough.
pub(crate) const LEAST_FACE: f64 = 3500.0;

/// Distances between two things of these kinds.
pub(crate) struct Distances {
    pub(crate) spots: f64,
    pub(crate) line_and_spot: f64,
    pub(crate) lines: f64,
}

/// A drawing whose distances are measured.
#[derive(Clone, Copy)]
pub(crate) struct Measured<'a> {
    pub(crate) spots: &'a [Point],
    pub(crate) lines: &'a [Line],
    /// The darts around each face in which something can be drawn, except the outermost face.
    pub(crate) live: &'a [Vec<usize>],
    /// Whether a line that comes back to its own spot has to keep its distance from it.
    pub(crate) returns: bool,
}

impl Measured<'_> {
    /// The places where the drawing is tight: where distances are below a share of the wanted ones. Each with the
    /// missing distance.
    pub(crate) fn tight_places(&self, share: f64) -> Vec<(Point, f64)> {
        let mut tight = Vec::new();
        let mut add = |at: Point, distance: f64, wanted: f64| {
            if distance < wanted {
                tight.push((at, wanted - distance));
            }
        };
        for (i, &spot) in self.spots.iter().enumerate() {
            add(spot, border(spot), share * MARGIN);
            for &other in &self.spots[..i] {
                add(
                    spot.toward(other, 0.5),
                    spot.distance(other),
                    share * TIGHT.spots,
                );
            }
        }
        let grid = Grid::of(self.lines);
        for (i, &spot) in self.spots.iter().enumerate() {
            for &(line, step) in grid.near(spot) {
                if !self.lines[line].ends.contains(&i) {
                    let distance = spot.distance_to_segment(step[0], step[1]);
                    add(spot, distance, share * TIGHT.line_and_spot);
                }
            }
        }
        for line in self.lines.iter().filter(|_| self.returns) {
            let [from, to] = line.ends;
            // Both ends of a loop are the same spot.
            let ends = if from == to {
                &line.ends[1..]
            } else {
                &line.ends
            };
            for &end in ends {
                let (at, wanted) = (self.spots[end], share * TIGHT.line_and_spot);
                add(at, line.distance_beyond(end, at, BEYOND * wanted), wanted);
            }
        }
        for (i, line) in self.lines.iter().enumerate() {
            for &at in line.inner() {
                for &(other, step) in grid.near(at).iter().filter(|(other, _)| *other != i) {
                    let distance = at.distance_to_segment(step[0], step[1]);
                    if distance < share * TIGHT.lines {
                        let wanted = self.fork(line, &self.lines[other], at, TIGHT.lines);
                        add(at, distance, share * wanted);
                    }
                }
            }
        }
        let small = self.small_faces(share);
        tight.extend(small.into_iter().map(|at| (at, 1.0)));
        tight
    }

    /// The wanted distance between two lines at a point of the first. Lines from the same spot part slowly.
    pub(crate) fn fork(&self, line: &Line, other: &Line, at: Point, wanted: f64) -> f64 {
        let are_twins = line.ends == other.ends || line.ends == [other.ends[1], other.ends[0]];
        let (from, share) = if are_twins {
            (FORK_OF_TWINS, FORKED_OF_TWINS)
        } else {
            (FORK, FORKED)
        };
        let shared = line.ends.iter().filter(|end| other.ends.contains(end));
        shared.fold(wanted, |wanted, &end| {
            let away = self.spots[end].distance(at);
            if away < from {
                0.0
            } else {
                wanted.min(share * away)
            }
        })
    }

    /// The points around faces that are too small to draw in.
    fn small_faces(&self, share: f64) -> Vec<Point> {
        let mut small = Vec::new();
        for darts in self.live {
            let along = |&dart: &usize| self.lines[dart / 2].along(dart);
            let rim: Vec<Point> = darts.iter().flat_map(along).collect();
            let size = area_of(&rim).abs() / 2.0;
            if size > 0.0 && size < share * LEAST_FACE / 2.0 {
                small.extend(rim);
            }
        }
        small
    }
}

/// The distance of a point from the border of the paper.
pub(crate) fn border(at: Point) -> f64 {
    at.x.min(at.y).min(SIDE - at.x).min(SIDE - at.y)
}

/// The steps of lines by the cells of the paper that they may be near to.
pub(crate) struct Grid(Vec<Vec<(usize, [Point; 2])>>);

impl Grid {
    const CELLS: usize = 32;

    pub(crate) fn of(lines: &[Line]) -> Self {
        let mut cells = vec![Vec::new(); Self::CELLS * Self::CELLS];
        for (i, line) in lines.iter().enumerate() {
            for step in line.points.windows(2) {
                let span = |axis: fn(Point) -> f64| {
                    let [from, to] = [axis(step[0]), axis(step[1])];
                    let reach = MOST_SHARE * TIGHT.line_and_spot;
                    Self::cell(from.min(to) - reach)..=Self::cell(from.max(to) + reach)
                };
                for x in span(|at| at.x) {
                    for y in span(|at| at.y) {
                        cells[x * Self::CELLS + y].push((i, [step[0], step[1]]));
                    }
                }
            }
        }
        Self(cells)
    }

    fn cell(value: f64) -> usize {
        ((value / SIDE * Self::CELLS as f64).max(0.0) as usize).min(Self::CELLS - 1)
    }

    /// The steps that may be nearer to a point than [`MOST_SHARE`] of the largest distance of [`TIGHT`] from a line, each
    /// with its line.
    pub(crate) fn near(&self, at: Point) -> &[(usize, [Point; 2])] {
        &self.0[Self::cell(at.x) * Self::CELLS + Self::cell(at.y)]
    }
}
