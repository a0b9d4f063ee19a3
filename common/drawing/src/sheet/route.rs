//! A line that leads to a given position.
//!
//! A line that cuts a face in two must have certain boundaries on either side. Temporary lines tie each of these to its
//! side. The rest of the face is then a disc, in which there is one way from end to end. All these are shortest ways
//! through triangles. A way meets a triangle at most once, so it does not cross itself.

use std::collections::HashMap;

use super::stroke::{coarse, simplified};
use super::{Mark, Sheet, Stroke};
use crate::paper::snapped;
use crate::point::{Point, area, is_within};
use crate::tight::UNREADABLE;
use crate::triangles::{FRAME, Path, Triangles, Vertex, vertices};
use sproutnet_game::Position;
use sproutnet_game::sprouts::planar::{Corner, Joined};

/// The maximum number of ways to join two spots.
const MOST_WAYS: usize = 1 << 13;

/// Spots that can be joined in more ways are looked at last for a line to a position.
const FEW_WAYS: usize = 256;

/// The maximum number of lines that are tried for one position.
const MOST_ALIKE: usize = 16;

/// The maximum number of other lines that are tried for a plainer or more readable one.
const MOST_TRIED: usize = 12;

/// The distance by which a line is simplified after it was evened out.
const SMOOTH: f64 = 1.0;

/// The maximum number of points of a way that is not shortened.
const FEW: usize = 16;

/// A position that a move leads to, and the ways to draw the move.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The position after the move.
    pub position: Position,
    /// What is put on the line.
    pub mark: Mark,
    /// Lines that lead to it, at most [`MOST_ALIKE`].
    joined: Vec<Joined>,
}

impl Choice {
    /// The spots with lives on either side of the line, if it cuts its region in two.
    pub fn sides(&self) -> Option<&[Vec<usize>; 2]> {
        self.joined[0].sides.as_ref()
    }
}

/// A place where a way can begin or end: a triangle, and its corner there.
pub(super) type Port = (usize, Vertex);

/// The mesh for one route, with the temporary lines so far.
pub(super) struct Ground<'s> {
    sheet: &'s Sheet,
    points: Vec<Point>,
    /// The paths of the darts of the sheet, and of the darts of temporary lines.
    pub(super) paths: Vec<Path>,
    pub(super) mesh: Triangles,
}

impl Sheet {
    /// The positions after joining two spots, each once. Empty if they cannot be joined or there are too many ways.
    pub fn options(&self, one: usize, other: usize) -> Vec<Choice> {
        self.options_if_few(one, other, MOST_WAYS)
    }

    /// The same, empty if there are more ways than `most`: each of them takes time.
    pub fn options_if_few(&self, one: usize, other: usize, most: usize) -> Vec<Choice> {
        let mut places: HashMap<Position, usize> = HashMap::new();
        let mut choices: Vec<Choice> = Vec::new();
        for &mark in self.game.marks() {
            let ways = match mark {
                Mark::Spot => self.map.joins(one, other, most),
                Mark::Cross => self.map.joins_with_crosses(one, other, most),
            };
            for joined in ways.into_iter().flatten() {
                let position = self.game.position(&joined.map);
                let place = *places.entry(position.clone()).or_insert(choices.len());
                if place == choices.len() {
                    let joined = Vec::new();
                    choices.push(Choice {
                        position,
                        mark,
                        joined,
                    });
                }
                let choice = &mut choices[place];
                if choice.mark == mark && choice.joined.len() < MOST_ALIKE {
                    choice.joined.push(joined);
                }
            }
        }
        choices
    }

    /// A move to this position, if one is found: an arc between some spots that needs no room, or else any line.
    pub fn route_to(&self, position: &Position) -> Option<Stroke> {
        let live: Vec<usize> = (0..self.spots.len())
            .filter(|&spot| self.lives(spot) > 0)
            .collect();
        let pairs = live
            .iter()
            .enumerate()
            .flat_map(|(i, &one)| live[i..].iter().map(move |&other| (one, other)));
        let (mut left, mut fits) = (Vec::new(), Vec::new());
        for (one, other) in pairs {
            let options = self.options_if_few(one, other, FEW_WAYS);
            if options.is_empty() {
                left.push((one, other));
            }
            for option in options {
                if option.position != *position {
                    continue;
                }
                let leads_there = |after: &Self| after.position() == *position;
                if let Some(stroke) = self.arc([one, other], option.mark, leads_there) {
                    return Some(stroke);
                }
                fits.push(option);
            }
            if fits.len() >= MOST_TRIED {
                break;
            }
        }
        let leads_there = |after: &Self| after.position() == *position;
        let oval = fits.iter().find_map(|option| {
            let mut ways = option.joined.iter();
            ways.find_map(|joined| self.plain_oval(joined, option.mark, leads_there))
        });
        if oval.is_some() {
            return oval;
        }
        let around = fits.iter().find_map(|option| self.route_around(option));
        around.or_else(|| {
            let options = left
                .into_iter()
                .flat_map(|(one, other)| self.options(one, other));
            let mut fits = options.filter(|option| option.position == *position);
            fits.find_map(|option| self.route(&option))
        })
    }

    /// A line for a move of this sheet. `None` if there is no room for it at the precision of the sheet.
    pub fn route(&self, option: &Choice) -> Option<Stroke> {
        let ends = option.joined[0].corners.map(|corner| self.map.spot(corner));
        let sides = |sides: &[Vec<usize>; 2]| {
            let mut sides = sides.clone();
            sides.sort();
            sides
        };
        let leads_there = |after: &Self| {
            after.position() == option.position
                && after.sides_of_last_move(ends).as_ref().map(sides) == option.sides().map(sides)
        };
        let arc = self.arc(ends, option.mark, leads_there);
        let is_alike =
            |joined: &&Joined| joined.sides.as_ref().map(sides) == option.sides().map(sides);
        let oval = || {
            let mut ways = option.joined.iter().filter(is_alike);
            ways.find_map(|joined| self.plain_oval(joined, option.mark, leads_there))
        };
        arc.or_else(oval).or_else(|| self.route_around(option))
    }

    /// An oval that needs no room.
    fn plain_oval(
        &self,
        joined: &Joined,
        mark: Mark,
        fits: impl Fn(&Self) -> bool,
    ) -> Option<Stroke> {
        let oval = self.oval(joined, mark, self.most_missing(), fits);
        oval.filter(|stroke| self.stays_readable(stroke))
    }

    /// A line that is led around everything in its way, one after which the drawing stays readable if there is one.
    fn route_around(&self, option: &Choice) -> Option<Stroke> {
        let ways = option.joined.iter();
        let mut found = ways.flat_map(|joined| self.routes_as(joined, option));
        let first = found.next()?;
        // As a last resort, the drawing is evened out.
        let tidied = Stroke {
            is_tidied: true,
            ..first.clone()
        };
        let all = [first]
            .into_iter()
            .chain(found.take(MOST_TRIED))
            .chain([tidied]);
        let most = self.missing_at(UNREADABLE);
        let mut least: Option<(f64, Stroke)> = None;
        for stroke in all {
            let missing = self.unreadable_after(&stroke);
            if missing <= most {
                return Some(stroke);
            }
            if least.as_ref().is_none_or(|(least, _)| missing < *least) {
                least = Some((missing, stroke));
            }
        }
        least.map(|(_, stroke)| stroke)
    }

    /// As [`Choice::sides`], for the line of the last move, which joins two spots.
    fn sides_of_last_move(&self, ends: [usize; 2]) -> Option<[Vec<usize>; 2]> {
        let &[old, line] = self.made.last()?;
        let faces = [2 * line, 2 * line + 1].map(|dart| {
            let boundary = self.map.corners(Corner::Before(dart));
            let is_there = |face: &[Corner]| face.iter().any(|corner| boundary.contains(corner));
            self.map.faces().position(is_there)
        });
        if faces[0] == faces[1] {
            return None;
        }
        let all = self.spots_of_faces();
        Some(faces.map(|face| {
            let spots = face.map_or(&[][..], |face| &all[face]).iter().copied();
            let is_free =
                |spot: &usize| self.lives(*spot) > 0 && *spot < old && !ends.contains(spot);
            spots.filter(is_free).collect()
        }))
    }

    /// Lines for a move that divides the sheet like this, the plainest one first.
    fn routes_as(&self, joined: &Joined, option: &Choice) -> Vec<Stroke> {
        let ways = Ground::of(self).and_then(|mut ground| {
            let way = ground.way(joined)?;
            Some([ground.shortened(way.clone()), way])
        });
        let fits = |after: &Self| after.position() == option.position;
        let leads_there = |stroke: &Stroke| self.drawn(stroke).is_ok_and(|after| fits(&after));
        let strokes = ways
            .iter()
            .flatten()
            .flat_map(|way| self.strokes(joined, way));
        let mut strokes = strokes.map(|stroke| stroke.with(option.mark));
        let Some(stroke) = strokes.find(leads_there) else {
            return Vec::new();
        };
        let smooth = self.smooth(&stroke).into_iter().find(leads_there);
        let smooth = smooth.unwrap_or_else(|| stroke.clone());
        let most = self.drawn(&smooth).ok();
        let most = most.map_or(f64::INFINITY, |loose| loose.most_missing());
        let oval = self.oval(joined, option.mark, most, fits);
        let taut = self.taut(smooth.clone(), fits);
        let mut routes: Vec<Stroke> = oval.into_iter().chain([taut, smooth, stroke]).collect();
        routes.dedup();
        routes
    }

    /// Moves along a way: with the new spot in its middle, and with the new spot at one of its points.
    fn strokes(&self, joined: &Joined, way: &[Point]) -> [Stroke; 2] {
        let mut points: Vec<Point> = way[1..way.len() - 1]
            .iter()
            .map(|&at| snapped(at))
            .collect();
        if points.is_empty() {
            points.push(snapped(way[0].toward(way[1], 0.5)));
        }
        let ends = joined.corners.map(|corner| self.map.spot(corner));
        let [from, to] = ends.map(|end| self.spots[end]);
        let halved = Stroke::halved(ends, [from, to], points.clone());
        [halved, Stroke::through(ends, [from, to], points)]
    }

    /// A line, evened out: with short coordinates, and as it is.
    fn smooth(&self, stroke: &Stroke) -> Vec<Stroke> {
        let mark = stroke.mark;
        // A cross on it follows the line.
        let Ok(mut drawn) = self.with_line(&stroke.clone().with(Mark::Spot)) else {
            return Vec::new();
        };
        drawn.relaxed(f64::INFINITY, true);
        let [.., one, other] = &drawn.lines[..] else {
            return Vec::new();
        };
        let short = [one, other].map(|half| simplified(&half.points, SMOOTH));
        let exact = [one, other].map(|half| half.points.clone());
        let stroke = |[one, other]: &[Vec<Point>; 2], place: fn(Point) -> Point| {
            let inner = one[1..].iter().chain(&other[1..other.len() - 1]);
            let points = inner.map(|&at| place(at)).collect();
            Stroke::new(stroke.ends, points, one.len() - 2).with(mark)
        };
        vec![
            stroke(&short, coarse),
            stroke(&short, |at| at),
            stroke(&exact, |at| at),
        ]
    }
}

impl<'s> Ground<'s> {
    fn of(sheet: &'s Sheet) -> Option<Self> {
        let (points, paths) = vertices(&sheet.spots, &sheet.lines, &[]);
        let mesh = Triangles::of(&points, &paths)?;
        Some(Self {
            sheet,
            points,
            paths,
            mesh,
        })
    }

    /// The points of a line that divides the face like this.
    fn way(&mut self, joined: &Joined) -> Option<Vec<Point>> {
        let [from, to] = joined.corners;
        if let Some([one, other]) = &joined.around {
            let sheet = self.sheet;
            let live = |corner: &&Corner| {
                let mut corners = sheet.map.corners(**corner).into_iter();
                corners.any(|corner| sheet.lives(sheet.map.spot(corner)) > 0)
            };
            let groups = [one, other].map(|side| {
                let side = side.iter().filter(live);
                side.map(|corner| (*corner, sheet.boundary(*corner)))
                    .collect::<Vec<_>>()
            });
            // The darts of the boundary up to the other corner, and those from there.
            let mut before = sheet.boundary(from);
            let is_other = |&dart: &usize| from != to && Corner::Before(dart) == to;
            let other = before.iter().position(is_other);
            let after = other.map(|other| before.split_off(other));
            let rims = match after {
                Some(after) => [after, before],
                None => [before, Vec::new()],
            };
            if from == to {
                return self.looped(from, groups, &rims);
            }
            for (group, rim) in groups.iter().zip(rims) {
                self.tie(
                    group,
                    Ports {
                        darts: rim,
                        spot: None,
                    },
                )?;
            }
        }
        let from = self.sector(from);
        let to = self.sector(to);
        self.shortest(&from, &to)
    }

    /// Shortens a way. A point is removed if the triangle that it forms with its neighbours contains no other point.
    fn shortened(&self, mut way: Vec<Point>) -> Vec<Point> {
        let mut is_shorter = true;
        while way.len() > FEW && is_shorter {
            is_shorter = false;
            let mut k = 1;
            while k + 1 < way.len() && way.len() > 3 {
                let corners = [way[k - 1], way[k], way[k + 1]];
                let mut all = self.mesh.points.iter().chain(&way);
                if !all.any(|point| !corners.contains(point) && is_within(corners, *point)) {
                    way.remove(k);
                    is_shorter = true;
                }
                // At most every other point is removed in a pass, so that the way does not become tight.
                k += 1;
            }
        }
        way
    }

    /// The points of a loop. The first group is on the side of the rim, if there is one.
    fn looped(
        &mut self,
        corner: Corner,
        groups: [Vec<(Corner, Vec<usize>)>; 2],
        rims: &[Vec<usize>; 2],
    ) -> Option<Vec<Point>> {
        let has_rim = !rims[0].is_empty();
        let [outer, inner] = groups;
        if inner.is_empty() || (!has_rim && outer.is_empty()) {
            return self.small_loop(corner);
        }
        let spot = self.sheet.map.spot(corner);
        // The inner ones hang on the spot by one line.
        let sector = self.sector(corner);
        let inside = self.hang(&inner, &sector)?;
        let outside = if has_rim {
            self.tie(
                &outer,
                Ports {
                    darts: rims[0].clone(),
                    spot: None,
                },
            )?;
            rims[0][0]
        } else {
            // Anywhere else at the spot.
            let around = self.sector(Corner::Isolated(spot));
            self.hang(&outer, &around)?
        };
        let from = self.fan(self.paths[inside][0], self.paths[inside][1]);
        let to = self.fan(self.paths[outside][0], self.paths[outside][1]);
        self.shortest(&from, &to)
    }

    /// A loop around nothing, in the widest triangle of a corner.
    fn small_loop(&self, corner: Corner) -> Option<Vec<Point>> {
        let size = |&(triangle, vertex): &Port| {
            let others = self.mesh.others(triangle, vertex);
            let [b, c] = others.map(|other| self.at(other));
            area(self.at(vertex), b, c)
        };
        let sector = self.sector(corner).into_iter();
        let (triangle, vertex) = sector.max_by(|a, b| size(a).total_cmp(&size(b)))?;
        let a = self.at(vertex);
        let [b, c] = self.mesh.others(triangle, vertex).map(|other| {
            let way = self.at(other) - a;
            a + way * (130.0 / way.length()).min(0.6)
        });
        let inside = |one: f64, other: f64| a + (b - a) * one + (c - a) * other;
        Some(vec![
            a,
            inside(0.5, 0.12),
            inside(0.62, 0.3),
            inside(0.46, 0.46),
            inside(0.3, 0.62),
            inside(0.12, 0.5),
            a,
        ])
    }

    /// Ties boundaries to darts, one after the other. Later ones can be tied to earlier ones.
    fn tie(&mut self, group: &[(Corner, Vec<usize>)], mut to: Ports) -> Option<()> {
        let mut left: Vec<&(Corner, Vec<usize>)> = group.iter().collect();
        while let Some(next) = left.pop() {
            let from = self.ports(&Ports::of(next));
            let goals = self.ports(&to);
            let tied = self.connect(&from, &goals)?;
            to.darts.extend([tied, tied + 1]);
            to.darts.extend(&next.1);
        }
        Some(())
    }

    /// Hangs boundaries on a spot by one line. Returns the dart of that line that leaves the spot.
    fn hang(&mut self, group: &[(Corner, Vec<usize>)], sector: &[Port]) -> Option<usize> {
        let (first, rest) = group.split_first()?;
        let from = self.ports(&Ports::of(first));
        let tied = self.connect(sector, &from)?;
        let mut to = Ports::of(first);
        to.spot = None;
        // Only the line and what hangs on it can be tied to: a line at the spot would divide its corner once more.
        to.darts.extend([tied, tied + 1]);
        self.tie(rest, to)?;
        Some(tied)
    }

    /// Draws a temporary line. Returns its first dart.
    fn connect(&mut self, from: &[Port], to: &[Port]) -> Option<usize> {
        let way = self.shortest(from, to)?;
        let find = |at: Point| self.mesh.points.iter().position(|&point| point == at);
        let (start, end) = (find(way[0])?, find(*way.last()?)?);
        let first = FRAME + self.points.len();
        // A point in the middle, to which other lines can be tied.
        let inner: Vec<Point> = match &way[1..way.len() - 1] {
            [] => vec![snapped(way[0].toward(way[1], 0.5))],
            inner => inner.iter().map(|&at| snapped(at)).collect(),
        };
        let mut path = vec![start];
        path.extend(first..first + inner.len());
        path.push(end);
        self.points.extend(inner);
        let back = path.iter().rev().copied().collect();
        self.paths.extend([path, back]);
        self.mesh = Triangles::of(&self.points, &self.paths)?;
        Some(self.paths.len() - 2)
    }
}

/// Places where lines can be tied: on the left of darts, and around a spot.
pub(super) struct Ports {
    pub(super) darts: Vec<usize>,
    pub(super) spot: Option<usize>,
}

impl Ports {
    fn of((corner, darts): &(Corner, Vec<usize>)) -> Self {
        let spot = match corner {
            Corner::Isolated(spot) => Some(*spot),
            Corner::Before(_) => None,
        };
        Self {
            darts: darts.clone(),
            spot,
        }
    }
}
