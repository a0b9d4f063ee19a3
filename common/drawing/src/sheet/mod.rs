//! A match on one sheet of paper: the drawing stays, and each move adds a line to it.
//!
//! A [`Sheet`] is the planar map as it was played: spots with their places, in the order in which they were drawn,
//! and lines as polylines. Spots that can take no more lines stay. A move is a line from spot to spot; a new spot
//! divides it into two. The line stays as it was drawn. Where the drawing is tight, lines and spots give way; lines bend,
//! but never cross.
//!
//! - here: the data, and moves;
//! - `crosses`: sheets of the games with crosses; `cross_edits`: crosses in a freely made drawing;
//! - `faces`: the planar map that the drawing is, which the rules engine checks and names;
//! - `route`: a line that leads to a given position; `plain`: arcs, and lines pulled taut; `ovals`: loops;
//!   `ways`: shortest ways;
//! - `stroke`: a line that was drawn by hand; `tangle`: where such a line crosses itself;
//! - `edit`: changes to a freely made drawing; `rooms`: places with room for a spot; `given`: the drawing of a
//!   position;
//! - `code`: a match as text; `picture`: the sheet as SVG; `discs`: how large its spots are.

mod code;
mod cross_edits;
mod crosses;
mod discs;
mod edit;
mod faces;
mod given;
mod ovals;
mod picture;
mod plain;
mod rooms;
mod route;
mod stroke;
mod tangle;
mod ways;

pub use code::{CodeError, hand};
pub use crosses::{MOST_WITH_CROSSES, Mark, SheetGame};
pub use discs::Size;
pub use edit::{Edit, EditError, MOST_LIVES, MOST_MOVES_WITH_CROSSES};
pub use given::MOST_DRAWN;
pub use picture::SheetPicture;
pub use rooms::Room;
pub use route::Choice;
pub use stroke::StrokeError;

pub use crate::clear::Revision;
pub use crate::paper::SIDE;

use crate::clear::Clearing;
use crate::paper::{CENTRE, Line, snapped};
use crate::point::Point;
use crate::relax::Relaxation;
use crosses::Part;
use sproutnet_game::Position;
use sproutnet_game::sprouts::planar::PlanarMap;
use std::collections::BTreeMap;

/// The maximum number of spots at the start.
pub const MOST_SPOTS: usize = 20;

/// The maximum number of lines that end at a spot.
const MOST_LINES: usize = 3;

/// The maximum distance that a spot moves when a drawing is evened out: less than a tenth of the sheet.
const MOST_OF_SPOT: f64 = 80.0;

/// The maximum number of spots that are on one circle at the start of a match. More are on two.
const MOST_ON_A_CIRCLE: usize = 12;

/// The radius of the circle, and those of the two circles, as shares of the side of the sheet.
const CIRCLE: f64 = 0.3;
const OUTER_CIRCLE: f64 = 0.38;
const INNER_CIRCLE: f64 = 0.19;

/// A match as it is drawn.
#[derive(Clone, Debug)]
pub struct Sheet {
    spots: Vec<Point>,
    lines: Vec<Line>,
    /// The number of spots at the start.
    start: usize,
    /// The numbers of spots and lines before each move.
    made: Vec<[usize; 2]>,
    game: SheetGame,
    /// The spots that are parts of crosses.
    crosses: BTreeMap<usize, Part>,
    /// The map of the drawing. Its spots have the same numbers; dart 2i goes along line i, and dart 2i + 1 back. The
    /// first face is the outermost.
    map: PlanarMap,
}

/// The map is not compared: it follows from the lines.
impl PartialEq for Sheet {
    fn eq(&self, other: &Self) -> bool {
        (&self.spots, &self.lines, self.start, &self.made)
            == (&other.spots, &other.lines, other.start, &other.made)
            && (self.game, &self.crosses) == (other.game, &other.crosses)
    }
}

/// A move: a line from spot to spot, and the place of the new spot on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stroke {
    /// The spots at its ends, counted from 0.
    pub ends: [usize; 2],
    /// The points between the two spots.
    pub points: Vec<Point>,
    /// The index of the new spot among the points.
    pub spot: usize,
    /// What is put there.
    pub mark: Mark,
    /// Whether the drawing is evened out after the move.
    pub is_tidied: bool,
    /// The rule by which room is made otherwise.
    pub revision: Revision,
}

impl Sheet {
    /// A sheet with this number of spots, at most [`MOST_SPOTS`], and no lines.
    pub fn start(spots: usize) -> Self {
        let places = match spots {
            1 => vec![CENTRE],
            ..=MOST_ON_A_CIRCLE => circle(spots, CIRCLE),
            _ => {
                let inside = spots / 3;
                let outside = circle(spots - inside, OUTER_CIRCLE);
                [outside, circle(inside, INNER_CIRCLE)].concat()
            }
        };
        Self {
            spots: places,
            lines: Vec::new(),
            start: spots,
            made: Vec::new(),
            game: SheetGame::default(),
            crosses: BTreeMap::new(),
            map: PlanarMap::start(spots),
        }
    }

    /// The places of the spots, in the order in which they were drawn.
    pub fn spots(&self) -> &[Point] {
        &self.spots
    }

    /// The number of spots at the start, without those of crosses.
    pub fn spots_at_start(&self) -> usize {
        (0..self.start)
            .filter(|&spot| !self.is_of_cross(spot))
            .count()
    }

    /// The number of moves so far.
    pub fn moves(&self) -> usize {
        self.made.len()
    }

    /// The polylines between spots.
    pub fn lines(&self) -> impl Iterator<Item = &[Point]> {
        self.lines.iter().map(|line| &line.points[..])
    }

    /// The spots at the ends of each line, in the order of [`Sheet::lines`].
    pub fn ends(&self) -> impl Iterator<Item = [usize; 2]> {
        self.lines.iter().map(|line| line.ends)
    }

    /// The number of lines that can still end at a spot.
    pub fn lives(&self, spot: usize) -> usize {
        let ends = self.lines.iter().flat_map(|line| line.ends);
        self.most_lines(spot) - ends.filter(|&end| end == spot).count()
    }

    /// The spots at which a line from this one can end, including itself if a loop can be drawn. Spots that have a line
    /// left and lie at the same face can always be joined.
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

    /// The text of the whole drawing, including spots and regions in which nothing more can be drawn.
    pub fn text(&self) -> String {
        self.map.text()
    }

    /// The position in canonical form.
    pub fn position(&self) -> Position {
        self.game.position(&self.map)
    }

    /// The sheet after a move, with the lines as they are.
    ///
    /// # Errors
    /// The line cannot be drawn.
    pub fn drawn(&self, stroke: &Stroke) -> Result<Self, StrokeError> {
        self.check(stroke)?;
        self.with_line(stroke)
    }

    /// The same for a line that was checked.
    fn with_line(&self, stroke: &Stroke) -> Result<Self, StrokeError> {
        let [from, to] = stroke.ends.map(|end| self.spots[end]);
        let mut sheet = self.clone();
        sheet.made.push([self.spots.len(), self.lines.len()]);
        let points = [&[from][..], &stroke.points, &[to]].concat();
        sheet.add_divided(stroke.ends, &points, 1 + stroke.spot);
        if stroke.mark == Mark::Cross {
            sheet.add_bar(self.spots.len())?;
        }
        sheet.read_map()?;
        Ok(sheet)
    }

    /// Adds a line with a new spot on it. `points` includes the spots at its ends; `index` is the index of the new spot
    /// in `points`.
    fn add_divided(&mut self, [from, to]: [usize; 2], points: &[Point], index: usize) {
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
    }

    /// The sheet after a move. The line stays as it was drawn, and everything else where it was, unless room is needed.
    ///
    /// # Errors
    /// The line cannot be drawn.
    pub fn play(&self, stroke: &Stroke) -> Result<Self, StrokeError> {
        let mut sheet = self.drawn(stroke)?;
        if stroke.is_tidied {
            sheet.tidy();
        } else {
            sheet.make_room(self.spots.len(), stroke.revision);
        }
        Ok(sheet)
    }

    /// Evens out the drawing. Its map stays.
    fn tidy(&mut self) {
        self.relaxed(MOST_OF_SPOT, false);
    }

    /// Evens out the drawing, or only the line of the last move.
    fn relaxed(&mut self, leash: f64, only_last: bool) {
        let dead = self.dead_faces().into_iter().flatten();
        let dead = dead.filter_map(|boundary| boundary.first().copied());
        let mut relaxation = Relaxation {
            dead: dead.collect(),
            live: self.spots.len(),
            unit: 1.0,
            fence: Vec::new(),
            leash,
            only_last,
            spots: &mut self.spots,
            lines: &mut self.lines,
        };
        relaxation.run();
    }

    /// Makes room where the drawing is tight. The first spots, as many as `old`, move only if lines cannot give way.
    fn make_room(&mut self, old: usize, revision: Revision) {
        let drawn = self.clone();
        let mut left = self.clear(old, Clearing::OF_OLD_SPOT, revision);
        if left > 0.0 {
            left = self.clear(old, 1.0, revision);
        }
        // Together, a spot moves less than a tenth of the sheet.
        let cleared = self.clone();
        let mut sheets = vec![(cleared, MOST_OF_SPOT / 2.0)];
        if revision == Revision::Returns {
            sheets.push((drawn, MOST_OF_SPOT));
        }
        for (mut even, leash) in sheets {
            if left == 0.0 {
                return;
            }
            even.relaxed(leash, false);
            let of_even = even.clear(old, 1.0, revision);
            if of_even < left {
                (*self, left) = (even, of_even);
            }
        }
    }

    /// Makes room. Returns what is still missing where the drawing is too tight to be read.
    fn clear(&mut self, old: usize, of_old_spot: f64, revision: Revision) -> f64 {
        let mut clearing = Clearing {
            live: self.rims_of_live_faces(),
            spots: &mut self.spots,
            lines: &mut self.lines,
            old,
            of_old_spot,
            leash: MOST_OF_SPOT / 4.0,
            revision,
        };
        clearing.run();
        match revision {
            Revision::First => clearing.unreadable_places() as f64,
            Revision::Returns => self.unreadable(),
        }
    }
}

/// Places on a circle around the middle of the sheet, from the top clockwise. `radius` is a share of its side.
fn circle(count: usize, radius: f64) -> Vec<Point> {
    let at = |i: usize| {
        let turn = std::f64::consts::TAU * (i as f64 / count as f64 - 0.25);
        snapped(CENTRE + Point::at_angle(turn) * (radius * SIDE))
    };
    (0..count).map(at).collect()
}
