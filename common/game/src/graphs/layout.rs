//! Places of the vertices of a graph in a picture.
//!
//! Distances in the picture should equal those in the graph, with more weight on shorter ones: the stress is reduced by
//! majorization (Gansner, Koren, North 2004), starting from the two main axes of the distances (classical scaling). If
//! all vertices are close to each other, they stand on a circle. The Petersen graph is a pentagram in a pentagon.

use super::{Graph, canonical, members, text};

/// The distance of vertices in different components.
const BETWEEN_COMPONENTS: f64 = 2.5;

/// The number of steps that reduce the stress.
const STEPS: usize = 60;

/// The number of steps to find a main axis.
const AXIS_STEPS: usize = 60;

/// The distances of the corners of the pentagon and of the pentagram from the centre.
const PENTAGON: f64 = 1.6;
const PENTAGRAM: f64 = 0.8;

/// The places of the vertices. Neighbours are about 1 apart.
pub fn places(graph: &Graph) -> Vec<(f64, f64)> {
    if let Some(places) = petersen(graph) {
        return places;
    }
    let distances = distances(graph);
    let farthest = distances.iter().flatten().copied().fold(0.0, f64::max);
    let edges = graph.edges().count();
    let is_hub = |vertex: usize| graph.degree(vertex) as usize + 1 == graph.len();
    let has_all_edges = edges == super::pairs_of(graph.len());
    if graph.len() > 3 && farthest <= 2.0 && (has_all_edges || !(0..graph.len()).any(is_hub)) {
        return circle(graph);
    }
    let [right, down] = axes(&distances);
    let mut at: Vec<(f64, f64)> = right.into_iter().zip(down).collect();
    for _ in 0..STEPS {
        at = with_less_stress(&distances, &at);
    }
    at
}

/// The places of the vertices of the Petersen graph as it is usually drawn; `None` for other graphs.
fn petersen(graph: &Graph) -> Option<Vec<(f64, f64)>> {
    let known = text::petersen();
    if graph.len() != known.len() {
        return None;
    }
    let [known_order, order] = [&known, graph].map(|graph| canonical::order(graph, &[0; 10]));
    if known.arranged(&known_order) != graph.arranged(&order) {
        return None;
    }
    let mut places = vec![(0.0, 0.0); known.len()];
    for (&vertex, corner) in order.iter().zip(known_order) {
        let radius = if corner < 5 { PENTAGON } else { PENTAGRAM };
        let angle = std::f64::consts::TAU * ((corner % 5) as f64 / 5.0 - 0.25);
        places[vertex] = (radius * angle.cos(), radius * angle.sin());
    }
    Some(places)
}

/// The lengths of the shortest ways between vertices.
fn distances(graph: &Graph) -> Vec<Vec<f64>> {
    let from = |start: usize| {
        let mut lengths = vec![BETWEEN_COMPONENTS; graph.len()];
        let (mut met, mut new, mut length) = (1_u64 << start, 1_u64 << start, 0.0);
        while new != 0 {
            members(new).for_each(|vertex| lengths[vertex] = length);
            new = members(new).fold(0, |all, vertex| all | graph.neighbours(vertex)) & !met;
            met |= new;
            length += 1.0;
        }
        lengths
    };
    (0..graph.len()).map(from).collect()
}

/// A circle. A simple exchange of vertices brings neighbours beside each other where it can.
fn circle(graph: &Graph) -> Vec<(f64, f64)> {
    let count = graph.len();
    let place = |i: usize| {
        let angle = std::f64::consts::TAU * (i as f64 / count as f64 - 0.25);
        let radius = (0.5 / (std::f64::consts::PI / count as f64).sin()).max(1.0);
        (radius * angle.cos(), radius * angle.sin())
    };
    let far = |i: usize, j: usize| {
        let apart = i.abs_diff(j);
        apart.min(count - apart)
    };
    let mut seat: Vec<usize> = (0..count).collect();
    let cost = |seat: &[usize], vertex: usize| {
        let ends = members(graph.neighbours(vertex));
        ends.map(|end| far(seat[vertex], seat[end])).sum::<usize>()
    };
    loop {
        let mut is_better = false;
        for (one, other) in (0..count).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let before = cost(&seat, one) + cost(&seat, other);
            seat.swap(one, other);
            if cost(&seat, one) + cost(&seat, other) < before {
                is_better = true;
            } else {
                seat.swap(one, other);
            }
        }
        if !is_better {
            return seat.into_iter().map(place).collect();
        }
    }
}

/// Classical scaling: the two largest axes of the centred products, by the power method.
fn axes(distances: &[Vec<f64>]) -> [Vec<f64>; 2] {
    let count = distances.len();
    let squares = |i: usize| distances[i].iter().map(|way| way * way);
    let means: Vec<f64> = (0..count)
        .map(|i| squares(i).sum::<f64>() / count as f64)
        .collect();
    let mean = means.iter().sum::<f64>() / count as f64;
    let product = |i: usize, j: usize| 0.5 * (means[i] + means[j] - mean - distances[i][j].powi(2));
    let mut first: Vec<f64> = Vec::new();
    [1.0, 2.0].map(|seed| {
        // Start values without a pattern, the same each time.
        let start = |i: usize| (seed * 12.9898 + (i as f64 + 1.0) * 78.233).sin();
        let mut axis: Vec<f64> = (0..count).map(start).collect();
        let mut value = 0.0;
        for _ in 0..AXIS_STEPS {
            let share: f64 = axis.iter().zip(&first).map(|(a, b)| a * b).sum();
            for (a, b) in axis.iter_mut().zip(&first) {
                *a -= share * b;
            }
            let next = |i: usize| (0..count).map(|j| product(i, j) * axis[j]).sum::<f64>();
            let next: Vec<f64> = (0..count).map(next).collect();
            value = next.iter().map(|a| a * a).sum::<f64>().sqrt();
            if value < 1e-9 {
                break;
            }
            axis = next.iter().map(|a| a / value).collect();
        }
        if first.is_empty() {
            first.clone_from(&axis);
        }
        let scale = value.max(0.0).sqrt();
        axis.iter().map(|a| a * scale).collect()
    })
}

/// Moves each vertex to the mean of the places that the others prefer for it.
fn with_less_stress(distances: &[Vec<f64>], at: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let moved = |i: usize| {
        let (mut x, mut y, mut weights) = (0.0, 0.0, 0.0);
        for (j, &way) in distances[i].iter().enumerate().filter(|&(j, _)| j != i) {
            let (right, down) = (at[i].0 - at[j].0, at[i].1 - at[j].1);
            let length = right.hypot(down).max(1e-6);
            let weight = 1.0 / (way * way);
            x += weight * (at[j].0 + way * right / length);
            y += weight * (at[j].1 + way * down / length);
            weights += weight;
        }
        if weights > 0.0 {
            (x / weights, y / weights)
        } else {
            at[i]
        }
    };
    (0..at.len()).map(moved).collect()
}
