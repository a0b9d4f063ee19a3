//! Relaxation of a layout: spots and lines move apart, and lines become straight, without crossings.
//!
//! Spots and the vertices of lines repel each other, small faces push their lines outwards, and lines
//! have tension. A vertex moves only as far as no triangle at it turns over, and the rest of the mesh
//! follows.

use super::embed::{Corner, Embedding};
use super::layout::{CORNER, flip_all};
use super::mesh::{Mesh, Part};
use super::point::{Point, area};

/// The number of moves of all vertices. There are fewer of them if there are more than `SOME` vertices.
const SWEEPS: usize = 80;
const LEAST_SWEEPS: usize = 30;
const SOME: usize = 600;

/// Larger layouts are not evened out further once they are good enough.
const FEW: usize = 200;

/// If more are drawn, lines keep away from spots only, not from each other's bends.
const MANY: usize = 500;

/// Neighbours are found again, and the mesh is adapted, after this many sweeps.
const LOOK: usize = 5;

/// The reach of repulsion, in units of the distance that things keep.
const REACH: f64 = 2.3;

/// How far beyond the reach a neighbour may be, in the same units: it may come nearer before neighbours are found again.
const SLACK: f64 = 0.5;

/// If all things are farther from each other, the layout is good enough, in the same units.
const ENOUGH: f64 = 0.45;

/// The longest step of a line, in units of the distance that things keep.
const LONGEST_STEP: f64 = 1.3;

struct Forces {
    /// The distance that things should keep.
    room: f64,
    /// The spots and the vertices of lines.
    drawn: Vec<usize>,
    /// The relative room for each vertex.
    size: Vec<f64>,
    /// The neighbours along lines.
    along: Vec<Vec<usize>>,
    /// The share of the area that each face should have.
    share: Vec<f64>,
    /// The spots and vertices of lines that are near each other, and the steps of lines near them.
    near: Vec<[usize; 2]>,
    near_steps: Vec<(usize, [usize; 2])>,
}

/// Relaxes a layout.
pub(super) fn relax(mesh: &mut Mesh, map: &Embedding, outer: usize, at: &mut Vec<Point>) {
    let mut forces = Forces::of(mesh, map);
    let mut triangles = Vec::new();
    let sweeps = (SWEEPS * SOME / at.len().max(SOME)).max(LEAST_SWEEPS);
    // Small layouts are always evened out to the end: that takes little, and is seen.
    let is_small = at.len() < FEW;
    for sweep in 0..sweeps {
        if sweep % LOOK == 0 {
            flip_all(mesh, at, &mut vec![1.0; mesh.origin.len()]);
        }
        if sweep % 10 == 5 && split_long(mesh, at, forces.room * LONGEST_STEP) {
            mesh.walk_all(map, outer);
            forces = Forces::of(mesh, map);
            forces.look(mesh, at);
        } else if sweep % LOOK == 0 {
            forces.look(mesh, at);
            if !is_small && sweep >= LEAST_SWEEPS && forces.is_clear(at) {
                break;
            }
        }
        let push = forces.all(mesh, at);
        let heat = 1.0 - 0.8 * sweep as f64 / sweeps as f64;
        for vertex in 0..at.len() {
            let goal = match mesh.parts[vertex] {
                Part::Frame => continue,
                Part::Spot | Part::Line => {
                    let step = push[vertex];
                    let longest = 0.5 * forces.room * heat;
                    let factor = (longest / step.length().max(1e-12)).min(1.0);
                    at[vertex] + step * factor
                }
                Part::Region | Part::Dead => middle(mesh, at, vertex),
            };
            approach(mesh, at, vertex, goal, &mut triangles);
        }
    }
}

/// The relative room for a spot with so many lives.
fn size_of(lives: u32) -> f64 {
    match lives {
        1 => 1.2,
        2 => 1.5,
        3 => 1.9,
        _ => 1.0,
    }
}

/// The distance that things should keep in the square from -1 to 1.
pub(super) fn room(map: &Embedding) -> f64 {
    // A spot takes a square of its size, and a line takes three squares.
    let spots = map.lives.iter().map(|&lives| size_of(lives).powi(2));
    let wanted = spots.sum::<f64>() + 3.0 * map.lines() as f64;
    (4.0 / (wanted + 6.0)).sqrt()
}

/// Puts vertices on steps of lines that are too long. Returns whether there were any.
fn split_long(mesh: &mut Mesh, at: &mut Vec<Point>, longest: f64) -> bool {
    let halves = mesh.origin.len();
    for half in 0..halves {
        if !mesh.fixed[half] || mesh.twin[half] < half {
            continue;
        }
        let [from, to, _] = mesh.triangle(half).map(|vertex| at[vertex]);
        if from.distance(to) > longest {
            mesh.split(half);
            at.push(from.toward(to, 0.5));
        }
    }
    mesh.origin.len() > halves
}

/// The place for a vertex inside a face: the middle of its triangles.
fn middle(mesh: &Mesh, at: &[Point], vertex: usize) -> Point {
    let (mut sum, mut count) = (Point::default(), 0.0);
    for half in mesh.around(vertex) {
        let [here, a, b] = mesh.triangle(half).map(|vertex| at[vertex]);
        let weight = area(here, a, b).max(1e-15);
        sum += (a + b) * (weight / 2.0);
        count += weight;
    }
    sum * (1.0 / count)
}

/// A triangle at a vertex: the other corners, its area, and the square of the side between them.
type Beside = (Point, Point, f64, f64);

/// Moves a vertex toward a goal as far as its triangles allow.
fn approach(
    mesh: &Mesh,
    at: &mut [Point],
    vertex: usize,
    goal: Point,
    triangles: &mut Vec<Beside>,
) {
    let here = at[vertex];
    triangles.clear();
    triangles.extend(mesh.around(vertex).map(|half| {
        let [_, a, b] = mesh.triangle(half).map(|vertex| at[vertex]);
        (a, b, area(here, a, b), (a - b).dot(a - b))
    }));
    let mut step = 1.0;
    for _ in 0..5 {
        let there = here.toward(goal, step);
        let fits = triangles.iter().all(|&(a, b, was, side)| {
            let now = area(there, a, b);
            now > 0.0
                && (now >= 0.15 * side || now >= was || now >= 0.03 * side && now >= 0.6 * was)
        });
        if fits {
            at[vertex] = there;
            return;
        }
        step *= 0.5;
    }
}

impl Forces {
    fn of(mesh: &Mesh, map: &Embedding) -> Self {
        let is_drawn = |&vertex: &usize| matches!(mesh.parts[vertex], Part::Spot | Part::Line);
        let drawn: Vec<usize> = (0..mesh.parts.len()).filter(is_drawn).collect();
        let mut along = vec![Vec::new(); mesh.parts.len()];
        for step in mesh.lines.iter().flat_map(|path| path.windows(2)) {
            along[step[0]].push(step[1]);
            along[step[1]].push(step[0]);
        }
        let size: Vec<f64> = (0..mesh.parts.len())
            .map(|vertex| map.lives.get(vertex).map_or(1.0, |&lives| size_of(lives)))
            .collect();
        let weights = map.faces.iter().enumerate().map(|(face, boundaries)| {
            if face >= map.regions {
                return 0.35;
            }
            let weights = boundaries.iter().map(|corner| match corner {
                Corner::Isolated(_) => 1.7,
                Corner::Before(_) => 0.5 + 0.08 * map.darts(*corner).count() as f64,
            });
            weights.sum::<f64>() + 0.5
        });
        let weights: Vec<f64> = weights.collect();
        let total: f64 = weights.iter().sum();
        Self {
            room: room(map),
            drawn,
            size,
            along,
            share: weights.iter().map(|weight| weight / total).collect(),
            near: Vec::new(),
            near_steps: Vec::new(),
        }
    }

    /// Finds the neighbours of all spots and vertices of lines.
    fn look(&mut self, mesh: &Mesh, at: &[Point]) {
        let slack = SLACK * self.room;
        let largest = self.size.iter().copied().fold(0.0, f64::max);
        let mut order = self.drawn.clone();
        order.sort_by(|&a, &b| at[a].x.total_cmp(&at[b].x));
        self.near.clear();
        for (i, &one) in order.iter().enumerate() {
            let farthest = REACH * self.keep(self.size[one], largest) + slack;
            for &other in &order[i + 1..] {
                let way = at[other] - at[one];
                if way.x > farthest {
                    break;
                }
                let reach = REACH * self.keep(self.size[one], self.size[other]) + slack;
                if way.dot(way) < reach * reach && !self.along[one].contains(&other) {
                    self.near.push([one, other]);
                }
            }
        }
        let steps = mesh.lines.iter().flat_map(|path| path.windows(2));
        let mut steps: Vec<[usize; 2]> = steps.map(|step| [step[0], step[1]]).collect();
        steps.sort_by(|a, b| at[a[0]].x.total_cmp(&at[b[0]].x));
        let longest = steps.iter().map(|&[from, to]| at[from].distance(at[to]));
        let longest = longest.fold(0.0, f64::max);
        self.near_steps.clear();
        for &spot in &self.drawn {
            if mesh.parts[spot] == Part::Line && self.drawn.len() > MANY {
                continue;
            }
            let here = at[spot];
            let reach = self.keep_off_lines(spot) + slack;
            let first = steps.partition_point(|step| at[step[0]].x < here.x - reach - longest);
            for &step in &steps[first..] {
                let [from, to] = step.map(|end| at[end]);
                if from.x > here.x + reach + longest {
                    break;
                }
                let is_near = |of: &usize| *of == spot || self.along[spot].contains(of);
                if here.distance_to_segment(from, to) < reach && !step.iter().any(is_near) {
                    self.near_steps.push((spot, step));
                }
            }
        }
    }

    /// Whether all things have room enough.
    fn is_clear(&self, at: &[Point]) -> bool {
        let least = ENOUGH * self.room;
        let near = |&[one, other]: &[usize; 2]| at[one].distance(at[other]) < least;
        let near_step = |&(spot, [from, to]): &(usize, [usize; 2])| {
            at[spot].distance_to_segment(at[from], at[to]) < least
        };
        !self.near.iter().any(near) && !self.near_steps.iter().any(near_step)
    }

    /// The distance that two things of these sizes should keep.
    fn keep(&self, size: f64, other: f64) -> f64 {
        self.room * 0.5 * (size + other)
    }

    /// The distance from lines that a thing should keep.
    fn keep_off_lines(&self, thing: usize) -> f64 {
        self.room * 0.7 * self.size[thing]
    }

    /// The force on each vertex.
    fn all(&self, mesh: &Mesh, at: &[Point]) -> Vec<Point> {
        let mut push = vec![Point::default(); at.len()];
        self.repel(at, &mut push);
        self.clear_lines(at, &mut push);
        self.inflate(mesh, at, &mut push);
        for &vertex in &self.drawn {
            push[vertex] += self.off_frame(at[vertex], self.size[vertex]);
            let along = &self.along[vertex];
            if along.is_empty() {
                continue;
            }
            let total = along
                .iter()
                .fold(Point::default(), |sum, &other| sum + at[other]);
            let middle = total * (1.0 / along.len() as f64);
            let tension = if along.len() == 1 { 0.15 } else { 0.5 };
            push[vertex] += (middle - at[vertex]) * tension;
        }
        push
    }

    /// Repulsion between spots and vertices of lines.
    fn repel(&self, at: &[Point], push: &mut [Point]) {
        for &[one, other] in &self.near {
            let way = at[one] - at[other];
            let keep = self.keep(self.size[one], self.size[other]);
            let square = way.dot(way);
            if square > (REACH * keep).powi(2) {
                continue;
            }
            let ratio = keep * keep / square.max(1e-12);
            // The force falls with the third power of the distance.
            let force = way * (0.12 * ratio * ratio).min(20.0);
            push[one] += force;
            push[other] -= force;
        }
    }

    /// Repulsion between spots, or vertices, and the steps of lines.
    fn clear_lines(&self, at: &[Point], push: &mut [Point]) {
        for &(spot, step) in &self.near_steps {
            let [from, to] = step.map(|end| at[end]);
            let way = to - from;
            let part = (at[spot] - from).dot(way) / way.dot(way).max(1e-12);
            if !(0.0..1.0).contains(&part) {
                continue;
            }
            let away = at[spot] - from.toward(to, part);
            let ratio = self.keep_off_lines(spot) / away.length().max(1e-9);
            if ratio < 1.0 {
                continue;
            }
            let force = away * (0.2 * (ratio * ratio - 1.0)).min(10.0);
            push[spot] += force;
            push[step[0]] -= force * (1.0 - part);
            push[step[1]] -= force * part;
        }
    }

    /// Repulsion from the frame.
    fn off_frame(&self, at: Point, size: f64) -> Point {
        let inner = 1.0 - CORNER;
        let over = Point::new((at.x.abs() - inner).max(0.0), (at.y.abs() - inner).max(0.0));
        let (depth, normal) = if over.x > 0.0 || over.y > 0.0 {
            let length = over.length();
            (CORNER - length, over * (1.0 / length))
        } else if at.x.abs() > at.y.abs() {
            (1.0 - at.x.abs(), Point::new(1.0, 0.0))
        } else {
            (1.0 - at.y.abs(), Point::new(0.0, 1.0))
        };
        let normal = Point::new(normal.x * at.x.signum(), normal.y * at.y.signum());
        let ratio = self.room * size / depth.max(1e-6);
        normal * (-0.12 * self.room * ratio.powi(3)).max(-12.0 * self.room)
    }

    /// Pressure of faces: those that are too small push their lines away, those that are too large pull.
    fn inflate(&self, mesh: &Mesh, at: &[Point], push: &mut [Point]) {
        for (walks, share) in mesh.walks.iter().zip(&self.share) {
            let steps = |walk: &[usize]| -> Vec<(usize, usize)> {
                let after = walk.iter().cycle().skip(1);
                walk.iter().copied().zip(after.copied()).collect()
            };
            let area = walks.iter().flat_map(|walk| steps(walk));
            let area = area.map(|(a, b)| at[a].cross(at[b])).sum::<f64>() / 2.0;
            let pressure = (4.0 * share / area.max(1e-9)).ln().clamp(-1.0, 1.5) * 0.25;
            for (a, b) in walks.iter().flat_map(|walk| steps(walk)) {
                let way = at[b] - at[a];
                // The face is on the left, so outwards is to the right.
                let out = Point::new(way.y, -way.x) * pressure;
                push[a] += out;
                push[b] += out;
            }
        }
    }
}
