//! Canonical numberings of graphs, by refining partitions (McKay 1981, *Practical graph isomorphism*).
//!
//! An ordered partition of the vertices is *refined* until all vertices of a cell have equally many neighbours in each
//! cell. If a cell has several vertices, each of them in turn gets a cell of its own, and the search continues below. A
//! partition into single vertices is a leaf: a numbering. The canonical leaf has the smallest *trace* (the results of
//! the refinements on the way, which do not depend on the given numbering), and then the smallest matrix.
//!
//! Two leaves with the same trace and matrix give an automorphism. Branches that are images of earlier branches under
//! automorphisms are left out.

use std::cmp::Ordering;

use super::{Graph, MOST_VERTICES, members};

/// The canonical order of the vertices: vertex `order[i]` gets number i. Two graphs [arranged](Graph::arranged) in this
/// order are equal exactly if an isomorphism maps one to the other, and each vertex to one of its colour. Vertices of
/// smaller colours come first.
pub fn order(graph: &Graph, colours: &[u8]) -> Vec<usize> {
    debug_assert_eq!(graph.len(), colours.len());
    let mut of_colour = std::collections::BTreeMap::<u8, u64>::new();
    for (vertex, &colour) in colours.iter().enumerate() {
        *of_colour.entry(colour).or_default() |= 1 << vertex;
    }
    let cells: Vec<u64> = of_colour.into_values().collect();
    let mut search = Search {
        graph,
        path: Vec::new(),
        trace: Vec::new(),
        best: None,
        automorphisms: Vec::new(),
    };
    let splitters = cells.clone();
    search.explore(cells, splitters);
    // Every search has a leaf.
    search.best.map_or_else(Vec::new, |best| best.order)
}

/// The canonical form of a graph without colours.
#[must_use]
pub fn form(graph: &Graph) -> Graph {
    graph.arranged(&order(graph, &vec![0; graph.len()]))
}

struct Search<'a> {
    graph: &'a Graph,
    /// The vertices with cells of their own.
    path: Vec<usize>,
    /// A number for the refinement at each node of the path.
    trace: Vec<u64>,
    best: Option<Leaf>,
    /// The image of each vertex.
    automorphisms: Vec<Vec<usize>>,
}

struct Leaf {
    path: Vec<usize>,
    trace: Vec<u64>,
    order: Vec<usize>,
    graph: Graph,
}

impl Search<'_> {
    /// Explores the node of the path. Returns the length of the path to which the search may go back: if it is shorter,
    /// the nodes between have nothing new below them.
    fn explore(&mut self, mut cells: Vec<u64>, splitters: Vec<u64>) -> usize {
        let depth = self.path.len();
        self.trace.push(refine(self.graph, &mut cells, splitters));
        let back = match self.against_best() {
            Ordering::Greater => depth,
            _ if cells.len() == self.graph.len() => self.leaf(&cells),
            _ => self.branch(&cells),
        };
        self.trace.pop();
        back
    }

    /// The trace so far, compared with that of the best leaf.
    fn against_best(&self) -> Ordering {
        self.best.as_ref().map_or(Ordering::Less, |best| {
            let shared = self.trace.len().min(best.trace.len());
            self.trace.as_slice().cmp(&best.trace[..shared])
        })
    }

    fn branch(&mut self, cells: &[u64]) -> usize {
        let depth = self.path.len();
        let several = cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| cell.count_ones() > 1);
        let (at, &cell) = several
            .min_by_key(|(_, cell)| cell.count_ones())
            .expect("a partition that is no leaf has a cell of several vertices");
        let mut tried = 0;
        for vertex in members(cell) {
            if self.is_image(vertex, tried) {
                continue;
            }
            tried |= 1 << vertex;
            let mut below = cells.to_vec();
            below[at] = 1 << vertex;
            below.insert(at + 1, cell & !(1 << vertex));
            self.path.push(vertex);
            let back = self.explore(below, vec![1 << vertex]);
            self.path.pop();
            if back < depth {
                return back;
            }
        }
        depth
    }

    /// Whether a known automorphism that fixes the path maps one of the tried vertices to this one.
    fn is_image(&self, vertex: usize, tried: u64) -> bool {
        let around = |one: usize, other: usize| self.graph.neighbours(one) & !(1 << other);
        if members(tried).any(|other| around(vertex, other) == around(other, vertex)) {
            // The two can be swapped.
            return true;
        }
        let fixes_path =
            |images: &&Vec<usize>| self.path.iter().all(|&fixed| images[fixed] == fixed);
        let known: Vec<&Vec<usize>> = self.automorphisms.iter().filter(fixes_path).collect();
        let mut orbit = tried;
        let mut new = tried;
        while new != 0 {
            let images =
                members(new).flat_map(|one| known.iter().map(move |images| 1 << images[one]));
            new = images.fold(0, |all, image: u64| all | image) & !orbit;
            orbit |= new;
        }
        orbit >> vertex & 1 == 1
    }

    fn leaf(&mut self, cells: &[u64]) -> usize {
        let order: Vec<usize> = cells
            .iter()
            .map(|cell| cell.trailing_zeros() as usize)
            .collect();
        let leaf = Leaf {
            graph: self.graph.arranged(&order),
            path: self.path.clone(),
            trace: self.trace.clone(),
            order,
        };
        let Some(best) = &self.best else {
            self.best = Some(leaf);
            return self.path.len();
        };
        match (&leaf.trace, &leaf.graph).cmp(&(&best.trace, &best.graph)) {
            Ordering::Less => self.best = Some(leaf),
            Ordering::Greater => {}
            Ordering::Equal => {
                let mut images = vec![0; leaf.order.len()];
                for (&one, &image) in best.order.iter().zip(&leaf.order) {
                    images[one] = image;
                }
                self.automorphisms.push(images);
                // Above the node where both paths part, the whole branch is an image of an earlier one.
                let pairs = self.path.iter().zip(&best.path);
                return pairs.take_while(|(one, other)| one == other).count();
            }
        }
        self.path.len()
    }
}

/// Refines a partition by the sets in `splitters`, and then by its own new cells. Returns a number that depends only on
/// the results, in the order of the cells.
fn refine(graph: &Graph, cells: &mut Vec<u64>, mut splitters: Vec<u64>) -> u64 {
    let mut trace = Trace(0);
    while let Some(splitter) = splitters.pop() {
        let neighbours_in = |vertex: usize| (graph.neighbours(vertex) & splitter).count_ones();
        let mut at = 0;
        while at < cells.len() && cells.len() < graph.len() {
            let cell = cells[at];
            let first = neighbours_in(cell.trailing_zeros() as usize);
            if members(cell).all(|vertex| neighbours_in(vertex) == first) {
                trace.add(first);
                at += 1;
                continue;
            }
            let mut parts = [0_u64; MOST_VERTICES + 1];
            for vertex in members(cell) {
                parts[neighbours_in(vertex) as usize] |= 1 << vertex;
            }
            let mut found = Vec::new();
            for (count, part) in (0..).zip(parts) {
                if part != 0 {
                    trace.add(count);
                    trace.add(part.count_ones());
                    found.push(part);
                }
            }
            let after = at + found.len();
            splitters.extend(&found);
            cells.splice(at..=at, found);
            at = after;
        }
    }
    trace.add(cells.len() as u32);
    trace.0
}

/// A hash of a sequence of numbers. A collision only makes the search longer.
struct Trace(u64);

impl Trace {
    fn add(&mut self, number: u32) {
        let mixed = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed.rotate_left(29);
    }
}
