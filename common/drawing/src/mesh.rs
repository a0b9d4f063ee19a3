//! The plane cut into triangles along the lines of a drawing.
//!
//! Each line is a path of vertices, and each face is filled with triangles. As long as no triangle is
//! turned over, no two lines cross. The layout maintains that.

use super::embed::{Corner, Embedding};
use rustc_hash::FxHashMap;

/// The numbers of vertices inside a line, and inside a loop at a spot.
const ON_A_LINE: usize = 3;
const ON_A_LOOP: usize = 5;

/// The fewest vertices of a ring inside another one.
const SMALLEST_RING: usize = 7;

/// What a vertex belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A spot, by its number.
    Spot,
    /// A line.
    Line,
    /// A region in which moves are left.
    Region,
    /// A dead face.
    Dead,
    /// The frame, which does not move.
    Frame,
}

/// Triangles. The half-edges 3t, 3t + 1, 3t + 2 go counterclockwise around triangle t.
#[derive(Clone, Debug, Default)]
pub(super) struct Mesh {
    /// What each vertex belongs to. Spots come first, with their numbers.
    pub(super) parts: Vec<Part>,
    /// The vertex where each half-edge begins.
    pub(super) origin: Vec<usize>,
    /// The other half of each half-edge; [`NONE`] on the frame.
    pub(super) twin: Vec<usize>,
    /// Whether a half-edge is part of a line.
    pub(super) fixed: Vec<bool>,
    /// A half-edge that leaves each vertex.
    pub(super) leaving: Vec<usize>,
    /// The vertices of each line, from spot to spot.
    pub(super) lines: Vec<Vec<usize>>,
    /// The vertices of the frame, counterclockwise.
    pub(super) frame: Vec<usize>,
    /// For each face, the walks along its boundaries with the face on the left.
    pub(super) walks: Vec<Vec<Vec<usize>>>,
}

pub(super) const NONE: usize = usize::MAX;

/// The half-edge after this in its triangle.
pub(super) fn next(half: usize) -> usize {
    if half % 3 == 2 { half - 2 } else { half + 1 }
}

/// The half-edge before this in its triangle.
pub(super) fn before(half: usize) -> usize {
    if half.is_multiple_of(3) {
        half + 2
    } else {
        half - 1
    }
}

impl Mesh {
    /// The mesh of a map with `outer` as the outermost face.
    pub(super) fn of(map: &Embedding, outer: usize) -> Self {
        let mut mesh = Self {
            parts: vec![Part::Spot; map.lives.len()],
            ..Self::default()
        };
        mesh.subdivide(map);
        let around = mesh.parts.len() / 4;
        mesh.frame = (0..around.clamp(12, 64))
            .map(|_| mesh.vertex(Part::Frame))
            .collect();
        let mut triangles = Vec::new();
        for (face, main) in nested(map, outer) {
            let part = if face < map.regions {
                Part::Region
            } else {
                Part::Dead
            };
            let main_walk = match main {
                Some(main) => mesh.walk(map, main),
                None => mesh.frame.clone(),
            };
            let holes = map.faces[face].iter();
            let holes = holes.filter(|&&corner| Some(corner) != main);
            let (isolated, holes): (Vec<Vec<usize>>, Vec<Vec<usize>>) = holes
                .map(|&corner| mesh.walk(map, corner))
                .partition(|hole| hole.len() == 1);
            let walk = with_slits(&main_walk, &holes);
            let mut inside = mesh.fill(&walk, part);
            place(&isolated.concat(), &mut inside, 2 * walk.len());
            triangles.append(&mut inside);
        }
        mesh.connect(&triangles);
        mesh.walk_all(map, outer);
        mesh
    }

    pub(super) fn walk_all(&mut self, map: &Embedding, outer: usize) {
        let walk = |&corner: &Corner| self.walk(map, corner);
        let walks = map.faces.iter().map(|face| face.iter().map(walk).collect());
        self.walks = walks.collect();
        self.walks[outer].push(self.frame.clone());
    }

    fn vertex(&mut self, part: Part) -> usize {
        self.parts.push(part);
        self.parts.len() - 1
    }

    fn subdivide(&mut self, map: &Embedding) {
        for line in 0..map.lines() {
            let ends = [map.origin[2 * line], map.origin[2 * line + 1]];
            let between = if ends[0] == ends[1] {
                ON_A_LOOP
            } else {
                ON_A_LINE
            };
            let mut path = vec![ends[0]];
            path.extend((0..between).map(|_| self.vertex(Part::Line)));
            path.push(ends[1]);
            self.lines.push(path);
        }
    }

    /// The vertices along a boundary, with the face on the left.
    fn walk(&self, map: &Embedding, corner: Corner) -> Vec<usize> {
        match corner {
            Corner::Isolated(spot) => vec![spot],
            Corner::Before(_) => map.darts(corner).flat_map(|dart| self.path(dart)).collect(),
        }
    }

    /// The vertices along a dart, without the last one.
    pub(super) fn path(&self, dart: usize) -> Vec<usize> {
        let mut path = self.lines[dart / 2].clone();
        if !dart.is_multiple_of(2) {
            path.reverse();
        }
        path.pop();
        path
    }

    /// Fills the inside of a closed walk, on its left, with nested rings and a centre.
    fn fill(&mut self, walk: &[usize], part: Part) -> Vec<[usize; 3]> {
        let mut triangles = Vec::new();
        // The first ring has a vertex for each step, so a vertex that occurs twice has two neighbours.
        let mut ring: Vec<usize> = walk.iter().map(|_| self.vertex(part)).collect();
        for i in 0..walk.len() {
            let j = (i + 1) % walk.len();
            triangles.push([walk[i], walk[j], ring[i]]);
            triangles.push([walk[j], ring[j], ring[i]]);
        }
        while part == Part::Region && ring.len() >= 2 * SMALLEST_RING {
            let inner: Vec<usize> = (0..ring.len() * 2 / 3).map(|_| self.vertex(part)).collect();
            zip(&ring, &inner, &mut triangles);
            ring = inner;
        }
        let centre = self.vertex(part);
        for i in 0..ring.len() {
            triangles.push([ring[i], ring[(i + 1) % ring.len()], centre]);
        }
        triangles
    }

    fn connect(&mut self, triangles: &[[usize; 3]]) {
        let mut halves: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        for (t, triangle) in triangles.iter().enumerate() {
            for i in 0..3 {
                self.origin.push(triangle[i]);
                halves.insert((triangle[i], triangle[(i + 1) % 3]), 3 * t + i);
            }
        }
        debug_assert_eq!(halves.len(), self.origin.len(), "an edge is met twice");
        self.leaving = vec![NONE; self.parts.len()];
        for half in 0..self.origin.len() {
            let (from, to) = (self.origin[half], self.origin[next(half)]);
            let twin = halves.get(&(to, from)).copied().unwrap_or(NONE);
            self.twin.push(twin);
            // On the frame, the half-edge from which a turn meets all others.
            if self.leaving[from] == NONE || twin == NONE {
                self.leaving[from] = half;
            }
        }
        self.fixed = vec![false; self.origin.len()];
        for path in &self.lines {
            for step in path.windows(2) {
                for step in [(step[0], step[1]), (step[1], step[0])] {
                    if let Some(&half) = halves.get(&step) {
                        self.fixed[half] = true;
                    }
                }
            }
        }
    }

    /// The vertices of the triangle of a half-edge, from where that begins.
    pub(super) fn triangle(&self, half: usize) -> [usize; 3] {
        [half, next(half), before(half)].map(|half| self.origin[half])
    }

    /// The half-edges that leave a vertex, counterclockwise. On the frame this leaves out the last edge,
    /// which only arrives.
    pub(super) fn around(&self, vertex: usize) -> impl Iterator<Item = usize> {
        let start = self.leaving[vertex];
        std::iter::successors(Some(start), move |&half| {
            Some(self.twin[before(half)]).filter(|&turned| turned != NONE && turned != start)
        })
    }

    /// Replaces an edge between two triangles by the other diagonal of their quadrilateral.
    pub(super) fn flip(&mut self, half: usize) {
        let other = self.twin[half];
        let (after, back) = (next(half), before(half));
        let (other_after, other_back) = (next(other), before(other));
        let (from, to) = (self.origin[half], self.origin[other]);
        let (left, right) = (self.origin[back], self.origin[other_back]);
        // `half` becomes right to left, `other` left to right.
        let outside =
            [after, back, other_after, other_back].map(|side| (self.twin[side], self.fixed[side]));
        // Triangle of `half`: right, left, from. Triangle of `other`: left, right, to.
        self.origin[half] = right;
        self.origin[after] = left;
        self.origin[back] = from;
        self.origin[other] = left;
        self.origin[other_after] = right;
        self.origin[other_back] = to;
        // Sides: after is left to from, back is from to right; the other two mirror them.
        for (side, (twin, fixed)) in [
            (after, outside[1]),
            (back, outside[2]),
            (other_after, outside[3]),
            (other_back, outside[0]),
        ] {
            self.twin[side] = twin;
            self.fixed[side] = fixed;
            if twin != NONE {
                self.twin[twin] = side;
            }
        }
        for side in [half, after, back, other, other_after, other_back] {
            let vertex = self.origin[side];
            if self.parts[vertex] != Part::Frame || self.twin[side] == NONE {
                self.leaving[vertex] = side;
            }
        }
    }
}

impl Mesh {
    /// Puts a vertex on an edge of a line, which has triangles on both sides, and returns it.
    pub(super) fn split(&mut self, half: usize) -> usize {
        let middle = self.vertex(Part::Line);
        let other = self.twin[half];
        let (from, to) = (self.origin[half], self.origin[other]);
        for path in &mut self.lines {
            let step = path
                .windows(2)
                .position(|step| step == [from, to] || step == [to, from]);
            if let Some(step) = step {
                path.insert(step + 1, middle);
                break;
            }
        }
        // On each side the triangle keeps the part at its first end, and a new one takes the rest.
        let new = [self.origin.len(), self.origin.len() + 3];
        for (kept, new) in [half, other].into_iter().zip(new) {
            let (after, back) = (next(kept), before(kept));
            let (end, apex) = (self.origin[after], self.origin[back]);
            let outside = self.twin[after];
            // The new triangle: middle, end, apex.
            self.origin.extend([middle, end, apex]);
            self.fixed.extend([true, self.fixed[after], false]);
            self.twin.extend([NONE, outside, after]);
            if outside != NONE {
                self.twin[outside] = new + 1;
            }
            self.leaving[end] = if self.parts[end] == Part::Frame {
                self.leaving[end]
            } else {
                new + 1
            };
            // The kept triangle: first end, middle, apex.
            self.origin[after] = middle;
            self.twin[after] = new + 2;
            self.fixed[after] = false;
        }
        // Each kept half lies opposite the new half of the other side.
        self.twin[half] = new[1];
        self.twin[new[1]] = half;
        self.twin[other] = new[0];
        self.twin[new[0]] = other;
        self.leaving.push(new[0]);
        middle
    }
}

/// The faces from the outermost inwards, each with its outer boundary.
fn nested(map: &Embedding, outer: usize) -> Vec<(usize, Option<Corner>)> {
    let mut face_of = vec![NONE; map.origin.len()];
    for (face, boundaries) in map.faces.iter().enumerate() {
        let darts = boundaries.iter().flat_map(|&corner| map.darts(corner));
        darts.for_each(|dart| face_of[dart] = face);
    }
    let mut met = vec![false; map.faces.len()];
    met[outer] = true;
    let mut order = vec![(outer, None)];
    let mut at = 0;
    while let Some(&(face, main)) = order.get(at) {
        at += 1;
        // All faces of the pieces that lie in this one.
        let holes = map.faces[face].iter();
        let holes = holes.copied().filter(|&corner| Some(corner) != main);
        let mut open: Vec<Corner> = holes.collect();
        let mut crossed = vec![false; map.origin.len()];
        while let Some(corner) = open.pop() {
            for dart in map.darts(corner) {
                if std::mem::replace(&mut crossed[dart], true) {
                    continue;
                }
                let across = dart ^ 1;
                let inner = face_of[across];
                if !crossed[across] {
                    open.push(Corner::Before(across));
                }
                if !std::mem::replace(&mut met[inner], true) {
                    let mut corners = map.faces[inner].iter().copied();
                    let through = corners.find(|&c| map.darts(c).any(|dart| dart == across));
                    order.push((inner, through));
                }
            }
        }
    }
    order
}

/// One closed walk around a face: the main walk with evenly spread detours to the holes.
fn with_slits(main: &[usize], holes: &[Vec<usize>]) -> Vec<usize> {
    let mut walk = Vec::new();
    let mut next_hole = 0;
    for (i, &vertex) in main.iter().enumerate() {
        walk.push(vertex);
        // The share of the holes up to here is the share of the steps.
        while next_hole < holes.len() && next_hole * main.len() < (i + 1) * holes.len() {
            let hole = &holes[next_hole];
            walk.extend(hole);
            walk.extend([hole[0], vertex]);
            next_hole += 1;
        }
    }
    walk
}

/// Spreads isolated spots evenly over the triangles, except for the first ones, which are along lines.
fn place(isolated: &[usize], triangles: &mut Vec<[usize; 3]>, first: usize) {
    let mut left = isolated;
    while !left.is_empty() {
        let free = triangles.len() - first;
        let (now, later) = left.split_at(left.len().min(free));
        for (i, &spot) in now.iter().enumerate() {
            let triangle = &mut triangles[first + i * free / now.len()];
            let [a, b, c] = *triangle;
            *triangle = [a, b, spot];
            triangles.extend([[b, c, spot], [c, a, spot]]);
        }
        left = later;
    }
}

/// Triangles between a ring and a smaller one inside it.
fn zip(outer: &[usize], inner: &[usize], triangles: &mut Vec<[usize; 3]>) {
    let (mut i, mut j) = (0, 0);
    while i < outer.len() || j < inner.len() {
        let (a, b) = (outer[i % outer.len()], inner[j % inner.len()]);
        if i < outer.len() && (2 * i + 1) * inner.len() <= (2 * j + 1) * outer.len() {
            i += 1;
            triangles.push([a, outer[i % outer.len()], b]);
        } else {
            j += 1;
            triangles.push([a, inner[j % inner.len()], b]);
        }
    }
}
