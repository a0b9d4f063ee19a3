//! Shortest ways through the triangles of a sheet that cross no line.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::route::{Ground, Port, Ports};
use crate::paper::SIDE;
use crate::point::Point;
use crate::triangles::{FRAME, Vertex};
use sproutnet_game::sprouts::planar::Corner;

/// The cost of crossing an edge is this divided by the length of the edge: narrow gaps cost more.
const NARROW: f64 = 4000.0;

/// The cheapest known way from the start to a triangle.
struct Reached {
    cost: f64,
    /// The triangle before it on the way; `None` at the start.
    before: Option<usize>,
    /// The point where the way enters it: the middle of the edge, or the corner at the start.
    at: Point,
    /// The vertex at which the way starts.
    start: Vertex,
}

impl Ground<'_> {
    pub(super) fn at(&self, vertex: Vertex) -> Point {
        self.mesh.points[vertex]
    }

    /// The triangles at a corner of the sheet.
    pub(super) fn sector(&self, corner: Corner) -> Vec<Port> {
        match corner {
            Corner::Isolated(spot) => {
                let vertex = FRAME + spot;
                let around = self.mesh.around(vertex).into_iter();
                around.map(|triangle| (triangle, vertex)).collect()
            }
            Corner::Before(dart) => self.fan(self.paths[dart][0], self.paths[dart][1]),
        }
    }

    /// The triangles at a point, counterclockwise from a line to the next.
    pub(super) fn fan(&self, vertex: Vertex, next: Vertex) -> Vec<Port> {
        let mut ports = Vec::new();
        let Some(mut triangle) = self.mesh.left_of(vertex, next) else {
            return ports;
        };
        loop {
            ports.push((triangle, vertex));
            let edge = (self.mesh.index(triangle, vertex) + 2) % 3;
            match self.mesh.all[triangle].behind[edge] {
                Some(other) if !self.mesh.all[triangle].is_line[edge] => triangle = other,
                _ => return ports,
            }
        }
    }

    /// The places on the left of darts, and around an isolated spot, from which a line can leave. The ends of darts are
    /// left out, because other lines can leave there too.
    pub(super) fn ports(&self, of: &Ports) -> Vec<Port> {
        let mut ports = Vec::new();
        for &dart in &of.darts {
            let path = &self.paths[dart];
            for step in path.windows(3) {
                ports.extend(self.fan(step[1], step[2]));
            }
        }
        if let Some(spot) = of.spot {
            ports.extend(self.sector(Corner::Isolated(spot)));
        }
        ports
    }

    /// The shortest way through triangles that crosses no line.
    pub(super) fn shortest(&self, from: &[Port], to: &[Port]) -> Option<Vec<Point>> {
        let mut best: HashMap<usize, Reached> = HashMap::new();
        let mut open = BinaryHeap::new();
        for &(triangle, vertex) in from {
            best.entry(triangle).or_insert_with(|| {
                open.push(Reverse((0_u64, triangle)));
                Reached {
                    cost: 0.0,
                    before: None,
                    at: self.at(vertex),
                    start: vertex,
                }
            });
        }
        let mut goals: HashMap<usize, Vertex> = HashMap::new();
        for &(triangle, vertex) in to {
            goals.entry(triangle).or_insert(vertex);
        }
        let mut found: Option<(f64, usize, Vertex)> = None;
        while let Some(Reverse((cost, triangle))) = open.pop() {
            let Reached {
                cost: known,
                at: here,
                start,
                ..
            } = best[&triangle];
            if cost > scaled(known) {
                continue;
            }
            if let Some(&goal) = goals.get(&triangle) {
                let all = known + here.distance(self.at(goal));
                let is_way = goal != start || known > 0.0;
                if is_way && found.is_none_or(|(other, _, _)| all < other) {
                    found = Some((all, triangle, goal));
                }
            }
            if found.is_some_and(|(all, _, _)| all <= known) {
                break;
            }
            let of = self.mesh.all[triangle];
            for edge in 0..3 {
                let Some(other) = of.behind[edge].filter(|_| !of.is_line[edge]) else {
                    continue;
                };
                let (a, b) = (
                    self.at(of.corners[edge]),
                    self.at(of.corners[(edge + 1) % 3]),
                );
                let across = a.toward(b, 0.5);
                let next = known + here.distance(across) + NARROW / a.distance(b);
                if best.get(&other).is_none_or(|known| next < known.cost) {
                    let reached = Reached {
                        cost: next,
                        before: Some(triangle),
                        at: across,
                        start,
                    };
                    best.insert(other, reached);
                    open.push(Reverse((scaled(next), other)));
                }
            }
        }
        let (_, mut triangle, goal) = found?;
        let mut way = vec![self.at(goal)];
        loop {
            let reached = &best[&triangle];
            way.push(reached.at);
            let Some(before) = reached.before else {
                way.reverse();
                return Some(way);
            };
            triangle = before;
        }
    }
}

fn scaled(cost: f64) -> u64 {
    (cost * SIDE) as u64
}
