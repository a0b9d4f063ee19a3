//! The drawing of a position on a sheet: its lands side by side, with a fence around each but the first.
//!
//! A fence is two spots that three lines join: two of the lines are the closed line, the third is beside it. Both spots
//! are full, so the fence adds nothing to the position, and no line leads across.

use super::Sheet;
use crate::embed::Embedding;
use crate::error::DrawingError;
use crate::land::Drawn;
use crate::layout::on_frame;
use crate::paper::{Line, SIDE, off_paper, snapped};
use crate::point::Point;
use sproutnet_game::sprouts::Mid;
use sproutnet_game::{Position, Sprouts};

/// The maximum number of spots of a freely made drawing.
pub const MOST_DRAWN: usize = 40;

/// The side of a land, as a share of the side of its cell.
const IN_CELL: f64 = 0.86;

/// The number of corners of a fence.
const POSTS: usize = 24;

/// The distance of the third line of a fence from the middle of its square, as a multiple of half the side.
const BELOW: f64 = 1.12;

impl Sheet {
    /// A drawing of a position.
    ///
    /// # Errors
    /// The position cannot be drawn in the plane, or is too large.
    pub fn of(position: &Position) -> Result<Self, DrawingError> {
        let maps = Embedding::of_all(&Sprouts, Mid::Spot, position)?;
        let drawn: usize = maps.iter().map(|map| map.lives.len()).sum();
        let fences = maps.len().saturating_sub(1);
        if drawn + 2 * fences > MOST_DRAWN {
            return Err(DrawingError::TooLarge);
        }
        let across = (1..=maps.len()).find(|n| n * n >= maps.len()).unwrap_or(1);
        let half = SIDE / 2.0 / across as f64;
        let mut sheet = Self::start(0);
        for (i, map) in maps.iter().enumerate() {
            let cell = [i % across, i / across].map(|at| (2 * at + 1) as f64 * half);
            let centre = Point::new(cell[0], cell[1]);
            let place = |at: Point| snapped(centre + at * (IN_CELL * half));
            sheet.add_land(map, place)?;
            if i > 0 {
                sheet.fence_in(place);
            }
        }
        sheet.begin_here();
        // Rounding may have moved a point across a line.
        let is_it = sheet.read_map().is_ok() && sheet.position() == *position;
        is_it.then_some(sheet).ok_or(DrawingError::TooLarge)
    }

    /// Adds a land that is laid out in the square from -1 to 1.
    fn add_land(
        &mut self,
        map: &Embedding,
        place: impl Fn(Point) -> Point,
    ) -> Result<(), DrawingError> {
        let first = self.spots.len();
        let place = |at: Point| place(off_paper(at));
        let drawn = Drawn::of(map)?;
        self.spots.extend(drawn.spots.into_iter().map(place));
        let line = |line: Line| Line {
            ends: line.ends.map(|spot| first + spot),
            points: line.points.into_iter().map(place).collect(),
        };
        self.lines.extend(drawn.lines.into_iter().map(line));
        Ok(())
    }

    /// Draws a fence around the square from -1 to 1.
    fn fence_in(&mut self, place: impl Fn(Point) -> Point) {
        let post = |i: usize| on_frame((i % POSTS) as f64 / POSTS as f64);
        // The spots are beside the middle of the lower side.
        let middle = POSTS / 4;
        let [from, to] = [middle - 1, middle + 1].map(|i| place(post(i)));
        let on = [place(post(middle))];
        let below = [place(post(middle) * BELOW)];
        let around: Vec<Point> = (2..POSTS - 1)
            .map(|i| place(post(middle + POSTS - i)))
            .collect();
        let ends = [self.spots.len(), self.spots.len() + 1];
        self.spots.extend([from, to]);
        for inner in [&on[..], &below, &around] {
            let points = [&[from][..], inner, &[to]].concat();
            self.lines.push(Line { ends, points });
        }
    }
}
