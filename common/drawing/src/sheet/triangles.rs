//! A triangulation of the board in which all lines are edges: a constrained Delaunay triangulation.
//!
//! Points are inserted one by one, and edges are flipped (Lawson 1977); a line is forced in by flipping the edges
//! that cross it (Sloan 1993).

use crate::point::{Point, area};

/// The index of a point.
pub(super) type Vertex = usize;

/// The most flips for one point or one line. Rounding can make two triangulations look better than each other.
const MOST_FLIPS: usize = 20_000;

/// A triangle: its corners in counterclockwise order; the triangle behind each edge, which goes from the corner
/// with the same index to the next; and whether that edge is a part of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    pub(super) corners: [Vertex; 3],
    pub(super) behind: [Option<usize>; 3],
    pub(super) is_line: [bool; 3],
}

/// A triangulation of a square.
#[derive(Clone, Debug)]
pub(super) struct Triangles {
    pub(super) points: Vec<Point>,
    pub(super) all: Vec<Triangle>,
    /// A triangle at each point.
    at: Vec<usize>,
}

/// The number of corners of the square, which are the first points.
pub(super) const FRAME: usize = 4;

impl Triangles {
    /// Triangulates the square from the origin with this side. The points are inside of it, all different; lines
    /// join them by index and meet only at points. `None` if they do not.
    pub(super) fn of(side: f64, points: &[Point], lines: &[[Vertex; 2]]) -> Option<Self> {
        let corners = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)];
        let mut mesh = Self {
            points: corners.map(|(x, y)| Point::new(x, y)).to_vec(),
            all: vec![
                Triangle {
                    corners: [0, 1, 2],
                    behind: [None, None, Some(1)],
                    is_line: [false; 3],
                },
                Triangle {
                    corners: [0, 2, 3],
                    behind: [Some(0), None, None],
                    is_line: [false; 3],
                },
            ],
            at: vec![0, 0, 0, 1],
        };
        for &point in points {
            mesh.insert(point)?;
        }
        for &[from, to] in lines {
            mesh.force(from, to)?;
        }
        Some(mesh)
    }

    /// The triangles around a point, counterclockwise.
    pub(super) fn around(&self, vertex: Vertex) -> Vec<usize> {
        let first = self.at[vertex];
        let mut around = vec![first];
        let mut here = first;
        // Counterclockwise: across the edge that arrives at the point.
        while let Some(next) = self.all[here].behind[(self.index(here, vertex) + 2) % 3] {
            if next == first {
                return around;
            }
            around.push(next);
            here = next;
        }
        // A corner of the square: what is left is clockwise.
        here = first;
        while let Some(next) = self.all[here].behind[self.index(here, vertex)] {
            around.insert(0, next);
            here = next;
        }
        around
    }

    /// The index of a corner in a triangle.
    pub(super) fn index(&self, triangle: usize, vertex: Vertex) -> usize {
        let corners = &self.all[triangle].corners;
        usize::from(corners[1] == vertex) + 2 * usize::from(corners[2] == vertex)
    }

    /// The triangle on the left of an edge, and the edge's index there.
    pub(super) fn left_of(&self, from: Vertex, to: Vertex) -> Option<(usize, usize)> {
        let around = self.around(from).into_iter();
        let mut edges = around.map(|triangle| (triangle, self.index(triangle, from)));
        edges.find(|&(triangle, i)| self.all[triangle].corners[(i + 1) % 3] == to)
    }

    fn turn(&self, [a, b, c]: [Vertex; 3]) -> f64 {
        area(self.points[a], self.points[b], self.points[c])
    }

    fn insert(&mut self, point: Point) -> Option<()> {
        let vertex = self.points.len();
        self.points.push(point);
        self.at.push(0);
        let triangle = self.containing(vertex)?;
        let corners = self.all[triangle].corners;
        if corners.iter().any(|&corner| self.points[corner] == point) {
            return None;
        }
        let on = (0..3).find(|&i| self.turn([corners[i], corners[(i + 1) % 3], vertex]) == 0.0);
        let mut doubtful = self.split(triangle, vertex);
        if let Some(i) = on {
            // The flat triangle on the edge and the one behind it become two.
            let flat = self.left_of(corners[i], corners[(i + 1) % 3])?.0;
            let edge = self.index(flat, corners[i]);
            let behind = self.all[flat].behind[edge]?;
            doubtful.extend([flat, behind]);
            self.flip(flat, edge)?;
        }
        self.improve(
            doubtful
                .into_iter()
                .map(|triangle| (triangle, vertex))
                .collect(),
        )
    }

    /// The triangle in which a new point is. Points of a line come one after the other, so it is looked for from
    /// the one before.
    fn containing(&self, vertex: Vertex) -> Option<usize> {
        let outside = |triangle: usize| {
            let corners = self.all[triangle].corners;
            (0..3).find(|&i| self.turn([corners[i], corners[(i + 1) % 3], vertex]) < 0.0)
        };
        let mut here = self.at[vertex - 1];
        // Among Delaunay triangles such a walk meets none twice.
        for _ in 0..self.all.len() {
            match outside(here) {
                None => return Some(here),
                Some(edge) => here = self.all[here].behind[edge]?,
            }
        }
        (0..self.all.len()).find(|&triangle| outside(triangle).is_none())
    }

    /// Splits a triangle into three at a point.
    fn split(&mut self, triangle: usize, vertex: Vertex) -> Vec<usize> {
        let old = self.all[triangle];
        let ids = [triangle, self.all.len(), self.all.len() + 1];
        for i in 0..3 {
            let new = Triangle {
                corners: [old.corners[i], old.corners[(i + 1) % 3], vertex],
                behind: [
                    old.behind[i],
                    Some(ids[(i + 1) % 3]),
                    Some(ids[(i + 2) % 3]),
                ],
                is_line: [old.is_line[i], false, false],
            };
            match i {
                0 => self.all[triangle] = new,
                _ => self.all.push(new),
            }
            self.at[old.corners[i]] = ids[i];
        }
        for (i, &id) in ids.iter().enumerate().skip(1) {
            self.relink(old.behind[i], triangle, id, old.corners[i]);
        }
        self.at[vertex] = triangle;
        ids.to_vec()
    }

    /// Tells a triangle that what was behind its edge to `to` has another number.
    fn relink(&mut self, triangle: Option<usize>, old: usize, new: usize, to: Vertex) {
        if let Some(triangle) = triangle {
            let corners = self.all[triangle].corners;
            for i in 0..3 {
                if self.all[triangle].behind[i] == Some(old) && corners[(i + 1) % 3] == to {
                    self.all[triangle].behind[i] = Some(new);
                }
            }
        }
    }

    /// Replaces an edge by the other diagonal of its two triangles. Returns both.
    fn flip(&mut self, one: usize, edge: usize) -> Option<[usize; 2]> {
        let other = self.all[one].behind[edge]?;
        let (a, b) = (
            self.all[one].corners[edge],
            self.all[one].corners[(edge + 1) % 3],
        );
        let c = self.all[one].corners[(edge + 2) % 3];
        let back = self.index(other, b);
        let d = self.all[other].corners[(back + 2) % 3];
        let of = |triangle: usize, i: usize| {
            let triangle = &self.all[triangle];
            (triangle.behind[i % 3], triangle.is_line[i % 3])
        };
        let (bc, ca) = (of(one, edge + 1), of(one, edge + 2));
        let (ad, db) = (of(other, back + 1), of(other, back + 2));
        self.all[one] = Triangle {
            corners: [a, d, c],
            behind: [ad.0, Some(other), ca.0],
            is_line: [ad.1, false, ca.1],
        };
        self.all[other] = Triangle {
            corners: [d, b, c],
            behind: [db.0, bc.0, Some(one)],
            is_line: [db.1, bc.1, false],
        };
        self.relink(ad.0, other, one, a);
        self.relink(bc.0, one, other, b);
        (self.at[a], self.at[d], self.at[c], self.at[b]) = (one, one, one, other);
        Some([one, other])
    }

    /// Whether the two triangles at an edge form a convex quadrilateral.
    fn is_convex(&self, triangle: usize, edge: usize) -> bool {
        let Some(other) = self.all[triangle].behind[edge] else {
            return false;
        };
        let corners = self.all[triangle].corners;
        let (a, b, c) = (
            corners[edge],
            corners[(edge + 1) % 3],
            corners[(edge + 2) % 3],
        );
        let d = self.all[other].corners[(self.index(other, b) + 2) % 3];
        self.turn([a, d, c]) > 0.0 && self.turn([d, b, c]) > 0.0
    }

    /// Flips edges opposite to a point until they are Delaunay.
    fn improve(&mut self, mut doubtful: Vec<(usize, Vertex)>) -> Option<()> {
        for _ in 0..MOST_FLIPS {
            let Some((triangle, vertex)) = doubtful.pop() else {
                return Some(());
            };
            if !self.all[triangle].corners.contains(&vertex) {
                continue;
            }
            let edge = (self.index(triangle, vertex) + 1) % 3;
            if !self.all[triangle].is_line[edge]
                && self.is_convex(triangle, edge)
                && self.is_encroached(triangle, edge)
            {
                let both = self.flip(triangle, edge)?;
                doubtful.extend(both.map(|triangle| (triangle, vertex)));
            }
        }
        None
    }

    /// Whether the circle of a triangle contains the point behind an edge.
    fn is_encroached(&self, triangle: usize, edge: usize) -> bool {
        let Some(other) = self.all[triangle].behind[edge] else {
            return false;
        };
        let corners = self.all[triangle].corners;
        let to = corners[(edge + 1) % 3];
        let far = self.points[self.all[other].corners[(self.index(other, to) + 2) % 3]];
        let [a, b, c] = corners.map(|corner| self.points[corner] - far);
        let (aa, bb, cc) = (a.dot(a), b.dot(b), c.dot(c));
        aa * b.cross(c) + bb * c.cross(a) + cc * a.cross(b) > 1e-6
    }

    /// Makes a segment an edge.
    fn force(&mut self, from: Vertex, to: Vertex) -> Option<()> {
        for round in 0..MOST_FLIPS {
            if let Some((triangle, edge)) = self.left_of(from, to) {
                self.all[triangle].is_line[edge] = true;
                let (other, back) = self.left_of(to, from)?;
                self.all[other].is_line[back] = true;
                return Some(());
            }
            // A flip that takes an edge out of the way is best; else each of the others has its turn.
            let mut crossed = self.crossed(from, to)?;
            crossed.retain(|&(triangle, edge)| self.is_convex(triangle, edge));
            let clears = |&&(triangle, edge): &&(usize, usize)| {
                let [apex, far] = self
                    .apexes(triangle, edge)
                    .map(|vertex| self.turn([from, to, vertex]));
                apex * far >= 0.0
            };
            let other = || crossed.get(round % crossed.len().max(1));
            let &(triangle, edge) = crossed.iter().find(clears).or_else(other)?;
            self.flip(triangle, edge)?;
        }
        None
    }

    /// The points opposite to an edge.
    fn apexes(&self, triangle: usize, edge: usize) -> [Vertex; 2] {
        let corners = self.all[triangle].corners;
        let apex = corners[(edge + 2) % 3];
        let far = self.all[triangle].behind[edge].map_or(apex, |other| {
            let back = self.index(other, corners[(edge + 1) % 3]);
            self.all[other].corners[(back + 2) % 3]
        });
        [apex, far]
    }

    /// The edges that a segment crosses, in order. `None` if it crosses a line or meets a point.
    fn crossed(&self, from: Vertex, to: Vertex) -> Option<Vec<(usize, usize)>> {
        let leaves = self.around(from).into_iter().find_map(|triangle| {
            let i = self.index(triangle, from);
            let corners = self.all[triangle].corners;
            let right = self.turn([from, to, corners[(i + 1) % 3]]);
            let left = self.turn([from, to, corners[(i + 2) % 3]]);
            (right < 0.0 && left > 0.0).then_some((triangle, (i + 1) % 3))
        });
        let mut crossed = Vec::new();
        let (mut triangle, mut edge) = leaves?;
        loop {
            if self.all[triangle].is_line[edge] {
                return None;
            }
            crossed.push((triangle, edge));
            let to_corner = self.all[triangle].corners[(edge + 1) % 3];
            let other = self.all[triangle].behind[edge]?;
            let back = self.index(other, to_corner);
            let apex = self.all[other].corners[(back + 2) % 3];
            if apex == to {
                return Some(crossed);
            }
            let side = self.turn([from, to, apex]);
            if side == 0.0 {
                return None;
            }
            // On across the edge whose ends are on both sides.
            edge = if side > 0.0 {
                (back + 1) % 3
            } else {
                (back + 2) % 3
            };
            triangle = other;
        }
    }
}
