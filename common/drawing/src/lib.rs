//! Sprouts positions as pictures, and as boards to play on.
//!
//! A [`Drawing`] is a picture of a position: spots, curves that do not cross, and the dead spots that the
//! text leaves out. Each land has its own panel. A [`Board`] gives the results of joining two spots, so
//! that people can play on the picture.
//!
//! - `embed`: a land as a map, with dead spots.
//! - `mesh`: the plane cut into triangles along the lines of the map.
//! - `tutte`, `layout`, `relax`: the places of the vertices.
//! - `curves`: smooth curves.
//! - `picture`: the picture of a land.
//! - `labels`: the places of the names of spots.
//! - `svg`: the picture as an SVG document.
//! - `board`: the results of joining spots.

mod board;
mod curves;
mod embed;
mod labels;
mod layout;
mod mesh;
mod picture;
mod point;
mod relax;
mod svg;
mod tutte;

pub use board::{Board, Join, Way};
pub use labels::Labels;
pub use point::Point;
pub use svg::SvgOptions;

use embed::Embedding;
use picture::Picture;
use sproutnet_game::{self as game, Game, Land, Position, Sprouts};

/// The position cannot be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawingError {
    /// No drawing in the plane has these regions.
    #[error("this position cannot be drawn in the plane: no drawing has these regions")]
    NotPlanar,
    /// There is too much to draw, or to distribute between the two sides of a curve.
    #[error("this position is too large to draw")]
    TooLarge,
    /// The position is of another game.
    #[error("only positions of Sprouts can be drawn")]
    NotSprouts,
}

/// A spot with lives in a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// Its number, from 1, in the order of the canonical text.
    pub number: usize,
    /// The number of lines that it can still take.
    pub lives: u32,
    /// Its place, in the units of the picture.
    pub at: Point,
    /// Its radius, in the units of the picture.
    pub radius: f64,
}

/// A position as a picture.
#[derive(Clone, Debug)]
pub struct Drawing {
    text: String,
    panels: Vec<Panel>,
    width: f64,
    height: f64,
}

/// The picture of a land in its place.
#[derive(Clone, Debug)]
struct Panel {
    picture: Picture,
    /// The number of the land's first spot.
    first: usize,
    radii: Vec<f64>,
}

/// The distance between panels, and around all of them.
const GAP: f64 = 12.0;

/// The side of the picture of a position without spots.
const EMPTY: f64 = 80.0;

/// The approximate ratio of width to height.
const ASPECT: f64 = 1.5;

impl Drawing {
    /// Draws a position of Sprouts. The drawing depends only on the position.
    ///
    /// # Errors
    /// The position cannot be drawn in the plane, is too large, or is of another game.
    pub fn of(position: &Position) -> Result<Self, DrawingError> {
        let mut panels = Vec::new();
        let mut first = 1;
        for map in embeddings(position)? {
            let live = map.live().len();
            let picture = Picture::of(map)?;
            let radii = radii(&picture);
            panels.push(Panel {
                picture,
                first,
                radii,
            });
            first += live;
        }
        let mut drawing = Self {
            text: game::qualified(&Sprouts, &Sprouts.print(position)),
            panels,
            width: EMPTY,
            height: EMPTY,
        };
        drawing.arrange();
        Ok(drawing)
    }

    /// The spots with lives, in the order of their numbers.
    pub fn spots(&self) -> Vec<Spot> {
        let spots = self.panels.iter().flat_map(|panel| {
            let lives = panel.picture.map.live().iter().enumerate();
            lives.map(|(i, &lives)| Spot {
                number: panel.first + i,
                lives,
                at: panel.picture.spots[i],
                radius: panel.radii[i],
            })
        });
        spots.collect()
    }

    /// The width and the height of the picture.
    pub fn size(&self) -> (f64, f64) {
        (self.width, self.height)
    }

    /// The picture as an SVG document.
    pub fn svg(&self, options: &SvgOptions) -> String {
        svg::write(self, options)
    }

    fn arrange(&mut self) {
        let sides = self.panels.iter().map(|panel| 2.0 * panel.picture.half);
        let sides: Vec<f64> = sides.collect();
        let area: f64 = sides.iter().map(|side| (side + GAP).powi(2)).sum();
        let widest = sides.iter().copied().fold(0.0, f64::max);
        let limit = (area * ASPECT).sqrt().max(widest) + 1.0;
        let mut rows: Vec<Vec<usize>> = Vec::new();
        let mut way = f64::INFINITY;
        for (i, side) in sides.iter().enumerate() {
            match rows.last_mut() {
                Some(row) if way + side <= limit => row.push(i),
                _ => {
                    rows.push(vec![i]);
                    way = 0.0;
                }
            }
            way += side + GAP;
        }
        let width_of = |row: &[usize]| row.iter().map(|&i| sides[i] + GAP).sum::<f64>() + GAP;
        let width = rows.iter().map(|row| width_of(row)).fold(EMPTY, f64::max);
        let mut top = GAP;
        for row in &rows {
            let height = row.iter().map(|&i| sides[i]).fold(0.0, f64::max);
            let mut left = (width - width_of(row)) / 2.0 + GAP;
            for &i in row {
                let centre = Point::new(left + sides[i] / 2.0, top + height / 2.0);
                self.panels[i].picture.place(centre, 1.0);
                left += sides[i] + GAP;
            }
            top += height + GAP;
        }
        self.width = width;
        self.height = top.max(EMPTY);
    }
}

fn embeddings(position: &Position) -> Result<Vec<Embedding>, DrawingError> {
    let lands = position.lands().iter();
    let map = |land: &Land| {
        let land = Sprouts.land(land.as_bytes());
        Embedding::of(&land.map_err(|_| DrawingError::NotSprouts)?)
    };
    lands.map(map).collect()
}

/// The radii of spots, which depend on their lives and the room around them.
fn radii(picture: &Picture) -> Vec<f64> {
    let clearances = picture.clearances();
    let radius = |(spot, clear): (usize, f64)| {
        let wanted: f64 = match picture.map.lives[spot] {
            0 => 2.2,
            1 => 6.4,
            2 => 7.0,
            _ => 7.6,
        };
        wanted.min(0.4 * clear)
    };
    clearances.into_iter().enumerate().map(radius).collect()
}
