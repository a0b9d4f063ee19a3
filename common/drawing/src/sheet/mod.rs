//! A match on one sheet of paper: the drawing stays, and each move adds a line to it.
//!
//! A [`Sheet`] is the planar map as it was played: spots with their places, in the order in which they were drawn,
//! and lines as polylines. Spots that can take no more lines stay. A move is a line from spot to spot; a new spot
//! divides it into two. After a move the drawing is evened out: lines bend, but never cross.
//!
//! Coordinates are multiples of [`GRAIN`], so that "left or right of a line" is decided exactly.
//!
//! - here: the data, and moves;
//! - `faces`: the planar map that the drawing is, which the rules engine checks and names;
//! - `triangles`: a triangulation with the lines as edges;
//! - `route`: a line that leads to a given position; `ways`: shortest ways;
//! - `stroke`: a line that was drawn by hand;
//! - `edit`: a drawing that is made freely; `rooms`: where there is room for a spot; `given`: the drawing of a position;
//! - `tidy`: evening out;
//! - `code`: a match as text; `picture`: the sheet as SVG.

mod code;
mod edit;
mod faces;
mod given;
mod picture;
mod rooms;
mod route;
mod stroke;
mod tidy;
mod triangles;
mod ways;

pub use code::{CodeError, hand};
pub use edit::{Edit, EditError};
pub use given::MOST_DRAWN;
pub use picture::SheetPicture;
pub use rooms::Room;
pub use route::Choice;
pub use stroke::StrokeError;

use crate::point::{Point, area};
use sproutnet_game::{Game, Position, Sprouts};

/// The side of the square sheet.
pub const SIDE: f64 = 1024.0;

/// The distance between neighbouring coordinates, 2⁻¹⁴: products of differences are exact in 53 bits.
const GRAIN: f64 = 1.0 / 16384.0;

/// The maximum number of spots at the start.
pub const MOST_SPOTS: usize = 12;

/// The most lines of a spot.
const MOST_LINES: usize = 3;

/// The distance that spots and lines keep from the border.
const MARGIN: f64 = 24.0;

/// No point is nearer to the border than this.
const EDGE: f64 = 0.5;

/// The radius of the circle on which a match begins, as a part of the side.
const CIRCLE: f64 = 0.3;

/// A match as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    spots: Vec<Point>,
    lines: Vec<Line>,
    /// The number of spots at the start.
    start: usize,
    /// The number of lines at the start.
    given: usize,
}

/// A line between two spots, without any other on it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    /// The spots at its ends.
    ends: [usize; 2],
    /// Its points, with those of the spots.
    points: Vec<Point>,
}

/// A move: a line from spot to spot, and where on it the new spot is.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// The spots at its ends, counted from 0.
    pub ends: [usize; 2],
    /// The points between the two spots.
    pub points: Vec<Point>,
    /// The index of the new spot among the points.
    pub spot: usize,
}

impl Sheet {
    /// A sheet with so many spots, at most [`MOST_SPOTS`], and no line.
    pub fn start(spots: usize) -> Self {
        let centre = Point::new(SIDE / 2.0, SIDE / 2.0);
        let radius = if spots == 1 { 0.0 } else { CIRCLE * SIDE };
        let at = |i: usize| {
            let turn = std::f64::consts::TAU * (i as f64 / spots as f64 - 0.25);
            snapped(centre + Point::at_angle(turn) * radius)
        };
        Self {
            spots: (0..spots).map(at).collect(),
            lines: Vec::new(),
            start: spots,
            given: 0,
        }
    }

    /// The places of the spots, in the order in which they were drawn.
    pub fn spots(&self) -> &[Point] {
        &self.spots
    }

    /// The number of spots at the start.
    pub fn spots_at_start(&self) -> usize {
        self.start
    }

    /// The number of moves so far.
    pub fn moves(&self) -> usize {
        self.spots.len() - self.start
    }

    /// The polylines between spots.
    pub fn lines(&self) -> impl Iterator<Item = &[Point]> {
        self.lines.iter().map(|line| &line.points[..])
    }

    /// The spots at the ends of each line, in the order of [`Sheet::lines`].
    pub fn ends(&self) -> impl Iterator<Item = [usize; 2]> {
        self.lines.iter().map(|line| line.ends)
    }

    /// The lines that a spot can still take.
    pub fn lives(&self, spot: usize) -> usize {
        let ends = self.lines.iter().flat_map(|line| line.ends);
        MOST_LINES - ends.filter(|&end| end == spot).count()
    }

    /// The spots at which a line from this one can end: itself too if a loop can be drawn. Spots that have a
    /// line left and lie at the same face can always be joined.
    pub fn partners(&self, spot: usize) -> Vec<usize> {
        let mut partners: Vec<usize> = self
            .spots_of_faces()
            .into_iter()
            .filter(|spots| spots.contains(&spot))
            .flatten()
            .filter(|&other| {
                let needed = if other == spot { 2 } else { 1 };
                self.lives(spot) > 0 && self.lives(other) >= needed
            })
            .collect();
        partners.sort_unstable();
        partners.dedup();
        partners
    }

    /// Whether no line can be drawn any more.
    pub fn is_over(&self) -> bool {
        (0..self.spots.len()).all(|spot| self.partners(spot).is_empty())
    }

    /// The text of all that is drawn, with spots and regions in which nothing more can be drawn.
    ///
    /// # Panics
    /// Never: the lines of a sheet do not cross, so it is a planar map.
    pub fn text(&self) -> String {
        let map = self.planar().expect("lines that do not cross are a map");
        map.text()
    }

    /// The position in canonical form.
    ///
    /// # Panics
    /// Never: the text of a planar map is a position.
    pub fn position(&self) -> Position {
        Sprouts.parse(&self.text()).expect("a map is a position")
    }

    /// The sheet after a move, with the lines as they are.
    ///
    /// # Errors
    /// Why the line cannot be drawn.
    pub fn drawn(&self, stroke: &Stroke) -> Result<Self, StrokeError> {
        self.check(stroke)?;
        let [from, to] = stroke.ends.map(|end| self.spots[end]);
        let mut sheet = self.clone();
        let points = [&[from][..], &stroke.points, &[to]].concat();
        sheet.add_divided(stroke.ends, &points, 1 + stroke.spot)?;
        Ok(sheet)
    }

    /// Adds a line with a new spot on it: its points, with those of the spots at its ends, and the index of the new
    /// one among them.
    fn add_divided(
        &mut self,
        [from, to]: [usize; 2],
        points: &[Point],
        index: usize,
    ) -> Result<(), StrokeError> {
        let spot = self.spots.len();
        self.spots.push(points[index]);
        let halves = [
            ([from, spot], &points[..=index]),
            ([spot, to], &points[index..]),
        ];
        for (ends, points) in halves {
            let mut points = points.to_vec();
            // Each line has a point of its own, which other lines can be led around.
            if let [one, other] = points[..] {
                points.insert(1, snapped(one.toward(other, 0.5)));
            }
            self.lines.push(Line { ends, points });
        }
        // Two lines that touch at the place of a spot would share it.
        self.planar().map_err(|_| StrokeError::Itself)?;
        Ok(())
    }

    /// The sheet after a move, evened out.
    ///
    /// # Errors
    /// Why the line cannot be drawn.
    pub fn play(&self, stroke: &Stroke) -> Result<Self, StrokeError> {
        let mut sheet = self.drawn(stroke)?;
        sheet.tidy();
        Ok(sheet)
    }
}

/// The nearest point with coordinates of the sheet. A line may be led along the border, where it is pushed inwards.
fn snapped(point: Point) -> Point {
    snapped_within(point, EDGE)
}

/// The nearest point with coordinates of the sheet that has at least this distance from the border.
fn snapped_within(point: Point, distance: f64) -> Point {
    let snap = |value: f64| {
        let inside = value.clamp(distance, SIDE - distance);
        (inside / GRAIN).round() * GRAIN
    };
    Point::new(snap(point.x), snap(point.y))
}

/// Whether a triangle contains a point.
fn is_within([a, b, c]: [Point; 3], point: Point) -> bool {
    let sign = if area(a, b, c) < 0.0 { -1.0 } else { 1.0 };
    [(a, b), (b, c), (c, a)]
        .iter()
        .all(|&(from, to)| sign * area(from, to, point) >= 0.0)
}

/// Whether two segments have a point in common that is not an end of both.
fn segments_cross(a: [Point; 2], b: [Point; 2]) -> bool {
    let shared: Vec<Point> = a.into_iter().filter(|end| b.contains(end)).collect();
    match shared[..] {
        [] => crate::point::segments_meet(a, b),
        [end] => {
            // They overlap if they leave the common end in the same direction.
            let far = |of: [Point; 2]| if of[0] == end { of[1] } else { of[0] };
            let (one, other) = (far(a), far(b));
            area(end, one, other) == 0.0 && (one - end).dot(other - end) > 0.0
        }
        _ => true,
    }
}
