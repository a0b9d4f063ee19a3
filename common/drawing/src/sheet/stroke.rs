//! A line that was drawn by hand.

use super::{Mark, Revision, Sheet, Stroke};
use crate::paper::{Line, SIDE, is_on_paper};
use crate::point::{Point, meeting, segments_cross, segments_meet};

/// The distance from a spot within which a hand can begin or end a line.
const REACH: f64 = 44.0;

/// Within this distance of its spots a line is straight.
const DISC: f64 = 15.0;

/// A hand's line is refused if it is nearer than this to a spot that is not one of its ends: one could not see on which
/// side it passes.
const OVER: f64 = 11.0;

/// Farther than this from a spot, a line has left it.
const LEFT: f64 = 44.0;

/// A loop that stays nearer to its spot than [`LEFT`] is too small if there is room for one that gets this far.
const LARGER: f64 = 1.25 * LEFT;

/// The distance between points when a hand's line is smoothed, the number of points on either side that count, and the
/// maximum distance by which a point moves.
const GRID: f64 = 3.0;
const AROUND: usize = 3;
const MOST_SMOOTHED: f64 = 2.5;

/// The distance by which a hand's line is first simplified. It grows until the line has few enough points.
const TOLERANCE: f64 = 1.0;

/// The distance between neighbouring coordinates of a hand's line, which keeps addresses short.
const COARSE: f64 = 0.25;

/// The maximum number of points of a line. A line that leads through a maze needs many.
pub(super) const MOST_POINTS: usize = 400;

/// The maximum number of points of a hand's line, with its ends, before the new spot is added.
const MOST_OF_HAND: usize = 64;

/// Why a line cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum StrokeError {
    /// It begins or ends at no spot.
    #[error("the line has to begin and end at a spot")]
    NoSpot,
    /// A spot, counted from 1, has three lines already, or would have with a loop.
    #[error("spot {0} has no room: each spot takes three lines, and a loop counts twice")]
    Full(usize),
    /// It begins or ends at the end of a cross, counted from 1, which has its line already.
    #[error("spot {0} has no room: the end of a cross takes one line")]
    Taken(usize),
    /// A move of this game does not put that on its line.
    #[error("a move of this game puts something else on its line")]
    Mark,
    /// There is no room for the short line across.
    #[error("there is too little room for a short line across")]
    NoRoom,
    /// It crosses or touches a line between two spots. Of several crossings, this is the first one along the line.
    #[error("the line crosses the one between spot {} and spot {}", spots[0], spots[1])]
    Crosses {
        /// The spots at the ends of the other line, counted from 1.
        spots: [usize; 2],
        /// The place of the crossing on the sheet.
        at: Point,
    },
    /// It crosses or touches itself.
    #[error("the line crosses itself")]
    Itself,
    /// It is a loop that hardly leaves its spot and encloses nothing, although there is room for a larger one.
    #[error("this loop is too small: draw it larger")]
    Small,
    /// It runs over a spot, counted from 1.
    #[error("the line runs over spot {0}")]
    Over(usize),
    /// It is too long, too short, or leaves the sheet.
    #[error("the line is not on the sheet")]
    Outside,
}

impl StrokeError {
    /// The place on the sheet that the reason is about, if it names one.
    pub fn place(&self) -> Option<Point> {
        match self {
            Self::Crosses { at, .. } => Some(*at),
            _ => None,
        }
    }
}

impl Sheet {
    /// The move that a hand drew: from the spot where it began to the spot where it ended. Small loops that enclose
    /// nothing are left out, and the line is smoothed and simplified.
    ///
    /// # Errors
    /// The line cannot be drawn.
    pub fn by_hand(&self, hand: &[Point]) -> Result<Stroke, StrokeError> {
        let spot_at = |point: Option<&Point>| {
            let point = point.ok_or(StrokeError::NoSpot)?;
            let spots = self.spots.iter().enumerate();
            let near = spots
                .filter(|(i, _)| !self.is_middle(*i))
                .map(|(i, spot)| (i, spot.distance(*point)));
            let nearest = near.min_by(|a, b| a.1.total_cmp(&b.1));
            let nearest = nearest.filter(|(_, away)| *away <= REACH);
            nearest.map(|(spot, _)| spot).ok_or(StrokeError::NoSpot)
        };
        let ends = [spot_at(hand.first())?, spot_at(hand.last())?];
        self.can_join(ends)?;
        let [from, to] = ends.map(|end| self.spots[end]);
        // From the first point outside the disc of the first spot to the last one outside the disc of the other.
        let leaves = hand.iter().position(|point| point.distance(from) > DISC);
        let mut way = hand[leaves.unwrap_or(hand.len())..].to_vec();
        while way.last().is_some_and(|point| point.distance(to) <= DISC) {
            way.pop();
        }
        let mut all = vec![from];
        all.extend(way.iter().map(|&point| coarse(point)));
        all.push(to);
        all.dedup();
        let all = self.untangled(&all)?;
        self.runs_over_no_spot(ends, &all)?;
        if self.is_too_small(ends, &all) {
            return Err(StrokeError::Small);
        }
        // Where there is little room, only the line as the hand drew it may fit.
        let smooth = self.halved_by_hand(ends, &smoothed(&all));
        smooth.or_else(|_| self.halved_by_hand(ends, &all))
    }

    /// The move along a line without loops.
    fn halved_by_hand(&self, ends: [usize; 2], line: &[Point]) -> Result<Stroke, StrokeError> {
        let mark = self.game.marks()[0];
        let mut all = simplified(line, TOLERANCE);
        let (from, to) = (line[0], line[line.len() - 1]);
        if all.len() <= 2 {
            // A press without a drag.
            if from == to {
                return Err(StrokeError::Outside);
            }
            all.insert(1, coarse(from.toward(to, 0.5)));
        }
        let points = all[1..all.len() - 1].to_vec();
        // The new spot is in the middle of the line. Rounding may have moved that point onto another line.
        let stroke = Stroke::halved(ends, [from, to], points.clone()).with(mark);
        if self.can_be_drawn(&stroke).is_ok() {
            return Ok(stroke);
        }
        let stroke = Stroke::through(ends, [from, to], points).with(mark);
        self.can_be_drawn(&stroke)?;
        Ok(stroke)
    }

    /// Checks that a hand's line keeps away from all spots but those at its ends, and from these once it has left them.
    fn runs_over_no_spot(&self, ends: [usize; 2], line: &[Point]) -> Result<(), StrokeError> {
        let points = line.to_vec();
        let line = Line { ends, points };
        let mut spots = self.spots.iter().enumerate();
        match spots.find(|&(i, at)| line.distance_beyond(i, *at, LEFT) < OVER) {
            Some((i, _)) => Err(StrokeError::Over(i + 1)),
            None => Ok(()),
        }
    }

    /// Whether a line is a loop around nothing that hardly leaves its spot, and there is room for the same loop drawn
    /// larger. Where there is none, a small loop is the only one.
    fn is_too_small(&self, ends: [usize; 2], line: &[Point]) -> bool {
        let spot = line[0];
        let reach = line.iter().map(|at| at.distance(spot)).fold(0.0, f64::max);
        if ends[0] != ends[1] || reach > LEFT || reach <= DISC || !self.is_empty(line) {
            return false;
        }
        let larger = |at: &Point| {
            if *at == spot {
                return spot;
            }
            coarse(spot + (*at - spot) * (LARGER / reach))
        };
        let larger: Vec<Point> = line.iter().map(larger).collect();
        self.is_empty(&larger)
            && self.runs_over_no_spot(ends, &larger).is_ok()
            && self.halved_by_hand(ends, &larger).is_ok()
    }

    fn can_join(&self, ends: [usize; 2]) -> Result<(), StrokeError> {
        for (end, needed) in [(ends[0], 1 + usize::from(ends[0] == ends[1])), (ends[1], 1)] {
            if end >= self.spots.len() {
                return Err(StrokeError::NoSpot);
            }
            if self.lives(end) < needed {
                let is_of_cross = self.is_of_cross(end);
                return Err(if is_of_cross {
                    StrokeError::Taken(end + 1)
                } else {
                    StrokeError::Full(end + 1)
                });
            }
        }
        Ok(())
    }

    /// Checks a move, and that a cross on its line has room.
    fn can_be_drawn(&self, stroke: &Stroke) -> Result<(), StrokeError> {
        match stroke.mark {
            Mark::Spot => self.check(stroke),
            Mark::Cross => self.drawn(stroke).map(drop),
        }
    }

    /// Checks that a move is possible as it is drawn.
    pub(super) fn check(&self, stroke: &Stroke) -> Result<(), StrokeError> {
        if !self.game.marks().contains(&stroke.mark) {
            return Err(StrokeError::Mark);
        }
        self.can_join(stroke.ends)?;
        let count = stroke.points.len();
        if count > MOST_POINTS || stroke.spot >= count {
            return Err(StrokeError::Outside);
        }
        self.check_line(stroke.ends, &stroke.points)
    }

    /// Checks that a line through these points is possible as it is drawn.
    pub(super) fn check_line(&self, ends: [usize; 2], points: &[Point]) -> Result<(), StrokeError> {
        self.can_join(ends)?;
        if points.is_empty() || !points.iter().copied().all(is_on_paper) {
            return Err(StrokeError::Outside);
        }
        let [from, to] = ends.map(|end| self.spots[end]);
        let mut all = vec![from];
        all.extend(points);
        all.push(to);
        let steps: Vec<[Point; 2]> = all.windows(2).map(|step| [step[0], step[1]]).collect();
        for (i, &point) in self.spots.iter().enumerate() {
            let free = |step: &&[Point; 2]| {
                let is_end = step.contains(&point) && ends.contains(&i);
                !is_end
                    && segments_meet(**step, [point, point])
                    && point.distance_to_segment(step[0], step[1]) == 0.0
            };
            if steps.iter().any(|step| free(&step)) {
                return Err(StrokeError::Over(i + 1));
            }
        }
        if let Some((line, at)) = self.first_crossing(&steps) {
            let spots = line.ends.map(|end| end + 1);
            return Err(StrokeError::Crosses { spots, at });
        }
        for (i, &step) in steps.iter().enumerate() {
            if step[0] == step[1] {
                return Err(StrokeError::Outside);
            }
            let mut later = steps[i + 1..].iter();
            if later.any(|other| segments_cross(step, *other)) {
                return Err(StrokeError::Itself);
            }
        }
        let mut own: Vec<(f64, f64)> = points.iter().map(|point| (point.x, point.y)).collect();
        own.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let is_spot = |point: &Point| self.spots.contains(point);
        if points.iter().any(is_spot) || own.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(StrokeError::Itself);
        }
        Ok(())
    }

    /// The first place along a new line where it crosses or touches another line, and that line.
    fn first_crossing(&self, steps: &[[Point; 2]]) -> Option<(&Line, Point)> {
        let place = |&step: &[Point; 2], is_last: bool, line: &Line| {
            let old = line.points.windows(2).map(|old| [old[0], old[1]]);
            let crossed = old.filter(|&old| segments_cross(step, old));
            // Two steps of one direction touch in an end of one of them.
            let places = crossed.map(|old| meeting(step, old).unwrap_or(step[1]));
            // Lines that only touch share a point that is not a spot at the end.
            let touched = !is_last && line.points.contains(&step[1]);
            let away = |at: &Point| step[0].distance(*at);
            places
                .chain(touched.then_some(step[1]))
                .min_by(|a, b| away(a).total_cmp(&away(b)))
        };
        steps.iter().enumerate().find_map(|(i, step)| {
            let is_last = i + 1 == steps.len();
            let met = self.lines.iter();
            let met = met.filter_map(|line| Some((line, place(step, is_last, line)?)));
            let away = |(_, at): &(&Line, Point)| step[0].distance(*at);
            met.min_by(|a, b| away(a).total_cmp(&away(b)))
        })
    }
}

impl Stroke {
    /// A line through these points, one of which is the new spot.
    pub(super) fn new(ends: [usize; 2], points: Vec<Point>, spot: usize) -> Self {
        Self {
            ends,
            points,
            spot,
            mark: Mark::Spot,
            is_tidied: false,
            revision: Revision::default(),
        }
    }

    /// The same line with this on it.
    #[must_use]
    pub fn with(self, mark: Mark) -> Self {
        Self { mark, ..self }
    }

    /// A line through these points with the new spot at the one that is nearest to its middle.
    pub(super) fn through(ends: [usize; 2], [from, to]: [Point; 2], points: Vec<Point>) -> Self {
        let spot = middle(from, &points, to);
        Self::new(ends, points, spot)
    }

    /// A line through these points with the new spot in its middle, which becomes one of the points.
    pub(super) fn halved(ends: [usize; 2], [from, to]: [Point; 2], points: Vec<Point>) -> Self {
        let all: Vec<Point> = [&[from][..], &points, &[to]].concat();
        let length: f64 = all.windows(2).map(|step| step[0].distance(step[1])).sum();
        let mut left = length / 2.0;
        for (i, step) in all.windows(2).enumerate() {
            let long = step[0].distance(step[1]);
            if left > long {
                left -= long;
                continue;
            }
            let spot = coarse(step[0].toward(step[1], left / long));
            if [step[0], step[1]]
                .iter()
                .any(|end| end.distance(spot) < 1.0)
            {
                break;
            }
            let mut points = points;
            points.insert(i, spot);
            return Self::new(ends, points, i);
        }
        Self::through(ends, [from, to], points)
    }
}

/// The nearest point with the coordinates of a hand's line, at least 4 from the border.
pub(super) fn coarse(point: Point) -> Point {
    let snap = |value: f64| ((value / COARSE).round() * COARSE).clamp(4.0, SIDE - 4.0);
    Point::new(snap(point.x), snap(point.y))
}

/// The index of the point nearest to the middle of a way.
pub(super) fn middle(from: Point, points: &[Point], to: Point) -> usize {
    let mut so_far = 0.0;
    let mut last = from;
    let mut at = Vec::new();
    for &point in points {
        so_far += last.distance(point);
        at.push(so_far);
        last = point;
    }
    let half = f64::midpoint(so_far, last.distance(to));
    let off = |&i: &usize| (at[i] - half).abs();
    (0..points.len())
        .min_by(|a, b| off(a).total_cmp(&off(b)))
        .unwrap_or(0)
}

/// The line without the trembling of the hand: each point is the mean of the line around it, but moves at most
/// [`MOST_SMOOTHED`].
fn smoothed(line: &[Point]) -> Vec<Point> {
    let mut dense = vec![line[0]];
    for step in line.windows(2) {
        let parts = (step[0].distance(step[1]) / GRID).ceil().max(1.0) as usize;
        dense.extend((1..=parts).map(|i| step[0].toward(step[1], i as f64 / parts as f64)));
    }
    let last = dense.len() - 1;
    let smooth = |i: usize| {
        // The same number of points on both sides, so that the ends stay.
        let reach = AROUND.min(i).min(last - i);
        if reach == 0 {
            return dense[i];
        }
        let around = dense[i - reach..=i + reach].iter();
        let sum = around.fold(Point::default(), |sum, &at| sum + at);
        let way = sum * (1.0 / (2 * reach + 1) as f64) - dense[i];
        coarse(dense[i] + way * (MOST_SMOOTHED / way.length().max(MOST_SMOOTHED)))
    };
    let mut line: Vec<Point> = (0..=last).map(smooth).collect();
    line.dedup();
    line
}

/// The line, simplified (Ramer, Douglas and Peucker) to at most [`MOST_OF_HAND`] points.
pub(super) fn simplified(line: &[Point], tolerance: f64) -> Vec<Point> {
    let mut tolerance = tolerance;
    loop {
        let mut kept = vec![false; line.len()];
        kept[0] = true;
        kept[line.len() - 1] = true;
        let far = (0..line.len()).max_by(|&a, &b| {
            line[a]
                .distance(line[0])
                .total_cmp(&line[b].distance(line[0]))
        });
        // A closed line is divided at its farthest point.
        let far = far.filter(|_| line[0] == line[line.len() - 1]);
        let mut open = match far {
            Some(far) => {
                kept[far] = true;
                vec![(0, far), (far, line.len() - 1)]
            }
            None => vec![(0, line.len() - 1)],
        };
        while let Some((from, to)) = open.pop() {
            let off = |&i: &usize| line[i].distance_to_segment(line[from], line[to]);
            let farthest = (from + 1..to).max_by(|a, b| off(a).total_cmp(&off(b)));
            if let Some(i) = farthest.filter(|i| off(i) > tolerance) {
                kept[i] = true;
                open.extend([(from, i), (i, to)]);
            }
        }
        let simple: Vec<Point> = line
            .iter()
            .zip(kept)
            .filter(|(_, kept)| *kept)
            .map(|(point, _)| *point)
            .collect();
        if simple.len() <= MOST_OF_HAND {
            return simple;
        }
        tolerance *= 1.5;
    }
}
