//! Evening out: lines become smooth and keep away from each other.
//!
//! Points move only as far as no triangle of the mesh turns over. The lines are edges of the mesh, so they never
//! cross, and the drawing stays the same map.

use super::triangles::{FRAME, Triangles, Vertex};
use super::{EDGE, Line, MARGIN, SIDE, Sheet, is_within, snapped, snapped_within};
use crate::point::{Point, area};

/// How often a new mesh is made, and how often at most if the drawing is still tight.
const ROUNDS: usize = 6;
const MOST_ROUNDS: usize = 20;

/// Spots that are nearer to each other, and lines that are nearer to a spot, make a drawing tight: on a phone they
/// touch.
const TIGHT: f64 = 46.0;
const TIGHT_OF_LINES: f64 = 26.0;

/// In one step a triangle keeps this share of its area, or this much of twice its area.
const LEAST_LEFT: f64 = 0.1;
const THIN: f64 = 1.0;

/// The number of steps with each mesh.
const STEPS: usize = 6;

/// The usual distance between neighbouring points of a line.
const SPACING: f64 = 26.0;

/// The distance that lines keep from each other, and from spots, where there is room.
const CLEAR: f64 = 30.0;
const CLEAR_OF_SPOTS: f64 = 52.0;

/// The share of the way to the middle of what is around it that a spot, or a point of a line, goes in one step. What
/// is far away counts more, so that points spread over the sheet.
const SPREAD: f64 = 0.2;
const SPREAD_OF_LINES: f64 = 0.03;

/// How much more counts what lies across a face in which nothing more can be drawn. Such faces become small.
const DEAD: f64 = 2.5;

/// The number of parts of each side of the border.
const BORDER: usize = 8;

/// The most by which a point moves in one step, and a spot in one move: less than a tenth of the sheet.
const STEP: f64 = 7.0;
const MOST_OF_SPOT: f64 = 80.0;

/// What stays while the points of a mesh move.
struct Fixed {
    /// Which triangles are in faces where nothing more can be drawn.
    dead: Vec<bool>,
    /// For each point of the drawing the two beside it on its line, if there are two.
    beside: Vec<[Option<Vertex>; 2]>,
    /// The triangles around each point.
    around: Vec<Vec<usize>>,
}

impl Sheet {
    /// Evens out the drawing.
    pub(super) fn tidy(&mut self) {
        let start = self.spots.clone();
        for round in 0..MOST_ROUNDS {
            if round >= ROUNDS && !self.is_tight() {
                break;
            }
            let before = self.clone();
            self.resample();
            let Some(mut mesh) = self.mesh() else {
                *self = before;
                return;
            };
            let fixed = Fixed {
                dead: self.dead(&mesh),
                beside: self.beside(),
                around: (0..mesh.points.len())
                    .map(|vertex| mesh.around(vertex))
                    .collect(),
            };
            for _ in 0..STEPS {
                self.step(&mut mesh, &fixed, &start);
            }
            self.take(&mesh);
        }
        // The last steps kept all triangles as they were, so there is a mesh of this drawing.
    }

    /// Whether spots and lines nearly touch.
    fn is_tight(&self) -> bool {
        let mut spots = self.spots.iter().enumerate();
        spots.any(|(i, spot)| {
            let mut others = self.spots[..i].iter();
            let is_over =
                |line: &Line| !line.ends.contains(&i) && line.distance(*spot) < TIGHT_OF_LINES;
            others.any(|other| spot.distance(*other) < TIGHT) || self.lines.iter().any(is_over)
        })
    }

    pub(super) fn mesh(&self) -> Option<Triangles> {
        let mut points = self.spots.clone();
        let mut steps = Vec::new();
        for line in &self.lines {
            let mut last = FRAME + line.ends[0];
            for &point in &line.points[1..line.points.len() - 1] {
                let vertex = FRAME + points.len();
                points.push(point);
                steps.push([last, vertex]);
                last = vertex;
            }
            steps.push([last, FRAME + line.ends[1]]);
        }
        points.extend(border());
        Triangles::of(SIDE, &points, &steps)
    }

    /// Which triangles are in faces where nothing more can be drawn.
    fn dead(&self, mesh: &Triangles) -> Vec<bool> {
        let mut dead = vec![false; mesh.all.len()];
        let mut first = Vec::new();
        let mut vertex = FRAME + self.spots.len();
        for line in &self.lines {
            first.push([FRAME + line.ends[0], vertex]);
            vertex += line.points.len() - 2;
            first.push([FRAME + line.ends[1], vertex - 1]);
        }
        let mut open: Vec<usize> = Vec::new();
        for face in self.dead_faces() {
            for dart in face.into_iter().flatten() {
                let [from, to] = first[dart];
                open.extend(mesh.left_of(from, to).map(|(triangle, _)| triangle));
            }
        }
        while let Some(triangle) = open.pop() {
            if std::mem::replace(&mut dead[triangle], true) {
                continue;
            }
            let of = &mesh.all[triangle];
            let beside = (0..3).filter(|&i| !of.is_line[i]);
            open.extend(beside.filter_map(|i| of.behind[i]));
        }
        dead
    }

    /// Takes over the points of a mesh.
    fn take(&mut self, mesh: &Triangles) {
        let mut points = mesh.points[FRAME..].iter().copied();
        self.spots
            .iter_mut()
            .zip(&mut points)
            .for_each(|(spot, point)| *spot = point);
        for line in &mut self.lines {
            let last = line.points.len() - 1;
            line.points[1..last]
                .iter_mut()
                .zip(&mut points)
                .for_each(|(at, point)| *at = point);
            line.points[0] = self.spots[line.ends[0]];
            line.points[last] = self.spots[line.ends[1]];
        }
    }

    /// Divides long steps, and leaves out points that are not needed.
    fn resample(&mut self) {
        for i in 0..self.lines.len() {
            let mut points = Vec::new();
            for step in self.lines[i].points.windows(2) {
                points.push(step[0]);
                if step[0].distance(step[1]) > 1.6 * SPACING {
                    points.push(snapped(step[0].toward(step[1], 0.5)));
                }
            }
            points.extend(self.lines[i].points.last());
            self.lines[i].points = points;
        }
        for i in 0..self.lines.len() {
            let mut k = 1;
            while k + 1 < self.lines[i].points.len() {
                let points = &self.lines[i].points;
                let corner = [points[k - 1], points[k], points[k + 1]];
                let is_short =
                    corner[0].distance(corner[1]) + corner[1].distance(corner[2]) < 1.2 * SPACING;
                if is_short && points.len() > 4 && self.is_empty(corner) {
                    self.lines[i].points.remove(k);
                }
                k += 1;
            }
        }
    }

    /// Whether a triangle contains no point but its corners.
    fn is_empty(&self, corners: [Point; 3]) -> bool {
        let inside = |point: &Point| !corners.contains(point) && is_within(corners, *point);
        let lines = self.lines.iter().flat_map(|line| &line.points);
        !self.spots.iter().chain(lines).any(inside)
    }

    /// Moves each point a little.
    fn step(&self, mesh: &mut Triangles, fixed: &Fixed, start: &[Point]) {
        for (i, [before, after]) in fixed.beside.iter().enumerate() {
            let vertex = FRAME + i;
            let at = mesh.points[vertex];
            let mut force = push(mesh, fixed, vertex, self.spots.len());
            if i < self.spots.len() {
                // Also those at the other end of a short line.
                let spots = mesh.points[FRAME..FRAME + self.spots.len()].iter();
                for other in spots {
                    force += away(at, *other, true);
                }
            }
            if let (Some(before), Some(after)) = (before, after) {
                let between = mesh.points[*before].toward(mesh.points[*after], 0.5);
                force += (between - at) * 0.5;
            }
            let length = force.length();
            if length < 0.05 {
                continue;
            }
            let mut way = force * (STEP / length).min(1.0);
            for _ in 0..4 {
                let to = snapped_within(at + way, MARGIN / 2.0);
                let is_near = start
                    .get(i)
                    .is_none_or(|start| start.distance(to) <= MOST_OF_SPOT);
                if is_near && keeps(mesh, &fixed.around[vertex], vertex, to) {
                    mesh.points[vertex] = to;
                    break;
                }
                way = way * 0.4;
            }
        }
    }

    /// For each point the two beside it on its line; of spots only those with two lines have them.
    fn beside(&self) -> Vec<[Option<Vertex>; 2]> {
        let mut beside = vec![[None, None]; self.spots.len()];
        let mut lines_at = vec![Vec::new(); self.spots.len()];
        for line in &self.lines {
            let count = line.points.len() - 2;
            let first = FRAME + beside.len();
            let [from, to] = line.ends;
            lines_at[from].push(first);
            lines_at[to].push(first + count - 1);
            for k in 0..count {
                let before = if k == 0 { FRAME + from } else { first + k - 1 };
                let after = if k + 1 == count {
                    FRAME + to
                } else {
                    first + k + 1
                };
                beside.push([Some(before), Some(after)]);
            }
        }
        for (spot, lines) in lines_at.iter().enumerate() {
            if let [one, other] = lines[..] {
                beside[spot] = [Some(one), Some(other)];
            }
        }
        beside
    }
}

/// Points that stay along the border, outside of everything. They pull the drawing outwards.
fn border() -> impl Iterator<Item = Point> {
    let far = SIDE - EDGE / 2.0;
    (1..BORDER).flat_map(move |i| {
        let along = SIDE * i as f64 / BORDER as f64;
        [
            Point::new(along, EDGE / 2.0),
            Point::new(far, along),
            Point::new(along, far),
            Point::new(EDGE / 2.0, along),
        ]
    })
}

/// What pushes a point away from what is near in the mesh.
fn push(mesh: &Triangles, fixed: &Fixed, vertex: Vertex, spots: usize) -> Point {
    let at = mesh.points[vertex];
    let is_spot = vertex < FRAME + spots;
    let mut force = Point::default();
    let (mut spread, mut all) = (Point::default(), 0.0);
    for &triangle in &fixed.around[vertex] {
        let i = mesh.index(triangle, vertex);
        let of = &mesh.all[triangle];
        let (next, far) = (of.corners[(i + 1) % 3], (i + 1) % 3);
        let way = mesh.points[next] - at;
        let weight = way.length() * if fixed.dead[triangle] { DEAD } else { 1.0 };
        spread += way * weight;
        all += weight;
        if next >= FRAME && !of.is_line[i] {
            let is_near_spot = is_spot || next < FRAME + spots;
            force += away(at, mesh.points[next], is_near_spot);
        }
        if of.is_line[far] {
            let (a, b) = (
                mesh.points[of.corners[far]],
                mesh.points[of.corners[(far + 1) % 3]],
            );
            let along = b - a;
            let part = (at - a).dot(along) / along.dot(along);
            // At its ends it pushes as a point.
            if (0.0..=1.0).contains(&part) && !of.is_line[i] && !of.is_line[(i + 2) % 3] {
                force += away(at, a + along * part, is_spot);
            }
        }
    }
    let border =
        |value: f64| (2.0 * MARGIN - value).max(0.0) - (value - SIDE + 2.0 * MARGIN).max(0.0);
    let share = if is_spot { SPREAD } else { SPREAD_OF_LINES };
    force += spread * (share / all);
    force + Point::new(border(at.x), border(at.y)) * 0.3
}

fn away(at: Point, from: Point, is_near_spot: bool) -> Point {
    let clear = if is_near_spot { CLEAR_OF_SPOTS } else { CLEAR };
    let distance = at.distance(from);
    if distance >= clear || distance == 0.0 {
        return Point::default();
    }
    (at - from) * (0.3 * (clear - distance) / distance)
}

/// Whether no triangle at a point turns over, or becomes too thin, if the point moves.
fn keeps(mesh: &Triangles, around: &[usize], vertex: Vertex, to: Point) -> bool {
    around.iter().all(|&triangle| {
        let i = mesh.index(triangle, vertex);
        let corners = mesh.all[triangle].corners;
        let [a, b] = [corners[(i + 1) % 3], corners[(i + 2) % 3]].map(|corner| mesh.points[corner]);
        let (before, after) = (area(mesh.points[vertex], a, b), area(to, a, b));
        after > (LEAST_LEFT * before).min(THIN)
    })
}
