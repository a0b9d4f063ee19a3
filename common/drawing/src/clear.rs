//! Making room: where a drawing is tight, what is near gives way, as little as needed. All else stays as it was drawn.
//!
//! Points move only if no triangle of the mesh turns over, so the drawing stays the same map. A line that gives way
//! keeps its shape: its points follow the displacement of their neighbours.

use crate::paper::{Line, MARGIN, inwards, snapped, snapped_within};
use crate::point::{Point, area, is_within};
use crate::tight::{BEYOND, Distances, Grid, LEAST_FACE, Measured, UNREADABLE, border};
use crate::triangles::{FRAME, Triangles, Vertex, take, vertices};

/// The maximum number of rounds, each with a new mesh, and the number of steps with each mesh.
const MOST_ROUNDS: usize = 24;
const STEPS: usize = 5;

/// Up to these distances, two things push each other away.
const CLEAR: Distances = Distances {
    spots: 56.0,
    line_and_spot: 44.0,
    lines: 26.0,
};

/// After so many rounds in which what is missing did not fall below this share, the rest is given up.
const IN_VAIN: usize = 4;
const PROGRESS: f64 = 0.97;

/// What is farther than this from every tight place stays where it is.
const NEAR: f64 = 150.0;

/// The share of its force by which a spot that was there before moves. Lines give way sooner.
const OF_OLD_SPOT: f64 = 0.08;

/// The share of the way to the mean displacement of its neighbours that a point of a line moves in one step.
const FOLLOW: f64 = 0.3;

/// The share of the missing distance that two things are pushed apart in one step.
const PUSH: f64 = 0.5;

/// A face that is too small pushes its lines outwards.
const PRESSURE: f64 = 0.25;

/// Steps of lines near tight places are no longer than this, two steps together are no shorter than `SHORT`, and one is no
/// shorter than `TINY`.
const SPACING: f64 = 38.0;
const SHORT: f64 = 26.0;
const TINY: f64 = 3.0;

/// The maximum distance that a point moves in one step.
const STEP: f64 = 6.0;

/// A step leaves a triangle at least `LEAST_LEFT` of its area, or a doubled area of `THIN` if that is less.
const LEAST_LEFT: f64 = 0.1;
const THIN: f64 = 1.0;

/// A revision of the rule by which room is made. The code of each move says which one it was played by. Replayed by another
/// one, the drawing would be a little different, and a later line could cross it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Revision {
    /// Lines that come back to their own spot do not give way.
    First,
    /// They do.
    #[default]
    Returns,
}

/// A drawing in which room is made.
pub(crate) struct Clearing<'a> {
    /// The spots.
    pub(crate) spots: &'a mut Vec<Point>,
    /// The lines.
    pub(crate) lines: &'a mut Vec<Line>,
    /// The number of spots that were there before. These come first.
    pub(crate) old: usize,
    /// The darts around each face in which something can be drawn, except the outermost face.
    pub(crate) live: Vec<Vec<usize>>,
    /// The share of its force by which an old spot moves.
    pub(crate) of_old_spot: f64,
    /// The maximum distance of an old spot from its place before the run.
    pub(crate) leash: f64,
    /// How room is made.
    pub(crate) revision: Revision,
}

/// The data of a mesh that do not change while its points move.
struct Fixed {
    /// The line of each point; `None` for spots.
    of: Vec<Option<usize>>,
    /// Whether each point has left the spots at the ends of its line.
    left: Vec<[bool; 2]>,
    /// The neighbours of each point on its line; `None` for spots.
    beside: Vec<Option<[Vertex; 2]>>,
    /// The triangles around each point that moves.
    around: Vec<Vec<usize>>,
    /// The outward push of the face of each triangle on its edges, as a share of their length.
    pressure: Vec<f64>,
    /// How near each point is to a tight place: from 0, where it stays, to 1.
    nearness: Vec<f64>,
    /// The place of each point before the run.
    origins: Vec<Point>,
}

impl Clearing<'_> {
    /// The share for the first run, in which lines give way rather than old spots.
    pub(crate) const OF_OLD_SPOT: f64 = OF_OLD_SPOT;

    /// Makes room, as far as there is any.
    pub(crate) fn run(&mut self) {
        let mut origins: (Vec<Point>, Vec<Vec<Point>>) = (
            self.spots.clone(),
            self.lines.iter().map(|line| line.points.clone()).collect(),
        );
        let (mut least, mut in_vain) = (f64::INFINITY, 0);
        for _ in 0..MOST_ROUNDS {
            let tight = self.measured().tight_places(1.0);
            let missing: f64 = tight.iter().map(|(_, missing)| missing).sum();
            let tight: Vec<Point> = tight.into_iter().map(|(at, _)| at).collect();
            in_vain = if missing < PROGRESS * least {
                0
            } else {
                in_vain + 1
            };
            least = least.min(missing);
            if tight.is_empty() || in_vain == IN_VAIN {
                return;
            }
            let before = self.lines.clone();
            self.split(&tight, &mut origins.1);
            if self.revision == Revision::First {
                self.merge(&mut origins.1);
            }
            let (points, paths) = vertices(self.spots, self.lines, &[]);
            let Some(mut mesh) = Triangles::of(&points, &paths) else {
                *self.lines = before;
                return;
            };
            let fixed = self.fixed(&mesh, &paths, &tight, &origins);
            for _ in 0..STEPS {
                self.step(&mut mesh, &fixed);
            }
            take(mesh.points.into_iter().skip(FRAME), self.spots, self.lines);
            if self.revision == Revision::Returns {
                self.merge(&mut origins.1);
            }
        }
    }

    /// The number of places that are too tight to be read.
    pub(crate) fn unreadable_places(&self) -> usize {
        self.measured().tight_places(UNREADABLE).len()
    }

    fn measured(&self) -> Measured<'_> {
        Measured {
            spots: self.spots,
            lines: self.lines,
            live: &self.live,
            returns: self.revision == Revision::Returns,
        }
    }

    /// Divides the long steps of lines near tight places, so that they can bend.
    fn split(&mut self, tight: &[Point], origins: &mut [Vec<Point>]) {
        for (line, origins) in self.lines.iter_mut().zip(&mut *origins) {
            let mut points = vec![line.points[0]];
            let mut places = vec![origins[0]];
            for (i, step) in line.points.windows(2).enumerate() {
                let middle = step[0].toward(step[1], 0.5);
                let is_near = |at: &Point| at.distance_to_segment(step[0], step[1]) < NEAR;
                if step[0].distance(step[1]) > SPACING && tight.iter().any(is_near) {
                    points.push(snapped(middle));
                    places.push(origins[i].toward(origins[i + 1], 0.5));
                }
                points.push(step[1]);
                places.push(origins[i + 1]);
            }
            line.points = points;
            *origins = places;
        }
    }

    /// Removes points that are not needed: short steps without anything in the corner between them.
    fn merge(&mut self, origins: &mut [Vec<Point>]) {
        let tiny = match self.revision {
            Revision::First => 0.0,
            Revision::Returns => TINY,
        };
        let grid = Grid::of(self.lines);
        let spots = self.spots.clone();
        for (i, origins) in origins.iter_mut().enumerate() {
            let mut k = 1;
            while k + 1 < self.lines[i].points.len() {
                let points = &self.lines[i].points;
                let corner = [points[k - 1], points[k], points[k + 1]];
                let steps = [[0, 1], [1, 2]].map(|[a, b]| corner[a].distance(corner[b]));
                let is_short = steps[0] + steps[1] < SHORT || steps[0].min(steps[1]) < tiny;
                let is_inside = |at: Point| !corner.contains(&at) && is_within(corner, at);
                let is_free = || {
                    // The steps near a corner include those that end in it, unless it is large.
                    let near = grid.near(corner[1]).iter();
                    !near.flat_map(|(_, step)| *step).any(is_inside)
                        && !spots.iter().copied().any(is_inside)
                };
                if is_short && points.len() > 4 && is_free() {
                    self.lines[i].points.remove(k);
                    origins.remove(k);
                }
                k += 1;
            }
        }
    }

    fn fixed(
        &self,
        mesh: &Triangles,
        paths: &[Vec<Vertex>],
        tight: &[Point],
        origins: &(Vec<Point>, Vec<Vec<Point>>),
    ) -> Fixed {
        let mut of = vec![None; self.spots.len()];
        let mut left = vec![[false; 2]; self.spots.len()];
        let mut places = origins.0.clone();
        for (i, line) in self.lines.iter().enumerate() {
            of.extend(line.inner().iter().map(|_| Some(i)));
            let beyond = line
                .ends
                .map(|end| line.beyond(end, BEYOND * CLEAR.line_and_spot));
            let inner = 1..line.points.len() - 1;
            left.extend(inner.map(|k| beyond.each_ref().map(|beyond| beyond.contains(&k))));
            let inner = &origins.1[i];
            places.extend(&inner[1..inner.len() - 1]);
        }
        let mut beside = vec![None; of.len()];
        for step in paths.iter().step_by(2).flat_map(|path| path.windows(3)) {
            beside[step[1] - FRAME] = Some([step[0], step[2]]);
        }
        let nearness = |at: &Point| {
            let away = tight.iter().map(|place| place.distance(*at));
            let least = away.fold(f64::INFINITY, f64::min);
            (1.6 * (1.0 - least / NEAR)).clamp(0.0, 1.0)
        };
        let mut pressure = vec![0.0; mesh.all.len()];
        let mut met = vec![false; mesh.all.len()];
        for darts in &self.live {
            let path = &paths[darts[0]];
            let Some(first) = mesh.left_of(path[0], path[1]) else {
                continue;
            };
            let face = mesh.face(first, &mut met);
            let push = (LEAST_FACE / mesh.size(&face)).ln().clamp(0.0, 1.5) * PRESSURE;
            for triangle in face {
                pressure[triangle] = push;
            }
        }
        let nearness: Vec<f64> = mesh.points[FRAME..].iter().map(nearness).collect();
        let around = nearness.iter().enumerate().map(|(i, &near)| match near {
            0.0 => Vec::new(),
            _ => mesh.around(FRAME + i),
        });
        Fixed {
            around: around.collect(),
            nearness,
            of,
            left,
            beside,
            pressure,
            origins: places,
        }
    }

    /// Moves each point near a tight place a little.
    fn step(&self, mesh: &mut Triangles, fixed: &Fixed) {
        for i in 0..fixed.of.len() {
            if fixed.nearness[i] == 0.0 {
                continue;
            }
            let vertex = FRAME + i;
            let at = mesh.points[vertex];
            let mut force = self.push(mesh, fixed, vertex);
            if i < self.spots.len() {
                for &other in &mesh.points[FRAME..FRAME + self.spots.len()] {
                    force += at.away_from(other, CLEAR.spots) * PUSH;
                }
                force += inwards(at, 1.2 * MARGIN) * PUSH;
                if i < self.old {
                    force = force * self.of_old_spot;
                }
            }
            if let Some(beside) = fixed.beside[i] {
                let moved = |vertex: Vertex| mesh.points[vertex] - fixed.origins[vertex - FRAME];
                let mean = moved(beside[0]).toward(moved(beside[1]), 0.5);
                force += (mean - moved(vertex)) * FOLLOW;
            }
            force = force * fixed.nearness[i];
            let length = force.length();
            if length < 0.05 {
                continue;
            }
            let mut way = force * (STEP / length).min(1.0);
            for _ in 0..4 {
                let to = within(at, at + way);
                let is_near = i >= self.old || fixed.origins[i].distance(to) <= self.leash;
                if is_near && keeps(mesh, &fixed.around[vertex - FRAME], vertex, to) {
                    mesh.points[vertex] = to;
                    break;
                }
                way = way * 0.4;
            }
        }
    }

    /// The force on a point from its neighbours in the mesh.
    fn push(&self, mesh: &Triangles, fixed: &Fixed, vertex: Vertex) -> Point {
        let at = mesh.points[vertex];
        let mut force = Point::default();
        for &triangle in &fixed.around[vertex - FRAME] {
            let i = mesh.index(triangle, vertex);
            let of = &mesh.all[triangle];
            let next = of.corners[(i + 1) % 3];
            if next >= FRAME && !of.is_line[i] {
                let clear = self.clear(fixed, at, vertex, next);
                force += at.away_from(mesh.points[next], clear) * PUSH;
            }
            for push in mesh.pressed(triangle, i, fixed.pressure[triangle]) {
                force += push;
            }
            force += mesh.recoil(triangle, i, |[from, to, pushed], place| {
                if pushed < FRAME {
                    return Point::default();
                }
                // At least one end of a step is not a spot.
                let is_spot = fixed.of[from - FRAME].is_none();
                let on_line = if is_spot { to } else { from };
                let at = mesh.points[pushed];
                at.away_from(place, self.clear(fixed, at, pushed, on_line)) * PUSH
            });
        }
        force
    }

    /// The distance up to which two points push each other away.
    fn clear(&self, fixed: &Fixed, at: Point, one: Vertex, other: Vertex) -> f64 {
        let [one, other] = [one - FRAME, other - FRAME];
        match [fixed.of[one], fixed.of[other]] {
            // All spots push each other, also those that no edge of the mesh joins.
            [None, None] => 0.0,
            [Some(line), None] => self.clear_of(line, fixed.left[one], other),
            [None, Some(line)] => self.clear_of(line, fixed.left[other], one),
            [Some(line), Some(other)] if line == other => 0.0,
            [Some(line), Some(other)] => {
                let [line, other] = [line, other].map(|line| &self.lines[line]);
                self.measured().fork(line, other, at, CLEAR.lines)
            }
        }
    }

    /// The distance up to which a spot and a point of a line push each other away. `left` says whether the point has left
    /// the spots at the ends of the line.
    fn clear_of(&self, line: usize, left: [bool; 2], spot: usize) -> f64 {
        let returns = self.revision == Revision::Returns;
        let mut ends = self.lines[line].ends.iter().zip(left);
        if ends.all(|(&end, left)| end != spot || (left && returns)) {
            CLEAR.line_and_spot
        } else {
            0.0
        }
    }
}

/// A point on the way that is not beyond the margin, unless it was there before.
fn within(from: Point, to: Point) -> Point {
    snapped_within(to, border(from).min(MARGIN))
}

/// Whether no triangle at a point turns over, or becomes too thin, if the point moves.
fn keeps(mesh: &Triangles, around: &[usize], vertex: Vertex, to: Point) -> bool {
    around.iter().all(|&triangle| {
        let [a, b] = mesh
            .others(triangle, vertex)
            .map(|corner| mesh.points[corner]);
        let (before, after) = (area(mesh.points[vertex], a, b), area(to, a, b));
        after > (LEAST_LEFT * before).min(THIN)
    })
}
