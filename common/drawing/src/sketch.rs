//! Pictures as text, for terminals: lines are dots of braille characters, and spots the digits of their lives.
//!
//! A braille character (U+2800 to U+28FF) has two columns of four dots. A character of a terminal is about twice as high
//! as wide, so dots are as far apart in both directions.

use sproutnet_game::picture::{At, Shape};
use sproutnet_game::{Game, Position};

use crate::drawing::Drawing;
use crate::error::DrawingError;
use crate::point::Point;
use crate::shapes::{CELL, arranged};

/// The character without dots.
const BLANK: u32 = 0x2800;

/// The columns and the rows of dots in a character.
const DOTS: (usize, usize) = (2, 4);

/// The bit of each dot, by row and column.
const BITS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// The most dots for a unit of a drawing of Sprouts. More would pull few spots far apart.
const MOST_OF_DRAWING: f64 = 1.0;

/// The most dots for the side of a cell of other games.
const MOST_OF_CELL: f64 = 8.0;

/// The distance of the dots on the edges of panels.
const SPARSE: f64 = 5.0;

/// A position as lines, discs and texts, which can be written in any size.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    strokes: Vec<Stroke>,
    /// Centres and radii.
    discs: Vec<(Point, f64)>,
    texts: Vec<(Point, String)>,
    /// The most dots for a unit.
    most: f64,
}

#[derive(Clone, Debug)]
struct Stroke {
    points: Vec<Point>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Plain,
    Bold,
    Sparse,
}

impl Sketch {
    /// Sketches a position of any game that has pictures.
    ///
    /// # Errors
    /// The position cannot be drawn in the plane, is too large, or is of a game without pictures.
    pub fn of(game: &dyn Game, position: &Position) -> Result<Self, DrawingError> {
        match game.mid() {
            Some(mid) => Drawing::in_the_plane(game, mid, position).map(|drawing| drawing.sketch()),
            None => Self::of_shapes(game, position),
        }
    }

    fn of_shapes(game: &dyn Game, position: &Position) -> Result<Self, DrawingError> {
        let picture = game.picture(position).ok_or(DrawingError::NoPictures)?;
        let corners = arranged(&picture)?.corners;
        let mut sketch = Self {
            most: MOST_OF_CELL / CELL,
            ..Self::default()
        };
        for (land, corner) in picture.lands.iter().zip(corners) {
            let place = |(x, y): At| corner + Point::new(x, y) * CELL;
            for shape in &land.shapes {
                match shape {
                    Shape::Cell((x, y)) => {
                        let ends = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.0, 0.0)];
                        let corners = ends.map(|(right, down)| place((x + right, y + down)));
                        sketch.stroke(corners.to_vec(), Kind::Plain);
                    }
                    Shape::Line(from, to) => {
                        sketch.stroke(vec![place(*from), place(*to)], Kind::Plain);
                    }
                    Shape::Bold(from, to) => {
                        sketch.stroke(vec![place(*from), place(*to)], Kind::Bold);
                    }
                    Shape::Dot(at, radius) | Shape::Mark(at, radius) => {
                        sketch.discs.push((place(*at), radius * CELL));
                    }
                    Shape::Text(at, text) => sketch.texts.push((place(*at), text.clone())),
                }
            }
        }
        Ok(sketch)
    }

    fn stroke(&mut self, points: Vec<Point>, kind: Kind) {
        self.strokes.push(Stroke { points, kind });
    }

    /// The picture in at most so many rows of at most so many characters, as large as they allow. Nothing is drawn without
    /// a character to draw it in.
    pub fn lines(&self, columns: usize, rows: usize) -> Vec<String> {
        let Some((low, high)) = self.corners().filter(|_| columns > 0 && rows > 0) else {
            return Vec::new();
        };
        // The outermost dots are half a distance from the edge.
        let room = |extent: f64, dots: usize| {
            if extent > 0.0 {
                (dots - 1) as f64 / extent
            } else {
                f64::INFINITY
            }
        };
        let scale = room(high.x - low.x, DOTS.0 * columns)
            .min(room(high.y - low.y, DOTS.1 * rows))
            .min(self.most);
        let mut page = Page::new(columns, rows, low, scale);
        for stroke in &self.strokes {
            page.stroke(stroke);
        }
        for (centre, radius) in &self.discs {
            page.disc(*centre, *radius);
        }
        for (at, text) in &self.texts {
            page.text(*at, text);
        }
        page.lines()
    }

    /// The corners of the smallest box around everything.
    fn corners(&self) -> Option<(Point, Point)> {
        let strokes = self
            .strokes
            .iter()
            .flat_map(|stroke| &stroke.points)
            .copied();
        let discs = self.discs.iter().flat_map(|&(centre, radius)| {
            let out = Point::new(radius, radius);
            [centre - out, centre + out]
        });
        let texts = self.texts.iter().map(|(at, _)| *at);
        let mut points = strokes.chain(discs).chain(texts);
        let first = points.next()?;
        Some(points.fold((first, first), |(low, high), point| {
            (
                Point::new(low.x.min(point.x), low.y.min(point.y)),
                Point::new(high.x.max(point.x), high.y.max(point.y)),
            )
        }))
    }
}

impl Drawing {
    /// The drawing with the lives of the spots at their places, and with the edges of lands if there are several.
    fn sketch(&self) -> Sketch {
        let mut sketch = Sketch {
            most: MOST_OF_DRAWING,
            ..Sketch::default()
        };
        for panel in &self.panels {
            let picture = &panel.picture;
            if self.panels.len() > 1 {
                let frame = picture.frame.iter().chain(picture.frame.first());
                sketch.stroke(frame.copied().collect(), Kind::Sparse);
            }
            for line in &picture.lines {
                sketch.stroke(line.points(4), Kind::Plain);
            }
            for (&at, &lives) in picture.spots.iter().zip(&picture.map.lives) {
                match lives {
                    0 => sketch.discs.push((at, 0.0)),
                    _ => sketch.texts.push((at, lives.to_string())),
                }
            }
        }
        sketch
    }
}

/// Characters, of which some have dots and some are letters.
struct Page {
    columns: usize,
    rows: usize,
    low: Point,
    scale: f64,
    dots: Vec<u32>,
    letters: Vec<Option<char>>,
}

impl Page {
    fn new(columns: usize, rows: usize, low: Point, scale: f64) -> Self {
        Self {
            columns,
            rows,
            low,
            scale,
            dots: vec![0; columns * rows],
            letters: vec![None; columns * rows],
        }
    }

    /// A place in dots.
    fn place(&self, at: Point) -> Point {
        (at - self.low) * self.scale
    }

    fn dot(&mut self, at: Point) {
        let (x, y) = (at.x.round(), at.y.round());
        if x < 0.0 || y < 0.0 {
            return;
        }
        let (x, y) = (x as usize, y as usize);
        let (column, row) = (x / DOTS.0, y / DOTS.1);
        if column < self.columns && row < self.rows {
            self.dots[row * self.columns + column] |= BITS[y % DOTS.1][x % DOTS.0];
        }
    }

    fn stroke(&mut self, stroke: &Stroke) {
        let apart = match stroke.kind {
            Kind::Sparse => SPARSE,
            _ => 1.0,
        };
        for ends in stroke.points.windows(2) {
            let [from, to] = [ends[0], ends[1]].map(|end| self.place(end));
            let steps = (from.distance(to) / apart).ceil().max(1.0) as u32;
            for step in 0..=steps {
                let at = from.toward(to, f64::from(step) / f64::from(steps));
                self.dot(at);
                if stroke.kind == Kind::Bold {
                    self.dot(at + Point::new(1.0, 0.0));
                    self.dot(at + Point::new(0.0, 1.0));
                }
            }
        }
    }

    fn disc(&mut self, centre: Point, radius: f64) {
        let (centre, radius) = (self.place(centre), radius * self.scale);
        let reach = radius.ceil() as i32;
        for (x, y) in (-reach..=reach).flat_map(|x| (-reach..=reach).map(move |y| (x, y))) {
            let away = Point::new(f64::from(x), f64::from(y));
            if away.length() <= radius {
                self.dot(centre + away);
            }
        }
    }

    /// A text that begins at a place. A letter goes where no other is.
    fn text(&mut self, at: Point, text: &str) {
        let at = self.place(at);
        let column = (at.x.round().max(0.0) as usize) / DOTS.0;
        let row = (at.y.round().max(0.0) as usize) / DOTS.1;
        let end = (column + text.chars().count()).min(self.columns);
        if row >= self.rows {
            return;
        }
        for (column, letter) in (column..end).zip(text.chars()) {
            self.letters[row * self.columns + column].get_or_insert(letter);
        }
    }

    fn lines(&self) -> Vec<String> {
        let character = |place: usize| match (self.letters[place], self.dots[place]) {
            (Some(letter), _) => letter,
            (None, 0) => ' ',
            (None, dots) => char::from_u32(BLANK + dots).unwrap_or(' '),
        };
        let line = |row: usize| {
            let places = row * self.columns..(row + 1) * self.columns;
            let line: String = places.map(character).collect();
            line.trim_end().to_owned()
        };
        let mut lines: Vec<String> = (0..self.rows).map(line).collect();
        let used = lines.iter().rposition(|line| !line.is_empty());
        lines.truncate(used.map_or(0, |last| last + 1));
        lines
    }
}
