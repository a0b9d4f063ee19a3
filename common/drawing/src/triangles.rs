//! A triangulation of the paper in which all lines are edges: a constrained Delaunay triangulation.

use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

use crate::paper::{Line, SIDE};
use crate::point::{Point, area};

/// The index of a point.
pub(crate) type Vertex = usize;

/// The points along a dart by index, including its spots.
pub(crate) type Path = Vec<Vertex>;

/// The number of corners of the paper. These are the first points.
pub(crate) const FRAME: usize = 4;

/// A triangle: its corners in counterclockwise order; the triangle behind each edge, which goes from the corner
/// with the same index to the next; and whether that edge is a part of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    pub(crate) corners: [Vertex; 3],
    pub(crate) behind: [Option<usize>; 3],
    pub(crate) is_line: [bool; 3],
}

impl Triangle {
    /// The edge that is a part of a line, if the two others are not.
    pub(crate) fn lone_line(&self) -> Option<usize> {
        let mut edges = (0..3).filter(|&edge| self.is_line[edge]);
        edges.next().filter(|_| edges.next().is_none())
    }
}

/// A triangulation of the paper.
#[derive(Clone, Debug)]
pub(crate) struct Triangles {
    pub(crate) points: Vec<Point>,
    pub(crate) all: Vec<Triangle>,
    /// One of the triangles at each point.
    at: Vec<usize>,
}

/// The points of a drawing, those of the spots first, and the paths of its darts. Dart 2i goes along line i, dart
/// 2i + 1 back. The corners of a fence around everything come last; none if there is no fence.
pub(crate) fn vertices(
    spots: &[Point],
    lines: &[Line],
    fence: &[Point],
) -> (Vec<Point>, Vec<Path>) {
    let mut points = spots.to_vec();
    let mut paths = Vec::new();
    for line in lines {
        let mut path = vec![FRAME + line.ends[0]];
        path.extend((FRAME + points.len()..).take(line.inner().len()));
        path.push(FRAME + line.ends[1]);
        points.extend(line.inner());
        let back = path.iter().rev().copied().collect();
        paths.extend([path, back]);
    }
    if !fence.is_empty() {
        let first = FRAME + points.len();
        points.extend(fence);
        paths.push((first..FRAME + points.len()).chain([first]).collect());
    }
    (points, paths)
}

/// Moves a drawing to new points, which are in the order of [`vertices`].
pub(crate) fn take(
    mut points: impl Iterator<Item = Point>,
    spots: &mut [Point],
    lines: &mut [Line],
) {
    let first = spots.iter_mut().zip(&mut points);
    first.for_each(|(spot, point)| *spot = point);
    for line in lines {
        let last = line.points.len() - 1;
        let inner = line.points[1..last].iter_mut().zip(&mut points);
        inner.for_each(|(at, point)| *at = point);
        line.points[0] = spots[line.ends[0]];
        line.points[last] = spots[line.ends[1]];
    }
}

impl Triangles {
    /// Triangulates the paper. All points are inside of it. `None` if two points are equal, or if lines meet between
    /// points.
    pub(crate) fn of(points: &[Point], paths: &[Path]) -> Option<Self> {
        let corners = [(0.0, 0.0), (SIDE, 0.0), (SIDE, SIDE), (0.0, SIDE)];
        let corners = corners.map(|(x, y)| Point::new(x, y));
        let points: Vec<Point> = corners.iter().chain(points).copied().collect();
        let vertices = points.iter().map(|at| Point2::new(at.x, at.y)).collect();
        let steps = paths.iter().step_by(2).flat_map(|path| path.windows(2));
        let steps: Vec<[Vertex; 2]> = steps.map(|step| [step[0], step[1]]).collect();
        let count = steps.len();
        let mut is_crossed = false;
        let mesh = ConstrainedDelaunayTriangulation::<Point2<f64>>::try_bulk_load_cdt(
            vertices,
            steps,
            |_| is_crossed = true,
        );
        let mesh = mesh.ok()?;
        // Equal points become one, and a step over a point becomes two.
        if is_crossed || mesh.num_vertices() != points.len() || mesh.num_constraints() != count {
            return None;
        }
        let mut at = vec![0; points.len()];
        let mut all = Vec::with_capacity(mesh.num_inner_faces());
        for face in mesh.inner_faces() {
            let edges = face.adjacent_edges();
            let corners = edges.map(|edge| edge.from().index());
            for corner in corners {
                at[corner] = all.len();
            }
            all.push(Triangle {
                corners,
                // The outer face has the index 0.
                behind: edges.map(|edge| edge.rev().face().index().checked_sub(1)),
                is_line: edges.map(|edge| edge.as_undirected().is_constraint_edge()),
            });
        }
        Some(Self { points, all, at })
    }

    /// The triangles around a point, counterclockwise.
    pub(crate) fn around(&self, vertex: Vertex) -> Vec<usize> {
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
        // At a corner of the paper, the rest is clockwise.
        here = first;
        while let Some(next) = self.all[here].behind[self.index(here, vertex)] {
            around.insert(0, next);
            here = next;
        }
        around
    }

    /// The index of a corner in a triangle.
    pub(crate) fn index(&self, triangle: usize, vertex: Vertex) -> usize {
        let corners = &self.all[triangle].corners;
        usize::from(corners[1] == vertex) + 2 * usize::from(corners[2] == vertex)
    }

    /// The other corners of a triangle, counterclockwise.
    pub(crate) fn others(&self, triangle: usize, vertex: Vertex) -> [Vertex; 2] {
        let i = self.index(triangle, vertex);
        let corners = self.all[triangle].corners;
        [corners[(i + 1) % 3], corners[(i + 2) % 3]]
    }

    /// The triangle on the left of an edge.
    pub(crate) fn left_of(&self, from: Vertex, to: Vertex) -> Option<usize> {
        let mut around = self.around(from).into_iter();
        around.find(|&triangle| self.others(triangle, from)[0] == to)
    }

    /// The pushes on a corner of a triangle whose face presses on its lines.
    pub(crate) fn pressed(&self, triangle: usize, corner: usize, pressure: f64) -> [Point; 2] {
        let of = &self.all[triangle];
        let at = self.points[of.corners[corner]];
        let [after, before] = [(corner + 1) % 3, (corner + 2) % 3];
        // Outwards is on the right of an edge.
        [(corner, after, 1.0), (before, before, -1.0)].map(|(edge, other, sign)| {
            if !of.is_line[edge] {
                return Point::default();
            }
            let way = (self.points[of.corners[other]] - at) * sign;
            Point::new(way.y, -way.x) * pressure
        })
    }

    /// The push on a corner of a triangle in which a line and the point opposite push each other away. `push` gives the
    /// push on the point opposite, from the ends of the line, that point, and the place on the line that is nearest to
    /// it. Beyond its ends, only its end points push.
    pub(crate) fn recoil(
        &self,
        triangle: usize,
        corner: usize,
        push: impl FnOnce([Vertex; 3], Point) -> Point,
    ) -> Point {
        let of = &self.all[triangle];
        let Some(edge) = of.lone_line() else {
            return Point::default();
        };
        let ends = [edge, edge + 1, edge + 2].map(|i| of.corners[i % 3]);
        let [from, to, opposite] = ends.map(|end| self.points[end]);
        let along = to - from;
        let part = (opposite - from).dot(along) / along.dot(along);
        if !(0.0..=1.0).contains(&part) {
            return Point::default();
        }
        let shares = [part - 1.0, -part, 1.0];
        push(ends, from.toward(to, part)) * shares[(corner + 3 - edge) % 3]
    }

    /// The area of some triangles together.
    pub(crate) fn size(&self, of: &[usize]) -> f64 {
        let size = |&triangle: &usize| {
            let [a, b, c] = self.all[triangle].corners.map(|corner| self.points[corner]);
            area(a, b, c) / 2.0
        };
        of.iter().map(size).sum()
    }

    /// The triangles that no line separates from this one. Those in `met` are left out; the returned ones are added to
    /// it.
    pub(crate) fn face(&self, of: usize, met: &mut [bool]) -> Vec<usize> {
        let mut face = Vec::new();
        let mut open = vec![of];
        while let Some(triangle) = open.pop() {
            if std::mem::replace(&mut met[triangle], true) {
                continue;
            }
            face.push(triangle);
            let of = &self.all[triangle];
            let beside = (0..3).filter(|&i| !of.is_line[i]);
            open.extend(beside.filter_map(|i| of.behind[i]));
        }
        face
    }
}
