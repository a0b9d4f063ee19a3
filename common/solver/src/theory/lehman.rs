//! The winner of the Shannon switching game, by Lehman's theorem.
//!
//! Short and Cut move in turn on a graph with two terminals. Short secures an edge for good, Cut deletes one that is
//! not secured. Short wins if secured edges join the terminals. Lehman (1964): with Cut to move, Short wins exactly
//! if there are two trees without a common edge that have the same vertices, the terminals among them. With Short to
//! move, add an edge that joins the terminals: Cut would have to delete it, so that Short wins exactly if there are
//! such trees in the graph with that edge.
//!
//! The trees are found by matroid partition (Edmonds 1965): the maximum number of edges is put into two forests. Then
//! one more edge between the terminals finds no place exactly if there are such trees, and the attempt to place it
//! meets them.

use std::collections::VecDeque;

use sproutnet_game::switching::{Board, Player};
use sproutnet_game::{Game, Position};
use sproutnet_notation::Outcome;

/// The outcome of a position of the switching game under normal play: whether the player to move reaches their aim.
/// `None` in other games.
pub fn outcome(game: &dyn Game, position: &Position) -> Option<Outcome> {
    let (board, to_move) = game.switching(position)?;
    Some(Outcome::win_if(winner(&board, to_move) == to_move))
}

/// The winner if `to_move` is to move.
pub fn winner(board: &Board, to_move: Player) -> Player {
    match trees(board, to_move) {
        Some(_) => Player::Short,
        None => Player::Cut,
    }
}

/// A winning move, as the place of its edge; `None` if there is none, or the game is over.
pub fn winning_move(board: &Board, to_move: Player) -> Option<usize> {
    if board.is_joined() {
        return None;
    }
    match to_move {
        Player::Short => securing_move(board),
        Player::Cut => {
            winner(board, Player::Cut).eq(&Player::Cut).then_some(())?;
            let after = |&edge: &usize| winner(&board.without(edge), Player::Short);
            (0..board.edges.len()).find(|edge| after(edge) == Player::Cut)
        }
    }
}

/// The two trees of Lehman's theorem, if Short wins. If Short is to move, the last edge is the added one.
fn trees(board: &Board, to_move: Player) -> Option<Trees> {
    let mut edges = board.edges.clone();
    if to_move == Player::Short {
        edges.push(board.terminals);
    }
    let mut forests = Forests::of(board.vertices, edges);
    let met = forests.place(board.terminals)?;
    Some(Trees { forests, met })
}

/// Without the added edge, one tree falls into two parts. An edge of the other tree joins them again. Once secured, it
/// belongs to both, so that there are two trees once more.
fn securing_move(board: &Board) -> Option<usize> {
    let Trees { forests, met } = trees(board, Player::Short)?;
    let added = board.edges.len();
    let Some(broken) = forests.forest_of[added] else {
        // The trees do not need the added edge, and such trees remain after securing any edge of theirs.
        return met.into_iter().find(|&edge| edge < added);
    };
    let forest_of = &forests.forest_of;
    let tree = |forest| {
        let edges = met.iter().copied();
        edges.filter(move |&edge| edge != added && forest_of[edge] == Some(forest))
    };
    let mut part = vec![false; board.vertices];
    part[board.terminals.0] = true;
    let rest: Vec<(usize, usize)> = tree(broken).map(|edge| board.edges[edge]).collect();
    while let Some(&(one, other)) = rest.iter().find(|ends| part[ends.0] != part[ends.1]) {
        (part[one], part[other]) = (true, true);
    }
    tree(1 - broken).find(|&edge| part[board.edges[edge].0] != part[board.edges[edge].1])
}

/// Two trees that have the same vertices, as parts of two forests.
struct Trees {
    forests: Forests,
    /// Their edges, as places.
    met: Vec<usize>,
}

/// Two forests without a common edge, with the maximum number of edges together.
struct Forests {
    edges: Vec<(usize, usize)>,
    forest_of: Vec<Option<usize>>,
    /// For each forest and vertex, the edges there.
    at: [Vec<Vec<usize>>; 2],
}

impl Forests {
    fn of(vertices: usize, edges: Vec<(usize, usize)>) -> Self {
        let mut forests = Self {
            forest_of: vec![None; edges.len()],
            at: [vec![Vec::new(); vertices], vec![Vec::new(); vertices]],
            edges: Vec::new(),
        };
        for ends in edges {
            let _ = forests.place(ends);
        }
        forests
    }

    /// Places one more edge in a forest, if there is room. Otherwise returns the edges tried in its place: each forest
    /// has a spanning tree of the same vertices among them. The edge is kept at the end in any case.
    fn place(&mut self, ends: (usize, usize)) -> Option<Vec<usize>> {
        let new = self.edges.len();
        self.edges.push(ends);
        self.forest_of.resize(new + 1, None);
        let mut is_met = vec![false; new + 1];
        let mut instead_of = vec![None; new + 1];
        let mut met = Vec::new();
        let mut left = VecDeque::from([new]);
        while let Some(edge) = left.pop_front() {
            for forest in [0, 1] {
                if self.forest_of[edge] == Some(forest) {
                    continue;
                }
                let Some(path) = self.path(forest, self.edges[edge]) else {
                    self.shift(edge, forest, &instead_of);
                    return None;
                };
                for other in path {
                    if !std::mem::replace(&mut is_met[other], true) {
                        instead_of[other] = Some(edge);
                        met.push(other);
                        left.push_back(other);
                    }
                }
            }
        }
        Some(met)
    }

    /// Moves an edge into a forest, its replacement into its place, and so on.
    fn shift(&mut self, edge: usize, forest: usize, instead_of: &[Option<usize>]) {
        let (mut edge, mut forest) = (edge, forest);
        loop {
            let (one, other) = self.edges[edge];
            let before = self.forest_of[edge].replace(forest);
            for vertex in [one, other] {
                if let Some(before) = before {
                    self.at[before][vertex].retain(|&there| there != edge);
                }
                self.at[forest][vertex].push(edge);
            }
            match (before, instead_of[edge]) {
                (Some(before), Some(next)) => (edge, forest) = (next, before),
                _ => return,
            }
        }
    }

    /// The edges of the path between two vertices in a forest; `None` if they are in different trees.
    fn path(&self, forest: usize, (from, to): (usize, usize)) -> Option<Vec<usize>> {
        let mut by: Vec<Option<usize>> = vec![None; self.at[forest].len()];
        let mut left = vec![from];
        while let Some(vertex) = left.pop().filter(|&vertex| vertex != to) {
            for &edge in &self.at[forest][vertex] {
                let (one, other) = self.edges[edge];
                let next = one + other - vertex;
                if next != from && by[next].is_none() {
                    by[next] = Some(edge);
                    left.push(next);
                }
            }
        }
        let mut path = Vec::new();
        let mut vertex = to;
        while vertex != from {
            let edge = by[vertex]?;
            path.push(edge);
            vertex = self.edges[edge].0 + self.edges[edge].1 - vertex;
        }
        Some(path)
    }
}

#[cfg(test)]
mod tests;
