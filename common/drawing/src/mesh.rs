//! The plane cut into triangles along the lines of a drawing.
//!
//! Each line is a path of vertices, and each face is filled with triangles. If no triangle is turned over, no two lines
//! cross.

use crate::embed::{Corner, Embedding};

/// The number of vertices between the ends of a line, and of a loop.
const ON_A_LINE: usize = 3;
const ON_A_LOOP: usize = 5;

/// A ring with at least twice this number of vertices gets another ring inside.
const SMALLEST_RING: usize = 7;

/// Triangles. The first vertices are the spots, with their numbers.
#[derive(Debug, Default)]
pub(super) struct Mesh {
    /// The number of vertices.
    pub(super) vertices: usize,
    /// The vertices of each triangle, counterclockwise.
    pub(super) triangles: Vec<[usize; 3]>,
    /// The vertices of each line, from spot to spot.
    pub(super) lines: Vec<Vec<usize>>,
    /// The vertices of the frame, counterclockwise.
    pub(super) frame: Vec<usize>,
}

impl Mesh {
    /// The mesh of a map with `outer` as the outermost face.
    pub(super) fn of(map: &Embedding, outer: usize) -> Self {
        let mut mesh = Self {
            vertices: map.lives.len(),
            ..Self::default()
        };
        mesh.subdivide(map);
        mesh.frame = mesh.new_vertices((mesh.vertices / 4).clamp(12, 64));
        for (face, main) in nested(map, outer) {
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
            let mut inside = mesh.fill(&walk);
            place(&isolated.concat(), &mut inside, 2 * walk.len());
            mesh.triangles.append(&mut inside);
        }
        mesh
    }

    fn new_vertices(&mut self, count: usize) -> Vec<usize> {
        let first = self.vertices;
        self.vertices += count;
        (first..self.vertices).collect()
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
            path.extend(self.new_vertices(between));
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
    fn path(&self, dart: usize) -> Vec<usize> {
        let mut path = self.lines[dart / 2].clone();
        if !dart.is_multiple_of(2) {
            path.reverse();
        }
        path.pop();
        path
    }

    /// Fills the inside of a closed walk, on its left, with nested rings and a centre.
    fn fill(&mut self, walk: &[usize]) -> Vec<[usize; 3]> {
        // The first ring has a vertex for each step, so a vertex that occurs twice has two neighbours.
        let mut ring = self.new_vertices(walk.len());
        let mut triangles = Vec::new();
        for i in 0..walk.len() {
            let j = (i + 1) % walk.len();
            triangles.push([walk[i], walk[j], ring[i]]);
            triangles.push([walk[j], ring[j], ring[i]]);
        }
        while ring.len() >= 2 * SMALLEST_RING {
            let inner = self.new_vertices(ring.len() * 2 / 3);
            zip(&ring, &inner, &mut triangles);
            ring = inner;
        }
        let centre = self.new_vertices(1)[0];
        for i in 0..ring.len() {
            triangles.push([ring[i], ring[(i + 1) % ring.len()], centre]);
        }
        triangles
    }
}

/// The faces from the outermost inwards, each with its outer boundary; the outermost has none.
fn nested(map: &Embedding, outer: usize) -> Vec<(usize, Option<Corner>)> {
    let mut face_of = vec![0; map.origin.len()];
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
        // Finds all faces of the pieces inside this face.
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

/// Spreads isolated spots evenly over the triangles. The first `first` ones are left out: they lie along lines.
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
