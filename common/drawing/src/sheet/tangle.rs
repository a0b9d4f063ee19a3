//! A hand's line that crosses itself.
//!
//! A hand crosses its own line for three reasons. It trembles or curls: the small loop encloses nothing, and is left
//! out. It closes a loop and overshoots the start: what comes after the crossing is left out, and the line goes
//! straight home. Or it means nothing that is a move: the line is refused. No loop that encloses a spot or a line is
//! ever left out, since that would be another move.

use super::{Sheet, StrokeError};
use crate::paper::Line;
use crate::point::{Point, distance_to_line, encloses, length, meeting, segments_meet};

use super::stroke::coarse;

/// The maximum width and height of a loop that is left out.
const SMALL: f64 = 64.0;

/// A loop that is narrower than this comes from the trembling of a hand and is not counted.
const TREMBLE: f64 = 12.0;

/// The maximum number of loops that are left out. A line with more is a scribble.
const MOST_LOOPS: usize = 3;

/// The maximum distance of what comes after the start of a loop was crossed from what came before.
const OVERSHOOT: f64 = 100.0;

/// The distance between the way home and the line along which it leads, and the part of the line before the crossing
/// that is left out.
const BESIDE: f64 = 7.0;

impl Sheet {
    /// A line from spot to spot that does not cross itself.
    ///
    /// # Errors
    /// The line crosses itself in a way that is no slip of the hand.
    pub(super) fn untangled(&self, line: &[Point]) -> Result<Vec<Point>, StrokeError> {
        let mut loops = 0;
        let mut kept: Vec<Point> = Vec::new();
        for (k, &point) in line.iter().enumerate() {
            while let Some((i, at)) = first_crossing(&kept, point, line) {
                if let Some(closed) = self.closed(&kept, i, at, &line[k..]) {
                    return Ok(closed);
                }
                let polygon = [&[at], &kept[i + 1..]].concat();
                let [width, height] = size(&polygon);
                if width.max(height) > SMALL || !self.is_empty(&polygon) {
                    return Err(StrokeError::Itself);
                }
                loops += usize::from(width.max(height) > TREMBLE);
                if loops > MOST_LOOPS {
                    return Err(StrokeError::Itself);
                }
                kept.truncate(i + 1);
                let at = coarse(at);
                if kept.last() == Some(&at) {
                    break;
                }
                kept.push(at);
            }
            if kept.last() != Some(&point) {
                kept.push(point);
            }
        }
        Ok(kept)
    }

    /// A loop that was closed by crossing its own start at `at`, in step `i`: without the rest of the line, which leads
    /// back to the spot. `None` if this is not such a loop.
    fn closed(&self, kept: &[Point], i: usize, at: Point, rest: &[Point]) -> Option<Vec<Point>> {
        let home = kept[0];
        if rest.last() != Some(&home) {
            return None;
        }
        let head = [&kept[..=i], &[at]].concat();
        let tail = [&[at], rest].concat();
        let body = [&[at], &kept[i + 1..], &[at]].concat();
        let is_beside = |point: &Point| distance_to_line(*point, &head) < OVERSHOOT;
        let is_slip = length(&tail) < length(&body) / 2.0 && tail.iter().all(is_beside);
        let between = [&head[..], &tail[1..]].concat();
        if !is_slip || !self.is_empty(&between) {
            return None;
        }
        // The line comes to the crossing from one side of the head, and goes home on this side.
        let mut body = kept[i + 1..].to_vec();
        while body.len() > 2 && distance_to_line(*body.last()?, &head) < BESIDE {
            body.pop();
        }
        let near = *body.last()?;
        let start = *kept.get(i)?;
        let side = (at - start).cross(near - start).signum();
        let mut way: Vec<Point> = Vec::new();
        for (k, step) in head.windows(2).enumerate() {
            let along = step[1] - step[0];
            let aside = Point::new(-along.y, along.x) * (side * BESIDE / along.length());
            // It is one line at the spot itself.
            if k > 0 {
                way.push(coarse(step[0] + aside));
            }
            way.push(coarse(step[0].toward(step[1], 0.6) + aside));
        }
        way.reverse();
        way.push(home);
        let all = [&kept[..=i], &body, &way].concat();
        let straight = [&kept[..=i], &body, &[home]].concat();
        [straight, all].into_iter().find(|all| {
            let crosses = |end: usize| first_crossing(&all[..end], all[end], all).is_some();
            !(1..all.len()).any(crosses)
                && self.is_empty(&[&all[all.len() - 2..], &head[1..]].concat())
        })
    }

    /// Whether a polygon encloses no spot and no part of a line, and none of its sides crosses a line. Spots on it do
    /// not count.
    pub(super) fn is_empty(&self, polygon: &[Point]) -> bool {
        let is_free = |point: &Point| polygon.contains(point) || !encloses(polygon, *point);
        let sides: Vec<[Point; 2]> = (0..polygon.len())
            .map(|i| [polygon[i], polygon[(i + 1) % polygon.len()]])
            .collect();
        let is_apart = |line: &Line| {
            line.inner().iter().all(is_free)
                && line.points.windows(2).all(|step| {
                    let meets = |side: &[Point; 2]| {
                        !step.iter().any(|end| side.contains(end))
                            && segments_meet(*side, [step[0], step[1]])
                    };
                    !sides.iter().any(meets)
                })
        };
        self.spots.iter().all(is_free) && self.lines.iter().all(is_apart)
    }
}

/// The first step of a line that the step to `point` crosses, and where. The end of a loop may meet its beginning.
fn first_crossing(kept: &[Point], point: Point, line: &[Point]) -> Option<(usize, Point)> {
    let &last = kept.last()?;
    let is_end = |i: usize| i == 0 && point == kept[0] && line.last() == Some(&point);
    let steps = kept.windows(2).take(kept.len().saturating_sub(2));
    let mut found = steps
        .enumerate()
        .filter(|(i, _)| !is_end(*i))
        .filter_map(|(i, step)| meeting([step[0], step[1]], [last, point]).map(|at| (i, at)));
    let first = found.next()?;
    // Of several, the one that is met first.
    let nearer =
        |a: &(usize, Point), b: &(usize, Point)| last.distance(a.1).total_cmp(&last.distance(b.1));
    std::iter::once(first).chain(found).min_by(nearer)
}

fn size(points: &[Point]) -> [f64; 2] {
    let extent = |axis: fn(&Point) -> f64| {
        let values = points.iter().map(axis);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
            (low.min(at), high.max(at))
        });
        high - low
    };
    [extent(|at| at.x), extent(|at| at.y)]
}
