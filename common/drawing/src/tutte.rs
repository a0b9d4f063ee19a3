//! Tutte's embedding: each vertex of a mesh is in the weighted middle of its neighbours.
//!
//! With a convex frame and positive weights no triangle is turned over (Tutte 1963, Floater 1997). The
//! equations are solved by eliminating vertices, those with the fewest neighbours first: the star of a
//! vertex becomes a mesh of its neighbours, with positive weights again. There are no subtractions, so
//! tiny parts are precise as well.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::point::Point;

/// No index.
const NONE: usize = usize::MAX;

/// Puts each vertex that is not on the frame in the weighted middle of its neighbours. Each edge has a weight.
pub(super) fn settle(
    is_frame: impl Fn(usize) -> bool,
    edges: &[[usize; 2]],
    weights: &[f64],
    at: &mut [Point],
) {
    let mut system = System::of(&is_frame, edges, weights, at);
    let mut order = Vec::with_capacity(at.len());
    let free = (0..at.len()).filter(|&vertex| !is_frame(vertex));
    let mut queue: BinaryHeap<Reverse<(usize, usize)>> = free
        .map(|vertex| Reverse((system.links[vertex].len(), vertex)))
        .collect();
    let mut scratch = vec![NONE; at.len()];
    while let Some(Reverse((degree, vertex))) = queue.pop() {
        if system.eliminated[vertex] || system.links[vertex].len() != degree {
            continue;
        }
        system.eliminate(vertex, &mut scratch, |neighbour, degree| {
            queue.push(Reverse((degree, neighbour)));
        });
        order.push(vertex);
    }
    for &vertex in order.iter().rev() {
        let mut sum = system.pull[vertex];
        for &(other, weight) in &system.links[vertex] {
            sum += at[other] * weight;
        }
        at[vertex] = sum * (1.0 / system.total(vertex));
    }
}

struct System {
    /// The remaining neighbours, with weights.
    links: Vec<Vec<(usize, f64)>>,
    /// The weight of all ties to the frame, and the weighted sum of their ends.
    tie: Vec<f64>,
    pull: Vec<Point>,
    eliminated: Vec<bool>,
}

impl System {
    fn of(
        is_frame: &impl Fn(usize) -> bool,
        edges: &[[usize; 2]],
        weights: &[f64],
        at: &[Point],
    ) -> Self {
        let mut system = Self {
            links: vec![Vec::new(); at.len()],
            tie: vec![0.0; at.len()],
            pull: vec![Point::default(); at.len()],
            eliminated: vec![false; at.len()],
        };
        for (&[a, b], &weight) in edges.iter().zip(weights) {
            for (from, to) in [(a, b), (b, a)] {
                if is_frame(from) {
                    continue;
                }
                if is_frame(to) {
                    system.tie[from] += weight;
                    system.pull[from] += at[to] * weight;
                } else {
                    system.links[from].push((to, weight));
                }
            }
        }
        system
    }

    fn total(&self, vertex: usize) -> f64 {
        let links = self.links[vertex].iter();
        links.map(|&(_, weight)| weight).sum::<f64>() + self.tie[vertex]
    }

    /// Links the neighbours of a vertex to each other instead of to it. Its own links are kept.
    fn eliminate(
        &mut self,
        vertex: usize,
        scratch: &mut [usize],
        mut has_degree: impl FnMut(usize, usize),
    ) {
        self.eliminated[vertex] = true;
        let star = std::mem::take(&mut self.links[vertex]);
        let total = star.iter().map(|&(_, weight)| weight).sum::<f64>() + self.tie[vertex];
        for &(one, weight) in &star {
            let part = weight / total;
            self.tie[one] += self.tie[vertex] * part;
            let pull = self.pull[vertex];
            self.pull[one] += pull * part;
            let links = &mut self.links[one];
            links.retain(|&(other, _)| other != vertex);
            for (i, &(other, _)) in links.iter().enumerate() {
                scratch[other] = i;
            }
            for &(other, other_weight) in &star {
                if other == one {
                    continue;
                }
                match scratch[other] {
                    NONE => links.push((other, other_weight * part)),
                    i => links[i].1 += other_weight * part,
                }
            }
            for &(other, _) in links.iter() {
                scratch[other] = NONE;
            }
            has_degree(one, links.len());
        }
        self.links[vertex] = star;
    }
}
