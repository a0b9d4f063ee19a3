//! Boards of the switching game: graphs with two terminals, and perhaps several edges between two vertices.

use std::collections::{BTreeMap, BTreeSet};

use crate::graphs::{Graph, MOST_VERTICES, canonical};

/// A graph with two terminals. There may be several edges between two vertices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// The number of vertices.
    pub vertices: usize,
    /// The two ends of each edge.
    pub edges: Vec<(usize, usize)>,
    /// The terminals. They are one vertex once Short has joined them.
    pub terminals: (usize, usize),
}

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Joins the terminals.
    Short,
    /// Separates them.
    Cut,
}

impl Player {
    /// The opponent.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Short => Self::Cut,
            Self::Cut => Self::Short,
        }
    }
}

impl Board {
    /// The board sold as Bridg-It, with n rows: Gale's game. Short joins its left and right side.
    pub fn gale(n: usize) -> Self {
        let columns = n.saturating_sub(1);
        let (left, right) = (n * columns, n * columns + 1);
        let at = |row: usize, column: usize| match column {
            0 => left,
            column if column > columns => right,
            column => row * columns + column - 1,
        };
        let mut edges = Vec::new();
        for row in 0..n {
            edges.extend((0..n).map(|column| (at(row, column), at(row, column + 1))));
            if row + 1 < n {
                edges.extend((1..n).map(|column| (at(row, column), at(row + 1, column))));
            }
        }
        Self {
            vertices: n * columns + 2,
            edges,
            terminals: (left, right),
        }
    }

    /// The board after a move of this player at an edge.
    #[must_use]
    pub fn after(&self, player: Player, edge: usize) -> Self {
        match player {
            Player::Short => self.secured(edge),
            Player::Cut => self.without(edge),
        }
    }

    /// The board after Short has secured an edge: its ends become one vertex.
    #[must_use]
    pub fn secured(&self, edge: usize) -> Self {
        let (kept, gone) = self.edges[edge];
        let merged = |vertex| if vertex == gone { kept } else { vertex };
        let mut board = self.without(edge);
        for ends in board.edges.iter_mut().chain([&mut board.terminals]) {
            *ends = (merged(ends.0), merged(ends.1));
        }
        board
    }

    /// The board after Cut has deleted an edge.
    #[must_use]
    pub fn without(&self, edge: usize) -> Self {
        let mut board = self.clone();
        board.edges.remove(edge);
        board
    }

    /// Whether Short has joined the terminals.
    pub fn is_joined(&self) -> bool {
        self.terminals.0 == self.terminals.1
    }

    /// The live part of a board with separate terminals: the edges on some path between the terminals without a
    /// repeated vertex, and their ends. It is empty if Cut has separated the terminals. The terminals get the numbers 0
    /// and 1, the other vertices the next ones in their order.
    #[must_use]
    pub fn live(&self) -> Self {
        let (one, other) = self.terminals;
        let mut between = self.block();
        between.retain(|&vertex| vertex != one && vertex != other);
        between.sort_unstable();
        self.numbered(&[&[one, other], &between[..]].concat())
    }

    /// The vertices on paths between the terminals. With an extra edge between the terminals, they are the block of
    /// that edge.
    fn block(&self) -> Vec<usize> {
        let (from, to) = self.terminals;
        let mut neighbours = vec![Vec::new(); self.vertices];
        for &(one, other) in &self.edges {
            neighbours[one].push(other);
            neighbours[other].push(one);
        }
        let mut met_as = vec![0; self.vertices];
        met_as[from] = 1;
        let mut open = vec![from];
        search_block(&neighbours, to, from, &mut met_as, &mut open);
        open
    }

    /// The board whose vertex i is vertex `order[i]` here, the terminals first, with the edges between these vertices,
    /// sorted.
    fn numbered(&self, order: &[usize]) -> Self {
        let mut number = vec![None; self.vertices];
        for (place, &vertex) in order.iter().enumerate() {
            number[vertex] = Some(place);
        }
        let ends = |&(one, other): &(usize, usize)| {
            let (one, other) = (number[one]?, number[other]?);
            (one != other).then_some((one.min(other), one.max(other)))
        };
        let mut edges: Vec<(usize, usize)> = self.edges.iter().filter_map(ends).collect();
        edges.sort_unstable();
        Self {
            vertices: order.len(),
            edges,
            terminals: (0, 1),
        }
    }

    /// The canonical form of the [live part](Self::live): boards with equal forms are isomorphic. The converse holds
    /// unless the vertices and the places with several edges are more than 64 together; then vertices keep their order.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let live = self.live();
        match live.order() {
            Some(order) => live.numbered(&order),
            None => live,
        }
    }

    /// The canonical order of the vertices of a live part, if it is small enough. For this search, several edges
    /// between two vertices become a vertex on one edge. Their number is its colour.
    fn order(&self) -> Option<Vec<usize>> {
        let pairs = self.pairs();
        let several = pairs.values().filter(|&&edges| edges > 1).count();
        if self.vertices + several > MOST_VERTICES {
            return None;
        }
        let numbers: BTreeSet<usize> = pairs.values().copied().collect();
        let mut graph = Graph::empty(self.vertices + several);
        let mut colours = vec![1; self.vertices];
        (colours[0], colours[1]) = (0, 0);
        for (&(one, other), &edges) in &pairs {
            if edges == 1 {
                graph.join(one, other);
                continue;
            }
            let middle = colours.len();
            colours.push(2 + numbers.range(..edges).count() as u8);
            graph.join(one, middle);
            graph.join(middle, other);
        }
        let order = canonical::order(&graph, &colours).into_iter();
        Some(order.filter(|&vertex| vertex < self.vertices).collect())
    }

    /// The number of edges between each two joined vertices.
    pub fn pairs(&self) -> BTreeMap<(usize, usize), usize> {
        let mut pairs = BTreeMap::new();
        for &ends in &self.edges {
            *pairs.entry(ends).or_default() += 1;
        }
        pairs
    }
}

/// Searches the block of an edge in depth first (Hopcroft and Tarjan 1973): visits a vertex and everything beyond it,
/// and returns the least place in `open` of a vertex joined to one of these. `met_as` has the place that each visited
/// vertex got in `open`, from 1, or 0; `open` has the visited vertices not known to be in another block.
fn search_block(
    neighbours: &[Vec<usize>],
    vertex: usize,
    from: usize,
    met_as: &mut [usize],
    open: &mut Vec<usize>,
) -> usize {
    open.push(vertex);
    let own = open.len();
    met_as[vertex] = own;
    let mut first = own;
    for &next in neighbours[vertex].iter().filter(|&&next| next != from) {
        let mut reached = met_as[next];
        if reached == 0 {
            let before = open.len();
            reached = search_block(neighbours, next, vertex, met_as, open);
            if reached >= own {
                // All further ways from there go through this vertex.
                open.truncate(before);
            }
        }
        first = first.min(reached);
    }
    first
}
