//! Evening out: lines become smooth and keep away from each other.
//!
//! Points move only if no triangle of the mesh turns over. The lines are edges of the mesh, so they never cross, and
//! the drawing stays the same map.

use crate::paper::{EDGE, Line, MARGIN, SIDE, inwards, snapped, snapped_within};
use crate::point::{Point, area, is_within};
use crate::triangles::{FRAME, Path, Triangles, Vertex, take, vertices};

/// The number of rounds, each with a new mesh, and the maximum number for a drawing that is still tight.
const ROUNDS: usize = 6;
const MOST_ROUNDS: usize = 20;

/// A drawing is tight if two spots are nearer to each other than the first distance, or a line to a spot than the
/// second: on a phone they touch.
const TIGHT: f64 = 46.0;
const TIGHT_OF_LINES: f64 = 26.0;

/// A step leaves a triangle at least `LEAST_LEFT` of its area, or a doubled area of `THIN` if that is less.
const LEAST_LEFT: f64 = 0.1;
const THIN: f64 = 1.0;

/// A step brings no line nearer to a spot than this.
const NEAR: f64 = 16.0;

/// The number of steps with each mesh.
const STEPS: usize = 6;

/// The usual distance between neighbouring points of a line.
const SPACING: f64 = 26.0;

/// The distance that lines keep from each other, and from spots, where there is room.
const CLEAR: f64 = 30.0;
const CLEAR_OF_SPOTS: f64 = 52.0;

/// The share of the missing distance that two points are pushed apart in one step.
const PUSH: f64 = 0.3;

/// The share of the way to the weighted middle of its neighbours in the mesh that a spot, or a point of a line, moves
/// in one step. Far neighbours weigh more, so points spread over the paper.
const SPREAD: f64 = 0.2;
const SPREAD_OF_LINES: f64 = 0.05;

/// The share of the way to the middle between its neighbours on the line that a point of a line moves in one step.
const TENSION: f64 = 0.5;

/// A face with less area than `LEAST_FACE`, or `LEAST_DEAD` if nothing more can be drawn in it, pushes its lines
/// outwards. At 1/e of that area, it pushes an edge by `PRESSURE` times the length of the edge.
const LEAST_FACE: f64 = 6000.0;
const LEAST_DEAD: f64 = 2400.0;
const PRESSURE: f64 = 0.25;

/// The weight of neighbours across a face in which nothing more can be drawn. Such faces become small.
const DEAD: f64 = 2.5;

/// The number of parts of each side of the border.
const BORDER: usize = 8;

/// The maximum distance that a point moves in one step.
const STEP: f64 = 7.0;

/// A drawing to be evened out.
pub(crate) struct Relaxation<'a> {
    /// The spots.
    pub(crate) spots: &'a mut Vec<Point>,
    /// The lines.
    pub(crate) lines: &'a mut Vec<Line>,
    /// The number of spots that lines keep clear of. These spots come first.
    pub(crate) live: usize,
    /// At least one dart of each face in which nothing more can be drawn.
    pub(crate) dead: Vec<usize>,
    /// The factor of all distances; 1 on the sheet of a match.
    pub(crate) unit: f64,
    /// The corners of a fence around everything. Without a fence, points along the border pull the drawing outwards.
    pub(crate) fence: Vec<Point>,
    /// The maximum distance of a spot from its place before the run.
    pub(crate) leash: f64,
    /// Whether only the last spot and the two lines that end there move.
    pub(crate) only_last: bool,
}

/// The data of a mesh that do not change while its points move.
struct Fixed {
    /// Whether each triangle is in a face in which nothing more can be drawn.
    dead: Vec<bool>,
    /// The outward push of the face of each triangle on its edges, as a share of their length.
    pressure: Vec<f64>,
    /// The two neighbours of each point on its line; `None` if it has not exactly two.
    beside: Vec<Option<[Vertex; 2]>>,
    /// The triangles around each point.
    around: Vec<Vec<usize>>,
    /// The points that may move.
    movable: Vec<usize>,
}

/// The mesh of a drawing, with a fence or with points along the border, and the paths of its darts. `None` if lines
/// meet between points.
pub(crate) fn mesh_of(
    spots: &[Point],
    lines: &[Line],
    fence: &[Point],
) -> Option<(Triangles, Vec<Path>)> {
    let (mut points, paths) = vertices(spots, lines, fence);
    if fence.is_empty() {
        points.extend(border());
    }
    Some((Triangles::of(&points, &paths)?, paths))
}

impl Relaxation<'_> {
    /// Evens out the drawing. Returns `false`, and changes nothing, if its lines cross.
    pub(crate) fn run(&mut self) -> bool {
        let start = self.spots.clone();
        for round in 0..MOST_ROUNDS {
            if round >= ROUNDS && (self.only_last || !self.is_tight()) {
                break;
            }
            let before = self.lines.clone();
            self.resample();
            let Some((mut mesh, paths)) = mesh_of(self.spots, self.lines, &self.fence) else {
                *self.lines = before;
                return round > 0;
            };
            let around = 0..mesh.points.len();
            let dead = self.dead(&mesh, &paths);
            let beside = self.beside(&paths);
            let fixed = Fixed {
                pressure: self.pressure(&mesh, &dead),
                dead,
                movable: self.movable(beside.len()),
                beside,
                around: around.map(|vertex| mesh.around(vertex)).collect(),
            };
            for _ in 0..STEPS {
                self.step(&mut mesh, &fixed, &start);
            }
            take(mesh.points.into_iter().skip(FRAME), self.spots, self.lines);
        }
        // The last steps turned no triangle over, so this drawing has a mesh.
        true
    }

    /// Whether two spots, or a spot and a line, nearly touch.
    fn is_tight(&self) -> bool {
        let mut spots = self.spots[..self.live].iter().enumerate();
        spots.any(|(i, spot)| {
            let mut others = self.spots[..i].iter();
            let is_over = |line: &Line| {
                !line.ends.contains(&i) && line.distance(*spot) < TIGHT_OF_LINES * self.unit
            };
            others.any(|other| spot.distance(*other) < TIGHT * self.unit)
                || self.lines.iter().any(is_over)
        })
    }

    /// Whether each triangle is in a face in which nothing more can be drawn.
    fn dead(&self, mesh: &Triangles, paths: &[Path]) -> Vec<bool> {
        let mut dead = vec![false; mesh.all.len()];
        for &dart in &self.dead {
            if let Some(triangle) = mesh.left_of(paths[dart][0], paths[dart][1]) {
                mesh.face(triangle, &mut dead);
            }
        }
        dead
    }

    /// The outward push of the face of each triangle on its edges. Small faces push more.
    fn pressure(&self, mesh: &Triangles, dead: &[bool]) -> Vec<f64> {
        let mut pressure = vec![0.0; mesh.all.len()];
        let mut met = vec![false; mesh.all.len()];
        for (first, &is_dead) in dead.iter().enumerate() {
            let face = mesh.face(first, &mut met);
            let size = mesh.size(&face);
            let least = if is_dead { LEAST_DEAD } else { LEAST_FACE };
            let wanted = least * self.unit * self.unit;
            let of = (wanted / size).ln().clamp(0.0, 1.5) * PRESSURE;
            for triangle in face {
                pressure[triangle] = of;
            }
        }
        pressure
    }

    /// Divides long steps of lines, and removes points that are not needed.
    fn resample(&mut self) {
        let spacing = SPACING * self.unit;
        let first = self.first_line();
        for line in &mut self.lines[first..] {
            let mut points = Vec::new();
            for step in line.points.windows(2) {
                points.push(step[0]);
                if step[0].distance(step[1]) > 1.6 * spacing {
                    points.push(snapped(step[0].toward(step[1], 0.5)));
                }
            }
            points.extend(line.points.last());
            line.points = points;
        }
        for i in first..self.lines.len() {
            let mut k = 1;
            while k + 1 < self.lines[i].points.len() {
                let points = &self.lines[i].points;
                let corner = [points[k - 1], points[k], points[k + 1]];
                let is_short =
                    corner[0].distance(corner[1]) + corner[1].distance(corner[2]) < 1.2 * spacing;
                if is_short && points.len() > 4 && self.is_empty(corner) {
                    self.lines[i].points.remove(k);
                }
                k += 1;
            }
        }
    }

    /// The first line that may move.
    fn first_line(&self) -> usize {
        if self.only_last {
            self.lines.len().saturating_sub(2)
        } else {
            0
        }
    }

    /// The points that may move, of this many.
    fn movable(&self, count: usize) -> Vec<usize> {
        if !self.only_last {
            return (0..count).collect();
        }
        let fixed = &self.lines[..self.first_line()];
        let spots = self.spots.len();
        let fixed: usize = fixed.iter().map(|line| line.inner().len()).sum();
        std::iter::once(spots - 1)
            .chain(spots + fixed..count)
            .collect()
    }

    /// Whether a triangle contains no point but its corners.
    fn is_empty(&self, corners: [Point; 3]) -> bool {
        let inside = |point: &Point| !corners.contains(point) && is_within(corners, *point);
        let lines = self.lines.iter().flat_map(|line| &line.points);
        !self.spots.iter().chain(lines).any(inside)
    }

    /// Moves each point a little.
    fn step(&self, mesh: &mut Triangles, fixed: &Fixed, start: &[Point]) {
        for &i in &fixed.movable {
            let vertex = FRAME + i;
            let at = mesh.points[vertex];
            let mut force = self.push(mesh, fixed, vertex);
            if i < self.live {
                // All live spots push, also the one at the other end of a short line.
                let spots = &mesh.points[FRAME..FRAME + self.live];
                for other in spots {
                    force += self.away(at, *other, true);
                }
            }
            if let Some([before, after]) = fixed.beside[i] {
                let between = mesh.points[before].toward(mesh.points[after], 0.5);
                force += (between - at) * TENSION;
            }
            let length = force.length();
            if length < 0.05 * self.unit {
                continue;
            }
            let mut way = force * (STEP * self.unit / length).min(1.0);
            for _ in 0..4 {
                let to = snapped_within(at + way, MARGIN * self.unit / 2.0);
                let start = start.get(i);
                let is_near = start.is_none_or(|start| start.distance(to) <= self.leash);
                if is_near && self.keeps(mesh, &fixed.around[vertex], vertex, to) {
                    mesh.points[vertex] = to;
                    break;
                }
                way = way * 0.4;
            }
        }
    }

    /// The two neighbours of each point on its line. A spot has them if exactly two darts leave it.
    fn beside(&self, paths: &[Path]) -> Vec<Option<[Vertex; 2]>> {
        let points: usize = self.lines.iter().map(|line| line.inner().len()).sum();
        let mut beside = vec![None; self.spots.len() + points];
        let mut lines_at = vec![Vec::new(); self.spots.len()];
        for path in &paths[..2 * self.lines.len()] {
            lines_at[path[0] - FRAME].push(path[1]);
            for step in path.windows(3) {
                beside[step[1] - FRAME] = Some([step[0], step[2]]);
            }
        }
        for (spot, lines) in lines_at.iter().enumerate() {
            beside[spot] = <[Vertex; 2]>::try_from(&lines[..]).ok();
        }
        beside
    }

    /// The force on a point from its neighbours in the mesh.
    fn push(&self, mesh: &Triangles, fixed: &Fixed, vertex: Vertex) -> Point {
        let at = mesh.points[vertex];
        let is_spot = self.is_live(vertex);
        let mut force = Point::default();
        let (mut spread, mut all) = (Point::default(), 0.0);
        for &triangle in &fixed.around[vertex] {
            let i = mesh.index(triangle, vertex);
            let of = &mesh.all[triangle];
            let next = of.corners[(i + 1) % 3];
            let way = mesh.points[next] - at;
            let weight = way.length() * if fixed.dead[triangle] { DEAD } else { 1.0 };
            spread += way * weight;
            all += weight;
            if next >= FRAME && !of.is_line[i] {
                let is_near_spot = is_spot || self.is_live(next);
                force += self.away(at, mesh.points[next], is_near_spot);
            }
            for push in mesh.pressed(triangle, i, fixed.pressure[triangle]) {
                force += push;
            }
            force += mesh.recoil(triangle, i, |[.., pushed], place| {
                self.away(mesh.points[pushed], place, self.is_live(pushed))
            });
        }
        let share = if is_spot { SPREAD } else { SPREAD_OF_LINES };
        force += spread * (share / all);
        force + inwards(at, 2.0 * MARGIN * self.unit) * 0.3
    }

    fn is_live(&self, vertex: Vertex) -> bool {
        (FRAME..FRAME + self.live).contains(&vertex)
    }

    fn away(&self, at: Point, from: Point, is_near_spot: bool) -> Point {
        let clear = self.unit * if is_near_spot { CLEAR_OF_SPOTS } else { CLEAR };
        at.away_from(from, clear) * PUSH
    }

    /// Whether no triangle at a point turns over, or becomes too thin, if the point moves.
    fn keeps(&self, mesh: &Triangles, around: &[usize], vertex: Vertex, to: Point) -> bool {
        around.iter().all(|&triangle| {
            let of = &mesh.all[triangle];
            let [a, b] = mesh
                .others(triangle, vertex)
                .map(|corner| mesh.points[corner]);
            let (before, after) = (area(mesh.points[vertex], a, b), area(to, a, b));
            let mut least = (LEAST_LEFT * before).min(THIN * self.unit * self.unit);
            if let Some(edge) = of.lone_line()
                && self.is_live(of.corners[(edge + 2) % 3])
            {
                let [from, to] = [edge, edge + 1].map(|i| mesh.points[of.corners[i % 3]]);
                // A margin for rounding: an unchanged triangle must pass.
                let near = 0.999 * before.min(NEAR * self.unit * from.distance(to));
                least = least.max(near);
            }
            after > least
        })
    }
}

/// Fixed points along the border, outside of everything. They pull the drawing outwards.
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
