//! Simple graphs of up to 64 vertices, shared by games on graphs.
//!
//! - [`canonical`]: a numbering of the vertices that depends only on the graph up to isomorphism.
//! - [`edges`]: lists of edges as text.
//! - [`graph6`]: the usual text of a graph, as in nauty and its catalogues.
//! - [`text`]: all texts of graphs: names, products, lists of edges, graph6.
//! - `lands`: lands that are connected graphs up to isomorphism.
//! - [`layout`]: places of the vertices in a picture.

pub mod canonical;
pub mod edges;
pub mod graph6;
pub(crate) mod lands;
pub mod layout;
pub mod text;

use smallvec::{SmallVec, smallvec};

/// The maximum number of vertices.
pub const MOST_VERTICES: usize = 64;

/// A simple graph. The vertices are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Graph(SmallVec<[u64; 32]>);

/// The members of a set of vertices: those whose bits are set, in order.
pub fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}

impl Graph {
    /// The graph without edges.
    ///
    /// # Panics
    /// It would have more than [`MOST_VERTICES`].
    pub fn empty(vertices: usize) -> Self {
        assert!(vertices <= MOST_VERTICES, "graphs are limited when read");
        Self(smallvec![0; vertices])
    }

    /// Adds an edge between two different vertices.
    pub fn join(&mut self, one: usize, other: usize) {
        debug_assert_ne!(one, other);
        self.0[one] |= 1 << other;
        self.0[other] |= 1 << one;
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no vertices.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The set of all vertices.
    pub fn all(&self) -> u64 {
        match self.len() {
            0 => 0,
            len => u64::MAX >> (MOST_VERTICES - len),
        }
    }

    /// The neighbours of a vertex, as a set.
    #[inline]
    pub fn neighbours(&self, vertex: usize) -> u64 {
        self.0[vertex]
    }

    /// The number of neighbours of a vertex.
    pub fn degree(&self, vertex: usize) -> u32 {
        self.0[vertex].count_ones()
    }

    /// The edges, each with the smaller vertex first.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> {
        let rows = self.0.iter().enumerate();
        rows.flat_map(|(one, &row)| {
            let larger = members(row).filter(move |&other| other > one);
            larger.map(move |other| (one, other))
        })
    }

    /// The graph whose vertex i is vertex `order[i]` here, with the edges between these.
    #[must_use]
    pub fn arranged(&self, order: &[usize]) -> Self {
        let mut places = [0; MOST_VERTICES];
        let mut kept = 0;
        for (place, &vertex) in order.iter().enumerate() {
            places[vertex] = place;
            kept |= 1 << vertex;
        }
        let row = |&vertex: &usize| {
            let neighbours = members(self.0[vertex] & kept);
            neighbours.fold(0, |row, other| row | 1 << places[other])
        };
        Self(order.iter().map(row).collect())
    }

    /// The vertices of each connected component of the graph within a set of vertices.
    pub fn components(&self, mut set: u64) -> impl Iterator<Item = u64> {
        std::iter::from_fn(move || {
            let mut component = set & set.wrapping_neg();
            let mut new = component;
            while new != 0 {
                let reached = members(new).fold(0, |all, vertex| all | self.0[vertex]);
                new = reached & set & !component;
                component |= new;
            }
            set &= !component;
            (component != 0).then_some(component)
        })
    }

    /// Whether the graph is connected and has a vertex.
    pub fn is_connected(&self) -> bool {
        self.components(self.all()).next() == Some(self.all())
    }

    /// The graph in which exactly the other pairs of vertices are joined.
    #[must_use]
    pub fn complement(&self) -> Self {
        let rows = self.0.iter().enumerate();
        let all = self.all();
        Self(rows.map(|(i, row)| all & !row & !(1 << i)).collect())
    }

    /// The Cartesian product: pairs are joined if they are equal in one part, and joined in the other. `None` if it is
    /// too large.
    pub fn product(&self, other: &Self) -> Option<Self> {
        let width = other.len();
        let vertices = self.len() * width;
        if vertices > MOST_VERTICES {
            return None;
        }
        let mut product = Self::empty(vertices);
        for row in 0..self.len() {
            for (one, end) in other.edges() {
                product.join(row * width + one, row * width + end);
            }
        }
        for (one, end) in self.edges() {
            for column in 0..width {
                product.join(one * width + column, end * width + column);
            }
        }
        Some(product)
    }

    /// For each pair of vertices, whether it is joined: for j from 1 on and i from 0 to j - 1.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = bool> {
        let pairs = (1..self.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        pairs.map(|(i, j)| self.0[j] >> i & 1 == 1)
    }

    /// The graph with `vertices` vertices and these [pairs](Self::pairs). Missing pairs are not joined.
    pub(crate) fn of_pairs(vertices: usize, joined: impl Iterator<Item = bool>) -> Self {
        let mut graph = Self::empty(vertices);
        let pairs = (1..vertices).flat_map(|j| (0..j).map(move |i| (i, j)));
        for ((i, j), is_joined) in pairs.zip(joined) {
            if is_joined {
                graph.join(i, j);
            }
        }
        graph
    }

    /// The graph as bytes: the number of vertices, then a bit for each [pair](Self::pairs), the highest bit of a byte
    /// first.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![self.len() as u8];
        for (place, is_joined) in self.pairs().enumerate() {
            if place % 8 == 0 {
                bytes.push(0);
            }
            let last = bytes.len() - 1;
            bytes[last] |= u8::from(is_joined) << (7 - place % 8);
        }
        bytes
    }

    /// The inverse of [`Self::to_bytes`]; `None` if the bytes are not a graph.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (&vertices, bits) = bytes.split_first()?;
        let vertices = usize::from(vertices);
        if vertices > MOST_VERTICES || bits.len() != pairs_of(vertices).div_ceil(8) {
            return None;
        }
        let unused = 8 * bits.len() - pairs_of(vertices);
        if bits
            .last()
            .is_some_and(|last| last & ((1 << unused) - 1) != 0)
        {
            return None;
        }
        let bit = |place: usize| bits[place / 8] >> (7 - place % 8) & 1 == 1;
        Some(Self::of_pairs(vertices, (0..pairs_of(vertices)).map(bit)))
    }
}

/// The number of pairs of vertices.
pub(crate) fn pairs_of(vertices: usize) -> usize {
    vertices * vertices.saturating_sub(1) / 2
}

#[cfg(test)]
mod tests;
