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

    /// The live part of a board whose terminals are not joined: the edges that are on some path between the terminals
    /// without a repeated vertex, and their ends. There are none if Cut has separated the terminals. The terminals get
    /// the numbers 0 and 1, the other vertices the next ones in their order.
    #[must_use]
    pub fn live(&self) -> Self {
        let is_live = self.is_live();
        let (one, other) = self.terminals;
        let between = (0..self.vertices).filter(|&vertex| vertex != one && vertex != other);
        let order: Vec<usize> = [one, other]
            .into_iter()
            .chain(between.filter(|&vertex| is_live[vertex]))
            .collect();
        let edges = self.edges.iter().copied();
        let live = edges.filter(|&(one, other)| one != other && is_live[one] && is_live[other]);
        Self {
            edges: live.collect(),
            ..*self
        }
        .numbered(&order)
    }

    /// Whether each vertex is on a path between the terminals. With one more edge between these, such vertices and
    /// edges are the block of that edge.
    fn is_live(&self) -> Vec<bool> {
        let (from, to) = self.terminals;
        let mut search = BlockSearch {
            neighbours: vec![Vec::new(); self.vertices],
            met_as: vec![0; self.vertices],
            met: 1,
            open: Vec::new(),
        };
        for &(one, other) in &self.edges {
            search.neighbours[one].push(other);
            search.neighbours[other].push(one);
        }
        search.met_as[from] = 1;
        search.visit(to, from);
        let mut is_live = vec![false; self.vertices];
        for vertex in search.open.into_iter().chain([from]) {
            is_live[vertex] = true;
        }
        is_live
    }

    /// The board whose vertex i is vertex `order[i]` here: the terminals first, and all that have edges. Its edges are
    /// sorted.
    fn numbered(&self, order: &[usize]) -> Self {
        let mut number = vec![0; self.vertices];
        for (place, &vertex) in order.iter().enumerate() {
            number[vertex] = place;
        }
        let ends = |&(one, other): &(usize, usize)| {
            let (one, other) = (number[one], number[other]);
            (one.min(other), one.max(other))
        };
        let mut edges: Vec<(usize, usize)> = self.edges.iter().map(ends).collect();
        edges.sort_unstable();
        Self {
            vertices: order.len(),
            edges,
            terminals: (0, 1),
        }
    }

    /// The canonical form of the [live part](Self::live): boards with equal ones are isomorphic. The converse holds
    /// unless vertices and places with several edges are more than 64 together: then vertices keep their order.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let live = self.live();
        match live.order() {
            Some(order) => live.numbered(&order),
            None => live,
        }
    }

    /// The canonical order of the vertices of a live part, if it is small enough. For the search of it, several edges
    /// between two vertices are a vertex on one edge. Their number is its colour.
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

    /// The number of edges between each two vertices that have some.
    pub fn pairs(&self) -> BTreeMap<(usize, usize), usize> {
        let mut pairs = BTreeMap::new();
        for &ends in &self.edges {
            *pairs.entry(ends).or_default() += 1;
        }
        pairs
    }
}

/// A search for the block of an edge, in depth first (Hopcroft and Tarjan 1973).
struct BlockSearch {
    neighbours: Vec<Vec<usize>>,
    /// When each vertex was met, from 1; 0 if it was not.
    met_as: Vec<usize>,
    met: usize,
    /// The vertices met that are not known to be in another block.
    open: Vec<usize>,
}

impl BlockSearch {
    /// Visits a vertex and what is met from there. Returns when the first vertex was met that is joined to one of
    /// these.
    fn visit(&mut self, vertex: usize, from: usize) -> usize {
        self.met += 1;
        let own = self.met;
        self.met_as[vertex] = own;
        self.open.push(vertex);
        let mut first = own;
        for i in 0..self.neighbours[vertex].len() {
            let next = self.neighbours[vertex][i];
            if next == from {
                continue;
            }
            let reached = match self.met_as[next] {
                0 => {
                    let before = self.open.len();
                    let reached = self.visit(next, vertex);
                    if reached >= own {
                        // All ways on from there go through this vertex.
                        self.open.truncate(before);
                    }
                    reached
                }
                met_as => met_as,
            };
            first = first.min(reached);
        }
        first
    }
}
