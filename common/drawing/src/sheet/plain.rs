//! Plain lines: a straight line or an arc where nothing is in its way, and a line that is pulled taut where there is.

use super::stroke::coarse;
use super::{Mark, Sheet, Stroke};
use crate::point::{Point, distance_to_line, encloses};
use crate::tight::{MOST_SHARE, Measured, UNREADABLE};

/// The heights of the arcs that are tried, as shares of the distance between their ends. On either side.
const HEIGHTS: [f64; 7] = [0.0, 0.08, 0.16, 0.26, 0.38, 0.52, 0.7];

/// A plain line leaves a spot at least at this angle from all other lines there, in radians.
const LEAST_ANGLE: f64 = 0.35;

/// Two lines with the same ends are at least so far apart somewhere.
const APART: f64 = 26.0;

/// The distance between the points of an arc.
const SPACING: f64 = 26.0;

/// The distances that taut lines and loops keep from everything, the widest first.
pub(super) const CLEAR: [f64; 4] = [56.0, 44.0, 34.0, 26.0];

/// Near a spot at its end, a taut line keeps these shares of the distance from the spot: from everything, and from lines
/// that end there as well.
const BESIDE_END: f64 = 0.6;
const FORKED: f64 = 0.3;

/// The distance between the points of a taut line at which its distances are measured.
const FINE: f64 = 9.0;

/// How often the corners of a taut line are cut off.
const CUTS: usize = 3;

/// The weight of distances that are missing for a drawing to be read.
const OF_UNREADABLE: f64 = 100.0;

/// The missing distances of a drawing may grow by this: the coordinates are rounded.
const ROUNDING: f64 = 0.5;

impl Sheet {
    /// The flattest arc between two spots for a move that `fits`. `None` if each would be too near to something.
    pub(super) fn arc(
        &self,
        ends: [usize; 2],
        mark: Mark,
        fits: impl Fn(&Self) -> bool,
    ) -> Option<Stroke> {
        let [from, to] = ends.map(|end| self.spots[end]);
        if from == to {
            return None;
        }
        let missing = self.most_missing();
        let heights = HEIGHTS.iter().flat_map(|&height| [height, -height]);
        let mut strokes = heights.skip(1).filter_map(|height| {
            let stroke = Stroke::halved(ends, [from, to], arc(from, to, height)).with(mark);
            let drawn = self.drawn(&stroke).ok()?;
            let is_plain = fits(&drawn) && drawn.is_plain(missing) && self.stays_readable(&stroke);
            is_plain.then_some(stroke)
        });
        strokes.next()
    }

    /// The same move with a line that is pulled taut, as far as it keeps away from everything else.
    pub(super) fn taut(&self, stroke: Stroke, fits: impl Fn(&Self) -> bool) -> Stroke {
        let Ok(loose) = self.drawn(&stroke) else {
            return stroke;
        };
        let missing = loose.most_missing();
        let ends = stroke.ends;
        let [from, to] = ends.map(|end| self.spots[end]);
        let way = [&[from][..], &stroke.points, &[to]].concat();
        let way = spaced(&way, FINE);
        let plain = CLEAR.iter().find_map(|&clear| {
            let corners = self.pulled(&way, ends, clear);
            // A loop around nothing shrinks to its spot.
            if from == to && corners.len() < 4 {
                return None;
            }
            let line = spaced(&rounded(corners), SPACING);
            let mut points: Vec<Point> = line[1..line.len() - 1]
                .iter()
                .map(|&at| coarse(at))
                .collect();
            points.dedup();
            let plain = Stroke::halved(ends, [from, to], points).with(stroke.mark);
            let drawn = self.drawn(&plain).ok()?;
            (fits(&drawn) && drawn.is_plain(missing)).then_some(plain)
        });
        plain.unwrap_or(stroke)
    }

    /// The corners of a way after it is pulled taut: it never comes nearer to anything than `clear`, or than it is.
    fn pulled(&self, way: &[Point], ends: [usize; 2], clear: f64) -> Vec<Point> {
        let mut corners = vec![way[0]];
        let mut start = 0;
        while start + 1 < way.len() {
            let mut next = start + 1;
            while next + 1 < way.len() && self.is_free(&way[start..=next + 1], ends, clear) {
                next += 1;
            }
            corners.push(way[next]);
            start = next;
        }
        corners
    }

    /// Whether a part of a way can be replaced by a segment.
    fn is_free(&self, part: &[Point], ends: [usize; 2], clear: f64) -> bool {
        let (from, to) = (part[0], part[part.len() - 1]);
        let count = (from.distance(to) / FINE).ceil().max(1.0) as usize;
        let mut between = (1..count).map(|i| from.toward(to, i as f64 / count as f64));
        let inside = |point: &Point| !part.contains(point) && encloses(part, *point);
        between.all(|at| self.is_clear(at, ends, clear))
            && !self.spots.iter().any(inside)
            && !self.lines.iter().any(|line| line.points.iter().any(inside))
    }

    /// Whether a point of a line between these spots is this far from everything.
    pub(super) fn is_clear(&self, at: Point, ends: [usize; 2], clear: f64) -> bool {
        let near_ends = ends.map(|end| self.spots[end].distance(at));
        let clear = clear.min(BESIDE_END * near_ends[0].min(near_ends[1]));
        let spots = self.spots.iter().enumerate();
        let mut others = spots.filter(|(spot, _)| !ends.contains(spot));
        let mut lines = self.lines.iter();
        others.all(|(_, spot)| spot.distance(at) >= clear)
            && lines.all(|line| {
                let shared = ends.iter().zip(near_ends);
                let shared = shared.filter(|(end, _)| line.ends.contains(end));
                let wanted = shared.fold(clear, |wanted, (_, near)| wanted.min(FORKED * near));
                let mut steps = line.points.windows(2);
                steps.all(|step| at.distance_to_segment(step[0], step[1]) >= wanted)
            })
    }

    /// Whether the last line needs no room: no more than `most` distances are missing, and it can be told from the
    /// lines with which it shares a spot.
    pub(super) fn is_plain(&self, most: f64) -> bool {
        let Some(&[_, line]) = self.made.last() else {
            return false;
        };
        let is_apart = |last: usize| {
            let twin = |other: &usize| {
                let [one, two] = self.lines[*other].ends;
                *other != last && [[one, two], [two, one]].contains(&self.lines[last].ends)
            };
            let apart = |other: usize| {
                let [one, two] = [last, other].map(|line| &self.lines[line].points);
                let off = one.iter().map(|&at| distance_to_line(at, two));
                off.fold(0.0, f64::max) >= APART
            };
            (0..self.lines.len()).filter(twin).all(apart)
        };
        let halves = [line, line + 1];
        halves.into_iter().all(is_apart)
            && halves
                .iter()
                .flat_map(|line| [2 * line, 2 * line + 1])
                .all(|dart| self.least_angle(dart) >= LEAST_ANGLE)
            && self.missing() <= most
    }

    /// The least angle between a dart and the others that leave its spot, in radians.
    fn least_angle(&self, dart: usize) -> f64 {
        let way = |dart: usize| {
            let along = self.along(dart);
            // A line has at least one point between its ends.
            along[1] - along[0]
        };
        let own = way(dart);
        let others = (0..2 * self.lines.len())
            .filter(|&other| other != dart && self.origin(other) == self.origin(dart));
        let angle = |other: usize| {
            let other = way(other);
            own.cross(other).atan2(own.dot(other)).abs()
        };
        others.map(angle).fold(f64::INFINITY, f64::min)
    }

    /// Whether the drawing after a move is as readable as before, and no curves cross.
    pub(super) fn stays_readable(&self, stroke: &Stroke) -> bool {
        self.unreadable_after(stroke) <= self.missing_at(UNREADABLE)
    }

    /// What the drawing after a move lacks to be read. Infinite if curves cross.
    pub(super) fn unreadable_after(&self, stroke: &Stroke) -> f64 {
        let after = self.play(stroke);
        after.map_or(f64::INFINITY, |after| after.unreadable())
    }

    /// What the drawing lacks to be read. Infinite if curves cross.
    pub(super) fn unreadable(&self) -> f64 {
        if self.has_crossing_curves() {
            f64::INFINITY
        } else {
            self.missing_at(UNREADABLE)
        }
    }

    /// Whether two lines cross where they are drawn as smooth curves.
    fn has_crossing_curves(&self) -> bool {
        let curves = self.curves();
        let steps = curves.iter().flat_map(|curve| curve.windows(2));
        let mut steps: Vec<[Point; 2]> = steps.map(|step| [step[0], step[1]]).collect();
        let left = |step: &[Point; 2]| step[0].x.min(step[1].x);
        steps.sort_unstable_by(|a, b| left(a).total_cmp(&left(b)));
        let side = |a: [Point; 2], at: Point| (a[1] - a[0]).cross(at - a[0]);
        let crosses = |a: [Point; 2], b: [Point; 2]| {
            side(a, b[0]) * side(a, b[1]) < 0.0 && side(b, a[0]) * side(b, a[1]) < 0.0
        };
        steps.iter().enumerate().any(|(i, &one)| {
            let right = one[0].x.max(one[1].x);
            let mut beside = steps[i + 1..].iter().take_while(|step| left(step) <= right);
            beside.any(|&other| crosses(one, other))
        })
    }

    /// The sum of the distances that may be missing after a move that needs no more room.
    pub(super) fn most_missing(&self) -> f64 {
        self.missing() + ROUNDING
    }

    /// The sum of the distances that are missing where the drawing is tight. What cannot be read counts much more.
    fn missing(&self) -> f64 {
        self.missing_at(MOST_SHARE) + OF_UNREADABLE * self.missing_at(UNREADABLE)
    }

    /// The sum of what is missing to a share of the wanted distances.
    pub(super) fn missing_at(&self, share: f64) -> f64 {
        let measured = Measured {
            spots: &self.spots,
            lines: &self.lines,
            live: &self.rims_of_live_faces(),
            returns: true,
        };
        let tight = measured.tight_places(share);
        tight.iter().map(|(_, missing)| missing).sum()
    }
}

/// The points of an arc between two points, without its ends. The height is a share of their distance.
fn arc(from: Point, to: Point, height: f64) -> Vec<Point> {
    let chord = to - from;
    let across = Point::new(-chord.y, chord.x);
    // The circle through both ends and the top of the arc, from its middle on the line across the chord.
    let parts = ((chord.length() * (1.0 + 2.0 * height * height) / SPACING).ceil() as usize).max(2);
    let at = |i: usize| {
        let part = i as f64 / parts as f64;
        let place = if height == 0.0 {
            from.toward(to, part)
        } else {
            // Half the angle of the arc; its radius is 1 / (2 sin) of the chord.
            let half = 2.0 * (2.0 * height).atan();
            let turn = half * (2.0 * part - 1.0);
            let radius = 0.5 / half.sin();
            let along = 0.5 + radius * turn.sin();
            let up = radius * (turn.cos() - half.cos());
            from + chord * along + across * up
        };
        coarse(place)
    };
    let mut points: Vec<Point> = (1..parts).map(at).collect();
    points.dedup();
    points
}

/// A way with points at this distance from each other, besides its own corners.
fn spaced(way: &[Point], spacing: f64) -> Vec<Point> {
    let mut dense = vec![way[0]];
    for step in way.windows(2) {
        let parts = (step[0].distance(step[1]) / spacing).ceil().max(1.0) as usize;
        dense.extend((1..=parts).map(|i| step[0].toward(step[1], i as f64 / parts as f64)));
    }
    dense
}

/// A way with its corners cut off, again and again (Chaikin 1974).
fn rounded(mut way: Vec<Point>) -> Vec<Point> {
    for _ in 0..CUTS {
        let mut round = vec![way[0]];
        for step in way.windows(2) {
            round.extend([0.25, 0.75].map(|part| step[0].toward(step[1], part)));
        }
        round.push(way[way.len() - 1]);
        way = round;
    }
    way
}
